"""Points and chips: every seat's stock; why it has its points; correcting chips."""

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.console.frame import WIDTH
from companion.console.glyphs import text_width
from companion.console.lists import ListScreen, ask
from companion.console.screen import Item, Outcome, Screen, View
from companion.console.screens.correct import chip_items
from companion.console.screens.history import History
from companion.core.seats import Seat, shown
from companion.core.words import listed, phrase
from companion.games.game import B
from companion.presentation.short import pieces


@dataclass(frozen=True, slots=True)
class SeatList(ListScreen[B]):
    """Every seat with its points, and the chips in its stock."""

    parent: Screen[B] | None = None

    hint: ClassVar = phrase("A digit: why, count, correct")

    def title(self, _view: View[B]) -> str:
        return phrase("Points, then own chips")

    def lines(self, view: View[B]) -> tuple[str, ...]:
        return tuple(_line(view, seat) for seat in view.state.seats)

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        seat = view.state.seats.order[at]
        here = replace(self, at=at)
        why: Item[B] = (
            phrase("Why {score}?", score=view.state.scores[seat]),
            lambda view, _list: Outcome(History.of(view, seat, here)),
        )
        own = (
            phrase("{seat}: {pieces}", seat=shown(seat), pieces=_own_pieces(view, seat))
            if view.chips
            else shown(seat)
        )
        return ask(own, (why, *chip_items(view, seat, here)), here, view)

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.parent)


ROOM = WIDTH - 14
"""Columns for a line of a numbered list."""


def _line(view: View[B], seat: Seat) -> str:
    """“Red 0 · 135: 9×10+9×5”: a seat's points, and the chips in its own stock. “Anna 0 red 135”:
    a seat with a name has its chips' colour as well. The pieces are left out if they don't fit."""
    text = listed((shown(seat), str(view.state.scores[seat])), " ")
    if view.chips is None:
        return text
    text = listed((text, view.colour(seat) or "·", str(view.chips.left(seat))), " ")
    whole = phrase("{text}: {pieces}", text=text, pieces=_own_pieces(view, seat))
    return whole if text_width(view.language.put(whole)) <= ROOM else text


def _own_pieces(view: View[B], seat: Seat) -> str:
    """“9×10+9×5”, or “none”: the chips in the seat's own stock."""
    assert view.chips is not None, "only games with chips count them"
    home = view.chips.stocks[seat].home
    return pieces(tuple((value, number) for value, number in home if number)) or phrase("none")
