"""Draws every scene, to look at: python -m tests.presentation.draw FOLDER [scene …]

Chromium renders each at three sizes, light and dark, into that folder. With --store in place of a
folder, each scene is stored as the drawing that the test compares with.
"""

import re
import shutil
import sys
from pathlib import Path

from tests.browser import chromium
from tests.presentation.scenes import SCENES

HERE = Path(__file__).parent
DRAWINGS = HERE.parents[1] / "docs" / "drawings"
SIZES = ((360, 780), (768, 1024), (1920, 1080))


def in_documents() -> set[str]:
    """The scenes that the documents show."""
    documents = [HERE.parents[1] / "README.md", *DRAWINGS.parent.rglob("*.md")]
    texts = (document.read_text("utf-8") for document in documents)
    return {name for text in texts for name in re.findall(r"drawings/(\w+)\.svg", text)}


def store() -> None:
    """Stores every scene as its own drawing, and again those that the documents show."""
    DRAWINGS.mkdir(exist_ok=True)
    for old in (*HERE.glob("*.svg"), *DRAWINGS.glob("*.svg")):
        old.unlink()
    for name, draw in SCENES.items():
        (HERE / f"{name}.svg").write_text(draw(), "utf-8")
    for name in in_documents():
        shutil.copy(HERE / f"{name}.svg", DRAWINGS)


def render(folder: Path, names: list[str]) -> None:
    """Draws these scenes in a window of each size, each as large as the window allows."""
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for scheme in ("light", "dark"):
            for width, height in SIZES:
                page = browser.new_page(
                    viewport={"width": width, "height": height}, color_scheme=scheme
                )
                for name in names:
                    page.set_content(SHEET + SCENES[name]())
                    page.screenshot(path=folder / f"{name}-{width}-{scheme}.png")
                page.close()


SHEET = """<!doctype html><meta name="color-scheme" content="light dark"><style>
body { margin: 0; height: 100vh; display: grid; place-items: center; }
svg { width: 100vw; height: 100vh; padding: 8px; box-sizing: border-box; }</style>"""

if __name__ == "__main__":
    if sys.argv[1:] == ["--store"]:
        store()
    else:
        render(Path(sys.argv[1]), sys.argv[2:] or list(SCENES))
