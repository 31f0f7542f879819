"""High Five! with card tiles, by Nils van Teijlingen (999 Games, 2010).

Numbers in brackets count the rules: [1] a turn, [2] no row possible, [3] the combinations, [4]
their points, [5] the end. Each number is at the code of its rule, or beside the name of the
function or class that implements it. Players find the rules in docs/manual/high-five-tiles.md.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from companion.core.errors import RuleError
from companion.core.seats import BySeat, Seat, Seats
from companion.core.words import OR, listed, phrase
from companion.games.entries import GameEnded, HandDealt, WentOut
from companion.games.game import (
    Effect,
    Entry,
    FinalScores,
    Notice,
    PaymentReason,
    Rule,
    State,
    not_whole,
    out_of_range,
    rule_for,
)
from companion.games.high_five_tiles.combinations import Card, Combination
from companion.games.high_five_tiles.entries import AllTilesPlayed, RowCompleted, SingleTilePlayed
from companion.games.house_rules import Option, Options
from companion.games.round import doubtful, not_its_turn_error, refuse_outside_a_hand
from companion.games.settlement import leaders

# ---------------------------------------------------------------- board


class HighFiveTilesPaymentReason(PaymentReason):
    """Reasons for scores in High Five! with tiles."""

    ROW = "row"
    OUT = "out"

    @property
    def is_for_play(self) -> bool:
        return self is HighFiveTilesPaymentReason.ROW


class RowOfCards(NamedTuple):
    """A row on the score sheet; `cards` is empty if no cards were entered."""

    seat: Seat
    combination: Combination
    points: int
    cards: tuple[Card, ...] = ()


class HighFiveTilesBoard(NamedTuple):
    """The state that only High Five! with tiles has."""

    turns: int | None = None
    """The number of turns taken by all seats; None before the deal."""
    begun: frozenset[Seat] = frozenset()
    """The seats that have had their first turn."""
    supply: int | None = 0
    """The number of tiles that can still be drawn; None if entries are lost."""
    held: BySeat[int | None] | None = None
    """The number of tiles that each seat holds; None for a seat that has played an unknown
    number."""
    out: Seat | None = None
    """The first seat that was out."""
    out_is_implied: bool = False
    """Whether `out` was derived from the tiles counted in the last turn, not entered."""
    over_is_implied: bool = False
    """Whether the end of the game was derived from the counted tiles, not entered."""
    rows: tuple[RowOfCards, ...] = ()
    scored: RowOfCards | None = None
    """The row that the last entry completed."""


HighFiveTilesState = State[HighFiveTilesBoard]


CARDS, ON_BOARD, EACH, DRAWN = 52, 4, 4, 2
"""[1] Numbers of card tiles: in the whole set; face up on the board at the beginning; drawn by each
player at the beginning, besides a joker; and drawn after a turn."""
OUT_FIRST = 2
"""[5] The points for the first seat that is out."""


class HighFiveTiles:
    """The rules of High Five! with tiles."""

    name = "high-five-tiles"
    title = phrase("High Five! (tiles)")
    players = range(2, 5)
    clockwise = True

    @cached_property
    def rules(self) -> Mapping[type[Entry], Rule[HighFiveTilesBoard]]:
        """The rule for each kind of entry."""
        return {
            HandDealt: deal,  # [1]
            RowCompleted: complete_row,  # [1, 3, 4]
            SingleTilePlayed: play_single_tile,  # [2]
            WentOut: go_out,  # [5]
            AllTilesPlayed: finish,  # [5]
            GameEnded: end,
        }

    @property
    def entries(self) -> tuple[type[Entry], ...]:
        return tuple(self.rules)

    @property
    def options(self) -> tuple[Option, ...]:
        return (*POINTS.values(), FIRST_TURN)

    def start(self, seats: Seats, options: Options) -> HighFiveTilesState:
        return State(seats, options, HighFiveTilesBoard(), BySeat.all(seats, 0))

    def apply(self, state: HighFiveTilesState, entry: Entry) -> HighFiveTilesState:
        """The state after `entry`; raises RuleError."""
        rule, board = rule_for(self, self.rules, entry), state.board
        over = state.finished and not (state.winners and _is_confirmation(board, entry))
        refuse_outside_a_hand(entry, finished=over, dealt=board.turns is not None)
        effect = Effect(hand=int(board.turns is not None))
        return rule(state._replace(board=board._replace(scored=None), effect=effect), entry)

    def to_win(self, _state: HighFiveTilesState, _seat: Seat) -> int | None:
        """Returns None, as there is no target: the highest total wins."""
        return None

    def chips(self, _state: HighFiveTilesState) -> None:
        return None

    def doubt(self, scores: FinalScores, options: Options, _time_left: bool, /) -> str | None:
        """[1, 4, 5] Returns why these can't be the final scores; None if they can. Each row needs
        at least one new tile, and the number of tiles and jokers is limited."""
        rows = CARDS - ON_BOARD + len(scores)
        most = rows * max(int(options[name]) for name in (one.name for one in POINTS.values()))
        return not_whole(scores) or out_of_range(scores, 0, most + OUT_FIRST)

    def next_lead(self, _state: HighFiveTilesState) -> Seat | None:
        """Returns None, as there is only one hand."""
        return None

    def after_loss(self, state: HighFiveTilesState, seat: Seat | None) -> HighFiveTilesState:
        """The state after entries were lost: it isn't known how many tiles are left, nor which
        seats have had a turn."""
        board = state.board
        if board.turns is None or state.finished:
            return state
        board = board._replace(
            supply=None, held=BySeat.all(state.seats, None), begun=frozenset(state.seats)
        )
        return state._replace(board=board, to_move=seat or state.to_move)

    def state_before(self, state: HighFiveTilesState, entry: Entry) -> HighFiveTilesState:
        """Returns a state in which `entry` may have been made, although earlier entries were lost:
        the hand is dealt, and the seat that the entry names is to move."""
        if state.finished:
            return state
        if state.board.turns is None and not isinstance(entry, HandDealt):
            state = deal(state, HandDealt())
        return self.after_loss(state, entry.named_seat)


# ---------------------------------------------------------------- [4] the points


def _points_option(rank: int, combination: Combination) -> Option:
    name = f"points-{combination.value}"
    meaning = phrase("Points for {combination}", combination=combination.words)
    option = Option.number(name, meaning, lambda _: rank, lambda _: range(51))
    return replace(option.with_words(combination.heading), chosen_before_game=True)


POINTS = {
    combination: _points_option(rank, combination) for rank, combination in enumerate(Combination)
}
"""[4] The points for each combination: 0, 1 … 10 from low to high, or as printed on the family's
own card."""
FIRST_TURN = Option.words(
    "first-turn", phrase("New tiles in the first turn of each player"), "3-4", "3"
).with_words(phrase("First turn"), {"3-4": phrase("3 or 4 tiles"), "3": phrase("3 tiles")})


# ---------------------------------------------------------------- [1, 2] turns
# [3] The best that five cards make: combinations.best_of.


def deal(state: HighFiveTilesState, dealt: HandDealt) -> HighFiveTilesState:
    """[1] Deals four tiles to the board, and four tiles and a joker to each seat. Raises RuleError
    for a second deal."""
    if state.board.turns is not None:
        raise RuleError("This game is one hand: the tiles are dealt once")
    supply = CARDS - ON_BOARD - EACH * len(state.seats)
    held: BySeat[int | None] = BySeat.all(state.seats, EACH + 1)
    board = HighFiveTilesBoard(turns=0, supply=supply, held=held)
    return state._replace(board=board, to_move=dealt.lead, effect=Effect(hand=1))


def complete_row(state: HighFiveTilesState, row: RowCompleted) -> HighFiveTilesState:
    """[1] Scores the combination of a row of five with new tiles. Raises RuleError for a wrong
    number of new tiles, or for cards that can't all be in the game."""
    _refuse_turn(state, row.seat)
    allowed = new_tiles(state, row.seat)
    if row.laid is not None and row.laid not in allowed:
        raise RuleError(
            "The first turn of {seat} has {number} new tiles, not {laid}",
            seat=row.seat,
            number=listed(allowed, last=OR),
            laid=row.laid,
        )
    _refuse_cards(state, row.cards)
    points = int(state.options[POINTS[row.combination].name])
    scored = RowOfCards(row.seat, row.combination, points, row.cards)
    board = state.board._replace(rows=(*state.board.rows, scored), scored=scored)
    state = _count_turn(state._replace(board=board), row.seat)
    return _take_turn(
        state.scoring(row.seat, points, HighFiveTilesPaymentReason.ROW), row.seat, row.laid
    )


