"""Fives and Threes, as British leagues play it: each seat alone or with a partner.

A number in brackets, as in [2], is that of a rule in RULES.md, section 7. It is at the code of the
rule, or beside the name of the function or class that implements it. The numbers appear in the same
order as the rules."""

from dataclasses import replace
from typing import ClassVar

from companion.core.errors import EntryError, RuleError
from companion.core.seats import BySeat, Seat, Seats
from companion.core.values import dataclass
from companion.core.words import OR, listed, phrase
from companion.games.bogus.call_rules import (
    CallRules,
    RuledClaim,
    after_watched_move,
    begin_watched_hand,
)
from companion.games.bogus.calls import CallsBoard, CallsState
from companion.games.entries import (
    BogusCalled,
    HandBlocked,
    HandDealt,
    HandRedealt,
    Penalty,
    PointsScored,
    TileReturned,
    TilesDrawn,
    TimeUp,
    WentOut,
)
from companion.games.game import (
    Effect,
    Entry,
    FinalScores,
    games_of_match,
    no_winner,
    not_whole,
    out_of_range,
)
from companion.games.house_rules import MATCH, NO_YES, OFF, PARTNERS, SET, Option, Options
from companion.games.line import points
from companion.games.line.game import HandRules, LineGame, Scoring, opponents, partners
from companion.games.line.hand import MoveResult, hand_of
from companion.games.line.line import NOTHING_PLAYED_WITHOUT_SPINNER, TILE_SET
from companion.games.round import Round, Stage
from companion.games.settlement import HandEnding, Losers, Settlement

# ---------------------------------------------------------------- options
# K: Leek league; Te: Teesdale league. Options that a set doesn't mention have their home values.

HELD_BACK_PENALTY = 8
"""[8] The penalty for a tile that is still held at the end of a hand, although it could have been
played."""


def _league_deal(seats: int) -> int:
    return 9 if seats == 2 else 6


RULE_SET = replace(
    Option.words(SET, phrase("A club's rules, all at once"), "home", "K", "Te").with_words(
        phrase("Rules"), {"home": phrase("home")}
    ),
    choices=lambda seats: ("home",) if seats == 3 else ("home", "K", "Te"),
)
LEAGUE_PARTNERS = {name: lambda seats: "on" if seats == 4 else OFF for name in ("K", "Te")}
OPTIONS = (
    RULE_SET,
    PARTNERS.sets(**LEAGUE_PARTNERS),  # [1]
    Option.number("deal", phrase("Tiles dealt to each player"),
                  lambda seats: 7 if seats == 2 else 5,
                  lambda seats: tuple(n for n in (5, 6, 7, 9) if n * seats <= len(TILE_SET)))
          .with_words(phrase("Tiles each")).sets(K=_league_deal, Te=_league_deal),  # [1]
    Option.number("target", phrase("Points that win"), lambda _: 61, lambda _: (31, 61, 121))
          .with_words(phrase("Points to win"))
          .sets(K=lambda seats: 121 if seats == 4 else 61),  # [7]
    Option.words("exact", phrase("A score that would pass the target doesn't count"), "on", "off")
          .with_words(phrase("Exactly the target"), NO_YES),  # [7]
    Option.words("out-on-lead", phrase("Can a lead win the game?"), "yes", "no")
          .with_words(phrase("Win by a lead"), {"yes": phrase("yes"), "no": phrase("no")})
          .sets(K="no", Te="no"),  # [7]
    Option.number("last-tile", phrase("Points for going out"), lambda _: 1, lambda _: (0, 1))
          .with_words(phrase("Going out scores")).sets(K=0, Te=0),  # [6]
    Option.words("hand-end", phrase("Must both partners go out to end a hand?"),
                 "both-out", "one-out")
          .with_words(phrase("Hand ends with"),
                      {"both-out": phrase("both out"), "one-out": phrase("one out")})
          .sets(K="one-out"),  # [6]
    Option.words("lead", phrase("Who leads the next hand"), "next", "winner")
          .with_words(phrase("Next lead"),
                      {"next": phrase("next seat"), "winner": phrase("the winner")}),  # [2]
    Option.words("held-playable",
                 phrase("Passed, with a tile that fits still in hand: points it costs"),
                 OFF, str(HELD_BACK_PENALTY))
          .with_words(phrase("Held back"), {OFF: phrase("nothing")})
          .sets(K=str(HELD_BACK_PENALTY)),  # [8]
    MATCH,  # [7]
)  # fmt: skip


