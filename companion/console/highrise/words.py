"""What the screens say of a hand of Highrise: its entries, and why points were scored."""

from companion.console.words import shown
from companion.games.entries import Blocked, Dealt, Passed, WentOut
from companion.games.game import Entry, Payment
from companion.games.highrise.board import HighriseState
from companion.games.highrise.entries import WILD, BasementFilled, Built, DrewOne, format_halves
from companion.games.highrise.rules import HighriseWhy
from companion.telling.building_words import play_factors, play_sum
from companion.telling.short import by_name


def in_words(entry: Entry, state: HighriseState) -> str:
    """An entry as a player says it, `state` being the one after it."""
    match entry:
        case Built():
            return f"{shown(entry.seat)} {_play(entry, state)}"
        case BasementFilled():
            return "The basement"
        case Dealt():
            return "The deal"
        case DrewOne():
            return f"{shown(entry.seat)} draws"
        case Passed():
            return f"{shown(entry.seat)} passes"
        case WentOut():
            return f"{shown(entry.seat)} is out"
        case Blocked():
            return "Nobody can play"
    return by_name(entry)


def _play(built: Built, state: HighriseState) -> str:
    """“6-3 × 2”, “W-3: 4-3 × 2, spacer”"""
    scored = state.board.scored
    if scored is None:
        return format_halves(built.halves)
    wild = f"{format_halves(built.halves)}: " if WILD in built.halves else ""
    spacer = ", spacer" if built.spacer is not None else ""
    return f"{wild}{play_factors(scored)}{spacer}"


def why_points(entry: Entry, state: HighriseState, payment: Payment) -> str:
    """Why these points: “6-3 × 2 = 18”, “out: 15”, “blocked: −14”."""
    scored = state.board.scored
    if payment.why is HighriseWhy.LAY and scored is not None and isinstance(entry, Built):
        wild = f"{format_halves(entry.halves)}: " if WILD in entry.halves else ""
        return wild + play_sum(scored)
    return f"{payment.why}: {signed(payment.points)}"


def signed(points: int) -> str:
    """12, −14: with the sign that is as wide as it should be."""
    return f"−{-points}" if points < 0 else str(points)
