"""The kernel's input devices, by python3-evdev."""

import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path
from struct import pack
from typing import Any

from companion.devices.pads.input_devices import KeyEvent

FOLDER = Path("/dev/input")
SET_CLOCK = 0x400445A0
"""EVIOCSCLOCKID of include/uapi/linux/input.h: chooses the clock from which events get their
times."""
KEYS = 1
"""EV_KEY."""


class EvdevDevices:
    """All of /dev/input/event*. Raises ImportError if python3-evdev is missing."""

    def __init__(self, folder: Path = FOLDER) -> None:
        import evdev

        self._evdev: Any = evdev
        self._folder = folder

    def paths(self) -> frozenset[str]:
        """The devices' paths, each with its inode, so that a device that was plugged in anew has
        another."""
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
        """Opens the device with this path, one of `paths`. Raises OSError."""
        return EvdevDevice(self._evdev.InputDevice(path.partition(" ")[0]))


class EvdevDevice:
    """One device; the times of its events are on the clock of `time.monotonic`."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self.name: str = device.name
        self.port: str = device.phys
        self.unique: str = device.uniq
        self.bus: int = device.info.bustype
        self.codes = frozenset(device.capabilities().get(KEYS, ()))
        fcntl.ioctl(device.fd, SET_CLOCK, pack("i", time.CLOCK_MONOTONIC))

    def fileno(self) -> int:
        """The file descriptor, for a selector."""
        return int(self._device.fd)

    def grab(self) -> None:
        """Takes the device for this program alone from now on. Raises OSError."""
        self._device.grab()

    def read(self) -> Iterator[KeyEvent]:
        """The events that have come. Raises OSError when the device is gone."""
        try:
            for event in self._device.read():
                yield KeyEvent(event.type, event.code, event.value, event.timestamp())
        except BlockingIOError:
            return

    def close(self) -> None:
        """Closes the device, and ends the grab."""
        self._device.close()
