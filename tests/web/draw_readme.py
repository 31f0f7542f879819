"""Draws the README's picture, docs/table.png: a TV, a phone in its turn and a page with the box on
it, all at one table. python -m tests.web.draw_readme"""

import io
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL import Image

from tests.browser import chromium
from tests.web.in_browser import Site, Viewer
from tests.web.live import keep

PLACE: Final = Path(__file__).parents[2] / "docs" / "table.png"
SEATS: Final = "Anna Ben Cleo"
GAME: Final = (
    "hand\nAnna 6-6\nBen 6-3\nCleo 6-4\nAnna 3-3\nBen 6-2\nCleo draw\nCleo 6-0\nAnna 4-1\n"
    "Ben 2-2\nCleo 0-0"
)
"""The entries so far. It is Anna's turn."""

LAPTOP, PHONE, TV = (1360, 842), (390, 780), (1080, 608)
"""The size of each page in dots of a style sheet."""
SHEET = """<!doctype html><meta charset="utf-8"><style>
body { margin: 0; width: 1280px; height: 460px; position: relative;
  background: linear-gradient(#30353d 0 78%%, #4a3a2c 78%% 100%%); }
img { position: absolute; box-sizing: content-box; border-style: solid; border-color: #0d0f12;
  box-shadow: 0 8px 24px #000a; }
.laptop { left: 14px; top: 26px; width: 572px; border-width: 12px 12px 18px; border-radius: 12px; }
.phone { left: 622px; top: 48px; width: 178px; border-width: 12px 6px; border-radius: 20px; }
.tv { left: 822px; top: 72px; width: 428px; border-width: 8px; border-radius: 6px; }
</style>
<img class="tv" src="%s"><img class="laptop" src="%s"><img class="phone" src="%s">"""


def _page(browser: Any, site: Site, path: str, size: tuple[int, int], scale: float) -> Viewer:
    viewport = {"width": size[0], "height": size[1]}
    return Viewer(browser, site, path=path, viewport=viewport, device_scale_factor=scale)


def _picture(viewer: Viewer) -> str:
    shot = viewer.tab.screenshot(animations="disabled")
    viewer.context.close()
    return f"data:image/png;base64,{b64encode(shot).decode()}"


def draw(browser: Any, path: Path) -> None:
    """Draws the picture, as three devices at one table show a turn."""
    with TemporaryDirectory() as folder:
        record = Path(folder) / "record.db"
        keep(record, GAME, SEATS)
        site = Site(record)
        try:
            laptop = _page(browser, site, "/", LAPTOP, 1)
            laptop.tab.wait_for_selector("svg.drawing")
            phone = _page(browser, site, "/", PHONE, 1)
            phone.tab.select_option("#who", "seat Anna")
            phone.tab.click('#tiles [data-tile="5-1"]')
            phone.tab.wait_for_selector("#meaning li")
            tv = _page(browser, site, "/tv", TV, 1)
            pictures = tuple(map(_picture, (tv, laptop, phone)))
        finally:
            site.close()
    sheet = browser.new_page(viewport={"width": 1280, "height": 460})
    sheet.set_content(SHEET % pictures)
    with Image.open(io.BytesIO(sheet.screenshot())) as drawn:
        drawn.convert("RGB").quantize(256).save(path, optimize=True)


if __name__ == "__main__":
    with chromium() as browser:
        draw(browser, PLACE)
