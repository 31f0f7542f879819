"""Access to the GPIO pins: through the library named in the settings; by default through the
kernel, or through gpiozero if the kernel has no GPIO.

The kernel's pins use its GPIO character device, without any library. They have the methods of
gpiozero's pins that keys and display need, so either kind can be used. gpiozero is loaded only when
its pins are used, because loading it takes half a second on a slow processor. The kernel's pins
work on every model of the Pi, and sleep until a pin changes, whereas lgpio checks its pins about
two thousand times per second.

An edge's ticks are the kernel's own timestamp in seconds, on the clock of `time.monotonic`, so its
time is right however late it is read."""

import os
import select
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from threading import Event, Lock
from types import MappingProxyType
from typing import Any

from companion.core.threads import NamedThread
from companion.devices.gpio.gpio_chip import (
    FALLING,
    INPUT,
    NO_PULL,
    OUTPUT,
    PULL_DOWN,
    PULL_UP,
    RISING,
    GpioChip,
    GpioSystem,
    KernelGpio,
    LineEvent,
    Lines,
    NoChipError,
    find_chip,
)

# ---------------------------------------------------------------- software pwm
# Switches a line on and off in software, at the frequency of a tone.
#
# The kernel's GPIO has no PWM on most pins. A thread that sleeps between the edges is late by some
# tens of microseconds: good enough for a buzzer, but for little else.


class SoftwarePwm:
    """Calls `put` with 1 and 0 alternately, `hertz` periods per second, until it is stopped. `duty`
    is the fraction of each period, from 0 to 1, for which the line is on. An OSError from `put`
    ends the switching."""

    def __init__(self, put: Callable[[int], None], hertz: float, duty: float) -> None:
        self._put, self._period_s = put, 1.0 / hertz
        self._duty = min(max(duty, 0.0), 1.0)
        self._stop = Event()
        self._thread = NamedThread("pwm", self._run)

    def start(self) -> "SoftwarePwm":
        """Starts switching; returns itself."""
        self._thread.start()
        return self

    def _run(self) -> None:
        begun, period = time.perf_counter(), 0
        try:
            while not self._stop.is_set():
                self._put(1)
                self._sleep_until(begun + (period + self._duty) * self._period_s)
                self._put(0)
                period += 1
                self._sleep_until(begun + period * self._period_s)
        except OSError:
            return  # the line is gone, and with it the buzzer

    @staticmethod
    def _sleep_until(at: float) -> None:
        if (left := at - time.perf_counter()) > 0:
            time.sleep(left)

    def stop(self) -> None:
        """Stops switching, with the line off."""
        self._stop.set()
        self._thread.join()


# ---------------------------------------------------------------- gpio watch
# Waits for the edges of many lines in one thread, which sleeps in the kernel until one comes.


LineListener = Callable[[LineEvent], None]


