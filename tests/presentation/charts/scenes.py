"""The races whose drawings are stored, by name."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from companion.core.seats import Seats
from companion.games.game import parse_entry, settle_options
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Step
from tests.catalog import GAMES
from tests.games.fives_and_threes_players import Game
from tests.games.others.players import PLAYERS, seats_of

CORRECTED: Final = """hand lead Red
Red 5-5
Blue 0-5
Red 5-6
Blue 4-0
chips Blue 60 agreed
chips Red 25 agreed
Red draw
chips Blue -30 back"""


def played(
    name: str, seats: Seats, text: str, given: Mapping[str, str] | None = None
) -> Journal[Any]:
    """The game after these lines of a tally."""
    options = settle_options(GAMES[name], len(seats), given) if given else {}
    journal: Journal[Any] = Journal.begin(GameOpened(name, seats, options), GAMES)
    for line in text.splitlines():
        entry = parse_entry(line, GAMES[name], seats)
        journal = journal.fold(Step((entry,)))
    return journal


def at_random(name: str, players: int, seed: int) -> Journal[Any]:
    """A whole random game of this many players."""
    seats = Seats.of(*seats_of(players))
    return played(name, seats, "\n".join(PLAYERS[name](Random(seed), players)))


def fives_and_threes(seed: int, named: str) -> Journal[Any]:
    """A whole random game of Fives and Threes."""
    game = Game(f"race {seed}", named)
    text = "\n".join(told.text for told in game.lines)
    return played("fives-and-threes", Seats.of(*game.names), text, game.options)


RACES: Final[dict[str, Callable[[], Journal[Any]]]] = {
    "not_begun": lambda: played("high-five", Seats.of("Red", "Blue"), ""),
    "two_seats": lambda: played("high-five", Seats.of("Red", "Blue"), CORRECTED),
    "named": lambda: played(
        "high-five",
        Seats.of("Old_Tom", "Maximiliane"),
        CORRECTED.replace("Red", "Old_Tom").replace("Blue", "Maximiliane"),
    ),
    "eight_seats": lambda: at_random("high-fives", 8, 4),
    "below_zero": lambda: at_random("highrise", 3, 2),
    "cribbage_board": lambda: fives_and_threes(3, "home"),
    "long_board": lambda: fives_and_threes(4, "K"),
    "score_sheet": lambda: at_random("high-five-tiles", 4, 1),
}
