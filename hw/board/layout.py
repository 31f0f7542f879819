# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The parts of the circuit board and their places, read from layout.toml and parts.toml. Plain
Python, so that KiCad's own Python can import it too."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BOARDS = HERE.parent / "boards"

Point = tuple[float, float]
"""A point: the millimetres to the right of the far left corner, and those from there towards the
players."""


def read(path: Path) -> dict[str, Any]:
    """Returns the content of a TOML file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


LAYOUT = read(HERE / "layout.toml")


@dataclass(frozen=True, slots=True)
class BoardPart:
    """A part. `ref`: its name on the board; `value`: its value in the circuit; `what`: the article
    to buy, empty if there is none."""

    ref: str
    symbol: str
    footprint: str
    value: str
    what: str = ""
    maker: str = ""
    number: str = ""
    instead: str = ""


def key_pins() -> dict[str, int]:
    """Returns the GPIO number of each of the sixteen keys, by the key's name, from the board file
    that the program reads too."""
    pins: dict[str, int] = read(BOARDS / "keys-16.toml")["keys"]["pins"]
    return pins


def extra_pins() -> dict[str, int]:
    """Returns the GPIO numbers that the board uses for things other than keys: `power_off` and
    `buzzer`."""
    pins: dict[str, int] = read(HERE / "parts.toml")["pins"]
    return {**pins, "buzzer": read(BOARDS / "keys-16.toml")["buzzer"]["pin"]}


def parts() -> list[BoardPart]:
    """Returns every part of the board. The sixteen keys come first, in the order of `key_pins`."""
    told = read(HERE / "parts.toml")
    told.pop("pins")
    keys = told.pop("keys")
    found = [BoardPart(f"SW{i}", value=key, **keys) for i, key in enumerate(key_pins(), start=1)]
    for ref, one in told.items():
        found.append(BoardPart(ref, **told.get(one.get("same"), one)))
    return found


def bill() -> list[tuple[list[str], BoardPart]]:
    """Returns the shopping list for one board: for each article, the names of the parts that it is
    bought for, and one of these parts."""
    found: dict[str, tuple[list[str], BoardPart]] = {}
    for part in parts():
        if part.what:
            found.setdefault(part.what, ([], part))[0].append(part.ref)
    return list(found.values())


def key_centres() -> dict[str, Point]:
    """Returns the centre of each key by the key's name, in the order of the matrix keypad."""
    rows = read(BOARDS / "keypad-4x4.toml")["keys"]["layout"]
    (x, y), pitch = LAYOUT["keys"]["first"], LAYOUT["keys"]["pitch"]
    return {
        key: (x + pitch * column, y + pitch * row)
        for row, keys in enumerate(rows)
        for column, key in enumerate(keys)
    }


def holes() -> list[Point]:
    """Returns the centres of all screw holes, the Pi's first."""
    pi = LAYOUT["pi"]
    told = pi["holes"] + pi["holes_big"] + pi["holes_zero"] + LAYOUT["posts"]["holes"]
    return [(x, y) for x, y in told]
