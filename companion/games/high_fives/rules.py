"""High Fives by David Galt (Cardinal, 1996): captures from a tableau of double-fifteen tiles.

Numbers in brackets count the rules: [1] the deal, [2] who leads, [3] a turn, [4] the hands of a
game, [5] the points of tiles, [6] the winner. Each number is at the code of its rule, or beside the
name of the function or class that implements it. Players find the rules in
docs/manual/high-fives.md.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final, NamedTuple

from companion.core.errors import RuleError
from companion.core.seats import BySeat, Seat, Seats
from companion.core.values import dataclass
from companion.core.words import OR, counted, listed, phrase
from companion.games.entries import GameEnded, HandDealt
from companion.games.game import (
    Effect,
    Entry,
    FinalScores,
    Notice,
    NoticeKind,
    PaymentReason,
    Rule,
    State,
    not_whole,
    out_of_range,
    rule_for,
)
from companion.games.high_fives.entries import (
    SET,
    WORTH,
    PointsEntered,
    TableauPointsLeft,
    TableauShown,
    TilePutDown,
)
from companion.games.high_fives.tableau import (
    OPENING,
    KnownTiles,
    captures_of,
    points_of,
    total_points,
)
from companion.games.house_rules import Option, Options
from companion.games.round import not_its_turn_error, refuse_outside_a_hand
from companion.games.settlement import leaders
from companion.games.tiles import Tile

# ---------------------------------------------------------------- board


class HighFivesPaymentReason(PaymentReason):
    """Reasons for scores in High Fives."""

    CAPTURE = "capture"

    @property
    def is_for_play(self) -> bool:
        return True


class HighFivesNotice(NoticeKind):
    """The kinds of notice that High Fives gives."""

    POINTS_MISSING = "points-missing"
    """[5] `points` of the 100 are neither any player's nor left in the tableau; negative if the
    points add up to more than 100."""


class CapturedTiles(NamedTuple):
    """The tiles that the last turn captured, and their points; only points if no tiles were
    entered."""

    tiles: tuple[Tile, ...] = ()
    points: int = 0

    @property
    def scoring(self) -> tuple[tuple[Tile, int], ...]:
        """The tiles that have points, each with its points."""
        return tuple((tile, points_of(tile)) for tile in self.tiles if points_of(tile))


class HighFivesBoard(NamedTuple):
    """The state that only High Fives has."""

    hand: int = 0
    leader: Seat | None = None
    """[2] The leader of all hands, once known."""
    turns: int | None = 0
    """The number of turns taken in this hand by all seats; None if entries are lost."""
    to_show: int = 0
    """The number of tiles that were just turned face up, and that may be entered now."""
    table: KnownTiles = KnownTiles()
    taken: CapturedTiles | None = None
    left: int | None = None
    """The points left in the tableau at the end; None if not known."""
    doubtful: bool = False
    """Whether entries of this game are lost."""


HighFivesState = State[HighFivesBoard]


# ---------------------------------------------------------------- hand sizes
# How many tiles each player of High Fives gets, and how many hands the set lasts [1, 4].


FIRST_HAND: Final = {2: 5, 3: 5, 4: 5, 5: 4, 6: 4, 7: 4, 8: 4}
LATER_HANDS: Final = {2: 5, 3: 5, 4: 5, 5: 4, 6: 4, 7: 3, 8: 3}
"""[1] The number of tiles that each player gets in later hands, by the number of players, unless a
house rule sets another."""
SIZES: Final = range(3, 9)
"""The sizes to choose from; with each of them at least two hands can be dealt to eight players."""


def _hand_size_option(name: str, meaning: str, usual: Callable[[int], int], label: str) -> Option:
    return Option.number(name, meaning, usual, lambda _: SIZES).with_words(label)


DEAL: Final = _hand_size_option(
    "deal",
    phrase("Tiles for each player in the first hand"),
    lambda seats: FIRST_HAND[seats],
    phrase("First hand"),
)
LATER_DEAL: Final = _hand_size_option(
    "later-deal",
    phrase("Tiles for each player in every later hand"),
    lambda seats: LATER_HANDS[seats],
    phrase("Later hands"),
)


@dataclass(frozen=True, slots=True)
class HandSizes:
    """The number of tiles that each player gets in the first hand and in each later one, in a game
    with that many players."""

    players: int
    first: int
    later: int

    @classmethod
    def of(cls, players: int, options: Options) -> "HandSizes":
        """The sizes by the house rules `deal` and `later-deal`."""
        return cls(players, int(options[DEAL.name]), int(options[LATER_DEAL.name]))

    @classmethod
    def usual(cls, players: int) -> "HandSizes":
        """[1] The sizes in a game without a house rule for them."""
        return cls(players, FIRST_HAND[players], LATER_HANDS[players])

    def tiles_each(self, hand: int) -> int:
        """[1] The number of tiles that each player gets in a hand, by the hand's number from 1."""
        return self.first if hand == 1 else self.later

    def boneyard(self, hand: int) -> int:
        """[4] The number of tiles that are neither dealt nor face up once that hand is dealt."""
        return len(SET) - OPENING - self.players * (self.first + (hand - 1) * self.later)

    @property
    def hands(self) -> int:
        """[4] The number of hands in a game: as many as can be dealt to all players."""
        return 1 + self.boneyard(1) // (self.players * self.later)

    @property
    def left_over(self) -> int:
        """[4] The number of tiles that are added to the tableau when the last hand is dealt."""
        return self.boneyard(self.hands)


