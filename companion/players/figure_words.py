"""What is said of players and their figures."""

from typing import Final

from companion.core.words import phrase
from companion.players.figures import Figure

OVER: Final = {
    "lays": ("over 1 lay", "over {number} lays"),
    "hands": ("over 1 hand", "over {number} hands"),
    "calls": ("of 1 call", "of {number} calls"),
    "games": ("over 1 game", "over {number} games"),
}
TOO_FEW: Final = "–"


def figure_label(figure: Figure) -> str:
    """What people call it."""
    return phrase(figure.definition.label)


def figure_value(figure: Figure) -> str:
    """43 %, 2.6, 25; a dash over too few."""
    value = figure.value
    if value is None:
        return TOO_FEW
    if figure.share:
        return phrase("{number} %", number=round(value * 100))
    if value == int(value) and figure.moments:
        return f"{value:.0f}"
    return phrase("{value:.2f}", value=value)


def figure_over(figure: Figure) -> str:
    """over 640 lays"""
    one, many = OVER[figure.of]
    return phrase(one) if figure.over == 1 else phrase(many, number=figure.over)


def many_games(number: int) -> str:
    """1 game, 12 games"""
    return phrase("1 game") if number == 1 else phrase("{number} games", number=number)
