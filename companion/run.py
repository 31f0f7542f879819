"""`companion run`: builds the table on the hardware that is there, and runs it.

The only place where pins, panels, threads and files are put together.
"""

import errno
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from companion.config import VIRTUAL_PINS, Config, ConfigError, load_config
from companion.devices.care import NEVER, Care, Rest, goodbye
from companion.devices.debounce import Timing
from companion.devices.keypad import Keypad
from companion.devices.oled import Oled
from companion.devices.panel import Panel
from companion.games.game import AnyGame
from companion.keys import Key
from companion.record.faults import StoreError
from companion.record.store import Store
from companion.table import Command, Table

if TYPE_CHECKING:
    from companion.web.page import Page

MODEL = Path("/proc/device-tree/model")
"""Where the kernel says which board this is."""


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
    `rest` is what spares the display."""

    pins: Mapping[Key, int]
    factory: Any
    panel: Panel
    serve: Callable[[], None]
    rest: Rest = NEVER


def run(asked: Asked, games: Mapping[str, AnyGame], default_record: Path) -> int:
    """Runs the table until it is told to stop (SIGTERM, SIGINT); gives the exit status: 0, or 2
    when it can't be set up."""
    try:
        config = _settled(load_config(asked.config), asked)
        record = asked.record or _expanded(Path(config.record.path or default_record))
        with ExitStack() as stack:
            _build(config, record, games, stack).run()
    except (ConfigError, SetupError, StoreError) as error:
        _tell(f"companion run: {error}")
        return 2
    return 0


def _expanded(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise SetupError(
            f"the record {path}: there is no such home; write the whole path"
        ) from error


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

    def run(self) -> None:
        """The first picture comes first: the page's library takes its time to load."""
        self.table.show()
        self.serve()
        self.table.run()


def _build(
    config: Config, record: Path, games: Mapping[str, AnyGame], stack: ExitStack
) -> _Running:
    """Puts everything together and starts the threads; `stack` takes it all apart again."""
    keys = config.keys
    timing = Timing(keys.contact_ms / 1000, keys.release_ms / 1000, keys.hold_ms / 1000)
    store = Store.open(record, games)
    stack.callback(store.close)
    hardware = _hardware(config, timing, stack)
    oled = Oled(hardware.panel, _tell)
    clock = time.monotonic
    care = Care(clock(), hardware.rest, upside_down=config.box.rotate == 2)
    table = Table(
        store, games, lambda show: oled.show(show.frame), clock, timing, care=care, look=oled.look
    )
    _stop_on_signals(table)
    for message in store.messages:
        _tell(message)
    oled.start()
    stack.callback(oled.stop, goodbye())
    keypad = _keypad(hardware, table)
    stack.callback(keypad.close)
    return _Running(table, hardware.serve)


def _stop_on_signals(table: Table) -> None:
    """SIGTERM and SIGINT stop the loop; a second one ends the program at once, which loses nothing.

    A thread waits for them. A handler would run in the main thread, and a signal that comes just
    before that one falls asleep in the queue would not wake it.
    """
    signals = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)

    def wait() -> None:
        signal.sigwait(signals)
        table.events.put(Command.STOP)
        os._exit(128 + signal.sigwait(signals))

    Thread(target=wait, name="signals", daemon=True).start()


def _keypad(hardware: Hardware, table: Table) -> Keypad:
    from gpiozero.exc import GPIOZeroError, PinFactoryFallback

    try:
        with warnings.catch_warnings():
            # gpiozero tells at length what it tried; the error says what counts.
            warnings.simplefilter("ignore", PinFactoryFallback)
            return Keypad(hardware.pins, table.events.put, time.monotonic, hardware.factory)
    except (GPIOZeroError, OSError, ImportError) as error:
        raise SetupError(
            f"the keys can't be reached ({error}): install lgpio, or try companion run --virtual"
        ) from error


def _hardware(config: Config, timing: Timing, stack: ExitStack) -> Hardware:
    virtual = config.box.hardware == "virtual"
    if config.box.hardware == "auto":
        virtual = not (MODEL.exists() and "Raspberry Pi" in MODEL.read_text(errors="replace"))
    return _virtual_box(config, timing, stack) if virtual else _board(config)


def _board(config: Config) -> Hardware:
    """Keys on GPIO pins and an OLED on I²C."""
    from luma.core.interface.serial import i2c

    from companion.devices.panel import LumaPanel

    box = config.box
    offset = None if box.offset < 0 else box.offset
    panel = LumaPanel(box.driver, lambda: i2c(port=box.bus, address=box.address), offset)
    return Hardware(config.pins, None, panel, lambda: None, Rest())


def _virtual_box(config: Config, timing: Timing, stack: ExitStack) -> Hardware:
    """Keys on mock pins and a display, both on a page."""
    from companion.devices.virtual import Fingers, VirtualPanel
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
    stack.callback(fingers.close)
    stack.callback(page.stop)
    lines = how_to_reach(host, port, guard)
    return Hardware(
        VIRTUAL_PINS, fingers.factory, VirtualPanel(page.publish), lambda: _serve(page, lines)
    )


def _serve(page: "Page", lines: list[str]) -> None:
    page.start()
    print("\n".join(lines), flush=True)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
