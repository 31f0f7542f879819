"""The place where a draw that nobody entered is put in, in a game with a line of play."""

from companion.core.seats import Seat
from companion.games.game import B
from companion.games.line.laid import Laid
from companion.record.journal import Journal


def last_lay(journal: Journal[B], seat: Seat) -> int:
    """The place of the seat's last lay: the forgotten draw is put in before it."""
    lays = (
        place
        for place, entry, _ in journal.newest_first()
        if isinstance(entry, Laid) and entry.seat == seat
    )
    return next(lays)
