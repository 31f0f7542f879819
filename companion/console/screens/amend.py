"""Changing an earlier entry: keyed on the screens of that moment, looked at before it is kept."""

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.glyphs import fitted, wrapped
from companion.console.layout import draw_refusal
from companion.console.lists import draw_title
from companion.console.screen import Outcome, Screen
from companion.console.screens.undo import OfferReturn, OfferUndo
from companion.console.view import View
from companion.console.words import in_words, scores_line
from companion.errors import EntryError, RuleError
from companion.keys import Key
from companion.record.journal import Amended, Journal
from companion.record.rows import Amend, Rewind, Setting, Step
from companion.seats import Seat


@dataclass(frozen=True, slots=True)
class Amending(Screen):
    """The table as it was before the entry at `place`: what is keyed there replaces that entry, or
    is put in before it. `inner` is the screen of then (None: the state of then decides); `by`: the
    seat whose keypad opened it (None: the box)."""

    place: int
    insert: bool
    then: Journal
    parent: Screen | None
    inner: Screen | None = None
    by: Seat | None = None

    @classmethod
    def before(cls, view: View, place: int) -> Journal:
        """The game as it stood before that entry."""
        return view.game.fold(Rewind(place))

    def _then(self, view: View) -> View:
        return replace(view, journal=self.then)

    def _screen(self, view: View) -> Screen:
        from companion.console.screens.registry import screen_for

        return self.inner or screen_for(self._then(view))

    @property
    def takes(self) -> frozenset[Key]:
        """Nothing: the five-way keys are translated by the screen inside."""
        return frozenset()

    def keys(self, view: View) -> tuple[Key, ...]:
        """What the screen of then takes, but the menu and a call."""
        keys = self._screen(view).keys(self._then(view))
        return tuple(key for key in keys if key not in (Key.MENU, Key.BOGUS))

    def five_way(self, view: View) -> frozenset[Key]:
        """Those that the screen inside takes itself."""
        return frozenset(self._screen(view).on)

    def repeats(self, view: View) -> frozenset[Key]:
        """Those that do so on the screen inside."""
        return self._screen(view).repeats(self._then(view))

    def press(self, view: View, key: Key) -> Outcome:
        """The screen of then takes the key; what it would keep becomes the change."""
        screen = self._screen(view)
        outcome = screen.press(self._then(view), key)
        if isinstance(outcome.screen, OfferUndo | OfferReturn) or key is Key.MENU:
            return Outcome(self.parent)
        if isinstance(outcome.row, Step):
            return Outcome(self._confirm(outcome.row))
        row = outcome.row if isinstance(outcome.row, Setting) else None
        return Outcome(replace(self, inner=outcome.screen), row)

    def _confirm(self, row: Step) -> Screen:
        return Confirm(Amend(self.place, row.entries, self.insert), self, self.by)

    def held(self, view: View, key: Key) -> Outcome:
        """OK held insists there as well."""
        outcome = self._screen(view).held(self._then(view), key)
        if isinstance(outcome.row, Step):
            return Outcome(self._confirm(outcome.row))
        return Outcome(replace(self, inner=outcome.screen))

    def _about(self, view: View) -> str:
        """Which entry this is about: the screen of then shows the entry before it."""
        entries = view.game.newest_first()
        entry, after = next((entry, after) for at, entry, after in entries if at == self.place)
        return f"{'BEFORE' if self.insert else 'INSTEAD OF'} {in_words(entry, after)}"

    def draw(self, view: View, canvas: Canvas) -> None:
        """The screen of then; at the bottom, what this is about."""
        screen = self._screen(view)
        screen.draw(self._then(view), canvas)
        if getattr(screen, "why_not", None):
            return  # a refusal says there what to do now
        canvas.fill(0, 56, WIDTH, 8, on=False)
        canvas.text(2, 56, fitted(self._about(view), WIDTH - 4))
        canvas.invert(0, 7, WIDTH)


@dataclass(frozen=True, slots=True)
class Confirm(Screen):
    """What a change would make of the game: the totals, and what would no longer hold. OK: so.
    `by`: the seat whose keypad asked for it (None: the box)."""

    row: Amend | Rewind
    parent: Screen | None
    by: Seat | None = None

    def _amended(self, view: View) -> Amended | str:
        try:
            return view.game.amended(self.row)
        except (RuleError, EntryError) as refused:
            return str(refused)

    def accept(self, view: View) -> Outcome:
        """OK: it is kept."""
        if isinstance(self._amended(view), str):
            return Outcome(self.parent)
        return Outcome(None, self.row)

    def back(self, _view: View) -> Outcome:
        """BACK: not so."""
        return Outcome(self.parent)

    on: ClassVar = {Key.OK: accept, Key.BACK: back}

    def draw(self, view: View, canvas: Canvas) -> None:
        """Before and after."""
        draw_title(canvas, "Change it so?")
        amended = self._amended(view)
        if isinstance(amended, str):
            draw_refusal(canvas, amended, "BACK: key it again")
            return
        canvas.text(0, 8, "was", "small")
        canvas.text(22, 8, scores_line(view.state, WIDTH - 22))
        canvas.text(0, 16, "new", "small")
        canvas.text(22, 16, scores_line(amended.journal.state, WIDTH - 22))
        for row, line in enumerate(wrapped(_consequence(view, amended), WIDTH)[:4]):
            canvas.text(0, 24 + 8 * row, line)
        canvas.text(2, 56, "OK: change it   BACK: no")
        canvas.invert(0, 7, WIDTH)


def _consequence(view: View, amended: Amended) -> str:
    """What goes with it, in words."""
    if amended.journal.state.winner != view.state.winner:
        winner = amended.journal.state.winner
        won = f"{winner} wins then. " if winner else "Nobody has won then. "
    else:
        won = ""
    if amended.broken is None:
        gone = (
            f"{amended.dropped} entries are taken back." if amended.dropped else "All else holds."
        )
        return won + gone
    place, entry, why = amended.broken
    after = next(state for at, _, state in view.game.newest_first() if at == place)
    gone = "goes" if amended.dropped == 1 else f"{amended.dropped} entries go"
    return f"{won}{in_words(entry, after)} no longer holds and {gone}: {why}"
