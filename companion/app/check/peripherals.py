"""Checks the devices around the board, all of which can be tried while the table runs: a TV, seat
keypads, number pads, a sound card, a USB stick, the network and the clock."""

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from queue import Empty, SimpleQueue
from typing import Any, Final

from companion.app.check.bench import Bench, Finding, Grade, fault, not_tried, ok, warning
from companion.app.check.board import RUNNING, check_access, is_table_running
from companion.core.clock import CLOCK_SET
from companion.core.keys import SIXTEEN, Key, Press
from companion.core.values import Json
from companion.core.words import Sentence, counted, listed, phrase
from companion.devices.gpio.debounce import Timing
from companion.devices.keypads.keypad_status import ask_status, status_socket_path
from companion.devices.keypads.renewal import firmware_here
from companion.devices.link.events import KeypadArrived, News
from companion.devices.pads.input_devices import InputDevices
from companion.devices.pads.number_pads import NumberPads
from companion.devices.voice import MissingClipError, MissingPlayerError, VoiceError
from companion.games.house_rules import Value
from companion.presentation.language import language_of, table_language
from companion.presentation.sayings import words_of
from companion.record.store.database import StoreError
from companion.record.store.reader import Reader

TV_SERVICES: Final = ("companion-tv.service", "companion-kiosk.service")
START_TV: Final = "sudo systemctl start companion-tv"
SLICE: Final = "sys/fs/cgroup/system.slice"
"""The folder in which systemd has a folder for each running service."""
STICKS: Final = "run/companion-stick"
"""The folder with a folder for each stick to which games are copied."""
RENEW_COMMAND: Final = "sudo companion keypads --update"


def check_tv(bench: Bench) -> Iterator[Finding]:
    """Yields findings about whether a screen is connected to HDMI, and whether a program draws on
    it."""
    root = bench.machine.root
    plugged = [
        status.parent.name.partition("-")[2]
        for status in sorted(root.glob("sys/class/drm/card*-*/status"))
        if status.read_text().strip() == "connected"
    ]
    size = bench.machine.text("sys/class/graphics/fb0/virtual_size").replace(",", "×")
    if not plugged and not size:
        yield ok(phrase("no screen is connected to HDMI, and none is needed"))
        return
    screen = ", ".join(plugged) or phrase("a screen, as far as the kernel knows")
    if size:
        screen = phrase("{screen}, {size} pixels", screen=screen, size=size)
    if any((root / SLICE / service).exists() for service in TV_SERVICES):
        yield ok(phrase("{screen}: the table is drawn on it", screen=screen))
    elif bench.on_hdmi:
        yield ok(phrase("{screen}: the box's own picture is on it", screen=screen))
    else:
        yield warning(
            phrase("{screen}: nothing draws the table on it", screen=screen),
            phrase("{command} draws the table on it", command=START_TV),
        )


def statuses(bench: Bench) -> list[Json] | None:
    """Returns the figures of seat keypads and number pads from the running table, or None if no
    table is running or it doesn't answer."""
    try:
        return ask_status(status_socket_path(bench.record))
    except (OSError, ValueError):
        return None


def check_keypads(bench: Bench) -> Iterator[Finding]:
    """Yields findings about each seat keypad, from the running table's figures or, if no table is
    running, by pinging the keypad."""
    pads_of_table = statuses(bench)
    if pads_of_table is None and is_table_running(bench):
        yield not_tried(
            phrase(
                "the table doesn't report its keypads: {command} asks it",
                command="companion keypads",
            )
        )
        return
    if pads_of_table is None:
        pads_of_table = bench.machine.keypads(bench.config.keypads.usb)
    keypads = [one for one in pads_of_table if not one.get("kind")]
    if not keypads:
        yield ok(phrase("no keypad is plugged in, and none is needed"))
    for one in keypads:
        yield _keypad_finding(one)


