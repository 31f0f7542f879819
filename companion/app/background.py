"""Starts the threads that run beside the table's loop: they read the keypads, check and copy the
record, wait for signals, watch the box's network name, inform other programs, and speak."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final

from companion.app.config import Config, VoiceOfBox
from companion.app.hardware import Hardware
from companion.core.threads import NamedThread
from companion.core.values import Json
from companion.core.words import phrase
from companion.devices.gpio.debounce import Timing
from companion.devices.keypads.keypad_status import status_socket_path
from companion.devices.keypads.seat_keypads import SeatKeypads
from companion.devices.keypads.usb_ports import UsbPorts
from companion.devices.pads.input_devices import EvdevDevices, InputDevices, NoDevices
from companion.devices.pads.number_pads import NumberPads
from companion.games.game import AnyGame
from companion.presentation.game import PresentedGames
from companion.presentation.language import ENGLISH, Language
from companion.record.settings import VOICE, VOICE_LEVELS
from companion.record.store.database import StoreError
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.table.events import BackgroundNotice, Command
from companion.table.loop import Table
from companion.table.snapshot import Snapshot
from companion.web.listeners.addresses import parse_broker, parse_events, parse_hooks, parse_secret
from companion.web.own_names import announced_name, usual_name

if TYPE_CHECKING:
    from companion.app.speaking import Speaking
    from companion.console.sounds import ShownPicture
    from companion.devices.voice import Clips
    from companion.web.listeners.subscription import EventSource

STOPPING = frozenset({signal.SIGTERM, signal.SIGINT})
"""The signals to stop. They are blocked before any thread starts, even one of a library: if a
single thread doesn't block a signal, that signal kills the program."""

REST_S = 0.005
"""Seconds for which the check of the record rests after every few rows."""


def check_all(record: Path, games: Mapping[str, AnyGame], table: Table) -> None:
    """Checks that no row of the record has changed since it was written; if one has, requests that
    the table repair the record. Runs once the table is open, and pauses often, so that keys have
    priority."""
    from companion.record.repair.verify import new_damage

    with suppress(StoreError), Reader.open(record, games) as reader:
        if damage := new_damage(reader, lambda: time.sleep(REST_S)):
            log(f"The record is damaged: {damage}")
            table.events.put(Command.REPAIR)


def start_copying(
    store: Store,
    games: Mapping[str, AnyGame],
    places: Iterable[Path],
    table: Table,
    renew: Callable[[], None],
) -> Callable[[], None]:
    """Starts to copy the record beside itself and to `places`, and to receive notices from the
    box's other programs (NoticeSocket). `renew` is called if one of them requests new firmware for
    the keypads. Returns the function that ends both."""
    from companion.app.notice_socket import NoticeSocket
    from companion.record.copies.copier import Copiers
    from companion.record.copies.restore import drop_offers

    def tell(line: str) -> None:
        log(line)
        table.events.put(BackgroundNotice(line))

    if store.newest_game():
        drop_offers(store.path)  # left behind by a power cut
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
    def last_kept_press(keypad: str, boot: int) -> int:
        """Returns the number of the last press in the record since the keypad's start `boot`; 0 if
        there is none. Opens its own connection to the record, because it is called from another
        thread."""
        with suppress(StoreError), Reader.open(record, games) as reader:
            return reader.last_press(keypad, boot)
        return 0  # the record itself ignores a repeated press

    try:
        return SeatKeypads(
            table.events.put,
            last_kept_press,
            log,
            find=find,
            status=status_socket_path(record),
            others=others,
        )
    except OSError as error:
        log(f"“companion keypads” won't be answered: {error}")
        return SeatKeypads(table.events.put, last_kept_press, log, find=find)


