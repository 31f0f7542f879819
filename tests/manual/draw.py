"""Draws the manual's pictures from the stored screens, and those of the manual in other languages
from the same scenes: python -m tests.manual.draw"""

from pathlib import Path

from PIL import Image

from tests.catalogues import translated
from tests.manual.book import LANGUAGES, ROOT, chapters_in, pictures
from tests.manual.card import TITLES, text_in
from tests.screens.draw import panel
from tests.screens.test_made_up import made

STORED = ROOT / "tests" / "screens"
PICTURES = ROOT / "docs" / "pictures"


def drawn(name: str) -> Image.Image:
    """A stored screen as the box shows it."""
    with Image.open(STORED / f"{name}.png") as stored:
        return panel(stored.convert("1"))


def drawn_in(language: str, name: str) -> Image.Image:
    """The scene as a box in that language shows it."""
    return panel(made(name, translated(language)).frame.to_image())


def pictures_in(language: str) -> list[str]:
    """The screens that the chapters and cards of that language show, each once."""
    texts = [*chapters_in(language).values(), *(text_in(language, game) for game in TITLES)]
    return list(dict.fromkeys(name for text in texts for name in pictures(text)))


def path_of(name: str, language: str = "") -> Path:
    """The path of the picture of that screen."""
    return PICTURES / language / f"{name}.png"


def _save(picture: Image.Image, path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    picture.quantize(16).save(path, optimize=True)


if __name__ == "__main__":
    for old in PICTURES.rglob("*.png"):
        old.unlink()
    for name in pictures():
        _save(drawn(name), path_of(name))
    for language in LANGUAGES:
        for name in pictures_in(language):
            _save(drawn_in(language, name), path_of(name, language))
