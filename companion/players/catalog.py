"""The statistics of each game, by its name."""

from collections.abc import Mapping

from companion.games.catalog import GAMES
from companion.players.count_line import line_statistics
from companion.players.count_others import HIGH_FIVE_TILES, HIGH_FIVES, HIGHRISE
from companion.players.definitions import Statistics

STATISTICS: Mapping[str, Statistics] = {
    "high-five": line_statistics(GAMES["high-five"]),
    "five-up": line_statistics(GAMES["five-up"]),
    "high-fives": HIGH_FIVES,
    "highrise": HIGHRISE,
    "high-five-tiles": HIGH_FIVE_TILES,
}
