"""The seats' keypads, any number of them, plugged and unplugged at any time.

One thread waits on all ports. What the links say goes on the loop's queue; what the loop wants
comes back through a queue of its own and a pipe that wakes the thread. At rest it wakes once in two
seconds to look for new ports, and for the answers to a ping every four.
"""

import os
import selectors
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from companion import seats
from companion.console.view import Light, Show
from companion.devices.keypad_status import StatusSocket, silent, status_of
from companion.devices.usb_ports import PORT_ERRORS, Port, UsbPorts, why_not
from companion.keys import Press, PressId
from companion.link.desk import DARK, NO_SEAT, Desk
from companion.link.events import Arrived, KeyWent, LinkEvent, News
from companion.link.fields import Shown
from companion.link.messages import LightIs, SeatIs
from companion.link.session import Link
from companion.seats import BySeat, Seat
from companion.threads import NamedThread

LOOK_S = 2.0
"""Between two looks for new ports."""
COLOURS = tuple(bytes.fromhex(word) for word in ("ff0000", "0000ff", "00ff00", "ff9000"))
"""Of the seats in turn order: red, blue, green, yellow; further ones are white."""
WHITE = b"\xff\xff\xff"
SHOWN = {Light.OFF: Shown.SEAT, Light.TURN: Shown.TURN, Light.PAYS: Shown.PAYS}

LOOK_ROUND_S = 3.0
"""How long to wait for keypads to answer who is asked for them without a table."""

Dress = tuple[SeatIs, LightIs]


def dresses(lights: BySeat[Light] | None, keypads: Mapping[str, Seat]) -> dict[str, Dress]:
    """What each keypad is to show, by its serial number; `keypads` says which seat has which."""
    found = {}
    for keypad, seat in keypads.items():
        if lights is None or seat not in lights.seats:
            continue
        number = lights.seats.order.index(seat)
        found[keypad] = SeatIs(number + 1, colour_of(seat, number)), LightIs(SHOWN[lights[seat]])
    return found


def colour_of(seat: Seat, number: int) -> bytes:
    """A seat that has the name of a colour shines in it, the others by their numbers."""
    if seat in seats.COLOURS:
        number = seats.COLOURS.index(seat)
    return COLOURS[number] if number < len(COLOURS) else WHITE


def look_round(
    report: Callable[[str], None], find: Callable[[], Iterable[str]] | None = None
) -> list[dict[str, Any]]:
    """The keypads that answer now, where no table has their ports. Their queues are emptied: nobody
    plays."""
    keypads = SeatKeypads(lambda _: None, lambda _, __: 0, report, find=find)
    until = time.monotonic() + LOOK_ROUND_S
    try:
        keypads.step(0)
        while not keypads.all_answered and (left := until - time.monotonic()) > 0:
            keypads.step(left)
        return keypads.status()
    finally:
        keypads.close()


