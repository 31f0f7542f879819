"""BACK after a draw has three meanings: nothing was drawn; the drawn tile goes back into the
boneyard; or what was taken back before was right after all."""

from dataclasses import replace
from typing import ClassVar

from companion.console.frame import Canvas, draw_question
from companion.console.screen import Actions, Outcome, Screen, View, allowed, keep, would_be
from companion.console.screens.undo import done_again
from companion.core.errors import RuleError
from companion.core.keys import Key, Press
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.entry import Drew
from companion.games.line.hand import LineBoard
from companion.games.line.line import TILE_SET
from companion.games.penalties import Returned
from companion.record.rows import Undo


@dataclass(frozen=True, slots=True)
class OfferReturn(Screen[LineBoard]):
    """What BACK asks after a draw, over the screen `under` on which it was pressed. OK takes the
    entry back. The two halves of the tile, then DRAW: the tile was drawn by mistake and goes back
    into the boneyard, after it was shown (games/high_five.py, 19). DRAW alone redoes what was taken
    back, as in every question that BACK asks. `by`: the seat whose keypad asked; None: the box."""

    under: Screen[LineBoard]
    keyed: tuple[int, ...] = ()
    by: Seat | None = None

    digits: ClassVar = range(7)
    takes_back: ClassVar = True
    owned: ClassVar = True

    @property
    def pending(self) -> bool:
        """Whether a half of the tile that goes back is keyed."""
        return bool(self.keyed)

    def taker(self, _view: View[LineBoard], press: Press, key: Key) -> Screen[LineBoard]:
        """The screen that takes a press: this one, or the screen below. From another seat's keypad
        this one takes only BACK, since DRAW or OK of that seat is meant for the game."""
        mine = press.seat in (None, self.by) or key is Key.BACK
        return self if mine else self.under

    def stands_on(self, view: View[LineBoard]) -> object:
        """The journal: any new row from elsewhere closes this question."""
        return view.journal

    def digit(self, _view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        """Keys a half of the tile that goes back."""
        return Outcome(replace(self, keyed=(*self.keyed, digit)[:2]))

    def undo(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        """OK: nothing was drawn. Takes the entry back."""
        return Outcome(None, Undo())

    def goes_back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """DRAW after two halves: the tile was drawn by mistake, and goes back. DRAW alone redoes
        what was taken back, or says what to key; so a player who only means to correct a mistake
        returns no tile."""
        if not self.keyed and view.would_redo is not None:
            return done_again(view)
        seat = drew_last(view)
        if not self.keyed:
            return Outcome(self, refused=phrase("Which tile goes back? Its halves, then DRAW."))
        if seat is None or len(self.keyed) < 2:
            return Outcome(self)
        returned = Returned(seat, TILE_SET.tile(*self.keyed))
        if isinstance(would_be(view, returned), RuleError):
            return Outcome(replace(self, keyed=()))
        return keep(returned)

    def back(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK deletes a digit; without digits it means no."""
        return Outcome(replace(self, keyed=self.keyed[:-1]) if self.keyed else self.under)

    def on(self) -> Actions[LineBoard]:
        return {Key.OK: self.undo, Key.DRAW: self.goes_back, Key.BACK: self.back}

    def keys(self, _view: View[LineBoard]) -> tuple[Key, ...]:
        """The answers first, then the digits."""
        return (Key.DRAW, Key.OK, Key.BACK, *(Key(str(digit)) for digit in self.digits))

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """Draws the screen below, and the question over its lowest lines."""
        self.under.draw(view, canvas)
        seat = shown(drew_last(view) or "")
        question = phrase("{seat} drew by mistake?", seat=seat)
        draw_question(canvas, question, phrase("OK: undo draw   BACK: no"), *self._drawing(view))

    def _drawing(self, view: View[LineBoard]) -> tuple[str, ...]:
        """What DRAW does now: one line for each of its meanings."""
        if self.keyed:
            tile = "-".join([*map(str, self.keyed), "_"][:2])
            if len(self.keyed) < 2:
                return (phrase("Digits: {tile} goes back", tile=tile),)
            return (phrase("DRAW: {tile} goes back", tile=tile),)
        goes_back, again = phrase("Its halves, DRAW: goes back"), view.would_redo
        if again is None:
            return (goes_back,)
        return (goes_back, phrase("DRAW: {spoken} again", spoken=view.play.spoken(view, again)))


def drew_last(view: View[LineBoard]) -> Seat | None:
    """The seat whose draw is the last entry and may still go back; else None."""
    entry = view.game.last
    if not isinstance(entry, Drew) or not allowed(view, Returned(entry.seat)):
        return None
    return entry.seat
