"""What the host knows of its keypads, over all ports and for as long as it runs."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from companion.core.keys import PressId
from companion.link.fields import Shown
from companion.link.messages import KeypadHello, LightIs, Message, Pong, SeatIs

ROUND_TRIPS = 64
"""How many of the last round-trip times are kept."""
MOST_WAITING = 32
"""Presses of a keypad that may wait for the loop: as many as a keypad's queue has places."""
MOST_KEYPADS = 64
"""How many keypads are remembered, besides those that are here."""
MOST_STARTS = 4
"""The number of starts of a keypad of which it is remembered how far they came."""
NO_SEAT = SeatIs(0, bytes(3))
DARK = LightIs(Shown.OFF)


@dataclass(slots=True)
class Numbers:
    """How far the presses of one start of one keypad have come. All up to `received` have gone to
    the loop, and all up to `taken` it has dealt with."""

    received: int
    taken: int


@dataclass(slots=True)
class Figures:
    """What has been counted of a keypad since the host's start. `resent` and `bad_there` are the
    keypad's own counts since its start."""

    presses: int = 0
    lost: int = 0
    repeated: int = 0
    """Presses that came again."""
    bad: int = 0
    """Frames that could not be read here."""
    bad_there: int = 0
    resent: int = 0
    free: int = 0
    """Bytes of the keypad's heap."""
    round_trips: deque[float] = field(default_factory=lambda: deque(maxlen=ROUND_TRIPS))
    """Seconds, the newest last."""

    def count(self, pong: Pong) -> None:
        """Takes over the keypad's own figures."""
        self.bad_there, self.resent, self.free = pong.bad, pong.resent, pong.free


class Cable(Protocol):
    """How a keypad that is here is reached."""

    displaced: bool
    """The keypad has come again on another port."""

    def send(self, *messages: Message) -> None:
        """Sends these, once the keypad listens."""
        ...

    def acknowledge(self, boot: int) -> None:
        """Tells it how far the loop has come with the presses of that start."""
        ...

    def is_here(self, now: float) -> bool:
        """Whether it was heard lately."""
        ...


@dataclass(slots=True)
class Keypad:
    """One keypad, by its serial number: what it said of itself, what it is to show, its figures."""

    serial: str
    hello: KeypadHello
    link: Cable | None = None
    announced: bool = False
    """Whether people know that the keypad is here, and have not heard yet that it is gone."""
    waiting: int = 0
    """Presses and overflows that have gone to the loop and are not settled yet."""
    seat: SeatIs = NO_SEAT
    light: LightIs = DARK
    figures: Figures = field(default_factory=Figures)

    def dress(self, seat: SeatIs, light: LightIs) -> None:
        """What it is to show from now on; sent if it is another than before."""
        changed: list[Message] = [seat] if seat != self.seat else []
        changed += [light] if light != self.light else []
        self.seat, self.light = seat, light
        if self.link:
            self.link.send(*changed)


class KeypadRegistry:
    """All keypads of one run of the host. `session` is random at each start; `committed` gives the
    highest number of a keypad's start that made a row of the record (0: none)."""

    def __init__(self, session: bytes, committed: Callable[[str, int], int]) -> None:
        self.session = session
        self._committed = committed
        self.keypads: dict[str, Keypad] = {}
        self._numbers: dict[tuple[str, int], Numbers] = {}

    def numbers(self, keypad: str, boot: int) -> Numbers:
        """How far that start of the keypad has come; for one that is new, what the record says."""
        found = self._numbers.get((keypad, boot))
        if found is None:
            highest = self._committed(keypad, boot)
            found = self._numbers[keypad, boot] = Numbers(highest, highest)
            starts = [one for one in self._numbers if one[0] == keypad]
            for oldest in starts[:-MOST_STARTS]:
                del self._numbers[oldest]
        return found

    def knows(self, keypad: str, boot: int) -> bool:
        """Whether that start of the keypad has been here before."""
        return (keypad, boot) in self._numbers

    def met(self, serial: str, hello: KeypadHello) -> Keypad:
        """The keypad with that serial number, which says this hello."""
        keypad = self.keypads.setdefault(serial, Keypad(serial, hello))
        keypad.hello = hello
        gone = [one.serial for one in self.keypads.values() if one.link is None and one != keypad]
        for oldest in gone[:-MOST_KEYPADS]:
            del self.keypads[oldest]
            for start in [one for one in self._numbers if one[0] == oldest]:
                del self._numbers[start]
        return keypad

    def settle(self, source: PressId) -> None:
        """The loop has dealt with this press, and what it completed is on the disk."""
        if numbers := self._numbers.get((source.keypad, source.boot)):
            numbers.taken = max(numbers.taken, source.sequence)
        if keypad := self.keypads.get(source.keypad):
            keypad.waiting = max(keypad.waiting - 1, 0)
            if keypad.link:
                keypad.link.acknowledge(source.boot)
