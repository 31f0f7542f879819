"""The history of a game: entries newest first; one seat's payments, each explained; and from any
entry on: replace it, delete it, put one in before it, or take back everything from there."""

from dataclasses import dataclass, replace
from itertools import islice
from typing import ClassVar

from companion.console.lists import Choose, ListScreen, choose
from companion.console.screen import Outcome, Screen
from companion.console.screens.amend import Amending, Confirm
from companion.console.view import View
from companion.console.words import in_words, shown, why_points
from companion.games.game import (
    AnyState,
    Entry,
    Payment,
)
from companion.record.rows import Amend, Rewind
from companion.seats import Seat

Found = tuple[int, Entry, AnyState, Payment]
"""The place of an entry, the entry, the state after it, and a payment that it made."""


@dataclass(frozen=True, slots=True)
class History(ListScreen):
    """Every entry, or what paid `seat` its points. A digit shows that seat's payments, 0 all
    entries. Only the lines that are seen are ever made."""

    seat: Seat | None = None
    found: tuple[Found, ...] = ()
    """The payments to `seat`, looked up when it was chosen."""
    parent: Screen | None = None

    digits: ClassVar = range(10)
    numbered: ClassVar = False

    @classmethod
    def of(cls, view: View, seat: Seat | None, parent: Screen | None) -> "History":
        """The history of everybody or of one seat, newest first."""
        found = tuple(
            (place, entry, state, payment)
            for place, entry, state in (view.game.newest_first() if seat else ())
            for payment in state.effect.payments
            if payment.to == seat
        )
        return cls(seat=seat, found=found, parent=parent)

    def title(self, view: View) -> str:
        if self.seat is None:
            return "History"
        return f"Why {shown(self.seat)} {view.state.scores[self.seat]}?"

    def count(self, view: View) -> int:
        return view.game.length if self.seat is None else len(self.found)

    def window(self, view: View, first: int, rows: int) -> tuple[str, ...]:
        if self.seat is not None:
            seen = self.found[first : first + rows]
            return tuple(why_points(entry, state, paid) for _, entry, state, paid in seen)
        entries = islice(view.game.newest_first(), first, first + rows)
        return tuple(_line(entry, state) for _, entry, state in entries)

    def digit(self, view: View, digit: int) -> Outcome:
        """The seat of that number; 0: everybody."""
        seats = view.state.seats.order
        if digit > len(seats):
            return Outcome(self)
        return Outcome(self.of(view, seats[digit - 1] if digit else None, self.parent))

    def hint_now(self, view: View) -> str:
        """A digit is a seat here, so the bar alone leads to an entry."""
        return f"DRAW ↓ PASS ↑ OK 1-{len(view.state.seats)}: why?"

    def chosen(self, view: View, at: int) -> Outcome:
        if self.seat is not None:
            place, entry, state, _ = self.found[at]
        else:
            place, entry, state = next(islice(view.game.newest_first(), at, None))
        here = replace(self, at=at)
        return Outcome(choose(in_words(entry, state), _changes(place, here), here))

    def back(self, _view: View) -> Outcome:
        return Outcome(self.parent)


def _line(entry: Entry, state: AnyState) -> str:
    """An entry with what it paid."""
    paid = sum(payment.points for payment in state.effect.payments)
    points = f"  +{paid}" if paid > 0 else f"  −{-paid}" if paid else ""
    return in_words(entry, state) + points


def _changes(place: int, parent: Screen) -> tuple[tuple[str, Choose], ...]:
    """What can be done at an entry."""

    def amending(insert: bool) -> Choose:
        return lambda view: Outcome(Amending(place, insert, Amending.before(view, place), parent))

    return (
        ("Replace it", amending(insert=False)),
        ("Delete it", lambda _view: Outcome(Confirm(Amend(place, ()), parent))),
        ("Put one in before it", amending(insert=True)),
        ("Take back all from here", lambda _view: Outcome(Confirm(Rewind(place), parent))),
    )
