"""The parts of a box's state that a player sees, and needs to press keys that make sense. Only the
players and reach.py use this: the output that is compared is taken from outside the program."""

from typing import Any

from companion.console.console import Console
from companion.console.screen import Screen, View
from companion.console.screens.changes import AmendEntry
from companion.core.seats import Seat
from tests.rig import Rig


class Sight:
    """A box's console, view and screen at one moment."""

    def __init__(self, rig: Rig) -> None:
        self.console: Console = rig.table.box.console
        self.view: View[Any] = rig.table.box.view()
        self.screen: Screen[Any] = self.console.screen or self.view.screen
        self.inside, self.then = self.screen, self.view
        """The screen that takes the keys, and the view that it has: while an earlier entry is
        changed, the screen and view of that moment."""
        if isinstance(self.screen, AmendEntry):
            self.inside, self.then = (
                self.screen._inner_screen(self.view),
                self.screen._view_then(self.view),
            )

    @property
    def whose(self) -> Seat | None:
        """The seat that is asked, if any."""
        return self.inside.only_seat(self.then)


ON_TAPES = {
    "BetweenHands": "Between",
    "ConfirmEntry": "Sure",
    "ConfirmCorrection": "CorrectingSure",
    "ConfirmDuplicate": "OnceMore",
    "AmendEntry": "Amending",
    "AskAboutDifference": "Difference",
    "AskCardPoints": "AskCard",
    "AskHighestDouble": "BigSix",
    "AskLaterTurns": "LaterTurns",
    "AskOpenOption": "AskLeftOpen",
    "AskSeat": "WhichSeat",
    "ConfirmChange": "Confirm",
    "ConfirmGivenPeople": "OthersGiven",
    "ConfirmGivenSeats": "BeginGiven",
    "CorrectChips": "Correcting",
    "CountChips": "Auditing",
    "HighriseAskOut": "LaidLastTile",
    "KeyBasement": "Basement",
    "KeyHighriseHolding": "HeldAtEnd",
    "OfferTileReturn": "OfferReturn",
    "PlayTile": "LayTile",
    "ShowChipsToMove": "ChipsToMove",
    "ShowProof": "Proven",
    "ShowRuling": "Settled",
    "ShowSeating": "SittingDown",
    "SpellName": "Spell",
    "ChooseTurn": "WhichGo",
    "WhoseKeypad": "Whose",
}
"""Names of screens on the tapes, which were recorded before their classes were renamed, by the
classes' names of today."""


def screen_name(rig: Rig) -> str:
    """The tapes' name for the screen that is shown."""
    screen = rig.table.box.console.screen
    return on_tapes(type(screen or rig.table.box.view().screen).__name__)


def on_tapes(name: str) -> str:
    """The tapes' name for the screen class `name`."""
    return ON_TAPES.get(name, name)
