"""Draws the manual's pictures of pages into docs/phone, and those in other languages into folders
there: python -m tests.web.draw_pages"""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.browser import chromium
from tests.manual.book import ENGLISH, LANGUAGES
from tests.web.in_browser import Site, Viewer
from tests.web.live import keep
from tests.web.phone_pictures import PHOTOS, PICTURES, PhonePicture, shown_in

PLACE = Path(__file__).parents[2] / "docs" / "phone"
SIZE = {"width": 390, "height": 844}


def draw(browser: Any, picture: PhonePicture, path: Path, language: str = ENGLISH) -> None:
    """Draws one picture, as a phone in that language shows it."""
    with TemporaryDirectory() as folder:
        record = Path(folder) / "record.db"
        keep(record, picture.text, picture.seats, name=picture.game)
        site = Site(record)
        viewer = Viewer(browser, site, path="/", viewport=SIZE, locale=language)
        for what in picture.taps:
            viewer.tab.click(what)
        viewer.tab.wait_for_selector("#meaning li")
        viewer.tab.screenshot(path=path, animations="disabled")
        viewer.context.close()
        site.close()


def draw_photo(name: str, path: Path) -> None:
    """Draws a simulated photo of a line (tests/photos), at a small size."""
    from tests.photos.camera import take
    from tests.photos.layouts import legal_line
    from tests.photos.make import clear_photo

    made = clear_photo(legal_line(Random(8), 11), **PHOTOS[name])
    photo, _ = take(made.placed, made.look, made.how, made.seed)
    photo.resize((480, 360)).quantize(96).save(path, optimize=True)


def main() -> None:
    """Draws all of them, those of pages with Chromium."""
    PLACE.mkdir(exist_ok=True)
    with chromium() as browser:
        for name, picture in PICTURES.items():
            draw(browser, picture, PLACE / f"{name}.png")
        for language in LANGUAGES:
            for name in shown_in(language):
                path = PLACE / language / f"{name}.png"
                path.parent.mkdir(exist_ok=True)
                draw(browser, PICTURES[name], path, language)
    for name in PHOTOS:
        draw_photo(name, PLACE / f"{name}.png")


if __name__ == "__main__":
    main()
