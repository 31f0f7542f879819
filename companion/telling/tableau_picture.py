"""What High Fives tells of a moment: what was captured, and the tableau."""

from companion.games.high_fives.rules import Table
from companion.telling.no_picture import NoPicture
from companion.telling.paper import Paper
from companion.telling.tableau import Tableau, draw_tableau


def tableau_of(state: Table) -> Tableau | None:
    """What lies in the tableau; None where that isn't known."""
    table = state.board.table
    if not table.known:
        return None
    places = tuple(None if tile is None else (tile.low, tile.high) for tile in table.places)
    return Tableau(places, table.latest)


class TableauPicture(NoPicture):
    """High Fives."""

    def reason(self, state: Table) -> str:
        """The captured tiles that are worth something: “7-8: 3”."""
        taken = state.board.taken
        if taken is None or state.effect.turn is None:
            return ""
        return ", ".join(f"{tile}: {points}" for tile, points in taken.scoring)

    def draw(self, state: Table, paper: Paper) -> str | None:
        """The tableau; None where it isn't known."""
        tableau = tableau_of(state)
        return draw_tableau(tableau, paper, stand_alone=True) if tableau else None
