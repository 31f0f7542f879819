"""The host's state of its keypads, on all ports and for as long as it runs."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from companion.core.keys import PressId
from companion.devices.link.messages import KeypadHello, LightIs, Message, Pong, SeatIs, Shown

ROUND_TRIPS = 64
"""How many of the newest round-trip times are kept."""
MOST_WAITING = 32
"""How many presses of a keypad may wait for the loop: as many as a keypad's queue has places."""
MOST_KEYPADS = 64
"""How many keypads that are gone are remembered."""
MOST_STARTS = 4
"""For how many starts of a keypad the numbers of its presses are remembered."""
NO_SEAT = SeatIs(0, bytes(3))
DARK = LightIs(Shown.OFF)


@dataclass(slots=True)
class Numbers:
    """How far the presses of one start of one keypad have come. All presses up to the number
    `received` have gone to the loop; the loop has dealt with all up to the number `taken`."""

    received: int
    taken: int


@dataclass(slots=True)
class Figures:
    """The figures of a keypad since the host's start. `presses` and `lost` are presses; `resent`
    and `bad_there` are the keypad's own counts since its start."""

    presses: int = 0
    lost: int = 0
    repeated: int = 0
    """Presses that came again and were dropped."""
    bad: int = 0
    """Frames that could not be read here."""
    bad_there: int = 0
    resent: int = 0
    free: int = 0
    """Free bytes of the keypad's heap."""
    round_trips: deque[float] = field(default_factory=lambda: deque(maxlen=ROUND_TRIPS))
    """Seconds, the newest last."""

    def count(self, pong: Pong) -> None:
        """Takes over the keypad's own figures."""
        self.bad_there, self.resent, self.free = pong.bad, pong.resent, pong.free


class KeypadLink(Protocol):
    """The link to a keypad that is here."""

    displaced: bool
    """Whether the keypad has since come on another port."""

    def send(self, *messages: Message) -> None:
        """Sends these messages if the link is open; drops them if not."""
        ...

    def acknowledge(self, boot: int) -> None:
        """Tells the keypad the number of the last press since its start `boot` that the loop has
        dealt with."""
        ...

    def is_here(self, now: float) -> bool:
        """Whether the keypad was heard lately."""
        ...


@dataclass(slots=True)
class Keypad:
    """One keypad, by its serial number: its own description (`hello`), the seat and the light
    that it shows, and its figures."""

    serial: str
    hello: KeypadHello
    link: KeypadLink | None = None
    announced: bool = False
    """Whether the keypad was announced, and not yet reported as gone."""
    waiting: int = 0
    """Presses and overflows that have gone to the loop and are not settled yet."""
    seat: SeatIs = NO_SEAT
    light: LightIs = DARK
    figures: Figures = field(default_factory=Figures)

    def set_display(self, seat: SeatIs, light: LightIs) -> None:
        """Sets what the keypad shows; sends only what has changed."""
        changed: list[Message] = [seat] if seat != self.seat else []
        changed += [light] if light != self.light else []
        self.seat, self.light = seat, light
        if self.link:
            self.link.send(*changed)


class KeypadRegistry:
    """All keypads of one run of the host. `session` is random at each start of the host;
    `committed` returns the highest number of a press that made a row of the record, among those of
    a keypad's start (0: none)."""

    def __init__(self, session: bytes, committed: Callable[[str, int], int]) -> None:
        self.session = session
        self._committed = committed
        self.keypads: dict[str, Keypad] = {}
        self._numbers: dict[tuple[str, int], Numbers] = {}

    def numbers(self, keypad: str, boot: int) -> Numbers:
        """How far the presses of `keypad` since its start `boot` have come; if that start is not
        known yet, as far as the record has them."""
        found = self._numbers.get((keypad, boot))
        if found is None:
            highest = self._committed(keypad, boot)
            found = self._numbers[keypad, boot] = Numbers(highest, highest)
            starts = [one for one in self._numbers if one[0] == keypad]
            for oldest in starts[:-MOST_STARTS]:
                del self._numbers[oldest]
        return found

    def has_start(self, keypad: str, boot: int) -> bool:
        """Whether numbers of the keypad's start `boot` are remembered."""
        return (keypad, boot) in self._numbers

    def register(self, serial: str, hello: KeypadHello) -> Keypad:
        """The keypad with that serial number, new or known, which now says `hello`. The oldest
        keypads that are gone are forgotten if there are too many."""
        keypad = self.keypads.setdefault(serial, Keypad(serial, hello))
        keypad.hello = hello
        gone = [one.serial for one in self.keypads.values() if one.link is None and one != keypad]
        for oldest in gone[:-MOST_KEYPADS]:
            del self.keypads[oldest]
            for start in [one for one in self._numbers if one[0] == oldest]:
                del self._numbers[start]
        return keypad

    def settle(self, source: PressId) -> None:
        """Notes that the loop has dealt with this press, and that the entry which it completed, if
        any, is on the disk. Acknowledges it to the keypad."""
        if numbers := self._numbers.get((source.keypad, source.boot)):
            numbers.taken = max(numbers.taken, source.sequence)
        if keypad := self.keypads.get(source.keypad):
            keypad.waiting = max(keypad.waiting - 1, 0)
            if keypad.link:
                keypad.link.acknowledge(source.boot)
