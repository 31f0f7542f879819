"""Going on without the basement, if the building in the record is not the one on the table."""

from companion.console.screen import Item, Outcome, View
from companion.console.screens.confirm_change import change
from companion.core.words import phrase
from companion.games.game import B
from companion.games.highrise.entries import BasementFilled
from companion.record.rows import Amend


def without_basement(view: View[B]) -> Item[B] | None:
    """The item that takes the basement of this hand out of the record, so that any play may be
    keyed; None if no basement was keyed. Earlier plays stay as they were, since each is kept with
    all that the box had understood of it."""
    at = basement_at(view)
    if at is None:
        return None
    return (
        phrase("Leave the basement out"),
        lambda view, menu: Outcome(change(view, Amend(at, ()), menu, None)),
    )


def basement_at(view: View[B]) -> int | None:
    """The place of this hand's basement among the entries; None if it was not keyed."""
    for place, entry, _ in view.game.newest_first():
        if isinstance(entry, BasementFilled):
            return place
        if entry.deals:
            break
    return None
