"""The kernel's GPIO interface: requests, sets and reads lines of /dev/gpiochipN, and reports their
edges.

It uses version 2 of the interface, Linux 5.10 and later. The layouts and numbers are those of
include/uapi/linux/gpio.h, in Debian's linux-libc-dev. Each edge comes with the time at which the
kernel saw it, on the clock of `time.monotonic`."""

import errno
import fcntl
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from struct import Struct, iter_unpack
from typing import Protocol

from companion.core.values import dataclass

LABELS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""The labels of the chips whose line numbers are the header's GPIO numbers: Pi 0 to 3, Pi 4 and Pi
5 (drivers/pinctrl/bcm/pinctrl-bcm2835.c, drivers/pinctrl/pinctrl-rp1.c)."""
CONSUMER = b"companion"
"""The user of our lines, as gpioinfo shows it."""
EVENTS_KEPT = 64
"""How many edges of a line the kernel queues for us: more than a contact bounces in 0.1 s."""

# Flags of a line.
_USED = 1 << 0
INPUT, OUTPUT = 1 << 2, 1 << 3
RISING, FALLING = 1 << 4, 1 << 5
OPEN_DRAIN = 1 << 6
"""The flag of an output that is driven low, but released instead of being driven high."""
PULL_UP, PULL_DOWN, NO_PULL = 1 << 8, 1 << 9, 1 << 10

CHIP_INFO = Struct("=32s32sI")
"""The fields: name, label, number of lines."""
LINE_INFO = Struct("=32s32sIIQ160x16x")
"""The fields: name, consumer, offset, number of attributes, flags."""
_CONFIG = "QI20xI4xQQ216x"
CONFIG = Struct(f"={_CONFIG}")
"""The fields: flags, number of attributes, and the first of ten attributes with its kind, value and
lines."""
MAX_LINES = 64
"""The most lines in a request."""
REQUEST = Struct(f"={4 * MAX_LINES}s32s{_CONFIG}II20xi")
"""The fields: offsets, consumer, configuration, number of lines, events kept, file descriptor."""
OFFSETS = Struct(f"={MAX_LINES}I")
VALUES = Struct("=QQ")
"""The fields: the values as bits, and a mask of the bits that count."""
EVENT = Struct("=QIIII24x")
"""The fields: nanoseconds, kind, offset, and two sequence numbers."""

_OUTPUT_VALUES = 2
"""The kind of attribute that sets an output's level."""
RISING_EDGE, FALLING_EDGE = 1, 2


def _ioctl_number(ways: int, number: int, size: int) -> int:
    """Returns an ioctl's number, composed as in include/uapi/asm-generic/ioctl.h. `ways`: 2 to
    read, 3 to read and write."""
    return ways << 30 | size << 16 | 0xB4 << 8 | number


GET_CHIP_INFO = _ioctl_number(2, 0x01, CHIP_INFO.size)
GET_LINE_INFO = _ioctl_number(3, 0x05, LINE_INFO.size)
GET_LINE = _ioctl_number(3, 0x07, REQUEST.size)
SET_CONFIG = _ioctl_number(3, 0x0D, CONFIG.size)
GET_VALUES = _ioctl_number(3, 0x0E, VALUES.size)
SET_VALUES = _ioctl_number(3, 0x0F, VALUES.size)


class ChipError(OSError):
    """The GPIO can't be used. The error's one-line message includes what to do."""


class NoChipError(ChipError):
    """This machine has no Raspberry Pi GPIO."""


class GpioSystem(Protocol):
    """The calls that this module makes to the kernel; tests/fake_gpio.py has a fake."""

    def chips(self) -> Iterable[Path]:
        """Returns the paths of the character devices of all GPIO chips."""

    def open(self, path: Path) -> int:
        """Opens a chip's device and returns its file descriptor. Raises OSError."""

    def ioctl(self, fd: int, number: int, data: bytearray) -> None:
        """Makes a request; the kernel writes its answer into `data`. Raises OSError."""


class KernelGpio:
    """The real kernel."""

    def chips(self) -> Iterable[Path]:
        return sorted(Path("/dev").glob("gpiochip*"))

    def open(self, path: Path) -> int:
        """Opens a chip's device and returns its file descriptor. Raises OSError."""
        return os.open(path, os.O_RDWR | os.O_CLOEXEC)

    def ioctl(self, fd: int, number: int, data: bytearray) -> None:
        """Makes a request; the kernel writes its answer into `data`. Raises OSError."""
        fcntl.ioctl(fd, number, data)


@dataclass(frozen=True, slots=True)
class LineEvent:
    """A change of a line's level to `level` (0 low, 1 high), at the monotonic time `at` in
    seconds."""

    level: int
    at: float


