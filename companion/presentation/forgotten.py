"""A draw that was forgotten: where it has to be put in, so that who seems to be out is not. The box
and pages ask for it."""

from companion.core.seats import Seat
from companion.games.game import B
from companion.games.highrise.entries import Built, DrewOne
from companion.games.line.laid import Laid
from companion.games.round import Round, Stage
from companion.record.journal import Journal


def seems_out(now: Round | None) -> Seat | None:
    """The seat that has laid all its tiles by the counts alone; None: nobody, or it was said."""
    return now.out if now and now.stage is Stage.OUT and not now.confirmed else None


def last_lay(journal: Journal[B], seat: Seat) -> int:
    """The place of that seat's last lay, before which it drew."""
    lays = (
        place
        for place, entry, _ in journal.newest_first()
        if isinstance(entry, Laid) and entry.seat == seat
    )
    return next(lays)


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