class SeatKeypads:
    """Keypads on the ports that `find` gives. Presses and news go to `put`, from a thread of its
    own; `committed` answers for the record (see Desk) and is asked from that thread. `report` gets
    a line when a port can't be had. `status` is where others may ask for the figures."""

    def __init__(
        self,
        put: Callable[[Press | News], None],
        committed: Callable[[str, int], int],
        report: Callable[[str], None],
        *,
        find: Callable[[], Iterable[str]] | None = None,
        clock: Callable[[], float] = time.monotonic,
        status: Path | None = None,
    ) -> None:
        self._put, self._report = put, report
        self._find, self._clock = find or UsbPorts(), clock
        self.desk = Desk(os.urandom(4), committed)
        self._ports: dict[str, tuple[Port, Link]] = {}
        self._refused: dict[str, str] = {}
        """Ports that can't be had, and why: told once."""
        self._dresses: dict[str, Dress] = {}
        self._bare: Dress = NO_SEAT, DARK
        """What a keypad without a seat shows."""
        self._asleep = self._stopping = False
        self._look_at = clock()
        self._wishes: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._woken, selectors.EVENT_READ, self._hear_wishes)
        self._status = StatusSocket(status, self._selector, self.status) if status else None
        self._thread = NamedThread("seat keypads", self._run)

    def start(self) -> None:
        """Begins to look for keypads."""
        self._thread.start()

    def close(self) -> None:
        """Ends the thread and lets go of all ports."""
        self._wish(self._stop)
        if self._thread.is_alive():
            self._thread.join(1.0)
        for device in list(self._ports):
            self._close(device)
        if self._status:
            self._status.close()
        self._selector.close()
        os.close(self._woken)
        os.close(self._wake)

    # ------------------------------------------------------------ from the loop, any thread

    def settle(self, source: PressId, refused: bool) -> None:
        """The loop has dealt with this press."""
        self._wish(partial(self._settled, source, refused))

    def show(self, shown: Show, keypads: Mapping[str, Seat]) -> None:
        """What the lights show from now on; `keypads` says which seat has which."""
        bare = LightIs(Shown.CLAIM) if shown.claiming else DARK
        self._wish(partial(self._dressed, dresses(shown.lights, keypads), (NO_SEAT, bare)))

    def sleep(self, asleep: bool) -> None:
        """The box's display went dark, or is seen again."""
        self._wish(partial(self._slept, asleep))

    def _wish(self, wish: Callable[[], None]) -> None:
        self._wishes.put(wish)
        with suppress(BlockingIOError):  # then so many are waiting that it wakes anyhow
            os.write(self._wake, b"!")

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        while not self._stopping:
            try:
                self.step()
            except Exception:
                # A fault of ours must not silence the keypads: all begin anew after a while.
                traceback.print_exc()
                for device in list(self._ports):
                    self._gone(device)
                self._look_at = self._clock() + LOOK_S

    def step(self, patience_s: float | None = None) -> None:
        """Waits until something comes or is due, at most that long, and deals with it."""
        now = self._clock()
        wake_at = min((self._look_at, *(link.wake_at for _, link in self._ports.values())))
        wait_s = max(wake_at - now, 0.0)
        wait_s = wait_s if patience_s is None else min(wait_s, patience_s)
        for key, _ in self._selector.select(wait_s):
            key.data()
        now = self._clock()
        if now >= self._look_at:
            # At even times, as the links beat: the thread wakes once for both.
            self._look_at = (now // LOOK_S + 1) * LOOK_S
            self._look(now)
        for device, (_, link) in list(self._ports.items()):
            self._tell(link.advance(now))
            self._flush(device)

    def _look(self, now: float) -> None:
        """Opens the ports that have come. Those that have gone tell so by themselves."""
        try:
            there = frozenset(self._find())
        except OSError as error:
            self._cant("USB", str(error))
            return
        self._refused = {name: why for name, why in self._refused.items() if name in there}
        for device in sorted(there - self._ports.keys()):
            try:
                port = Port(device)
            except PORT_ERRORS as error:
                self._cant(device, why_not(error))
                continue
            self._refused.pop(device, None)
            self._ports[device] = port, Link(self.desk, now)
            self._selector.register(port, selectors.EVENT_READ, partial(self._read, device))

    def _cant(self, device: str, why: str) -> None:
        """Tells it at the second attempt: a port that was just plugged in needs a moment."""
        if device not in self._refused:
            self._refused[device] = ""
        elif self._refused[device] != why:
            self._refused[device] = why
            self._report(f"the keypad on {device} can't be opened: {why}")

    def _read(self, device: str) -> None:
        if device not in self._ports:
            return
        port, link = self._ports[device]
        try:
            data = port.read()
        except PORT_ERRORS:
            self._gone(device)
            return
        self._tell(link.receive(data, self._clock()))
        for other, (_, old) in list(self._ports.items()):
            if old.displaced:
                self._gone(other)

    def _flush(self, device: str) -> None:
        if device not in self._ports:
            return
        port, link = self._ports[device]
        try:
            rest = port.write(link.to_send())
        except PORT_ERRORS:
            self._gone(device)
            return
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if rest else 0)
        if self._selector.get_key(port).events != events:
            self._selector.modify(port, events, partial(self._read, device))

    def _gone(self, device: str) -> None:
        self._tell(self._ports[device][1].gone())
        self._close(device)

    def _close(self, device: str) -> None:
        port, _ = self._ports.pop(device)
        self._selector.unregister(port)
        port.close()

    def _tell(self, events: list[LinkEvent]) -> None:
        for event in events:
            if isinstance(event, KeyWent):
                press = Press(event.key, source=event.source, held=event.held, at=event.at)
                self._put(press)
                continue
            if isinstance(event, Arrived):
                self._dress(event.keypad)
            self._put(event)

    # ------------------------------------------------------------ what the loop wants

    def _hear_wishes(self) -> None:
        os.read(self._woken, 4096)
        while True:
            try:
                wish = self._wishes.get_nowait()
            except Empty:
                return
            wish()

    def _settled(self, source: PressId, refused: bool) -> None:
        self.desk.settle(source)
        keypad = self.desk.keypads.get(source.keypad)
        if refused and keypad and keypad.link:
            keypad.link.send(LightIs(Shown.REFUSED))

    def _dressed(self, wanted: dict[str, Dress], bare: Dress) -> None:
        self._dresses, self._bare = wanted, bare
        for serial in self.desk.keypads:
            self._dress(serial)

    def _slept(self, asleep: bool) -> None:
        self._asleep = asleep
        self._dressed(self._dresses, self._bare)

    def _dress(self, serial: str) -> None:
        seat, light = self._dresses.get(serial, self._bare)
        self.desk.keypads[serial].dress(seat, LightIs(Shown.ASLEEP) if self._asleep else light)

    def _stop(self) -> None:
        self._stopping = True

    # ------------------------------------------------------------ figures

    @property
    def all_answered(self) -> bool:
        """Every port has a keypad whose round-trip time is known, or that does not fit."""
        return all(link.answered for _, link in self._ports.values())

    def status(self) -> list[dict[str, Any]]:
        """All keypads and silent ports, as `companion keypads --json` has them."""
        where = {link: device for device, (_, link) in self._ports.items()}
        told = [
            status_of(keypad, where.pop(keypad.link, None) if keypad.link else None)
            for keypad in self.desk.keypads.values()
        ]
        return told + [silent(device) for device in where.values()]
