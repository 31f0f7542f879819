"""Taking back the last change, by name; and redoing what was taken back."""

from typing import ClassVar

from companion.console.frame import Canvas, draw_question, question_lines
from companion.console.screen import Actions, Outcome, Screen, View
from companion.console.screens.chips_to_move import chips_to_move, then_move
from companion.console.screens.setup_game import set_up_again
from companion.core.keys import Key, Press
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import listed, phrase
from companion.games.game import B
from companion.presentation.payments import as_counted
from companion.record.journal import THIS_GAME
from companion.record.rows import Redo, Undo

MOST_LINES = 3
"""The most lines of a question: more would hide the screen below."""


@dataclass(frozen=True, slots=True)
class OfferUndo(Screen[B]):
    """Asks, over the screen `under` it, whether to take back the last change. DRAW instead redoes
    what was taken back before. `by`: the seat whose keypad asked; None: the box. `redoes`: it asks
    whether to do again what was taken back, which OK does."""

    under: Screen[B]
    by: Seat | None = None
    redoes: bool = False

    takes_back: ClassVar = True
    owned: ClassVar = True

    def taker(self, view: View[B], press: Press, key: Key) -> Screen[B]:
        """The screen that takes this key: this question if the key answers it, else the screen
        below. The seat that asked, and the box, may answer with every key of the question. Another
        seat may only press BACK, since its DRAW or OK is meant for the game."""
        if press.seat not in (None, self.by):
            return self if key is Key.BACK else self.under
        return self if key is Key.DRAW or key in self.keys(view) else self.under

    def stands_on(self, view: View[B]) -> object:
        """The game as it is: any row of it closes the question."""
        return view.journal

    def undo(self, view: View[B]) -> Outcome[B]:
        """OK: takes the last change back, and shows which chips go back if the question has no room
        for it. If that change is the game itself, leads to its set-up."""
        if self.redoes:
            return self.redo(view)
        if view.game.would_undo is None:
            return Outcome(self)
        if view.game.would_undo == THIS_GAME and view.game.opened.after is None:
            return Outcome(set_up_again(view.game.opened), Undo())
        return Outcome(None, Undo()) if len(self._asked(view)) <= MOST_LINES else undone(view)

    def redo(self, view: View[B]) -> Outcome[B]:
        """DRAW: redoes what was taken back before. If nothing was, DRAW draws no tile either:
        pressed on this question, it is not meant for the boneyard."""
        if view.would_redo is None:
            return Outcome(self, refused=phrase("Nothing was taken back: nothing to do again."))
        return done_again(view)

    def _asked(self, view: View[B]) -> tuple[str, ...]:
        """The lines of the question, and of which chips would go back."""
        what = view.game.would_undo
        if what is None:
            return (phrase("Nothing to take back"),)
        moves = () if as_counted(view.game) else chips_to_move(view, view.game.fold(Undo()).state)
        return question_lines(
            listed(
                [phrase("Take back {spoken}?", spoken=view.play.spoken(view, what)), *moves], " "
            ),
            view.language,
        )

    def back(self, _view: View[B]) -> Outcome[B]:
        """BACK: no."""
        return Outcome(self.under)

    def on(self) -> Actions[B]:
        return {Key.OK: self.undo, Key.BACK: self.back, Key.DRAW: self.redo}

    def keys(self, view: View[B]) -> tuple[Key, ...]:
        """OK, BACK, and DRAW if something was taken back before."""
        return (Key.OK, Key.BACK, *((Key.DRAW,) if view.would_redo else ()))

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """The screen below, and the question over its lowest lines."""
        self.under.draw(view, canvas)
        if self.redoes and view.would_redo:
            said = phrase("Redo {spoken}", spoken=view.play.spoken(view, view.would_redo))
            draw_question(canvas, f"{said}?", phrase("OK: yes   BACK: no"))
            return
        what, again = view.game.would_undo, view.would_redo
        asked = self._asked(view)
        if what and len(asked) > MOST_LINES:
            asked = question_lines(
                phrase("Take back {spoken}?", spoken=view.play.spoken(view, what)), view.language
            )
        answers = [phrase("OK: yes   BACK: no") if what else phrase("BACK: go on")]
        answers += (
            [phrase("DRAW: {spoken} again", spoken=view.play.spoken(view, again))] if again else []
        )
        draw_question(canvas, " ".join(asked), *answers)


def undone(view: View[B]) -> Outcome[B]:
    """Takes the last change back, and shows which chips go back; none do if the change brought the
    record in line with counted chips."""
    if as_counted(view.game):
        return Outcome(None, Undo())
    return then_move(view, view.game.fold(Undo()).state, Undo())


def done_again(view: View[B]) -> Outcome[B]:
    """Redoes what was taken back, and shows which chips go over."""
    again = view.game.fold(Redo()) if view.game.would_redo else None
    if again is None or again.length == view.game.length + 1:
        return Outcome(None, Redo())  # an entry says itself what it pays
    return then_move(view, again.state, Redo())


def offer_undo(view: View[B], under: Screen[B]) -> Outcome[B]:
    """What BACK without digits does on any screen of play: it asks whether to take back the last
    entry, or what the game asks instead (Play.before_undo)."""
    return Outcome(view.play.before_undo(view, under) or OfferUndo(under))
