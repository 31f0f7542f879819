"""What may be put on the loop's queue, and by whom."""

from collections.abc import Callable
from enum import Enum

from companion.core.keys import Press
from companion.core.phones import Phones
from companion.core.values import dataclass
from companion.devices.gpio.debounce import Edge
from companion.link.events import News
from companion.record.copies.stick import Offer
from companion.table.proposals import Request


class Command(Enum):
    """What the program itself may put on the queue."""

    STOP = "stop"
    MEND = "mend"
    """The record was found to be damaged."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A line for the people, from who works beside the loop."""

    line: str


Event = Edge | Press | News | Command | Remark | Request | Phones | Offer


@dataclass(frozen=True, slots=True)
class Pulse:
    """How whoever watches over the loop learns that it lives: `beat`, every so many seconds."""

    every_s: float
    beat: Callable[[], None]


def sender_of(event: Event) -> str | None:
    """Whose keypad or phone sent it; None: it is the box's own."""
    if isinstance(event, Request):
        return event.what.identity.surface
    if isinstance(event, News):
        return event.keypad
    return event.source.keypad if isinstance(event, Press) and event.source else None
