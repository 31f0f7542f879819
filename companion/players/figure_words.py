"""What is said of players and their figures."""

from typing import Final

from companion.players.definitions import SHARES
from companion.players.figures import Figure
from companion.presentation.phrases import phrase

FIGURES: Final = {
    "points_a_lay": "points a lay",
    "scoring_lays": "lays that score",
    "biggest": "biggest count",
    "longest_run": "longest run of scoring lays",
    "given_to_the_next": "points given to the next player, a lay",
    "drawn_a_lay": "tiles drawn, a lay",
    "passes_a_lay": "passes, a lay",
    "passes_forced": "passes forced on the next player, a lay",
    "dominoed": "hands dominoed",
    "blocked": "hands blocked",
    "lost": "hands lost",
    "pips_held": "pips held at the end of a hand",
    "best_open": "scored of the best that was open",
    "called_right": "bogus plays called right",
    "called_wrong": "bogus plays called wrong",
    "bogus_uncalled": "own bogus plays that nobody called",
    "captures_a_turn": "captures a turn",
    "level": "level of a play",
    "highest_level": "highest level",
}
"""Each figure by its name."""
BIGGEST_TURN: Final = "most points in one turn"
"""The biggest count in a game that has no count."""
COUNTING: Final = ("high-five", "five-up")
OVER: Final = {
    "lays": ("over 1 lay", "over {number} lays"),
    "hands": ("over 1 hand", "over {number} hands"),
    "calls": ("of 1 call", "of {number} calls"),
    "games": ("over 1 game", "over {number} games"),
}
TOO_FEW: Final = "–"
DATE_UNKNOWN: Final = "date unknown"


def figure_label(name: str, game: str) -> str:
    """What a figure is called in that game."""
    label = FIGURES[name]
    return phrase(BIGGEST_TURN if name == "biggest" and game not in COUNTING else label)


def figure_value(figure: Figure) -> str:
    """43 %, 2.6, 25; a dash over too few."""
    value = figure.value
    if value is None:
        return TOO_FEW
    if figure.name in SHARES:
        return phrase("{number} %", number=round(value * 100))
    return f"{value:.0f}" if value == int(value) and figure.moments else f"{value:.2f}"


def figure_over(figure: Figure) -> str:
    """over 640 lays"""
    one, many = OVER[figure.of]
    return phrase(one) if figure.over == 1 else phrase(many, number=figure.over)


def many_games(number: int) -> str:
    """1 game, 12 games"""
    return phrase("1 game") if number == 1 else phrase("{number} games", number=number)