def renew_keypads(keypads: SeatKeypads, table: Table) -> None:
    """Installs the box's firmware on the connected keypads, and shows at the table for each keypad
    whether that worked."""

    def tell(serial: str, why: str) -> None:
        if why:
            line = phrase("Keypad {serial}: {why}", serial=serial, why=why)
        else:
            line = phrase("Keypad {serial} has its new firmware", serial=serial)
        log(line)
        table.events.put(BackgroundNotice(line))

    keypads.renew(tell)


def ask_for_keypads(record: Path) -> None:
    """Asks the table that writes this record to renew the keypads' firmware. May be called from any
    thread of any process."""
    from companion.app.notice_socket import RENEW_KEYPADS, send_notice

    send_notice(record, RENEW_KEYPADS)


def number_pads(config: Config, hardware: Hardware, table: Table, timing: Timing) -> NumberPads:
    """Returns the number pads of a box. A virtual box uses none: its keyboards belong to the person
    at the machine."""
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
    """Makes SIGTERM and SIGINT stop the loop. A second signal ends the program at once; nothing is
    lost even then.

    A separate thread waits for the signals. A handler would run in the main thread, and a signal
    that came just before that thread waits for the queue would not wake it."""

    def wait() -> None:
        signal.sigwait(STOPPING)
        table.events.put(Command.STOP)
        os._exit(128 + signal.sigwait(STOPPING))

    NamedThread("signals", wait).start()


def log(line: str) -> None:
    """Writes a line to standard error, which goes to the service's log."""
    print(line, file=sys.stderr, flush=True)


# ---------------------------------------------------------------- name in the network

LOOK_S: Final = 60.0
"""Seconds between checks of the name, which changes when the box is moved to another network or
another box arrives."""
FIRST_LOOK_S: Final = 5.0
"""Seconds to the first check, by when avahi has tested whether the name is free."""


class NameWatch:
    """Calls `tell` with a line whenever the box's name in the network changes."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell, self._name = tell, usual_name()
        self._end = Event()
        self._thread = NamedThread("own name", self._run)

    def start(self) -> None:
        """Starts to watch the name."""
        self._thread.start()

    def close(self) -> None:
        """Stops watching, and waits for the thread to end."""
        self._end.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        wait_s = FIRST_LOOK_S
        while not self._end.wait(wait_s):
            self._check_name()
            wait_s = LOOK_S

    def _check_name(self) -> None:
        from companion.web.address import network_address  # which would be loaded before the start

        name = announced_name(network_address())
        if not name or name == self._name:
            return
        self._name = name
        if name == usual_name():
            self._tell(phrase("This box is at {name} again", name=name))
        else:
            self._tell(
                phrase(
                    "Another device is called {usual}, so this box is at {name}",
                    usual=usual_name(),
                    name=name,
                )
            )


# ---------------------------------------------------------------- programs that listen


class BoxListeners:
    """Sends the table's events to the configured programs, such as an MQTT broker, from `start`
    until `close`. `record`: the path of the table's record, beside which the box's broker id is
    stored. `log` is called with lines about errors; `language` is used until the table chooses
    one."""

    def __init__(
        self,
        config: Config,
        record: Path,
        games: PresentedGames,
        log: Callable[[str], None],
        language: Language,
    ) -> None:
        self._config, self._record, self._log = config, record, log
        self._hearings: EventSource | None = None
        self._stack = ExitStack()
        if config.mqtt.broker or config.hooks.addresses:
            from companion.web.listeners import connections, subscription

            self._hearings = subscription.EventSource(games, language)
            self._trusted = connections.TrustedAuthorities(config.mqtt.ca)

    def tell(self, snapshot: Snapshot) -> None:
        """Passes on the table's new state. Returns at once."""
        if self._hearings is not None:
            self._hearings.update(snapshot)

    def start(self) -> None:
        """Starts to send to the programs. Call it after the first picture has been shown, because
        the libraries take time to load."""
        if self._hearings is None:
            return
        if self._config.mqtt.broker:
            self._start_broker(self._hearings)
        if self._config.hooks.addresses:
            self._start_hooks(self._hearings)

    def close(self) -> None:
        """Stops sending to the programs."""
        self._stack.close()

    def _start_broker(self, source: "EventSource") -> None:
        try:
            from companion.web.listeners.mqtt import BrokerSetup, BrokerThread
        except ImportError:
            self._log("MQTT needs python3-paho-mqtt: sudo apt install python3-paho-mqtt")
            return
        from companion.web.listeners.mqtt import BoxTopic

        mqtt, file = self._config.mqtt, self._record.with_suffix(".mqtt")
        try:
            box = BoxTopic(file, mqtt.topic, mqtt.discovery)
        except OSError as error:
            self._log(f"MQTT: {file}: {(error.strerror or str(error)).lower()}")
            return
        self._log(f"The table's topic at the MQTT broker is {box.now.topic}.")
        setup = BrokerSetup(
            parse_broker(mqtt.broker), mqtt.user, mqtt.password, box.now.topic, mqtt.discovery, box
        )
        thread = BrokerThread(setup, source, self._log, self._trusted.context)
        self._stack.callback(thread.stop)
        thread.start()

    def _start_hooks(self, source: "EventSource") -> None:
        from companion.web.listeners.hooks import HookSetup, HookThread

        hooks = self._config.hooks
        secret = parse_secret(hooks.secret) if hooks.secret else b""
        for address in parse_hooks(hooks.addresses):
            setup = HookSetup(address, secret, parse_events(hooks.events))
            thread = HookThread(setup, source, self._log, self._trusted.context)
            self._stack.callback(thread.stop)
            thread.start()