def new_tiles(state: HighFiveTilesState, seat: Seat) -> tuple[int, ...]:
    """[1] The possible numbers of new tiles in the next row of `seat`: 3 or 4 in its first turn,
    then 1 to 4."""
    if seat in state.board.begun:
        return 1, 2, 3, 4
    return (3,) if state.options[FIRST_TURN.name] == "3" else (3, 4)


def play_single_tile(state: HighFiveTilesState, tile: SingleTilePlayed) -> HighFiveTilesState:
    """[2] Plays one tile for no points, as no row was possible."""
    _refuse_turn(state, tile.seat)
    return _take_turn(_count_turn(state, tile.seat), tile.seat, 1)


def _refuse_turn(state: HighFiveTilesState, seat: Seat) -> None:
    """Raises RuleError unless `seat` may take a turn now: either it is to move, or all seats before
    it may be out of tiles."""
    board, held, mover = state.board, _tiles_held(state.board), state.to_move
    if held[seat] == 0:
        raise RuleError("{seat} has no tile left", seat=seat)
    while mover is not None and mover != seat:
        may_be_out = not board.supply and held[mover] is None
        if not may_be_out and held[mover] != 0:
            raise not_its_turn_error(state.to_move, seat, leads=not board.turns)
        mover = state.seats.left_of(mover)


