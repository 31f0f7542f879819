# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Generates the derived files in the repository: the wiring files, the tables and shared text of
the building guide's pages, the cases' dimensions, the pictures. `python -m hw guide` writes them; a
test checks that they are up to date.

On a page a table is between `<!-- pins: keypad-4x4 -->` and `<!-- end -->`. Only what is between
such marks is replaced.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.devices.board import MatrixKeys, load_board
from hw.bom import choices_table, cost_table, parts_table, sockets_table
from hw.choices import prints_table, settings_table
from hw.displays import display_table
from hw.drawing import wireviz_text, wiring_file
from hw.legends import FILE as LEGENDS
from hw.legends import legends_svg
from hw.parts import SCAD, parts_scad
from hw.pictures import pictures
from hw.screen import FILE as SCREEN
from hw.screen import screen_scad
from hw.tables import label_table, pin_table
from hw.ways import WAYS
from hw.wiring import harnesses

HW = Path(__file__).parent
GUIDE = HW / "README.md"
PAGES = (GUIDE, *(HW / way.page for way in WAYS.values()), HW / "voice.md")
"""The pages of the building guide; the first leads to the others."""
SHARED = HW / "shared.md"
_MARKED = re.compile(r"(<!-- (\w+): (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _pins(name: str) -> str:
    return pin_table(next(one for one in harnesses() if one.name == name))


def _labels(name: str) -> str:
    keys = load_board(name).keys
    if not isinstance(keys, MatrixKeys):
        raise TypeError(f"{name} has no matrix keypad to label")
    return label_table(keys)


def _shared(name: str) -> str:
    """Returns the text in shared.md under the heading `name`."""
    parts = re.split(r"^# (.+)\n+", SHARED.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[name].strip() + "\n"


_MAKERS: dict[str, Callable[[str], str]] = {
    "pins": _pins,
    "labels": _labels,
    "parts": parts_table,
    "cost": lambda _: cost_table(),
    "choices": choices_table,
    "sockets": sockets_table,
    "prints": prints_table,
    "settings": settings_table,
    "displays": lambda way: display_table(WAYS[way].boards),
    "shared": _shared,
}


def with_tables_renewed(text: str) -> str:
    """Returns a page with its tables and shared text updated. Raises KeyError for an unknown
    mark."""
    return _MARKED.sub(lambda m: f"{m[1]}\n{_MAKERS[m[2]](m[3])}\n{m[4]}", text)


def generated() -> Iterator[tuple[Path, str]]:
    """Yields every generated text file of the repository, with the text that it should have."""
    for harness in harnesses():
        yield wiring_file(harness), wireviz_text(harness)
    yield SCAD, parts_scad()
    yield LEGENDS, legends_svg()
    yield SCREEN, screen_scad()
    for page in PAGES:
        yield page, with_tables_renewed(page.read_text(encoding="utf-8"))


def write_generated() -> None:
    """Writes all generated files, and draws the outdated pictures."""
    for path, text in generated():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for picture in pictures():
        if not picture.is_fresh:
            picture.renew()
