"""Draws the film of docs/README.md, docs/film.webp: a turn on a phone, the TV beside it, and a
dispute. python -m tests.web.draw_film"""

import io
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL import Image

from tests.browser import chromium
from tests.web.in_browser import Site, Viewer
from tests.web.live import keep
from tests.web.test_evening import LONG_MS, confirms, keys, sits, until, until_says

PLACE: Final = Path(__file__).parents[2] / "docs" / "film.webp"
SEATS: Final = "Anna Ben Cleo Dora"
DEALT: Final = "hand\nAnna 6-6"
DISPUTED: Final = (
    "hand\nAnna 6-6\nBen 6-0\nCleo 6-4\nDora draw\nDora 4-1\nAnna 2-1\nBen 2-2\nCleo 4-2"
)
"""Dora's next tile proves a bogus play: it fitted when she drew, as the one that she played did."""
SIZE: Final = {"width": 1100, "height": 620}
PHONE, TV = {"width": 360, "height": 760}, {"width": 1920, "height": 1080}
SHORT_MS, READ_MS = 900, 2600
"""How long a frame is shown: a frame of a movement, and one to be read."""
SHEET: Final = """<!doctype html><meta charset="utf-8"><style>
body { margin: 0; width: 1100px; height: 620px; position: relative; font-family: sans-serif;
  background: linear-gradient(#30353d 0 82%%, #4a3a2c 82%% 100%%); }
img { position: absolute; box-sizing: content-box; border: solid #0d0f12; }
.phone { left: 18px; top: 12px; width: 270px; border-width: 12px 6px; border-radius: 20px; }
.tv { left: 322px; top: 88px; width: 748px; border-width: 8px; border-radius: 6px; }
h1 { position: absolute; left: 322px; top: 12px; width: 764px; margin: 0; color: #fff;
  font-size: 26px; line-height: 64px; text-align: center; }
</style><h1>%s</h1><img class="phone" src="%s"><img class="tv" src="%s">"""


class Film:
    """The frames so far. `frame` adds one: a phone, the TV, and a caption above them."""

    def __init__(self, browser: Any) -> None:
        self._sheet = browser.new_page(viewport=SIZE)
        self.frames: list[Image.Image] = []
        self.lasts: list[int] = []

    def frame(self, caption: str, phone: Viewer, tv: Viewer, lasts: int = READ_MS) -> None:
        """Adds the present pages of both for `lasts` milliseconds."""
        self._sheet.set_content(SHEET % (caption, _shot(phone), _shot(tv)))
        with Image.open(io.BytesIO(self._sheet.screenshot())) as drawn:
            self.frames.append(drawn.convert("RGB"))
        self.lasts.append(lasts)

    def save(self, path: Path) -> None:
        """Writes the film, which repeats forever."""
        first, *others = self.frames
        first.save(
            path, save_all=True, append_images=others, duration=self.lasts, loop=0,
            quality=70, method=6,
        )  # fmt: skip


def _shot(viewer: Viewer) -> str:
    shot = viewer.tab.screenshot(animations="disabled")
    return f"data:image/png;base64,{b64encode(shot).decode()}"


