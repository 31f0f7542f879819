"""`companion run`: sets up the table on its hardware (hardware.py), and runs it. The only place
where record, loop, display, keypads and signals are put together."""

import gc
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from companion.app.background import (
    STOPPING,
    BoxListeners,
    BoxVoice,
    NameWatch,
    ask_for_keypads,
    check_all,
    clips_of,
    log,
    number_pads,
    renew_keypads,
    seat_keypads,
    start_copying,
    stop_on_signals,
)
from companion.app.catalog import Catalog
from companion.app.club import BoxClub
from companion.app.config import PLACE, Config, copies_paths, load_config, record_path
from companion.app.hardware import Hardware, find_hardware, watch_keys
from companion.app.page import PageSetup, open_on_desktop
from companion.app.systemd import Systemd, passed_socket
from companion.console.console import salvage_frame
from companion.console.frame import BoxPicture
from companion.console.screen_saver import DisplayLook, goodbye
from companion.console.sounds import Level, ShownPicture, Sound
from companion.core.box_page import (
    PARTS_CHECKED_WHILE_RUNNING,
    BoxCheck,
    CheckActions,
    CheckError,
    PageRequest,
    PartFinding,
    with_translatable_sentences,
)
from companion.core.club import ClubRequest
from companion.core.errors import SetupError
from companion.core.keys import PressId, is_pad
from companion.core.regular_file import write_private
from companion.core.threads import NamedThread
from companion.core.toml_file import ConfigError
from companion.core.typed_address import EVERYWHERE
from companion.core.values import Json, dataclass
from companion.core.words import phrase
from companion.devices.display.display_thread import Oled
from companion.devices.gpio.debounce import Timing
from companion.devices.keypads.seat_keypads import SeatKeypads
from companion.devices.keypads.usb_ports import UsbPorts
from companion.devices.pads.number_pads import NumberPads
from companion.presentation.language import ENGLISH, Language, language_of
from companion.record.store.database import StoreError
from companion.record.store.store import Store
from companion.table.events import BackgroundNotice, Command, Watchdog
from companion.table.loop import Outputs, Table
from companion.table.snapshot import Snapshot

if TYPE_CHECKING:
    from companion.app.retention import Retention
    from companion.devices.gpio.buzzer import BoxBuzzer
    from companion.devices.voice import Clips


# ---------------------------------------------------------------- box check
# “Check this box” at the table and on its page: runs `companion check` in a process of its own, for
# all parts that can be tried while the table runs. The table's own process loads nothing for it,
# and waits for nothing.


PATIENCE_S = 60.0


def check_command(record: Path, where: str) -> Sequence[str]:
    """Returns the command that checks the box of this record; `where`: the path of its
    configuration file."""
    command = (
        sys.executable,
        "-m",
        "companion",
        "check",
        "--json",
        "--only",
        ",".join(PARTS_CHECKED_WHILE_RUNNING),
    )
    place = ("--record", str(record.absolute()))
    return (*command, *place, *(("--config", where) if where != str(PLACE) else ()))


def run_check(command: Sequence[str]) -> Json:
    """Runs `command` and returns the JSON that it prints: that of `companion check --json`, with
    sentences. Raises CheckError."""
    import subprocess  # needed only here, and slow to import

    try:
        ran = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CheckError(str(error)) from error
    try:
        report = with_translatable_sentences(json.loads(ran.stdout))
        parse_parts(report)  # raises if it is malformed
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        errors = ran.stderr.strip().splitlines() or ["nothing was found"]
        raise CheckError(errors[-1]) from error
    return report


class BoxChecker:
    """Runs `check` on request, and calls `put` with a BoxCheck when the check starts and when it
    ends."""

    def __init__(self, check: Callable[[], Json], put: Callable[[BoxCheck], None]) -> None:
        self._check, self._put = check, put
        self._one = Lock()

    def ask(self) -> None:
        """Starts a check, unless one is under way. May be called from any thread."""
        if self._one.acquire(blocking=False):
            self._put(BoxCheck(under_way=True))
            NamedThread("check-box", self._run).start()

    def _run(self) -> None:
        try:
            self._put(self._run_check())
        finally:
            self._one.release()

    def _run_check(self) -> BoxCheck:
        try:
            return BoxCheck(parts=tuple(parse_parts(self._check())))
        except CheckError as error:
            return BoxCheck(why=phrase("The box can't be checked: {why}", why=str(error)))


def parse_parts(report: Json) -> list[PartFinding]:
    """Returns the findings in the JSON of `companion check --json`, in the order in which they are
    listed."""
    return [
        PartFinding(part, *(one[key] for key in ("result", "found", "remedy", "renews_keypads")))
        for part, of_it in report["parts"].items()
        for one in of_it["findings"]
    ]