def starting_board(seats: Seats, options: Options) -> CallsBoard:
    """The board before the first hand, whose [2] leader is drawn by lot. Raises RuleError if three
    players choose the house rules of a league."""
    if options[SET] != "home" and len(seats) == 3:
        players = listed((2, 4), OR)
        raise RuleError(
            "Rules {set} are for {players} players: choose another set",
            set=options[SET], players=players,
        )  # fmt: skip
    return CallsBoard(next_lead=None, charged=BySeat.all(seats, 0))


# ---------------------------------------------------------------- [1] to [4]: a hand, and scores
# [1] Tiles that are not dealt sleep: play.deal, without an option `leave`.


def begin_hand_by_options(state: CallsState, moved: MoveResult, dealt: HandDealt) -> CallsState:
    """[3] Returns the state with a new hand, whose line has two ends. [6] By the option `hand-end`,
    the hand goes on until both partners are out. [8] Until the next deal, a seat can be called for
    holding back a tile; only the tiles that it holds at the end of the hand can prove that."""
    hand, ends = moved.hand._replace(line=NOTHING_PLAYED_WITHOUT_SPINNER), state.options["hand-end"]
    sides = state.sides if ends == "both-out" else ()
    hand = hand._replace(round=hand.round._replace(sides=sides))
    state = begin_watched_hand(state, moved._replace(hand=hand), dealt)
    assert state.board.watched is not None, "a hand was dealt"
    watched = state.board.watched._replace(still_held=True)
    if state.options["held-playable"] == OFF:
        watched = watched._replace(evidence=None, unshown=None)
    return state._replace(board=state.board._replace(watched=watched, before=None))


