"""The arguments that several commands share, and the path of the record."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from companion.app import SERVICE_RECORD
from companion.commands.terminal import escape_controls
from companion.core.languages import OWN_NAMES

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.app.config import Config

    Commands = argparse._SubParsersAction["Parser"]


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that reports a mistake in one line, and suggests the closest known word."""

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            from companion.core.toml_file import did_you_mean

            known = did_you_mean(str(value), map(str, action.choices))
            if action.metavar == "COMMAND":
                raise argparse.ArgumentError(None, f"there is no command {value!r}{known}")
            raise argparse.ArgumentError(action, f"{value!r} is not known{known}")

    def error(self, message: str) -> NoReturn:
        self.exit(2, escape_controls(f"{self.prog}: {message} (see {self.prog} --help)") + "\n")


CommandAction = Callable[[argparse.Namespace, "Catalog"], int]
"""Runs a command: (arguments, games) -> exit status."""


def default_record_path() -> Path:
    """Returns the path of the record if neither --record nor the configuration gives one:
    $COMPANION_RECORD, or a file in the service's directory, or in the user's."""
    if named := os.environ.get("COMPANION_RECORD"):
        return Path(named)
    if service := os.environ.get("STATE_DIRECTORY"):  # systemd sets it for the service
        return Path(service.split(":")[0]) / SERVICE_RECORD.name
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local/share") / "companion" / "record.db"


def add_command(commands: "Commands", name: str, meaning: str, action: CommandAction) -> Parser:
    """Adds a sub-command that calls `action`; `meaning`: its one-line description in the help."""
    sentence = f"{meaning[0].upper()}{meaning[1:]}."
    command = commands.add_parser(name, help=meaning, description=sentence)
    command.set_defaults(run_command=action)
    return command


def whole_number(least: int, most: int, refusal: str) -> Callable[[str], int]:
    """Returns a parser for arguments that are whole numbers from `least` to `most`. Its error
    message is the argument, followed by `refusal`."""

    def parse(word: str) -> int:
        digits = word.lstrip("0") or word[-1:]
        if not (digits.isdecimal() and digits.isascii() and len(digits) <= len(str(most))):
            raise argparse.ArgumentTypeError(f"{word} {refusal}")
        if not least <= int(digits) <= most:
            raise argparse.ArgumentTypeError(f"{word} {refusal}")
        return int(digits)

    return parse


parse_port = whole_number(0, 65535, "is not a port: 1 to 65535, or 0 for any")


def player_name(word: str) -> str:
    """Returns a name as the record writes it, with _ for each space; on the command line both forms
    work."""
    return "_".join(word.split()) or word


def expanded_path(word: str) -> Path:
    """Returns the path given in an option, with ~ expanded to the user's home."""
    return Path(word).expanduser()


def add_json_option(command: Parser) -> None:
    command.add_argument("--json", action="store_true", help="for another program to read")


def add_game_argument(command: Parser) -> None:
    """Adds the argument that chooses a game of the record; without it, the last game is chosen."""
    command.add_argument(
        "game", metavar="GAME", nargs="?", default="last", help="its number; without one, the last"
    )


def add_record_option(command: Parser) -> None:
    command.add_argument("--record", metavar="PATH", type=Path, help="the record to read")


def add_colours_option(command: Parser) -> None:
    explained = "colours in place of names; who is hidden is called so in any case"
    command.add_argument("--colours", action="store_true", help=explained)


def add_language_option(command: Parser, of: str) -> None:
    explained = f"the language of {of}; else it is the one that the table speaks"
    command.add_argument("--language", choices=tuple(OWN_NAMES), help=explained)


def record_to_read(args: argparse.Namespace) -> Path:
    """Returns the path of the record to read. Raises ConfigError."""
    from companion.app.config import Config, load_config

    return named_record(args, Config() if args.record else load_config())


def named_record(args: argparse.Namespace, config: "Config") -> Path:
    """Returns the path of the record from --record or the configuration; otherwise the default path
    or, if no file is there, the path of the service's record. Raises ConfigError."""
    from companion.app.config import record_path

    if args.record is not None:
        return Path(args.record)
    path = record_path(config, default_record_path())
    # A user outside the service's group sees its folder, but may not look into it.
    if config.record.path or path.exists() or not SERVICE_RECORD.parent.is_dir():
        return path
    return SERVICE_RECORD
