"""Draws every scene on one sheet, to look at: python -m tests.screens.draw SHEET.png [scene …]

With --store instead of the name of a sheet, each scene is stored as the picture that the test
compares with; with --readme the README's picture is drawn.
"""

import sys
from pathlib import Path

from PIL import Image, ImageDraw

from tests.screens.scenes import SCENES

ZOOM, ACROSS, GAP = 3, 4, 16


def sheet(names: list[str]) -> Image.Image:
    """One picture of these scenes with their names, four in a row."""
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


README_SCENES = (
    ("setup_table_3", "turn_preview", "turn_paid"),
    ("which_ends", "between", "game_over"),
)
README_PICTURE = Path(__file__).parents[2] / "docs" / "screens.png"
LIT, DARK, CASE = (208, 236, 255), (4, 7, 12), (34, 37, 42)


def panel(lit: Image.Image) -> Image.Image:
    """A picture of the display as the box shows it, enlarged."""
    out = Image.new("RGB", (128 * ZOOM + GAP, 64 * ZOOM + GAP), CASE)
    edge = (0, 0, out.width - 1, out.height - 1)
    ImageDraw.Draw(out).rounded_rectangle(edge, 6, fill=DARK)
    out.paste(LIT, (GAP // 2, GAP // 2), lit.resize((128 * ZOOM, 64 * ZOOM), 0))
    return out


def readme_picture() -> Image.Image:
    """Some screens as the box shows them, side by side."""
    width, height = 128 * ZOOM + 2 * GAP, 64 * ZOOM + 2 * GAP
    across, down = len(README_SCENES[0]), len(README_SCENES)
    out = Image.new("RGB", (width * across + GAP, height * down + GAP), CASE)
    for row, names in enumerate(README_SCENES):
        for column, name in enumerate(names):
            at = (GAP + column * width, GAP + row * height)
            out.paste(panel(SCENES[name]().frame.to_image()), at)
    return out


def store() -> None:
    """Stores each scene as a picture of its own, after removing the old pictures."""
    here = Path(__file__).parent
    for old in here.glob("*.png"):
        old.unlink()
    for name, scene in SCENES.items():
        scene().frame.to_image().save(here / f"{name}.png", optimize=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--store"]:
        store()
    elif sys.argv[1:] == ["--readme"]:
        readme_picture().save(README_PICTURE, optimize=True)
    else:
        sheet(sys.argv[2:] or list(SCENES)).save(Path(sys.argv[1]))
