"""Draws the manual's pictures of pages into docs/phone: python -m tests.web.draw_pages"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.web.live import keep
from tests.web.test_browser import CHROMIUM, Site, Viewer

PLACE = Path(__file__).parents[2] / "docs" / "phone"
GAME = "hand\nRed 6-6\nBlue 6-3\nRed 6-4\nBlue 3-3\nRed 6-2\nBlue draw\nBlue 6-0"
TAPPED = {"keying": "4-4", "ends": "4-3"}
"""Each picture, and the tile that is tapped in it."""


def draw(browser: Any) -> None:
    """Every picture, as a phone shows it."""
    with TemporaryDirectory() as folder:
        keep(Path(folder) / "record.db", GAME)
        site = Site(Path(folder) / "record.db")
        for name, tile in TAPPED.items():
            size = {"width": 390, "height": 844}
            viewer = Viewer(browser, site, path="/", viewport=size)
            viewer.tab.click(f'[data-tile="{tile}"]')
            viewer.tab.wait_for_selector("#meaning li")
            viewer.tab.screenshot(path=PLACE / f"{name}.png", animations="disabled")
            viewer.context.close()
        site.close()


def main() -> None:
    """Draws them with chromium."""
    from playwright.sync_api import sync_playwright

    PLACE.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        draw(browser)
        browser.close()


if __name__ == "__main__":
    main()
