"""The check of the box: whether each part that is plugged in works, and what to do if not."""

from typing import Final

from companion.console.frame import Canvas
from companion.console.lists import ListScreen
from companion.console.screen import Actions, Outcome, Screen, View
from companion.console.screens.confirm_entry import draw_confirm
from companion.console.screens.note import Note
from companion.core.box_check import BoxCheck
from companion.core.keys import Key
from companion.core.phones import PageRequest
from companion.core.values import dataclass
from companion.core.words import listed, phrase
from companion.games.game import B
from companion.presentation.check_words import PARTS, RESULTS

TITLE: Final = phrase("Check this box")


def open_check(parent: Screen[B] | None) -> Outcome[B]:
    """Starts a check of the box, and shows it."""
    return Outcome(CheckBox(parent=parent), page_request=PageRequest.CHECK_BOX)


@dataclass(frozen=True, slots=True)
class CheckBox(ListScreen[B]):
    """The parts and how they are; OK shows what was found of one, and what to do."""

    parent: Screen[B] | None = None

    def stands_on(self, _view: View[B]) -> object:
        """Nothing of the game: no row closes this screen."""
        return None

    def title(self, view: View[B]) -> str:
        check = view.box_check or BoxCheck(under_way=True)
        return phrase("One moment …") if check.under_way else TITLE

    def lines(self, view: View[B]) -> tuple[str, ...]:
        check = view.box_check or BoxCheck(under_way=True)
        if check.why:
            return (phrase("The box can't be checked"),)
        return tuple(
            phrase(
                "{part}: {result}",
                part=PARTS.get(one.part, one.part),
                result=RESULTS.get(one.result, one.result),
            )
            for one in check.parts
        )

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        """Shows all that was found of a part, as `companion check` says it. If the remedy is new
        firmware for the keypads, asks whether to give it."""
        check = view.box_check or BoxCheck()
        if check.why:
            return Outcome(Note(check.why, self))
        one = check.parts[at]
        if one.renews_keypads:
            return Outcome(RenewKeypads(self))
        said = listed((one.found, one.remedy), ". ") if one.remedy else one.found
        return Outcome(Note(said, self))

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.parent)


@dataclass(frozen=True, slots=True)
class RenewKeypads(Screen[B]):
    """Asks before the keypads get new firmware: a keypad is not heard while it is renewed."""

    parent: Screen[B] | None = None

    def yes(self, _view: View[B]) -> Outcome[B]:
        """OK gives the keypads new firmware."""
        return Outcome(None, page_request=PageRequest.RENEW_KEYPADS)

    def back(self, _view: View[B]) -> Outcome[B]:
        """BACK: no."""
        return Outcome(self.parent)

    def stands_on(self, _view: View[B]) -> object:
        return None

    def on(self) -> Actions[B]:
        return {Key.OK: self.yes, Key.BACK: self.back}

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """The question, and what it means."""
        text = phrase("It takes half a minute a keypad. The table doesn't hear it meanwhile.")
        draw_confirm(canvas, phrase("New firmware?"), text, phrase("OK: yes   BACK: no"))
