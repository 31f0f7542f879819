"""`companion run`: builds the table on its hardware (hardware.py), and runs it.

The only place where record, loop, display, keypads and signals are put together.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.background import (
    STOPPING,
    ask_for_keypads,
    check_all,
    log,
    number_pads,
    renew_keypads,
    seat_keypads,
    start_copying,
    stop_on_signals,
)
from companion.app.box import WholeBox
from companion.app.box_check import BoxChecker, command_for, run_check
from companion.app.catalog import Catalog
from companion.app.club import BoxClub
from companion.app.config import PLACE, Config, ConfigError, copies_paths, load_config, record_path
from companion.app.hardware import EVERYWHERE, Hardware, find_hardware, watch_keys
from companion.app.listeners import BoxListeners
from companion.app.open_browser import open_on_desktop
from companion.app.page import PageSetup
from companion.app.systemd import Systemd, passed_socket
from companion.app.voice import BoxVoice, clips_of
from companion.core.box_check import CheckHere
from companion.core.errors import SetupError
from companion.core.private_file import write_private
from companion.core.threads import NamedThread
from companion.core.values import dataclass
from companion.devices.gpio.debounce import Timing
from companion.devices.keypads.usb_ports import UsbPorts
from companion.presentation.language import Language
from companion.presentation.languages import language_of
from companion.record.store.faults import StoreError
from companion.record.store.store import Store
from companion.table.events import Pulse
from companion.table.loop import Table

if TYPE_CHECKING:
    from companion.devices.voice.clips import Clips

FLASHED = Path("/run/companion-card")
"""A folder that only a flashed card has (companion/card)."""
SWITCH_OFF = 10
"""The exit status that asks systemd to switch the box off (systemd/companion.service)."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line says; it overrides the configuration."""

    config: Path | None = None
    record: Path | None = None
    hardware: str | None = None
    open_to_all: bool = False
    port: int | None = None
    opens_browser: bool = True


def run(asked: Asked, games: Catalog, default_record: Path) -> int:
    """Runs the table until it is told to stop (SIGTERM, SIGINT). Returns the exit status: 0, or 2
    if the table can't be set up, or SWITCH_OFF."""
    try:
        config = _settled(load_config(asked.config), asked)
        record = asked.record or record_path(config, default_record)
        with ExitStack() as stack:
            running = _build(config, str(asked.config or PLACE), record, games, stack)
            return replace(running, opens_browser=asked.opens_browser).run()
    except (ConfigError, SetupError, StoreError) as error:
        log(f"companion run: {error}")
        return 2


def _settled(config: Config, asked: Asked) -> Config:
    """The configuration with the changes that the command line asks for."""
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
    hardware: Hardware
    systemd: Systemd
    check: NamedThread
    copy: Callable[[], None]
    well: bool
    """Whether nothing was wrong at the start; otherwise the service's status goes on saying what
    was."""
    record: Path
    opens_browser: bool = False
    """Whether a desktop shows the page in its browser."""

    def run(self) -> int:
        """Runs the table until it ends; gives the exit status. The picture is shown before the page
        is started, as the page's library takes its time to load."""
        self.table.show()
        if where := self.hardware.serve(self.table.type_letter, self.table.events.put):
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
        """Shows the page's code to the person at the terminal, and opens the page on a desktop.
        Writes a file for the program that shows the table on this machine's TV: where the page is,
        what secret lets that program in, and whether the TV must show the box's display, too.
        systemd, which is root, hands it on, so nobody else has to read it."""
        page = self.hardware.page
        if page and sys.stdout.isatty():
            with suppress(UnicodeEncodeError):
                print("\n".join(page.code), flush=True)
            if self.opens_browser and page.link:
                open_on_desktop(page.link)
        if page and self.systemd.listens and (folder := os.environ.get("RUNTIME_DIRECTORY")):
            with suppress(OSError):
                shown = "" if self.hardware.wired else "--with-box"
                told = f"PAGE={page.local}\nTV_SHOWS={shown}\nTABLE_SECRET={page.secret}\n"
                write_private(Path(folder, "page"), told)


