"""Input devices in memory: pads that are plugged in, typed on in the kernel's own events, and
pulled out."""

import errno
import os
from collections.abc import Iterable, Iterator

from companion.devices.pads.input_devices import DROPPED, KEY, SYN, KeyEvent
from companion.devices.pads.pad_keys import PAD_CODES

SCANCODE = 4
"""The kind and code of the event that comes before each key: MSC_SCAN."""
PAD = frozenset({69, *PAD_CODES})


class FakePad:
    """One device; its file is a pipe, so that a selector can wait for it."""

    def __init__(
        self, name: str, port: str, codes: Iterable[int] = PAD, unique: str = "", bus: int = 3
    ) -> None:
        self.name, self.port, self.unique, self.bus = name, port, unique, bus
        self.codes = frozenset(codes)
        self.grabbed = self.gone = self.open = False
        self.busy = False
        """Whether another program has grabbed the pad."""
        self.reads = 0
        """The number of times that somebody has looked for events."""
        self._events: list[KeyEvent] = []
        self._readable, self._writable = os.pipe()

    def plugged(self) -> "FakePad":
        """Opens the pad as the kernel does. Raises OSError if it was pulled out."""
        if self.gone:
            raise OSError(errno.ENODEV, "No such device")
        self.open = True
        return self

    def fileno(self) -> int:
        """The file descriptor, for a selector."""
        return self._readable

    def grab(self) -> None:
        """Grabs the pad for this program alone. Raises OSError while another has it."""
        if self.busy:
            raise OSError(errno.EBUSY, "Device or resource busy")
        self.grabbed = True

    def read(self) -> Iterator[KeyEvent]:
        """The events that have arrived. Raises OSError once the pad was pulled out."""
        self.reads += 1
        os.read(self._readable, 1 << 16)
        if self.gone:
            raise OSError(errno.ENODEV, "No such device")
        events, self._events = self._events, []
        yield from events

    def close(self) -> None:
        """Closes the pad and ends the grab."""
        self.open = self.grabbed = False

    # ------------------------------------------------------------ hands

    def move(self, code: int, value: int, at: float) -> None:
        """Moves a key, as the kernel reports it: its scan code, the key, and a SYN that ends the
        report."""
        key_events = (
            KeyEvent(SCANCODE, SCANCODE, 0x70000 + code, at),
            KeyEvent(KEY, code, value, at),
        )
        self.tell(*key_events, KeyEvent(SYN, 0, 0, at))

    def drop(self, at: float) -> None:
        """Reports that the kernel has lost events."""
        self.tell(KeyEvent(SYN, DROPPED, 0, at))

    def tell(self, *events: KeyEvent) -> None:
        """Makes these events ready to be read."""
        if not self._events:
            os.write(self._writable, b"!")
        self._events += events

    def pull(self) -> None:
        """Pulls the cable out."""
        self.gone = True
        os.write(self._writable, b"!")


class FakeDevices:
    """All pads that are plugged in, by their paths."""

    def __init__(self, **pads: FakePad) -> None:
        self._pads = dict(pads)
        self._count = 0
        self.denied = False
        """Whether nobody may open any device."""

    def plug(self, pad: FakePad) -> None:
        """Plugs in one more pad."""
        self._count += 1
        self._pads[f"/dev/input/event{self._count}"] = pad

    def paths(self) -> frozenset[str]:
        """The paths of the devices."""
        return frozenset(
            f"{path} {id(pad)}" for path, pad in self._pads.items() if not pad.gone
        )  # fmt: skip

    def open(self, path: str) -> FakePad:
        """Opens the pad with this path, one of `paths`. Raises OSError."""
        if self.denied:
            raise PermissionError(errno.EACCES, "Permission denied")
        return self._pads[path.partition(" ")[0]].plugged()
