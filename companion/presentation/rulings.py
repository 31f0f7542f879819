"""The rulings of the table that a row makes or takes back, and the seats that have to agree.

Nobody rules alone in their own favour. A ruling that clears the accused needs the consent of the
caller; one that finds the accused bogus, that of the accused or of a seat not involved. Taking a
ruling back needs the same consent as making the opposite ruling.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seat, Seats
from companion.games.entry import Entry
from companion.games.penalties import Called, Ruled
from companion.record.journal import Journal
from companion.record.rows import Amend, Redo, Rewind, Row, Step, Undo


class TableRuling(NamedTuple):
    """A ruling of the table on the call of `caller`."""

    accused: Seat
    caller: Seat
    bogus: bool


class ChangedRuling(NamedTuple):
    """A ruling that is made, or taken back (`made` False)."""

    ruling: TableRuling
    made: bool

    @property
    def gains(self) -> Seat:
        """The seat that the change favours."""
        clears = self.made != self.ruling.bogus
        return self.ruling.accused if clears else self.ruling.caller

    def consenting(self, seats: Seats) -> frozenset[Seat]:
        """The seats that may agree to the change; one of them has to."""
        if self.gains == self.ruling.accused:
            return frozenset({self.ruling.caller})
        return frozenset(seats) - {self.ruling.caller}


def changed_rulings(journal: Journal[object] | None, row: Row) -> tuple[ChangedRuling, ...]:
    """The rulings of the table that a row makes or takes back; none if there is no game, or the
    rules refuse the row."""
    if journal is None:
        return ()
    if isinstance(row, Step):
        if not any(isinstance(entry, Ruled) for entry in row.entries):
            return ()
    elif not isinstance(row, Undo | Redo | Amend | Rewind):
        return ()
    try:
        after = journal.fold(row).entries
    except (RuleError, EntryError):
        return ()
    seats = journal.opened.seats
    now, then = _rulings(journal.entries, seats), _rulings(after, seats)
    return (
        *(ChangedRuling(ruling, made=True) for ruling in then - now),
        *(ChangedRuling(ruling, made=False) for ruling in now - then),
    )


def _rulings(entries: Iterable[Entry], seats: Seats) -> Counter[TableRuling]:
    callers: dict[Seat, Seat] = {}
    found = Counter[TableRuling]()
    for entry in entries:
        if isinstance(entry, Called):
            callers[entry.accused] = entry.by or seats.payee_of(entry.accused)
        elif isinstance(entry, Ruled):
            caller = callers.get(entry.accused, seats.payee_of(entry.accused))
            found[TableRuling(entry.accused, caller, entry.bogus)] += 1
    return found
