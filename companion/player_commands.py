"""The commands about players: who they are, their figures, their evenings."""

import argparse
from collections.abc import Callable, Mapping
from datetime import date
from typing import TYPE_CHECKING

from companion.arguments import add_command, add_json, add_record, asked_record
from companion.games.game import AnyGame

if TYPE_CHECKING:
    from companion.arguments import Commands

LAST = "last"


def add_players(commands: "Commands") -> None:
    """companion players"""

    def do(args: argparse.Namespace, games: Mapping[str, AnyGame]) -> int:
        from companion.commands.players import list_players

        return list_players(asked_record(args), games, as_json=args.json)

    command = add_command(commands, "players", "list everybody who played", do)
    add_json(command)
    add_record(command)


STATS_HELP = """
Each figure says over how many lays, hands or games it was taken; over too few of them it has no
value. docs/players.md says what each is, and the columns of --csv."""


def add_stats(commands: "Commands") -> None:
    """companion stats [PLAYER]"""

    def do(args: argparse.Namespace, games: Mapping[str, AnyGame]) -> int:
        from companion.commands.stats import Wanted, tell_figures

        wanted = Wanted(args.player, args.evening, args.since, args.game, args.players)
        form = "csv" if args.csv else "json" if args.json else "text"
        return tell_figures(asked_record(args), games, wanted, form)

    command = add_command(commands, "stats", "tell the figures of the players", do)
    command.epilog = STATS_HELP
    command.add_argument("player", metavar="PLAYER", nargs="?", help="whose; without one, all")
    games = command.add_mutually_exclusive_group()
    games.add_argument(
        "--evening",
        metavar="NUMBER",
        nargs="?",
        const=LAST,
        help="of one evening alone: its number (companion evenings), or the last",
    )
    games.add_argument(
        "--since", metavar="DATE", type=_date, help="of the games since then, as in 2026-11-20"
    )
    command.add_argument("--game", metavar="NAME", help="of one game alone, as in high-five")
    command.add_argument(
        "--players", metavar="N", type=_number, help="of games with so many players"
    )
    forms = command.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="for another program to read")
    forms.add_argument("--csv", action="store_true", help="as a table")
    add_record(command)


def add_evenings(commands: "Commands") -> None:
    """companion evenings"""

    def do(args: argparse.Namespace, games: Mapping[str, AnyGame]) -> int:
        from companion.commands.evenings import list_evenings

        return list_evenings(asked_record(args), games, as_json=args.json)

    command = add_command(commands, "evenings", "list the evenings, and who won how often", do)
    add_json(command)
    add_record(command)


def _date(word: str) -> date:
    try:
        return date.fromisoformat(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word} is no date: write it as 2026-11-20") from None


def _number(word: str) -> int:
    if not (word.isdecimal() and word.isascii() and 1 < int(word[:3]) < 10 and len(word) == 1):
        raise argparse.ArgumentTypeError(f"{word} is no number of players: 2 to 8")
    return int(word)


PLAYER_COMMANDS: tuple[Callable[["Commands"], None], ...] = (add_players, add_stats, add_evenings)
