"""The history of a game: entries newest first; one seat's payments, each explained; and what can be
done at an entry: replace it, delete it, put one in before it, or take back everything from there
on."""

from dataclasses import replace
from itertools import islice
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.lists import ListScreen, choose
from companion.console.screen import Choose, Outcome, Screen, View, screen_for
from companion.console.screens.confirm_change import Changing, change
from companion.console.screens.note import Note
from companion.console.words import what_it_paid
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import listed, phrase
from companion.games.entry import Entry, Payment
from companion.games.game import B, State
from companion.record.journal import Journal
from companion.record.rows import Amend, Rewind, Setting, Step, Undo

# ---------------------------------------------------------------- amend
# Changing an earlier entry: keyed on the screens of that moment.


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


# ---------------------------------------------------------------- history

PaidEntry = tuple[int, Entry, State[B], Payment]
"""The place of an entry, the entry, the state after it, and a payment that it made."""


@dataclass(frozen=True, slots=True)
class History(ListScreen[B]):
    """Lists every entry, or the payments that gave `seat` its points. A digit shows the payments to
    the seat of that number, 0 all entries. Only the lines that are seen are ever made."""

    seat: Seat | None = None
    found: tuple[PaidEntry[B], ...] = ()
    """The payments to `seat` or its partner, looked up when it was chosen."""
    parent: Screen[B] | None = None

    digits: ClassVar = range(10)
    numbered: ClassVar = False

    @classmethod
    def of(cls, view: View[B], seat: Seat | None, parent: Screen[B] | None) -> "History[B]":
        """The history of everybody or of one seat, newest first."""
        found = tuple(
            (place, entry, state, payment)
            for place, entry, state in (view.game.newest_first() if seat else ())
            for payment in state.effect.payments
            if seat in state.side_of(payment.to)
        )
        return cls(seat=seat, found=found, parent=parent)

    def stands_on(self, view: View[B]) -> object:
        """Every entry: the list goes by their places, so any row of the game closes it."""
        return view.journal

    def title(self, view: View[B]) -> str:
        if self.seat is None:
            return phrase("History, ? = doubtful") if view.game.losses else phrase("History")
        return phrase(
            "Why {seat} {scores}?", seat=shown(self.seat), scores=view.state.scores[self.seat]
        )

    def count(self, view: View[B]) -> int:
        return view.game.length if self.seat is None else len(self.found)

    def window(self, view: View[B], first: int, rows: int) -> tuple[str, ...]:
        if self.seat is not None:
            seen = self.found[first : first + rows]
            return tuple(
                listed([_doubt(view, place), view.play.why_points(entry, state, paid)], "")
                for place, entry, state, paid in seen
            )
        entries = islice(view.game.newest_first(), first, first + rows)
        return tuple(
            listed([_doubt(view, place), _line(view, entry, state)], "")
            for place, entry, state in entries
        )

    def digit(self, view: View[B], digit: int) -> Outcome[B]:
        """Shows the payments to the seat of that number; 0: all entries."""
        seats = view.state.seats.order
        if digit > len(seats):
            return Outcome(self)
        return Outcome(self.of(view, seats[digit - 1] if digit else None, self.parent))

    def hint_now(self, view: View[B]) -> str:
        """The keys of this list. Digits choose a seat here, so an entry is chosen only by moving
        the bar."""
        return phrase("DRAW ↓ PASS ↑ OK 1-{number}: why?", number=len(view.state.seats))

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        if self.seat is not None:
            place, entry, state, _ = self.found[at]
        else:
            place, entry, state = next(islice(view.game.newest_first(), at, None))
        here = replace(self, at=at)
        return Outcome(choose(view.play.in_words(entry, state), _changes(place, entry, here), here))

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.parent)


def _doubt(view: View[B], place: int) -> str:
    """The mark of an entry that came after lost ones."""
    return "? " if view.game.losses and place >= view.game.losses[0] else ""


def _line(view: View[B], entry: Entry, state: State[B]) -> str:
    """An entry with what it paid."""
    return listed(filter(None, [view.play.in_words(entry, state), what_it_paid(state)]), "  ")


def _changes(place: int, entry: Entry, parent: Screen[B]) -> tuple[tuple[str, Choose[B]], ...]:
    """The items for what can be done at the entry at `place`."""

    def amending(insert: bool) -> Choose[B]:
        return lambda view, _list: Outcome(
            Amending(place, insert, Amending.before(view, place), parent)
        )

    def kept(row: Amend | Rewind) -> Choose[B]:
        return lambda view, _list: Outcome(change(view, row, parent, None))

    always: tuple[tuple[str, Choose[B]], ...] = (
        (phrase("Replace it"), amending(insert=False)),
        (phrase("Delete it"), kept(Amend(place, ()))),
        (phrase("Insert one before it"), amending(insert=True)),
        (phrase("Take back from here on"), kept(Rewind(place))),
    )
    if entry.said_by is None or not entry.may_be_anothers:
        return always
    return (*always, (phrase("It was another seat's"), _whose(place, entry, parent)))


def _whose(place: int, entry: Entry, parent: Screen[B]) -> Choose[B]:
    """Asks which seat made the entry. If other seats' turns come before that seat's, they were
    forgotten: a note says that they are keyed first."""

    def other(seat: Seat) -> Choose[B]:
        def chosen(view: View[B], _list: Screen[B]) -> Outcome[B]:
            then = Amending.before(view, place)
            if entry.in_turn and then.state.to_move not in (None, seat):
                forgotten = _turns_between(then.state, seat)
                first = phrase("First key what {seats} did before it.", seats=listed(forgotten))
                return Outcome(Note(first, Amending(place, True, then, parent, until=seat)))
            return Outcome(change(view, Amend(place, (entry.of(seat),)), parent, None))

        return chosen

    def asked(view: View[B], here: Screen[B]) -> Outcome[B]:
        seats = tuple((shown(s), other(s)) for s in view.state.seats if s != entry.said_by)
        return Outcome(choose(phrase("Whose was it?"), seats, here))

    return asked


def _turns_between(state: State[B], seat: Seat) -> list[str]:
    """The seats whose turns come before that of `seat`, each by its name."""
    found, comes = [], state.to_move
    while comes not in (None, seat):
        found.append(shown(comes))
        comes = state.seats.left_of(comes)
    return found
