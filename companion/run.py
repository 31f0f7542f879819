"""`companion run`: builds the table on the hardware that is there, and runs it.

The only place where pins, panels, threads and files are put together.
"""

import errno
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.config import PLACE, Config, ConfigError, load_config, record_path
from companion.console.view import Show
from companion.devices.board import Direct, Matrix, load_board
from companion.devices.care import Care, Look, Rest, goodbye
from companion.devices.debounce import Timing
from companion.devices.field import open_keys
from companion.devices.gpio_chip import ChipError, NoChip
from companion.devices.keypad import Keypad
from companion.devices.keypad_status import socket_of
from companion.devices.matrix import MatrixKeypad
from companion.devices.oled import Oled
from companion.devices.panel import Panel
from companion.devices.seat_keypads import SeatKeypads
from companion.games.game import (
    AnyGame,
)
from companion.keys import PressId
from companion.record.faults import StoreError
from companion.record.reader import Reader
from companion.record.store import Store
from companion.systemd import Systemd
from companion.table import Command, Pulse, Table
from companion.threads import NamedThread

if TYPE_CHECKING:
    from companion.web.page import Page

MODEL = Path("/proc/device-tree/model")
"""Where the kernel says which board this is."""


STOPPING = frozenset({signal.SIGTERM, signal.SIGINT})
"""Blocked before any thread is started, by us or by a library that is loaded: one thread that does
not block them is enough for a signal to kill the program where it should stop."""


SWITCH_OFF = 10
"""The exit status that asks systemd to switch the box off (systemd/companion.service)."""


class SetupError(RuntimeError):
    """The table can't be set up; one line that says what to do."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line says; it goes before the configuration."""

    config: Path | None = None
    record: Path | None = None
    hardware: str | None = None
    open_to_all: bool = False
    port: int | None = None


@dataclass(frozen=True, slots=True)
class Hardware:
    """The box's keys and display, real or virtual. `serve` starts the page, if there is one;
    `care` is what spares the display, from a time on."""

    keys: Direct | Matrix
    factory: Any
    panel: Panel
    serve: Callable[[], None]
    care: Callable[[float], Care] = Care


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
    host = "0.0.0.0" if asked.open_to_all else config.web.host
    port = config.web.port if asked.port is None else asked.port
    return replace(
        config,
        box=replace(config.box, hardware=asked.hardware or config.box.hardware),
        web=replace(config.web, host=host, port=port),
    )


@dataclass(frozen=True, slots=True)
class _Running:
    table: Table
    serve: Callable[[], None]
    systemd: Systemd

    def run(self) -> int:
        """The first picture comes first: the page's library takes its time to load."""
        self.table.show()
        self.serve()
        self.systemd.ready()
        self.table.run()
        self.systemd.stopping()
        return SWITCH_OFF if self.table.switched_off else 0


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

    keys = config.keys
    timing = Timing(keys.contact_ms / 1000, keys.release_ms / 1000, keys.hold_ms / 1000)
    store = Store.open(record, games)
    stack.callback(store.close)
    hardware = _hardware(config, where, timing, stack)
    stack.callback(hardware.factory.close)
    oled = Oled(hardware.panel, tell)
    clock = time.monotonic

    def draw(show: Show) -> None:
        oled.show(show.frame)
        seat_keypads.show(show, table.keypads)

    def look(wanted: Look) -> None:
        oled.look(wanted)
        seat_keypads.sleep(wanted.contrast == 0)

    def settle(source: PressId, refused: bool) -> None:
        seat_keypads.settle(source, refused)

    care = hardware.care(clock())
    pulse = systemd.feed_every_s and Pulse(systemd.feed_every_s, systemd.feed)
    table = Table(
        store,
        games,
        draw,
        clock,
        timing,
        care=care,
        look=look,
        settle=settle,
        pulse=pulse or None,
        switches_off=config.box.menu_held == "switch-off" and systemd.listens,
    )
    seat_keypads = _seat_keypads(table, record, games)
    stack.callback(seat_keypads.close)
    _stop_on_signals(table)
    systemd.status(f"The table is open; its record is {record}.")
    for message in store.messages:
        tell(message)
    oled.start()
    stack.callback(oled.stop, goodbye())
    keypad = _keypad(hardware, table)
    stack.callback(keypad.close)
    seat_keypads.start()
    return _Running(table, hardware.serve, systemd)


