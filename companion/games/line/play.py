"""Steps from an entry to the next state, which games with a line of play share.

A game says which entries it has and what its own rules make of them; these are the steps in
between. No step asks the game anything: the game passes in what it decides.
"""

from dataclasses import replace
from typing import TypeVar

from companion.core.errors import RuleError
from companion.core.seats import Seat, Seats
from companion.core.words import phrase
from companion.games import settlement
from companion.games.entries import Blocked, Dealt, Ended, Redealt, WentOut
from companion.games.entry import Effect, Entry
from companion.games.game import AnyState, Rule, State
from companion.games.line import moves
from companion.games.line.hand import BIG_6, EndsCounted, Hand, LineBoard, hand_of
from companion.games.line.line import TILE_SET
from companion.games.line.moves import Moved
from companion.games.options import NO_YES, OFF, Option, Options
from companion.games.refusals import (
    already_won,
    another_leads,
    not_settled,
    refuse_outside_a_hand,
)
from companion.games.round import Round, Stage
from companion.games.round import deal as deal_round
from companion.games.settlement import Losers, Settlement

B = TypeVar("B", bound=LineBoard)


def refuse(state: State[B], entry: Entry) -> None:
    """Raises RuleError for an entry that this moment of the game does not allow."""
    hand = state.board.hand
    if state.winners and isinstance(entry, WentOut) and hand and hand.round.stage is Stage.OUT:
        return
    if state.winners:
        raise already_won(state.winners)
    if state.finished:
        raise RuleError("The game was ended: start a new game, or undo")
    refuse_outside_a_hand(entry, finished=False, dealt=hand is not None)


def number_of_hand(state: State[B]) -> int:
    """The number of the hand being played; 0 before the first."""
    return state.board.hand.round.number if state.board.hand else 0


def to_move(state: State[B], hand: Hand | None) -> Seat | None:
    """Who is to move in a hand of this game; None if nobody is, or any seat may be."""
    if hand is None or state.finished or not hand.round.playing:
        return None
    return hand.round.to_move


def after(state: State[B], moved: Moved, _entry: Entry) -> State[B]:
    """The state after a move of the hand, from which nothing else follows."""
    board, mover = state.board.with_hand(moved.hand), to_move(state, moved.hand)
    return state._replace(board=board, to_move=mover, effect=moved.effect)


# ---------------------------------------------------------------- from the deal to the end


def refuse_deal(state: State[B], missing: tuple[Seat, ...]) -> None:
    """Raises RuleError unless the last hand is settled; `missing`: the seats whose holdings must be
    shown for that."""
    hand = state.board.hand
    if hand is not None and hand.round.stage is not Stage.OVER:
        raise not_settled(missing)


def who_leads(state: State[B], dealt: Dealt) -> tuple[Seat | None, bool]:
    """Who leads the new hand, if known, and whether a double must be led. Raises RuleError if the
    deal names another leader, or none where it was drawn by lot."""
    next_lead = state.board.next_lead
    if next_lead is None and dealt.lead is None:
        raise RuleError("The rules don't say who leads: name that seat, as in “hand lead SEAT”")
    if next_lead is None or next_lead == BIG_6:
        return dealt.lead, next_lead == BIG_6
    if dealt.lead not in (None, next_lead):
        raise another_leads(next_lead, dealt.lead)
    return Seat(str(next_lead)), False


def deal(state: State[B], lead: Seat | None, *, big_6: bool) -> Moved:
    """A new hand, by the options `deal` and `leave`; without the latter nothing is drawn. `lead`
    leads it (None: the seat that holds the double called for); `big_6`: a double must be led."""
    number = number_of_hand(state) + 1
    each = int(state.options["deal"])
    leave = int(state.options.get("leave", len(TILE_SET)))
    now = deal_round(number, state.seats, tiles=len(TILE_SET), each=each, leave=leave, lead=lead)
    return Moved(Hand(now, big_6), Effect(hand=number))


def begin(state: State[B], moved: Moved, dealt: Dealt) -> State[B]:
    """The state with a new hand dealt, whose end will say who leads the next."""
    state = after(state, moved, dealt)
    return state._replace(board=state.board.with_next_lead(None))


def redeal(state: State[B], redealt: Redealt) -> State[B]:
    """Nobody held a double: the deal is repeated. What was paid stands. Raises RuleError unless a
    double is called for and nothing is laid yet."""
    hand = hand_of(state)
    if hand.round.stage is not Stage.LEAD or not hand.big_6:
        raise RuleError("A deal is repeated only while the highest double is called for")
    return after(state, Moved(hand, Effect(hand=hand.round.number)), redealt)


