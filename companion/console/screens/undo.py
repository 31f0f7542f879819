"""Taking back the last change, by name; and doing again what was taken back."""

from dataclasses import replace
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.layout import draw_question, question_lines
from companion.console.screen import Outcome, Screen, allowed, keep, would_be
from companion.console.screens.chips_to_move import chips_to_move, then_move
from companion.console.screens.setup_game import set_up_again
from companion.console.view import View
from companion.console.words import shown
from companion.errors import RuleError
from companion.games.entries import Drew
from companion.games.line.line import TILE_SET
from companion.games.penalties import Audited, Corrected, Returned
from companion.keys import Key
from companion.record.journal import THIS_GAME
from companion.record.rows import Redo, Undo
from companion.seats import Seat
from companion.values import dataclass

COUNTED = "counted"
"""The reason of a correction that makes the record as the chips were counted."""
MOST_LINES = 3
"""Of a question: what is below must not be hidden by it."""


@dataclass(frozen=True, slots=True)
class OfferUndo(Screen):
    """Asks, over the screen that it was asked on: take it back? DRAW does again instead. `by`: the
    seat whose keypad asked; None: the box."""

    under: Screen
    by: Seat | None = None

    def stands_on(self, view: View) -> object:
        """What was entered last."""
        return view.journal

    def undo(self, view: View) -> Outcome:
        """OK: yes."""
        if view.game.undo_label is None:
            return Outcome(self)
        if view.game.undo_label == THIS_GAME and view.game.opened.after is None:
            return Outcome(set_up_again(view.game.opened), Undo())
        return Outcome(None, Undo()) if len(self._asked(view)) <= MOST_LINES else undone(view)

    def redo(self, view: View) -> Outcome:
        """DRAW: do again what was taken back before. Where nothing was, it draws no tile either:
        whoever presses it here does not mean the boneyard."""
        if view.redo_label is None:
            return Outcome(self, refused="Nothing was taken back: nothing to do again.")
        again = view.game.fold(Redo()) if view.game.redo_label else None
        if again is None or again.length == view.game.length + 1:
            return Outcome(None, Redo())  # an entry says itself what it pays
        return then_move(view, again.state, Redo())

    def _asked(self, view: View) -> tuple[str, ...]:
        """The question, and which chips go back then, in lines."""
        label = view.game.undo_label
        if label is None:
            return ("Nothing to take back",)
        moves = () if _counted(view) else chips_to_move(view, view.game.fold(Undo()).state)
        return question_lines(" ".join([f"Take back {spoken(label)}?", *moves]))

    def back(self, _view: View) -> Outcome:
        """BACK: no."""
        return Outcome(self.under)

    on: ClassVar = {Key.OK: undo, Key.BACK: back, Key.DRAW: redo}

    def keys(self, view: View) -> tuple[Key, ...]:
        """DRAW only where something was taken back before."""
        return (Key.OK, Key.BACK, *((Key.DRAW,) if view.redo_label else ()))

    def draw(self, view: View, canvas: Canvas) -> None:
        """The screen below stays in sight."""
        self.under.draw(view, canvas)
        label, again = view.game.undo_label, view.redo_label
        asked = self._asked(view)
        if label and len(asked) > MOST_LINES:
            asked = question_lines(f"Take back {spoken(label)}?")
        answers = ["OK: yes   BACK: no" if label else "BACK: go on"]
        answers += [f"DRAW: {spoken(again)} again"] if again else []
        draw_question(canvas, " ".join(asked), *answers)


@dataclass(frozen=True, slots=True)
class OfferReturn(Screen):
    """The same after a draw: OK takes the entry back, DRAW lets the tile itself go back into the
    boneyard, since it was drawn by mistake. Its digits, if it was shown, come before DRAW."""

    under: Screen
    keyed: tuple[int, ...] = ()
    by: Seat | None = None

    digits: ClassVar = range(7)

    def stands_on(self, view: View) -> object:
        """What was entered last."""
        return view.journal

    def digit(self, _view: View, digit: int) -> Outcome:
        """A half of the tile that goes back."""
        return Outcome(replace(self, keyed=(*self.keyed, digit)[:2]))

    def undo(self, _view: View) -> Outcome:
        """OK: nothing was drawn."""
        return Outcome(None, Undo())

    def goes_back(self, view: View) -> Outcome:
        """DRAW: the tile was drawn by mistake, and noticed in time."""
        seat = drew_last(view)
        if seat is None or len(self.keyed) == 1:
            return Outcome(self)
        returned = Returned(seat, TILE_SET.tile(*self.keyed) if self.keyed else None)
        if isinstance(would_be(view, returned), RuleError):
            return Outcome(replace(self, keyed=()))
        return keep(returned)

    def back(self, _view: View) -> Outcome:
        """BACK: a digit, or no."""
        return Outcome(replace(self, keyed=self.keyed[:-1]) if self.keyed else self.under)

    on: ClassVar = {Key.OK: undo, Key.DRAW: goes_back, Key.BACK: back}

    def keys(self, _view: View) -> tuple[Key, ...]:
        """The answers first, then the digits."""
        return (Key.DRAW, Key.OK, Key.BACK, *(Key(str(digit)) for digit in self.digits))

    def draw(self, view: View, canvas: Canvas) -> None:
        """The screen below stays in sight."""
        self.under.draw(view, canvas)
        seat = shown(drew_last(view) or "")
        tile = "-".join([*map(str, self.keyed), "_"][:2]) if self.keyed else "the tile"
        answers = ("OK: undo draw   BACK: no", f"DRAW: {tile} goes back")
        draw_question(canvas, f"{seat} drew by mistake?", *answers)


def _counted(view: View) -> bool:
    """Whether the record was made as the chips lie: they stay so, whatever is taken back of it."""
    entry = next((entry for _, entry, _ in view.game.newest_first()), None)
    return isinstance(entry, Audited) or (isinstance(entry, Corrected) and entry.reason == COUNTED)


def undone(view: View) -> Outcome:
    """The last change is taken back, and the chips that go back by it are told."""
    if _counted(view):
        return Outcome(None, Undo())
    return then_move(view, view.game.fold(Undo()).state, Undo())


def drew_last(view: View) -> Seat | None:
    """The seat whose draw is the last entry and may still go back; else None."""
    entry = next((entry for _, entry, _ in view.game.newest_first()), None)
    if not isinstance(entry, Drew) or not allowed(view, Returned(entry.seat)):
        return None
    return entry.seat


def offer_undo(view: View, under: Screen) -> Outcome:
    """BACK without digits, on any screen of play."""
    return Outcome(OfferUndo(under) if drew_last(view) is None else OfferReturn(under))


def spoken(label: str) -> str:
    """The name of a change as a player says it."""
    begins = {"hand": "the deal", "chips": "the chip correction", "audit": "the count of chips"}
    if said := begins.get(label.split(maxsplit=1)[0]):
        return said
    seat, _, did = label.replace("_", " ").rpartition(" ")
    if seat and did in ("draw", "pass", "misdraw"):
        return f"{seat}'s {did}"
    return "the bogus call" if label.startswith("bogus ") else label.replace("_", " ")
