"""The kernel's GPIO: lines of /dev/gpiochipN that are taken, set and read, and their edges.

Version 2 of the kernel's interface, Linux 5.10 and later. The forms and numbers here are those of
include/uapi/linux/gpio.h, which lies in Debian's linux-libc-dev. An edge comes with the time at
which the kernel saw it, on the clock of `time.monotonic`.
"""

import errno
import fcntl
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from struct import Struct, iter_unpack
from typing import Protocol

LABELS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""The chips whose lines are the GPIO numbers of the header: Pi 0 to 3, Pi 4 and Pi 5, as their
kernels label them (drivers/pinctrl/bcm/pinctrl-bcm2835.c, drivers/pinctrl/pinctrl-rp1.c)."""
CONSUMER = b"companion"
"""What gpioinfo shows as the user of our lines."""
EVENTS_KEPT = 64
"""How many edges of a line the kernel keeps for us: more than a contact bounces in 0.1 s."""

# Flags of a line.
INPUT, OUTPUT = 1 << 2, 1 << 3
RISING, FALLING = 1 << 4, 1 << 5
PULL_UP, PULL_DOWN, NO_PULL = 1 << 8, 1 << 9, 1 << 10

CHIP_INFO = Struct("=32s32sI")
"""Name, label, lines."""
LINE_INFO = Struct("=32s32sIIQ160x16x")
"""Name, consumer, offset, attributes, flags."""
_CONFIG = "QI20xI4xQQ216x"
CONFIG = Struct(f"={_CONFIG}")
"""Flags, attributes, and the first of ten: its kind, value and lines."""
REQUEST = Struct(f"=I252x32s{_CONFIG}II20xi")
"""Offset (the first of 64), consumer, configuration, lines, events kept, file."""
VALUES = Struct("=QQ")
"""Bits, and which of them count."""
EVENT = Struct("=QIIII24x")
"""Nanoseconds, kind, offset, and two counts of events."""

_FIRST = 1
"""The bit of the only line of a request."""
_OUTPUT_VALUES = 2
"""The kind of attribute that gives an output its level."""
RISING_EDGE, FALLING_EDGE = 1, 2


def _number(ways: int, number: int, size: int) -> int:
    """An ioctl's number as include/uapi/asm-generic/ioctl.h makes it. `ways`: 2 reads, 3 both."""
    return ways << 30 | size << 16 | 0xB4 << 8 | number


GET_CHIP_INFO = _number(2, 0x01, CHIP_INFO.size)
GET_LINE_INFO = _number(3, 0x05, LINE_INFO.size)
GET_LINE = _number(3, 0x07, REQUEST.size)
SET_CONFIG = _number(3, 0x0D, CONFIG.size)
GET_VALUES = _number(3, 0x0E, VALUES.size)
SET_VALUES = _number(3, 0x0F, VALUES.size)


class ChipError(OSError):
    """The GPIO can't be used; one line that says what to do."""


class NoChip(ChipError):
    """This machine has no GPIO of a Raspberry Pi."""


class System(Protocol):
    """What is asked of the kernel; the fake is in fake_gpio.py."""

    def chips(self) -> Iterable[Path]:
        """The character devices of all GPIO chips."""

    def open(self, path: Path) -> int:
        """Opens one; raises OSError."""

    def ioctl(self, fd: int, number: int, data: bytearray) -> None:
        """Asks the kernel, which answers in `data`; raises OSError."""


class Kernel:
    """The kernel itself."""

    def chips(self) -> Iterable[Path]:
        """The character devices of all GPIO chips."""
        return sorted(Path("/dev").glob("gpiochip*"))

    def open(self, path: Path) -> int:
        """Opens one; raises OSError."""
        return os.open(path, os.O_RDWR | os.O_CLOEXEC)

    def ioctl(self, fd: int, number: int, data: bytearray) -> None:
        """Asks the kernel, which answers in `data`; raises OSError."""
        fcntl.ioctl(fd, number, data)


@dataclass(frozen=True, slots=True)
class LineEvent:
    """The level of a line changed to `level` (0 low, 1 high) at this monotonic time in seconds."""

    level: int
    at: float


