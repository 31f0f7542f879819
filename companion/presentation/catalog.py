"""The presentation of each game, by its name."""

from collections.abc import Mapping

from companion.presentation.game import GamePresentation
from companion.presentation.high_five_tiles.moment import HighFiveTilesPresentation
from companion.presentation.high_fives.moment import HighFivesPresentation
from companion.presentation.highrise.moment import HighrisePresentation
from companion.presentation.line.moment import LinePresentation

PRESENTATIONS: Mapping[str, GamePresentation] = {
    "high-five": LinePresentation(),
    "five-up": LinePresentation(),
    "high-fives": HighFivesPresentation(),
    "highrise": HighrisePresentation(),
    "high-five-tiles": HighFiveTilesPresentation(),
}