# ---------------------------------------------------------------- box
# The box as the table's outputs: display, buzzer, the page beside it, and the seats' keypads.


class BoxOutputs:
    """The box's keys, display and buzzer. `find` opens them when they are first needed, which is
    earlier than usual if the record is damaged; `stack` closes everything again. `language` is used
    for texts before the record is read."""

    def __init__(
        self,
        find: Callable[[], Hardware],
        tell: Callable[[str], None],
        stack: ExitStack,
        language: Language = ENGLISH,
    ) -> None:
        self._find, self._tell, self._stack = find, tell, stack
        self._language = language
        self._started = False
        self._table: Table | None = None
        self._seat_keypads: SeatKeypads | None = None
        self._pads: NumberPads | None = None
        self.ask_club: Callable[[ClubRequest], None] = lambda _: None
        """Takes requests for the club; replaced once they can be carried out."""
        self.check: Callable[[], None] = lambda: None
        """Starts a check of the whole box."""
        self.renew_keypads: Callable[[], None] = lambda: None
        """Installs the box's firmware on the seat keypads."""
        self.listeners: Callable[[Snapshot], None] = lambda _: None
        """Takes the state of the table for the programs that listen."""
        self.voice: Callable[[Snapshot], None] = lambda _: None
        """Takes the state of the table for the voice."""
        self.speak_screen: Callable[[ShownPicture], None] = lambda _: None
        """Takes what the display shows for the voice."""

    @cached_property
    def hardware(self) -> Hardware:
        return self._find()

    @cached_property
    def _oled(self) -> Oled:
        return Oled(self.hardware.panel, self._tell)

    def start(self) -> None:
        """Starts drawing on the display, unless that has started already; closing the stack stops
        it."""
        if not self._started:
            self._started = True
            self._oled.start()
            self._stack.callback(lambda: self._oled.stop(goodbye(self._current_language)))

    @property
    def _current_language(self) -> Language:
        return self._table.box.language if self._table else self._language

    @contextmanager
    def salvaging(self) -> Iterator[None]:
        """Shows a first picture during a `with` block in which a record is salvaged, as that may
        take long."""
        self.start()
        self._oled.show(salvage_frame(self._language))
        yield

    # ------------------------------------------------------------ called by the loop

    @property
    def outputs(self) -> Outputs:
        """Returns the functions through which the loop updates the box."""
        page = self.hardware.page
        return Outputs(
            self._show,
            self._look,
            self._play,
            self._settle,
            self._publish,
            self._ask_page,
            self._ask_club,
            page.tell_club if page else lambda _: None,
            self._hear,
        )

    def _hear(self, heard: ShownPicture) -> None:
        self.speak_screen(heard)

    def _publish(self, snapshot: Snapshot) -> None:
        self.hardware.tell(snapshot)
        self.listeners(snapshot)
        self.voice(snapshot)

    def _ask_page(self, request: PageRequest) -> None:
        if request is PageRequest.CHECK_BOX:
            self.check()
        elif request is PageRequest.RENEW_KEYPADS:
            self.renew_keypads()
        elif self.hardware.page:
            self.hardware.page.ask(request)

    def _ask_club(self, request: ClubRequest) -> None:
        self.ask_club(request)

    def connect(self, table: Table, seat_keypads: SeatKeypads, pads: NumberPads) -> None:
        """Starts the buzzer, and the seat keypads and number pads, which then show the state of the
        table."""
        self._table, self._seat_keypads, self._pads = table, seat_keypads, pads
        self.start()
        if self._buzzer:
            self._stack.callback(self._buzzer.close)
            self._buzzer.start()
        seat_keypads.start()
        pads.start()

    def _show(self, show: BoxPicture) -> None:
        self._oled.show(show.frame)
        if self._table and self._seat_keypads and self._pads:
            self._seat_keypads.show(show, self._table.box.keypads, self._table.box.sound_level)
            self._pads.show(show, self._table.box.keypads)
        self.hardware.show(show.frame)

    def _look(self, wanted: DisplayLook) -> None:
        self._oled.look(wanted)
        if self._seat_keypads:
            self._seat_keypads.sleep(wanted.contrast == 0)
        self.hardware.sleep(wanted.contrast == 0)

    def _settle(self, source: PressId, refused: bool) -> None:
        if self._seat_keypads and not is_pad(source.keypad):
            self._seat_keypads.settle(source, refused)

    @cached_property
    def _buzzer(self) -> "BoxBuzzer | None":
        """Returns the buzzer that plays the sounds; None if the board has none."""
        if self.hardware.buzzer is None:
            return None
        from companion.devices.gpio.buzzer import BoxBuzzer

        return BoxBuzzer(self.hardware.buzzer, self.hardware.factory, self._tell)

    def _play(self, sound: Sound, level: Level) -> None:
        if self._buzzer:
            self._buzzer.play(sound, level)