def _keypad_finding(one: Mapping[str, Any]) -> Finding:
    if one["keypad"] is None:
        return Finding(
            Grade.WARNING,
            phrase("{port}: a Pico that doesn't answer", port=one["port"]),
            phrase("{command} puts the keypad's firmware on it", command=RENEW_COMMAND),
            renews_keypads=True,
        )
    name = phrase("the keypad {name} without a seat", name=one["keypad"])
    if one["seat"]:
        name = phrase("the keypad {name} of seat {seat}", name=one["keypad"], seat=one["seat"])
    here, firmware = firmware_here(), tuple(map(int, one["firmware"].split(".")))
    newer = here is not None and firmware < here.version
    renew = phrase("{command} gives it the one that the box has", command=RENEW_COMMAND)
    if not one["here"]:
        return warning(phrase("{keypad} is gone", keypad=name), phrase("is its cable plugged in?"))
    version = one["firmware"]
    if not one["fits"]:
        found = phrase(
            "{keypad} speaks another version: firmware {version}", keypad=name, version=version
        )
        remedy = renew if newer else phrase("bring the box up to date")
        return Finding(Grade.FAULT, found, remedy, renews_keypads=newer)
    if newer:
        found = phrase(
            "{keypad} answers, but its firmware {version} is old", keypad=name, version=version
        )
        return Finding(Grade.WARNING, found, renew, renews_keypads=True)
    trip = one["round_trip_ms"]
    if trip is None:
        return ok(phrase("{keypad} answers", keypad=name))
    return ok(phrase("{keypad} answers within {time} ms", keypad=name, time=round(trip)))


def check_stick(bench: Bench) -> Iterator[Finding]:
    """Yields findings about whether the games are copied to each USB stick that is plugged in."""
    root = bench.machine.root
    sticks = [
        disk.parent.name
        for disk in sorted(root.glob("sys/block/sd*/removable"))
        if disk.read_text().strip() == "1"
    ]
    copied = [path.name for path in sorted(root.glob(f"{STICKS}/*"))]
    if not sticks and not copied:
        yield ok(phrase("no USB stick is plugged in, and none is needed"))
    for stick in sticks:
        if any(name.startswith(stick) for name in copied):
            yield ok(phrase("every game is copied to the USB stick {stick}", stick=stick))
        else:
            yield warning(
                phrase("nothing is copied to the USB stick {stick}", stick=stick),
                phrase(
                    "an empty file {file} on it asks for copies; plug it in again, and the table "
                    "says what is wrong with it",
                    file="table-companion.txt",
                ),
            )


def check_network(bench: Bench) -> Iterator[Finding]:
    """Yields findings about whether there is a network through which phones can connect."""
    root = bench.machine.root
    linked = [
        state.parent.name
        for state in sorted(root.glob("sys/class/net/*/operstate"))
        if state.parent.name != "lo" and state.read_text().strip() == "up"
    ]
    address = bench.machine.address()
    network = ", ".join(linked)
    if linked and address:
        yield ok(phrase("{network}: this box is {address}", network=network, address=address))
    elif linked:
        yield warning(
            phrase("{network} is connected, but gives the box no address", network=network),
            phrase(
                "check that network's router: until it works, no other device can open the page"
            ),
        )
    else:
        yield warning(
            phrase("there is no network: no phone can connect"),
            phrase(
                "a cable, or a Wi-Fi: {file} on a flashed card, else {command}",
                file="wifi.txt",
                command="sudo nmtui",
            ),
        )


# ---------------------------------------------------------------- number pads

PATIENCE_S = 15.0
"""Seconds to wait for a key."""
TICK_S = 0.02
GET_EVDEV = "sudo apt install python3-evdev"
NO_PAD = phrase("no number pad is plugged in, and none is needed")


def check_pads(bench: Bench) -> Iterator[Finding]:
    """Yields findings about each number pad that is plugged in."""
    try:
        devices = bench.machine.pads()
    except ImportError:
        yield not_tried(phrase("Python's evdev is missing: number pads can't be used"), GET_EVDEV)
        return
    nodes = sorted(path.partition(" ")[0] for path in devices.paths())
    for node in nodes:
        for refused in check_access(bench, bench.machine.root / node.lstrip("/"), "input"):
            yield refused
            return
    if is_table_running(bench):
        yield from _findings_for_table_pads(bench)
        return
    yield from _try_pads(bench, devices)


