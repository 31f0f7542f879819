"""Who begins: asked before the deal, and after it where it wasn't said."""

from dataclasses import dataclass
from typing import ClassVar

from companion.console.high_five_tiles.turn import RowTurn
from companion.console.lists import ListScreen
from companion.console.screen import Outcome, View, keep
from companion.console.screens.undo import offer_undo
from companion.core.keys import Key
from companion.core.seats import shown
from companion.games.entries import Dealt
from companion.games.high_five_tiles.rules import SheetBoard


@dataclass(frozen=True, slots=True)
class AskWhoBegins(ListScreen[SheetBoard]):
    """The seats, each with the digit of its place: who begins, by the tile that it drew."""

    plays: ClassVar = True
    rows: ClassVar = 4

    def title(self, _view: View[SheetBoard]) -> str:
        return "Who begins?"

    def lines(self, view: View[SheetBoard]) -> tuple[str, ...]:
        return tuple(map(shown, view.state.seats))

    def chosen(self, view: View[SheetBoard], at: int) -> Outcome[SheetBoard]:
        seat = view.state.seats.order[at]
        if view.state.board.turns is None:
            return keep(Dealt(seat))
        return Outcome(RowTurn(seat=seat))

    def back(self, view: View[SheetBoard]) -> Outcome[SheetBoard]:
        """BACK offers to take back the last entry."""
        return offer_undo(view, self)

    def keys(self, view: View[SheetBoard]) -> tuple[Key, ...]:
        """A digit a seat, OK and the rest."""
        seats = (Key(str(number)) for number in self.numbers(view))
        return (*seats, Key.OK, Key.BACK, Key.MENU)

    def hint_now(self, _view: View[SheetBoard]) -> str:
        """How it is settled."""
        return "Highest tile; spades first"
