"""Runs the checks and says what they found."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

from companion.app.check import PARTS
from companion.app.check.around import check_keypads, check_network, check_stick, check_tv
from companion.app.check.bench import Bench, Machine
from companion.app.check.board import check_board
from companion.app.check.clock import check_clock
from companion.app.check.disk import check_disk
from companion.app.check.display import check_bus, check_display
from companion.app.check.finding import Finding, Grade, worst
from companion.app.check.keys import check_keys
from companion.app.check.pads import check_pads
from companion.app.check.pictures import check_pictures
from companion.app.check.record import check_record
from companion.app.check.terminal import Silent, StandardTerminal, Terminal
from companion.app.check.voice import check_voice
from companion.app.config import PLACE, Config, load_config
from companion.app.hardware import kind_of_hardware
from companion.core.toml_file import ConfigError
from companion.core.words import Sentence, sentence_json
from companion.devices.board_file import load_board
from companion.games.game import AnyGame

CHECKS: Mapping[str, Callable[[Bench], Iterable[Finding]]] = {
    "board": check_board,
    "bus": check_bus,
    "display": check_display,
    "keys": check_keys,
    "pads": check_pads,
    "keypads": check_keypads,
    "tv": check_tv,
    "voice": check_voice,
    "pictures": check_pictures,
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
