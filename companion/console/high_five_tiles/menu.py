"""The menu items of High Five! with tiles: what no key of a turn says. None of them is needed if
every turn said how many tiles were new."""

from collections.abc import Mapping

from companion.console.high_five_tiles.turn import turn_of
from companion.console.in_play import acts_now, asked_now
from companion.console.lists import opens
from companion.console.screen import Item, Outcome, View
from companion.console.screens.confirm_entry import ask_first
from companion.core.seats import Seat, shown
from companion.core.words import phrase
from companion.games.high_five_tiles.board import HighFiveTilesBoard
from companion.games.high_five_tiles.rules import OUT_FIRST
from companion.presentation.acts import Act


def menu_items(view: View[HighFiveTilesBoard]) -> Mapping[int, Item[HighFiveTilesBoard]]:
    """The items by their fixed digits; what can't be chosen now is left out. A seat is chosen by
    the digit of its place at the table."""
    asked = asked_now(view)
    out = {act.seat: act for act in acts_now(view, "out-first")}
    others = {seat for seat in asked.seats if seat != asked.seat}
    first = tuple(_is_out(out[seat]) if seat in out else None for seat in view.state.seats)
    plays = tuple(_plays(seat) if seat in others else None for seat in view.state.seats)
    all_laid: Item[HighFiveTilesBoard] | None = None
    if finish := acts_now(view, "finish"):
        text = phrase("Nobody has a tile left, and none is left to draw. The highest total wins.")
        question = phrase("All tiles laid?")
        all_laid = ask_first(phrase("All tiles are laid"), question, text, finish[0].entry)
    label = phrase("First out: +{points}", points=OUT_FIRST)
    items: dict[int, Item[HighFiveTilesBoard] | None] = {
        4: opens(label, first, phrase("Who is out first?")),
        5: all_laid,
    }
    if asked.seat is not None:
        nothing = phrase("{seat} has no tile left", seat=shown(asked.seat))
        items[7] = opens(nothing, plays, phrase("Who plays then?"))
    return {digit: item for digit, item in items.items() if item}


def _is_out(act: Act) -> Item[HighFiveTilesBoard]:
    seat = shown(act.seat or "")
    text = phrase(
        "{seat} is the first to lay the last tile: {points} points.",
        seat=seat,
        points=OUT_FIRST,
    )
    return ask_first(phrase("{seat} is out", seat=seat), phrase("Out first?"), text, act.entry)


def _plays(seat: Seat) -> Item[HighFiveTilesBoard]:
    """The item that says that `seat` plays, since the seat before it has no tile left: the box
    doesn't know that if the tiles weren't counted."""
    text = phrase("{seat} plays", seat=shown(seat))
    return text, lambda view, _menu: Outcome(turn_of(view, seat))
