"""The host's data about its keypads, on all ports, for as long as it runs."""

from collections import deque
from collections.abc import Callable
from dataclasses import field
from typing import Protocol

from companion.core.keys import PressId
from companion.core.values import dataclass
from companion.devices.link.messages import (
    KeypadHello,
    LightState,
    Message,
    Pong,
    SetLight,
    SetSeat,
)

ROUND_TRIPS = 64
"""How many of the latest round-trip times are kept."""
MAX_WAITING = 32
"""How many of a keypad's presses may wait for the loop: as many as its queue can hold."""
MAX_KEYPADS = 64
"""How many keypads that are gone are remembered."""
MAX_STARTS = 4
"""For how many starts of a keypad the numbers of its presses are remembered."""
NO_SEAT = SetSeat(0, bytes(3))
LIGHT_OFF = SetLight(LightState.OFF)


@dataclass(slots=True)
class PressNumbers:
    """The progress of a keypad's presses since one of its starts. Presses with numbers up to
    `received` have been passed to the loop; those up to `taken` have been processed."""

    received: int
    taken: int


@dataclass(slots=True)
class KeypadFigures:
    """A keypad's figures since the host's start. `presses` and `lost` count presses; `resent` and
    `bad_there` are counted by the keypad since its own start."""

    presses: int = 0
    lost: int = 0
    repeated: int = 0
    """Presses that were received again and dropped."""
    bad: int = 0
    """Frames that the host could not read."""
    bad_there: int = 0
    resent: int = 0
    free: int = 0
    """Free bytes in the keypad's heap."""
    round_trips: deque[float] = field(default_factory=lambda: deque(maxlen=ROUND_TRIPS))
    """Round-trip times in seconds, the newest last."""

    def count(self, pong: Pong) -> None:
        """Copies the figures that the keypad itself has counted."""
        self.bad_there, self.resent, self.free = pong.bad, pong.resent, pong.free


class KeypadLink(Protocol):
    """The link to a connected keypad."""

    displaced: bool
    """Whether the keypad has since been connected to another port."""

    def send(self, *messages: Message) -> None:
        """Sends these messages if the link is open; drops them if not."""
        ...

    def acknowledge(self, boot: int) -> None:
        """Sends the keypad the number of the last press since its start `boot` that the loop has
        processed."""
        ...

    def is_here(self, now: float) -> bool:
        """Returns whether the keypad was heard recently."""
        ...


@dataclass(slots=True)
class Keypad:
    """A keypad, identified by its serial number: its own description (`hello`), the seat and the
    light that it shows, and its figures."""

    serial: str
    hello: KeypadHello
    link: KeypadLink | None = None
    announced: bool = False
    """Whether the keypad was announced, and not yet reported as gone."""
    waiting: int = 0
    """Presses and overflows that were sent to the loop and are not settled yet."""
    seat: SetSeat = NO_SEAT
    light: SetLight = LIGHT_OFF
    figures: KeypadFigures = field(default_factory=KeypadFigures)

    def set_display(self, seat: SetSeat, light: SetLight) -> None:
        """Sets what the keypad shows; sends it only the changes."""
        changed: list[Message] = [seat] if seat != self.seat else []
        changed += [light] if light != self.light else []
        self.seat, self.light = seat, light
        if self.link:
            self.link.send(*changed)


class KeypadRegistry:
    """All keypads of one run of the host. `session` is random at each start of the host.
    `last_kept_press` returns, for one start of a keypad, the number of the last press that
    completed a row of the record; 0 if there is none."""

    def __init__(self, session: bytes, last_kept_press: Callable[[str, int], int]) -> None:
        self.session = session
        self._last_kept_press = last_kept_press
        self.keypads: dict[str, Keypad] = {}
        self._numbers: dict[tuple[str, int], PressNumbers] = {}

    def numbers(self, keypad: str, boot: int) -> PressNumbers:
        """Returns the progress of the presses of `keypad` since its start `boot`; if that start is
        unknown, the progress found in the record."""
        found = self._numbers.get((keypad, boot))
        if found is None:
            highest = self._last_kept_press(keypad, boot)
            found = self._numbers[keypad, boot] = PressNumbers(highest, highest)
            starts = [one for one in self._numbers if one[0] == keypad]
            for oldest in starts[:-MAX_STARTS]:
                del self._numbers[oldest]
        return found

    def has_start(self, keypad: str, boot: int) -> bool:
        """Returns whether the keypad's start `boot` is remembered."""
        return (keypad, boot) in self._numbers

    def register(self, serial: str, hello: KeypadHello) -> Keypad:
        """Returns the new or known keypad with that serial number, after updating its `hello`. If
        too many keypads that are gone are remembered, the oldest are forgotten."""
        keypad = self.keypads.setdefault(serial, Keypad(serial, hello))
        keypad.hello = hello
        gone = [one.serial for one in self.keypads.values() if one.link is None and one != keypad]
        for oldest in gone[:-MAX_KEYPADS]:
            del self.keypads[oldest]
            for start in [one for one in self._numbers if one[0] == oldest]:
                del self._numbers[start]
        return keypad

    def settle(self, source: PressId) -> None:
        """Notes that the loop has processed this press, and that any entry which it completed is
        stored on disk. Acknowledges the press to the keypad."""
        if numbers := self._numbers.get((source.keypad, source.boot)):
            numbers.taken = max(numbers.taken, source.sequence)
        if keypad := self.keypads.get(source.keypad):
            keypad.waiting = max(keypad.waiting - 1, 0)
            if keypad.link:
                keypad.link.acknowledge(source.boot)
