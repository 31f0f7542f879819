"""A GPIO chip in memory, asked in the kernel's own words: fingers pull its lines, and it can fail.

It models what gpio_chip.py leans on: a line belongs to one at a time, its level is what pulls it
hardest, and an edge is kept with its time when somebody wants to know. Nothing else of the kernel.
"""

import errno
import os
import select
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from companion.devices.gpio_chip import (
    CHIP_INFO,
    CONFIG,
    EVENT,
    FALLING,
    FALLING_EDGE,
    GET_CHIP_INFO,
    GET_LINE,
    GET_LINE_INFO,
    GET_VALUES,
    LINE_INFO,
    OUTPUT,
    PULL_UP,
    REQUEST,
    RISING,
    RISING_EDGE,
    SET_CONFIG,
    SET_VALUES,
    VALUES,
)


@dataclass(eq=False)
class FakeLine:
    """One line: `held` is the level that something outside gives it (None: nothing does)."""

    flags: int = 0
    value: int = 0
    held: int | None = None
    consumer: str = ""
    file: int = -1
    """Where the edges go."""

    @property
    def level(self) -> int:
        """0 or 1: what a meter would show."""
        if self.flags & OUTPUT:
            return self.value
        return int(bool(self.flags & PULL_UP)) if self.held is None else self.held


@dataclass
class FakeGpio:
    """A system with one chip of 28 lines, or with none where `label` is empty. `clock` gives the
    seconds at which edges happen."""

    clock: Callable[[], float]
    label: str = "pinctrl-bcm2711"
    denied: bool = False
    """Nobody may open the chip."""
    broken: bool = False
    """Nothing can be asked of the lines."""
    others: tuple[str, ...] = ()
    """The labels of chips with smaller numbers."""
    lines: list[FakeLine] = field(default_factory=lambda: [FakeLine() for _ in range(28)])
    log: list[tuple[str, int, int]] = field(default_factory=list)
    """("take", "set" or "level", line, flags or level) of every change that was asked for."""
    _files: dict[int, FakeLine] = field(default_factory=dict)
    _labels: dict[int, str] = field(default_factory=dict)

    # ------------------------------------------------------------ hands

    def pull(self, number: int, level: int | None) -> None:
        """Something outside gives a line that level, or lets it go."""
        line = self.lines[number]
        before, line.held = line.level, level
        self._tell(line, before)

    def _tell(self, line: FakeLine, before: int) -> None:
        """An edge, if the level is another than before and somebody wants to know."""
        wanted, kind = (RISING, RISING_EDGE) if line.level else (FALLING, FALLING_EDGE)
        number = self.lines.index(line)
        if line.level != before and line.flags & wanted and self.is_taken(number):
            nanoseconds = round(self.clock() * 1e9)
            os.write(line.file, EVENT.pack(nanoseconds, kind, number, 0, 0))

    def vanish(self) -> None:
        """The chip is gone: whoever waits for an edge of a line gets an error."""
        for line in self.lines:
            if line.file >= 0:
                os.close(line.file)
                line.file = -1

    def is_taken(self, number: int) -> bool:
        """Whether somebody has the line: took it, and has not closed it since."""
        line = self.lines[number]
        if line.file < 0:
            return False
        poll = select.poll()
        poll.register(line.file, 0)
        return not poll.poll(0)

    # ------------------------------------------------------------ what the kernel does

    def chips(self) -> Iterable[Path]:
        """The character devices of all GPIO chips."""
        labels = (*self.others, self.label) if self.label else self.others
        return [Path(f"/dev/gpiochip{at}") for at in range(len(labels))]

    def open(self, path: Path) -> int:
        """Opens one; raises OSError."""
        if self.denied:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        fd = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        self._labels[fd] = (*self.others, self.label)[int(path.name.removeprefix("gpiochip"))]
        return fd

    def ioctl(self, fd: int, number: int, data: bytearray) -> None:
        """Asks the kernel, which answers in `data`; raises OSError."""
        if number == GET_CHIP_INFO:
            data[:] = CHIP_INFO.pack(b"gpiochip", self._labels[fd].encode(), len(self.lines))
        elif self.broken:
            raise OSError(errno.EIO, "Input/output error")
        elif number == GET_LINE_INFO:
            offset = LINE_INFO.unpack(data)[2]
            data[:] = LINE_INFO.pack(b"", self.lines[offset].consumer.encode(), offset, 0, 0)
        elif number == GET_LINE:
            self._take(data)
        elif number == SET_CONFIG:
            flags, attributes, _, value, _ = CONFIG.unpack(data)
            self._set("set", self._files[fd], flags, value if attributes else 0)
        elif number == GET_VALUES:
            data[:] = VALUES.pack(self._files[fd].level, 1)
        elif number == SET_VALUES:
            line = self._files[fd]
            line.value = VALUES.unpack(data)[0]
            self.log.append(("level", self.lines.index(line), line.value))

    def _take(self, data: bytearray) -> None:
        offset, consumer, flags, attributes, kind, value, *rest = REQUEST.unpack(data)
        line = self.lines[offset]
        if self.is_taken(offset):
            raise OSError(errno.EBUSY, "Device or resource busy")
        ours, line.file = os.pipe2(os.O_CLOEXEC)
        line.consumer = consumer.rstrip(b"\0").decode()
        self._files[ours] = line
        self._set("take", line, flags, value if attributes else 0)
        data[:] = REQUEST.pack(offset, consumer, flags, attributes, kind, value, *rest[:-1], ours)

    def _set(self, what: str, line: FakeLine, flags: int, value: int) -> None:
        before, line.flags, line.value = line.level, flags, value
        self.log.append((what, self.lines.index(line), flags))
        self._tell(line, before)
