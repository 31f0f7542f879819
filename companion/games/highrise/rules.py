"""Highrise (Fundex): tiles stacked on tiles, each worth its pips times its level.

Numbers in brackets count the rules: [1] the deal, [2] the possible places of a tile, [3] its score,
[4] drawing and passing, [5] the end of a hand, [6] the end of a game. Each number is at the code of
its rule, or beside the name of the function or class that implements it. Players find the rules in
docs/manual/highrise.md.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from companion.core.errors import EntryError, RuleError, whole_number
from companion.core.seats import BySeat, Seat, Seats
from companion.core.words import phrase
from companion.games import round as play
from companion.games import settlement
from companion.games.entries import (
    GameEnded,
    HandBlocked,
    HandDealt,
    HoldingShown,
    PipsShown,
    TurnPassed,
    WentOut,
)
from companion.games.game import (
    Effect,
    Entry,
    FinalScores,
    PaymentReason,
    Rule,
    State,
    no_winner,
    not_whole,
    out_of_range,
    rule_for,
)
from companion.games.highrise.building import (
    SPACERS,
    Layout,
    Layouts,
    PlayScored,
    play_in_known_building,
    play_in_unknown_building,
)
from companion.games.highrise.entries import (
    COLUMNS,
    SET,
    BasementFilled,
    Halves,
    HoldingWithWilds,
    OneTileDrawn,
    PipsWithWilds,
    TileStacked,
)
from companion.games.house_rules import Option, Options, Value
from companion.games.round import (
    Round,
    RoundAfter,
    Stage,
    another_leader_error,
    check_shown,
    holds_tiles,
    keep_shown,
    not_settled_error,
    refuse_outside_a_hand,
    with_presumed_end,
)
from companion.games.settlement import HandEnding, Target, all_others
from companion.games.tiles import mask_of

# ---------------------------------------------------------------- board


class HighriseBoard(NamedTuple):
    """The hand being played or, between hands, the last one."""

    round: Round | None = None
    basement: tuple[Halves, ...] | None = None
    layouts: Layouts | None = None
    """Every possible layout of the building; None if that is not known, for example because the
    basement was not entered."""
    tiles_played: tuple[Halves, ...] = ()
    """The tiles played in this hand, in order."""
    on_table: int = 0
    """The mask of all tiles that are certainly in the building."""
    spacers: int | None = SPACERS
    """The number of spacers left in this hand; None if not known."""
    drew: bool = False
    """Whether the seat to move has drawn."""
    scored: PlayScored | None = None
    """The score of the last entry, if it played a tile."""


HighriseState = State[HighriseBoard]


def round_of(state: HighriseState) -> Round:
    """The hand being played or, between hands, the last one."""
    assert state.board.round is not None, "apply() lets only a deal through before a hand"
    return state.board.round


# ---------------------------------------------------------------- losses
# How games of Highrise go on after entries were lost.


def _with_seat_to_move(state: HighriseState, seat: Seat) -> HighriseState:
    """The state with that seat to move, in a new hand if the last one is over."""
    if round_of(state).stage is Stage.OVER:
        state = deal(state, HandDealt())
    now = round_of(state)
    return _with_round(
        state,
        now._replace(
            stage=Stage.PLAY, to_move=seat, out=None, confirmed=False, out_was_entered=False
        ),
    )


def _with_round(state: HighriseState, now: Round) -> HighriseState:
    """The state with the hand replaced; its building is not known any more."""
    board = state.board._replace(round=now, layouts=None, spacers=None, drew=False, scored=None)
    return state._replace(board=board, to_move=now.to_move if now.playing else None)


# ---------------------------------------------------------------- rules


class Highrise:
    """The rules of Highrise."""

    name = "highrise"
    title = phrase("Highrise")
    players = range(2, 5)
    clockwise = True

    @cached_property
    def rules(self) -> Mapping[type[Entry], Rule[HighriseBoard]]:
        """The rule for each kind of entry."""
        return {
            HandDealt: deal,  # [1, 6]
            BasementFilled: fill_basement,  # [1]
            TileStacked: play_tile,  # [2, 3]
            OneTileDrawn: draw,  # [4]
            TurnPassed: pass_turn,  # [4, 5]
            WentOut: go_out,  # [5]
            HandBlocked: block,  # [5]
            HoldingWithWilds: show,  # [5]
            PipsWithWilds: show,  # [5]
            GameEnded: end,
        }

    @property
    def entries(self) -> tuple[type[Entry], ...]:
        return tuple(self.rules)

    @property
    def options(self) -> tuple[Option, ...]:
        return (TARGET,)

    def start(self, seats: Seats, options: Options) -> HighriseState:
        return State(seats, options, HighriseBoard(), BySeat.all(seats, 0))

    def apply(self, state: HighriseState, entry: Entry) -> HighriseState:
        """The state after `entry`; raises RuleError."""
        rule = rule_for(self, self.rules, entry)
        dealt = state.board.round is not None
        refuse_outside_a_hand(entry, finished=state.finished, dealt=dealt)
        return rule(state._replace(board=state.board._replace(scored=None)), entry)

    def seats_to_show(self, state: HighriseState) -> tuple[Seat, ...]:
        """[5] The seats whose holdings must still be shown."""
        now = state.board.round
        return () if now is None else settlement.holdings_needed(now, all_others(state.seats))

    def chips(self, _state: HighriseState) -> None:
        return None

    def doubt(self, scores: FinalScores, options: Options, time_left: bool, /) -> str | None:
        return doubt_of(scores, options, time_left)

    def next_lead(self, state: HighriseState) -> Seat | None:
        """[6] The seat to the left of this hand's leader, once the hand is over; otherwise None."""
        now = state.board.round
        if now is None or now.stage is not Stage.OVER or now.lead is None or state.finished:
            return None
        return state.seats.left_of(now.lead)

    def to_win(self, state: HighriseState, seat: Seat) -> int | None:
        """[6] The points still needed for the target, never below 0; None if the game is a single
        hand."""
        one_hand = state.options[TARGET.name] == ONE_HAND
        return None if one_hand else target(state).still_needed(state.scores[seat])

    def after_loss(self, state: HighriseState, seat: Seat | None) -> HighriseState:
        """The state after entries were lost: neither the building nor the number of spacers left is
        known. `seat` is to move; None if any seat may be."""
        now = state.board.round
        if now is None or state.finished:
            return state
        if seat and now.playing:
            now = now._replace(to_move=seat)
        return _with_round(state, now)

    def state_before(self, state: HighriseState, entry: Entry) -> HighriseState:
        """Returns a state in which `entry` may have been made, for the case that `state` refuses it
        only because earlier entries were lost. For a deal, the last hand is settled; for a holding,
        the hand has ended; for a basement or a turn, a hand has been dealt; for a turn, that seat
        is to move."""
        if state.finished:
            return state
        if state.board.round is None and not isinstance(entry, HandDealt):
            state = deal(state, HandDealt())
        now = state.board.round
        match entry:
            case HandDealt() if now is not None:
                lead = state.seats.right_of(entry.lead) if entry.lead else now.lead
                return _with_round(state, now._replace(stage=Stage.OVER, lead=lead))
            case BasementFilled() if now is not None and now.turn:
                return deal(_with_round(state, now._replace(stage=Stage.OVER)), HandDealt())
            case HoldingShown() | PipsShown() if now is not None and now.stage is not Stage.OVER:
                return _with_round(state, with_presumed_end(now, entry.seat))
            case WentOut():
                now = round_of(state)
                now = now._replace(
                    stage=Stage.PLAY,
                    last_to_play=entry.seat,
                    confirmed=False,
                    out_was_entered=False,
                )
                return _with_round(state, now)
            case HandBlocked():
                return _with_round(
                    state,
                    round_of(state)._replace(
                        stage=Stage.PLAY, confirmed=False, out_was_entered=False
                    ),
                )
            case TileStacked() | OneTileDrawn() | TurnPassed():
                return _with_seat_to_move(state, entry.seat)
        return state


