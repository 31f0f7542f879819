"""Draws the manual's pictures from the stored screens: python -m tests.manual.draw"""

from pathlib import Path

from PIL import Image

from tests.manual.book import ROOT, pictures
from tests.screens.draw import panel

STORED = ROOT / "tests" / "screens"
PICTURES = ROOT / "docs" / "pictures"


def drawn(name: str) -> Image.Image:
    """A stored screen as the box shows it, in the few colours that it has."""
    with Image.open(STORED / f"{name}.png") as stored:
        return panel(stored.convert("1"))


def path_of(name: str) -> Path:
    """Where the picture of that screen is."""
    return PICTURES / f"{name}.png"


if __name__ == "__main__":
    for old in PICTURES.glob("*.png"):
        old.unlink()
    for name in pictures():
        drawn(name).quantize(16).save(path_of(name), optimize=True)
