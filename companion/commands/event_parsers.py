"""The commands about events: the next round, and the standings."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.commands.arguments import add_command, add_json

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands

FILE_HELP = """
docs/events.md has the format and the method. FILE is the event's text; - is standard input. Exit
status 2: it can't be read, or a result is missing."""


def add_pair(commands: "Commands") -> None:
    """companion pair FILE"""

    def do(args: argparse.Namespace, _: "Catalog") -> int:
        from companion.commands.events import pair_file

        return pair_file(args.file, as_json=args.json)

    command = add_command(commands, "pair", "draw the next round of an event", do)
    command.epilog = FILE_HELP
    command.add_argument("file", metavar="FILE", help="the event and its rounds so far")
    add_json(command)


def add_standings(commands: "Commands") -> None:
    """companion standings FILE..."""

    def do(args: argparse.Namespace, _: "Catalog") -> int:
        from companion.commands.events import standings_of

        return standings_of(args.files, as_json=args.json)

    command = add_command(commands, "standings", "count how everybody stands in an event", do)
    command.epilog = FILE_HELP
    command.add_argument(
        "files", metavar="FILE", nargs="+", help="an event; several are a league, counted together"
    )
    add_json(command)


EVENT_COMMANDS: tuple[Callable[["Commands"], None], ...] = (add_pair, add_standings)