def _seat_keypads(table: Table, record: Path, games: Mapping[str, AnyGame]) -> SeatKeypads:
    def committed(keypad: str, boot: int) -> int:
        """Asked from another thread than the record's own, so by another connection."""
        with suppress(StoreError), Reader.open(record, games) as reader:
            return reader.last_press(keypad, boot)
        return 0  # the record itself takes no press twice

    try:
        return SeatKeypads(table.events.put, committed, _tell, status=socket_of(record))
    except OSError as error:
        _tell(f"“companion keypads” won't be answered: {error}")
        return SeatKeypads(table.events.put, committed, _tell)


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


def _keypad(hardware: Hardware, table: Table) -> Keypad | MatrixKeypad:
    with _reaching_the_keys():
        return open_keys(hardware.keys, table.events.put, time.monotonic, hardware.factory)


@contextmanager
def _reaching_the_keys() -> Iterator[None]:
    """Says in one line why the pins can't be had."""
    from gpiozero.exc import GPIOZeroError, PinFactoryFallback

    try:
        with warnings.catch_warnings():
            # gpiozero tells at length what it tried; the error says what counts.
            warnings.simplefilter("ignore", PinFactoryFallback)
            yield
    except NoChip as error:
        raise SetupError(
            f"the keys can't be reached: {error} (companion run --virtual needs none)"
        ) from error
    except ChipError as error:
        raise SetupError(f"the keys can't be reached: {error}") from error
    except (GPIOZeroError, OSError, ImportError) as error:
        raise SetupError(
            f"the keys can't be reached ({error}): set [keys] pins to another, "
            "or try companion run --virtual"
        ) from error


def model(told: Path = MODEL) -> str:
    """What the kernel says this machine is; empty on a PC."""
    return told.read_text(errors="replace").rstrip("\0") if told.exists() else ""


def _hardware(config: Config, where: str, timing: Timing, stack: ExitStack) -> Hardware:
    virtual = config.box.hardware == "virtual"
    if config.box.hardware == "auto":
        virtual = "Raspberry Pi" not in model()
    return _virtual_box(config, timing, stack) if virtual else _board(config, where)


def _board(config: Config, where: str) -> Hardware:
    """The keys and the display of the board that the configuration in that file names."""
    from companion.devices.bus import bus_of, panel_of
    from companion.devices.pins import open_pins

    board = load_board(config.box.board, config.display, where)
    display = board.display
    with _reaching_the_keys():
        factory = open_pins(config.keys.pins)
    panel = panel_of(display, bus_of(display, factory))

    def care(now: float) -> Care:
        return Care(now, Rest(), display.rotate == 2, display.contrast)

    return Hardware(board.keys, factory, panel, lambda: None, care)


def _virtual_box(config: Config, timing: Timing, stack: ExitStack) -> Hardware:
    """Keys on mock pins and a display, both on a page."""
    from companion.devices.virtual import VIRTUAL_PINS, Fingers, VirtualPanel
    from companion.web.guard import Guard, fresh_token, is_loopback, own_names
    from companion.web.page import Page, how_to_reach, listen

    host, port = config.web.host, config.web.port
    try:
        listening = listen(host, port)
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (")[0]
        remedy = f"--port {port + 1}" if error.errno == errno.EADDRINUSE else "another [web] host"
        raise SetupError(
            f"the page can't listen on {host}:{port} ({reason}): try {remedy}"
        ) from error
    port = listening.getsockname()[1]
    guard = Guard(fresh_token(), not is_loopback(host), own_names())
    fingers = Fingers(VIRTUAL_PINS)
    # Somewhat longer than the debounce wants: threads are never on time.
    page = Page(listening, guard, fingers.move, timing.contact_s + 0.01, timing.release_s + 0.01)
    stack.callback(page.stop)
    lines = how_to_reach(host, port, guard)
    panel = VirtualPanel(page.publish)
    return Hardware(Direct(VIRTUAL_PINS), fingers.factory, panel, lambda: _serve(page, lines))


def _serve(page: "Page", lines: list[str]) -> None:
    page.start()
    print("\n".join(lines), flush=True)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
