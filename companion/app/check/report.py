"""Runs the checks and reports their findings. The checks of the record and of drawing pictures are
here too."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import wrap

from companion.app.check import PARTS
from companion.app.check.bench import (
    Bench,
    Finding,
    Grade,
    Machine,
    SilentTerminal,
    StandardTerminal,
    Terminal,
    fault,
    not_tried,
    ok,
    user_name,
    warning,
    worst,
)
from companion.app.check.board import check_board
from companion.app.check.disk import check_disk
from companion.app.check.display import check_bus, check_display
from companion.app.check.keys import check_keys
from companion.app.check.peripherals import (
    check_clock,
    check_keypads,
    check_network,
    check_pads,
    check_stick,
    check_tv,
    check_voice,
)
from companion.app.config import PLACE, Config, load_config
from companion.app.hardware import kind_of_hardware
from companion.core.clock import day
from companion.core.errors import SetupError
from companion.core.toml_file import ConfigError
from companion.core.values import dataclass
from companion.core.words import Sentence, sentence_json
from companion.devices.board import load_board
from companion.games.game import AnyGame
from companion.record.repair.verify import verify
from companion.record.store.database import StoreError
from companion.record.store.reader import Reader
from companion.web.export.pictures import BLANK, png_of

# ---------------------------------------------------------------- pictures


def check_pictures(_bench: Bench) -> Iterator[Finding]:
    """Draws a blank PNG, and yields a finding about whether that worked."""
    try:
        png_of(BLANK)
    except SetupError as error:
        yield not_tried("“companion show --png” can't draw here", str(error))
        return
    yield ok("a PNG was drawn")


# ---------------------------------------------------------------- record

SHOWN_LINES = 5
"""The most findings shown; `companion verify` shows all."""


def check_record(bench: Bench) -> Iterator[Finding]:
    """Yields findings about every row and every game of the record, and about traces of earlier
    damage."""
    try:
        if not bench.record.exists():
            yield ok(f"{bench.record} is not there yet: the table makes it")
            return
        with Reader.open(bench.record, bench.games) as reader:
            games = sum(1 for _ in reader.game_numbers())
            wrong = verify(reader)
            names = [] if wrong else list(_check_old_names(bench, reader))
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
        yield from (fault(line, "companion verify tells all of it") for line in wrong[:SHOWN_LINES])
    else:
        yield ok(f"{games} game{'' if games == 1 else 's'}, every row as it was written")
        yield from names
    for old in sorted(bench.record.parent.glob(f"{bench.record.name}.damaged-*[0-9]")):
        yield warning(
            f"a damaged record was set aside as {old.name}",
            f"what was readable is in the record; keep or remove {old}",
        )


def _check_old_names(bench: Bench, reader: Reader) -> Iterator[Finding]:
    """Yields a finding if games have kept names for longer than configured. Raises StoreError."""
    if not (months := bench.config.record.keep_names_months):
        return
    from companion.app.retention import due_names, last_known_time

    many = len(due_names(reader, months, bench.machine.wall()).games)
    if not many:
        yield ok(f"no finished game has names for longer than {months} months")
        return
    seen = day(last_known_time(bench.record)) or "no day yet"
    yield warning(
        f"{many} game{' has' if many == 1 else 's have'} names for longer than {months} months; "
        f"the network set the clock last on {seen}",
        "connect the box to a network, start the table, and start it once more: it forgets only "
        "with a clock that the network has set",
    )


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
    "pictures": check_pictures,
    "stick": check_stick,
    "network": check_network,
    "disk": check_disk,
    "clock": check_clock,
    "record": check_record,
}
"""The check of each part."""

Findings = Mapping[str, Sequence[Finding]]
WIDTH = 96
INDENT = 21


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The options of the command line. `asks`: whether questions may be asked."""

    config: Path | None = None
    parts: Sequence[str] = PARTS
    asks: bool = True
    as_json: bool = False


def check_box(
    wanted: CheckOptions, record_of: Callable[[Config], Path], games: Mapping[str, AnyGame]
) -> int:
    """Runs the checks and prints their findings; returns the exit status. `record_of` returns the
    path of the record, given a configuration."""
    terminal = SilentTerminal() if wanted.as_json else StandardTerminal(wanted.asks)
    found = run_checks(bench_of(wanted.config, record_of, games, terminal, Machine()), wanted.parts)
    if wanted.as_json:
        print(as_json(found))
    else:
        print("\n".join(("", *as_table(found))))
    return exit_status(found)


def bench_of(
    config_file: Path | None,
    record_of: Callable[[Config], Path],
    games: Mapping[str, AnyGame],
    terminal: Terminal,
    machine: Machine,
) -> Bench:
    """Returns the bench for the box to check. A configuration that can't be used becomes a finding,
    not an error."""
    where, config, board, why, wrong = str(config_file or PLACE), Config(), None, "", ""
    on_hdmi = False
    try:
        config = load_config(config_file)
        on_hdmi = kind_of_hardware(config, where, machine.root) == "pads"
        why = _why_no_board(config, where, machine)
        board = None if why else load_board(config.box.board, config.display, where)
        record = record_of(config)
    except ConfigError as error:
        board, wrong, record = None, str(error), record_of(Config())
    return Bench(record, games, config, where, board, why, on_hdmi, wrong, terminal, machine)


def _why_no_board(config: Config, where: str, machine: Machine) -> str:
    """Returns the reason why there are no keys and no display to try; empty if there are some."""
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


def run_checks(bench: Bench, parts: Iterable[str]) -> Findings:
    """Runs the checks of these parts, in the order of PARTS; returns their findings."""
    found = {}
    for part in PARTS:
        if part in parts:
            found[part] = list(CHECKS[part](bench))
    return found


def exit_status(found: Findings) -> int:
    """Returns the exit status: 1 if something does not work, otherwise 0."""
    return int(any(worst(findings) is Grade.FAULT for findings in found.values()))


def as_table(found: Findings) -> Iterator[str]:
    """Yields the findings as lines for people: part, result, and what to do."""
    for part, findings in found.items():
        for at, finding in enumerate(findings):
            head = f"{part if at == 0 else '':<9} {finding.result.value:<10} "
            yield from _folded_lines(head, finding.found)
            if finding.remedy:
                yield from _folded_lines(f"{'':<{INDENT - 1}}", f"→ {finding.remedy}")


def _folded_lines(head: str, text: str) -> Iterator[str]:
    lines = wrap(text, WIDTH - INDENT, break_long_words=False, break_on_hyphens=False)
    yield from (f"{head if at == 0 else '':<{INDENT}}{line}" for at, line in enumerate(lines))


def as_json(found: Findings) -> str:
    """Returns the findings as JSON for programs, including `sentences` for programs that translate
    them."""
    parts = {
        part: {
            "result": worst(findings).value,
            "findings": [
                {
                    "result": one.result.value,
                    "found": one.found,
                    "remedy": one.remedy,
                    "sentences": {
                        name: sentence_json(sentence)
                        for name, sentence in (("found", one.found), ("remedy", one.remedy))
                        if isinstance(sentence, Sentence)
                    },
                    "figures": dict(one.figures),
                    "renews_keypads": one.renews_keypads,
                }
                for one in findings
            ],
        }
        for part, findings in found.items()
    }
    return json.dumps({"status": exit_status(found), "parts": parts}, ensure_ascii=False, indent=1)
