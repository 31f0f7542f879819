"""The command line. The exit status is 0 for success, 1 if a problem was found or something is
missing, 2 if something can't be read or the arguments are wrong. An error is one line on stderr."""

import argparse
import errno
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.arguments import Parser, add_command, add_json_option
from companion.commands.certificate import add_certificate
from companion.commands.check import add_check
from companion.commands.hub import add_hub
from companion.commands.keypads import add_keypads
from companion.commands.link import add_link
from companion.commands.player_parsers import PLAYER_COMMANDS
from companion.commands.record_parsers import RECORD_COMMANDS
from companion.commands.run import add_run
from companion.commands.terminal import escape_controls
from companion.commands.tv import add_tv
from companion.commands.update import add_update
from companion.commands.voice import add_voice
from companion.core.toml_file import ConfigError
from companion.core.version import VERSION

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands

_OUTPUT_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""The system errors of a failed print, which don't name a file: disk full, quota reached, file too
large, terminal gone, output closed."""


def main(argv: Sequence[str] | None = None, games: "Catalog | None" = None) -> int:
    """Runs a command and returns its exit status. `games`: the games to use instead of the
    catalog."""
    if sys.stdout is None or sys.stderr is None:  # closed by the caller
        nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  to the end
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    args = make_parser().parse_args(argv)
    if "run_command" not in args:
        print(args.group.format_help(), end="")
        return 0
    if games is None:
        from companion.app.catalog import CATALOG as games  # noqa: N811
    try:
        status: int = args.run_command(args, games)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader is gone; keep the interpreter from writing to it again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except ConfigError as error:
        print(escape_controls(f"companion: {error}"), file=sys.stderr)
        return 2
    except OSError as error:
        if lost := error.filename is None and error.errno in _OUTPUT_ERRORS:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        what = "the output can't be written: " if lost else ""
        where = f"{error.filename}: " if error.filename else ""
        said = f"companion: {what}{where}{error.strerror or error}"
        print(escape_controls(said), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return status


def make_parser() -> Parser:
    """Returns the parser of all commands."""
    parser = Parser(prog="companion", description="A scorekeeper for the middle of the table.")
    parser.add_argument("--version", action="version", version=f"companion {VERSION}")
    parser.set_defaults(group=parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for add in COMMANDS:
        add(commands)
    return parser


# ---------------------------------------------------------------- the commands about events


FILE_HELP = """
docs/events.md has the format and the method. FILE is the event's text; - is standard input. Exit
status 2: it can't be read, or a result is missing."""


def add_pair(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, _: "Catalog") -> int:
        from companion.commands.events import pair_file

        return pair_file(args.file, as_json=args.json)

    command = add_command(commands, "pair", "draw the next round of an event", run_command)
    command.epilog = FILE_HELP
    command.add_argument("file", metavar="FILE", help="the event and its rounds so far")
    add_json_option(command)


def add_standings(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, _: "Catalog") -> int:
        from companion.commands.events import print_standings

        return print_standings(args.files, as_json=args.json, rated=args.ratings)

    command = add_command(
        commands, "standings", "count how everybody stands in an event", run_command
    )
    command.epilog = FILE_HELP
    command.add_argument(
        "files", metavar="FILE", nargs="+", help="an event; several are a league, counted together"
    )
    command.add_argument(
        "--ratings", action="store_true", help="with how strong everybody is believed to be"
    )
    add_json_option(command)


def add_paper(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.events import write_event_paper

        return write_event_paper(
            args.file,
            games.rules,
            cards=args.cards,
            pairings=args.pairings,
            standings=args.standings,
            certificates=args.certificates,
            bracket=args.bracket,
            slips=args.slips,
            names=args.list,
            address=args.address,
            places=args.places,
        )

    command = add_command(commands, "paper", "make pages of an event to print", run_command)
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
    "bracket": "the bracket of a knock-out",
    "slips": "a slip for each table, for its points and a signature",
    "list": "everybody by name, to tick who is there",
}

COMMANDS: tuple[Callable[["Commands"], None], ...] = (
    add_run,
    add_link,
    add_tv,
    *RECORD_COMMANDS,
    add_keypads,
    add_voice,
    add_check,
    add_update,
    add_certificate,
    *PLAYER_COMMANDS,
    add_hub,
    add_pair,
    add_standings,
    add_paper,
)
