"""The menu items of High Five! with tiles: what no key of a turn says. All of it follows by itself
where every turn said how many tiles were new."""

from collections.abc import Mapping

from companion.console.high_five_tiles.turn import RowTurn
from companion.console.lists import opens
from companion.console.screen import Item, Items, Outcome, Screen, View, allowed
from companion.console.screens.confirm_entry import ConfirmEntry
from companion.core.seats import Seat, shown
from companion.core.words import phrase
from companion.games.entries import WentOut
from companion.games.high_five_tiles.entries import Finished, TileLaid
from companion.games.high_five_tiles.rules import OUT_FIRST, SheetBoard


def menu_items(view: View[SheetBoard]) -> Mapping[int, Item[SheetBoard]]:
    """By their fixed digits; what can't be chosen now is left out."""
    items: dict[int, Item[SheetBoard] | None] = {
        4: opens(
            phrase("First out: +{points}", points=OUT_FIRST),
            _out_first(view),
            "Who is out first?",
        ),
        5: _finished(view),
        7: _without_tiles(view),
    }
    return {digit: item for digit, item in items.items() if item}


def _out_first(view: View[SheetBoard]) -> Items[SheetBoard]:
    """The seats that may be, each by the digit of its place at the table."""
    if view.state.finished or view.state.board.out is not None:
        return ()
    return tuple(_is_out(seat) if allowed(view, WentOut(seat)) else None
                 for seat in view.state.seats)  # fmt: skip


def _is_out(seat: Seat) -> Item[SheetBoard]:
    text = phrase(
        "{seat} has laid its last tile, before all others: {points} points.",
        seat=shown(seat),
        points=OUT_FIRST,
    )

    def asked(_view: View[SheetBoard], menu: Screen[SheetBoard]) -> Outcome[SheetBoard]:
        return Outcome(ConfirmEntry("Out first?", text, WentOut(seat), menu))

    return phrase("{seat} is out", seat=shown(seat)), asked


def _finished(view: View[SheetBoard]) -> Item[SheetBoard] | None:
    """The end of the game."""
    if view.state.finished or not allowed(view, Finished()):
        return None

    def asked(_view: View[SheetBoard], menu: Screen[SheetBoard]) -> Outcome[SheetBoard]:
        text = "Nobody has a tile left, and none is left to draw. The highest total wins."
        return Outcome(ConfirmEntry("Is all laid?", text, Finished(), menu))

    return "All have laid everything", asked


def _without_tiles(view: View[SheetBoard]) -> Item[SheetBoard] | None:
    """A seat whose tiles nobody has counted may have none left: another one plays."""
    mover = view.state.to_move
    if mover is None:
        return None
    others = tuple(
        _plays(seat) if seat != mover and allowed(view, TileLaid(seat)) else None
        for seat in view.state.seats
    )
    return opens(phrase("{seat} has no tile left", seat=shown(mover)), others, "Who plays then?")


def _plays(seat: Seat) -> Item[SheetBoard]:
    return phrase("{seat} plays", seat=shown(seat)), lambda _view, _menu: Outcome(
        RowTurn(seat=seat)
    )