# ---------------------------------------------------------------- rules

MAX_TILES_NAMED = 3
"""The most tiles that an error message names."""
CAPTURE = Option.words(
    "capture", phrase("Must a tile capture if it can?"), "free", "compulsory"
).with_words(phrase("Capturing"), {"free": phrase("free"), "compulsory": phrase("compulsory")})


def sizes_of(state: HighFivesState) -> HandSizes:
    """[1] The hand sizes of this game."""
    return HandSizes.of(len(state.seats), state.options)


class HighFives:
    """The rules of High Fives."""

    name = "high-fives"
    title = phrase("High Fives")
    players = range(2, 9)
    clockwise = True
    options: tuple[Option, ...] = (DEAL, LATER_DEAL, CAPTURE)

    @cached_property
    def rules(self) -> Mapping[type[Entry], Rule[HighFivesBoard]]:
        """The rule for each kind of entry."""
        return {
            HandDealt: deal,  # [1, 2, 4]
            TableauShown: show_tableau,  # [1, 4]
            TilePutDown: put_down,  # [3]
            PointsEntered: enter_points,
            TableauPointsLeft: count_left,  # [5]
            GameEnded: end,
        }

    @property
    def entries(self) -> tuple[type[Entry], ...]:
        return tuple(self.rules)

    def start(self, seats: Seats, options: Options) -> HighFivesState:
        return State(seats, options, HighFivesBoard(), BySeat.all(seats, 0))

    def apply(self, state: HighFivesState, entry: Entry) -> HighFivesState:
        """The state after `entry`; raises RuleError."""
        rule = rule_for(self, self.rules, entry)
        ended_by_itself = bool(state.winners) and state.effect.turn is not None
        over = state.finished and not (ended_by_itself and isinstance(entry, TableauPointsLeft))
        refuse_outside_a_hand(entry, finished=over, dealt=bool(state.board.hand))
        return rule(state, entry)

    def to_win(self, _state: HighFivesState, _seat: Seat) -> int | None:
        """Returns None, as the game has no target: the player with the most points wins."""
        return None

    def chips(self, _state: HighFivesState) -> None:
        return None

    def doubt(self, scores: FinalScores, _options: Options, _time_left: bool, /) -> str | None:
        """[5] Returns why these can't be the final scores; None if they can. All tiles together
        have 100 points, and those left in the tableau belong to no player."""
        if doubt := not_whole(scores) or out_of_range(scores, 0, WORTH):
            return doubt
        total = int(sum(scores))
        if total > WORTH:
            return phrase("all tiles hold {worth} points, not {total}", worth=WORTH, total=total)
        return None

    def next_lead(self, state: HighFivesState) -> Seat | None:
        """[2] Between two hands, the seat that led the first hand; otherwise None."""
        board = state.board
        between = board.hand and board.hand < sizes_of(state).hands and turns_left(state) == 0
        return board.leader if between and not state.finished else None

    def after_loss(self, state: HighFivesState, seat: Seat | None) -> HighFivesState:
        """The state after entries were lost: neither the tableau nor the number of turns left in
        the hand is known. The next hand may be dealt at any time."""
        board = state.board
        if not board.hand or state.finished:
            return state
        board = board._replace(turns=None, to_show=0, table=board.table.lost(), doubtful=True)
        seat = seat or state.to_move or board.leader
        return state._replace(board=board, to_move=seat)

    def state_before(self, state: HighFivesState, entry: Entry) -> HighFivesState:
        """Returns a state in which `entry` may have been made, although earlier entries were lost:
        a hand is dealt, and the seat that the entry names is to move. A leader or tableau that the
        entry names is accepted."""
        if state.finished:
            return state
        if not state.board.hand and not isinstance(entry, HandDealt):
            state = deal(state, HandDealt())
        state = self.after_loss(state, entry.named_seat)
        match entry:
            case HandDealt() if entry.lead:
                return state._replace(board=state.board._replace(leader=entry.lead))
            case TableauShown():
                return state._replace(board=state.board._replace(to_show=len(entry.tiles)))
        return state