class EdgeWatch:
    """Passes edges to listeners in its own thread, which starts when the first line is added. A
    listener gets the edges of its own line; edges of different lines come in the order in which
    they happened."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[Lines, LineListener]] = {}
        self._lock = Lock()
        """Held while reading and removing, so that no closed file is read: its number may already
        belong to another file."""
        self._poll = select.epoll()
        self._bell = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._poll.register(self._bell, select.EPOLLIN)
        self._thread: NamedThread | None = None

    def add(self, line: Lines, listener: LineListener) -> None:
        """Starts watching a line."""
        with self._lock:
            self._lines[line.fd] = line, listener
            self._poll.register(line.fd, select.EPOLLIN)
        if self._thread is None:
            self._thread = NamedThread("gpio", self._run)
            self._thread.start()

    def remove(self, line: Lines) -> None:
        """Stops watching a line. Its listener may still get one more edge."""
        with self._lock:
            if self._lines.pop(line.fd, None):
                self._poll.unregister(line.fd)

    def _run(self) -> None:
        while True:
            ready = [fd for fd, _ in self._poll.poll()]
            if self._bell in ready:
                return
            edges = [edge for fd in ready for edge in self._read_edges(fd)]
            for event, listener in sorted(edges, key=lambda edge: edge[0].at):
                try:
                    listener(event)
                except Exception:  # the other keys must go on
                    traceback.print_exc()

    def _read_edges(self, fd: int) -> list[tuple[LineEvent, LineListener]]:
        """Returns the unread edges of the line with this descriptor, each with the line's listener;
        an empty list if the line is no longer watched."""
        with self._lock:
            if fd not in self._lines:
                return []
            line, listener = self._lines[fd]
            try:
                return [(event, listener) for event in line.events()]
            except OSError:  # the chip is gone: a line that fails would be ready forever
                traceback.print_exc()
                del self._lines[fd]
                self._poll.unregister(fd)
                return []

    def close(self) -> None:
        """Ends the thread. Must not be called by a listener."""
        os.eventfd_write(self._bell, 1)
        if self._thread:
            self._thread.join()
        self._poll.close()
        os.close(self._bell)


# ---------------------------------------------------------------- kernel pins

_PULLS = {"up": PULL_UP, "down": PULL_DOWN, "floating": NO_PULL}
_EDGES = {"both": RISING | FALLING, "rising": RISING, "falling": FALLING, "none": 0}

EdgeCallback = Callable[[float, int], None]
"""The type of a callback for edges, which gets an edge's time and the level after it."""


class PinError(ValueError):
    """A pin doesn't support the requested function."""


class KernelFactory:
    """The pins of one chip. Closing the factory closes the chip too."""

    times_edges = True
    """Whether a pin's ticks are the time of the edge itself."""

    def __init__(self, chip: GpioChip) -> None:
        self.chip, self.watch = chip, EdgeWatch()
        self._pins: dict[int, KernelPin] = {}

    def pin(self, name: int | str) -> "KernelPin":
        """Returns the pin with that GPIO number, always the same object. This does not yet request
        its line from the kernel."""
        number = _gpio_number(name)
        return self._pins.setdefault(number, KernelPin(self, number))

    def close(self) -> None:
        """Releases all lines and ends the thread."""
        for pin in self._pins.values():
            pin.close()
        self._pins.clear()
        self.watch.close()
        self.chip.close()


class KernelPin:
    """One pin. Its line is requested when the pin is first configured, and released by `close`.
    Every call that requests the line raises ChipError if it is not available."""

    def __init__(self, pins: KernelFactory, number: int) -> None:
        self._pins, self.number = pins, number
        self._line: Lines | None = None
        self._function, self._pull, self._edges = "input", "floating", "both"
        self._level = 0
        """The level of an output, 0 or 1."""
        self._hertz: float | None = None
        self._duty = 0.0
        self._wave: SoftwarePwm | None = None
        self._changed: EdgeCallback | None = None

    def __repr__(self) -> str:
        return f"GPIO{self.number}"

    def close(self) -> None:
        """Releases the line; the pin can be used again."""
        self.frequency = None
        if self._line:
            self._pins.watch.remove(self._line)
            self._line.close()
        self._line = self._changed = None
        self._function, self._pull = "input", "floating"

    # ------------------------------------------------------------ function

    def input_with_pull(self, pull: str) -> None:
        """Makes the pin an input with this pull: “up”, “down” or “floating”. Raises PinError for
        any other."""
        if pull not in _PULLS:
            raise PinError(f"{self!r} can be pulled {', '.join(_PULLS)}, not {pull!r}")
        self._function, self._pull = "input", pull
        self._configure()

    def output_with_state(self, state: float) -> None:
        """Makes the pin an output that starts at the level `state`."""
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
        """The pull of an input: “up”, “down” or “floating”."""
        return self._pull

    @pull.setter
    def pull(self, pull: str) -> None:
        if self._function != "input":
            raise PinError(f"{self!r} is an output: it has no pull")
        self.input_with_pull(pull)

    # ------------------------------------------------------------ level

    @property
    def state(self) -> float:
        """The pin's level, 0 or 1; for an output with a frequency, the fraction of each period for
        which its level is 1."""
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

    # ------------------------------------------------------------ frequency

    @property
    def frequency(self) -> float | None:
        """How often per second an output is switched; None if it keeps its level."""
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

    # ------------------------------------------------------------ edges

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
    def when_changed(self) -> EdgeCallback | None:
        """The callback for each edge, with its time and the level after it; None if edges are not
        watched."""
        return self._changed

    @when_changed.setter
    def when_changed(self, changed: EdgeCallback | None) -> None:
        watched, self._changed = self._changed is not None, changed
        if watched == (changed is not None):
            return
        line = self._configure()
        if changed:
            self._pins.watch.add(line, self._pass_edge)
        else:
            self._pins.watch.remove(line)

    def _pass_edge(self, event: LineEvent) -> None:
        """Passes an edge to `when_changed`; called in the watch's thread."""
        if changed := self._changed:
            changed(event.at, event.level)

    def _configure(self) -> Lines:
        """Sets the line's configuration in the kernel, requesting the line first if necessary."""
        flags = OUTPUT
        if self._function == "input":
            flags = INPUT | _PULLS[self._pull] | (_EDGES[self._edges] if self._changed else 0)
        if self._line:
            self._line.configure(flags, self._level)
        else:
            self._line = self._pins.chip.lines([self.number], flags, self._level)
        return self._line