def _findings_for_table_pads(bench: Bench) -> Iterator[Finding]:
    """Yields a finding about each number pad of the running table: whether it is still connected,
    and how often its keys were pressed."""
    keypads = statuses(bench)
    if keypads is None:
        found = phrase(
            "the table has the number pads: {command} lists them", command="companion keypads"
        )
        yield not_tried(found, RUNNING)
        return
    pads = [one for one in keypads if one.get("kind")]
    if not pads:
        yield ok(NO_PAD)
    for one in pads:
        pad = _pad_name(one)
        if not one["port"]:
            yield warning(
                phrase("{pad} is gone", pad=pad), phrase("is it plugged in, and charged?")
            )
        elif not one["presses"]:
            yield not_tried(phrase("{pad} is there; no key has been pressed yet", pad=pad))
        else:
            yield ok(counted("{pad}: 1 press", "{pad}: {number} presses", one["presses"], pad=pad))


def _pad_name(pad: Mapping[str, Any]) -> Sentence:
    return phrase("“{name}” ({kind})", name=pad["name"], kind=pad["keypad"])


def _try_pads(bench: Bench, devices: InputDevices) -> Iterator[Finding]:
    heard: SimpleQueue[Press | News] = SimpleQueue()
    problems: list[str] = []
    clock = bench.machine.clock
    with closing(
        NumberPads(heard.put, problems.append, devices, take="pads", timing=Timing(), clock=clock)
    ) as pads:
        pads.step(0)
        found = [one.keypad for one in _take_pending(heard) if isinstance(one, KeypadArrived)]
        names = {pad["keypad"]: _pad_name(pad) for pad in pads.status()}
        if not found:
            yield ok(NO_PAD)
        for keypad in found:
            if not bench.terminal.asks:
                yield not_tried(
                    phrase("{pad} is there; its keys were not tried", pad=names[keypad])
                )
            else:
                yield _finding_for_pad(
                    names[keypad], _keys_pressed_on(bench, pads, heard, keypad, names[keypad])
                )
    remedy = phrase("end that program, then check again")
    yield from (fault(line, remedy) for line in problems)


def _keys_pressed_on(
    bench: Bench, pads: NumberPads, heard: SimpleQueue[Press | News], keypad: str, name: str
) -> list[Key]:
    """Returns the keys pressed on one number pad. Ends when the pad's Enter or Enter at the
    terminal is pressed, or after a while without a key."""
    tell, clock = bench.terminal.tell, bench.machine.clock
    tell(f"Press each key of {name}, Enter last. Enter here skips it.")
    came: list[Key] = []
    until = clock() + PATIENCE_S
    while clock() < until and Key.OK not in came:
        if bench.terminal.wait_for_enter(TICK_S):
            break
        pads.step(0)
        for press in _take_pending(heard):
            if not isinstance(press, Press) or press.held or press.repeated:
                continue
            if press.source and press.source.keypad == keypad:
                came.append(press.key)
                tell(f"  {press.key.value}")
                until = clock() + PATIENCE_S
    return came


def _take_pending(heard: SimpleQueue[Press | News]) -> Iterator[Press | News]:
    while True:
        try:
            yield heard.get_nowait()
        except Empty:
            return


def _finding_for_pad(name: str, came: list[Key]) -> Finding:
    missing = [key.value for key in SIXTEEN if key not in came]
    if not came:
        return not_tried(phrase("{pad}: skipped, or no key arrived", pad=name))
    if missing:
        return warning(
            phrase("{pad}: {keys} did not arrive", pad=name, keys=" ".join(missing)),
            phrase(
                "+ is DRAW, − PASS, * BOGUS, / MENU, comma or Backspace BACK: were they pressed?"
            ),
        )
    return ok(phrase("{pad}: all sixteen keys", pad=name))


# ---------------------------------------------------------------- voice

ASKS_WHETHER_HEARD: Final = "Did you hear it? [Y/n]"
NAMES_CARDS: Final = phrase(
    "{command} names the cards, for {setting} in the configuration: hw/voice.md",
    command="aplay -L",
    setting="[voice] device",
)
"""The remedy for a sound card that plays nothing."""
_SOUND_CARD: Final = re.compile(r"^ *\d+ \[(\S+) *\]: .* - (.*)$", re.MULTILINE)
"""A card in the kernel's list: its short name and its description."""


