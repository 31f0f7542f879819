"""A draw that was forgotten: where it has to be put in, so that the seat that seems to be out is
not. The box and pages ask for it."""

from companion.core.seats import Seat
from companion.games.round import Round, Stage


def seems_out(now: Round | None) -> Seat | None:
    """The seat that by the counts alone has laid all its tiles; None: there is none, or it was
    entered that it is out."""
    return now.out if now and now.stage is Stage.OUT and not now.confirmed else None
