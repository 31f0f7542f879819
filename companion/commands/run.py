"""`companion run`: runs the table."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.arguments import add_command, default_record_path, parse_port

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands


def add_run(commands: "Commands") -> None:
    command = add_command(commands, "run", "start the table", run)
    command.add_argument("--config", metavar="FILE", type=Path, help="a configuration in TOML")
    command.add_argument("--record", metavar="PATH", type=Path, help="the record to keep")
    hardware = command.add_mutually_exclusive_group()
    for name, meaning in (("board", "this Pi's keys and display"), ("virtual", "a page instead")):
        hardware.add_argument(
            f"--{name}", dest="hardware", action="store_const", const=name, help=meaning
        )
    command.add_argument("--lan", action="store_true", help="open the page to the network")
    command.add_argument("--port", metavar="N", type=parse_port, help="where the page listens")
    command.add_argument("--no-browser", action="store_true", help="open none on a desktop")


def run(args: argparse.Namespace, games: "Catalog") -> int:
    """Runs the table until it is stopped."""
    from companion.app.run import RunOptions
    from companion.app.run import run as run_table

    asked = RunOptions(
        args.config, args.record, args.hardware, args.lan, args.port, not args.no_browser
    )
    return run_table(asked, games, default_record_path())
