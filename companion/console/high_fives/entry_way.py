"""How turns of High Fives are told, and whose they are."""

from companion.console.screen import View
from companion.console.screens.box import BoxSetting
from companion.core.seats import Seat
from companion.games.high_fives.rules import TableauBoard

ENTRY_WAY = BoxSetting("entry", "Entry way", (
    ("tile", "By tiles: 7 8 OK"), ("points", "By points: 3 OK"),
))  # fmt: skip
"""How turns are told. It is asked before the first hand of each game."""


def by_points(view: View[TableauBoard]) -> bool:
    """Whether turns are told by their points alone: so it is set, or the tableau is not known."""
    return view.settings.get(ENTRY_WAY.name) == "points" or not view.state.board.table.known


def mover(view: View[TableauBoard]) -> Seat:
    """Whose turn it is."""
    seat = view.state.to_move
    assert seat is not None, "a turn is shown only while somebody is to move"
    return seat
