"""The program's surface, on which players, other programs and organisers rely, as text. Moving code
must not change it.

    python -m tests.surface     writes tests/surface/*.txt anew, to be read before it is committed

Other parts of the surface have their own files: the sentences (`*.po`), the events of a game
(`docs/*.schema.json`), the keypads' protocol (`firmware/vectors.txt`), the record (tests/kept).
"""

import argparse
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.app.catalog import CATALOG
from companion.app.config import Config
from companion.commands.cli import make_parser
from companion.commands.terminal import FAILURE, PROBLEM, SUCCESS
from companion.core import budgets
from companion.devices.display.drivers import Display
from companion.presentation.moment import Moment, describe
from companion.record.store.reader import Reader

PLACE: Final = Path(__file__).parent / "surface"
KEPT: Final = Path(__file__).parent / "kept"
EVERY: Final = 9
"""One in so many moments of a kept game is described."""


def commands() -> Iterator[str]:
    """The exit statuses; each command with its options, how many words each takes, and which."""
    yield f"exit statuses: {SUCCESS} well, {PROBLEM} something was found, {FAILURE} can't be done"
    yield from _of_parser(make_parser())


def _of_parser(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for one in dict.fromkeys(action.choices.values()):
                yield from _of_parser(one)
        else:
            words = "/".join(action.option_strings) or str(action.metavar or action.dest).upper()
            takes = "" if action.nargs is None else f" takes {action.nargs}"
            of = f" of {', '.join(map(str, action.choices))}" if action.choices else ""
            yield f"{parser.prog}: {words}{takes}{of}"


def settings() -> Iterator[str]:
    """Each key of the configuration with its default."""
    default = Config()
    for section in fields(Config):
        found = getattr(default, section.name)
        if section.name == "display":  # what is set here goes over the board's own display
            yield from (f"[display] {key.name} = {key.default!r}" for key in fields(Display))
            continue
        for key in fields(found):
            yield f"[{section.name}] {key.name} = {getattr(found, key.name)!r}"
            assert key.default is not MISSING or key.default_factory is not MISSING


def addresses() -> Iterator[str]:
    """The addresses of a table's pages and a hub's; tests/core/test_budgets.py holds them equal to
    what the servers have."""
    for name, requests in (("table", budgets.TABLE_REQUESTS), ("hub", budgets.HUB_REQUESTS)):
        yield from sorted(f"{name}: {method} {path}" for method, path in requests)


def messages() -> Iterator[str]:
    """The keys of the messages between pages, boxes and hubs."""
    for name, found in (
        ("page to table", budgets.TABLE_MESSAGES),
        ("page to hub", budgets.HUB_PAGE_MESSAGES),
        ("box to hub", budgets.BOX_MESSAGES),
    ):
        yield from sorted(f"{name}: {key}" for key in found)


def listeners() -> Iterator[str]:
    """Topics at a broker, with the keys under which Home Assistant finds them, and the names of the
    hub's figures."""
    # Here alone: the machines of the rigs, which import this module, have neither library.
    from companion.club.hub.server import Metrics
    from companion.web.listeners.mqtt import discovery, status_topic

    yield f"topic {status_topic('table')}"
    for message in discovery("homeassistant", "table"):
        assert isinstance(message.payload, dict)
        yield f"topic {message.topic}: {', '.join(sorted(message.payload))}"
    shown = Metrics().text({}, 0).decode()
    yield from sorted(line for line in shown.splitlines() if line.startswith("# TYPE"))


def moments() -> Iterator[str]:
    """The keys of a moment as kept games of all kinds have them, with the types of their values."""
    found = set[str]()
    for path in sorted(KEPT.glob("format-*/*/record.db")):
        with TemporaryDirectory() as folder:
            for end in ("", "-wal"):
                if (file := Path(f"{path}{end}")).exists():
                    shutil.copyfile(file, f"{folder}/{path.name}{end}")
            with Reader.open(Path(folder) / path.name, CATALOG.rules) as reader:
                for number in filter(None, reader.game_numbers()):
                    journal, _ = reader.game_with_doubts(number)
                    if journal is not None:
                        moment = Moment(CATALOG, journal, row=1, number=number)
                        places = {*range(1, journal.length + 1, EVERY), journal.length} - {0}
                        for at in places:
                            found.update(_keys(describe(moment, at), journal.opened.game))
    return iter(sorted(found))


def _keys(value: Any, path: str) -> Iterator[str]:
    """The paths of all keys within `value`; a key that somebody has named, a player's or an
    option's, counts as “*”."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            named = key if key.isascii() and key.isidentifier() and key.islower() else "*"
            yield from _keys(one, f"{path} {named}")
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _keys(one, f"{path} []")
    else:
        yield f"{path}: {type(value).__name__}"


KINDS: Final[Mapping[str, Callable[[], Iterable[str]]]] = {
    "commands": commands,
    "settings": settings,
    "addresses": addresses,
    "messages": messages,
    "listeners": listeners,
    "moments": moments,
}


def stored(kind: str) -> list[str]:
    """The stored lines of a kind."""
    return (PLACE / f"{kind}.txt").read_text("utf-8").splitlines()


def packed(names: Iterable[str]) -> list[str]:
    """The files of a package other than Python modules: a pattern that no longer matches would
    silently leave some out."""
    return sorted(name for name in names if not name.endswith((".py", "/")) and "-info" not in name)


if __name__ == "__main__":
    PLACE.mkdir(exist_ok=True)
    for kind, lines in KINDS.items():
        (PLACE / f"{kind}.txt").write_text("".join(f"{line}\n" for line in lines()), "utf-8")
