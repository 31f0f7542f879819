"""Draws docs/overlay.jpg, the overlay's bar over a simulated picture of a camera: python -m
tests.web.draw_overlay"""

import io
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from PIL import Image, ImageDraw, ImageFilter

from tests.browser import chromium
from tests.web.in_browser import WAIT_MS, Site, Viewer
from tests.web.live import keep

PLACE = Path(__file__).parents[2] / "docs" / "overlay.jpg"
SIZE = {"width": 1280, "height": 720}
GAME = "hand\nAnna 6-6\nBen 6-3\nAnna 6-4\nBen 3-3"
THINGS = (
    (120, 60, 260, (60, 90, 150)),
    (960, 40, 300, (140, 50, 60)),
    (250, 220, 130, (225, 180, 150)),
    (900, 250, 140, (205, 155, 125)),
    (560, 30, 110, (240, 240, 235)),
    (1120, 380, 90, (250, 250, 250)),
)
"""Sleeves, hands and cups: the left and upper edge of each, its width, and its colour."""


def camera() -> Image.Image:
    """A wooden table from above with hands, cups and tiles, out of focus, with a camera's noise."""
    random, (wide, high) = Random(8), (SIZE["width"], SIZE["height"])
    picture = Image.new("RGB", (wide, high))
    draw = ImageDraw.Draw(picture)
    for y in range(high):
        light = 90 + 60 * y // high + random.randrange(-6, 7)
        draw.line([(0, y), (wide, y)], fill=(light + 45, light + 5, light - 45))
    for x, y, across, colour in THINGS:
        draw.ellipse([x, y, x + across, y + across * 0.8], fill=colour)
    for number in range(14):
        x, y = 330 + 47 * number, 330 + random.randrange(-14, 15)
        draw.rounded_rectangle([x, y, x + 40, y + 80], 6, fill=(246, 240, 224))
        draw.line([(x + 6, y + 40), (x + 34, y + 40)], fill=(90, 80, 60), width=2)
    blurred = picture.filter(ImageFilter.GaussianBlur(2.5))
    noise = Image.effect_noise((wide, high), 45).convert("RGB")
    return Image.blend(blurred, noise, 0.1)


def main() -> None:
    """Draws the picture with Chromium."""
    with chromium() as browser, TemporaryDirectory() as folder:
        keep(Path(folder) / "record.db", GAME, "Anna Ben")
        site = Site(Path(folder) / "record.db")
        viewer = Viewer(browser, site, path="/overlay?layout=bar", viewport=SIZE)
        viewer.tab.wait_for_selector(".seat", timeout=WAIT_MS)
        viewer.tab.evaluate("document.body.classList.add('fresh')")
        viewer.tab.wait_for_timeout(1000)
        over = Image.open(io.BytesIO(viewer.tab.screenshot(omit_background=True)))
        whole = camera().convert("RGBA")
        whole.alpha_composite(over.convert("RGBA"))
        whole.convert("RGB").save(PLACE, quality=82)
        viewer.context.close()
        site.close()


if __name__ == "__main__":
    main()
