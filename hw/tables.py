# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Generates Markdown tables of a harness's wires, in the order in which people plug them in, and of
relabelled keys."""

from collections.abc import Iterable, Iterator, Sequence

from companion.devices.board import MatrixKeys
from hw.wiring import Harness, Loom, Wire

PRINTED = ("123A", "456B", "789C", "*0#D")
"""What is printed on the keys of the common 4×4 keypads, row by row."""

COLOUR_NAMES = {
    "BN": "brown", "RD": "red", "OG": "orange", "YE": "yellow", "GN": "green", "BU": "blue",
    "VT": "violet", "GY": "grey", "WH": "white", "BK": "black",
}  # fmt: skip


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns a table in Markdown, with a line feed at its end."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)


def pin_table(harness: Harness) -> str:
    """Returns a table of all wires of a harness, part by part."""
    if harness.plugged:
        head = ("pin of the header", "called", f"on the {harness.title}")
        return markdown(head, ((w.start.number, w.start.label, w.end.label) for w in harness.wires))
    computer = "Pico" if harness.header.prefix == "GP" else "Pi"
    return "\n".join(
        f"**{loom.part}.** {loom.note}".rstrip() + f"\n\n{_wires(loom, computer)}"
        for loom in harness.looms
    )


def relabelled_keys(keys: MatrixKeys) -> Iterator[tuple[str, str]]:
    """Yields, for each key whose printed label differs from its meaning, that label and the label
    that it needs."""
    printed = (word for row in PRINTED for word in row)
    pairs = zip(printed, (key.value for row in keys.layout for key in row), strict=True)
    return ((a, b) for a, b in pairs if a != b)


def label_table(keys: MatrixKeys) -> str:
    """Returns a table of the keys whose printed label differs from their meaning."""
    return markdown(("printed", "label"), ((f"`{a}`", b) for a, b in relabelled_keys(keys)))


def _wires(loom: Loom, computer: str) -> str:
    head = (f"pin of the {computer}", "called", "colour", "goes to")
    return markdown(head, (_row(wire, loom.numbered) for wire in loom.wires))


def _row(wire: Wire, numbered: bool) -> tuple[object, ...]:
    end = f"contact {wire.end.number}, {wire.end.label}" if numbered else wire.end.label
    through = f", through {wire.ohms} Ω" if wire.ohms else ""
    return wire.start.number, wire.start.label, COLOUR_NAMES[wire.colour], end + through
