"""Draws every scene on one sheet, to look at: python -m tests.screens.draw SHEET.png [scene …]

With --store instead of the name of a sheet, each scene is stored as the picture that the test
compares with.
"""

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


def store() -> None:
    """Every scene as its own picture."""
    here = Path(__file__).parent
    for old in here.glob("*.png"):
        old.unlink()
    for name, scene in SCENES.items():
        scene().frame.to_image().save(here / f"{name}.png", optimize=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--store"]:
        store()
    else:
        sheet(sys.argv[2:] or list(SCENES)).save(Path(sys.argv[1]))