def _refuse_cards(state: HighFiveTilesState, cards: tuple[Card, ...]) -> None:
    """Raises RuleError if a card is in the row twice, or if the row has more jokers than the game
    has."""
    for card in cards:
        if not card.is_joker and cards.count(card) > 1:
            raise RuleError("{card} is in this row twice: there is one of each card", card=card)
    if sum(card.is_joker for card in cards) > len(state.seats):
        raise RuleError(
            "There are {number} jokers in this game: one a seat", number=len(state.seats)
        )


def _count_turn(state: HighFiveTilesState, seat: Seat) -> HighFiveTilesState:
    """The state with one more turn."""
    turns = (state.board.turns or 0) + 1
    effect = state.effect._replace(turn=turns, seat=seat)
    return state._replace(board=state.board._replace(turns=turns), effect=effect)


def _take_turn(state: HighFiveTilesState, seat: Seat, new: int | None) -> HighFiveTilesState:
    """[1] The state after a seat played `new` tiles (None if not known) and drew two, if there are
    any left. [5] A seat without tiles is then out, and scores if it is the first."""
    board = state.board
    supply, held = board.supply, _tiles_held(board)[seat]
    drawn = min(DRAWN, supply) if supply is not None else None
    notices: tuple[Notice, ...] = ()
    if held is not None and new is not None and new > held:
        held, notices = None, (doubtful(seat),)
    unsaid = held is None or new is None or drawn is None
    left = None if unsaid else (held or 0) - (new or 0) + (drawn or 0)
    board = board._replace(
        begun=board.begun | {seat},
        held=_tiles_held(board).put(seat, left),
        supply=None if supply is None else supply - (drawn or 0),
        out_is_implied=False,
    )
    state = state._replace(board=board).with_notices(*notices)
    state = state._replace(to_move=_next_seat(state, seat))
    if left == 0 and board.out is None and None not in _tiles_held(board).values:
        state = state._replace(board=board._replace(out=seat, out_is_implied=True))
        state = state.scoring(seat, OUT_FIRST, HighFiveTilesPaymentReason.OUT)
    return _end_game(state) if _are_all_out(state) else state


