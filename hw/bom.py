# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The parts to order, from bom.csv: one row for each part, one column for each way to build.

All ways share one file, so that a price or a substitute is in one place only. The column `for` has
the choices of ways.py that need the part.
"""

import csv
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from itertools import product
from pathlib import Path

from hw.tables import markdown
from hw.ways import COMPUTERS, SCREENS, SEATS, WAYS, Choice, choices, recommended

FILE = Path(__file__).parent / "bom.csv"
FOR_ALL_SEATS = "seats"
"""The column for parts that all seat keypads share."""
COLUMNS = ("part", *WAYS, FOR_ALL_SEATS, "for", "price_eur", "order", "instead")
_TITLES = {
    **{name: one.title for name, one in COMPUTERS.items()},
    **{name: one.title for name, one in SCREENS.items()},
}


@dataclass(frozen=True, slots=True)
class Part:
    """A part. `wanted_by`: the computers and screens that need it, and `optional`; empty if every
    choice needs it. `price`: a typical price of one piece, in euros, without postage. `order`: the
    maker's part number, or a description that finds it; `instead`: substitutes."""

    name: str
    quantities: dict[str, int]
    wanted_by: frozenset[str]
    price: Decimal
    order: str
    instead: str

    @property
    def needed_by(self) -> str:
        """The computers and screens that need this part, and “optional”, as text; empty if every
        choice needs it."""
        groups = (
            " or ".join(
                _TITLES[name].removeprefix("Raspberry ") for name in known if name in self.wanted_by
            )
            for known in (COMPUTERS, SCREENS)
        )
        words = [" with ".join(group for group in groups if group)]
        words += ["optional"] if "optional" in self.wanted_by else []
        return ", ".join(word for word in words if word)


@cache
def load_bom() -> tuple[Part, ...]:
    """Returns all parts. Raises ValueError or KeyError if the file is invalid."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    if tuple(rows.fieldnames or ()) != COLUMNS:
        raise ValueError(f"{FILE.name}: the columns must be {', '.join(COLUMNS)}")
    return tuple(
        Part(
            row["part"],
            {column: int(row[column]) for column in (*WAYS, FOR_ALL_SEATS)},
            frozenset(row["for"].split()),
            Decimal(row["price_eur"]),
            row["order"],
            row["instead"],
        )
        for row in rows
    )


def parts_of(way: str) -> list[tuple[int, Part]]:
    """Returns all parts that a way to build may need, each with its quantity: those for every
    choice, the optional ones, and those that all seats share."""
    columns = (way, FOR_ALL_SEATS) if way == "seat" else (way,)
    return [
        (part.quantities[column], part)
        for column, part in product(columns, load_bom())
        if part.quantities[column]
    ]


def parts_for(choice: Choice) -> list[tuple[int, Part]]:
    """Returns the parts that a choice needs, each with its quantity."""
    return [(number, part) for number, part in parts_of(choice.way) if choice.needs(part.wanted_by)]


def cost(choice: Choice, seats: int = 1) -> Decimal:
    """Returns the cost of a choice's parts, in euros. `seats`: the number of seat keypads."""
    return sum(
        (
            number * part.price * (1 if part.quantities[FOR_ALL_SEATS] else seats)
            for number, part in parts_for(choice)
        ),
        Decimal(),
    )


def choice_title(choice: Choice) -> str:
    """Returns the choice in words: the computer and, if there is one, the screen."""
    return " with ".join(_TITLES[name] for name in (choice.computer, choice.screen) if name)


def parts_table(way: str) -> str:
    """Returns the shopping list for one way to build, in Markdown, with the cost of the recommended
    choice."""
    rows = [
        (number, part.name, part.needed_by, f"{number * part.price:.2f}", part.order, part.instead)
        for number, part in parts_of(way)
    ]
    first = recommended(way)
    head = ("pieces", "part", "for", "about €", "order", "or")
    total = ("", "**together**", choice_title(first), f"**{cost(first):.2f}**", "", "")
    return markdown(head, (*rows, total))


def choices_table(way: str) -> str:
    """Returns a Markdown table with the cost of each choice for a way to build, in whole euros."""
    head = ("", *(one.title for one in COMPUTERS.values()))
    if way == "seat":
        rows = [
            (f"{seats} keypad{'s' * (seats > 1)}", *_costs(way, "", seats))
            for seats in range(1, SEATS + 1)
        ]
    else:
        rows = [(SCREENS[screen].title, *_costs(way, screen)) for screen in WAYS[way].boards]
    return markdown(head, rows)


def _costs(way: str, screen: str, seats: int = 1) -> list[str]:
    choice = recommended(way)
    return [
        f"{cost(replace(choice, computer=name, screen=screen), seats):.0f}" for name in COMPUTERS
    ]


def cost_table() -> str:
    """Returns a Markdown table with the costs of the cheapest and the dearest choice for each way
    to build, in whole euros."""
    rows = []
    for name, way in WAYS.items():
        costs = [cost(choice) for choice in choices(name)]
        rows.append((way.title, f"{min(costs):.0f}", f"{max(costs):.0f}"))
    return markdown(("way", "from €", "to €"), rows)


def sockets_table(way: str) -> str:
    """Returns a Markdown table with the USB hub that each Raspberry Pi needs for number pads or
    keypads."""
    what = "keypads" if way == "seat" else "number pads"
    hubs = [part for _, part in parts_of(way) if "hub" in part.name]
    rows = []
    for name, one in COMPUTERS.items():
        (hub, *_) = [part.name for part in hubs if name in part.wanted_by] or ["none"]
        rows.append((one.title, one.sockets, hub if one.sockets < SEATS else "none"))
    return markdown(("Raspberry Pi", "USB sockets", f"hub for up to {SEATS} {what}"), rows)
