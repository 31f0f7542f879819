"""The command line. Exit status 0: all is well; 1: something is wrong, or was not found; 2:
something can't be read, or the command was given wrongly. An error is one line on stderr."""

import argparse
import errno
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.check import PARTS
from companion.commands.arguments import (
    Parser,
    add_command,
    add_json,
    add_record,
    default_record_path,
    named_record,
    port_number,
)
from companion.commands.certificate import add_certificate
from companion.commands.hub import add_hub
from companion.commands.player_parsers import PLAYER_COMMANDS
from companion.commands.record_parsers import RECORD_COMMANDS
from companion.commands.terminal import printed
from companion.commands.update import add_update
from companion.core.toml_file import ConfigError
from companion.core.version import VERSION

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands


# ---------------------------------------------------------------- event parsers
# The commands about events: the next round, the standings, and both on paper.


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

    def do(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.events import paper_of

        return paper_of(
            args.file,
            games.rules,
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


# ---------------------------------------------------------------- cli

PAGE = "http://127.0.0.1:8055"
"""The address of the page of a table that somebody has started by hand."""
_OF_OUTPUT = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""The errors of a failed print, which name no file: disk full, quota reached, file too large,
terminal gone, output closed."""


def main(argv: Sequence[str] | None = None, games: "Catalog | None" = None) -> int:
    """Runs a command and gives its exit status. `games`: used instead of the catalog."""
    if sys.stdout is None or sys.stderr is None:  # closed by the caller
        nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  to the end
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    args = make_parser().parse_args(argv)
    if "do" not in args:
        print(args.group.format_help(), end="")
        return 0
    if games is None:
        from companion.app.catalog import CATALOG as games  # noqa: N811
    try:
        status: int = args.do(args, games)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough; keep the interpreter from trying again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except ConfigError as error:
        print(printed(f"companion: {error}"), file=sys.stderr)
        return 2
    except OSError as error:
        if lost := error.filename is None and error.errno in _OF_OUTPUT:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        what = "the output can't be written: " if lost else ""
        where = f"{error.filename}: " if error.filename else ""
        said = f"companion: {what}{where}{error.strerror or error}"
        print(printed(said), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return status


def make_parser() -> Parser:
    """The parser of all commands."""
    parser = Parser(prog="companion", description="A scorekeeper for the middle of the table.")
    parser.add_argument("--version", action="version", version=f"companion {VERSION}")
    parser.set_defaults(group=parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for add in COMMANDS:
        add(commands)
    return parser


# ---------------------------------------------------------------- commands
# Each adds its sub-command, with `do` = a function (arguments, games) -> exit status. What a
# command needs is imported when it runs, so that none waits for what it doesn't use.


def add_run(commands: "Commands") -> None:
    """Adds the command `companion run`."""

    def do(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.app.run import Asked, run

        asked = Asked(
            args.config, args.record, args.hardware, args.lan, args.port, not args.no_browser
        )
        return run(asked, games, default_record_path())

    command = add_command(commands, "run", "start the table", do)
    command.add_argument("--config", metavar="FILE", type=Path, help="a configuration in TOML")
    command.add_argument("--record", metavar="PATH", type=Path, help="the record to keep")
    hardware = command.add_mutually_exclusive_group()
    for name, meaning in (("board", "this Pi's keys and display"), ("virtual", "a page instead")):
        hardware.add_argument(
            f"--{name}", dest="hardware", action="store_const", const=name, help=meaning
        )
    command.add_argument("--lan", action="store_true", help="open the page to the network")
    command.add_argument("--port", metavar="N", type=port_number, help="where the page listens")
    command.add_argument("--no-browser", action="store_true", help="open none on a desktop")


def add_tv(commands: "Commands") -> None:
    """Adds the command `companion tv`."""

    def do(args: argparse.Namespace, _: "Catalog") -> int:
        from companion.commands.link import secret_of_table

        secret = secret_of_table(args, args.page)
        if args.browser:
            from companion.app.systemd import Systemd
            from companion.web.tv.browser import show_in_browser

            systemd = Systemd()

            def lives() -> None:
                systemd.ready()
                systemd.feed()

            return show_in_browser(args.page, secret, args.browser, lives)
        from companion.web.tv.program import show_table

        return show_table(args.page, secret, with_box=args.with_box)

    command = add_command(commands, "tv", "draw the table on the screen that hangs on HDMI", do)
    command.add_argument(
        "--page", metavar="URL", default=PAGE, help=f"where the table's page is (else {PAGE})"
    )
    command.add_argument(
        "--with-box", action="store_true", help="with the box's display, where it has none itself"
    )
    folder = "in a browser instead, which keeps its things there (cage and chromium)"
    command.add_argument("--browser", metavar="FOLDER", type=Path, help=folder)
    command.add_argument("--record", metavar="PATH", type=Path, help="the record of that table")


def add_link(commands: "Commands") -> None:
    """Adds the command `companion link`."""

    def do(args: argparse.Namespace, _: "Catalog") -> int:
        from companion.commands.link import print_link

        return print_link(args, PAGE)

    command = add_command(
        commands, "link", "print a link that lets one browser on this machine in", do
    )
    command.epilog = LINK_HELP
    command.add_argument("--page", metavar="URL", help=f"where the table's page is (else {PAGE})")
    command.add_argument("--record", metavar="PATH", type=Path, help="the record of that table")


LINK_HELP = """
The table has to run. A browser that was let in stays in. From another computer: ssh with -L
PORT:127.0.0.1:PORT to this one, then open the link there. Where the table is a service: sudo
companion link."""


def add_keypads(commands: "Commands") -> None:
    """Adds the command `companion keypads`."""

    def do(args: argparse.Namespace, _: "Catalog") -> int:
        from companion.app.config import load_config
        from companion.commands.keypads import list_keypads, renew_keypads

        config = load_config()
        record, usb = named_record(args, config), config.keypads.usb
        if args.update:
            return renew_keypads(record, usb)
        return list_keypads(record, usb, as_json=args.json)

    command = add_command(
        commands, "keypads", "list the seats' keypads, and how well they are heard", do
    )
    add_json(command)
    command.add_argument(
        "--record", metavar="PATH", type=Path, help="the record of the table that has them"
    )
    command.add_argument(
        "--update", action="store_true", help="give them the firmware that this box has for them"
    )


CHECK_HELP = """
Keys and display need somebody who presses and looks, and a table that does not run
(sudo systemctl stop companion). Exit status 0: nothing is wrong, though there may be warnings;
1: something is wrong; 2: asked wrongly. With --json: {"status", "parts": {PART: {"result",
"findings": [{"result", "found", "remedy", "figures", "renews_keypads"}]}}}, a result being ok,
warning, fault or not tried; nothing is asked then."""


def add_check(commands: "Commands") -> None:
    """Adds the command `companion check`."""

    def do(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.app.check.report import Wanted, check_box

        wanted = Wanted(args.config, args.only or PARTS, not args.no_questions, args.json)
        return check_box(wanted, lambda config: named_record(args, config), games.rules)

    command = add_command(commands, "check", "try the box, part by part, and tell what to do", do)
    command.epilog = CHECK_HELP
    parts = f"only these: {', '.join(PARTS)}"
    command.add_argument("--only", metavar="PART[,PART]", type=_parts, help=parts)
    command.add_argument("--no-questions", action="store_true", help="ask nobody anything")
    add_json(command)
    command.add_argument("--config", metavar="FILE", type=Path, help="a configuration in TOML")
    add_record(command)


def _parts(words: str) -> tuple[str, ...]:
    found = tuple(words.split(","))
    if unknown := [word for word in found if word not in PARTS]:
        raise argparse.ArgumentTypeError(f"there is no part {unknown[0]!r}: {', '.join(PARTS)}")
    return found


COMMANDS: tuple[Callable[["Commands"], None], ...] = (
    add_run,
    add_link,
    add_tv,
    *RECORD_COMMANDS,
    add_keypads,
    add_check,
    add_update,
    add_certificate,
    *PLAYER_COMMANDS,
    add_hub,
    *EVENT_COMMANDS,
)
