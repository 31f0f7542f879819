"""The commands about events: the next round, the standings, and both on paper."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.arguments import add_command, add_json

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands

FILE_HELP = """
docs/events.md has the format and the method. FILE is the event's text; - is standard input. Exit
status 2: it can't be read, or a result is missing."""


def add_pair(commands: "Commands") -> None:
    """Adds the command `companion pair FILE`."""

    def do(args: argparse.Namespace, _: "Catalog") -> int:
        from companion.commands.events import pair_file

        return pair_file(args.file, as_json=args.json)

    command = add_command(commands, "pair", "draw the next round of an event", do)
    command.epilog = FILE_HELP
    command.add_argument("file", metavar="FILE", help="the event and its rounds so far")
    add_json(command)


def add_standings(commands: "Commands") -> None:
    """Adds the command `companion standings FILE...`."""

    def do(args: argparse.Namespace, _: "Catalog") -> int:
        from companion.commands.events import standings_of

        return standings_of(args.files, as_json=args.json, rated=args.ratings)

    command = add_command(commands, "standings", "count how everybody stands in an event", do)
    command.epilog = FILE_HELP
    command.add_argument(
        "files", metavar="FILE", nargs="+", help="an event; several are a league, counted together"
    )
    command.add_argument(
        "--ratings", action="store_true", help="with how strong everybody is believed to be"
    )
    add_json(command)


def add_paper(commands: "Commands") -> None:
    """Adds the command `companion paper FILE`."""

    def do(args: argparse.Namespace, _: "Catalog") -> int:
        from companion.commands.events import paper_of

        return paper_of(
            args.file,
            cards=args.cards,
            pairings=args.pairings,
            standings=args.standings,
            certificates=args.certificates,
            slips=args.slips,
            names=args.list,
            address=args.address,
            places=args.places,
        )

    command = add_command(commands, "paper", "make pages of an event to print", do)
    command.epilog = (
        "Each is one HTML file, which a browser prints on A4 or letter. Cards and pairings are of "
        "the round being played, or of the next one." + FILE_HELP
    )
    command.add_argument("file", metavar="FILE", help="the event and its rounds so far")
    for name, what in PAPER.items():
        command.add_argument(f"--{name}", metavar="HTML", type=Path, help=what)
    command.add_argument(
        "--address", metavar="URL", help="a code on each card leads there; {table} is its number"
    )
    command.add_argument(
        "--places", metavar="N", type=int, default=3, help="how many get a certificate (3)"
    )


PAPER = {
    "cards": "a card for each table: its number, who sits where",
    "pairings": "who sits at which table, by name and by table",
    "standings": "how everybody stands, round by round",
    "certificates": "a certificate for each of the first",
    "slips": "a slip for each table, for its points and a signature",
    "list": "everybody by name, to tick who is there",
}

EVENT_COMMANDS: tuple[Callable[["Commands"], None], ...] = (
    add_pair,
    add_standings,
    add_paper,
)
