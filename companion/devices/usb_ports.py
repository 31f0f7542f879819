"""The serial ports that seat keypads are on: found by their USB id, opened with pyserial."""

import errno
import os
import termios
from contextlib import suppress
from pathlib import Path

from serial import Serial
from serial.tools.list_ports import comports

from companion.devices.usb_ids import PICO, parse_usb_ids

NAMES = ("ttyACM", "cu.usbmodem")
"""What their devices are called, on Linux and on a Mac."""
DEVICES = Path("/dev")

PORT_ERRORS = (OSError, termios.error)
"""What a port raises that is gone or can't be had; pyserial's own error is an OSError."""


class UsbPorts:
    """Finds the ports of boards with these USB ids. USB is only asked when a device has come or
    gone: this is called for ever, and costs one look into a directory."""

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
            self._found = frozenset(
                port.device for port in comports() if (port.vid, port.pid) in self._ids
            )
        return self._found


class Port:
    """An open port; reading and writing never wait. Raises PORT_ERRORS."""

    def __init__(self, device: str) -> None:
        self.device = device
        self._serial = Serial(device, timeout=0, write_timeout=0, exclusive=True)
        self._unsent = b""

    def fileno(self) -> int:
        """For a selector."""
        return self._serial.fileno()

    def read(self) -> bytes:
        """What has come. Raises OSError when the port is gone."""
        try:
            data = os.read(self.fileno(), 4096)
        except BlockingIOError:
            return b""
        if not data:
            raise OSError(errno.ENODEV, "unplugged")
        return data

    def write(self, data: bytes) -> bool:
        """Sends as much as the port takes now and keeps the rest; whether there is a rest."""
        self._unsent += data
        if self._unsent:
            with suppress(BlockingIOError):
                self._unsent = self._unsent[os.write(self.fileno(), self._unsent) :]
        return bool(self._unsent)

    def close(self) -> None:
        """Lets go of it."""
        self._serial.close()


def why_not(error: Exception) -> str:
    """Why a port can't be opened, and what to do."""
    number = getattr(error, "errno", None)
    if number == errno.EACCES:
        return "access is not permitted: add this user to the group dialout"
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in str(error):
        return "another program has it: end that first"
    return str(error)