# ---------------------------------------------------------------- run

FLASHED_CARD_FOLDER = Path("/run/companion-card")
"""A folder that exists only on a flashed card (companion/card)."""
SWITCH_OFF_STATUS = 10
"""The exit status that makes systemd switch the box off (systemd/companion.service)."""
RESTART_STATUS = 11
"""The exit status that makes systemd start the table again."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of the command line, which override the configuration."""

    config: Path | None = None
    record: Path | None = None
    hardware: str | None = None
    open_to_all: bool = False
    port: int | None = None
    opens_browser: bool = True


def run(options: RunOptions, games: Catalog, default_record: Path) -> int:
    """Runs the table until a signal stops it (SIGTERM, SIGINT). Returns the exit status: 0, or 2 if
    the table can't be set up, or SWITCH_OFF_STATUS, or RESTART_STATUS."""
    try:
        config = _with_options(load_config(options.config), options)
        record = options.record or record_path(config, default_record)
        with ExitStack() as stack:
            running = _set_up(config, str(options.config or PLACE), record, games, stack)
            return replace(running, opens_browser=options.opens_browser).run()
    except (ConfigError, SetupError, StoreError) as error:
        log(f"companion run: {error}")
        return 2


def _with_options(config: Config, options: RunOptions) -> Config:
    """Returns the configuration as changed by the options of the command line."""
    host = EVERYWHERE if options.open_to_all else config.web.host
    port = config.web.port if options.port is None else options.port
    return replace(
        config,
        box=replace(config.box, hardware=options.hardware or config.box.hardware),
        web=replace(config.web, host=host, port=port),
    )


@dataclass(frozen=True, slots=True)
class _RunningTable:
    table: Table
    hardware: Hardware
    systemd: Systemd
    check: NamedThread
    copy: Callable[[], None]
    well: bool
    """Whether the start had no problem; otherwise the service's status keeps showing the
    problem."""
    record: Path
    retention: "Retention | None" = None
    opens_browser: bool = False
    """Whether a desktop shows the page in its browser."""

    def run(self) -> int:
        """Runs the table until it ends; returns the exit status. The picture is shown before the
        page is started, because the page's library takes time to load. If the program started with
        the garbage collector off, it is switched on once everything is open. Objects created before
        that are never collected, because a key would have to wait meanwhile."""
        self.table.show()
        if where := self.hardware.serve(self.table.type_letter, self.table.events.put):
            print("\n".join(where), flush=True)
            self._show_code()
            if self.well:
                self.systemd.status(f"{where[0]}; its record is {self.record}.")
        self.systemd.ready()
        self.check.start()
        self.copy()
        if not gc.isenabled():
            gc.collect()
            gc.freeze()
            gc.enable()
        self.table.run()
        self.systemd.stopping()
        if self.table.switched_off:
            return SWITCH_OFF_STATUS
        return RESTART_STATUS if self.retention and self.retention.asks_to_restart else 0

    def _show_code(self) -> None:
        """Shows the page's QR code at the terminal, and opens the page on a desktop.

        Also writes a file for the program that shows the table on this machine's TV: the page's
        address, the secret that gives that program access, and whether the TV must show the box's
        display as well. Only systemd, as root, has to read the file; it passes the contents on."""
        page = self.hardware.page
        if page and sys.stdout.isatty():
            with suppress(UnicodeEncodeError):
                print("\n".join(page.code), flush=True)
            if self.opens_browser and page.link:
                open_on_desktop(page.link)
        if page and self.systemd.listens and (folder := os.environ.get("RUNTIME_DIRECTORY")):
            with suppress(OSError):
                shown = "" if self.hardware.wired else "--with-box"
                settings = f"PAGE={page.local}\nTV_SHOWS={shown}\nTABLE_SECRET={page.secret}\n"
                write_private(Path(folder, "page"), settings)


