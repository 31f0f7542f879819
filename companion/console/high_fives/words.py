"""What the screens say of High Fives: entries, captures, what is left, and what is missing."""

from companion.console.screen import View
from companion.console.screens.box import BoxSetting
from companion.console.words import shown
from companion.games.entries import Dealt
from companion.games.game import Entry, Payment
from companion.games.high_fives.entries import WORTH, LeftOver, PointsTold, PutDown, TableauShown
from companion.games.high_fives.rules import (
    HighFivesState,
    TableauBoard,
    TableauNotice,
    held,
)
from companion.seats import Seat
from companion.telling.short import by_name
from companion.telling.tableau_picture import TableauPicture

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


def many(number: int, of: str) -> str:
    """“1 point”, “3 points”"""
    return f"{number} {of}{'' if number == 1 else 's'}"


def in_words(entry: Entry) -> str:
    """An entry as a player says it."""
    match entry:
        case Dealt():
            return "The deal"
        case TableauShown():
            return f"{many(len(entry.tiles), 'tile')} face up"
        case PutDown():
            return f"{shown(entry.seat)} {_captured(entry)}"
        case PointsTold():
            return f"{shown(entry.seat)} by points"
        case LeftOver():
            return "What is left"
    return by_name(entry)


def _captured(put: PutDown) -> str:
    """“7-8 8-9”, “3-3, 0-1 1-2”, “7-8 8-9 + pair”: what was laid and what it took, so short that
    the points behind it can be read in the history, too."""
    taken = f"{put.tile} {put.takes or ''}".rstrip()
    if put.pair is None:
        return taken
    return f"{taken} + pair" if put.takes else f"{taken}, {put.pair[0]} {put.pair[1]}"


def why_points(state: HighFivesState, payment: Payment) -> str:
    """Why these points: “7-8: 3”, tile by tile where they are known."""
    return TableauPicture().reason(state) or f"told: {payment.points}"


def turns_to_come(view: View[TableauBoard], seat: Seat) -> str:
    """“5 to lay”: the tiles that the seat lays in this hand still. Where entries are lost nobody
    knows, and that is said."""
    left = held(view.state).get(seat)
    return f"{left} to lay" if left is not None else "doubtful" if view.game.losses else ""


def check(state: HighFivesState) -> str:
    """Whether the points of all and what is left make 100, at the end of a game."""
    missing = next(
        (
            notice["points"]
            for notice in state.effect.notices
            if notice.kind is TableauNotice.POINTS_MISSING
        ),
        0,
    )
    assert isinstance(missing, int), "it is a number of points"
    if missing:
        wrong = "missing" if missing > 0 else "too many"
        return f"{many(abs(missing), 'point')} of {WORTH} {wrong}"
    left = state.board.left
    return f"All {WORTH} are there, {left} left" if left is not None else ""
