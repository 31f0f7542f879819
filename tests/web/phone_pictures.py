"""The manual's pictures of a phone: the game and the taps for each."""

import re
from typing import Any, Final

from companion.core.values import dataclass
from tests.manual.book import chapters_in

GAME: Final = "hand\nRed 6-6\nBlue 6-3\nRed 6-4\nBlue 3-3\nRed 6-2\nBlue draw\nBlue 6-0"
FIVES: Final = (
    "hand lead Anna\ntableau 0-1 1-2 7-7 8-9 10-15\nAnna 7-8 takes 8-9 pair 0-1 1-2\n"
    "Ben 3-15\nCleo 5-5\nAnna 2-9"
)
HIGHRISE: Final = (
    "hand lead Anna\nbasement 4-1 3-1 6-2 W-0 4-3 5-5 0-0 2-1\n"
    "Anna 6-3 on 6 3 level 1\nBen 5-0 on 5 0 level 1\nAnna draw"
)
TILES: Final = "hand lead Anna\nAnna row pair laid 3\nBen row Ks Qs Js Ts 9s laid 4\nCleo tile"


@dataclass(frozen=True, slots=True)
class PhonePicture:
    """A picture of a page. `taps`: the taps, one after the other; `seats`: in turn order."""

    taps: tuple[str, ...]
    game: str = "high-five"
    text: str = GAME
    seats: str = "Red Blue"


def tile(name: str) -> str:
    """The selector of that tile in the picker."""
    return f'#tiles [data-tile="{name}"]'


PICTURES: Final = {
    "keying": PhonePicture((tile("4-4"),)),
    "ends": PhonePicture((tile("4-3"),)),
    "fives": PhonePicture(('[data-half="15"]', tile("15-5")), "high-fives", FIVES, "Anna Ben Cleo"),
    "highrise": PhonePicture((tile("5-4"),), "highrise", HIGHRISE, "Anna Ben"),
    "tiles": PhonePicture(('[data-row="flush"]',), "high-five-tiles", TILES, "Anna Ben Cleo"),
}

PHOTOS: Final[dict[str, dict[str, Any]]] = {
    "photo_above": {"tilt": 6},
    "photo_lamp": {"tilt": 12, "table": "cloth", "warmth": 0.8, "uneven": 0.25},
    "photo_flat": {"tilt": 58, "blur": 2.0},
    "photo_shaken": {"tilt": 10, "blur": 6.0, "motion": 22.0},
}
"""The manual's simulated photos of a line, and how each is taken: two can be read, two can't."""


def shown_in(language: str) -> list[str]:
    """The names of the pictures that the chapters in that language show in the language."""
    text = "\n".join(chapters_in(language).values())
    return re.findall(rf"\(\.\./\.\./phone/{language}/(\w+)\.png\)", text)
