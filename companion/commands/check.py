"""`companion check`: the self-test of a box."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.check import PARTS
from companion.commands.arguments import (
    add_command,
    add_json_option,
    add_record_option,
    named_record,
)

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands


CHECK_HELP = """
Keys and display need somebody who presses and looks, and a table that does not run
(sudo systemctl stop companion). Exit status 0: nothing is wrong, though there may be warnings;
1: something is wrong; 2: asked wrongly. With --json: {"status", "parts": {PART: {"result",
"findings": [{"result", "found", "remedy", "figures", "renews_keypads"}]}}}, a result being ok,
warning, fault or not tried; nothing is asked then."""


def add_check(commands: "Commands") -> None:
    command = add_command(
        commands, "check", "try the box, part by part, and tell what to do", check
    )
    command.epilog = CHECK_HELP
    parts = f"only these: {', '.join(PARTS)}"
    command.add_argument("--only", metavar="PART[,PART]", type=_parse_parts, help=parts)
    command.add_argument("--no-questions", action="store_true", help="ask nobody anything")
    add_json_option(command)
    command.add_argument("--config", metavar="FILE", type=Path, help="a configuration in TOML")
    add_record_option(command)


def check(args: argparse.Namespace, games: "Catalog") -> int:
    """Runs the self-test of the box, part by part; returns the exit status."""
    from companion.app.check.report import CheckOptions, check_box

    wanted = CheckOptions(args.config, args.only or PARTS, not args.no_questions, args.json)
    return check_box(wanted, lambda config: named_record(args, config), games.rules)


def _parse_parts(words: str) -> tuple[str, ...]:
    found = tuple(words.split(","))
    if unknown := [word for word in found if word not in PARTS]:
        raise argparse.ArgumentTypeError(f"there is no part {unknown[0]!r}: {', '.join(PARTS)}")
    return found