class Line:
    """A line that is ours until it is closed."""

    def __init__(self, system: System, fd: int, number: int) -> None:
        self._system = system
        self.fd, self.number = fd, number
        os.set_blocking(fd, False)

    def configure(self, flags: int, level: int = 0) -> None:
        """What the line is from now on; `level` is that of an output. Raises OSError."""
        self._system.ioctl(self.fd, SET_CONFIG, bytearray(CONFIG.pack(*_config(flags, level))))

    @property
    def level(self) -> int:
        """0 is low, 1 is high. Raises OSError."""
        data = bytearray(VALUES.pack(0, _FIRST))
        self._system.ioctl(self.fd, GET_VALUES, data)
        bits: int = VALUES.unpack(data)[0]
        return bits & _FIRST

    def set(self, level: int) -> None:
        """Gives an output its level. Raises OSError."""
        self._system.ioctl(self.fd, SET_VALUES, bytearray(VALUES.pack(level, _FIRST)))

    def events(self) -> list[LineEvent]:
        """The edges that wait to be read, oldest first. Raises OSError when the chip is gone."""
        try:
            data = os.read(self.fd, EVENTS_KEPT * EVENT.size)
        except BlockingIOError:
            return []
        if not data:
            raise OSError(errno.ENODEV, "the GPIO chip is gone")
        return [
            LineEvent(int(kind == RISING_EDGE), nanoseconds / 1e9)
            for nanoseconds, kind, *_ in iter_unpack(EVENT.format, data)
        ]

    def close(self) -> None:
        """Gives the line back."""
        os.close(self.fd)


def _config(flags: int, level: int) -> tuple[int, int, int, int, int]:
    """Flags and attributes of a line: an output has one, its level."""
    output = int(bool(flags & OUTPUT))
    return flags, output, _OUTPUT_VALUES * output, level * output, _FIRST * output


class Chip:
    """The chip whose lines go to the header of the Pi."""

    def __init__(self, system: System, fd: int, path: Path) -> None:
        self._system, self._fd = system, fd
        self.path = path

    def line(self, number: int, flags: int, level: int = 0) -> Line:
        """Takes a line. Raises ChipError when it can't be had."""
        config = _config(flags, level)
        data = bytearray(REQUEST.pack(number, CONSUMER, *config, 1, EVENTS_KEPT, 0))
        try:
            self._system.ioctl(self._fd, GET_LINE, data)
        except OSError as error:
            raise ChipError(self._refused(number, error)) from error
        return Line(self._system, REQUEST.unpack(data)[-1], number)

    def _refused(self, number: int, error: OSError) -> str:
        if error.errno != errno.EBUSY:
            return f"{self.path} does not give GPIO {number} ({error.strerror or error})"
        user = self._user(number)
        named = f", which calls itself “{user}”" if user else ""
        return (
            f"another program has GPIO {number}{named}: stop it first "
            "(is the companion service running?)"
        )

    def _user(self, number: int) -> str:
        """Who has a line, as far as it says so."""
        data = bytearray(LINE_INFO.pack(b"", b"", number, 0, 0))
        try:
            self._system.ioctl(self._fd, GET_LINE_INFO, data)
        except OSError:
            return ""
        return _text(LINE_INFO.unpack(data)[1])

    def close(self) -> None:
        """Lets go of the chip; lines that were taken stay ours until they are closed."""
        os.close(self._fd)


def find_chip(system: System, labels: Iterable[str] = LABELS) -> Chip:
    """Finds the chip by its label: its number differs between kernels. Raises NoChip, or ChipError
    when it may not be opened."""
    denied: list[Path] = []
    for path in system.chips():
        try:
            fd = system.open(path)
        except PermissionError:
            denied.append(path)
            continue
        except OSError:
            continue
        if _label(system, fd) in labels:
            return Chip(system, fd, path)
        os.close(fd)
    if denied:
        raise ChipError(
            f"{denied[0]} may not be opened: add the user to the group gpio "
            "(sudo usermod -aG gpio NAME) and log in again",
        )
    raise NoChip(
        "there is no /dev/gpiochip of a Raspberry Pi: is this a Pi with Linux 5.10 or later?"
    )


def _label(system: System, fd: int) -> str:
    data = bytearray(CHIP_INFO.size)
    try:
        system.ioctl(fd, GET_CHIP_INFO, data)
    except OSError:
        return ""
    return _text(CHIP_INFO.unpack(data)[1])


def _text(padded: bytes) -> str:
    return padded.split(b"\0")[0].decode(errors="replace")
