"""Number pads, any number of them, which may be plugged in and unplugged at any time. Their keys
become presses of the box, or of the seat that has the pad.

One thread waits on all pads. The program grabs each pad while it runs, so that nothing is typed
into a console. A pad is identified by its port, because pads of the same model can't be
distinguished otherwise. For the loop it is a keypad like those with a Pico (see keys.is_pad)."""

import os
import selectors
import time
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import partial
from typing import Any

from companion.console.frame import BoxPicture
from companion.core.clock import Clock
from companion.core.keys import Press, PressId
from companion.core.seats import Seat
from companion.core.values import Json, dataclass
from companion.devices.gpio.debounce import Debounce, Edge, Timing
from companion.devices.keypads.port_thread import PortThread
from companion.devices.link.events import KeypadArrived, KeypadLeft, News
from companion.devices.pads.input_devices import (
    DROPPED,
    KEY,
    SYN,
    InputDevice,
    InputDevices,
    id_of,
    status_of,
)
from companion.devices.pads.pad_keys import (
    KEYBOARD_CODES,
    PAD_CODES,
    PadKeys,
    is_keyboard,
    is_number_pad,
)

LOOK_S = 4.0
"""Seconds between looks for new devices; each look wakes the processor."""
PAUSE_S = 0.25
"""Seconds for which a pad that sends too much is not read; the kernel keeps as many of its events
as it can."""


@dataclass(slots=True)
class _Pad:
    """A pad that this program has grabbed."""

    keypad: str
    device: InputDevice
    keys: PadKeys
    debounce: Debounce
    flood_reported: bool = False
    silenced_until: float | None = None
    """The time before which the pad is not read, because it sent too much."""


@dataclass(slots=True)
class _KnownPort:
    """What is known about a pad's port, remembered as long as the program runs."""

    name: str
    presses: int = 0
    paths: set[str] = field(default_factory=set)
    """The pad's current device paths; some pads are two devices."""