def _next_seat(state: HighFiveTilesState, seat: Seat) -> Seat | None:
    """The next seat to the left that has tiles, or may have some; None if there is none."""
    held = _tiles_held(state.board)
    others = (state.seats.moved(seat, places) for places in range(1, len(state.seats) + 1))
    return next((other for other in others if held[other] != 0), None)


def _tiles_held(board: HighFiveTilesBoard) -> BySeat[int | None]:
    assert board.held is not None, "apply() lets only a deal through before"
    return board.held


def _are_all_out(state: HighFiveTilesState) -> bool:
    return all(tiles == 0 for tiles in _tiles_held(state.board).values)


# ---------------------------------------------------------------- [5] the end


def go_out(state: HighFiveTilesState, out: WentOut) -> HighFiveTilesState:
    """[5] Gives two points to the first seat that has played its last tile after the supply was
    used up. Raises RuleError if another seat was first, or if this one can't be out."""
    board, seat = state.board, out.seat
    if board.out is not None:
        if _is_confirmation(board, out):
            return state._replace(board=board._replace(out_is_implied=False))
        raise RuleError("{seat} went out first", seat=board.out)
    if board.supply:
        raise RuleError("{tiles} tiles are left to draw: nobody can be out yet", tiles=board.supply)
    if seat not in board.begun:
        raise RuleError("{seat} hasn't laid a tile yet", seat=seat)
    notices = (doubtful(seat),) if _tiles_held(board)[seat] else ()
    held = _tiles_held(board).put(seat, 0)
    state = state._replace(board=board._replace(out=seat, held=held))
    state = state.with_notices(*notices).scoring(seat, OUT_FIRST, HighFiveTilesPaymentReason.OUT)
    if state.to_move == seat:
        state = state._replace(to_move=_next_seat(state, seat))
    return _end_game(state) if _are_all_out(state) else state


def finish(state: HighFiveTilesState, _finished: AllTilesPlayed) -> HighFiveTilesState:
    """[5] Ends the game once all have played their tiles. Raises RuleError while there are tiles to
    draw."""
    board = state.board
    if state.finished:
        return state._replace(board=board._replace(over_is_implied=False))
    if board.supply:
        raise RuleError("{tiles} tiles are left to draw: the game goes on", tiles=board.supply)
    notices = (doubtful(seat) for seat, tiles in _tiles_held(board).items() if tiles)
    return _end_game(state.with_notices(*notices), is_implied=False)


def end(state: HighFiveTilesState, ended: GameEnded) -> HighFiveTilesState:
    """Ends the game unfinished; the scores stay."""
    return state._replace(ended=ended.reason, to_move=None)


def _is_confirmation(board: HighFiveTilesBoard, entry: Entry) -> bool:
    """Returns whether an entry only confirms what was already derived from the counted tiles."""
    if isinstance(entry, WentOut):
        return board.out_is_implied and entry.seat == board.out
    return board.over_is_implied and isinstance(entry, AllTilesPlayed)


def _end_game(state: HighFiveTilesState, *, is_implied: bool = True) -> HighFiveTilesState:
    """[5] The state at the end of the game: the highest total wins, and a tie is shared.
    `is_implied`: whether the end was derived from the counted tiles, not entered."""
    board = state.board._replace(over_is_implied=is_implied)
    return state._replace(board=board, winners=leaders(state.scores), to_move=None)
