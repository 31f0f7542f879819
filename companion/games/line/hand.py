"""A hand of a line game: a round of play with the line that is laid in it and the turns taken."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, Self, TypeVar

from companion.core.seats import Seat
from companion.games.entries import Drew, Passed
from companion.games.entry import NoticeKind, Reason, Why
from companion.games.game import State
from companion.games.line.line import NOTHING_LAID, CandidateLines, Ends, Laid
from companion.games.round import Round
from companion.games.tiles import Tile

BIG_6 = "big-6"
"""Stands in place of the seat that leads: the highest double is called for and must be led."""


class LineWhy(Why):
    """What is paid for in a game with a line of play, besides the ends of hands."""

    COUNT = "count"


class LineNotice(NoticeKind):
    """The kinds of notice that the line of play gives."""

    BLOCK_KNOWN = "block-known"
    """No tile that is left fits."""
    CONTRADICTION = "contradiction"
    """`text`: how the entries contradict each other."""


@dataclass(frozen=True, slots=True)
class EndsCounted(Reason):
    """What a lay leaves: the open ends, their count, and the `parts` that add up to it, one for
    each end: (12, 3) for 6-6 and 3. What is not known is None, or () for the parts."""

    ends: Ends | None
    count: int | None
    parts: tuple[int, ...] = ()


class MomentOfPlay(NamedTuple):
    """A draw or pass as bogus play sees it: whose it was (the seat's number in turn order), how
    many tiles had been laid, and how many places (games/bogus/consistent_deals.py) the seat had
    before. What is proven of one draw or pass is proven of every other with the same values:
    nothing changed between them."""

    seat: int
    lays: int
    places: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A lay, draw or pass. `before` is the open ends that the seat faced, None if not known;
    `earlier` is the turn before this one in the hand."""

    number: int
    did: Laid | Drew | Passed
    before: tuple[int, ...] | None
    earlier: "Turn | None" = field(default=None, compare=False, repr=False)
    returned: bool = False
    """Whether the tile drawn last in this turn was drawn by mistake and went back."""
    back: Tile | None = None
    """The tile that went back, if it was said."""
    moment: MomentOfPlay | None = None
    """The moment of a draw or pass, if bogus plays are watched for. None for a draw of which every
    tile went back, and if nothing can be proven."""
    noticed: bool = False
    """Whether a tile drawn by mistake had gone back in the same go: the seat admitted a playable
    tile."""

    @property
    def seat(self) -> Seat:
        """Whose turn it was."""
        return self.did.seat


class Hand(NamedTuple):
    """A hand as it stands."""

    round: Round
    big_6: bool
    """Whether a double must be led."""
    line: CandidateLines = NOTHING_LAID
    last: Turn | None = None
    """The latest turn. Each turn has the one before it, so that a hand of any length grows by
    one."""
    counts_called: bool = False
    """Whether players call the counts: then no sentence gives one away, not even what a lay would
    count."""

    @property
    def newest_first(self) -> Iterator[Turn]:
        """The turns, the latest one first."""
        turn = self.last
        while turn is not None:
            yield turn
            turn = turn.earlier

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns, first to last."""
        return tuple(self.newest_first)[::-1]

    @property
    def draws_and_passes(self) -> tuple[Turn, ...]:
        """The turns that a seat can be called bogus for, first to last."""
        return tuple(turn for turn in self.turns if not isinstance(turn.did, Laid))

    def turn(self, number: int) -> Turn:
        """The turn of that number; raises IndexError if there is none."""
        for turn in self.newest_first:
            if turn.number == number:
                return turn
        raise IndexError(f"no turn {number}")

    def go_of(self, turn: Turn) -> int:
        """Which go of its seat a turn belongs to, from 1: draws and the lay or pass after them are
        one go."""
        goes, last = 0, None
        for each in self.turns[: turn.number]:
            if each.seat == turn.seat and last != turn.seat:
                goes += 1
            last = each.seat
        return goes

    def latest_draw_or_pass(self, seat: Seat) -> Turn | None:
        """The seat's latest draw or pass; None if it has none."""
        turns = (turn for turn in self.newest_first if turn.seat == seat)
        return next((turn for turn in turns if not isinstance(turn.did, Laid)), None)


class LineBoard(Protocol):
    """What the board of every game with a line of play has."""

    @property
    def hand(self) -> Hand | None:
        """The hand being played, or the one that was settled last."""
        ...

    @property
    def next_lead(self) -> str | None:
        """Who leads the next hand: a seat, or BIG_6. None while a hand is played, and if the lot
        decides."""
        ...

    def with_hand(self, hand: Hand) -> Self:
        """The board with that hand in play, cleared of what the last entry meant."""
        ...

    def with_next_lead(self, lead: str | None) -> Self:
        """The board with another lead of the next hand."""
        ...

    def after_loss(self, hand: Hand) -> Self:
        """The board with that hand being played, of which entries are lost: nothing is proven from
        what is missing."""
        ...


B = TypeVar("B", bound=LineBoard)


def hand_of(state: State[B]) -> Hand:
    """The hand being played, or the one that was settled last. A hand must have been dealt."""
    hand = state.board.hand
    assert hand is not None, "only a deal is let through before the first hand"
    return hand


class HandBoard(NamedTuple):
    """The board of a game that needs nothing more than the hand and who leads the next one."""

    hand: Hand | None = None
    next_lead: str | None = BIG_6

    def with_hand(self, hand: Hand) -> "HandBoard":
        return self._replace(hand=hand)

    def with_next_lead(self, lead: str | None) -> "HandBoard":
        return self._replace(next_lead=lead)

    def after_loss(self, hand: Hand) -> "HandBoard":
        return self._replace(hand=hand)
