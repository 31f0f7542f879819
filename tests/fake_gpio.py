"""A GPIO chip in memory that answers the kernel's own requests: fingers pull its lines, and it can
fail.

It models what gpio_chip.py relies on: a line belongs to one owner at a time, its level is what
pulls it hardest, and an edge is kept with its time if the line's owner asked for edges. It models
nothing else of the kernel.
"""

import errno
import os
import select
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from companion.core.clock import Clock
from companion.devices.gpio.gpio_chip import (
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
    OFFSETS,
    OPEN_DRAIN,
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
    """One line. `held`: the level that something outside gives it (None if nothing does)."""

    flags: int = 0
    value: int = 0
    held: int | None = None
    consumer: str = ""
    file: int = -1
    """The file to which the line's edges are written."""

    @property
    def level(self) -> int:
        """0 or 1: what a meter would show."""
        if self.flags & OUTPUT and not (self.flags & OPEN_DRAIN and self.value):
            return self.value
        return int(bool(self.flags & PULL_UP)) if self.held is None else self.held


@dataclass
class FakeGpio:
    """A system with one chip of 28 lines, or with none if `label` is empty. `clock` gives the
    seconds at which edges happen."""

    clock: Clock
    label: str = "pinctrl-bcm2711"
    denied: bool = False
    """Whether nobody may open the chip."""
    broken: bool = False
    """Whether every request about the lines fails."""
    others: tuple[str, ...] = ()
    """The labels of chips with smaller numbers."""
    lines: list[FakeLine] = field(default_factory=lambda: [FakeLine() for _ in range(28)])
    log: list[tuple[str, int, int]] = field(default_factory=list)
    """("take", "set" or "level", line, flags or level) of every change that was requested."""
    _files: dict[int, list[FakeLine]] = field(default_factory=dict)
    _labels: dict[int, str] = field(default_factory=dict)

    # ------------------------------------------------------------ hands

    def pull(self, number: int, level: int | None) -> None:
        """Drives a line to this level from outside (None to release it)."""
        line = self.lines[number]
        before, line.held = line.level, level
        self._tell(line, before)

    def _tell(self, line: FakeLine, before: int) -> None:
        """Writes an edge to the line's file if the level isn't `before` and its owner asked for
        such edges."""
        wanted, kind = (RISING, RISING_EDGE) if line.level else (FALLING, FALLING_EDGE)
        number = self.lines.index(line)
        if line.level != before and line.flags & wanted and self.is_taken(number):
            nanoseconds = round(self.clock() * 1e9)
            os.write(line.file, EVENT.pack(nanoseconds, kind, number, 0, 0))

    def vanish(self) -> None:
        """Takes the chip away: anything that waits for an edge of a line gets an error."""
        for file in {line.file for line in self.lines if line.file >= 0}:
            os.close(file)
        for line in self.lines:
            line.file = -1

    def is_taken(self, number: int) -> bool:
        """Whether the line is taken: somebody took it and has not closed it since."""
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
        """Opens a chip's device and returns its file descriptor; raises OSError."""
        if self.denied:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        fd = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        self._labels[fd] = (*self.others, self.label)[int(path.name.removeprefix("gpiochip"))]
        return fd

    def ioctl(self, fd: int, number: int, data: bytearray) -> None:
        """Makes a request; the answer is written into `data`. Raises OSError."""
        if number == GET_CHIP_INFO:
            data[:] = CHIP_INFO.pack(b"gpiochip", self._labels[fd].encode(), len(self.lines))
        elif self.broken:
            raise OSError(errno.EIO, "Input/output error")
        elif number == GET_LINE_INFO:
            offset = LINE_INFO.unpack(data)[2]
            consumer = self.lines[offset].consumer.encode()
            data[:] = LINE_INFO.pack(b"", consumer, offset, 0, int(self.is_taken(offset)))
        elif number == GET_LINE:
            self._take(data)
        elif number == SET_CONFIG:
            flags, attributes, _, values, _ = CONFIG.unpack(data)
            self._set("set", self._files[fd], flags, values if attributes else 0)
        elif number == GET_VALUES:
            levels = [self.level(line) << at for at, line in enumerate(self._files[fd])]
            data[:] = VALUES.pack(sum(levels), VALUES.unpack(data)[1])
        elif number == SET_VALUES:
            values = VALUES.unpack(data)[0]
            for at, line in enumerate(self._files[fd]):
                line.value = values >> at & 1
                self.log.append(("level", self.lines.index(line), line.value))

    def level(self, line: FakeLine) -> int:
        """The level that a reading of the line gives: 0 or 1."""
        return line.level

    def _take(self, data: bytearray) -> None:
        offsets, consumer, flags, attributes, kind, values, *rest = REQUEST.unpack(data)
        count = rest[1]
        numbers = OFFSETS.unpack(offsets)[:count]
        if any(self.is_taken(number) for number in numbers):
            raise OSError(errno.EBUSY, "Device or resource busy")
        ours, file = os.pipe2(os.O_CLOEXEC)
        lines = self._files[ours] = [self.lines[number] for number in numbers]
        for line in lines:
            line.file = file
            line.consumer = consumer.rstrip(b"\0").decode()
        self._set("take", lines, flags, values if attributes else 0)
        head = (offsets, consumer, flags, attributes, kind, values, *rest[:-1])
        data[:] = REQUEST.pack(*head, ours)

    def _set(self, what: str, lines: list[FakeLine], flags: int, values: int) -> None:
        for at, line in enumerate(lines):
            before, line.flags, line.value = line.level, flags, values >> at & 1
            self.log.append((what, self.lines.index(line), flags))
            self._tell(line, before)
