"""Draws every scene on one sheet, to look at: python -m tests.screens.draw SHEET.png [scene …]"""

import sys
from pathlib import Path

from PIL import Image, ImageDraw

from tests.screens.scenes import SCENES

ZOOM, ACROSS, GAP = 3, 4, 16


def sheet(names: list[str]) -> Image.Image:
    """The scenes with their names, four in a row."""
    width, height = 128 * ZOOM + GAP, 64 * ZOOM + GAP + 8
    rows = -(-len(names) // ACROSS)
    out = Image.new("RGB", (width * ACROSS + GAP, height * rows + GAP), (70, 70, 80))
    pen = ImageDraw.Draw(out)
    for number, name in enumerate(names):
        x, y = GAP + number % ACROSS * width, GAP + number // ACROSS * height
        picture = SCENES[name]().frame.to_image().resize((128 * ZOOM, 64 * ZOOM), 0)
        out.paste(picture.convert("RGB"), (x, y))
        pen.text((x, y - 12), name, fill=(255, 255, 255))
    return out


if __name__ == "__main__":
    chosen = sys.argv[2:] or list(SCENES)
    sheet(chosen).save(Path(sys.argv[1]))