def _build(config: Config, where: str, record: Path, games: Catalog, stack: ExitStack) -> _Running:
    """Puts everything together and starts the threads; `stack` closes it all again. `where`: the
    file of the configuration."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    systemd = Systemd()
    stack.callback(systemd.close)

    tell = partial(_tell, systemd)
    language = language_of(config.box.language)
    clips, timing = clips_of(config.voice, record.with_name("voice")), _timing(config)
    page_setup = _page_setup(record, games, systemd, tell, language=language, clips=clips)
    check_box = partial(run_check, command_for(record, where))
    page_setup = replace(page_setup, check=CheckHere(check_box, partial(ask_for_keypads, record)))
    box = WholeBox(
        lambda: find_hardware(config, where, timing, stack, page_setup), tell, stack, language
    )
    listeners = BoxListeners(config, record, games, log, language)
    voice = BoxVoice(games, config.voice, clips, tell, language)
    for one in (listeners, voice):
        stack.callback(one.close)
    box.listeners, box.voice, box.ears = listeners.tell, voice.tell, voice.hear

    store = Store.open(record, games.rules, mending=partial(_mending, box, systemd))
    stack.callback(store.close)
    table = _table(config, store, games, box, systemd)
    club = BoxClub(store, games.rules, table.events.put, config.club.address)
    box.ask_club = club.ask
    box.check = BoxChecker(check_box, table.events.put).ask
    # One program can have the keys: another says only that, and leaves the display as it is.
    stack.callback(watch_keys(box.hardware, table.events.put, time.monotonic).close)
    pads = number_pads(config, box.hardware, table, timing)
    stack.callback(pads.close)
    keypads = seat_keypads(table, record, games.rules, UsbPorts(config.keypads.usb), pads.status)
    stack.callback(keypads.close)
    box.renew_keypads = partial(renew_keypads, keypads, table)
    stop_on_signals(table)
    systemd.status(f"The table is open; its record is {record}.")
    for message in store.messages:
        tell(message)
    box.bring(table, keypads, pads)
    check = NamedThread("check-record", lambda: check_all(record, games.rules, table))

    def copy() -> None:
        renew, places = box.renew_keypads, copies_paths(config)
        stack.callback(start_copying(store, games.rules, places, table, renew))
        club.start()
        stack.callback(club.stop)
        listeners.start()

    return _Running(table, box.hardware, systemd, check, copy, not store.messages, record)


def _tell(systemd: Systemd, line: str) -> None:
    log(line)
    systemd.status(line)


@contextmanager
def _mending(box: WholeBox, systemd: Systemd) -> Iterator[None]:
    with box.mending(), systemd.kept_alive():
        yield


def _timing(config: Config) -> Timing:
    keys = config.keys
    return Timing(keys.contact_ms / 1000, keys.release_ms / 1000, keys.hold_ms / 1000)


def _table(
    config: Config,
    store: Store,
    games: Catalog,
    box: WholeBox,
    systemd: Systemd,
) -> Table:
    clock = time.monotonic
    return Table(
        store,
        games,
        box.outputs,
        clock,
        _timing(config),
        saver=box.hardware.saver(clock()),
        pulse=Pulse(systemd.feed_every_s, systemd.feed) if systemd.feed_every_s else None,
        switches_off=config.box.menu_held == "switch-off" and systemd.listens,
        wired=box.hardware.wired,
        language=language_of(config.box.language),
    )


def _page_setup(
    record: Path,
    games: Catalog,
    systemd: Systemd,
    tell: Callable[[str], None],
    *,
    language: Language,
    clips: "Callable[[str], Clips]",
) -> PageSetup:
    """What the page needs besides its configuration."""
    from companion.app.open_games import ask_open_games
    from companion.presentation.unfinished import read_unfinished

    codes, secret = record.with_suffix(".codes"), record.with_suffix(".secret")
    past = (sys.executable, "-m", "companion.app.past", str(record.absolute()))
    return PageSetup(
        games,
        codes,
        secret,
        systemd.listens,
        passed_socket(),
        tell,
        lambda: read_unfinished(record, games.rules, ask_open_games(record)),
        past,
        record.with_name("incoming") if FLASHED.is_dir() else None,
        language,
        clips,
    )
