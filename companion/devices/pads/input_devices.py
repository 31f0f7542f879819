"""The kernel's input devices, as far as the number pads need them. The real ones use python3-evdev;
tests/fake_pads.py has the fakes."""

import fcntl
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from struct import pack
from typing import Any, Protocol

from companion.core.keys import pad_id
from companion.core.values import Json, dataclass
from companion.devices.pads.pad_keys import is_keyboard, is_number_pad

BLUETOOTH = 5
"""The number of the Bluetooth bus, from include/uapi/linux/input.h."""
SYN, KEY, DROPPED = 0, 1, 3
"""Two types of events, and the code of the SYN event that reports lost events."""


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """An event from the kernel, as in include/uapi/linux/input.h, with its time in monotonic
    seconds."""

    kind: int
    code: int
    value: int
    at: float


class InputDevice(Protocol):
    """An open device of /dev/input/event*."""

    @property
    def name(self) -> str:
        """The device's own name."""

    @property
    def port(self) -> str:
        """The physical port of the device, as the kernel names it: usb-0000:01:00.0-1.3/input0."""

    @property
    def unique(self) -> str:
        """The device's unique address; empty if it has none."""

    @property
    def bus(self) -> int:
        """The number of the device's bus, such as BLUETOOTH."""

    @property
    def codes(self) -> frozenset[int]:
        """The codes of the device's keys."""

    def fileno(self) -> int:
        """Returns the file descriptor, for a selector."""

    def grab(self) -> None:
        """Takes exclusive use of the device. Raises OSError."""

    def read(self) -> Iterable[KeyEvent]:
        """Returns the new events. Raises OSError when the device is gone."""

    def close(self) -> None:
        """Closes the device."""


class InputDevices(Protocol):
    """All input devices of a machine."""

    def paths(self) -> frozenset[str]:
        """Returns a text for each device, with its path and a value that changes when it is plugged
        in again."""

    def open(self, path: str) -> InputDevice:
        """Opens a device; `path` is one of the texts that `paths` returned. Raises OSError."""


class NoDevices:
    """A machine without input devices."""

    def paths(self) -> frozenset[str]:
        return frozenset()

    def open(self, path: str) -> InputDevice:
        raise FileNotFoundError(path)


def id_of(device: InputDevice) -> str:
    """Returns a pad's id for the record: its Bluetooth address; if it has none, its port; if it has
    no port either, its name."""
    if device.bus == BLUETOOTH and device.unique:
        return pad_id(device.unique)
    return pad_id(device.port.partition("/")[0].removeprefix("usb-") or device.name)


def status_of(keypad: str, name: str, paths: list[str], seat: int | None) -> Json:
    """Returns one pad's figures, as in `companion keypads --json`."""
    port = paths[0].partition(" ")[0] if paths else None
    return {
        "keypad": keypad, "kind": "number pad", "name": name, "port": port, "here": bool(paths),
        "seat": seat, "fits": True, "presses": 0,
    }  # fmt: skip


def list_pads(devices: InputDevices) -> list[Json]:
    """Returns the figures of the connected number pads, for use while no table is running, as in
    `companion keypads --json`."""
    found = []
    for path in sorted(devices.paths()):
        try:
            device = devices.open(path)
        except OSError:
            continue
        if is_keyboard(device.codes) and is_number_pad(device.codes, device.name):
            found.append(status_of(id_of(device), device.name, [path], None))
        device.close()
    return found


FOLDER = Path("/dev/input")
SET_CLOCK = 0x400445A0
"""EVIOCSCLOCKID of include/uapi/linux/input.h: selects the clock for events' times."""
KEYS = 1
"""EV_KEY: the events of keys."""


class EvdevDevices:
    """All devices of /dev/input/event*. Raises ImportError if python3-evdev is missing."""

    def __init__(self, folder: Path = FOLDER) -> None:
        import evdev

        self._evdev: Any = evdev
        self._folder = folder

    def paths(self) -> frozenset[str]:
        """Returns the devices' paths with their inodes. A device that was plugged in again has
        another inode."""
        try:
            with os.scandir(self._folder) as entries:
                return frozenset(
                    f"{entry.path} {entry.inode()}"
                    for entry in entries
                    if entry.name.startswith("event")
                )
        except FileNotFoundError:
            return frozenset()

    def open(self, path: str) -> "EvdevDevice":
        """Opens a device; `path` is one of the texts that `paths` returned. Raises OSError."""
        return EvdevDevice(self._evdev.InputDevice(path.partition(" ")[0]))


class EvdevDevice:
    """One device, whose events have times on the clock of `time.monotonic`."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self.name: str = device.name
        self.port: str = device.phys
        self.unique: str = device.uniq
        self.bus: int = device.info.bustype
        self.codes = frozenset(device.capabilities().get(KEYS, ()))
        fcntl.ioctl(device.fd, SET_CLOCK, pack("i", time.CLOCK_MONOTONIC))

    def fileno(self) -> int:
        return int(self._device.fd)

    def grab(self) -> None:
        """Takes exclusive use of the device. Raises OSError."""
        self._device.grab()

    def read(self) -> Iterator[KeyEvent]:
        """Yields the new events. Raises OSError when the device is gone."""
        try:
            for event in self._device.read():
                yield KeyEvent(event.type, event.code, event.value, event.timestamp())
        except BlockingIOError:
            return

    def close(self) -> None:
        self._device.close()
