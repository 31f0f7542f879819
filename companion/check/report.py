"""Runs the checks and says what they found."""

import errno
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from textwrap import wrap
from typing import Any, Final

from companion.app.config import PLACE, Config, ConfigError, load_config
from companion.app.hardware import kind_of_hardware
from companion.check import PARTS
from companion.check.around import check_keypads, check_network, check_stick, check_tv, statuses
from companion.check.bench import Bench, Machine, user_name
from companion.check.board import RUNNING, check_board, pins, rights, running
from companion.check.disk import check_disk
from companion.check.display import check_display
from companion.check.finding import Finding, Grade, fault, not_tried, ok, warning, worst
from companion.check.keys import check_keys
from companion.check.terminal import Silent, StandardTerminal, Terminal
from companion.core.clock import CLOCK_SET
from companion.core.keys import SIXTEEN, Key, Press
from companion.core.words import Sentence, counted, listed, phrase, sentence_json
from companion.devices.board import Display
from companion.devices.board_file import load_board
from companion.devices.gpio.debounce import Timing
from companion.devices.pads.input_devices import InputDevices
from companion.devices.pads.number_pads import NumberPads
from companion.devices.voice.clips import MissingClip, MissingPlayer, VoiceError
from companion.games.game import AnyGame
from companion.games.options import Value
from companion.link.events import Arrived, News
from companion.presentation.languages import language_of, spoken
from companion.presentation.sayings import words_of
from companion.record.repair.verify import verify
from companion.record.store.faults import StoreError
from companion.record.store.reader import Reader

# ---------------------------------------------------------------- pads
# Checks the number pads: is there one, may it be used, and what does each of its keys give?


PATIENCE_S = 15.0
"""How long to wait for a key."""
TICK_S = 0.02
MISSING = "sudo apt install python3-evdev"
NONE = phrase("no number pad is plugged in, and none is needed")


def check_pads(bench: Bench) -> Iterator[Finding]:
    """Checks each pad that is plugged in."""
    try:
        devices = bench.machine.pads()
    except ImportError:
        yield not_tried(phrase("Python's evdev is missing: number pads can't be used"), MISSING)
        return
    nodes = sorted(path.partition(" ")[0] for path in devices.paths())
    for node in nodes:
        for refused in rights(bench, bench.machine.root / node.lstrip("/"), "input"):
            yield refused
            return
    if running(bench):
        yield from _of_the_table(bench)
        return
    yield from _tried(bench, devices)


def _of_the_table(bench: Bench) -> Iterator[Finding]:
    """The findings about the pads that the running table has: how often each was pressed."""
    told = statuses(bench)
    if told is None:
        said = phrase(
            "the table has the number pads: {command} lists them", command="companion keypads"
        )
        yield not_tried(said, RUNNING)
        return
    pads = [one for one in told if one.get("kind")]
    if not pads:
        yield ok(NONE)
    for one in pads:
        pad = _named(one)
        if not one["port"]:
            yield warning(
                phrase("{pad} is gone", pad=pad), phrase("is it plugged in, and charged?")
            )
        elif not one["presses"]:
            yield not_tried(phrase("{pad} is there; none of its keys was pressed yet", pad=pad))
        else:
            yield ok(counted("{pad}: 1 press", "{pad}: {number} presses", one["presses"], pad=pad))


def _named(pad: Mapping[str, Any]) -> Sentence:
    return phrase("“{name}” ({kind})", name=pad["name"], kind=pad["keypad"])


def _tried(bench: Bench, devices: InputDevices) -> Iterator[Finding]:
    heard: SimpleQueue[Press | News] = SimpleQueue()
    said: list[str] = []
    clock = bench.machine.clock
    with closing(
        NumberPads(heard.put, said.append, devices, take="pads", timing=Timing(), clock=clock)
    ) as pads:
        pads.step(0)
        found = [one.keypad for one in _waiting(heard) if isinstance(one, Arrived)]
        names = {pad["keypad"]: _named(pad) for pad in pads.status()}
        if not found:
            yield ok(NONE)
        for keypad in found:
            if not bench.terminal.asks:
                yield not_tried(
                    phrase("{pad} is there; nobody was asked to press its keys", pad=names[keypad])
                )
            else:
                yield _judged(names[keypad], _pressed(bench, pads, heard, keypad, names[keypad]))
    remedy = phrase("end that program, then check again")
    yield from (fault(line, remedy) for line in said)


