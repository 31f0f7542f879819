"""A gpiozero pin factory on the kernel's GPIO character device, without any library besides.

It asks nothing about the model of the Pi, and it sleeps until a pin changes: lgpio looks at its
pins some two thousand times a second. Ticks are seconds on the clock of `time.monotonic`, and those
of an edge are the kernel's own, so an edge is as old as it says however late we are. It works with
gpiozero 1.6.2, which Debian has, and with 2.0.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from gpiozero.exc import (
    GPIOPinInUse,
    PinEdgeDetectUnsupported,
    PinFixedPull,
    PinInvalidFunction,
    PinInvalidPin,
    PinInvalidPull,
    PinSetInput,
)
from gpiozero.pins import Factory, Pin

from companion.devices.gpio_chip import (
    FALLING,
    INPUT,
    NO_PULL,
    OUTPUT,
    PULL_DOWN,
    PULL_UP,
    RISING,
    Chip,
    LineEvent,
    Lines,
)
from companion.devices.gpio_watch import Watch

_PULLS = {"up": PULL_UP, "down": PULL_DOWN, "floating": NO_PULL}
_EDGES = {"both": RISING | FALLING, "rising": RISING, "falling": FALLING, "none": 0}

Changed = Callable[[float, int], None]
"""What a pin calls with the time of an edge and the level after it."""


class Info(NamedTuple):
    """What gpiozero 2 wants to know of a pin."""

    name: str


class KernelFactory(Factory):  # type: ignore[misc]  # gpiozero has no types
    """Pins of one chip. Closing it closes the chip, too."""

    times_edges = True
    """A pin's ticks are the time of the edge itself."""

    def __init__(self, chip: Chip) -> None:
        super().__init__()
        self.chip, self.watch = chip, Watch()
        self._pins: dict[int, KernelPin] = {}
        self._users: WeakValueDictionary[int, Any] = WeakValueDictionary()

    def pin(self, name: int | str) -> "KernelPin":
        """The pin of a GPIO number, always the same one. Nothing is taken from the kernel yet."""
        number = _number(name)
        return self._pins.setdefault(number, KernelPin(self, number))

    def reserve_pins(self, requester: Any, *names: int | str) -> None:
        """These pins belong to that device. Raises GPIOPinInUse."""
        for number in map(_number, names):
            if self._users.get(number, requester) is not requester:
                raise GPIOPinInUse(f"GPIO{number} is already in use by {self._users[number]!r}")
            self._users[number] = requester

    def release_pins(self, reserver: Any, *names: int | str) -> None:
        """They don't belong to it any more."""
        for number in map(_number, names):
            if self._users.get(number) is reserver:
                del self._users[number]

    def release_all(self, reserver: Any) -> None:
        """None belongs to it any more."""
        self.release_pins(reserver, *list(self._users))

    @staticmethod
    def ticks() -> float:
        """Seconds now."""
        return time.monotonic()

    @staticmethod
    def ticks_diff(later: float, earlier: float) -> float:
        """Seconds between."""
        return max(0.0, later - earlier)

    def close(self) -> None:
        """Gives all lines back and ends the thread."""
        for pin in self._pins.values():
            pin.close()
        self._pins.clear()
        self.watch.close()
        self.chip.close()


class KernelPin(Pin):  # type: ignore[misc]  # gpiozero has no types
    """One pin. The line is taken when the pin is first set to something, and given back by `close`;
    whatever takes it raises ChipError when it can't be had."""

    def __init__(self, factory: KernelFactory, number: int) -> None:
        super().__init__()
        self._factory, self.number = factory, number
        self._line: Lines | None = None
        self._function, self._pull, self._edges = "input", "floating", "both"
        self._level = 0
        """That of an output."""
        self._changed: Changed | None = None

    def __repr__(self) -> str:
        return f"GPIO{self.number}"

    @property
    def factory(self) -> KernelFactory:
        """Where it comes from."""
        return self._factory

    def _get_info(self) -> Info:
        return Info(repr(self))

    def close(self) -> None:
        """Gives the line back; the pin may be used again."""
        if self._line:
            self._factory.watch.remove(self._line)
            self._line.close()
        self._line = self._changed = None
        self._function, self._pull = "input", "floating"

    # ------------------------------------------------------------ what it is

    def input_with_pull(self, pull: str) -> None:
        """An input, pulled so from the start."""
        self._check_pull(pull)
        self._function, self._pull = "input", pull
        self._configure()

    def output_with_state(self, state: float) -> None:
        """An output, at that level from the start."""
        self._function, self._level = "output", int(bool(state))
        self._configure()

    def _get_function(self) -> str:
        return self._function

    def _set_function(self, function: str) -> None:
        if function not in ("input", "output"):
            raise PinInvalidFunction(f"{self!r} can be input or output, not {function!r}")
        self._function = function
        self._configure()

    def _get_pull(self) -> str:
        return self._pull

    def _set_pull(self, pull: str) -> None:
        if self._function != "input":
            raise PinFixedPull(f"{self!r} is an output: it has no pull")
        self.input_with_pull(pull)

    def _check_pull(self, pull: str) -> None:
        if pull not in _PULLS:
            raise PinInvalidPull(f"{self!r} can be pulled {', '.join(_PULLS)}, not {pull!r}")

    # ------------------------------------------------------------ its level

    def _get_state(self) -> int:
        return (self._line or self._configure()).values

    def _set_state(self, state: float) -> None:
        if self._function != "output":
            raise PinSetInput(f"{self!r} is an input: its level can't be set")
        self._level = int(bool(state))
        (self._line or self._configure()).set(self._level)

    # ------------------------------------------------------------ its edges

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, edges: str) -> None:
        if edges not in _EDGES:
            raise PinEdgeDetectUnsupported(f"{self!r} knows {', '.join(_EDGES)}, not {edges!r}")
        self._edges = edges
        if self._changed:
            self._configure()

    def _get_when_changed(self) -> Changed | None:
        return self._changed

    def _set_when_changed(self, changed: Changed | None) -> None:
        watched, self._changed = self._changed is not None, changed
        if watched == (changed is not None):
            return
        line = self._configure()
        if changed:
            self._factory.watch.add(line, self._tell)
        else:
            self._factory.watch.remove(line)

    def _tell(self, event: LineEvent) -> None:
        """An edge came: in the thread of the watch."""
        if changed := self._changed:
            changed(event.at, event.level)

    def _configure(self) -> Lines:
        """Tells the kernel what the pin is now, and takes the line before if need be."""
        flags = OUTPUT
        if self._function == "input":
            flags = INPUT | _PULLS[self._pull] | (_EDGES[self._edges] if self._changed else 0)
        if self._line:
            self._line.configure(flags, self._level)
        else:
            self._line = self._factory.chip.lines([self.number], flags, self._level)
        return self._line


def _number(name: int | str) -> int:
    """The GPIO number of a pin: 4, "4", "GPIO4" or "BCM4". Raises PinInvalidPin."""
    digits = str(name).upper().removeprefix("GPIO").removeprefix("BCM")
    if not digits.isdecimal():
        raise PinInvalidPin(f"{name!r} is no GPIO: write its number, such as 4 or GPIO4")
    return int(digits)
