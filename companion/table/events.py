"""The queue before the loop: who may put events there, and who goes first, the box's own keys, then
everybody else in turn.

A sender that floods the loop delays the box's own keys by no more than the press that is being
dealt with, and each event of another sender by no more than one press.
"""

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
    JudgeRuling,
    NoSeats,
    RoundClock,
)
from companion.core.keys import Press
from companion.core.values import dataclass
from companion.devices.gpio.debounce import Edge
from companion.devices.link.events import News
from companion.record.copies.stick import Offer
from companion.table.proposals import ChipsMoved, Request, SeatTaken


class Command(Enum):
    """What the program itself may put on the queue."""

    STOP = "stop"
    MEND = "mend"
    """The record was found to be damaged."""


@dataclass(frozen=True, slots=True)
class BackgroundNotice:
    """A line for the people at the table, from work in the background or another program."""

    line: str


FromClub = Club | GivenSeats | NoSeats | RoundClock | JudgeRuling | BackgroundNotice | Offer
"""What the club's thread puts on the queue."""
Event = Edge | Press | News | Command | Request | Phones | BoxCheck | FromClub | ClubRequest


@dataclass(frozen=True, slots=True)
class Pulse:
    """How a watchdog learns that the loop lives: `beat` is called every `every_s` seconds."""

    every_s: float
    beat: Callable[[], None]


def sender_of(event: Event) -> str | None:
    """The keypad or phone that sent the event; None: the box itself."""
    if isinstance(event, Request):
        what = event.what
        return what.surface if isinstance(what, ChipsMoved | SeatTaken) else what.identity.surface
    if isinstance(event, News):
        return event.keypad
    return event.source.keypad if isinstance(event, Press) and event.source else None


# ---------------------------------------------------------------- the queue


E = TypeVar("E")


class Inbox(Generic[E]):
    """A queue to which any thread may `put` events; one thread takes them out. `sender` gives the
    sender of an event (None: the box itself). Nothing is thrown away here: each sender is limited
    where it sends."""

    def __init__(self, sender: Callable[[E], str | None]) -> None:
        self._sender = sender
        self._arrived: SimpleQueue[E] = SimpleQueue()
        self._own: deque[E] = deque()
        self._others: dict[str, deque[E]] = {}
        """The waiting events by their sender; the next one is taken from the first sender."""

    def put(self, event: E) -> None:
        """Adds an event, from any thread."""
        self._arrived.put(event)

    def wait(self, patience_s: float | None) -> None:
        """Waits until an event is there, at most `patience_s` (None: for ever); not at all if an
        event that was taken in still has to be dealt with."""
        if not self.is_behind:
            with suppress(Empty):
                self._sort(self._arrived.get(patience_s is None or patience_s > 0, patience_s))

    def take_own(self) -> list[E]:
        """Takes out the box's own events that have arrived up to now, in order."""
        for _ in range(self._arrived.qsize()):
            self._sort(self._arrived.get_nowait())
        found = list(self._own)
        self._own.clear()
        return found

    def take_other(self) -> E | None:
        """Takes out the next event of the others, whose sender then goes to the end of the line.
        None: nothing waits, or something has just arrived, which may be the box's own."""
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
        """Whether an event that was taken in still has to be dealt with."""
        return bool(self._own or self._others)

    def _sort(self, event: E) -> None:
        sender = self._sender(event)
        waiting = self._own if sender is None else self._others.setdefault(sender, deque())
        waiting.append(event)
