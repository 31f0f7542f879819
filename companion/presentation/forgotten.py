"""A draw that nobody entered: by the counts a seat then seems to be out that is not. The box and
pages offer to put the draw in."""

from companion.core.seats import Seat
from companion.games.round import Round, Stage


def seems_out(now: Round | None) -> Seat | None:
    """The seat that has laid all its tiles by the counts alone; None if there is none, or it was
    entered that it is out."""
    return now.out if now and now.stage is Stage.OUT and not now.confirmed else None
