"""The rulings of the table that a row makes or takes back, and the seats that have to agree.

Nobody rules alone in their own favour, or in their partner's. A ruling that clears the accused
needs the consent of the caller; one that finds the accused bogus, that of the accused or of a seat
not involved. Taking a ruling back needs the same consent as making the opposite ruling.
"""

from collections import Counter
from typing import NamedTuple

from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seat
from companion.games.game import AnyState
from companion.games.penalties import HasCaller, Ruled
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
    def clears(self) -> bool:
        """Whether the change favours the accused."""
        return self.made != self.ruling.bogus

    def gaining(self, state: AnyState) -> frozenset[Seat]:
        """The seats that the change favours: partners gain together."""
        return frozenset(state.side_of(self.ruling.accused if self.clears else self.ruling.caller))

    def consenting(self, state: AnyState) -> frozenset[Seat]:
        """The seats that may agree to the change; one of them has to."""
        if self.clears:
            return frozenset({self.ruling.caller})
        return frozenset(state.seats) - self.gaining(state)


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
        after = journal.fold(row)
    except (RuleError, EntryError):
        return ()
    now, then = _rulings(journal), _rulings(after)
    return (
        *(ChangedRuling(ruling, made=True) for ruling in then - now),
        *(ChangedRuling(ruling, made=False) for ruling in now - then),
    )


def _rulings(journal: Journal[object]) -> Counter[TableRuling]:
    """The rulings of the table in a game, each as often as it was made."""
    found = Counter[TableRuling]()
    for entry, before in zip(journal.entries, (journal.start, *journal.states), strict=False):
        board = before.whole.board
        caller = board.caller if isinstance(board, HasCaller) else None
        if isinstance(entry, Ruled) and caller is not None:
            found[TableRuling(entry.accused, caller, entry.bogus)] += 1
    return found