# ---------------------------------------------------------------- [1, 2, 4] hands


def deal(state: HighFivesState, dealt: HandDealt) -> HighFivesState:
    """[1, 4] Deals a new hand once all have played the tiles of the last one. [2] The leader of the
    first hand leads every hand. Raises RuleError if the hand isn't over, if it was the last one, or
    if another leader is named."""
    board, sizes = state.board, sizes_of(state)
    left = turns_left(state)
    if left:
        turns = counted("1 turn is", "{number} turns are", left)
        raise RuleError("This hand is not over yet: {turns} to come", turns=turns)
    if board.hand >= sizes.hands and not board.doubtful:
        raise RuleError("That was the last hand: enter what is left in the tableau")
    leader = board.leader or dealt.lead
    if dealt.lead not in (None, leader):
        raise RuleError("{leader} leads every hand, not {said}", leader=leader, said=dealt.lead)
    hand = board.hand + 1
    shown = OPENING if hand == 1 else sizes.left_over if hand == sizes.hands else 0
    board = board._replace(hand=hand, leader=leader, turns=0, to_show=shown, taken=None)
    return state._replace(board=board, to_move=leader, effect=Effect(hand=hand))


def show_tableau(state: HighFivesState, shown: TableauShown) -> HighFivesState:
    """[1] Adds the five tiles turned face up before the first hand or, [4] before the last hand,
    the left-over tiles. Raises RuleError at any other time, or for another number of tiles."""
    board = state.board
    if not board.to_show or board.turns:
        raise RuleError(
            "The tableau is entered right after the first hand is dealt, and after the last one"
        )
    if len(shown.tiles) != board.to_show:
        number = counted("1 tile", "{number} tiles", board.to_show)
        raise RuleError(
            "{number} are turned face up now, not {shown}", number=number, shown=len(shown.tiles)
        )
    board = board._replace(table=board.table.turned_up(shown.tiles), to_show=0, taken=None)
    return state._replace(board=board, effect=Effect(hand=board.hand))


def turns_left(state: HighFivesState) -> int | None:
    """The number of turns left in this hand, for all seats; None if entries are lost."""
    board, players = state.board, len(state.seats)
    if board.turns is None:
        return None
    return players * sizes_of(state).tiles_each(board.hand) - board.turns if board.hand else 0


def held(state: HighFivesState) -> dict[Seat, int]:
    """The number of tiles that each seat still holds; {} before the first hand, and if entries are
    lost."""
    board, players = state.board, len(state.seats)
    if board.turns is None or not board.hand:
        return {}
    each, leader = sizes_of(state).tiles_each(board.hand), board.leader or state.seats.order[0]
    rounds, more = divmod(board.turns, players)
    first = state.seats.order.index(leader)
    return {
        seat: each - rounds - ((number - first) % players < more)
        for number, seat in enumerate(state.seats)
    }


def boneyard(state: HighFivesState) -> int | None:
    """[1, 4] The number of tiles not dealt yet; None before the first hand, and if entries are
    lost."""
    board, sizes = state.board, sizes_of(state)
    if not board.hand or board.doubtful:
        return None
    return sizes.boneyard(board.hand) if board.hand < sizes.hands else 0


# ---------------------------------------------------------------- [3] a turn
# [3] What a turn may capture: tableau.KnownTiles.put.


def put_down(state: HighFivesState, put: TilePutDown) -> HighFivesState:
    """[3] Plays a tile, and captures the tiles that it takes."""
    board = _board_before_turn(state, put.seat)
    points, table = total_points(put.captured), board.table.put(put)
    if not put.takes and not put.insisted and (takes := tiles_to_capture(state, put.tile)):
        raise RuleError(
            "{tile} can take {takes}: capturing is compulsory here",
            tile=put.tile,
            takes=_some_in_words(takes),
        )
    board = board._replace(table=table, taken=CapturedTiles(put.captured, points))
    return _after_turn(state, board, put.seat, points)


