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

from companion.console.view import Show
from companion.devices.keypad_lights import Dress, dresses
from companion.devices.keypad_status import StatusSocket, silent, status_of
from companion.devices.usb_ports import PORT_ERRORS, Port, UsbPorts, why_not
from companion.keys import Press, PressId
from companion.link.desk import DARK, NO_SEAT, Desk
from companion.link.events import Arrived, KeyWent, LinkEvent, News
from companion.link.fields import Shown
from companion.link.messages import LightIs
from companion.link.session import Link
from companion.seats import Seat
from companion.threads import NamedThread

LOOK_S = 2.0
"""Between two looks for new ports."""
LOOK_ROUND_S = 3.0
"""How long to wait for keypads to answer who is asked for them without a table."""
ANSWER_S = 0.3
"""How long keypads have to answer when somebody asks who is here."""


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
        keypads.ask()
        while keypads.is_asking:
            keypads.step()
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
        self._asked_at: float | None = None
        """When somebody has asked who is here, and is to be told."""
        self._wishes: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._woken, selectors.EVENT_READ, self._hear_wishes)
        self._status = StatusSocket(status, self._selector, self.ask) if status else None
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
        wait_s = max(self._wake_at - self._clock(), 0.0)
        wait_s = wait_s if patience_s is None else min(wait_s, patience_s)
        for key, _ in self._selector.select(wait_s):
            key.data()
        now = self._clock()
        if now >= self._look_at:
            # At even times, as the links beat: the thread wakes once for both.
            self._look_at = (now // LOOK_S + 1) * LOOK_S
            self._look(now)
        for device, (port, link) in list(self._ports.items()):
            if port.silenced_until is not None and now >= port.silenced_until:
                port.silenced_until = None
            self._tell(link.advance(now))
            self._flush(device)
        self._answer(now)

    @property
    def _wake_at(self) -> float:
        """When something is due."""
        answer_at = [] if self._asked_at is None else [self._asked_at + ANSWER_S]
        silenced = (port.silenced_until for port, _ in self._ports.values())
        links = (link.wake_at for _, link in self._ports.values())
        return min((self._look_at, *answer_at, *(at for at in silenced if at is not None), *links))

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
                port = Port(device, now)
            except PORT_ERRORS as error:
                self._cant(device, why_not(error))
                continue
            self._refused.pop(device, None)
            self._ports[device] = port, Link(self.desk, now)
            self._listen(device)

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
            now = self._clock()
            data = port.read(now)
        except PORT_ERRORS:
            self._gone(device)
            return
        self._tell(link.receive(data, now))
        for other, (_, old) in list(self._ports.items()):
            if old.displaced:
                self._gone(other)

    def _flush(self, device: str) -> None:
        if device not in self._ports:
            return
        port, link = self._ports[device]
        try:
            port.write(link.to_send())
        except PORT_ERRORS:
            self._gone(device)
            return
        self._listen(device)

    def _listen(self, device: str) -> None:
        """Waits for what the port is to be waited for."""
        port, _ = self._ports[device]
        known = self._selector.get_map().get(port.fileno())
        if known is None and port.events:
            self._selector.register(port, port.events, partial(self._read, device))
        elif known is not None and not port.events:
            self._selector.unregister(port)
        elif known is not None and known.events != port.events:
            self._selector.modify(port, port.events, known.data)

    def _gone(self, device: str) -> None:
        self._tell(self._ports[device][1].gone())
        self._close(device)

    def _close(self, device: str) -> None:
        port, _ = self._ports.pop(device)
        if port.fileno() in self._selector.get_map():
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

    def ask(self) -> None:
        """Asks all keypads whether they are here; whoever asked is told when they have answered."""
        self._asked_at = now = self._clock()
        for _, link in self._ports.values():
            link.ask(now)

    @property
    def is_asking(self) -> bool:
        """Whether answers are still to be waited for."""
        return self._asked_at is not None

    def _answer(self, now: float) -> None:
        if self._asked_at is None:
            return
        links = (link for _, link in self._ports.values())
        if now >= self._asked_at + ANSWER_S or all(
            link.was_heard_since(self._asked_at) for link in links
        ):
            self._asked_at = None
            if self._status:
                self._status.answer(self.status())

    @property
    def all_answered(self) -> bool:
        """Every port has a keypad whose round-trip time is known, or that does not fit."""
        return all(link.answered for _, link in self._ports.values())

    def status(self) -> list[dict[str, Any]]:
        """All keypads and silent ports, as `companion keypads --json` has them."""
        now = self._clock()
        where = {link: device for device, (_, link) in self._ports.items()}
        told = [
            status_of(keypad, where.pop(keypad.link, None) if keypad.link else None, now)
            for keypad in self.desk.keypads.values()
        ]
        return told + [silent(device) for device in where.values()]