def _set_up(
    config: Config, where: str, record: Path, games: Catalog, stack: ExitStack
) -> _RunningTable:
    """Puts all parts of the table together and starts the threads; `stack` closes the parts again.
    `where`: the path of the configuration file."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    systemd = Systemd()
    stack.callback(systemd.close)

    tell = partial(_tell, systemd)
    language = language_of(config.box.language)
    clips, timing = clips_of(config.voice, record.with_name("voice")), _timing_of(config)
    page_setup = _make_page_setup(record, games, systemd, tell, language=language, clips=clips)
    check_box = partial(run_check, check_command(record, where))
    page_setup = replace(
        page_setup, check=CheckActions(check_box, partial(ask_for_keypads, record))
    )
    box = BoxOutputs(
        lambda: find_hardware(config, where, timing, stack, page_setup), tell, stack, language
    )
    listeners = BoxListeners(config, record, games, log, language)
    voice = BoxVoice(games, config.voice, clips, tell, language)
    for one in (listeners, voice):
        stack.callback(one.close)
    box.listeners, box.voice, box.speak_screen = listeners.tell, voice.tell, voice.hear

    retention = _make_retention(config, record, games, systemd)
    store = Store.open(record, games.rules, repairing=partial(_while_repairing, box, systemd))
    stack.callback(store.close)
    table = _make_table(config, store, games, box, systemd)
    club = BoxClub(store, games.rules, table.events.put, config.club.address)
    box.ask_club = club.ask
    box.check = BoxChecker(check_box, table.events.put).ask
    # If another program uses the keys, that is only reported, and the display is left alone.
    stack.callback(watch_keys(box.hardware, table.events.put, time.monotonic).close)
    pads = number_pads(config, box.hardware, table, timing)
    stack.callback(pads.close)
    names = NameWatch(partial(_tell_table, table, systemd))
    stack.callback(names.close)
    keypads = seat_keypads(table, record, games.rules, UsbPorts(config.keypads.usb), pads.status)
    stack.callback(keypads.close)
    box.renew_keypads = partial(renew_keypads, keypads, table)
    stop_on_signals(table)
    systemd.status(f"The table is open; its record is {record}.")
    for message in store.messages:
        tell(message)
    box.connect(table, keypads, pads)
    check = NamedThread("check-record", lambda: check_all(record, games.rules, table))

    def copy() -> None:
        renew, places = box.renew_keypads, copies_paths(config)
        stack.callback(start_copying(store, games.rules, places, table, renew))
        club.start()
        stack.callback(club.stop)
        listeners.start()
        if box.hardware.page:
            names.start()
        if retention:
            stack.callback(_watch_names(retention, table, systemd))

    well = not store.messages
    return _RunningTable(table, box.hardware, systemd, check, copy, well, record, retention)


def _make_retention(
    config: Config, record: Path, games: Catalog, systemd: Systemd
) -> "Retention | None":
    """Returns the object that removes names from old games, or None if names are kept forever."""
    if not config.record.keep_names_months:
        return None
    from companion.app.retention import Retention

    months, places = config.record.keep_names_months, copies_paths(config)
    retention = Retention(record, games.rules, months, places)
    with systemd.kept_alive():
        retention.apply()
    return retention


def _watch_names(retention: "Retention", table: Table, systemd: Systemd) -> Callable[[], None]:
    """Reports which names were forgotten, and starts to look for names that are due; returns the
    function that ends the search. Under systemd, the table ends once names are due, and systemd
    restarts it."""
    if retention.message:
        _tell_table(table, systemd, retention.message)
    return retention.watch(partial(table.events.put, Command.STOP) if systemd.listens else None)


def _tell(systemd: Systemd, line: str) -> None:
    log(line)
    systemd.status(line)


def _tell_table(table: Table, systemd: Systemd, line: str) -> None:
    _tell(systemd, line)
    table.events.put(BackgroundNotice(line))


@contextmanager
def _while_repairing(box: BoxOutputs, systemd: Systemd) -> Iterator[None]:
    with box.salvaging(), systemd.kept_alive():
        yield


def _timing_of(config: Config) -> Timing:
    keys = config.keys
    return Timing(keys.contact_ms / 1000, keys.release_ms / 1000, keys.hold_ms / 1000)


def _make_table(
    config: Config,
    store: Store,
    games: Catalog,
    box: BoxOutputs,
    systemd: Systemd,
) -> Table:
    clock = time.monotonic
    return Table(
        store,
        games,
        box.outputs,
        clock,
        _timing_of(config),
        saver=box.hardware.saver(clock()),
        pulse=Watchdog(systemd.feed_every_s, systemd.feed) if systemd.feed_every_s else None,
        switches_off=config.box.menu_held == "switch-off" and systemd.listens,
        wired=box.hardware.wired,
        language=language_of(config.box.language),
    )


def _make_page_setup(
    record: Path,
    games: Catalog,
    systemd: Systemd,
    tell: Callable[[str], None],
    *,
    language: Language,
    clips: "Callable[[str], Clips]",
) -> PageSetup:
    """Returns everything that the page needs besides its configuration."""
    from companion.app.past import ask_open_games
    from companion.presentation.house_rule_words import read_unfinished_games

    codes, secret = record.with_suffix(".codes"), record.with_suffix(".secret")
    past = (sys.executable, "-m", "companion.app.past", "pages", str(record.absolute()))
    return PageSetup(
        games,
        codes,
        secret,
        systemd.listens,
        passed_socket(),
        tell,
        lambda: read_unfinished_games(record, games.rules, ask_open_games(record)),
        past,
        record.with_name("incoming") if FLASHED_CARD_FOLDER.is_dir() else None,
        language,
        clips,
    )
