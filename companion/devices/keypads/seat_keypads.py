"""The seat keypads, any number of them, which may be plugged in and unplugged at any time.

One thread waits on all ports. It puts the links' events on the loop's queue; the loop's requests
come back through another queue, and a pipe that wakes the thread. When idle it wakes up every two
seconds to look for new ports, and every four seconds for the answers to a ping. The code for the
keypads is loaded when the first one appears (keypad_ports.py)."""

import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from companion.console.frame import BoxPicture
from companion.console.sounds import Level
from companion.core.clock import Clock
from companion.core.keys import Press, PressId
from companion.core.seats import Seat
from companion.core.threads import NamedThread
from companion.core.values import Json
from companion.devices.keypads.keypad_status import StatusSocket
from companion.devices.keypads.port_thread import PortThread
from companion.devices.keypads.usb_ports import UsbPorts

if TYPE_CHECKING:
    from companion.devices.keypads.keypad_ports import KeypadPorts
    from companion.devices.link.events import News

LOOK_S = 2.0
"""Seconds between looks for new ports."""
LOOK_ROUND_S = 3.0
"""Seconds for which `scan_keypads` waits for keypads to answer."""
ANSWER_S = 0.3
"""Seconds that keypads have to answer a request for their figures."""

_Shown = tuple[BoxPicture | None, Mapping[str, Seat], Level]
"""The picture for the lights, the seat of each keypad, and the loudness of the keypads."""


