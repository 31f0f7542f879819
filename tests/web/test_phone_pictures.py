"""The manual shows exactly the pictures that are drawn for it, and all taps in them are
possible."""

import re
from pathlib import Path
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.presentation.keys import FITS
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Step
from tests.catalog import GAMES
from tests.manual.book import LANGUAGES, TEXT
from tests.web.phone_pictures import PHOTOS, PICTURES, shown_in

PLACE = Path(__file__).parents[2] / "docs" / "phone"


def test_the_manual_shows_exactly_the_drawn_pictures() -> None:
    shown = re.findall(r"\(\.\./phone/(\w+)\.png\)", TEXT)
    drawn = sorted({*PICTURES, *PHOTOS})
    assert sorted(shown) == drawn == sorted(path.stem for path in PLACE.glob("*.png"))
    for language in LANGUAGES:
        here = sorted(path.stem for path in (PLACE / language).glob("*.png"))
        assert sorted(shown_in(language)) == here
        assert here in ([], sorted(PICTURES)), "all or none"


@pytest.mark.parametrize("name", PICTURES)
def test_the_last_tap_of_each_picture_is_possible_in_its_game(name: str) -> None:
    picture = PICTURES[name]
    game, seats = GAMES[picture.game], Seats.of(*picture.seats.split())
    journal: Journal[Any] = Journal.begin(GameOpened(picture.game, seats, {}), GAMES)
    for line in picture.text.splitlines():
        journal = journal.fold(Step((parse_entry(line, game, seats),)))
    keys = CATALOG[picture.game].presentation.keys.json(game, journal.state, {})
    (kind, what) = re.findall(r'\[data-(\w+)="([^"]+)"\]', picture.taps[-1])[-1]
    if kind == "tile":
        assert keys["tiles"][what] == FITS
    else:
        assert what in [row["name"] for row in keys["rows"]]
