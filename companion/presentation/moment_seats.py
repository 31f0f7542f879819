"""The seats of a moment as JSON: what each has, whether it is to move, and its labels in words."""

from collections.abc import Mapping
from typing import Final

from companion.core.seats import Seat
from companion.core.values import Json
from companion.games.game import AnyState
from companion.presentation.payments import pieces_json, stock_said
from companion.presentation.sayings import name_in_words, say
from companion.record.journal import Journal

SIGNS: Final = ("●", "■", "▲", "◆", "★", "✚", "⬟", "♥")
"""Signs that tell seats apart besides their colours. Each seat has the sign of its place in the
turn order with which the game began."""


def seats_json(
    journal: Journal[object], state: AnyState, held: Mapping[Seat, int | None]
) -> list[Json]:
    """Every seat, in turn order. `held`: by seat, the number of tiles to show for it (None or
    missing: none is shown)."""
    colours = journal.seat_colours
    return [_seat(journal, state, seat, colours[seat], held.get(seat)) for seat in state.seats]


def _seat(
    journal: Journal[object], state: AnyState, seat: Seat, colour: str, tiles: int | None
) -> Json:
    order = (*journal.begun.seats,)
    chips, to_win = _chips(journal, state, seat), journal.game.to_win(state, seat)
    return {
        "seat": seat,
        "shown": name_in_words(seat),
        "colour": colour.lower() or None,
        "sign": SIGNS[order.index(seat) % len(SIGNS)],
        "score": state.scores[seat],
        "to_win": to_win,
        "chips": chips,
        "tiles": tiles,
        "to_move": state.to_move == seat,
        "won": seat in state.winners,
        "labels": {
            "to_win": None if to_win is None else say("seat.to-win", points=to_win),
            **_games_won(journal, state, seat),
            "chips": chips and stock_said(chips),
            "tiles": None if tiles is None else _tiles_said(tiles),
        },
    }


def _games_won(journal: Journal[object], state: AnyState, seat: Seat) -> Json:
    """The label for the games of the match that the seat has won so far; empty if the seat has won
    none, or if no match is played."""
    match = journal.opened.match
    won = match.after(state).won[state.side_of(seat)] if match is not None else 0
    if not won:
        return {}
    return {"games": say("seat.game-won") if won == 1 else say("seat.games-won", games=won)}


def _chips(journal: Journal[object], state: AnyState, seat: Seat) -> Json | None:
    found = journal.game.chips(state)
    if found is None:
        return None
    stock = found.stocks[seat]
    pays = found.payee_of(seat)
    return {"points": stock.points, "pieces": pieces_json(stock.home), "pays": pays}


def _tiles_said(number: int) -> Json:
    if number in (0, 1):
        return say("seat.tile" if number else "seat.no-tile")
    return say("seat.tiles", number=number)
