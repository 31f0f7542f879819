# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The page that shows everything that `make hw` has made: build/hw/index.html."""

import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path

HW = Path(__file__).parent
BUILD = HW.parent / "build" / "hw"
INDEX = "index.html"

_PARTS = (
    ("To read", ("bom.csv",)),
    ("What it will look like", ("pictures/*.png",)),
    ("To print", ("case/*.stl",)),
    ("To print on paper, in true size", ("legends.svg",)),
    ("Wiring", ("wiring/*.svg", "wiring/*-pins.png")),
    ("The circuit board", ("board/*",)),
)
"""The page's headings, each with the files of the folder that belong under it."""
_SHOWN = {".png", ".svg"}
_TWICE = {"top.svg", "bottom.svg"}
"""Drawings of something that is also shown as a picture."""
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Building the table companion</title>
<style>body{{font:16px sans-serif;max-width:60em;margin:2em auto}}img{{max-width:100%}}</style>
<h1>Building the table companion</h1>
<p>How to put it together: <a href="../../hw/README.md">hw/README.md</a></p>
{body}
</html>
"""


def write_page(folder: Path) -> Path:
    """Copies the list of parts and the pictures into the folder, and writes the page that shows
    everything in it. Returns the page's path."""
    for name in ("bom.csv", "legends.svg"):
        shutil.copy(HW / name, folder)
    pictures = folder / "pictures"
    pictures.mkdir(exist_ok=True)
    for one in HW.glob("pictures/*.png"):
        if "wiring" not in one.name:  # drawn for wiring/
            shutil.copy(one, pictures)
    page = folder / INDEX
    page.write_text(_PAGE.format(body="\n".join(_sections(folder))), encoding="utf-8")
    return page


def _sections(folder: Path) -> Iterator[str]:
    for heading, patterns in _PARTS:
        files = sorted(path for one in patterns for path in folder.glob(one))
        if not files:
            continue
        yield f"<h2>{escape(heading)}</h2>"
        shown = [path for path in files if path.suffix in _SHOWN and path.name not in _TWICE]
        for path in shown:
            yield f'<p>{escape(path.stem)}<br><img src="{_link(path, folder)}" alt=""></p>'
        if links := [path for path in files if path.suffix not in _SHOWN]:
            items = (f'<li><a href="{_link(one, folder)}">{escape(one.name)}</a>' for one in links)
            yield f"<ul>{''.join(items)}</ul>"


def _link(path: Path, folder: Path) -> str:
    return escape(path.relative_to(folder).as_posix())
