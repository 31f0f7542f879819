"""The serial ports of seat keypads: found by the USB ids in the configuration, opened with
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
"""The maker's number and the product's."""
PICO = "2e8a:0005"
"""A Raspberry Pi Pico or Pico 2 with MicroPython, as it is written in the configuration."""
_USB_ID = re.compile("[0-9a-fA-F]{4}:[0-9a-fA-F]{4}")


def parse_usb_ids(text: str) -> frozenset[UsbId]:
    """The ids in a text like “2e8a:0005 2341:025e”. Raises ValueError if there is none, or a word
    is not an id."""
    found = set()
    for word in text.split():
        if not _USB_ID.fullmatch(word):
            raise ValueError(f"{word!r} is no USB id: four digits, a colon, four digits (lsusb)")
        found.add((int(word[:4], 16), int(word[5:], 16)))
    if not found:
        raise ValueError("no USB id is there: write at least one, like 2e8a:0005 (lsusb)")
    return frozenset(found)


NAMES = ("ttyACM", "cu.usbmodem")
"""How the names of their devices begin, on Linux and on a Mac."""
DEVICES = Path("/dev")

READ_BURST = 65536
READ_PER_S = 8192
"""Bytes that are read from a port: so many at once, and so many a second from then on. A keypad
that sends its whole queue four times a second sends half of that."""
PAUSE_S = 0.25
"""How long a port that sends more is left unread; its bytes wait there."""
MOST_UNSENT = 4096
"""Bytes that may wait for a keypad that does not read."""

PORT_ERRORS = (OSError, termios.error)
"""The errors of a port that is gone or can't be had; pyserial's own error is an OSError."""


class UsbPorts:
    """Finds the ports of boards with these USB ids. It is called again and again, so it looks only
    into one directory, and asks USB itself only if a device has come or gone."""

    def __init__(self, usb: str = PICO, devices: Path = DEVICES) -> None:
        self._ids, self._devices = parse_usb_ids(usb), devices
        self._seen: frozenset[tuple[str, int]] | None = None
        self._found: frozenset[str] = frozenset()

    def __call__(self) -> frozenset[str]:
        """The devices of all keypads that are plugged in."""
        with os.scandir(self._devices) as entries:
            seen = frozenset(
                (entry.name, entry.inode()) for entry in entries if entry.name.startswith(NAMES)
            )
        if seen != self._seen:
            self._seen = seen
            self._found = self._keypads() if seen else frozenset()
        return self._found

    def _keypads(self) -> frozenset[str]:
        from serial.tools.list_ports import comports

        return frozenset(port.device for port in comports() if (port.vid, port.pid) in self._ids)


class Port:
    """An open port; reading and writing never wait. Raises PORT_ERRORS. Whatever the device sends,
    it can take up only so much time and memory."""

    def __init__(self, device: str, now: float) -> None:
        from serial import Serial

        self.device = device
        self._serial = Serial(device, timeout=0, write_timeout=0, exclusive=True)
        self._unsent = b""
        self._limit = RateLimit(READ_BURST, READ_PER_S, now)
        self.silenced_until: float | None = None
        """The time before which the port is not read, since it has sent too much."""

    def fileno(self) -> int:
        return self._serial.fileno()

    @property
    def events(self) -> int:
        """The events that a selector is to wait for."""
        read = 0 if self.silenced_until is not None else selectors.EVENT_READ
        return read | (selectors.EVENT_WRITE if self._unsent else 0)

    def read(self, now: float) -> bytes:
        """The bytes that have come; none, for PAUSE_S, if the port has sent too much. Raises
        OSError when the port is gone."""
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
        """Sends as much as the port takes now and keeps the rest. Data that comes while too much is
        kept is thrown away: the link asks again if it needs an answer."""
        if len(self._unsent) < MOST_UNSENT:
            self._unsent += data
        if self._unsent:
            with suppress(BlockingIOError):
                self._unsent = self._unsent[os.write(self.fileno(), self._unsent) :]

    def close(self) -> None:
        self._serial.close()


def port_problem(error: Exception) -> str:
    """Why a port can't be opened, and what to do."""
    number = getattr(error, "errno", None)
    if number == errno.EACCES:
        return "access is not permitted: add this user to the group dialout"
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in str(error):
        return "another program has it: end that first"
    return str(error)
