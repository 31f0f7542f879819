"""Pins on the kernel's GPIO character device, without any library.

They have the methods of gpiozero's pins that keys and display need, so gpiozero's own can stand in
their place. But gpiozero, which takes a slow processor half a second to load, isn't needed. These
pins ask nothing about the model of the Pi, and sleep until a pin changes, whereas lgpio looks at
its pins some two thousand times a second. The ticks of an edge are the kernel's own seconds on the
clock of `time.monotonic`, so an edge's time is right however late it is read.
"""

from collections.abc import Callable

from companion.devices.gpio.gpio_chip import (
    FALLING,
    INPUT,
    NO_PULL,
    OUTPUT,
    PULL_DOWN,
    PULL_UP,
    RISING,
    GpioChip,
    LineEvent,
    Lines,
)
from companion.devices.gpio.gpio_watch import Watch
from companion.devices.gpio.software_pwm import SoftwarePwm

_PULLS = {"up": PULL_UP, "down": PULL_DOWN, "floating": NO_PULL}
_EDGES = {"both": RISING | FALLING, "rising": RISING, "falling": FALLING, "none": 0}

Changed = Callable[[float, int], None]
"""A function that a pin calls with the time of an edge and the level after it."""


class PinError(ValueError):
    """A pin can't do what it is asked to do."""


class KernelFactory:
    """Pins of one chip. Closing it closes the chip, too."""

    times_edges = True
    """A pin's ticks are the time of the edge itself."""

    def __init__(self, chip: GpioChip) -> None:
        self.chip, self.watch = chip, Watch()
        self._pins: dict[int, KernelPin] = {}

    def pin(self, name: int | str) -> "KernelPin":
        """The pin of a GPIO number, always the same object. Nothing is taken from the kernel
        yet."""
        number = _number(name)
        return self._pins.setdefault(number, KernelPin(self, number))

    def close(self) -> None:
        """Gives all lines back and ends the thread."""
        for pin in self._pins.values():
            pin.close()
        self._pins.clear()
        self.watch.close()
        self.chip.close()


class KernelPin:
    """One pin. The line is taken when the pin is first configured, and given back by `close`; any
    call that takes it raises ChipError if it can't be had."""

    def __init__(self, pins: KernelFactory, number: int) -> None:
        self._pins, self.number = pins, number
        self._line: Lines | None = None
        self._function, self._pull, self._edges = "input", "floating", "both"
        self._level = 0
        """The level of an output, 0 or 1."""
        self._hertz: float | None = None
        self._duty = 0.0
        self._wave: SoftwarePwm | None = None
        self._changed: Changed | None = None

    def __repr__(self) -> str:
        return f"GPIO{self.number}"

    def close(self) -> None:
        """Gives the line back; the pin may be used again."""
        self.frequency = None
        if self._line:
            self._pins.watch.remove(self._line)
            self._line.close()
        self._line = self._changed = None
        self._function, self._pull = "input", "floating"

    # ------------------------------------------------------------ what it is

    def input_with_pull(self, pull: str) -> None:
        """Makes the pin an input with this pull from the start: “up”, “down” or “floating”. Raises
        PinError for any other."""
        if pull not in _PULLS:
            raise PinError(f"{self!r} can be pulled {', '.join(_PULLS)}, not {pull!r}")
        self._function, self._pull = "input", pull
        self._configure()

    def output_with_state(self, state: float) -> None:
        """Makes the pin an output, at this level from the start."""
        self._function, self._level = "output", int(bool(state))
        self._configure()

    @property
    def function(self) -> str:
        """Whether the pin is an “input” or an “output”."""
        return self._function

    @function.setter
    def function(self, function: str) -> None:
        if function not in ("input", "output"):
            raise PinError(f"{self!r} can be input or output, not {function!r}")
        self._function = function
        self._configure()

    @property
    def pull(self) -> str:
        """What an input is pulled to: “up”, “down” or “floating”."""
        return self._pull

    @pull.setter
    def pull(self, pull: str) -> None:
        if self._function != "input":
            raise PinError(f"{self!r} is an output: it has no pull")
        self.input_with_pull(pull)

    # ------------------------------------------------------------ its level

    @property
    def state(self) -> float:
        """The pin's level: 0 or 1; with a frequency, the part of each period for which it is 1."""
        if self._hertz is not None:
            return self._duty
        return (self._line or self._configure()).values

    @state.setter
    def state(self, state: float) -> None:
        if self._function != "output":
            raise PinError(f"{self!r} is an input: its level can't be set")
        if self._hertz is not None:
            self._duty = float(state)
            self._begin_wave()
            return
        self._level = int(bool(state))
        (self._line or self._configure()).set(self._level)

    # ------------------------------------------------------------ its wave

    @property
    def frequency(self) -> float | None:
        """How often a second an output is switched (software_pwm.py); None: it keeps its level."""
        return self._hertz

    @frequency.setter
    def frequency(self, hertz: float | None) -> None:
        if hertz is not None and self._function != "output":
            raise PinError(f"{self!r} is an input: it can't be switched")
        self._end_wave()
        self._hertz = hertz
        if hertz is not None:
            self._begin_wave()

    def _begin_wave(self) -> None:
        self._end_wave()
        line = self._line or self._configure()
        if self._hertz and 0 < self._duty < 1:
            self._wave = SoftwarePwm(line.set, self._hertz, self._duty).start()
        else:
            line.set(int(self._duty >= 1))

    def _end_wave(self) -> None:
        wave, self._wave = self._wave, None
        if wave:
            wave.stop()

    # ------------------------------------------------------------ its edges

    @property
    def edges(self) -> str:
        """The edges that an input reports: “both”, “rising”, “falling” or “none”."""
        return self._edges

    @edges.setter
    def edges(self, edges: str) -> None:
        if edges not in _EDGES:
            raise PinError(f"{self!r} knows {', '.join(_EDGES)}, not {edges!r}")
        self._edges = edges
        if self._changed:
            self._configure()

    @property
    def when_changed(self) -> Changed | None:
        """The function that is called with the time of each edge and the level after it; None:
        edges are not watched."""
        return self._changed

    @when_changed.setter
    def when_changed(self, changed: Changed | None) -> None:
        watched, self._changed = self._changed is not None, changed
        if watched == (changed is not None):
            return
        line = self._configure()
        if changed:
            self._pins.watch.add(line, self._tell)
        else:
            self._pins.watch.remove(line)

    def _tell(self, event: LineEvent) -> None:
        """Hands an edge to `when_changed`; called in the thread of the watch."""
        if changed := self._changed:
            changed(event.at, event.level)

    def _configure(self) -> Lines:
        """Tells the kernel what the pin is now, after taking the line if need be."""
        flags = OUTPUT
        if self._function == "input":
            flags = INPUT | _PULLS[self._pull] | (_EDGES[self._edges] if self._changed else 0)
        if self._line:
            self._line.configure(flags, self._level)
        else:
            self._line = self._pins.chip.lines([self.number], flags, self._level)
        return self._line


def _number(name: int | str) -> int:
    """The GPIO number of a pin: 4, "4", "GPIO4" or "BCM4". Raises PinError."""
    digits = str(name).upper().removeprefix("GPIO").removeprefix("BCM")
    if not digits.isdecimal():
        raise PinError(f"{name!r} is no GPIO: write its number, such as 4 or GPIO4")
    return int(digits)
