"""The place where a draw that nobody entered is put in, in Highrise."""

from companion.core.seats import Seat
from companion.games.game import B
from companion.games.highrise.entries import Built, DrewOne
from companion.record.journal import Journal


def last_play_without_draw(journal: Journal[B], seat: Seat) -> int | None:
    """The place of the seat's latest play in this hand with no draw before it; None if there is
    none. In Highrise a seat may draw only one tile a turn."""
    later: tuple[int, Built] | None = None
    for place, entry, _ in journal.newest_first():
        if later is not None and entry != DrewOne(seat):
            return later[0]
        later = (place, entry) if isinstance(entry, Built) and entry.seat == seat else None
        if entry.deals:
            break
    return None
