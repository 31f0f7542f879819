"""The state of the table and its record: every row goes through here, whoever made it.

Sometimes two at the table hear “I draw” and both enter it: one taps, one presses, or Anna on her
keypad and Granny on the box, for her. An entry that names a tile is refused the second time. A draw
or a pass could be another one, so the second surface is asked whether it is.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.core.clock import Clock
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.games.entry import Entry
from companion.games.game import AnyGame
from companion.record.copies.stick import Offer
from companion.record.journal import Journal
from companion.record.rows import Kept, Row, Step
from companion.record.store.faults import DamagedError, StoreError
from companion.record.store.store import Store
from companion.table.session import BOX, TableSession

WITHIN_S = 2.0
"""Seconds within which another surface is asked about the same entry."""


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest row of a game, and when it was kept (monotonic seconds)."""

    kept: Kept
    at_s: float


class TableState:
    """The session over a record. A row is folded in memory (is it allowed?), kept on the disk, and
    only then counts.

    `clock` gives monotonic seconds. `left` is called when the game on the table is no longer as it
    was, so that a screen about it must be left. `mended` is called after a record was put together
    again, while something else may have been shown, with the reason if that failed (else None).
    """

    def __init__(
        self,
        store: Store,
        catalog: Mapping[str, AnyGame],
        clock: Clock,
        *,
        left: Callable[[], None],
        mended: Callable[[str | None], None],
    ) -> None:
        self.store, self._catalog, self._clock = store, catalog, clock
        self._left, self._mended = left, mended
        self.session = TableSession.resumed(store)
        self._newest: Newest | None = None
        """The newest row of a game that was kept since the start."""
        self._messages_shown = 0
        self.message: str | None = None
        """A message of the record, until the next key."""
        self.next_message()

    def keep(
        self,
        row: Row,
        source: str | None,
        keyed_by: Seat | None = None,
        agreed_by: tuple[Seat, ...] | None = None,
    ) -> Kept:
        """Keeps a row and goes on from it. If it raises EntryError, RuleError, StoreError or Seen,
        nothing has changed."""
        number, session = self._after(row)
        kept = self.store.keep(number, row, source, keyed_by, agreed_by)
        self.session = session.with_row(kept, self.session)
        if number != BOX:
            self._newest = Newest(kept, self._clock())
        self._next_message_if_any()
        return kept

    def _after(self, row: Row) -> tuple[int, TableSession]:
        """The number of the game that the row belongs to, and the session after it."""
        try:
            return self.session.after(row, self.store, self._catalog)
        except DamagedError:
            self.mend()
            return self.session.after(row, self.store, self._catalog)

    def repeated_row(self, row: Row, surface: str | None, own: Seat | None) -> Kept | None:
        """The row that `row` may only repeat; None if it repeats none."""
        return may_be_the_same(row, surface, own, self._newest, self._clock())

    def take_over(self, offer: Offer) -> None:
        """Makes a stick's games the record, which has none. Raises StoreError."""
        try:
            self.store.take_over(offer)
        finally:
            self.session, self._newest = TableSession.resumed(self.store), None
        self.next_message()

    def mend(self) -> None:
        """Puts a damaged record together again, and goes on from there."""
        trouble = None
        try:
            self.store.mend()
            self.read_anew()
        except StoreError as error:
            trouble = error.why
        self._next_message_if_any()
        self._mended(trouble)

    def read_anew(self) -> None:
        """Reads the session again from the record, which has rows that are not known here."""
        before, due = self.session.journal, self.session.due
        self.session = TableSession.resumed(self.store)
        now = self.session.journal
        if _people_and_entries(before) != _people_and_entries(now):
            self._left()
        else:
            self.session = replace(self.session, due=due)

    def chips_moved(self, row: int | None = None) -> None:
        """Notes that the chips which were due are moved. `row`: the row since which they were due
        as the surface saw it; if they are due since another row by now, nothing changes."""
        due = self.session.due
        if due is not None and row in (None, due.row):
            self.session = replace(self.session, due=None)

    def seat_taken(self, seat: Seat) -> None:
        """Notes that another phone has a seat now, which is news until the next row."""
        self.session = replace(self.session, taken_over=seat)

    def next_message(self) -> None:
        """Takes the next message of the record, if there is one."""
        waiting = self.store.messages[self._messages_shown :]
        self._messages_shown += bool(waiting)
        self.message = waiting[0] if waiting else None

    def _next_message_if_any(self) -> None:
        """Takes the next message of the record; if there is none, the one that is shown stays."""
        before = self.message
        self.next_message()
        self.message = self.message or before


def _people_and_entries(journal: Journal[object] | None) -> object:
    return journal and (journal.opened.seats, journal.entries)


def may_be_the_same(
    row: Row, surface: str | None, own: Seat | None, newest: Newest | None, now_s: float
) -> Kept | None:
    """The row that `row` may only repeat; None: `row` is meant. `surface` keys it (None: the box's
    own keys), for the seat `own` (None: for everybody). What a seat keys about itself doesn't
    repeat what another seat has done."""
    if newest is None or now_s - newest.at_s > WITHIN_S or newest.kept.surface == surface:
        return None
    mine, before = _repeatable(row), _repeatable(newest.kept.row)
    if mine is None or before is None or mine.words != before.words:
        return None
    speaks_of_itself = own is not None and mine.said_by == own
    return None if speaks_of_itself and before.said_by != own else newest.kept


def _repeatable(row: Row) -> Entry | None:
    entries = row.entries if isinstance(row, Step) else ()
    return entries[0] if len(entries) == 1 and entries[0].repeatable else None
