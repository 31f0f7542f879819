"""Changing an earlier entry: keyed on the screens of that moment."""

from dataclasses import replace

from companion.console.frame import WIDTH, Canvas
from companion.console.screen import Outcome, Screen, View, screen_for
from companion.console.screens.confirm_change import Changing, change
from companion.core.keys import Key
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.entry import Entry
from companion.games.game import B
from companion.record.journal import Journal
from companion.record.rows import Amend, Rewind, Setting, Step, Undo


@dataclass(frozen=True, slots=True)
class Amending(Changing[B]):
    """The table as it was before the entry at `place`. What is keyed there replaces that entry or,
    with `insert`, is put in before it. `then`: the game at that moment; `inner`: the screen that
    shows it (None: the state at that moment decides); `by`: the seat whose keypad opened it (None:
    the box).

    `until`: the seat whose entry it was. The forgotten turns of the seats before it are keyed
    first, until it is that seat's turn; `entries`: those keyed so far.
    """

    place: int
    insert: bool
    then: Journal[B]
    parent: Screen[B] | None
    inner: Screen[B] | None = None
    by: Seat | None = None
    until: Seat | None = None
    entries: tuple[Entry, ...] = ()

    @classmethod
    def before(cls, view: View[B], place: int) -> Journal[B]:
        """The game as it stood before the entry at `place`."""
        return view.game.fold(Rewind(place))

    def _then(self, view: View[B]) -> View[B]:
        return replace(view, journal=self.then)

    def _screen(self, view: View[B]) -> Screen[B]:
        then = self._then(view)
        return self.inner or screen_for(then)

    @property
    def first(self) -> int:
        return self.place

    @property
    def pending(self) -> bool:
        """Whether digits are keyed on the inner screen that no OK has closed."""
        return self.inner is not None and self.inner.pending

    def keys(self, view: View[B]) -> tuple[Key, ...]:
        """The keys that the inner screen takes, except for the menu and a call."""
        screen = self._screen(view)
        none = (Key.MENU,) if screen.takes_bogus else (Key.MENU, Key.BOGUS)
        return tuple(key for key in screen.keys(self._then(view)) if key not in none)

    def five_way(self, view: View[B]) -> frozenset[Key]:
        """The joystick's keys that the inner screen takes itself."""
        return self._screen(view).five_way(self._then(view))

    def repeats(self, view: View[B]) -> frozenset[Key]:
        """The keys that go on acting on the inner screen while they are down."""
        return self._screen(view).repeats(self._then(view))

    def press(self, view: View[B], key: Key) -> Outcome[B]:
        """Gives the key to the inner screen; what that would keep becomes the change."""
        screen = self._screen(view)
        outcome = screen.press(self._then(view), key)
        asks_back = outcome.screen is not None and outcome.screen.takes_back
        if asks_back and self.entries:
            then = self.then.fold(Undo())
            return Outcome(replace(self, then=then, entries=self.entries[:-1], inner=None))
        if asks_back or key is Key.MENU:
            return Outcome(self.parent)
        if isinstance(outcome.row, Step):
            return Outcome(self._keyed(view, outcome.row))
        row = outcome.row if isinstance(outcome.row, Setting) else None
        return Outcome(replace(self, inner=outcome.screen), row)

    def _keyed(self, view: View[B], step: Step) -> Screen[B]:
        """The screen for the next seat whose turn was forgotten; after the last one, the screen
        that asks for the change."""
        entries = (*self.entries, *step.entries)
        if self.until is not None:
            then = self.then.fold(step)
            if then.state.to_move not in (None, self.until):
                return replace(self, then=then, entries=entries, inner=None)
        return change(view, Amend(self.place, entries, self.insert), self, self.by)

    def held(self, view: View[B], key: Key) -> Outcome[B]:
        """OK held insists on the inner screen as well."""
        outcome = self._screen(view).held(self._then(view), key)
        if isinstance(outcome.row, Step):
            return Outcome(self._keyed(view, outcome.row))
        return Outcome(replace(self, inner=outcome.screen))

    def _about(self, view: View[B]) -> str:
        """The entry that is replaced or gets another before it, in words: the inner screen shows
        only the entry before it."""
        entries = view.game.newest_first()
        entry, after = next((entry, after) for at, entry, after in entries if at == self.place)
        entry = entry.of(self.until) if self.until else entry
        words = view.play.in_words(entry, after)
        if self.insert:
            return phrase("BEFORE {entry}", entry=words)
        return phrase("INSTEAD OF {entry}", entry=words)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """The inner screen; at the bottom, which entry is replaced or gets another before it."""
        screen = self._screen(view)
        screen.draw(self._then(view), canvas)
        if screen.explains:
            return  # a refusal says there what to do now
        canvas.fill(0, 56, WIDTH, 8, on=False)
        canvas.text(2, 56, self._about(view), room=WIDTH - 4)
        canvas.invert(0, 7, WIDTH)