def block(state: State[B], blocked: Blocked) -> State[B]:
    """Nobody can play."""
    return after(state, moves.block(hand_of(state)), blocked)


def end(state: State[B], ended: Ended) -> State[B]:
    """The game ends unfinished, the scores kept."""
    effect = Effect(hand=number_of_hand(state))
    return state._replace(ended=ended.reason, to_move=None, effect=effect)


# ---------------------------------------------------------------- what a count or a hand is worth


def counted(state: AnyState) -> EndsCounted | None:
    """What the last entry leaves open, if it is a lay or a score in a game with a line; else
    None."""
    reason = state.effect.reason
    return reason if isinstance(reason, EndsCounted) else None


def nothing(_count: int) -> int:
    """The points of a count in a game in which no count scores."""
    return 0


def fives(count: int) -> int:
    """What a count scores: itself, if it is a multiple of five."""
    return count if count % 5 == 0 else 0


def points_of(hand: Hand) -> int:
    """What the latest lay scores: its count, if that is a positive multiple of five."""
    return fives(hand.line.known_count or 0)


def first_score(state: State[B], seat: Seat, points: int) -> int:
    """The points that the seat gets: 0 if they are too few for its first score (option
    `first-score`)."""
    if not points or state.scores[seat] != 0:
        return points
    return points if points >= int(state.options["first-score"]) else 0


def settle(now: Round, losers: Losers, options: Options) -> Settlement:
    """Who has won the hand, and the points: the losers' pips, rounded by the option `rounding`."""
    return settlement.settle(now, losers, str(options["rounding"]))


def over(state: State[B], winner: Seat | None, next_lead: str | None) -> State[B]:
    """The state with the hand settled, and who leads the next one (None: the lot decides)."""
    hand = hand_of(state)
    hand = hand._replace(round=settlement.over(hand.round, winner))
    board = state.board.with_hand(hand).with_next_lead(next_lead)
    return state._replace(board=board, to_move=None)


def winner_leads(state: State[B], winner: Seat | None) -> str:
    """Who leads the next hand: the winner or, after a block, BIG_6 (the highest double is called
    for)."""
    return winner if winner and hand_of(state).round.out else BIG_6


def nobody_shuffles(_state: AnyState) -> None:
    """None: the rules don't say who shuffles."""


def all_of_it(_before: State[B], after: State[B], _entry: Entry, _rule: Rule[B]) -> State[B]:
    """The whole state after an entry: everything may be known at once."""
    return after


def partners(seats: Seats, options: Options) -> tuple[tuple[Seat, ...], ...]:
    """Seats 1 and 3 against 2 and 4, if the option `partners` is on; else (). Raises RuleError if
    it is on and there are not four seats."""
    order = seats.order
    if options["partners"] == "on" and len(order) != 4:
        raise RuleError("Partners are for four players: two against two")
    return ((order[0], order[2]), (order[1], order[3])) if options["partners"] == "on" else ()


def opponents(state: State[B]) -> Losers:
    """Gives all seats but the winner and its partner, whose holding counts for nobody."""
    return lambda winner: tuple(seat for seat in state.seats if seat not in state.side_of(winner))


def no_partners(_seats: Seats, _options: Options) -> tuple[tuple[Seat, ...], ...]:
    """(): each seat plays for itself."""
    return ()


def no_chips(_state: AnyState) -> None:
    """None: points are written down."""


# ---------------------------------------------------------------- house rules


PARTNERS = replace(
    Option.words("partners", phrase("Seats 1 and 3 play together against 2 and 4"), OFF, "on")
    .with_words(phrase("Partners"), NO_YES)
    .left_open("home"),
    choices=lambda seats: (OFF, "on") if seats == 4 else (OFF,),
)
MATCH = Option.number(
    "match", phrase("Most games win the match; if level, you play on"), lambda _: 1,
    lambda _: (1, 3, 5),
).with_words(
    phrase("Match"), {1: phrase("one game"), 3: phrase("best of 3"), 5: phrase("best of 5")}
)  # fmt: skip
LEAVE = Option.number(
    "leave", phrase("Tiles that stay in the boneyard"), lambda _: 0, lambda _: range(3)
).with_words(phrase("Tiles that stay"))
ROUNDING = Option.words(
    "rounding", phrase("Held pips are rounded to the nearest five, or up"), "nearest", "up"
).with_words(phrase("Pips"), {"nearest": phrase("to the nearest five"), "up": phrase("rounded up")})
FIRST_SCORE = Option.number(
    "first-score",
    phrase("A seat's first score must be at least this"),
    lambda _: 0,
    lambda _: (0, 10),
).with_words(phrase("First score"), {0: phrase("any"), 10: phrase("10 or more")})
