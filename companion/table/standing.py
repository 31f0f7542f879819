"""Where the table stands, and its record: what every row goes through, whoever made it."""

from collections.abc import Callable, Mapping

from companion.core.clock import Clock
from companion.core.seats import Seat
from companion.games.game import AnyGame
from companion.presentation.refusals import worded
from companion.record.copies.stick import Offer
from companion.record.rows import Kept, Row
from companion.record.store.faults import DamagedError, StoreError
from companion.record.store.store import Store
from companion.table.duplicates import Newest, may_be_the_same
from companion.table.session import BOX, TableSession


class Standing:
    """A row is folded in memory (is it allowed?), kept on the disk, and only then lets all stand.

    `clock` gives monotonic seconds. `left` is called where what stood stands no longer, so that a
    screen about it must be left; `mended`, with what it could not do, after a record was put
    together again, which may have shown something else meanwhile.
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
        self._told = 0
        self.message: str | None = None
        """What the record has to tell, until the next key."""
        self.tell_next()

    def keep(self, row: Row, source: str | None, keyed_by: Seat | None = None) -> Kept:
        """Keeps a row and lets it stand. Raises EntryError, RuleError, StoreError or Seen: then all
        is as it was."""
        number, session = self._after(row)
        kept = self.store.keep(number, row, source, keyed_by)
        self.session = session.with_row(kept)
        if number != BOX:
            self._newest = Newest(kept, self._clock())
        self._tell_more()
        return kept

    def _after(self, row: Row) -> tuple[int, TableSession]:
        """The game that the row belongs to, and how everything stands after it."""
        try:
            return self.session.after(row, self.store, self._catalog)
        except DamagedError:
            self.mend()
            return self.session.after(row, self.store, self._catalog)

    def said_before(self, row: Row, surface: str | None, own: Seat | None) -> Kept | None:
        """The row that this one may only say again (duplicates.py)."""
        return may_be_the_same(row, surface, own, self._newest, self._clock())

    def take_over(self, offer: Offer) -> None:
        """A stick's games become the record, which has none. Raises StoreError."""
        try:
            self.store.take_over(offer)
        finally:
            self.session, self._newest = TableSession.resumed(self.store), None
        self.tell_next()

    def mend(self) -> None:
        """Puts a damaged record together again, and goes on from there."""
        trouble = None
        try:
            self.store.mend()
            self.read_anew()
        except StoreError as error:
            trouble = worded(error)
        self._tell_more()
        self._mended(trouble)

    def read_anew(self) -> None:
        """What stands is what the record says."""
        before = self.session.journal
        self.session = TableSession.resumed(self.store)
        now = self.session.journal
        if (before and before.entries) != (now and now.entries):
            self._left()

    def tell_next(self) -> None:
        """The next thing that the record has to tell, if there is one."""
        waiting = self.store.messages[self._told :]
        self._told += bool(waiting)
        self.message = worded(waiting[0]) if waiting else None

    def _tell_more(self) -> None:
        """The same, but what is told stays where there is nothing new."""
        before = self.message
        self.tell_next()
        self.message = self.message or before
