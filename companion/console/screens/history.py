"""The history of a game, with the newest entry first, and the payments of one seat, each explained.
Each entry leads to a list of possible changes (changes.py)."""

from dataclasses import replace
from itertools import islice
from typing import ClassVar

from companion.console.lists import ListScreen, Note, choose
from companion.console.screen import Basis, ChooseAction, Outcome, Screen, View, what_it_paid
from companion.console.screens.changes import AmendEntry, change
from companion.core.seats import Seat, display_name
from companion.core.values import dataclass
from companion.core.words import listed, phrase
from companion.games.game import B, Entry, Payment, State
from companion.record.rows import Amend, Rewind

PaidEntry = tuple[int, Entry, State[B], Payment]
"""The place of an entry, the entry, the state after it, and one of its payments."""


@dataclass(frozen=True, slots=True)
class History(ListScreen[B]):
    """Lists every entry, or the payments from which `seat` got its points. A digit shows the
    payments to the seat with that number; 0 shows all entries. Only the text of visible lines is
    computed."""

    seat: Seat | None = None
    found: tuple[PaidEntry[B], ...] = ()
    """The payments to `seat` or its partner, looked up when the seat was chosen."""

    digits: ClassVar = range(10)
    numbered: ClassVar = False
    basis: ClassVar = Basis.RECORD

    @classmethod
    def of(cls, view: View[B], seat: Seat | None, parent: Screen[B] | None) -> "History[B]":
        """Returns the history of all seats or of one, newest first."""
        found = tuple(
            (place, entry, state, payment)
            for place, entry, state in (view.game.newest_first() if seat else ())
            for payment in state.effect.payments
            if seat in state.side_of(payment.to)
        )
        return cls(seat=seat, found=found, parent=parent)

    def title(self, view: View[B]) -> str:
        if self.seat is None:
            return phrase("History, ? = doubtful") if view.game.losses else phrase("History")
        return phrase(
            "Why {seat} {scores}?",
            seat=display_name(self.seat),
            scores=view.state.scores[self.seat],
        )

    def count(self, view: View[B]) -> int:
        return view.game.length if self.seat is None else len(self.found)

    def window(self, view: View[B], first: int, rows: int) -> tuple[str, ...]:
        if self.seat is not None:
            seen = self.found[first : first + rows]
            return tuple(
                listed([_doubt_mark(view, place), view.play.explain_points(entry, state, paid)], "")
                for place, entry, state, paid in seen
            )
        entries = islice(view.game.newest_first(), first, first + rows)
        return tuple(
            listed([_doubt_mark(view, place), _entry_line(view, entry, state)], "")
            for place, entry, state in entries
        )

    def digit(self, view: View[B], digit: int) -> Outcome[B]:
        """Shows the payments to the seat with that number; 0 for all entries."""
        seats = view.state.seats.order
        if digit > len(seats):
            return Outcome(self)
        return Outcome(self.of(view, seats[digit - 1] if digit else None, self.parent))

    def current_hint(self, view: View[B]) -> str:
        """Returns the keys of this list. Digits choose a seat here, so an entry is chosen only by
        moving the bar."""
        return phrase("DRAW ↓ PASS ↑ OK 1-{number}: why?", number=len(view.state.seats))

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        if self.seat is not None:
            place, entry, state, _ = self.found[at]
        else:
            place, entry, state = next(islice(view.game.newest_first(), at, None))
        here = replace(self, at=at)
        return Outcome(
            choose(view.play.describe_entry(entry, state), _change_items(place, entry, here), here)
        )


def _doubt_mark(view: View[B], place: int) -> str:
    """Returns the mark of an entry that comes after lost entries; empty for any other."""
    return "? " if view.game.losses and place >= view.game.losses[0] else ""


def _entry_line(view: View[B], entry: Entry, state: State[B]) -> str:
    return listed(filter(None, [view.play.describe_entry(entry, state), what_it_paid(state)]), "  ")


def _change_items(
    place: int, entry: Entry, parent: Screen[B]
) -> tuple[tuple[str, ChooseAction[B]], ...]:
    """Returns the items for the possible changes of the entry at `place`."""

    def amending(insert: bool) -> ChooseAction[B]:
        return lambda view, _list: Outcome(
            AmendEntry(place, insert, AmendEntry.journal_before(view, place), parent)
        )

    def kept(row: Amend | Rewind) -> ChooseAction[B]:
        return lambda view, _list: Outcome(change(view, row, parent, None))

    always: tuple[tuple[str, ChooseAction[B]], ...] = (
        (phrase("Replace it"), amending(insert=False)),
        (phrase("Delete it"), kept(Amend(place, ()))),
        (phrase("Insert one before it"), amending(insert=True)),
        (phrase("Undo from here on"), kept(Rewind(place))),
    )
    if entry.named_seat is None or not entry.seat_may_be_wrong:
        return always
    return (*always, (phrase("It was another seat's"), _ask_whose_entry(place, entry, parent)))


def _ask_whose_entry(place: int, entry: Entry, parent: Screen[B]) -> ChooseAction[B]:
    """Prompts for the seat that made the entry. If turns of other seats come before that seat's,
    they were forgotten: a note says that they are keyed first."""

    def other(seat: Seat) -> ChooseAction[B]:
        def chosen(view: View[B], _list: Screen[B]) -> Outcome[B]:
            then = AmendEntry.journal_before(view, place)
            if entry.in_turn and then.state.to_move not in (None, seat):
                forgotten = _turns_between(then.state, seat)
                first = phrase("First key what {seats} did before it.", seats=listed(forgotten))
                return Outcome(Note(first, AmendEntry(place, True, then, parent, until=seat)))
            return Outcome(change(view, Amend(place, (entry.of(seat),)), parent, None))

        return chosen

    def asked(view: View[B], here: Screen[B]) -> Outcome[B]:
        seats = tuple(
            (display_name(s), other(s)) for s in view.state.seats if s != entry.named_seat
        )
        return Outcome(choose(phrase("Whose was it?"), seats, here))

    return asked


def _turns_between(state: State[B], seat: Seat) -> list[str]:
    """Returns the names of the seats whose turns come before that of `seat`."""
    found, comes = [], state.to_move
    while comes not in (None, seat):
        found.append(display_name(comes))
        comes = state.seats.left_of(comes)
    return found
