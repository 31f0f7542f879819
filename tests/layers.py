"""Draws which packages import which: `python -m tests.layers` writes docs/layers.svg.

A row for each package, the highest layer first, and a column for each package; a square where a
module of the row's package imports one of the column's. All are right of the diagonal, as imports
go to lower layers only.
"""

from html import escape
from pathlib import Path

from tests.test_layers import LAYERS, MODULES, imports, part_of

DRAWING = Path(__file__).parents[1] / "docs" / "layers.svg"
CELL, LEFT, TOP = 27, 120, 96
"""Pixels: the side of a cell, the room for the names of rows, and for those of columns."""


def imports_between() -> set[tuple[str, str]]:
    """The pairs (part, imported part)."""
    return {
        (part, other)
        for module, path in MODULES.items()
        for imported in imports(path)
        if (part := part_of(module)) != (other := part_of(imported))
    }


def drawing() -> str:
    """The drawing as SVG."""
    found = imports_between()
    packages = [
        (number, package)
        for number, layer in reversed([*enumerate(LAYERS, start=1)])
        for package in sorted(layer, reverse=True)
    ]
    side = CELL * len(packages)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + side + 8}" '
        f'height="{TOP + side + 8}" font-family="sans-serif" font-size="12">',
        "<title>Which packages of companion import which</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    before = 0
    for at, (number, package) in enumerate(packages):
        x, y = LEFT + at * CELL, TOP + at * CELL
        if number != before:
            parts.append(
                f'<path d="M0 {y}H{LEFT + side}M{x} 0V{TOP + side}" stroke="#ccc" fill="none"/>'
                f'<text x="4" y="{y + 18}" fill="#777">{number}</text>'
            )
        before, name = number, escape(package)
        parts.append(
            f'<text x="{LEFT - 6}" y="{y + 18}" text-anchor="end">{name}</text>'
            f'<text transform="translate({x + 18} {TOP - 6}) rotate(-90)">{name}</text>'
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="#ddd"/>'
        )
        for column, (_, other) in enumerate(packages):
            if (package, other) in found:
                parts.append(
                    f'<rect x="{LEFT + column * CELL + 3}" y="{y + 3}" width="{CELL - 6}" '
                    f'height="{CELL - 6}" fill="#14507a"><title>{name} imports {escape(other)}'
                    "</title></rect>"
                )
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    DRAWING.write_text(drawing(), "utf-8")
