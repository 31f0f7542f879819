"""Whom the loop tells."""

from collections.abc import Callable

from companion.console.show import Show
from companion.console.sounds import Level, Sound
from companion.core.keys import PressId
from companion.core.phones import PageWish
from companion.core.values import dataclass
from companion.devices.display.screen_saver import Look
from companion.table.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Surfaces:
    """What takes in what the loop (loop.py) has to tell; none of these may block."""

    show: Callable[[Show], None] = lambda _: None
    """Gets every new picture."""
    look: Callable[[Look], None] = lambda _: None
    """Gets how pictures are to look, to spare the display."""
    play: Callable[[Sound, Level], None] = lambda _, __: None
    """What a press sounds like, for whoever has a buzzer."""
    settle: Callable[[PressId, bool], None] = lambda _, __: None
    """Called with each press that has an identity and with whether it was refused, once what it
    completed is on the disk."""
    tell: Callable[[Snapshot], None] = lambda _: None
    """Gets a snapshot for readers in other threads, at the start and for every row, once the
    display has its picture."""
    wish: Callable[[PageWish], None] = lambda _: None
    """Takes what is wanted of the page, which answers by `Phones` on the queue."""
