"""The parsers of commands about games: scoring a tally, and reading, checking and copying the
record."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.arguments import (
    add_colours_option,
    add_command,
    add_game_argument,
    add_json_option,
    add_language_option,
    add_record_option,
    named_record,
    record_to_read,
    whole_number,
)
from companion.commands.export import add_export

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands


parse_game_number = whole_number(1, 999_999_999, "is no game: companion games lists them")
parse_entry_number = whole_number(1, 999_999, "is no entry: they are counted from 1")


def add_replay(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.replay import replay_file

        return replay_file(args.file, games, as_json=args.json)

    command = add_command(commands, "replay", "score a game that is written as text", run_command)
    command.add_argument("file", metavar="FILE", help="a tally; - for standard input")
    add_json_option(command)


def add_games(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, games: "Catalog") -> int:
        if any(number is not None for number in (args.resume, args.close, args.take_back)):
            return _change_unfinished(args, games)
        from companion.commands.games import list_games

        return list_games(record_to_read(args), games, as_json=args.json)

    command = add_command(commands, "games", "list the games of the record", run_command)
    command.epilog = "While a game is resumed, closed or taken back the table must not run."
    one = command.add_mutually_exclusive_group()
    one.add_argument("--json", action="store_true", help="for another program to read")
    one.add_argument(
        "--resume",
        metavar="N",
        type=parse_game_number,
        help="put game N, left unfinished, on the table again",
    )
    one.add_argument(
        "--close", metavar="N", type=parse_game_number, help="end game N as it stands, unfinished"
    )
    one.add_argument(
        "--take-back",
        metavar="N",
        type=parse_game_number,
        help="take game N, left unfinished, back as a whole",
    )
    add_record_option(command)


def _change_unfinished(args: argparse.Namespace, games: "Catalog") -> int:
    from companion.commands.games import close_game, resume_game, take_back_game

    path = record_to_read(args)
    if args.resume is not None:
        return resume_game(path, args.resume, games)
    if args.close is not None:
        return close_game(path, args.close, games)
    return take_back_game(path, args.take_back, games)


def add_show(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.games import draw_card, draw_game, show_game, show_moment

        if args.at is not None and not (args.json or args.svg or args.png):
            command.error("--at says of which entry --svg or --png draws, or --json tells")
        path, asked = record_to_read(args), {"colours": args.colours}
        if args.svg is not None:
            return draw_game(path, args.game, games, at=args.at, svg=args.svg, **asked)
        if args.png is not None:
            said_in = {"language": args.language}
            return draw_card(path, args.game, games, at=args.at, png=args.png, **asked, **said_in)
        if args.at is not None:
            return show_moment(path, args.game, games, at=args.at, **asked)
        return show_game(path, args.game, games, as_json=args.json, **asked)

    command = add_command(
        commands, "show", "tell a game of the record, entry by entry", run_command
    )
    add_game_argument(command)
    command.add_argument("--svg", metavar="FILE", type=Path, help="draw what lies on the table")
    command.add_argument(
        "--png", metavar="FILE", type=Path, help="one moment as a picture: drawing, words, evidence"
    )
    add_colours_option(command)
    add_language_option(command, "--png")
    command.add_argument(
        "--at", metavar="N", type=parse_entry_number, help="as it was after the Nth entry"
    )
    add_json_option(command)
    add_record_option(command)


VERIFY_HELP = """
Every row is checked against its hash and the row before it, every time. Games are replayed by the
rules only if their rows or the program have changed; earlier results are stored beside the record
(record.figures)."""


def add_verify(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.games import verify_record, verify_word

        if args.word is not None:
            return verify_word(record_to_read(args), args.game, args.word, games)
        return verify_record(record_to_read(args), games, as_json=args.json, everything=args.all)

    command = add_command(commands, "verify", "check every row of the record", run_command)
    command.epilog = VERIFY_HELP
    command.add_argument(
        "--all", action="store_true", help="play every game by the rules again, too"
    )
    command.add_argument(
        "--word", metavar="WORD", nargs="?", const="", help="only: has a game the word you noted?"
    )
    command.add_argument(
        "--game", metavar="GAME", default="last", help="whose word; without one, the last game's"
    )
    add_json_option(command)
    add_record_option(command)


RESTORE_HELP = """
Without --to, the table must not run (sudo systemctl stop companion). Rows that only copies have are
put back where they were; nothing that the record has is given up, and as it was it is kept beside.
A place is a folder of copies: the one that is configured, or a stick. The copies beside the record
are always looked at, and without a place the configured ones. Exit status 0: done, or nothing to
do; 1: the copies have rows of another course of play; 2: it can't be done."""


def add_restore(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, _: "Catalog") -> int:
        from companion.app.config import Config, copies_paths, load_config
        from companion.commands.copies import restore_record

        config = Config() if args.record else load_config()
        places = args.place or [path for path in copies_paths(config) if path.exists()]
        return restore_record(named_record(args, config), places, args.to)

    command = add_command(commands, "restore", "make a record of its copies", run_command)
    command.epilog = RESTORE_HELP
    command.add_argument("place", metavar="PLACE", nargs="*", type=Path, help="where copies are")
    command.add_argument("--to", metavar="FILE", type=Path, help="a new record, of copies alone")
    command.add_argument("--record", metavar="PATH", type=Path, help="the record to restore")


COPY_HELP = """
It copies what is there, then each row within seconds, until it is stopped. Where the record has no
game yet, the table asks whether to take those of the place. The running table copies
its record beside it and to the configured folder by itself: this is for sticks, which
companion-stick@.service mounts."""


def add_copy(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.app.notice_socket import send_notice
        from companion.commands.copies import copy_record

        if args.say:
            send_notice(record_to_read(args), args.say)
            return 2
        return copy_record(record_to_read(args), args.place, games.rules)

    command = add_command(
        commands, "copy", "copy the record somewhere, row by row as it grows", run_command
    )
    command.epilog = COPY_HELP
    command.add_argument("place", metavar="PLACE", type=Path, help="the folder for the copies")
    command.add_argument(
        "--say", metavar="LINE", help="copy nothing, and have the table say why that is"
    )
    add_record_option(command)


PHOTO_KINDS = ("clear", "tilt", "shadow", "glare", "blur", "dark")


def add_photo(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.photos import add_photos

        asked = {"to": args.to, "games": games, "kind": args.kind}
        return add_photos(record_to_read(args), args.game, args.photos, **asked)

    command = add_command(
        commands, "photo", "keep photos of a line with what lies there", run_command
    )
    command.epilog = (
        "The reader of photos is measured on them. Place, time and camera are taken off the copies;"
        " add only photos that are yours, and that you let others use under the licence beside"
        " them."
    )
    command.add_argument("deed", choices=["add"], help="add: copies of photos, each with its tiles")
    command.add_argument("photos", metavar="PHOTO", nargs="+", type=Path, help="JPEG or PNG")
    command.add_argument("--to", metavar="FOLDER", type=Path, required=True, help="where to")
    command.add_argument("--kind", choices=PHOTO_KINDS, default="clear", help="how they were taken")
    command.add_argument(
        "--game", metavar="N", default="last", help="the game whose line lies there (last)"
    )
    add_record_option(command)


RECORD_COMMANDS: tuple[Callable[["Commands"], None], ...] = (
    add_replay,
    add_games,
    add_show,
    add_export,
    add_verify,
    add_restore,
    add_copy,
    add_photo,
)
