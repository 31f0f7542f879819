"""The parsers of commands about players: names, figures, evenings."""

import argparse
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.arguments import (
    add_command,
    add_record_option,
    player_name,
    record_to_read,
    whole_number,
)

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands

LAST = "last"
parse_player_count = whole_number(2, 9, "is no number of players: 2 to 8")


PLAYERS_HELP = """
The table must not run while names are changed (sudo systemctl stop companion). No game is
rewritten: a new name, two spellings of one, or hiding are rows of the record, and can be taken
back. Hiding is not deleting: see companion forget."""


def add_players(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.record.rows import PlayerHidden, PlayerRenamed, Undo

        row: PlayerRenamed | PlayerHidden | Undo | None = None
        if args.rename:
            row = PlayerRenamed(*args.rename)
        elif args.hide or args.unhide:
            row = PlayerHidden(args.hide or args.unhide, hidden=bool(args.hide))
        elif args.undo:
            row = Undo()
        if row is not None:
            from companion.commands.players import change_people

            return change_people(record_to_read(args), games, row)
        from companion.commands.players import list_players

        return list_players(record_to_read(args), games, as_json=args.json, rated=args.ratings)

    command = add_command(commands, "players", "list everybody who played", run_command)
    command.epilog = PLAYERS_HELP
    command.add_argument(
        "--ratings", action="store_true", help="with how strong everybody is believed to be"
    )
    one = command.add_mutually_exclusive_group()
    one.add_argument("--json", action="store_true", help="for another program to read")
    one.add_argument(
        "--rename",
        nargs=2,
        type=player_name,
        metavar=("NAME", "TO"),
        help="what NAME played counts as TO's",
    )
    one.add_argument(
        "--hide", type=player_name, metavar="NAME", help="show NAME in no list, figure or export"
    )
    one.add_argument("--unhide", type=player_name, metavar="NAME", help="show NAME again")
    one.add_argument("--undo", action="store_true", help="take the last such change back")
    add_record_option(command)


STATS_HELP = """
Each figure says over how many lays, hands or games it was taken; over too few of them it has no
value. docs/players.md says what each is, and the columns of --csv."""


def add_stats(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.players import StatsWanted, print_figures

        wanted = StatsWanted(args.player, args.evening, args.since, args.game, args.players)
        form = "csv" if args.csv else "json" if args.json else "text"
        return print_figures(record_to_read(args), games, wanted, form)

    command = add_command(commands, "stats", "tell the figures of the players", run_command)
    command.epilog = STATS_HELP
    command.add_argument(
        "player", metavar="PLAYER", type=player_name, nargs="?", help="whose; without one, all"
    )
    games = command.add_mutually_exclusive_group()
    games.add_argument(
        "--evening",
        metavar="NUMBER",
        nargs="?",
        const=LAST,
        help="of one evening alone: its number (companion evenings), or the last",
    )
    games.add_argument(
        "--since",
        metavar="DATE",
        type=_parse_date,
        help="of the games since then, as in 2026-11-20",
    )
    command.add_argument("--game", metavar="NAME", help="of one game alone, as in high-five")
    command.add_argument(
        "--players", metavar="N", type=parse_player_count, help="of games with so many players"
    )
    forms = command.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="for another program to read")
    forms.add_argument("--csv", action="store_true", help="as a table")
    add_record_option(command)


def add_evenings(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.players import list_evenings

        form = "json" if args.json else "csv" if args.csv else "ics" if args.ics else "text"
        return list_evenings(record_to_read(args), games, form)

    command = add_command(
        commands, "evenings", "list the evenings, and who won how often", run_command
    )
    forms = command.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="for another program to read")
    forms.add_argument("--csv", action="store_true", help="as a table, a line for each player")
    forms.add_argument("--ics", action="store_true", help="as a calendar")
    add_record_option(command)


PUBLISH_HELP = """
The folder holds index.html, a file for each game, in which it is looked at again, evening.csv,
evening.ics, and, with the library resvg-py, pictures that messengers and forums show beside a link.
Nothing in it asks another server for anything. Hidden people are in none of it; “companion players”
says how to hide somebody. docs/recipes.md says how a club's page shows it."""


def add_publish(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.publish import publish_evening

        return publish_evening(
            record_to_read(args), games, args.evening, args.folder, args.address or ""
        )

    command = add_command(
        commands, "publish", "write an evening as a folder for a club's page", run_command
    )
    command.epilog = PUBLISH_HELP
    command.add_argument("folder", metavar="FOLDER", type=Path, help="where the files go")
    command.add_argument(
        "--evening",
        metavar="NUMBER",
        default=LAST,
        help="which: its number (companion evenings), without one the last",
    )
    command.add_argument(
        "--address",
        metavar="URL",
        type=_parse_address,
        help="where the folder will stand, as in https://club.example/evenings/7: pictures of links"
        " need it",
    )
    add_record_option(command)


FORGET_HELP = """
The table must not run meanwhile (sudo systemctl stop companion). The name becomes “Player 3” or the
like in every row, the rows are chained anew, and the first one says so; check words change with it.
The record as it was is kept beside, and copies made before still have the name: they are yours to
delete."""


def add_forget(commands: "Commands") -> None:
    def run_command(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.players import forget_name

        return forget_name(record_to_read(args), games, args.name)

    command = add_command(
        commands, "forget", "make a new record without a player's name", run_command
    )
    command.epilog = FORGET_HELP
    command.add_argument("name", metavar="NAME", type=player_name, help="who is to be forgotten")
    add_record_option(command)


def _parse_address(word: str) -> str:
    from companion.commands.publish import ADDRESS_PATTERN

    if not ADDRESS_PATTERN.fullmatch(word):
        raise argparse.ArgumentTypeError(
            f"{word} is no address: write it as https://club.example/evenings/7"
        )
    return word


def _parse_date(word: str) -> date:
    try:
        return date.fromisoformat(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word} is no date: write it as 2026-11-20") from None


PLAYER_COMMANDS: tuple[Callable[["Commands"], None], ...] = (
    add_players,
    add_stats,
    add_evenings,
    add_publish,
    add_forget,
)
