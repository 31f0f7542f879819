"""An evening that plays itself on the first page while nobody plays, for who owns no dominoes yet.

Its entries lie in the package as a tally. A page asks for one moment after another, at its own
pace, and shows it as it shows the table's; nothing of it is kept, here or in the record, and the
loop never hears of it. Once a game is on the table there is no example any more.
"""

from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from companion.core.values import Json
from companion.games.catalog import GAMES
from companion.presentation import moment as told_moment
from companion.presentation.catalog import PRESENTATIONS
from companion.presentation.drawing.paper import Paper
from companion.presentation.moment import Moment, tell
from companion.record.journal import Journal
from companion.record.tally import play_tally, read_tally

TALLY: Final = Path(told_moment.__file__).with_name("example.tally")
MOST_KEPT: Final = 32
"""Moments that are kept for others who watch at the same time."""


@cache
def _played() -> tuple[Journal[object], ...]:
    """The game after each of its entries; read when somebody first watches."""
    return tuple(
        one.journal for one in play_tally(read_tally(TALLY.read_text("utf-8"), GAMES), GAMES)
    )


@lru_cache(MOST_KEPT)
def example_moment(number: int, paper: Paper) -> Json:
    """The moment after that entry, counted from 1, with its drawing; IndexError: there is none."""
    if not 0 < number <= len(_played()):
        raise IndexError(number)
    journal = _played()[number - 1]
    drawing = PRESENTATIONS[journal.opened.game].draw(journal.state, paper, stand_alone=False)
    last = len(_played())
    return {"last": last, "drawing": drawing, "moment": tell(Moment(journal))}
