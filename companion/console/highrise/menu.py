"""The menu items of Highrise."""

from collections.abc import Mapping

from companion.console.highrise.basement import TOLD
from companion.console.highrise.without import without_basement
from companion.console.holding import can_nobody_play
from companion.console.in_play import acts_now
from companion.console.lists import opens
from companion.console.screen import Item, Items, View, keep
from companion.console.screens.box import change_setting
from companion.console.screens.confirm_entry import ask_first
from companion.core.seats import shown
from companion.core.words import counted, phrase
from companion.games.entries import Blocked, WentOut
from companion.games.highrise.board import HighriseBoard, round_of
from companion.presentation.highrise.keys import BASEMENT, NOT_TOLD


def menu_items(view: View[HighriseBoard]) -> Mapping[int, Item[HighriseBoard]]:
    """The items by their fixed digits; what can't be chosen now is left out."""
    keyed = view.settings.get(BASEMENT) != NOT_TOLD
    now = phrase("keyed") if keyed else phrase("not keyed")
    # What may just have happened at the table and has no key of its own.
    of_the_hand: Items[HighriseBoard] = (_out(view), without_basement(view))
    items: dict[int, Item[HighriseBoard] | None] = {
        4: _blocked(view),
        5: opens(phrase("More of this hand"), of_the_hand),
        7: (phrase("Basement {now}", now=now), change_setting(TOLD)),
    }
    return {digit: item for digit, item in items.items() if item}


def _blocked(view: View[HighriseBoard]) -> Item[HighriseBoard] | None:
    if not acts_now(view, "blocked"):
        return None
    left = round_of(view.state).boneyard
    label = phrase("Blocked: nobody can play")
    if left > 0:
        return ask_first(label, phrase("Blocked?"), can_nobody_play(left), Blocked())
    return label, lambda _view, _menu: keep(Blocked())


def _out(view: View[HighriseBoard]) -> Item[HighriseBoard] | None:
    """The item that says that the seat which laid last is out. It asks first if, by the count, that
    seat still has tiles."""
    out = acts_now(view, "out", "out-early")
    seat = out[0].seat if out else None
    if seat is None:
        return None
    held = round_of(view.state).held[seat]
    tiles = counted("1 tile", "{number} tiles", held)
    doubt = phrase(
        "By the count {seat} still holds {tiles}. Is {seat} really out?",
        seat=shown(seat),
        tiles=tiles,
    )
    label = phrase("{seat} is out", seat=shown(seat))
    if held:
        return ask_first(label, phrase("{seat} out?", seat=shown(seat)), doubt, WentOut(seat))
    return label, lambda _view, _menu: keep(WentOut(seat))