def score_of_count(count: int) -> int:
    """[4] The score for a count: 3 → 1, 5 → 1, 6 → 2, 15 → 8."""
    return sum(count // by for by in (3, 5) if count % by == 0)


@dataclass(frozen=True, slots=True)
class UnitsScored(PointsScored):
    """`SEAT points N`: SEAT's play scored N. Its count is not known: for a score of 1 it may be 3
    or 5."""

    scores: ClassVar = range(1, 9)

    @classmethod
    def invalid_points_error(cls) -> EntryError:
        return EntryError("A play scores 1 to {most}", most=cls.scores[-1])

    @property
    def count(self) -> None:
        return None


# [5] A seat that can play may not knock: see [8].

# ---------------------------------------------------------------- [6, 7]: the ends


def points_that_count(state: CallsState, seat: Seat, score: int) -> int:
    """[7] Returns the points that count of a play's `score`: 0 if the score would pass the target
    with the option `exact`, or if it would reach the target with a lead that may not win (option
    `out-on-lead`)."""
    target, total = int(state.options["target"]), state.scores[seat] + score
    leads = hand_of(state).round.stage is Stage.LEAD and state.options["out-on-lead"] == "no"
    passes = total > target and state.options["exact"] == "on"
    return 0 if passes or (leads and total >= target) else score


def settle_by_options(now: Round, _losers: Losers, options: Options) -> Settlement:
    """[6] The seat that goes out scores the points of the option `last-tile`. A blocked hand has no
    winner."""
    if now.out is None:
        return Settlement(None, 0, HandEnding.BLOCKED)
    return Settlement(now.out, int(options["last-tile"]), HandEnding.OUT)


def next_seat_after_leader(state: CallsState) -> Seat | None:
    """The seat after the last leader; None if the last leader is not known."""
    led = hand_of(state).round.lead
    return state.seats.left_of(led) if led else None


def lead_after(state: CallsState, winner: Seat | None) -> Seat | None:
    """[2] The leader of the next hand, by the option `lead`: the seat after the last leader, or the
    seat that went out first."""
    if winner is None or state.options["lead"] == "next":
        return next_seat_after_leader(state)
    first = (seat for seat in hand_of(state).round.went_out if seat in state.side_of(winner))
    return next(first, winner)


def repeats_known_end(state: CallsState, entry: Entry) -> bool:
    """Returns whether the entry only repeats an end of the hand that is already known and
    settled."""
    hand = state.board.hand
    if hand is None or hand.round.stage is not Stage.OVER or hand.round.confirmed:
        return False
    if isinstance(entry, WentOut):
        return entry.seat == hand.round.out
    return isinstance(entry, HandBlocked) and hand.round.out is None


def confirm_or_end(state: CallsState, entry: WentOut | HandBlocked) -> CallsState:
    """[6] Ends the hand because a seat is out or no seat can play. If that was already known, the
    entry only confirms it."""
    if not repeats_known_end(state, entry):
        return HAND.go_out(state, entry) if isinstance(entry, WentOut) else HAND.block(state, entry)
    hand = hand_of(state)
    board = state.board.with_hand(hand._replace(round=hand.round._replace(confirmed=True)))
    return state._replace(board=board, effect=Effect(hand=hand.round.number))


def refuse(state: CallsState, entry: Entry) -> None:
    """Raises RuleError for an entry that is not allowed while a claim is open, or after a win."""
    if not repeats_known_end(state, entry):
        CALLS.refuse(state, entry)


def doubt(scores: FinalScores, options: Options, time_left: bool) -> str | None:
    """[7] Returns why these can't be the final scores (in a match: the numbers of games won); None
    if they can."""
    if (games := int(options["match"])) > 1:
        return games_of_match(scores, games, time_left=time_left)
    target = int(options["target"])
    most = target if options["exact"] == "on" else target + HELD_BACK_PENALTY - 1
    return not_whole(scores) or out_of_range(scores, 0, most) or no_winner(
        scores, target, time_left=time_left
    )  # fmt: skip


# ---------------------------------------------------------------- [8]: a tile held back


def calls_count(state: CallsState) -> bool:
    """Returns whether a seat may be called now for holding back a tile: only once the hand is over,
    even if the game was won with it."""
    hand = state.board.hand
    over = hand is not None and (not hand.round.playing or bool(state.winners))
    return over and state.options["held-playable"] != OFF


def call(state: CallsState, called: BogusCalled) -> CallsState:
    """[8] Calls a seat for holding back a tile. Raises RuleError if the house rules have no penalty
    for that, if the hand isn't over yet, or if the seat has already paid for this hand."""
    if state.options["held-playable"] == OFF:
        raise RuleError("A tile held back costs nothing here: option held-playable")
    watched = state.board.watched
    if watched is not None and not calls_count(state):
        raise RuleError("A tile held back can be called only once the hand is over")
    if watched and any(watched.hand.turn(n).seat == called.accused for n in watched.ruled_bogus):
        raise RuleError("{seat} has already paid for this hand", seat=called.accused)
    return CALLS.call(state, called)


def charge_held_back(state: CallsState, ruled: RuledClaim) -> CallsState:
    """[8] Subtracts 8 points from the score of the accused. If it has fewer than 8, the caller
    scores 8 instead, unless the game is won. If the penalty undoes a win, the hand is over, and the
    seat after its leader leads the next one."""
    accused, by = ruled.claim.accused, ruled.claim.by
    if state.scores[accused] >= HELD_BACK_PENALTY:
        state = points.score(state, accused, -HELD_BACK_PENALTY, Penalty.BOGUS)
    elif not state.winners:
        state = points.score(
            state, by, points_that_count(state, by, HELD_BACK_PENALTY), Penalty.BOGUS
        )
    watched = state.board.watched
    if state.winners or watched is None or watched.hand.round.stage is Stage.OVER:
        return state
    hand = watched.hand._replace(round=watched.hand.round._replace(stage=Stage.OVER))
    board = state.board._replace(
        watched=watched._replace(hand=hand), next_lead=next_seat_after_leader(state)
    )
    return state._replace(board=board, to_move=None)


HAND = HandRules(
    scoring=Scoring(
        points.score,
        points.decide_winners,
        points.still_needed,
        points_that_count,
        of_count=score_of_count,
    ),
    losers=opponents,
    begin=begin_hand_by_options,  # [3]
    after=after_watched_move,  # [8]
    settle=settle_by_options,  # [6]
    lead_after=lead_after,  # [2]
    pips_count=False,  # [6]
)
CALLS = CallRules(
    HAND,
    bogus=charge_held_back,
    wrong=lambda state, _claim: state,
    leads_after=lambda state, seat: state.seats.left_of(seat),
    ends_hand=lambda _state, _turn: False,
    holding_needed=lambda _state: False,
    won_at_the_end=lambda _state: True,
)
FIVES_AND_THREES = LineGame(
    name="fives-and-threes",
    title=phrase("Fives and Threes"),
    players=range(2, 5),  # [1]
    options=OPTIONS,
    board=starting_board,
    sides=partners,  # [1]
    hand=HAND,
    doubt_of=doubt,
    own={
        **CALLS.rules,
        BogusCalled: call,  # [8]
        UnitsScored: HAND.score,  # [4]
        WentOut: confirm_or_end,  # [6]
        HandBlocked: confirm_or_end,
        TimeUp: points.end_at_time_up,
    },
    without=frozenset({PointsScored, TilesDrawn, HandRedealt, TileReturned}),  # [1]
    refuse=refuse,
    calls_count=calls_count,
)
"""The rules of Fives and Threes."""
