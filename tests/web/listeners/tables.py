"""Snapshots of a table for tests of listeners, and a function that waits."""

from companion.app.catalog import CATALOG
from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Step
from companion.table.snapshot import Snapshot
from companion.web.listeners.subscription import EventSource
from tests.catalog import GAMES

SEATS = Seats.of("Anna", "Ben")


def stands(text: str, row: int = 7, at: float | None = None) -> Snapshot:
    """A table where Anna and Ben play High Five, after these entries."""
    journal = Journal.begin(GameOpened("high-five", SEATS, {}), GAMES)
    for line in text.splitlines():
        journal = journal.fold(Step((parse_entry(line, GAMES["high-five"], SEATS),)))
    return Snapshot(1, row, None, 1, b"", journal, {}, played=row, played_at=at)


def hearings() -> EventSource:
    """The event source of a table at which the first play was made."""
    found = EventSource(CATALOG)
    found.update(stands("hand\nAnna 6-6"))
    return found
