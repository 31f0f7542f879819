"""Where a draw that was forgotten has to be put in, in Highrise."""

from companion.core.seats import Seat
from companion.games.game import B
from companion.games.highrise.entries import Built, DrewOne
from companion.record.journal import Journal


def last_play_without_draw(journal: Journal[B], seat: Seat) -> int | None:
    """The place of that seat's latest play of this hand before which it drew nothing: Highrise lets
    one tile be drawn a turn."""
    later: tuple[int, Built] | None = None
    for place, entry, _ in journal.newest_first():
        if later is not None and entry != DrewOne(seat):
            return later[0]
        later = (place, entry) if isinstance(entry, Built) and entry.seat == seat else None
        if entry.deals:
            break
    return None
