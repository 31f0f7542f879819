"""The races whose drawings are stored, by name."""

from collections.abc import Callable
from random import Random
from typing import Any, Final

from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.record.journal import Journal
from companion.record.rows import Opened, Step
from tests.catalog import GAMES
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


def played(name: str, seats: Seats, text: str) -> Journal[Any]:
    """The game after these lines of a tally."""
    journal: Journal[Any] = Journal.begin(Opened(name, seats, {}), GAMES)
    for line in text.splitlines():
        entry = parse_entry(line, GAMES[name], seats)
        journal = journal.fold(Step((entry,)))
    return journal


def at_random(name: str, players: int, seed: int) -> Journal[Any]:
    """A whole random game of this many players."""
    seats = Seats.of(*seats_of(players))
    return played(name, seats, "\n".join(PLAYERS[name](Random(seed), players)))


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
    "score_sheet": lambda: at_random("high-five-tiles", 4, 1),
}