# ---------------------------------------------------------------- [1] the beginning of a hand
# [1] 36 tiles: entries.SET.

EACH = 5
"""[1] The number of tiles that each player gets."""


def deal(state: HighriseState, dealt: HandDealt) -> HighriseState:
    """[1] Deals a new hand, whose leader is [6] the seat to the left of the last leader. Raises
    RuleError if the last hand isn't settled, or another leader is named."""
    last = state.board.round
    if last is not None and last.stage is not Stage.OVER:
        raise not_settled_error(settlement.holdings_needed(last, all_others(state.seats)))
    lead = dealt.lead
    if last is not None and last.lead is not None:
        lead = state.seats.left_of(last.lead)
    if dealt.lead not in (None, lead):
        raise another_leader_error(lead, dealt.lead)
    number, tiles = (last.number if last else 0) + 1, len(SET) - COLUMNS
    now = play.deal(number, state.seats, tiles=tiles, each=EACH, leave=0, lead=lead)
    return _after_move(state._replace(board=HighriseBoard()), (now, ()))


def fill_basement(state: HighriseState, filled: BasementFilled) -> HighriseState:
    """[1] Fills the basement with the eight tiles on which all others are built."""
    now = round_of(state)
    if now.turn or not now.playing or state.board.basement is not None:
        raise RuleError("The basement is entered once, right after the hand is dealt")
    on_table = mask_of(SET.tile(*halves) for halves in filled.tiles)
    layouts = (Layout.basement(filled.tiles),)
    board = state.board._replace(basement=filled.tiles, layouts=layouts, on_table=on_table)
    return _after_move(state._replace(board=board), (now, ()))


