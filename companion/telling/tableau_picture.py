"""What High Fives tells of a moment: what was captured, and the tableau."""

from typing import Any

from companion.games.high_fives.rules import HighFivesState
from companion.telling.no_picture import NoPicture
from companion.telling.paper import Paper
from companion.telling.tableau import Tableau, draw_tableau


def tableau_of(state: HighFivesState) -> Tableau | None:
    """What lies in the tableau; None where that isn't known."""
    table = state.board.table
    if not table.known:
        return None
    places = tuple(None if tile is None else (tile.low, tile.high) for tile in table.places)
    return Tableau(places, table.latest)


class TableauPicture(NoPicture):
    """High Fives."""

    def reason(self, state: HighFivesState) -> str:
        """The captured tiles that are worth something: “7-8: 3”."""
        taken = state.board.taken
        if taken is None or state.effect.turn is None:
            return ""
        return ", ".join(f"{tile}: {points}" for tile, points in taken.scoring)

    def draw(self, state: HighFivesState, paper: Paper, *, stand_alone: bool = True) -> str | None:
        """The tableau; None where it isn't known."""
        tableau = tableau_of(state)
        return draw_tableau(tableau, paper, stand_alone=stand_alone) if tableau else None

    def moment_json(self, state: HighFivesState) -> dict[str, Any]:
        """The tableau by its places, null for one that is free again."""
        tableau = tableau_of(state)
        if tableau is None:
            return {}
        places = [None if tile is None else f"{tile[0]}-{tile[1]}" for tile in tableau.places]
        return {"table": {"kind": "tableau", "places": places, "latest": tableau.latest}}
