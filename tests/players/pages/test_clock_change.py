"""A night when the clocks change: it counts as one evening, with its games in order."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.app.catalog import CATALOG
from companion.core.clock import time_of_day
from companion.players.pages.archive import Archive
from companion.players.pages.document import ROOT
from companion.web.export.html_file import game_page
from tests.players.evening_kept import NAMES, Clock, keep_game, kept, rows_of
from tests.players.pages.visiting import words_of

pytestmark = pytest.mark.usefixtures("in_berlin")


@pytest.mark.parametrize(
    ("first", "shown", "day"),
    [
        # At 03:00 it is 02:00 again: the third game begins at an earlier time of day.
        (datetime(2026, 10, 24, 23, 40, tzinfo=UTC), ["01:40", "02:30", "02:20"], "25 October"),
        # At 02:00 it is 03:00.
        (datetime(2027, 3, 27, 23, 50, tzinfo=UTC), ["00:50", "01:40", "03:30"], "28 March"),
    ],
)
def test_games_around_a_clock_change_are_one_evening(
    tmp_path: Path, first: datetime, shown: Sequence[str], day: str
) -> None:
    clock, begun = Clock(0.0), [first + timedelta(minutes=50 * number) for number in range(3)]
    with kept(tmp_path / "record.db", clock) as store:
        for number, at in enumerate(begun):
            clock.now = at.timestamp()
            keep_game(store, clock, rows_of(number + 1, NAMES[: 2 + number % 2]))
    assert [time_of_day(at.timestamp()) for at in begun] == shown
    next_day = (first + timedelta(hours=12)).timestamp()
    archive = Archive(tmp_path / "record.db", CATALOG, game_page, lambda: next_day)
    listed = archive.page(ROOT, {})
    assert listed is not None
    assert f"{day} 3 games" in " ".join(words_of(listed).split())
    evening = archive.page(f"{ROOT}/1", {})
    assert evening is not None
    words = words_of(evening)
    places = [words.index(f"Game {number}") for number in (1, 2, 3)]
    assert places == sorted(places)