def check_voice(bench: Bench) -> Iterator[Finding]:
    """Plays a sentence in the table's language on the sound card that the table would use, and
    yields findings about whether it can be heard."""
    device = bench.config.voice.device or "default"
    cards = _SOUND_CARD.findall(bench.machine.text("proc/asound/cards"))
    if not cards and device == "default":
        yield ok(phrase("no sound card is there, and none is needed"))
        return
    for node in sorted((bench.machine.root / "dev/snd").glob("control*")):
        for refused in check_access(bench, node, "audio"):
            yield refused
            return
    card = ", ".join(f"{name} ({what})" for name, what in cards)
    card = card or phrase("no card that the kernel knows")
    language = table_language(_chosen_settings(bench), language_of(bench.config.box.language))
    sentence = language.translate(words_of("heard.count", count=15))
    try:
        clip = bench.machine.speak(sentence, language.name)
        bench.terminal.tell(f"The box says “{sentence}” by the sound card “{device}”.")
        bench.machine.sound_card(device).play([clip])
    except (MissingClipError, MissingPlayerError) as error:
        yield warning(
            listed((card, error.why), ": "), phrase("until then the box plays without a voice")
        )
        return
    except VoiceError as error:
        yield warning(listed((card, error.why), ": "), NAMES_CARDS)
        return
    if not bench.terminal.asks:
        played = phrase(
            "{card}: “{device}” has played “{said}”; nobody was asked who heard it",
            card=card,
            device=device,
            said=sentence,
        )
        yield ok(played)
    elif bench.terminal.ask(ASKS_WHETHER_HEARD).lower().startswith("n"):
        yield warning(
            phrase("{card}: “{device}” has played, but nobody heard it", card=card, device=device),
            phrase(
                "{command}: is it silent (MM)? {other} names other cards, for {setting}",
                command="alsamixer",
                other="aplay -L",
                setting="[voice] device",
            ),
        )
    else:
        yield ok(phrase("{card}: “{device}” is heard", card=card, device=device))


def _chosen_settings(bench: Bench) -> Mapping[str, Value]:
    """Returns the settings chosen at the table; none if the record can't be read, which the check
    of the record reports."""
    if not bench.record.exists():
        return {}
    try:
        with Reader.open(bench.record, bench.games) as reader:
            return reader.settings()
    except (StoreError, OSError):
        return {}


# ---------------------------------------------------------------- clock
# The order of the games never depends on the clock.


def check_clock(bench: Bench) -> Iterator[Finding]:
    """Yields findings about the time, and about whether a real-time clock keeps it while the power
    is off."""
    now = bench.machine.wall()
    time = datetime.fromtimestamp(now, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    if now < CLOCK_SET:
        yield warning(
            phrase("the clock was never set (it says {time})", time=time),
            phrase(
                "connect the box to a network once after it is switched on. Games are ordered by "
                "number, so nothing gets mixed up; entries have no date until then"
            ),
        )
    elif _synchronized(bench):
        yield ok(phrase("{time}, set from the network", time=time))
    elif _has_clock(bench):
        yield ok(phrase("{time}, kept by a clock on the board", time=time))
    else:
        yield warning(
            phrase(
                "{time}, but nothing has set the clock since the box was switched on", time=time
            ),
            phrase(
                "connect the box to a network once after it is switched on. Games are ordered by "
                "number, so nothing gets mixed up; only the dates may be wrong"
            ),
        )


def _synchronized(bench: Bench) -> bool:
    flag_file = bench.machine.root / "run/systemd/timesync/synchronized"
    return flag_file.exists() or bench.machine.synchronized()


def _has_clock(bench: Bench) -> bool:
    """Returns whether the kernel took the time from a real-time clock. It doesn't on a Pi 5 without
    a battery, whose clock stops when the power is off."""
    clocks = bench.machine.root.glob("sys/class/rtc/rtc*/hctosys")
    return any(one.read_text().strip() == "1" for one in clocks)