def _pressed(
    bench: Bench, pads: NumberPads, heard: SimpleQueue[Press | News], keypad: str, name: str
) -> list[Key]:
    """The keys of one pad that are pressed, until its Enter, or Enter at the terminal, or until
    nothing comes any more."""
    tell, clock = bench.terminal.tell, bench.machine.clock
    tell(f"Press each key of {name}, Enter last. Enter here skips it.")
    came: list[Key] = []
    until = clock() + PATIENCE_S
    while clock() < until and Key.OK not in came:
        if bench.terminal.entered(TICK_S):
            break
        pads.step(0)
        for press in _waiting(heard):
            if not isinstance(press, Press) or press.held or press.repeated:
                continue
            if press.source and press.source.keypad == keypad:
                came.append(press.key)
                tell(f"  {press.key.value}")
                until = clock() + PATIENCE_S
    return came


def _waiting(heard: SimpleQueue[Press | News]) -> Iterator[Press | News]:
    while True:
        try:
            yield heard.get_nowait()
        except Empty:
            return


def _judged(name: str, came: list[Key]) -> Finding:
    missing = [key.value for key in SIXTEEN if key not in came]
    if not came:
        return not_tried(phrase("{pad}: skipped, or nothing came", pad=name))
    if missing:
        return warning(
            phrase("{pad}: {keys} did not come", pad=name, keys=" ".join(missing)),
            phrase(
                "+ is DRAW, − PASS, * BOGUS, / MENU, comma or Backspace BACK: were they pressed?"
            ),
        )
    return ok(phrase("{pad}: all sixteen keys", pad=name))


# ---------------------------------------------------------------- bus
# Checks the display's bus: is it there, may it be used, and does the display answer on it?


ADDRESSES = (0x3C, 0x3D)
"""Addresses at which such displays answer, by a solder bridge. Source: SSD1306 data sheet,
8.1.5."""

NOTHING = 0xE3
"""The command that does nothing, on both controllers. Source: their data sheets."""

_SILENT = (errno.EREMOTEIO, errno.ENXIO, errno.EIO)


def check_bus(bench: Bench) -> Iterator[Finding]:
    """Checks the device node, the right to use it, and on I²C whether the display answers."""
    if bench.board is None:
        yield not_tried("see board")
        return
    display = bench.board.display
    node = bench.machine.root / "dev" / display.node
    if not node.exists():
        yield fault(f"there is no /dev/{node.name}", _enabling(display))
        return
    group = "video" if display.on_screen else display.interface
    if refused := list(rights(bench, node, group)):
        yield from refused
        return
    if display.on_screen:
        yield ok(f"/dev/{node.name} is there: the picture goes to the screen")
        return
    if display.interface == "i2c":
        yield from _i2c(bench, display)
    else:
        said = f"/dev/{node.name} is there; nothing answers on SPI"
        yield ok(f"{said}: the display's picture must tell")


def _enabling(display: Display) -> str:
    if display.on_screen:
        return "plug the screen into HDMI, switch it on, and reboot"
    if display.interface == "spi":
        return "sudo raspi-config → Interface Options → SPI → Yes, then reboot"
    if display.bus == 1:
        return "sudo raspi-config → Interface Options → I2C → Yes, then reboot"
    return f"set [display] bus = 1, or enable I²C bus {display.bus} in config.txt"


def _i2c(bench: Bench, display: Display) -> Iterator[Finding]:
    reason = _silence(bench, display)
    name = f"/dev/i2c-{display.bus}"
    if reason is None:
        yield ok(f"a display answers at 0x{display.address:02X} on {name}")
        return
    others = [one for one in ADDRESSES if one != display.address]
    found = [one for one in others if _silence(bench, replace(display, address=one)) is None]
    if found:
        yield fault(
            f"nothing answers at 0x{display.address:02X} on {name}, but something at "
            f"0x{found[0]:02X}",
            f"the display answers at 0x{found[0]:02X}: set [display] address = 0x{found[0]:02X}",
        )
    else:
        yield _unanswered(display, name, reason)


def _unanswered(display: Display, name: str, reason: BaseException) -> Finding:
    if not _is_silence(reason):
        return fault(
            f"{name} does not work: {reason}",
            "is SDA or SCL wired to ground, or to each other? Power the Pi off and look",
        )
    tried = " and ".join(f"0x{one:02X}" for one in sorted({display.address, *ADDRESSES}))
    return fault(
        f"nothing answers on {name} at {tried}",
        "look at the display's four wires: 3V3 (pin 1), ground (6), SDA (3), SCL (5)",
    )


def _silence(bench: Bench, display: Display) -> BaseException | None:
    """The error if no display answers at its address; None if one does."""
    on_pins = display.reset_pin is not None
    try:
        with pins(bench) if on_pins else nullcontext() as factory:
            bus = bench.machine.bus_of(display, factory)()
            try:
                bus.command(NOTHING)
            finally:
                bus.cleanup()
    except Exception as error:  # OSError, and luma's, which has no base of its own in common
        return error
    return None


