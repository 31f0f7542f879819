"""Background work, beside the table's loop: keypads, the check of the record and its copies,
signals."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from companion.app.config import Config
from companion.app.hardware import Hardware
from companion.core.threads import NamedThread
from companion.core.values import Json
from companion.core.words import phrase
from companion.devices.gpio.debounce import Timing
from companion.devices.keypads.keypad_status import socket_of
from companion.devices.keypads.seat_keypads import SeatKeypads
from companion.devices.keypads.usb_ports import UsbPorts
from companion.devices.pads.input_devices import EvdevDevices, InputDevices, NoDevices
from companion.devices.pads.number_pads import NumberPads
from companion.games.game import AnyGame
from companion.record.store.database import StoreError
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.table.events import BackgroundNotice, Command
from companion.table.loop import Table

STOPPING = frozenset({signal.SIGTERM, signal.SIGINT})
"""Blocked before any thread is started, by this program or by a library that it loads: a single
thread that does not block them is enough for a signal to kill the program instead of stopping
it."""

REST_S = 0.005
"""How long the check of the record rests after a few rows."""


def check_all(record: Path, games: Mapping[str, AnyGame], table: Table) -> None:
    """Checks, once the table is open, that every row of the record is as it was written. If one is
    damaged, the table mends the record. Rests often, so that keys come first."""
    from companion.record.repair.verify import new_damage

    with suppress(StoreError), Reader.open(record, games) as reader:
        if damage := new_damage(reader, lambda: time.sleep(REST_S)):
            log(f"The record is damaged: {damage}")
            table.events.put(Command.MEND)


def start_copying(
    store: Store,
    games: Mapping[str, AnyGame],
    places: Iterable[Path],
    table: Table,
    renew: Callable[[], None],
) -> Callable[[], None]:
    """Starts to copy the record to these places and beside itself, and to listen to the box's other
    programs (NoticeSocket); one of them may ask to `renew` the keypads' firmware. Returns the
    function that ends both."""
    from companion.app.notice_socket import NoticeSocket
    from companion.record.copies.copier import Copiers
    from companion.record.copies.restore import drop_offers

    def tell(line: str) -> None:
        log(line)
        table.events.put(BackgroundNotice(line))

    if store.newest_game():
        drop_offers(store.path)  # a power cut left them
    copiers = Copiers(store.path, games, places, tell, log, text=lambda: store.text)
    store.on_kept = copiers.wake
    copiers.start()
    ends = ExitStack()
    ends.callback(copiers.close)
    try:
        ends.callback(NoticeSocket(store.path, tell, table.events.put, renew).close)
    except OSError as error:
        log(f"What copies the record onto a stick can't be heard: {error}")
    return ends.close


def seat_keypads(
    table: Table,
    record: Path,
    games: Mapping[str, AnyGame],
    find: UsbPorts,
    others: Callable[[], list[Json]],
) -> SeatKeypads:
    def committed(keypad: str, boot: int) -> int:
        """The number of the keypad's newest press since its start `boot` that the record has; 0:
        none. Called from a thread other than the record's own, so it opens a connection of its
        own."""
        with suppress(StoreError), Reader.open(record, games) as reader:
            return reader.last_press(keypad, boot)
        return 0  # the record itself takes no press twice

    try:
        return SeatKeypads(
            table.events.put,
            committed,
            log,
            find=find,
            status=socket_of(record),
            others=others,
        )
    except OSError as error:
        log(f"“companion keypads” won't be answered: {error}")
        return SeatKeypads(table.events.put, committed, log, find=find)


def renew_keypads(keypads: SeatKeypads, table: Table) -> None:
    """Gives the keypads that are here the firmware that the box has; the table says of each whether
    that worked."""

    def tell(serial: str, why: str) -> None:
        if why:
            line = phrase("Keypad {serial}: {why}", serial=serial, why=why)
        else:
            line = phrase("Keypad {serial} has its new firmware", serial=serial)
        log(line)
        table.events.put(BackgroundNotice(line))

    keypads.renew(tell)


def ask_for_keypads(record: Path) -> None:
    """Asks the table that writes this record to renew the keypads' firmware; any thread of any
    process may call it."""
    from companion.app.notice_socket import RENEW_KEYPADS, send_notice

    send_notice(record, RENEW_KEYPADS)


def number_pads(config: Config, hardware: Hardware, table: Table, timing: Timing) -> NumberPads:
    """The number pads of a box; a virtual box leaves keyboards to the person at the machine."""
    take = config.pads.take if hardware.takes_pads else "nothing"
    found: InputDevices = NoDevices()
    if take != "nothing":
        try:
            found = EvdevDevices()
        except ImportError:
            take = "nothing"
            log("Number pads need python3-evdev: sudo apt install python3-evdev")
    return NumberPads(table.events.put, log, found, take=take, wired=hardware.wired, timing=timing)


def stop_on_signals(table: Table) -> None:
    """Lets SIGTERM and SIGINT stop the loop; a second one ends the program at once, which loses
    nothing.

    A thread waits for them. A handler would run in the main thread, and a signal that comes just
    before that thread begins to wait at the queue would not wake it.
    """

    def wait() -> None:
        signal.sigwait(STOPPING)
        table.events.put(Command.STOP)
        os._exit(128 + signal.sigwait(STOPPING))

    NamedThread("signals", wait).start()


def log(line: str) -> None:
    """Writes a line to standard error, for people who read the service's log."""
    print(line, file=sys.stderr, flush=True)
