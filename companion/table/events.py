"""The input of the table's loop (loop.py): events, the queue that they wait in, and proposals from
other surfaces with their answers.
"""

import re
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from companion.core.box_page import BoxCheck, Phones
from companion.core.club import (
    Club,
    ClubRequest,
    GivenSeats,
    HallCalls,
    JudgeRuling,
    NoSeats,
    RoundClock,
)
from companion.core.json_text import EXACT
from companion.core.keys import Press
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.devices.gpio.debounce import Edge
from companion.devices.link.events import News
from companion.record.copies.restore import Offer
from companion.record.requests import (
    RequestContext,
    RequestKind,
    RowRequest,
    row_for,
)
from companion.record.rows import KeptRow, Row

# ---------------------------------------------------------------- proposals


SURFACE = re.compile("[a-z][a-z0-9.-]{0,39}")
"""The pattern of a surface's name."""
MAX_ROWS_BETWEEN = 9
"""The most rows that GameMovedOn lists."""


@dataclass(frozen=True, slots=True)
class ProposalId:
    """The identity of a proposal, never used twice: its `surface`, the `run` of the table for which
    it was made, and its `number`. Each surface numbers its own proposals upward from 1."""

    surface: str
    run: int
    number: int

    def __post_init__(self) -> None:
        """Raises ValueError if a part is invalid."""
        _check_surface(self.surface)
        if not (0 <= self.run < EXACT and 0 < self.number < EXACT):
            raise ValueError("a run or a number that can't be")

    def __str__(self) -> str:
        return f"{self.surface}/{self.run}/{self.number}"


def _check_surface(surface: str) -> None:
    if not SURFACE.fullmatch(surface):
        raise ValueError("a surface is named by small letters, digits, dots and dashes")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal to add entries to a game as one step, or another request of that `kind`
    (record/requests.py). `game`: the game on the table when the proposal was made, 0 for none;
    `tip`: the hash of its last row then; `seat`: the surface's seat (None for no particular one);
    `again`: whether the player has confirmed that it is not a duplicate; `agreed_by`: the seats
    that agreed to a ruling, None if no agreement was needed."""

    identity: ProposalId
    seat: Seat | None
    game: int
    tip: bytes
    text: str
    kind: RequestKind = RequestKind.ENTER
    at: int = 0
    again: bool = False
    later_turns: int = 0
    agreed_by: tuple[Seat, ...] | None = None

    @property
    def row_request(self) -> RowRequest:
        """The proposal as a request to the record."""
        return RowRequest(self.kind, self.text, self.at, self.later_turns)

    def row(self, context: RequestContext) -> Row:
        """The row to keep for the proposal; raises EntryError."""
        return row_for(self.row_request, context)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question about the outcome of a proposal. If the proposal hasn't counted before the
    inquiry, it never will. An inquiry that `only_looks` has no such effect: it comes from a page
    that doesn't act for the proposal's surface."""

    identity: ProposalId
    only_looks: bool = False


@dataclass(frozen=True, slots=True)
class ChipsMoved:
    """A surface's report that the chips which were due since row `row` of the record have been
    moved. It gets no answer, as all surfaces show it."""

    surface: str
    row: int

    def __post_init__(self) -> None:
        """Raises ValueError if the surface's name is invalid."""
        _check_surface(self.surface)


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A phone has taken another phone's seat, or taken a seat while a call was open. It gets no
    answer: the box, the pages and the TV show it."""

    seat: Seat
    surface: str = "phones"


# ---------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True)
class ProposalCounted:
    """The proposal was accepted: it is row `row` of the record."""

    row: int


@dataclass(frozen=True, slots=True)
class GameMovedOn:
    """The proposal did not count because the game has moved on. `between`: the rows since then,
    oldest first; at most the newest MAX_ROWS_BETWEEN."""

    between: tuple[KeptRow, ...]


@dataclass(frozen=True, slots=True)
class PossibleDuplicate:
    """The proposal did not count because another surface has just made the same entry, `kept`. The
    surface can repeat the proposal with `again`."""

    kept: KeptRow


@dataclass(frozen=True, slots=True)
class ProposalRefused:
    """The proposal did not count: the rules or the disk refuse it. `why`: the reason."""

    why: str


@dataclass(frozen=True, slots=True)
class ProposalVoid:
    """The proposal did not count and never will, for example because an inquiry about it came
    first."""


@dataclass(frozen=True, slots=True)
class OutcomeUnknown:
    """The record can't be read now, so it isn't known whether the proposal counted. The surface can
    inquire again; the proposal itself won't be tried again."""

    why: str