class Lines:
    """Lines that were requested together, and belong to this program until they are closed. In
    `values` each line has one bit (0 low, 1 high), the first line the lowest."""

    def __init__(self, system: GpioSystem, fd: int, count: int) -> None:
        self._system, self.fd = system, fd
        self._all = (1 << count) - 1
        os.set_blocking(fd, False)

    def configure(self, flags: int, values: int = 0) -> None:
        """Sets the lines' configuration (`flags`, such as INPUT | PULL_UP) and the `values` of
        outputs. Raises OSError."""
        config = _config_values(flags, values, self._all)
        self._system.ioctl(self.fd, SET_CONFIG, bytearray(CONFIG.pack(*config)))

    @property
    def values(self) -> int:
        """Returns the present levels of the lines. Raises OSError."""
        data = bytearray(VALUES.pack(0, self._all))
        self._system.ioctl(self.fd, GET_VALUES, data)
        bits: int = VALUES.unpack(data)[0]
        return bits & self._all

    def set(self, values: int) -> None:
        """Sets the values of outputs. Raises OSError."""
        self._system.ioctl(self.fd, SET_VALUES, bytearray(VALUES.pack(values, self._all)))

    def events(self) -> list[LineEvent]:
        """Returns the unread edges, oldest first. Raises OSError when the chip is gone."""
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
        os.close(self.fd)


def _config_values(flags: int, values: int, lines: int) -> tuple[int, int, int, int, int]:
    """Returns the values for CONFIG: the flags, and an attribute with the levels if the lines are
    outputs."""
    output = int(bool(flags & OUTPUT))
    return flags, output, _OUTPUT_VALUES * output, values * output, lines * output


class GpioChip:
    """The GPIO chip to which the pins of the Pi's header belong."""

    def __init__(self, system: GpioSystem, fd: int, path: Path) -> None:
        self._system, self._fd = system, fd
        self.path = path

    def lines(self, numbers: Sequence[int], flags: int, values: int = 0) -> Lines:
        """Requests these lines and returns them. Raises ChipError if one of them is not available;
        then none is requested."""
        count = len(numbers)
        offsets = OFFSETS.pack(*numbers, *(0 for _ in range(MAX_LINES - count)))
        config = _config_values(flags, values, (1 << count) - 1)
        data = bytearray(REQUEST.pack(offsets, CONSUMER, *config, count, EVENTS_KEPT, 0))
        try:
            self._system.ioctl(self._fd, GET_LINE, data)
        except OSError as error:
            raise ChipError(self._refusal_message(numbers, error)) from error
        return Lines(self._system, REQUEST.unpack(data)[-1], count)

    def _refusal_message(self, numbers: Sequence[int], error: OSError) -> str:
        named = " and ".join(f"GPIO {number}" for number in numbers)
        if error.errno != errno.EBUSY:
            return f"{self.path} does not give {named} ({error.strerror or error})"
        user = ""
        for number in numbers:
            taken, user = self._line_user(number)
            if taken:
                named = f"GPIO {number}"
                break
        called = f", which calls itself “{user}”" if user else ""
        return (
            f"another program has {named}{called}: stop it first "
            "(is the companion service running?)"
        )

    def _line_user(self, number: int) -> tuple[bool, str]:
        """Returns whether the line is in use, and the name of its user (empty if unknown)."""
        data = bytearray(LINE_INFO.pack(b"", b"", number, 0, 0))
        try:
            self._system.ioctl(self._fd, GET_LINE_INFO, data)
        except OSError:
            return False, ""
        _, consumer, _, _, flags = LINE_INFO.unpack(data)
        return bool(flags & _USED), _text_from_padded(consumer)

    def close(self) -> None:
        """Closes the chip. Lines that were requested keep working until they are closed."""
        os.close(self._fd)


def find_chip(system: GpioSystem) -> GpioChip:
    """Returns the chip, found by its label, as its number differs between kernels. Raises
    NoChipError, or ChipError if it may not be opened."""
    denied: list[Path] = []
    for path in system.chips():
        try:
            fd = system.open(path)
        except PermissionError:
            denied.append(path)
            continue
        except OSError:
            continue
        if _chip_label(system, fd) in LABELS:
            return GpioChip(system, fd, path)
        os.close(fd)
    if denied:
        raise ChipError(
            f"{denied[0]} may not be opened: add the user to the group gpio "
            "(sudo usermod -aG gpio NAME) and log in again",
        )
    raise NoChipError(
        "there is no /dev/gpiochip of a Raspberry Pi: is this a Pi with Linux 5.10 or later?"
    )


def _chip_label(system: GpioSystem, fd: int) -> str:
    data = bytearray(CHIP_INFO.size)
    try:
        system.ioctl(fd, GET_CHIP_INFO, data)
    except OSError:
        return ""
    return _text_from_padded(CHIP_INFO.unpack(data)[1])


def _text_from_padded(padded: bytes) -> str:
    return padded.split(b"\0")[0].decode(errors="replace")