# ---------------------------------------------------------------- [2] to [4]: turns
# [2] The possible places of a tile: building.Layout.plays. [3] The value of a half:
# building.values.


class HighrisePaymentReason(PaymentReason):
    """Reasons for scores in Highrise, other than the end of a hand."""

    LAY = "lay"

    @property
    def is_for_play(self) -> bool:
        return True


def play_tile(state: HighriseState, built: TileStacked) -> HighriseState:
    """[2] Plays a tile, which [3] scores at once."""
    board = state.board
    now, notices = play.begin_turn(round_of(state), built.seat)
    if board.on_table & built.tile.bit:
        raise RuleError(
            "{tile} is already in the building: look at the tile again", tile=built.tile
        )
    completed = None
    if board.layouts is None:
        result, layouts = play_in_unknown_building(board.spacers, built), None
    else:
        result, layouts = play_in_known_building(board.layouts, board.spacers, built)
        completed = result.entry_for(built)
    used = result.spacer is not None
    scored = PlayScored.of(built, result)
    board = board._replace(
        layouts=layouts,
        tiles_played=(*board.tiles_played, built.halves),
        on_table=board.on_table | built.tile.bit,
        spacers=None if board.spacers is None else board.spacers - used,
        drew=False,
        scored=scored,
    )
    now, doubts = play.play_tile(now, built.seat)
    state = _after_turn(
        state._replace(board=board), (now, (*notices, *doubts)), built.seat, completed
    )
    return state.scoring(built.seat, scored.points, HighrisePaymentReason.LAY)


def draw(state: HighriseState, drew: OneTileDrawn) -> HighriseState:
    """[4] The state after a seat that can't play has drawn a tile. Raises RuleError for a second
    draw in a turn."""
    now, notices = play.begin_turn(round_of(state), drew.seat)
    if state.board.drew:
        raise RuleError("One tile is drawn in a turn: lay it if it fits, else pass")
    now, doubts = play.draw(now, drew.seat, 1)
    now = now._replace(stage=Stage.PLAY, lead=now.lead or drew.seat, to_move=drew.seat)
    state = state._replace(board=state.board._replace(drew=True))
    return _after_turn(state, (now, (*notices, *doubts)), drew.seat)


def pass_turn(state: HighriseState, passed: TurnPassed) -> HighriseState:
    """[4] The state after a seat has passed, perhaps after a draw. [5] When all have passed and the
    boneyard is empty, the hand is blocked."""
    now, notices = play.begin_turn(round_of(state), passed.seat)
    now, tiles_left = play.pass_turn(now._replace(lead=now.lead or passed.seat), passed.seat)
    if not state.board.drew:  # otherwise it has drawn, as it must
        notices = (*notices, *tiles_left)
    state = state._replace(board=state.board._replace(drew=False))
    return _after_turn(state, (now, notices), passed.seat)


# ---------------------------------------------------------------- [5] the end of a hand


def go_out(state: HighriseState, out: WentOut) -> HighriseState:
    """[5] The state after a seat has played its last tile."""
    return _after_move(state, play.go_out(round_of(state), out.seat), out.seat)


def block(state: HighriseState, _blocked: HandBlocked) -> HighriseState:
    """[5] The state after the hand was blocked: no seat can play."""
    return _after_move(state, play.block(round_of(state)))


