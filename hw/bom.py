# SPDX-License-Identifier: CERN-OHL-P-2.0
"""What to order, from bom.csv: one row for each part, one column for each way to build.

All ways share one file, so that a price or a substitute stands in only one place. Each way is a
column with the quantities that it takes.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from hw.tables import markdown

FILE = Path(__file__).parent / "bom.csv"
WAYS = {
    "pad": "number pad and TV",
    "hat": "ready-made display board",
    "keypad": "matrix keypad and jumper wires",
    "board": "sixteen keys on the circuit board",
    "seat": "keypad at a seat (each)",
}
COLUMNS = ("part", *WAYS, "price_eur", "order", "instead")


@dataclass(frozen=True, slots=True)
class Part:
    """A part. `price`: typical for one piece, in euros, without postage. `order`: the maker's part
    number, or a description that finds it; `instead`: substitutes."""

    name: str
    quantities: dict[str, int]
    price: Decimal
    order: str
    instead: str


def load_bom() -> tuple[Part, ...]:
    """All parts. Raises ValueError or KeyError if the file is not as it should be."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    if tuple(rows.fieldnames or ()) != COLUMNS:
        raise ValueError(f"{FILE.name}: the columns must be {', '.join(COLUMNS)}")
    return tuple(
        Part(
            row["part"],
            {way: int(row[way]) for way in WAYS},
            Decimal(row["price_eur"]),
            row["order"],
            row["instead"],
        )
        for row in rows
    )


def parts_for(way: str) -> Iterator[tuple[int, Part]]:
    """The parts that one way takes, each with its quantity."""
    return ((part.quantities[way], part) for part in load_bom() if part.quantities[way])


def cost(way: str) -> Decimal:
    """What the parts of one way cost, in euros."""
    return sum((quantity * part.price for quantity, part in parts_for(way)), Decimal())


def parts_table(way: str) -> str:
    """The shopping list of one way in Markdown."""
    rows = [
        (quantity, part.name, f"{quantity * part.price:.2f}", part.order, part.instead)
        for quantity, part in parts_for(way)
    ]
    head = ("pieces", "part", "about €", "order", "or")
    return markdown(head, (*rows, ("", "**together**", f"**{cost(way):.2f}**", "", "")))


def cost_table() -> str:
    """The cost of each way, rounded to whole euros, as a table in Markdown."""
    return markdown(("way", "about €"), ((what, f"{cost(way):.0f}") for way, what in WAYS.items()))