def _is_silence(error: BaseException) -> bool:
    """Whether the bus works and there was just no answer on it. luma hides the cause of its
    errors."""
    cause = error if isinstance(error, OSError) else error.__context__
    return isinstance(cause, OSError) and cause.errno in _SILENT


# ---------------------------------------------------------------- voice
# Checks the voice: is there a sound card, may it be used, and is it heard?


HEARD: Final = "Did you hear it? [Y/n]"
CARDS: Final = phrase(
    "{command} names the cards, for {setting} in the configuration: hw/README.md",
    command="aplay -L",
    setting="[voice] device",
)
"""The remedy for a card that plays nothing."""
_CARD: Final = re.compile(r"^ *\d+ \[(\S+) *\]: .* - (.*)$", re.MULTILINE)
"""A card in the kernel's list: its short name and what it is."""


def check_voice(bench: Bench) -> Iterator[Finding]:
    """Checks the voice by saying a sentence in the table's language, by the sound card that the
    table would take."""
    device = bench.config.voice.device or "default"
    cards = _CARD.findall(bench.machine.text("proc/asound/cards"))
    if not cards and device == "default":
        yield ok(phrase("no sound card is there, and none is needed"))
        return
    for node in sorted((bench.machine.root / "dev/snd").glob("control*")):
        for refused in rights(bench, node, "audio"):
            yield refused
            return
    card = ", ".join(f"{name} ({what})" for name, what in cards)
    card = card or phrase("no card that the kernel knows")
    language = spoken(_chosen(bench), language_of(bench.config.box.language))
    said = language.put(words_of("heard.count", count=15))
    try:
        clip = bench.machine.speak(said, language.name)
        bench.terminal.tell(f"The box says “{said}” by the sound card “{device}”.")
        bench.machine.sound_card(device).play([clip])
    except (MissingClip, MissingPlayer) as error:
        yield warning(
            listed((card, error.why), ": "), phrase("until then the box plays without a voice")
        )
        return
    except VoiceError as error:
        yield warning(listed((card, error.why), ": "), CARDS)
        return
    if not bench.terminal.asks:
        played = phrase(
            "{card}: “{device}” has played “{said}”; nobody was asked who heard it",
            card=card,
            device=device,
            said=said,
        )
        yield ok(played)
    elif bench.terminal.ask(HEARD).lower().startswith("n"):
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


def _chosen(bench: Bench) -> Mapping[str, Value]:
    """The settings that were chosen at the table; none if the record can't be read, which its own
    check reports."""
    if not bench.record.exists():
        return {}
    try:
        with Reader.open(bench.record, bench.games) as reader:
            return reader.settings()
    except (StoreError, OSError):
        return {}


# ---------------------------------------------------------------- record
# Checks the record: is it as it was written?


SHOWN = 5
"""Findings that are shown; `companion verify` shows all."""


def check_record(bench: Bench) -> Iterator[Finding]:
    """Checks every row and every game, and names what an earlier damage has left."""
    try:
        if not bench.record.exists():
            yield ok(f"{bench.record} is not there yet: the table makes it")
            return
        with Reader.open(bench.record, bench.games) as reader:
            games = sum(1 for _ in reader.numbers())
            wrong = verify(reader)
    except PermissionError:
        user = user_name(bench.machine.user)
        yield not_tried(
            f"{user} may not read {bench.record}",
            f"sudo usermod -aG companion {user}, then log in again; or sudo companion check",
        )
        return
    except (StoreError, OSError) as error:
        yield fault(str(error), "companion run sets a damaged record aside and saves what it can")
        return
    if wrong:
        yield from (fault(line, "companion verify tells all of it") for line in wrong[:SHOWN])
    else:
        yield ok(f"{games} game{'' if games == 1 else 's'}, every row as it was written")
    for old in sorted(bench.record.parent.glob(f"{bench.record.name}.damaged-*[0-9]")):
        yield warning(
            f"a damaged record was set aside as {old.name}",
            f"what was readable is in the record; keep or remove {old}",
        )


# ---------------------------------------------------------------- clock
# Checks the clock: what it says, and what sets it. The order of the games never depends on it.


def check_clock(bench: Bench) -> Iterator[Finding]:
    """Checks the time, and whether anything keeps it while the power is off."""
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
    """Whether the kernel took the time from a real-time clock. A Pi 5 has one, but it loses its
    time with the power if no battery is plugged in, and then the kernel takes nothing from it."""
    clocks = bench.machine.root.glob("sys/class/rtc/rtc*/hctosys")
    return any(one.read_text().strip() == "1" for one in clocks)


# ---------------------------------------------------------------- report