def _gpio_number(name: int | str) -> int:
    """Returns the GPIO number of a pin given as 4, "4", "GPIO4" or "BCM4". Raises PinError."""
    digits = str(name).upper().removeprefix("GPIO").removeprefix("BCM")
    if not digits.isdecimal():
        raise PinError(f"{name!r} is no GPIO: write its number, such as 4 or GPIO4")
    return int(digits)


# ---------------------------------------------------------------- choice of pins

_LIBRARIES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
        "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
        "pigpio": ("gpiozero.pins.pigpio", "PiGPIOFactory"),
    }
)


def open_pins(choice: str = "auto", system: GpioSystem | None = None) -> Any:
    """Returns a factory for the kernel's pins or one of gpiozero's pin factories; the caller closes
    it. `choice`: lgpio, rpigpio, pigpio, kernel, or auto, which means the kernel's pins on a
    Raspberry Pi, and otherwise those that gpiozero finds. `system`: a fake kernel for tests. Raises
    ChipError, ImportError if the library is missing, or gpiozero's errors."""
    if choice in _LIBRARIES:
        module, name = _LIBRARIES[choice]
        return getattr(import_module(module), name)()
    try:
        return KernelFactory(find_chip(system or KernelGpio()))
    except NoChipError as error:
        if choice == "kernel":
            raise
        return _gpiozero_factory(error)


def _gpiozero_factory(none: NoChipError) -> Any:
    """Returns the pin factory that gpiozero chooses. If gpiozero finds none, raises the error
    `none`."""
    from gpiozero import Device
    from gpiozero.exc import BadPinFactory, PinFactoryFallback

    with warnings.catch_warnings():
        # gpiozero prints at length what it tried; the error suffices.
        warnings.simplefilter("ignore", PinFactoryFallback)
        try:
            Device().close()  # any device makes gpiozero choose
        except BadPinFactory:
            raise none from None
    factory, Device.pin_factory = Device.pin_factory, None
    return factory


def pin_errors() -> tuple[type[Exception], ...]:
    """Returns the errors that using pins may raise: the system's, and gpiozero's if it is
    loaded."""
    if "gpiozero" not in sys.modules:
        return OSError, ImportError, PinError
    from gpiozero.exc import GPIOZeroError

    return OSError, ImportError, PinError, GPIOZeroError
