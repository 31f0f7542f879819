"""`companion run`: builds the table on its hardware (hardware.py), and runs it.

The only place where record, loop, display, keypads and signals are put together.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.box_page import BoxPage, Reach
from companion.config import PLACE, Config, ConfigError, copies_paths, load_config, record_path
from companion.console.fault import mending
from companion.console.show import Show
from companion.console.sounds import Level, Sound
from companion.devices.care import Look, goodbye
from companion.devices.debounce import Timing
from companion.devices.evdev_devices import EvdevDevices
from companion.devices.input_devices import InputDevices, NoDevices
from companion.devices.keypad_status import socket_of
from companion.devices.number_pads import NumberPads
from companion.devices.oled import Oled
from companion.devices.seat_keypads import SeatKeypads
from companion.devices.usb_ports import UsbPorts
from companion.errors import SetupError
from companion.events import Command, Pulse, Remark
from companion.games.game import AnyGame
from companion.hardware import EVERYWHERE, Hardware, Serve, find_hardware, watch_keys
from companion.keys import PressId, is_pad
from companion.record.faults import StoreError
from companion.record.reader import Reader
from companion.record.store import Store
from companion.systemd import Systemd, passed_socket
from companion.table import Table
from companion.threads import NamedThread
from companion.values import dataclass

if TYPE_CHECKING:
    from companion.devices.buzzer import BoxBuzzer

STOPPING = frozenset({signal.SIGTERM, signal.SIGINT})
"""Blocked before any thread is started, by us or by a library that is loaded: one thread that does
not block them is enough for a signal to kill the program where it should stop."""

REST_S = 0.005
"""How long the check of the record rests after a few rows."""

SWITCH_OFF = 10
"""The exit status that asks systemd to switch the box off (systemd/companion.service)."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line says; it goes before the configuration."""

    config: Path | None = None
    record: Path | None = None
    hardware: str | None = None
    open_to_all: bool = False
    port: int | None = None


def run(asked: Asked, games: Mapping[str, AnyGame], default_record: Path) -> int:
    """Runs the table until it is told to stop (SIGTERM, SIGINT); gives the exit status: 0, or 2
    when it can't be set up, or SWITCH_OFF."""
    try:
        config = _settled(load_config(asked.config), asked)
        record = asked.record or record_path(config, default_record)
        with ExitStack() as stack:
            return _build(config, str(asked.config or PLACE), record, games, stack).run()
    except (ConfigError, SetupError, StoreError) as error:
        _tell(f"companion run: {error}")
        return 2


def _settled(config: Config, asked: Asked) -> Config:
    """The configuration with what the command line says."""
    host = EVERYWHERE if asked.open_to_all else config.web.host
    port = config.web.port if asked.port is None else asked.port
    return replace(
        config,
        box=replace(config.box, hardware=asked.hardware or config.box.hardware),
        web=replace(config.web, host=host, port=port),
    )


@dataclass(frozen=True, slots=True)
class _Running:
    table: Table
    serve: Serve
    systemd: Systemd
    check: NamedThread
    copy: Callable[[], None]
    well: bool
    """Nothing was wrong at the start that the service's status should go on saying."""
    record: Path
    page: BoxPage | None

    def run(self) -> int:
        """The first picture comes first: the page's library takes its time to load."""
        self.table.show()
        if where := self.serve(self.table.type_letter, self.table.events.put):
            print("\n".join(where), flush=True)
            self._show_code()
            if self.well:
                self.systemd.status(f"{where[0]}; its record is {self.record}.")
        self.systemd.ready()
        self.check.start()
        self.copy()
        self.table.run()
        self.systemd.stopping()
        return SWITCH_OFF if self.table.switched_off else 0

    def _show_code(self) -> None:
        """To who sits at a terminal; and to a browser on this machine where the page is."""
        if self.page and sys.stdout.isatty():
            with suppress(UnicodeEncodeError):
                print("\n".join(self.page.code), flush=True)
        if self.page and self.systemd.listens and (folder := os.environ.get("RUNTIME_DIRECTORY")):
            with suppress(OSError):
                Path(folder, "page").write_text(f"PAGE={self.page.local}\n", encoding="utf-8")


