"""What a player sees of a box, as far as one must know it to press keys that make sense. Only who
plays and who counts what was reached looks in here: what is compared comes from outside."""

from typing import Any

from companion.console.console import Console
from companion.console.screen import Screen, View, screen_for
from companion.console.screens.amend import Amending
from companion.core.seats import Seat
from tests.rig import Rig


class Sight:
    """One moment."""

    def __init__(self, rig: Rig) -> None:
        self.console: Console = rig.table.box.console
        self.view: View[Any] = rig.table.box.view()
        self.screen: Screen[Any] = self.console.screen or screen_for(self.view)
        self.inside, self.then = self.screen, self.view
        """The screen that takes the keys and what it sees: while an earlier entry is changed, those
        of then."""
        if isinstance(self.screen, Amending):
            self.inside, self.then = self.screen._screen(self.view), self.screen._then(self.view)

    @property
    def whose(self) -> Seat | None:
        """Who is asked."""
        return self.inside.whose(self.then)


ON_TAPES = {
    "BetweenHands": "Between",
    "ConfirmEntry": "Sure",
    "ConfirmCorrection": "CorrectingSure",
}
"""What a screen is called on the tapes, which were recorded when it still had that name."""


def screen_name(rig: Rig) -> str:
    """The class of the screen that is shown, as the tapes have it."""
    screen = rig.table.box.console.screen
    return on_tapes(type(screen or screen_for(rig.table.box.view())).__name__)


def on_tapes(name: str) -> str:
    """What the tapes call the screen of that class."""
    return ON_TAPES.get(name, name)
