"""Five Up, as played on rubl.com, rule by rule: points instead of chips, and no bogus play.

Numbers in brackets are those of RULES.md, section 2; each stands where its rule is kept, or where
it is said which part keeps it.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from companion.core.seats import BySeat, Seat, Seats
from companion.games import settlement
from companion.games.entries import (
    Blocked,
    Dealt,
    Drew,
    Ended,
    Held,
    HeldPips,
    Passed,
    Redealt,
    WentOut,
)
from companion.games.game import Entry, Rule, State, rule_for
from companion.games.line import losses, moves, play
from companion.games.line.hand import BIG_6, Hand, LineWhy
from companion.games.line.laid import Laid
from companion.games.options import NO_YES, Option, Options
from companion.games.round import Stage
from companion.games.settlement import all_others
from companion.games.target import Target


class FiveUpBoard(NamedTuple):
    """The hand being played, and who leads the next."""

    hand: Hand | None = None
    next_lead: str | None = BIG_6
    """Who leads the next hand: a seat, or BIG_6. None while a hand is played."""

    def with_hand(self, hand: Hand) -> "FiveUpBoard":
        return self._replace(hand=hand)

    def with_next_lead(self, lead: str | None) -> "FiveUpBoard":
        return self._replace(next_lead=lead)


FiveUpState = State[FiveUpBoard]


class FiveUp:
    """The rules of Five Up."""

    name = "five-up"
    title = "Five Up"
    players = range(2, 5)

    @cached_property
    def rules(self) -> Mapping[type[Entry], Rule[FiveUpBoard]]:
        """What each entry does."""
        return {
            Dealt: deal,  # [1, 2]
            Redealt: play.redeal,  # [2]
            Laid: lay,  # [3]
            Drew: play.draw,  # [4]
            Passed: play.pass_turn,  # [4]
            WentOut: play.go_out,  # [5]
            Blocked: play.block,  # [5]
            Held: show,  # [5]
            HeldPips: show,  # [5]
            Ended: play.end,
        }

    @property
    def entries(self) -> tuple[type[Entry], ...]:
        """What can be said in it."""
        return tuple(self.rules)

    @property
    def options(self) -> tuple[Option, ...]:
        """Its house rules."""
        return OPTIONS

    def start(self, seats: Seats, options: Options) -> FiveUpState:
        """Before the first hand."""
        return State(seats, options, FiveUpBoard(), BySeat.all(seats, 0))

    def apply(self, state: FiveUpState, entry: Entry) -> FiveUpState:
        """The state after `entry`; raises RuleError."""
        rule = rule_for(self, self.rules, entry)
        play.refuse(state, entry)
        return rule(state, entry)

    def needed(self, state: FiveUpState) -> tuple[Seat, ...]:
        """[5] The seats whose holdings must still be shown."""
        return play.needed(state, all_others(state.seats))

    def shuffler(self, _state: FiveUpState) -> Seat | None:
        """The rules do not say who shuffles."""
        return None

    def to_win(self, state: FiveUpState, seat: Seat) -> int | None:
        """[6] Points to the target, never below 0."""
        return target(state.options).still_needed(state.scores[seat])

    def chips(self, _state: FiveUpState) -> None:
        return None

    def next_lead(self, state: FiveUpState) -> str | None:
        """[2] Who leads the next hand: a seat, or BIG_6."""
        return None if state.finished else state.board.next_lead

    def after_loss(self, state: FiveUpState, seat: Seat | None) -> FiveUpState:
        """After lost entries: what lies is not known, and `seat` is to move."""
        hand = state.board.hand
        if hand is None:
            return state
        state = state._replace(board=state.board._replace(hand=losses.taken_up(hand, seat)))
        return state._replace(to_move=seat) if seat and hand.round.playing else state

    def led_up_to(self, state: FiveUpState, entry: Entry) -> FiveUpState:
        """At an entry that was made before anybody knew of a loss."""
        return losses.led_up_to(state, entry, deal)


# ---------------------------------------------------------------- [1] to [4]: a hand
# [1] Double-six: line.TILE_SET. No chips: Payment.payer is None.
# [3] The spinner and the count: line/line.py. What a count scores: play.points_of.
# [4] Who can't lay draws, then passes; nothing is checked: there is no bogus play.

OPTIONS = (
    Option.number("deal", "Tiles dealt to each player", lambda _: 7,
                  lambda seats: (7, 9) if seats < 4 else (7,)).with_words("Tiles each"),
    Option.number("target", "Points that win", lambda _: 250, lambda _: range(100, 501),
                  lambda _: range(100, 501, 50)).with_words("Points to win"),
    Option.words("start", "Who leads after a dominoed hand", "winner", "rotate")
          .with_words("Next lead", {"winner": "the winner", "rotate": "rotates"}),
    Option.words("finish-hand", "The target counts only at a hand's end", "off", "on")
          .with_words("Hand is finished first", NO_YES),
    play.LEAVE,
    play.ROUNDING,
    play.FIRST_SCORE,
)  # fmt: skip
"""[1] The deal and the target are agreed beforehand."""


def deal(state: FiveUpState, dealt: Dealt) -> FiveUpState:
    """[2] A new hand, once the last one is settled: the highest double must be led, or the seat
    that leads leads any tile."""
    play.refuse_deal(state, play.needed(state, all_others(state.seats)))
    lead, big_6 = play.who_leads(state.board.next_lead, dealt)
    state = play.after(state, play.deal(state, lead, big_6=big_6))
    return state._replace(board=state.board.with_next_lead(None))


def lead_after(state: FiveUpState, winner: Seat | None) -> str:
    """[2] The winner leads any tile, after a block the highest double; or the start rotates, after
    a block too."""
    now = play.hand_of(state).round
    if state.options["start"] == "rotate" and now.lead:
        return state.seats.left_of(now.lead)
    return winner if winner and now.out else BIG_6


def lay(state: FiveUpState, laid: Laid) -> FiveUpState:
    """[3] A tile is laid: the count scores if it is a positive multiple of five."""
    moved = moves.lay(play.hand_of(state), laid)
    points = play.first_score(state, laid.seat, play.points_of(moved.hand))
    state = play.after(state, moved)
    return decided(state.scoring(laid.seat, points, LineWhy.COUNT)) if points else state


# ---------------------------------------------------------------- [5] the end of a hand


def show(state: FiveUpState, shown: Held | HeldPips) -> FiveUpState:
    """[5] A holding is shown; the last one needed settles the hand: all the others' holdings are
    added up, then rounded once."""
    state = play.after(state, moves.show_at_the_end(play.hand_of(state), shown))
    if not play.can_be_settled(state, all_others(state.seats)):
        return state
    now = play.hand_of(state).round
    end = settlement.settle(now, all_others(state.seats), up=play.rounds_up(state.options))
    state = play.over(state, end.winner, lead_after(state, end.winner))
    if end.winner is not None:
        points = play.first_score(state, end.winner, end.points)
        state = state.scoring(end.winner, points, end.why)
    return decided(state)


# ---------------------------------------------------------------- [6] the end of the game


def target(options: Options) -> Target:
    """[6] The points that win, at once or, with `finish-hand`, at the hand's end."""
    return Target(int(options["target"]), at_the_hands_end=options["finish-hand"] == "on")


def decided(state: FiveUpState) -> FiveUpState:
    """[6] The first to the target has won."""
    over = play.hand_of(state).round.stage is Stage.OVER
    winners = target(state.options).winners(state.scores, hand_over=over)
    return state._replace(winners=winners, to_move=None) if winners else state