# ---------------------------------------------------------------- voice


def clips_of(config: VoiceOfBox, made: Path) -> "Callable[[str], Clips]":
    """Returns a function that returns a language's clips, given the language's name. `made`: the
    folder for the clips that the box makes. The function also deletes clips that earlier versions
    made at another speed in that language."""

    def clips(language: str) -> "Clips":
        import shutil

        from companion.devices.voice import SPEEDS, Clips

        folder, recorded = made / SPEEDS, Path(config.clips)
        if not (folder / language).exists() and recorded.resolve() != made.resolve():
            for old in (made, *made.glob("speed-*")):
                shutil.rmtree(old / language, ignore_errors=True)
        return Clips(language, folder, recorded if config.clips else None)

    return clips


class BoxVoice:
    """The box's voice, as configured in `voice`. `clips` returns a language's clips, given the
    language's name; `report` is called with lines about errors; `language` is used until the table
    chooses one."""

    def __init__(
        self,
        games: PresentedGames,
        voice: VoiceOfBox,
        clips: "Callable[[str], Clips]",
        report: Callable[[str], None],
        language: Language = ENGLISH,
    ) -> None:
        self._games, self._voice, self._clips = games, voice, clips
        self._report, self._language = report, language
        self._speaking: Speaking | None = None

    def tell(self, snapshot: Snapshot) -> None:
        """Passes on the table's new state, and loads the voice once it is switched on. Returns at
        once."""
        off = VOICE_LEVELS[0]
        if self._speaking is None and snapshot.settings.get(VOICE, off) != off:
            self._speaking = self._load_voice()
        if self._speaking is not None:
            self._speaking.tell(snapshot)

    def hear(self, heard: "ShownPicture") -> None:
        """Passes on a picture and the keys that led to it. Returns at once."""
        if self._speaking is not None:
            self._speaking.hear(heard)

    def close(self) -> None:
        """Stops the voice at once; it can't be started again."""
        if self._speaking is not None:
            self._speaking.close()

    def _load_voice(self) -> "Speaking":
        from companion.app.speaking import Speaking
        from companion.devices.voice import SoundCard

        card, report = SoundCard(self._voice.device), self._report
        speaking = Speaking(self._games, card, self._clips, report=report, language=self._language)
        speaking.start()
        return speaking