@dataclass(frozen=True, slots=True)
class ProposalPending:
    """The proposal has not counted so far, but still may."""


Answer = (
    ProposalCounted
    | GameMovedOn
    | PossibleDuplicate
    | ProposalRefused
    | ProposalVoid
    | ProposalPending
    | OutcomeUnknown
)


@dataclass(frozen=True, slots=True)
class ProposalAnswer:
    """An answer, with the identity of its proposal."""

    identity: ProposalId
    answer: Answer


@dataclass(frozen=True, slots=True)
class Request:
    """A message from a surface on the loop's queue. `answer` is called once, in the loop: it must
    not block, and passes the answer to the surface's own thread."""

    content: Proposal | Inquiry | ChipsMoved | SeatTaken
    answer: Callable[[ProposalAnswer], None]


# ---------------------------------------------------------------- events


class Command(Enum):
    """A command from the program itself on the queue."""

    STOP = "stop"
    REPAIR = "mend"
    """The record was found to be damaged."""


@dataclass(frozen=True, slots=True)
class BackgroundNotice:
    """A line for the people at the table, from background work or another program."""

    line: str


FromClub = (
    Club | GivenSeats | NoSeats | RoundClock | HallCalls | JudgeRuling | BackgroundNotice | Offer
)
"""The messages that the club's thread puts on the queue."""
Event = Edge | Press | News | Command | Request | Phones | BoxCheck | FromClub | ClubRequest


@dataclass(frozen=True, slots=True)
class Watchdog:
    """A watchdog that needs a call of `feed` every `every_s` seconds."""

    every_s: float
    feed: Callable[[], None]


def sender_of(event: Event) -> str | None:
    """The keypad or phone that sent the event; None for the box itself."""
    if isinstance(event, Request):
        content = event.content
        return (
            content.surface
            if isinstance(content, ChipsMoved | SeatTaken)
            else content.identity.surface
        )
    if isinstance(event, News):
        return event.keypad
    return event.source.keypad if isinstance(event, Press) and event.source else None


# ---------------------------------------------------------------- the queue


E = TypeVar("E")


class Inbox(Generic[E]):
    """A queue for one reader, to which any thread may `put` events. `sender` returns an event's
    sender (None for the box itself). The queue has no limit, because each sender is limited at its
    source."""

    def __init__(self, sender: Callable[[E], str | None]) -> None:
        self._sender = sender
        self._arrived: SimpleQueue[E] = SimpleQueue()
        self._own: deque[E] = deque()
        self._others: dict[str, deque[E]] = {}
        """The waiting events by sender; the first sender is served next."""

    def put(self, event: E) -> None:
        """Adds an event. Any thread may call it."""
        self._arrived.put(event)

    def wait(self, patience_s: float | None) -> None:
        """Waits at most `patience_s` seconds for an event (None for no limit). Returns at once if
        an event that arrived earlier hasn't been taken yet."""
        if not self.is_behind:
            with suppress(Empty):
                self._sort(self._arrived.get(patience_s is None or patience_s > 0, patience_s))

    def take_own(self) -> list[E]:
        """Removes and returns the box's own events that have arrived so far, in order."""
        for _ in range(self._arrived.qsize()):
            self._sort(self._arrived.get_nowait())
        found = list(self._own)
        self._own.clear()
        return found

    def take_other(self) -> E | None:
        """Removes and returns the next event of another sender, and moves that sender to the end of
        the line. Returns None if there is no such event, or if an event has just arrived and isn't
        sorted yet, because it may be one of the box's own."""
        if not (self._others and self._arrived.empty()):
            return None
        sender, waiting = next(iter(self._others.items()))
        del self._others[sender]
        event = waiting.popleft()
        if waiting:
            self._others[sender] = waiting
        return event

    @property
    def is_behind(self) -> bool:
        """Whether an event that arrived earlier hasn't been taken yet."""
        return bool(self._own or self._others)

    def _sort(self, event: E) -> None:
        sender = self._sender(event)
        waiting = self._own if sender is None else self._others.setdefault(sender, deque())
        waiting.append(event)
