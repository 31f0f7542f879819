"""The serial ports of seat keypads, found by the USB ids in the configuration and opened with
pyserial."""

import errno
import os
import re
import selectors
import termios
from contextlib import suppress
from pathlib import Path

from companion.core.budgets import RateLimit

UsbId = tuple[int, int]
"""The vendor id and the product id."""
PICO = "2e8a:0005"
"""A Raspberry Pi Pico or Pico 2 with MicroPython, as written in the configuration."""
_USB_ID = re.compile("[0-9a-fA-F]{4}:[0-9a-fA-F]{4}")


def parse_usb_ids(text: str) -> frozenset[UsbId]:
    """Returns the ids in a text like “2e8a:0005 2341:025e”. Raises ValueError if there is none, or
    a word is not an id."""
    found = set()
    for word in text.split():
        if not _USB_ID.fullmatch(word):
            raise ValueError(f"{word!r} is no USB id: four digits, a colon, four digits (lsusb)")
        found.add((int(word[:4], 16), int(word[5:], 16)))
    if not found:
        raise ValueError("no USB id is there: write at least one, like 2e8a:0005 (lsusb)")
    return frozenset(found)


NAMES = ("ttyACM", "cu.usbmodem")
"""The prefixes of the devices' names, on Linux and on a Mac."""
DEVICES = Path("/dev")

READ_BURST = 65536
READ_PER_S = 8192
"""The most bytes read from a port at once (READ_BURST) and per second after that: twice as many as
from a keypad that sends its whole queue four times per second."""
PAUSE_S = 0.25
"""Seconds for which a port that sends more is not read; its bytes wait."""
MAX_UNSENT = 4096
"""The most unsent bytes kept for a keypad that doesn't read."""

PORT_ERRORS = (OSError, termios.error)
"""The errors of a port that is gone or not available; pyserial's own error is an OSError."""


class UsbPorts:
    """Finds the ports of boards with these USB ids. It is called often, so it only lists one
    directory, and queries USB only if a device has come or gone."""

    def __init__(self, usb: str = PICO, devices: Path = DEVICES) -> None:
        self._ids, self._devices = parse_usb_ids(usb), devices
        self._seen: frozenset[tuple[str, int]] | None = None
        self._found: frozenset[str] = frozenset()

    def __call__(self) -> frozenset[str]:
        """Returns the device paths of all keypads that are plugged in."""
        with os.scandir(self._devices) as entries:
            seen = frozenset(
                (entry.name, entry.inode()) for entry in entries if entry.name.startswith(NAMES)
            )
        if seen != self._seen:
            self._seen = seen
            self._found = self._find_keypads() if seen else frozenset()
        return self._found

    def _find_keypads(self) -> frozenset[str]:
        from serial.tools.list_ports import comports

        return frozenset(port.device for port in comports() if (port.vid, port.pid) in self._ids)


class Port:
    """An open port, whose reads and writes never block. Raises PORT_ERRORS. The time and memory
    that it takes are limited, whatever the device sends."""

    def __init__(self, device: str, now: float) -> None:
        from serial import Serial

        self.device = device
        self._serial = Serial(device, timeout=0, write_timeout=0, exclusive=True)
        self._unsent = b""
        self._limit = RateLimit(READ_BURST, READ_PER_S, now)
        self.silenced_until: float | None = None
        """The time before which the port is not read, because it sent too much."""

    def fileno(self) -> int:
        return self._serial.fileno()

    @property
    def events(self) -> int:
        """The events that the selector has to wait for."""
        read = 0 if self.silenced_until is not None else selectors.EVENT_READ
        return read | (selectors.EVENT_WRITE if self._unsent else 0)

    def read(self, now: float) -> bytes:
        """Returns the bytes received. After the device has sent too much, returns nothing for
        PAUSE_S seconds. Raises OSError when the port is gone."""
        most = min(self._limit.left(now), 4096)
        if most <= 0:
            self.silenced_until = now + PAUSE_S
            return b""
        try:
            data = os.read(self.fileno(), most)
        except BlockingIOError:
            return b""
        if not data:
            raise OSError(errno.ENODEV, "unplugged")
        self._limit.spend(len(data))
        return data

    def write(self, data: bytes) -> None:
        """Sends as much as the port takes now and keeps the rest. If too much is waiting already,
        the data is dropped: the link tries again if it needs an answer."""
        if len(self._unsent) < MAX_UNSENT:
            self._unsent += data
        if self._unsent:
            with suppress(BlockingIOError):
                self._unsent = self._unsent[os.write(self.fileno(), self._unsent) :]

    def close(self) -> None:
        self._serial.close()


def port_problem(error: Exception) -> str:
    """Returns why a port can't be opened, and what to do."""
    number = getattr(error, "errno", None)
    if number == errno.EACCES:
        return "access is not permitted: add this user to the group dialout"
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in str(error):
        return "another program has it: end that first"
    return str(error)
