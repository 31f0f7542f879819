"""One hand of a line game: whose turn, what was laid, drawn and shown, and how it ended."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import NamedTuple

from companion.games.bogus.consistent_deals import Moment
from companion.games.bogus.evidence import Evidence
from companion.games.entries import Drew, Laid, Passed
from companion.games.game import (
    RULES,
    NoticeKind,
    Payment,
    State,
    VerdictKind,
    Why,
)
from companion.games.line.candidate_lines import NOTHING_LAID, CandidateLines
from companion.games.tiles import Tile
from companion.seats import BySeat, Seat, Seats


class LineWhy(Why):
    """What is paid for in a game with a line of play."""

    COUNT = "count"
    OUT = "out"
    BLOCKED = "blocked"


class LineNotice(NoticeKind):
    """What the entries of a hand make doubtful or known."""

    COUNT_DOUBTFUL = "count-doubtful"
    """`seat`: its counted tiles can't be right."""
    PASS_WITH_BONEYARD = "pass-with-boneyard"
    """`seat` passed while `boneyard` tiles were left."""
    BLOCK_KNOWN = "block-known"
    CONTRADICTION = "contradiction"
    """`text`: how."""


class Stage(Enum):
    """How far a hand has come."""

    LEAD = "lead"
    """Dealt, nothing laid yet."""
    PLAY = "play"
    OUT = "out"
    """Somebody has dominoed; holdings are still to be shown."""
    BLOCKED = "blocked"
    """Nobody can play; holdings are still to be shown."""
    OVER = "over"
    """Settled: paid, or closed by a ruling."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A lay, draw or pass; `before` is the open ends that the seat faced, None where not known;
    `earlier` the turn before it in the hand."""

    number: int
    did: Laid | Drew | Passed
    before: tuple[int, ...] | None
    earlier: "Turn | None" = field(default=None, compare=False, repr=False)
    returned: bool = False
    """The tile drawn last in it was drawn by mistake and went back."""
    back: Tile | None = None
    """That tile, where it was said."""
    moment: Moment | None = None
    """Of a draw or pass, when it was; None for a draw all of which went back, or where nothing can
    be proven."""
    noticed: bool = False
    """In the same go a tile drawn by mistake had gone back: the seat admitted a playable tile."""

    @property
    def seat(self) -> Seat:
        """Whose turn it was."""
        return self.did.seat


@dataclass(frozen=True, slots=True)
class Holding:
    """What a seat showed: pips, and the tiles if they were keyed as tiles."""

    pips: int
    tiles: tuple[Tile, ...] | None = None


class Grounds(StrEnum):
    """Why a verdict is what it is."""

    DEADLINE = "deadline"
    """Proven: one tile that came out later can't have come later."""
    DRAWS = "draws"
    """Proven: several came out later, and can't all have come later."""
    EXHAUSTED = "exhausted"
    """Proven: too few tiles that don't fit are left."""
    WHICHEVER = "whichever"
    """Proven, but by which tiles depends on how the hand went."""
    NOTICED = "noticed"
    """Proven: a tile had gone back in the same go."""
    RETURNED = "returned"
    """Excluded: the drawn tile went back."""
    ELSEWHERE = "elsewhere"
    """Excluded: all tiles that fit were elsewhere."""
    OPEN = "open"
    """Possible: the seat may have held one of the tiles."""
    FEWER = "fewer"
    """Possible: the seat showed fewer tiles than were counted."""
    DOUBTFUL = "doubtful"
    """Possible: tiles were miscounted, or the table insisted."""
    UNKNOWN = "unknown"
    """Possible: what fitted is not known."""
    CONTRADICTION = "contradiction"
    """Possible: no deal explains the entries."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the record says of a draw or pass, and why.

    `tiles`: by which it is proven, or whose showing would decide it. `grounds` are for the
    sentences that explain it (evidence_text.py).
    """

    kind: VerdictKind
    tiles: tuple[Tile, ...] = ()
    grounds: Grounds | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """An open claim of bogus play against `accused` for turn `turn` of the hand, and what the
    record says of it."""

    accused: Seat
    by: Seat
    turn: int
    verdict: Verdict
    shown: Holding | None = None
    overruled: bool = False
    """The table has ruled it bogus against the record; only the holding is still to be shown."""