def tiles_to_capture(state: HighFivesState, tile: Tile) -> tuple[Tile, ...]:
    """[3] The tiles of which `tile` must capture one, those with the most points first; empty if it
    can capture none, if capturing is optional, or if the tableau is not known."""
    return captures_of(state.board.table, tile) if state.options[CAPTURE.name] != "free" else ()


def _some_in_words(tiles: tuple[Tile, ...]) -> str:
    """Up to three of these tiles in words: “8-9, 7-7 or another”."""
    named: list[object] = [*tiles[:MAX_TILES_NAMED]]
    if len(tiles) > MAX_TILES_NAMED:
        named[-1] = phrase("another")
    return listed(named, last=OR)


def enter_points(state: HighFivesState, entry: PointsEntered) -> HighFivesState:
    """Enters a turn by its points alone. The tableau is not known from then on. Raises RuleError
    for more points than are left."""
    board, left = _board_before_turn(state, entry.seat), WORTH - sum(state.scores.values)
    if entry.points > left:
        raise RuleError(
            "Only {left} of {worth} points are left, not {points}",
            points=entry.points,
            left=max(left, 0),
            worth=WORTH,
        )
    board = board._replace(table=board.table.lost(), taken=CapturedTiles((), entry.points))
    return _after_turn(state, board, entry.seat, entry.points)


def _board_before_turn(state: HighFivesState, seat: Seat) -> HighFivesBoard:
    """The board before a turn of `seat`; raises RuleError if it is not the seat's turn."""
    board = state.board
    if turns_left(state) == 0:
        if board.hand == sizes_of(state).hands:
            raise RuleError("All tiles of this hand are laid: enter what is left in the tableau")
        raise RuleError("All tiles of this hand are laid: deal the next one")
    if state.to_move not in (None, seat):
        raise not_its_turn_error(state.to_move, seat, leads=not board.turns)
    if board.to_show:  # these tiles were not entered
        board = board._replace(table=board.table.lost(), to_show=0)
    return board


def _after_turn(
    state: HighFivesState, board: HighFivesBoard, seat: Seat, points: int
) -> HighFivesState:
    """The state after a turn that won `points`: [2] the next seat is to move, [4] unless all have
    played their tiles."""
    turns = None if board.turns is None else board.turns + 1
    board = board._replace(turns=turns, leader=board.leader or seat)
    turn = turns if turns is not None else (state.effect.turn or 0) + 1
    effect = Effect(hand=board.hand, turn=turn, seat=seat)
    state = state._replace(board=board, effect=effect).scoring(
        seat, points, HighFivesPaymentReason.CAPTURE
    )
    if turns_left(state) != 0:
        return state._replace(to_move=state.seats.left_of(seat))
    state = state._replace(to_move=None)
    last = board.hand == sizes_of(state).hands
    return _end_game(state, board.table.points) if last and board.table.known else state


# ---------------------------------------------------------------- [5, 6] the end
# [5] The points of a tile: tableau.points_of.


def count_left(state: HighFivesState, left: TableauPointsLeft) -> HighFivesState:
    """[5] Enters the points left in the tableau after the last turn, to complete or check the
    record; the game is over. Raises RuleError before the last turn, unless entries are lost."""
    board = state.board
    last = board.hand == sizes_of(state).hands and turns_left(state) == 0
    if not last and not board.doubtful:
        raise RuleError("What is left is entered after the last turn of the last hand")
    state = state._replace(effect=Effect(hand=board.hand))
    return _end_game(state, left.points if left.points is not None else board.left)


def end(state: HighFivesState, ended: GameEnded) -> HighFivesState:
    """Ends the game unfinished; the scores stay."""
    effect = Effect(hand=state.board.hand)
    return state._replace(ended=ended.reason, to_move=None, effect=effect)


def _end_game(state: HighFivesState, left: int | None) -> HighFivesState:
    """[6] The state at the end of the game: the most points win, and a tie is shared. [5] If
    points are missing (`left`: those counted in the tableau), a notice has their number."""
    missing = None if left is None else WORTH - sum(state.scores.values) - left
    notices = (Notice.of(HighFivesNotice.POINTS_MISSING, points=missing),) if missing else ()
    board = state.board._replace(left=left)
    over = state._replace(board=board, winners=leaders(state.scores), to_move=None)
    return over.with_notices(*notices)