class NumberPads:
    """The number pads among `devices`. Presses and other events go to `put`, from a separate
    thread. `report` gets a line of text when a pad is not available, or sends too much. `take`: one
    of TAKE_VALUES; `wired`: whether the box has other keys."""

    def __init__(
        self,
        put: Callable[[Press | News], None],
        report: Callable[[str], None],
        devices: InputDevices,
        *,
        take: str = "auto",
        wired: bool = True,
        timing: Timing | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._put, self._report, self._devices = put, report, devices
        self._take, self._wired, self._clock = take, wired, clock
        given = timing or Timing()
        # A press counts at once, because a pad debounces its contacts itself; but a worn key
        # may open for a moment and close again.
        self._timing = replace(given, contact_s=0.0)
        self._boot = int.from_bytes(os.urandom(4), "big")
        self._pads: dict[str, _Pad] = {}
        self._known: dict[str, _KnownPort] = {}
        self._seen: frozenset[str] = frozenset()
        self._refused: dict[str, str] = {}
        """Why devices are not available, by device; each reason is reported once, at the second
        attempt."""
        self._seats: Mapping[str, int] = {}
        self._look_at = clock()
        self._thread = PortThread("number pads", self.step, self._restart)

    def start(self) -> None:
        """Starts looking for pads, unless the configuration forbids using any."""
        if self._take != "nothing":
            self._thread.start()

    def close(self) -> None:
        """Ends the thread and releases all pads."""
        self._thread.stop()
        for path in list(self._pads):
            self._release_pad(path)
        self._thread.close()

    def show(self, shown: BoxPicture, keypads: Mapping[str, Seat]) -> None:
        """Notes each seat's pad, for `status`. Any thread may call it."""
        order = shown.lights.seats.order if shown.lights else ()
        self._seats = {pad: order.index(seat) + 1 for pad, seat in keypads.items() if seat in order}

    # ------------------------------------------------------------ the thread

    def _restart(self) -> None:
        """Releases all pads, and looks for pads again after a while."""
        for path in list(self._pads):
            self._remove_pad(path)
        self._look_at = self._clock() + LOOK_S

    def step(self, patience_s: float | None = None) -> None:
        """Waits at most `patience_s` seconds until something arrives or is due, and handles it."""
        dues = [self._look_at]
        for pad in self._pads.values():
            its = pad.keys.wake_at, pad.debounce.wake_at, pad.silenced_until
            dues += [at for at in its if at is not None]
        wait_s = min(dues) - self._clock()
        self._thread.wait(wait_s if patience_s is None else min(wait_s, patience_s))
        now = self._clock()
        if now >= self._look_at:
            # At the same times as for seat keypads, so that both threads wake together.
            self._look_at = (now // LOOK_S + 1) * LOOK_S
            self._look_for_pads()
        for path, pad in self._pads.items():
            self._send_presses(pad, pad.keys.advance(now), now)
            if pad.silenced_until is not None and now >= pad.silenced_until:
                pad.silenced_until = None
                self._listen(path, pad.device)

    def _look_for_pads(self) -> None:
        """Opens the pads that are new. Pads that are gone are noticed when reading fails."""
        there = self._devices.paths()
        if there == self._seen and not self._refused:
            return
        opened = {path: self._open_keyboard(path) for path in sorted(there - self._seen)}
        opened |= {path: self._open_keyboard(path) for path in sorted(self._refused.keys() & there)}
        self._seen = there
        self._refused = {path: why for path, why in self._refused.items() if path in there}
        found = {path: device for path, device in opened.items() if device is not None}
        pads = {path for path, one in found.items() if is_number_pad(one.codes, one.name)}
        alone = not self._wired and not pads and not self._pads
        full = self._take == "keyboards" or (self._take == "auto" and alone)
        for path, device in found.items():
            if path in pads or full:
                self._add_pad(path, device, PAD_CODES if path in pads else KEYBOARD_CODES)
            else:
                self._refused.pop(path, None)
                device.close()

    def _open_keyboard(self, path: str) -> InputDevice | None:
        """Opens a device and returns it if it is a keyboard of any kind. Returns None for anything
        else, or if it is not available."""
        try:
            device = self._devices.open(path)
        except OSError as error:
            self._report_unopened(path, error)
            return None
        if is_keyboard(device.codes):
            return device
        self._refused.pop(path, None)
        device.close()
        return None

    def _add_pad(self, path: str, device: InputDevice, codes: Mapping[int, Any]) -> None:
        try:
            device.grab()
        except OSError as error:
            device.close()
            self._report_unopened(path, error)
            return
        self._refused.pop(path, None)
        keypad = id_of(device)
        self._pads[path] = _Pad(
            keypad, device, PadKeys(codes, self._timing.release_s), Debounce(self._timing)
        )
        self._listen(path, device)
        again = keypad in self._known
        known = self._known.setdefault(keypad, _KnownPort(device.name))
        known.name = device.name
        known.paths.add(path)
        if len(known.paths) == 1:
            self._put(KeypadArrived(keypad, again=again))

    def _listen(self, path: str, device: InputDevice) -> None:
        self._thread.selector.register(device, selectors.EVENT_READ, partial(self._read, path))

    def _report_unopened(self, path: str, error: OSError) -> None:
        """Reports why a device is not available, but only at the second attempt: a newly plugged-in
        device needs a moment."""
        why = error.strerror or str(error)
        if path not in self._refused:
            self._refused[path] = ""
        elif self._refused[path] != why:
            self._refused[path] = why
            device = path.partition(" ")[0]
            self._report(f"the number pad on {device} can't be had ({why}): is another using it?")

    def _read(self, path: str) -> None:
        if path not in self._pads:  # unplugged at this moment
            return
        pad = self._pads[path]
        try:
            events = list(pad.device.read())
        except OSError:
            self._remove_pad(path)
            return
        for event in events:
            if event.kind == KEY:
                self._send_presses(pad, pad.keys.feed(event.code, event.value, event.at), event.at)
            elif event.kind == SYN and event.code == DROPPED:
                self._send_presses(pad, pad.keys.release(event.at), event.at)
        if pad.keys.flooded and not pad.flood_reported:
            name = self._known[pad.keypad].name
            self._report(f"“{name}” presses more keys than anybody can: it counts as nothing.")
        pad.flood_reported = pad.keys.flooded
        if pad.keys.flooded:
            pad.silenced_until = self._clock() + PAUSE_S
            self._thread.selector.unregister(pad.device)

    def _send_presses(self, pad: _Pad, edges: list[Edge], now: float) -> None:
        """Sends the presses that result from these edges, or that are due by now."""
        presses = [press for edge in edges for press in pad.debounce.feed(edge)]
        for press in (*presses, *pad.debounce.advance(now)):
            known = self._known[pad.keypad]
            known.presses += 1
            source = PressId(pad.keypad, self._boot, known.presses)
            self._put(replace(press, source=source, at=edges[-1].at if edges else now))

    def _remove_pad(self, path: str) -> None:
        known = self._known[self._pads[path].keypad]
        pad = self._release_pad(path)
        known.paths.discard(path)
        if not known.paths:
            self._put(KeypadLeft(pad.keypad))
        if not self._pads:
            self._seen = frozenset()  # a full keyboard may be needed now

    def _release_pad(self, path: str) -> _Pad:
        pad = self._pads.pop(path)
        if pad.silenced_until is None:
            self._thread.selector.unregister(pad.device)
        pad.device.close()
        return pad

    # ------------------------------------------------------------ figures

    def status(self) -> list[Json]:
        """Returns the figures of all pads, as in `companion keypads --json`."""
        return [
            status_of(keypad, known.name, sorted(known.paths), self._seats.get(keypad))
            | {"presses": known.presses}
            for keypad, known in list(self._known.items())
        ]