def show(state: HighriseState, shown: HoldingShown | PipsShown) -> HighriseState:
    """[5] Shows a holding; the last one needed settles the hand. The seat that is out scores the
    pips of all others; after a block each seat loses its own. If a seat that is out only by the
    counted tiles shows tiles, no seat is out. Raises RuleError while the hand is being played."""
    now = round_of(state)
    if now.playing:
        raise RuleError("Holdings are shown when the hand is over: enter out or blocked first")
    now, doubts = holds_tiles(now, shown, state.rules)
    if now.playing:
        now, _ = play.block(now)
    before = now.shown[shown.seat]
    notices = check_shown(now, shown, before, state.board.on_table)
    notices = tuple(dict.fromkeys((*doubts, *notices)))
    now = keep_shown(now, shown, before)
    if not now.ended or settlement.holdings_needed(now, all_others(state.seats)):
        return _after_move(state, (now, notices), shown.seat)
    state = _after_move(state, (settlement.mark_settled(now, now.out), notices), shown.seat)
    held = {seat: holding.pips for seat, holding in now.shown.items() if holding}
    if now.out is not None:
        # [5] The seat that is out gets the points of all other seats.
        points = sum(held[seat] for seat in all_others(state.seats)(now.out))
        return decide_winner(state.scoring(now.out, points, HandEnding.OUT))
    for seat, pips in held.items():
        state = state.scoring(seat, -pips, HandEnding.BLOCKED)
    return decide_winner(state)


def end(state: HighriseState, ended: GameEnded) -> HighriseState:
    """Ends the game unfinished; the scores stay."""
    now = state.board.round
    effect = Effect(hand=now.number if now else 0)
    return state._replace(ended=ended.reason, to_move=None, effect=effect)


# ---------------------------------------------------------------- [6] the end of the game

ONE_HAND = "hand"
"""[6] The value of the option `target` for a game of a single hand."""


def _parse_target(text: str, _seats: int) -> Value:
    if text.lower() == ONE_HAND:
        return ONE_HAND
    points = whole_number(text, phrase("option {name}", name="target"))
    if not 100 <= points <= 500:
        raise EntryError(
            "option target is 100 to 500, or {one_hand}, not {points}",
            one_hand=ONE_HAND,
            points=points,
        )
    return points


TARGET = Option(
    "target", phrase("Points that win at the end of a hand, or one hand is the game"),
    lambda _: 300, lambda _: (*range(100, 501, 50), ONE_HAND), _parse_target,
).with_words(phrase("Points to win"), {ONE_HAND: phrase("one hand")})  # fmt: skip


def target(state: HighriseState) -> Target:
    """[6] The score that wins at a hand's end; in a game of a single hand, any score."""
    value = state.options[TARGET.name]
    points = min(state.scores.values) if value == ONE_HAND else int(value)
    return Target(points, at_the_hands_end=True)


MAX_POINTS_OF_HAND = 1_000
"""[6] An upper limit for the points by which a winner's last hand can exceed the target."""


def doubt_of(scores: FinalScores, options: Options, time_left: bool) -> str | None:
    """[5, 6] Returns why these can't be the final scores; None if they can. Totals may be below
    zero, and at the end of a hand the highest one wins if it has reached the target."""
    value = options[TARGET.name]
    goal = 0 if value == ONE_HAND else int(value)
    if doubt := not_whole(scores) or out_of_range(
        scores, -MAX_POINTS_OF_HAND, goal + MAX_POINTS_OF_HAND
    ):
        return doubt
    if value == ONE_HAND:
        return None
    return no_winner(scores, goal, time_left=time_left, several=True)


def decide_winner(state: HighriseState) -> HighriseState:
    """[6] The state with its winner: at a hand's end the highest total, if it has reached the
    target; after a tie, play goes on."""
    return state._replace(winners=target(state).winners(state.scores, hand_over=True))


# ---------------------------------------------------------------- small steps


def _after_move(state: HighriseState, moved: RoundAfter, seat: Seat | None = None) -> HighriseState:
    """The state after a move of the hand, with the move's notices."""
    now, notices = moved
    effect = Effect(hand=now.number, seat=seat, notices=notices)
    to_move = now.to_move if now.playing else None
    return state._replace(board=state.board._replace(round=now), to_move=to_move, effect=effect)


def _after_turn(
    state: HighriseState, moved: RoundAfter, seat: Seat, completed: Entry | None = None
) -> HighriseState:
    """The state after a seat's turn; `completed`: the turn's entry, completed from the record."""
    now, notices = moved
    state = _after_move(state, moved, seat)
    effect = Effect(hand=now.number, turn=now.turn, seat=seat, notices=notices, completed=completed)
    return state._replace(effect=effect)
