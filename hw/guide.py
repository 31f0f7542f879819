# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Everything in the repository that is generated: the wiring files, the tables in the building
guide, the cases' dimensions, the pictures. `python -m hw guide` writes it; a test compares it.

In the guide a table stands between `<!-- pins: keypad-4x4 -->` and `<!-- end -->`. Only what stands
there is replaced.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.devices.board import Matrix
from companion.devices.board_file import load_board
from hw.bom import cost_table, parts_table
from hw.displays import display_table
from hw.drawing import wireviz_text, wiring_file
from hw.legends import FILE as LEGENDS
from hw.legends import legends_svg
from hw.parts import SCAD, parts_scad
from hw.pictures import pictures
from hw.tables import label_table, pin_table
from hw.wiring import harnesses

GUIDE = Path(__file__).parent / "README.md"
_MARKED = re.compile(r"(<!-- (\w+): (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _pins(name: str) -> str:
    return pin_table(next(one for one in harnesses() if one.name == name))


def _labels(name: str) -> str:
    keys = load_board(name).keys
    if not isinstance(keys, Matrix):
        raise TypeError(f"{name} has no matrix keypad to label")
    return label_table(keys)


_MAKERS: dict[str, Callable[[str], str]] = {
    "pins": _pins,
    "labels": _labels,
    "parts": parts_table,
    "cost": lambda _: cost_table(),
    "displays": lambda _: display_table(),
}


def renewed(text: str) -> str:
    """The guide with its tables renewed. Raises KeyError for a mark that isn't known."""
    return _MARKED.sub(lambda m: f"{m[1]}\n{_MAKERS[m[2]](m[3])}\n{m[4]}", text)


def generated() -> Iterator[tuple[Path, str]]:
    """Every generated text file of the repository, with the text that it should have."""
    for harness in harnesses():
        yield wiring_file(harness), wireviz_text(harness)
    yield SCAD, parts_scad()
    yield LEGENDS, legends_svg()
    yield GUIDE, renewed(GUIDE.read_text(encoding="utf-8"))


def write_generated() -> None:
    """Writes all generated files, and draws the pictures that are out of date."""
    for path, text in generated():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for picture in pictures():
        if not picture.is_fresh:
            picture.renew()
