"""DRAW or PASS that another surface has entered a moment ago: meant once more, or the same one?

Two at the table hear “I draw”: one taps, one presses, or Anna on her keypad and Granny on the box,
for her. What names a tile is refused the second time; a draw or a pass could be another one, so the
second is asked whether it is.
"""

from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.games.game import Entry
from companion.record.rows import Kept, Row, Step

WITHIN_S = 2.0
"""Seconds within which the same entry of another surface is asked about."""


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest row of the games, and when it was kept (monotonic seconds)."""

    kept: Kept
    at_s: float


def may_be_the_same(
    row: Row, surface: str | None, own: Seat | None, newest: Newest | None, now_s: float
) -> Kept | None:
    """The row that `row` may only repeat; None: `row` is meant. `surface` keys it (None: the box's
    own keys), for the seat `own` (None: for everybody). A seat that keys what it has done itself
    repeats nothing that another seat has done."""
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
