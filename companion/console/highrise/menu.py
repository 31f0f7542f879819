"""The menu items of Highrise."""

from collections.abc import Mapping

from companion.console.highrise.basement import TOLD
from companion.console.highrise.without import without_basement
from companion.console.lists import opens
from companion.console.screen import Item, Items, Outcome, View, allowed, keep
from companion.console.screens.box import change_setting
from companion.console.screens.confirm_entry import ConfirmEntry
from companion.core.seats import shown
from companion.core.words import phrase
from companion.games.entries import Blocked, WentOut
from companion.games.highrise.board import HighriseBoard, round_of


def menu_items(view: View[HighriseBoard]) -> Mapping[int, Item[HighriseBoard]]:
    """By their fixed digits; what can't be chosen now is left out."""
    items: dict[int, Item[HighriseBoard] | None] = {
        4: _blocked(view),
        5: opens("More of this hand", _of_the_hand(view)),
        7: (phrase("Basement {now}", now=_now(view)), change_setting(TOLD)),
    }
    return {digit: item for digit, item in items.items() if item}


def _now(view: View[HighriseBoard]) -> str:
    return TOLD.words(view.settings.get(TOLD.name, "told")).split(":", maxsplit=1)[0].lower()


def _of_the_hand(view: View[HighriseBoard]) -> Items[HighriseBoard]:
    """What may have happened at the table just now, and is not said by a key."""
    return _out(view), without_basement(view)


def _blocked(view: View[HighriseBoard]) -> Item[HighriseBoard] | None:
    if not allowed(view, Blocked()):
        return None
    left = round_of(view.state).boneyard
    tiles = "1 tile is" if left == 1 else phrase("{left} tiles are", left=left)
    doubt = phrase("By the count {tiles} left to draw. Can really nobody play?", tiles=tiles)
    sure = ConfirmEntry[HighriseBoard]
    return (
        "Blocked: nobody can play",
        lambda _view, menu: (
            Outcome(sure("Blocked?", doubt, Blocked(), menu)) if left > 0 else keep(Blocked())
        ),
    )


def _out(view: View[HighriseBoard]) -> Item[HighriseBoard] | None:
    """Who laid last has no tile left, though the count says otherwise."""
    now = view.state.board.round
    seat = now.laid_last if now is not None else None
    if now is None or seat is None or not allowed(view, WentOut(seat)):
        return None
    held = now.held[seat]
    tiles = "1 tile" if held == 1 else phrase("{held} tiles", held=held)
    doubt = phrase(
        "By the count {seat} still holds {tiles}. Is {seat} really out?",
        seat=shown(seat),
        tiles=tiles,
    )
    sure = ConfirmEntry[HighriseBoard]
    return (
        phrase("{seat} is out", seat=shown(seat)),
        lambda _view, menu: (
            Outcome(sure(phrase("{seat} out?", seat=shown(seat)), doubt, WentOut(seat), menu))
            if held
            else keep(WentOut(seat))
        ),
    )
