"""Draws every scene, to look at: python -m tests.telling.draw FOLDER [scene …]

Each is rendered by Chromium at three sizes, light and dark, into that folder. With --store in place
of a folder, each scene is stored as the drawing that the test compares with.
"""

import shutil
import sys
from pathlib import Path

from tests.telling.scenes import SCENES

HERE = Path(__file__).parent
SIZES = ((360, 780), (768, 1024), (1920, 1080))


def store() -> None:
    """Every scene as its own drawing."""
    for old in HERE.glob("*.svg"):
        old.unlink()
    for name, draw in SCENES.items():
        (HERE / f"{name}.svg").write_text(draw(), "utf-8")


def render(folder: Path, names: list[str]) -> None:
    """Each scene in a window of each size, as large as it allows."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        found = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=found)
        for scheme in ("light", "dark"):
            for width, height in SIZES:
                page = browser.new_page(
                    viewport={"width": width, "height": height}, color_scheme=scheme
                )
                for name in names:
                    page.set_content(SHEET + SCENES[name]())
                    page.screenshot(path=folder / f"{name}-{width}-{scheme}.png")
                page.close()
        browser.close()


SHEET = """<!doctype html><meta name="color-scheme" content="light dark"><style>
body { margin: 0; height: 100vh; display: grid; place-items: center; }
svg { width: 100vw; height: 100vh; padding: 8px; box-sizing: border-box; }</style>"""

if __name__ == "__main__":
    if sys.argv[1:] == ["--store"]:
        store()
    else:
        render(Path(sys.argv[1]), sys.argv[2:] or list(SCENES))