CHECKS: Mapping[str, Callable[[Bench], Iterable[Finding]]] = {
    "board": check_board,
    "bus": check_bus,
    "display": check_display,
    "keys": check_keys,
    "pads": check_pads,
    "keypads": check_keypads,
    "tv": check_tv,
    "voice": check_voice,
    "stick": check_stick,
    "network": check_network,
    "disk": check_disk,
    "clock": check_clock,
    "record": check_record,
}
"""The check of each part."""

Found = Mapping[str, Sequence[Finding]]
WIDTH = 96
INDENT = 21


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line says. `asks`: whether questions may be asked."""

    config: Path | None = None
    parts: Sequence[str] = PARTS
    asks: bool = True
    as_json: bool = False


def check_box(
    wanted: Wanted, record_of: Callable[[Config], Path], games: Mapping[str, AnyGame]
) -> int:
    """Runs the checks and prints what they found; gives the exit status. `record_of`: gives the
    path of the record for a configuration."""
    terminal = Silent() if wanted.as_json else StandardTerminal(wanted.asks)
    found = find(bench_of(wanted.config, record_of, games, terminal, Machine()), wanted.parts)
    if wanted.as_json:
        print(as_json(found))
    else:
        print("\n".join(("", *table(found))))
    return status(found)


def bench_of(
    config_file: Path | None,
    record_of: Callable[[Config], Path],
    games: Mapping[str, AnyGame],
    terminal: Terminal,
    machine: Machine,
) -> Bench:
    """The box to check. A configuration that can't be used is a finding, not an error."""
    where, config, board, why, wrong = str(config_file or PLACE), Config(), None, "", ""
    on_hdmi = False
    try:
        config = load_config(config_file)
        on_hdmi = kind_of_hardware(config, where, machine.root) == "pads"
        why = _no_board(config, where, machine)
        board = None if why else load_board(config.box.board, config.display, where)
        record = record_of(config)
    except ConfigError as error:
        board, wrong, record = None, str(error), record_of(Config())
    return Bench(record, games, config, where, board, why, on_hdmi, wrong, terminal, machine)


def _no_board(config: Config, where: str, machine: Machine) -> str:
    """Why there are no keys and no display to try; empty if there are."""
    model = machine.text("proc/device-tree/model")
    if config.box.hardware == "pads":
        return 'the configuration says hardware = "pads": number pads, a page and HDMI'
    if kind_of_hardware(config, where, machine.root) == "pads":
        node = load_board(config.box.board, config.display, where).display.node
        return (
            f"there is no /dev/{node}: so it plays with number pads, on a page and on HDMI. If a "
            "display is wired: sudo raspi-config → Interface Options, then reboot"
        )
    if config.box.hardware == "virtual":
        return 'the configuration says hardware = "virtual": keys and display are on a page'
    if config.box.hardware == "board" or "Raspberry Pi" in model:
        return ""
    return f"this is no Raspberry Pi{f', but {model}' if model else ''}: no keys, no display to try"


def find(bench: Bench, parts: Iterable[str]) -> Found:
    """Runs the checks of these parts, in the order of PARTS."""
    found = {}
    for part in PARTS:
        if part in parts:
            found[part] = list(CHECKS[part](bench))
    return found


def status(found: Found) -> int:
    """The exit status: 1 if something does not work, otherwise 0."""
    return int(any(worst(findings) is Grade.FAULT for findings in found.values()))


def table(found: Found) -> Iterator[str]:
    """What was found, as lines for people: part, result, and what to do."""
    for part, findings in found.items():
        for at, finding in enumerate(findings):
            head = f"{part if at == 0 else '':<9} {finding.result.value:<10} "
            yield from _folded(head, finding.found)
            if finding.remedy:
                yield from _folded(f"{'':<{INDENT - 1}}", f"→ {finding.remedy}")


def _folded(head: str, text: str) -> Iterator[str]:
    lines = wrap(text, WIDTH - INDENT, break_long_words=False, break_on_hyphens=False)
    yield from (f"{head if at == 0 else '':<{INDENT}}{line}" for at, line in enumerate(lines))


def as_json(found: Found) -> str:
    """What was found, as JSON for programs; `sentences` are for those that translate it."""
    parts = {
        part: {
            "result": worst(findings).value,
            "findings": [
                {
                    "result": one.result.value,
                    "found": one.found,
                    "remedy": one.remedy,
                    "sentences": {
                        name: sentence_json(said)
                        for name, said in (("found", one.found), ("remedy", one.remedy))
                        if isinstance(said, Sentence)
                    },
                    "figures": dict(one.figures),
                    "renews_keypads": one.renews_keypads,
                }
                for one in findings
            ],
        }
        for part, findings in found.items()
    }
    return json.dumps({"status": status(found), "parts": parts}, ensure_ascii=False, indent=1)
