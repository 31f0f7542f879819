"""Draws the README's picture of a club's tables, docs/club.png.

python -m tests.club.hub.draw_page
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.browser import chromium
from tests.club.hub.club_site import club_site

PLACE: Final = Path(__file__).parents[3] / "docs" / "club.png"
WIDTH, HEIGHT = 1180, 620

TABLES: Final[dict[str, tuple[str, str, str, dict[str, str]]]] = {
    "Table 1": (
        "high-five", "Anna Ben Cleo",
        "hand\nAnna 6-6\nBen 6-3\nCleo 6-4\nAnna 3-3\nBen 6-2\nCleo draw\nCleo 6-0", {},
    ),
    "Table 2": ("high-five", "Zoe Tom", "hand\nZoe 6-6\nTom draw\nbogus Tom by Zoe", {}),
    "Table 3": (
        "all-fives", "Mia Jon Ada Leo",
        "hand lead Mia\nMia 5-5\nJon 5-0\nAda 5-6", {"partners": "on"},
    ),
    "Table 4": (
        "high-fives", "Uma Vic Kim",
        "hand lead Uma\ntableau 0-1 1-2 7-7 8-9 10-15\nUma 7-8 takes 8-9 pair 0-1 1-2\nVic 3-15\n"
        "Kim 5-5\nUma 2-9", {},
    ),
    "Table 5": ("five-up", "Eva Max Ida", "hand lead Eva\nEva 5-5\nMax 5-6\nIda 6-6", {}),
    "Table 6": (
        "highrise", "Noa Pia",
        "hand lead Noa\nbasement 4-1 3-1 6-2 W-0 4-3 5-5 0-0 2-1\nNoa 6-3 on 6 3 level 1\n"
        "Pia 5-0 on 5 0 level 1\nNoa draw", {},
    ),
    "Table 7": ("high-five", "Rob Sue", "hand\nRob 5-5\nSue 5-0\nRob 0-0", {}),
    "Table 8": ("five-up", "Lea Nik", "hand lead Lea\nLea 5-5\nNik 5-0\nLea 0-0", {}),
}  # fmt: skip
"""For each table: the game, who plays, what was entered, and house rules."""


def main() -> None:
    """Draws the picture with Chromium, from a hub to which its tables have just pushed."""
    with TemporaryDirectory() as folder, club_site(Path(folder)) as site:
        for name in TABLES:
            site.join(name)
        for name, (game, seats, text, options) in TABLES.items():
            site.play(name, text, seats, game, 1, **options)
        with chromium() as browser:
            tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            tab.goto(f"{site.url}/#{site.word('watch')}")
            tab.wait_for_selector(f".card:nth-child({len(TABLES)}) .points")
            tab.screenshot(path=PLACE, animations="disabled")


if __name__ == "__main__":
    main()
