"""Draws every race, to look at: python -m tests.presentation.charts.draw FOLDER

Each is drawn as the page shows it on a phone, light and dark. With --store in place of a folder,
each is stored as the drawing that the test compares with.
"""

import sys
from pathlib import Path

from companion.presentation.drawing.race import draw_race
from companion.presentation.drawing.svg import style
from companion.web.files import STATIC
from tests.browser import chromium
from tests.presentation.charts.scenes import RACES

HERE = Path(__file__).parent
SHEETS = ("tokens.css", "table.css", "win.css")


def page_of(svg: str) -> str:
    """The drawing in the page's panel, with the page's styles."""
    styles = "".join((STATIC / name).read_text("utf-8") for name in SHEETS)
    return (
        f"<!doctype html><style>{style()}{styles}</style>"
        f'<section class="panel"><div class="chart">{svg}</div></section>'
    )


def store() -> None:
    """Stores every race as it is drawn now."""
    for old in HERE.glob("*.svg"):
        old.unlink()
    for name, game in RACES.items():
        (HERE / f"{name}.svg").write_text(draw_race(game()) + "\n", "utf-8")


def render(folder: Path) -> None:
    """Draws every race in a window as wide as a phone."""
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport={"width": 360, "height": 320}, color_scheme=scheme)
            for name, game in RACES.items():
                page.set_content(page_of(draw_race(game())))
                page.screenshot(path=folder / f"{name}-{scheme}.png")
            page.close()


if __name__ == "__main__":
    if sys.argv[1:] == ["--store"]:
        store()
    else:
        render(Path(sys.argv[1]))