def scan_keypads(
    report: Callable[[str], None], find: Callable[[], Iterable[str]] | None = None
) -> list[Json]:
    """Looks for keypads while no table uses their ports, and returns the figures of those that
    answer. Their queued presses are discarded, because no game is running."""
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
    """The keypads on the ports that `find` returns.

    Presses and other events go to `put`, which is called from a separate thread. That thread also
    calls `committed(keypad, boot)` for the number of the keypad's last press that is in the record
    (see KeypadRegistry). `report` gets a line of text when a port is not available. `status` is the
    path of a socket on which programs may request the keypads' figures; `others` returns the
    figures of keypads of another kind."""

    def __init__(
        self,
        put: "Callable[[Press | News], None]",
        last_kept_press: Callable[[str, int], int],
        report: Callable[[str], None],
        *,
        find: Callable[[], Iterable[str]] | None = None,
        clock: Clock = time.monotonic,
        status: Path | None = None,
        others: Callable[[], list[Json]] = list,
    ) -> None:
        self._put, self._last_kept_press, self._report = put, last_kept_press, report
        self._find, self._clock, self._others = find or UsbPorts(), clock, others
        self._loaded: KeypadPorts | None = None
        """The ports; None until the first keypad appears."""
        self._shown: _Shown = None, {}, Level.OFF
        self._asleep = False
        self._look_at = clock()
        self._trouble = ""
        """Why keypads can't be looked for; each reason is reported once."""
        self._asked_at: float | None = None
        """When the figures were last requested; None if no request is waiting."""
        self._wishes: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._thread = PortThread("seat keypads", self.step, self._restart, self._run_queued_calls)
        self._status = StatusSocket(status, self._thread.selector, self.ask) if status else None

    @property
    def ports(self) -> "KeypadPorts":
        """The keypads' ports, loaded at first use."""
        if self._loaded is None:
            from companion.devices.keypads.keypad_ports import KeypadPorts

            self._loaded = KeypadPorts(
                self._put, self._last_kept_press, self._report, self._thread.selector, self._clock
            )
            self._loaded.show(*self._shown, self._asleep)
        return self._loaded

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Ends the thread and closes all ports."""
        self._thread.stop()
        if self._loaded:
            self._loaded.close()
        if self._status:
            self._status.close()
        self._thread.close()

    # ------------------------------------------------------------ called from any thread

    def settle(self, source: PressId, refused: bool) -> None:
        """Notes that the loop has processed this press. If it was refused, its keypad shows
        that."""
        self._queue_call(lambda: self.ports.settle(source, refused))

    def show(
        self, shown: BoxPicture, keypads: Mapping[str, Seat], level: Level = Level.OFF
    ) -> None:
        """Sets the lights and the loudness of the keypads; `keypads` has the seat of each keypad,
        by serial number."""
        self._queue_call(partial(self._set_displays, (shown, keypads, level)))

    def sleep(self, asleep: bool) -> None:
        """Informs the keypads that the box's display went dark, or is lit again."""
        self._queue_call(partial(self._set_displays, None, asleep))

    def renew(self, tell: "Callable[[str, str], None]") -> None:
        """Installs the box's firmware on all connected keypads that have an older one. For each
        keypad, `tell` is called from another thread, with its serial number and why it failed
        (empty if it succeeded)."""
        self._queue_call(partial(self._renew, tell))

    def _renew(self, tell: "Callable[[str, str], None]") -> None:
        from companion.devices.keypads.renewal import RenewalError, firmware_here, install

        firmware = firmware_here()
        if firmware is None or self._loaded is None:
            return
        older = self._loaded.lend_outdated(firmware.version)

        def work() -> None:
            for device, serial in older.items():
                try:
                    install(device, firmware)
                except RenewalError as error:
                    tell(serial, error.why)
                else:
                    tell(serial, "")
                self._queue_call(partial(self.ports.reclaim, device))

        if older:
            NamedThread("new firmware", work).start()

    def _queue_call(self, wish: Callable[[], None]) -> None:
        self._wishes.put(wish)
        self._thread.wake()

    # ------------------------------------------------------------ the thread

    def _restart(self) -> None:
        """Closes all ports, and looks for keypads again after a while."""
        if self._loaded:
            self._loaded.restart()
        self._look_at = self._clock() + LOOK_S

    def step(self, patience_s: float | None = None) -> None:
        """Waits at most `patience_s` seconds until something arrives or is due, and handles it."""
        wait_s = self._wake_at - self._clock()
        self._thread.wait(wait_s if patience_s is None else min(wait_s, patience_s))
        now = self._clock()
        if now >= self._look_at:
            # At the times of the links' pings, so that the thread wakes once for both.
            self._look_at = (now // LOOK_S + 1) * LOOK_S
            self._look_for_keypads(now)
        if self._loaded:
            self._loaded.advance(now)
        self._answer_programs(now)

    @property
    def _wake_at(self) -> float:
        """The time at which the thread has to run next: to look for keypads, to send the requested
        figures, or because a port needs it."""
        answer_at = [] if self._asked_at is None else [self._asked_at + ANSWER_S]
        ports = self._loaded.wake_at if self._loaded else []
        return min((self._look_at, *answer_at, *ports))

    def _look_for_keypads(self, now: float) -> None:
        try:
            there = frozenset(self._find())
        except OSError as error:
            if str(error) != self._trouble:
                self._trouble = str(error)
                self._report(f"the keypads can't be looked for: {error}")
            return
        self._trouble = ""
        if there or self._loaded:
            self.ports.look(there, now)

    # ------------------------------------------------------------ requests of the loop

    def _run_queued_calls(self) -> None:
        while True:
            try:
                wish = self._wishes.get_nowait()
            except Empty:
                return
            wish()

    def _set_displays(self, shown: _Shown | None, asleep: bool | None = None) -> None:
        self._shown = shown or self._shown
        self._asleep = self._asleep if asleep is None else asleep
        if self._loaded:
            self._loaded.show(*self._shown, self._asleep)

    # ------------------------------------------------------------ figures

    def ask(self) -> None:
        """Sends a ping to all keypads. Once they have answered, or after ANSWER_S seconds, the
        figures are sent to the programs that requested them."""
        self._asked_at = self._clock()
        if self._loaded:
            self._loaded.ask(self._asked_at)

    @property
    def is_asking(self) -> bool:
        """Whether answers are still awaited."""
        return self._asked_at is not None

    def _answer_programs(self, now: float) -> None:
        if self._asked_at is None:
            return
        heard = self._loaded is None or self._loaded.were_heard_since(self._asked_at)
        if heard or now >= self._asked_at + ANSWER_S:
            self._asked_at = None
            if self._status:
                self._status.answer(self.status())

    @property
    def all_answered(self) -> bool:
        """Whether the keypad at each port has answered: its round-trip time is known, or its
        version is incompatible."""
        return self._loaded is None or self._loaded.all_answered

    def status(self) -> list[Json]:
        """Returns the figures of all keypads and silent ports, as in `companion keypads --json`."""
        ours = self._loaded.status(self._clock()) if self._loaded else []
        return ours + self._others()
