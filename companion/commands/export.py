"""`companion export`: one game of the record as text or as an HTML file; or all games, with a line
for each player in each game.

A new format needs an option here and the code that writes it: from moments in web/export/, or from
players' counts in players/exports.py."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.arguments import (
    add_colours_option,
    add_command,
    add_game_argument,
    add_language_option,
    add_record_option,
    record_to_read,
)
from companion.commands.terminal import SUCCESS, print_lines

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands
    from companion.commands.games import ShownGame
    from companion.players.history import PlayersHistory


def add_export(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, games: "Catalog") -> int:
        if args.players is not None and args.colours:
            command.error("--players has no line for a colour")
        path = record_to_read(args)
        if args.players is not None:
            return export_players(path, games, args.players)
        if args.html is not None:
            options = {"colours": args.colours, "language": args.language}
            return export_html(path, args.game, games, html=args.html, **options)
        return export_game(path, args.game, games, colours=args.colours)

    command = add_command(
        commands, "export", "write a game of the record as text for replay", run_command
    )
    add_game_argument(command)
    instead = command.add_mutually_exclusive_group()
    instead.add_argument(
        "--players",
        metavar="FORMAT",
        choices=("csv", "jsonl"),
        help="all games of the record instead, a line for each player: csv or jsonl",
    )
    to_look_at = "instead: a file to look at the game again, entry by entry, in any browser"
    instead.add_argument("--html", metavar="FILE", type=Path, help=to_look_at)
    add_colours_option(command)
    add_language_option(command, "--html")
    add_record_option(command)


def export_game(path: Path, name: str, games: "Catalog", *, colours: bool) -> int:
    """Prints a game as a tally; returns the exit status."""
    from companion.commands.games import with_game
    from companion.record.tally import format_tally

    def report(shown: "ShownGame") -> int:
        wrong = (f"# doubtful: {line}\n" for line in shown.fold.doubts)
        tally = "".join(wrong) + format_tally(shown.journal)
        if sys.stdout.isatty():  # a file gets it as it is
            print_lines(tally.splitlines())
        else:
            print(tally, end="")
        return SUCCESS

    return with_game(path, name, games, report, colours=colours)


def export_html(
    path: Path,
    name: str,
    games: "Catalog",
    *,
    html: Path,
    colours: bool,
    language: str | None = None,
) -> int:
    """Writes a game as one HTML file that replays it, in `language` or, if that is None, in the
    table's language. Returns the exit status."""
    from companion.commands.games import with_game
    from companion.core.clock import day

    def report(shown: "ShownGame") -> int:
        from companion.web.export.html_file import game_file

        page = game_file(shown.moment, day(shown.begun_at), shown.language(language))
        html.write_text(page, "utf-8", errors="backslashreplace")
        return SUCCESS

    return with_game(path, name, games, report, colours=colours)


def export_players(path: Path, games: "Catalog", form: str) -> int:
    """Prints what was counted for the players, one line for each player in each game. `form`: csv
    or jsonl."""
    from companion.commands.players import with_history, write_csv
    from companion.core.clock import iso_time, now
    from companion.players.exports import game_columns, game_rows

    def report(history: "PlayersHistory") -> int:
        found = game_rows(history, now(), iso_time)
        if form == "csv":
            write_csv(game_columns(), found)
        else:
            for line in found:
                print(json.dumps(line, ensure_ascii=True))
        return 0

    return with_history(path, games, report)