@contextmanager
def _table(browser: Any, game: str, *names: str) -> Iterator[tuple[Viewer, ...]]:
    """The TV and the phones of these seats, at a table with that game."""
    with TemporaryDirectory() as folder:
        record = Path(folder) / "record.db"
        keep(record, game, SEATS)
        site = Site(record)
        touch = {"path": "/", "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
        viewers = [Viewer(browser, site, path="/tv", viewport=TV)]
        viewers += [Viewer(browser, site, viewport=PHONE, **touch) for _ in names]
        try:
            for phone, name in zip(viewers[1:], names, strict=True):
                sits(phone, name)
            yield tuple(viewers)
        finally:
            for viewer in viewers:
                viewer.context.close()
            site.close()


def _picks(phone: Viewer, tile: str, says: str) -> None:
    phone.tab.wait_for_selector("#tiles", state="visible", timeout=LONG_MS)
    phone.tab.locator(f'[data-tile="{tile}"]').tap(timeout=LONG_MS)
    until_says(phone, "#meaning", says)


def play_a_turn(browser: Any, film: Film) -> None:
    """Ben plays 6-3 on his phone, and is paid."""
    with _table(browser, DEALT, "Ben", "Cleo") as (tv, ben, _):
        ben.tab.wait_for_selector("#tiles", state="visible", timeout=LONG_MS)
        film.frame("It is Ben’s turn. He has his own phone.", ben, tv)
        _picks(ben, "6-3", "Ben lays 6-3")
        film.frame("He taps the tile that he plays.", ben, tv)
        confirms(ben)
        until_says(tv, "#payments", "Dora pays Ben 15")
        until_says(ben, "#payments", "Dora pays you 15")
        until_says(tv, ".seat:nth-child(2) .score", "15")
        film.frame("The ends count 15: the TV shows who pays whom.", ben, tv, READ_MS + 800)


def dispute(browser: Any, film: Film) -> None:
    """Dora plays a tile that she had when she drew, Ben calls her, and the record proves it."""
    with _table(browser, DISPUTED, "Ben", "Dora") as (tv, ben, dora):
        dora.tab.wait_for_selector("#tiles", state="visible", timeout=LONG_MS)
        film.frame("Later: Dora drew, then played 4-1.", dora, tv)
        keys(dora, "5-4", "Dora lays 5-4")
        until_says(ben, "#payments", "You pay Dora 5")
        until_says(tv, ".seat:nth-child(4) .score", "5")
        ben.tab.wait_for_selector("#call", state="visible", timeout=LONG_MS)
        film.frame("Then she plays 5-4. Did she have to draw?", ben, tv)
        ben.tab.locator("#call").tap(timeout=LONG_MS)
        call = ben.tab.locator(".act.bogus", has_text="Ben calls Dora bogus")

        def is_called() -> bool:
            if call.is_visible():
                call.dispatch_event("click")
            return "Ben calls Dora bogus" in ben.tab.inner_text("#meaning")

        until(ben, is_called, "the call was never offered")
        film.frame("He calls it bogus.", ben, tv)
        confirms(ben)
        until_says(tv, "#verdict", "Proven")
        tv.tab.wait_for_selector('[data-proof="lit"]', timeout=LONG_MS)
        film.frame("The TV shows the line as it was when she drew.", ben, tv)
        tv.tab.wait_for_selector('[data-proof="judged"]', timeout=LONG_MS)
        film.frame("The record proves it, without a quarrel.", ben, tv, READ_MS + 1200)
        tv.tab.wait_for_selector('[data-proof="now"]', timeout=LONG_MS)
        dora.tab.wait_for_selector("#holds", state="visible", timeout=LONG_MS)
        film.frame("Dora enters the tiles left in her hand.", dora, tv, SHORT_MS + 700)
        for tile in ("5-5", "5-3", "3-3", "1-1"):
            dora.tab.locator(f'[data-tile="{tile}"]').tap(timeout=LONG_MS)
            taken = f'[data-tile="{tile}"][aria-pressed="true"]'
            dora.tab.wait_for_selector(taken, timeout=LONG_MS)
            film.frame("Dora enters the tiles left in her hand.", dora, tv, SHORT_MS)
        dora.tab.locator("#holds").tap(timeout=LONG_MS)
        confirms(dora)
        until_says(tv, "#payments", "Dora pays Ben 50")
        until_says(ben, "#payments", "Dora pays you 50")
        until_says(tv, ".seat:nth-child(2) .score", "50")
        film.frame("She pays Ben 50. The next hand begins.", ben, tv, READ_MS + 1200)


def draw(browser: Any, path: Path) -> None:
    """Draws the film: 14 frames, about half a minute."""
    film = Film(browser)
    play_a_turn(browser, film)
    dispute(browser, film)
    film.save(path)


if __name__ == "__main__":
    with chromium() as browser:
        draw(browser, PLACE)
