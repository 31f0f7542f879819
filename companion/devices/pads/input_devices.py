"""The kernel's input devices as the number pads need them; evdev_devices.py has the real ones,
fake_pads.py those of the tests.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from companion.core.keys import pad_id
from companion.core.values import Json
from companion.devices.pads.pad_keys import is_keyboard, is_number_pad

BLUETOOTH = 5
"""A device's bus: include/uapi/linux/input.h."""
SYN, KEY, DROPPED = 0, 1, 3
"""Kinds of events, and the code of the one that says that some are lost."""


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """An event from the kernel: include/uapi/linux/input.h, with the time in monotonic seconds."""

    kind: int
    code: int
    value: int
    at: float


class InputDevice(Protocol):
    """One of /dev/input/event*, open."""

    @property
    def name(self) -> str:
        """What it calls itself."""

    @property
    def port(self) -> str:
        """The port where the device is plugged in, as the kernel says it:
        usb-0000:01:00.0-1.3/input0."""

    @property
    def unique(self) -> str:
        """Its own address, where it has one."""

    @property
    def bus(self) -> int:
        """The kind of its bus."""

    @property
    def codes(self) -> frozenset[int]:
        """The keys that it has."""

    def fileno(self) -> int:
        """The file descriptor, for a selector."""

    def grab(self) -> None:
        """Takes the device for us alone from now on. Raises OSError."""

    def read(self) -> Iterable[KeyEvent]:
        """What has come. Raises OSError when it is gone."""

    def close(self) -> None:
        """Lets go of it."""


class InputDevices(Protocol):
    """All that are there."""

    def paths(self) -> frozenset[str]:
        """The paths of the devices, each with what makes it another after a replug."""

    def open(self, path: str) -> InputDevice:
        """One of them. Raises OSError."""


class NoDevices:
    """A machine without input devices."""

    def paths(self) -> frozenset[str]:
        """No paths: there are none."""
        return frozenset()

    def open(self, path: str) -> InputDevice:
        """Raises OSError."""
        raise FileNotFoundError(path)


def id_of(device: InputDevice) -> str:
    """A pad's name for the record: the port that it is on, or its own address where it has none."""
    if device.bus == BLUETOOTH and device.unique:
        return pad_id(device.unique)
    return pad_id(device.port.partition("/")[0].removeprefix("usb-") or device.name)


def status_of(keypad: str, name: str, paths: list[str], seat: int | None) -> Json:
    """One pad, as `companion keypads --json` has it."""
    port = paths[0].partition(" ")[0] if paths else None
    return {
        "keypad": keypad, "kind": "number pad", "name": name, "port": port, "here": bool(paths),
        "seat": seat, "fits": True, "presses": 0,
    }  # fmt: skip


def look_for_pads(devices: InputDevices) -> list[Json]:
    """The pads that there are, where no table has them."""
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
