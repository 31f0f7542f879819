"""The history of a game: entries newest first; one seat's payments, each explained; and from any
entry on: replace it, delete it, put one in before it, or take back everything from there."""

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.console.lists import Choose, ListScreen, choose
from companion.console.screen import Outcome, Screen
from companion.console.screens.amend import Amending, Confirm
from companion.console.view import View
from companion.console.words import by_name, shown, why_points
from companion.games.game import AnyState, Entry
from companion.keys import Key
from companion.record.rows import Amend, Rewind
from companion.seats import Seat


@dataclass(frozen=True, slots=True)
class History(ListScreen):
    """Every entry, or what paid `seat` its points. A digit shows that seat's payments, 0 all
    entries; MENU goes from one to the next."""

    seat: Seat | None = None
    parent: Screen | None = None

    digits: ClassVar = range(10)
    numbered: ClassVar = False

    def title(self, view: View) -> str:
        if self.seat is None:
            return "History"
        return f"Why {shown(self.seat)} {view.state.scores[self.seat]}?"

    def lines(self, view: View) -> tuple[str, ...]:
        return tuple(line for _, line in self._rows(view))

    def _rows(self, view: View) -> list[tuple[int, str]]:
        """(place of the entry, line), newest first."""
        rows = []
        for place, entry, state in view.game.newest_first():
            if self.seat is None:
                rows.append((place, _line(entry, state)))
            else:
                paid = (payment for payment in state.effect.payments if payment.to == self.seat)
                rows += [(place, why_points(entry, state, payment)) for payment in paid]
        return rows

    def digit(self, view: View, digit: int) -> Outcome:
        """The seat of that number; 0: everybody."""
        seats = view.state.seats.order
        if digit > len(seats):
            return Outcome(self)
        return Outcome(replace(self, at=0, seat=seats[digit - 1] if digit else None))

    def next_seat(self, view: View) -> Outcome:
        """MENU: everybody, then each seat."""
        order = (None, *view.state.seats)
        seat = order[(order.index(self.seat) + 1) % len(order)]
        return Outcome(replace(self, at=0, seat=seat))

    on: ClassVar = {**ListScreen.on, Key.MENU: next_seat}

    def hint_now(self, view: View) -> str:
        """A digit is a seat here, so the bar alone leads to an entry."""
        return f"PASS ↓ DRAW ↑ OK  1-{len(view.state.seats)} why?"

    def chosen(self, view: View, at: int) -> Outcome:
        place = self._rows(view)[at][0]
        entry = view.game.entries[place]
        here = replace(self, at=at)
        return Outcome(choose(by_name(entry), _changes(place, here), here))

    def back(self, _view: View) -> Outcome:
        return Outcome(self.parent)


def _line(entry: Entry, state: AnyState) -> str:
    """An entry with what it paid."""
    paid = sum(payment.points for payment in state.effect.payments)
    return by_name(entry) + (f"  +{paid}" if paid > 0 else f"  −{-paid}" if paid else "")


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
