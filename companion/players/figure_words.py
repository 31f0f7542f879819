"""Words for figures of players."""

from typing import Final

from companion.core.words import counted, phrase
from companion.players.definitions import Over
from companion.players.figures import Figure

TOO_FEW: Final = "–"


def figure_label(figure: Figure) -> str:
    """What people call the figure."""
    return phrase(figure.definition.label)


def figure_value(figure: Figure) -> str:
    """43 %, 2.6, 25; a dash if there is no value, as it was over too few."""
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
    match figure.of:
        case Over.LAYS:
            return counted("over 1 lay", "over {number} lays", figure.over)
        case Over.HANDS:
            return counted("over 1 hand", "over {number} hands", figure.over)
        case Over.CALLS:
            return counted("of 1 call", "of {number} calls", figure.over)
        case Over.GAMES:
            return counted("over 1 game", "over {number} games", figure.over)
        case Over.MATCHES:
            return counted("of 1 match", "of {number} matches", figure.over)


def many_games(number: int) -> str:
    """1 game, 12 games"""
    return counted("1 game", "{number} games", number)