class Hand(NamedTuple):
    """A hand as it stands (a named tuple: it is changed at every entry, and that must be quick).
    `held` and `boneyard` are counted tiles: they never refuse anything."""

    number: int
    lead: Seat | None
    """Who leads; None until the called double is laid."""
    big_6: bool
    """A double must be led."""
    each: int
    """Tiles dealt to each seat."""
    held: BySeat[int]
    boneyard: int
    leave: int
    """Tiles that stay in the boneyard."""
    shown: BySeat[Holding | None]
    to_move: Seat | None = None
    line: CandidateLines = NOTHING_LAID
    evidence: Evidence | None = None
    """What can be proven of bogus plays; None where the game has none, and once tiles were
    miscounted or the table has insisted: nothing can be proven then."""
    stage: Stage = Stage.LEAD
    last: Turn | None = None
    """The latest turn. Each has the one before it, so that a hand of any length grows by one."""
    passes: int = 0
    """Passes in succession."""
    out: Seat | None = None
    confirmed: bool = False
    """How it ended was entered; else it is only known by counted tiles, or by all having passed."""
    misdrew: frozenset[Seat] = frozenset()
    acted: frozenset[Seat] = frozenset()
    """Seats that have had a turn."""
    claim: Claim | None = None
    calls: frozenset[tuple[Seat, Seat]] = frozenset()
    """(caller, accused) of every claim of the hand."""
    bogus: Seat | None = None
    """Whose bogus play ended the hand."""
    winner: Seat | None = None
    """Who won the settled hand; None also where several held the fewest pips."""
    lead_next: str | None = None
    """Who leads after the settled hand: a seat, or BIG_6."""
    paid: tuple[Payment, ...] = ()
    """What the end of the hand paid; a bogus ruling replaces it."""
    rules: int = RULES
    """The version of the rules by which it is played, and its disputes are judged."""

    @property
    def spent(self) -> bool:
        """No tile of the boneyard may be drawn any more, as far as tiles were counted."""
        return self.boneyard <= self.leave

    @property
    def seats(self) -> Seats:
        """The seats of the game."""
        return self.held.seats

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
        """The draws and passes, first to last: what a seat can be called bogus for."""
        return tuple(turn for turn in self.turns if not isinstance(turn.did, Laid))

    def turn(self, number: int) -> Turn:
        """The turn of that number; raises IndexError if there is none."""
        for turn in self.newest_first:
            if turn.number == number:
                return turn
        raise IndexError(f"no turn {number}")

    def latest_draw_or_pass(self, seat: Seat) -> Turn | None:
        """The seat's latest draw or pass."""
        turns = (turn for turn in self.newest_first if turn.seat == seat)
        return next((turn for turn in turns if not isinstance(turn.did, Laid)), None)


@dataclass(frozen=True, slots=True)
class Board:
    """The board of a line game: the hand being played, and the one before it as long as a bogus
    play in that one can still be called."""

    hand: Hand | None = None
    before: Hand | None = None
    disputed: State["Board"] | None = None
    """With the claim open that the record closed with the last entry."""

    @property
    def open_to_calls(self) -> Hand | None:
        """The hand in which a bogus play can be called: the last one until the first tile of the
        next hand lies, then that next one (RULES: High Five 18)."""
        return self.before if self.before is not None else self.hand

    def put_hand(self, hand: Hand) -> "Board":
        """The board with the hand being played changed."""
        return Board(hand, self.before)

    def put(self, hand: Hand) -> "Board":
        """The board with a changed `open_to_calls` hand."""
        return Board(self.hand, hand) if self.before is not None else Board(hand)