def _build(
    config: Config, where: str, record: Path, games: Mapping[str, AnyGame], stack: ExitStack
) -> _Running:
    """Puts everything together and starts the threads; `stack` takes it all apart again. `where`:
    the file of the configuration."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    systemd = Systemd()
    stack.callback(systemd.close)

    def tell(line: str) -> None:
        _tell(line)
        systemd.status(line)

    copies, keys = copies_paths(config), config.keys
    timing = Timing(keys.contact_ms / 1000, keys.release_ms / 1000, keys.hold_ms / 1000)

    box = _Box(
        lambda: find_hardware(config, where, timing, stack, _reach(record, games, systemd, tell)),
        tell,
        stack,
    )

    @contextmanager
    def saying_so() -> Iterator[None]:
        """The first picture comes before any salvage, which may last."""
        box.start()
        box.oled.show(mending())
        with systemd.kept_alive():
            yield

    store = Store.open(record, games, mending=saying_so)
    stack.callback(store.close)
    hardware, oled = box.hardware, box.oled
    clock = time.monotonic

    def draw(show: Show) -> None:
        oled.show(show.frame)
        seat_keypads.show(show, table.keypads, table.sound_level)
        pads.show(show, table.keypads)
        hardware.show(show.frame)

    def look(wanted: Look) -> None:
        oled.look(wanted)
        seat_keypads.sleep(wanted.contrast == 0)
        hardware.sleep(wanted.contrast == 0)

    def settle(source: PressId, refused: bool) -> None:
        if not is_pad(source.keypad):
            seat_keypads.settle(source, refused)

    pulse = systemd.feed_every_s and Pulse(systemd.feed_every_s, systemd.feed)
    table = Table(
        store,
        games,
        draw,
        clock,
        timing,
        care=hardware.care(clock()),
        look=look,
        settle=settle,
        pulse=pulse or None,
        switches_off=config.box.menu_held == "switch-off" and systemd.listens,
        wired=hardware.wired,
        play=box.play,
        tell=hardware.tell,
        wish=hardware.page.wish if hardware.page else lambda _: None,
    )
    # One program can have the keys: another says only that, and leaves the display as it is.
    stack.callback(watch_keys(hardware, table.events.put, clock).close)
    pads = _number_pads(config, hardware, table, timing)
    stack.callback(pads.close)
    seat_keypads = _seat_keypads(table, record, games, UsbPorts(config.keypads.usb), pads.status)
    stack.callback(seat_keypads.close)
    _stop_on_signals(table)
    systemd.status(f"The table is open; its record is {record}.")
    for message in store.messages:
        tell(message)
    box.start()
    box.start_sounds()
    seat_keypads.start()
    pads.start()
    check = NamedThread("check-record", lambda: _check_all(record, games, table))

    def copy() -> None:
        stack.callback(_start_copying(store, games, copies, table))

    return _Running(
        table, hardware.serve, systemd, check, copy, not store.messages, record, hardware.page
    )


def _reach(
    record: Path, games: Mapping[str, AnyGame], systemd: Systemd, tell: Callable[[str], None]
) -> Reach:
    """What the page is given beside its configuration."""
    from companion.telling.unfinished import read_unfinished

    codes = record.with_suffix(".codes")
    return Reach(
        codes, systemd.listens, passed_socket(), tell, lambda: read_unfinished(record, games)
    )


class _Box:
    """Keys, display and buzzer, opened when first asked for: that may be earlier than usual."""

    def __init__(
        self, find: Callable[[], Hardware], tell: Callable[[str], None], stack: ExitStack
    ) -> None:
        self._find, self._tell, self._stack = find, tell, stack
        self._started = False

    @cached_property
    def hardware(self) -> Hardware:
        return self._find()

    @cached_property
    def oled(self) -> Oled:
        return Oled(self.hardware.panel, self._tell)

    def start(self) -> None:
        """The display draws from now on, to the end."""
        if not self._started:
            self._started = True
            self.oled.start()
            self._stack.callback(self.oled.stop, goodbye())

    @cached_property
    def _buzzer(self) -> "BoxBuzzer | None":
        """What plays the sounds, where the board has a buzzer."""
        if self.hardware.buzzer is None:
            return None
        from companion.devices.buzzer import BoxBuzzer

        return BoxBuzzer(self.hardware.buzzer, self.hardware.factory, self._tell)

    def start_sounds(self) -> None:
        """Takes the buzzer's pin, from now on to the end."""
        if self._buzzer:
            self._stack.callback(self._buzzer.close)
            self._buzzer.start()

    def play(self, sound: Sound, level: Level) -> None:
        """Plays that, where there is a buzzer."""
        if self._buzzer:
            self._buzzer.play(sound, level)


