"""A draw that was forgotten: where it has to be put in, so that who seems to be out is not. The box
and pages ask for it."""

from companion.core.seats import Seat
from companion.games.round import Round, Stage


def seems_out(now: Round | None) -> Seat | None:
    """The seat that has laid all its tiles by the counts alone; None: nobody, or it was said."""
    return now.out if now and now.stage is Stage.OUT and not now.confirmed else None