def _check_all(record: Path, games: Mapping[str, AnyGame], table: Table) -> None:
    """Once the table is open: is every row of the record as it was written? Rests often, so that
    keys come first."""
    from companion.record.check import new_damage

    with suppress(StoreError), Reader.open(record, games) as reader:
        if damage := new_damage(reader, lambda: time.sleep(REST_S)):
            _tell(f"The record is damaged: {damage}")
            table.events.put(Command.MEND)


def _start_copying(
    store: Store, games: Mapping[str, AnyGame], places: Iterable[Path], table: Table
) -> Callable[[], None]:
    """Copies the record to these places and beside itself; gives what ends that."""
    from companion.record.copier import Copiers
    from companion.record.copies import beside
    from companion.remarks import Remarks

    def tell(line: str) -> None:
        _tell(line)
        table.events.put(Remark(line))

    copiers = Copiers(store.path, games, [beside(store.path), *places], tell, _tell)
    store.on_kept = copiers.wake
    copiers.start()
    ends = ExitStack()
    ends.callback(copiers.close)
    try:
        ends.callback(Remarks(store.path, tell).close)
    except OSError as error:
        _tell(f"What copies the record onto a stick can't be heard: {error}")
    return ends.close


def _seat_keypads(
    table: Table,
    record: Path,
    games: Mapping[str, AnyGame],
    find: UsbPorts,
    others: Callable[[], list[dict[str, Any]]],
) -> SeatKeypads:
    def committed(keypad: str, boot: int) -> int:
        """Asked from another thread than the record's own, so by another connection."""
        with suppress(StoreError), Reader.open(record, games) as reader:
            return reader.last_press(keypad, boot)
        return 0  # the record itself takes no press twice

    try:
        return SeatKeypads(
            table.events.put,
            committed,
            _tell,
            find=find,
            status=socket_of(record),
            others=others,
        )
    except OSError as error:
        _tell(f"“companion keypads” won't be answered: {error}")
        return SeatKeypads(table.events.put, committed, _tell, find=find)


def _number_pads(config: Config, hardware: Hardware, table: Table, timing: Timing) -> NumberPads:
    """The number pads of a box; a virtual one leaves keyboards to whoever sits at the machine."""
    take = config.pads.take if hardware.takes_pads else "nothing"
    found: InputDevices = NoDevices()
    if take != "nothing":
        try:
            found = EvdevDevices()
        except ImportError:
            take = "nothing"
            _tell("Number pads need python3-evdev: sudo apt install python3-evdev")
    return NumberPads(
        table.events.put, _tell, found, take=take, wired=hardware.wired, timing=timing
    )


def _stop_on_signals(table: Table) -> None:
    """SIGTERM and SIGINT stop the loop; a second one ends the program at once, which loses nothing.

    A thread waits for them. A handler would run in the main thread, and a signal that comes just
    before that one falls asleep in the queue would not wake it.
    """

    def wait() -> None:
        signal.sigwait(STOPPING)
        table.events.put(Command.STOP)
        os._exit(128 + signal.sigwait(STOPPING))

    NamedThread("signals", wait).start()


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
