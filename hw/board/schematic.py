# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Draws the circuit from the netlist, as a KiCad sheet for people to read, with a label at every
pin."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from hw.board.layout import LAYOUT, BoardPart, Point, key_centres, parts
from hw.board.sexp import Node, each, parse, value

STEP = 1.27
"""The pitch of the sheet's grid, in mm."""

_PLACES: dict[str, Point] = {
    "J1": (330.2, 101.6),
    "J2": (71.12, 190.5), "JP1": (116.84, 182.88), "JP2": (116.84, 205.74),
    "SW17": (200.66, 182.88), "J3": (205.74, 200.66),
    "D1": (198.12, 220.98), "D2": (198.12, 236.22),
    "R1": (292.1, 205.74), "Q1": (335.28, 205.74), "BZ1": (358.14, 182.88), "D3": (363.22, 218.44),
}  # fmt: skip
_HEADINGS = (
    ("Sixteen keys, each between its GPIO and ground (the pull-ups are the Pi's)", (33.02, 27.94)),
    ("Raspberry Pi, below the board", (287.02, 27.94)),
    ("Display: both jumpers to A for GND VCC SCL SDA, to B for VCC GND SCL SDA", (33.02, 167.64)),
    ("Power key: wakes by SCL, shuts down by POWER_OFF", (172.72, 167.64)),
    ("Buzzer, active, 5 V", (287.02, 167.64)),
)
_SHEET = str(uuid5(NAMESPACE_URL, "table-companion/board"))


def places() -> dict[str, Point]:
    """Returns the place of each part on the sheet, in mm; the keys are arranged as on the board."""
    found = dict(_PLACES)
    (x, y), pitch = LAYOUT["keys"]["first"], LAYOUT["keys"]["pitch"]
    centres = key_centres()
    for part in parts():
        if part.value in centres and part.ref not in found:
            column, row = (
                round((centres[part.value][i] - (x, y)[i]) / pitch) for i in (0, 1)
            )  # fmt: skip
            found[part.ref] = (53.34 + 60.96 * column, 43.18 + 27.94 * row)
    return found


def draw(nets: Mapping[tuple[str, str], str], symbols: Path) -> str:
    """Returns the text of the sheet's file. `symbols`: the folder of KiCad's symbol libraries."""
    drawings = {part.symbol: _drawing(symbols, part.symbol) for part in parts()}
    where = places()
    lines = [
        '(kicad_sch (version 20250114) (generator "eeschema") (generator_version "9.0")',
        f'(uuid "{_SHEET}") (paper "A3")',
        '(title_block (title "Table companion: sixteen keys, display, buzzer") (rev "1"))',
        "(lib_symbols",
        *(drawings[name] for name in sorted(drawings)),
        ")",
    ]
    for words, (x, y) in _HEADINGS:
        lines.append(
            f'(text "{words}" (exclude_from_sim no) (at {x} {y} 0)'
            f" (effects (font (size 2 2)) (justify left)) {_uuid(words)})"
        )
    for part in parts():
        symbol = parse(drawings[part.symbol])
        lines += _labels(part.ref, symbol, where[part.ref], nets)
        lines.append(_part(part, symbol, where[part.ref]))
    lines.append('(sheet_instances (path "/" (page "1")))')
    return "\n".join([*lines, ")"]) + "\n"


def _drawing(symbols: Path, name: str) -> str:
    """Returns a symbol's text from its library, under its name in a sheet. Raises ValueError if the
    library has no such symbol, or only one that extends another."""
    library, item = name.split(":")
    text = (symbols / f"{library}.kicad_sym").read_text(encoding="utf-8")
    found = re.search(
        rf'^\t\(symbol "{re.escape(item)}"\n.*?^\t\)$', text, re.DOTALL | re.MULTILINE
    )
    if found is None or '(extends "' in found[0]:
        raise ValueError(f"{name} is not a symbol of its own in KiCad's library")
    return found[0].replace(f'(symbol "{item}"', f'(symbol "{name}"', 1)


def _pins(symbol: Node) -> Iterator[tuple[str, Point, int]]:
    """Yields the number, place and direction of each pin; y counts upwards, as in the library."""
    for unit in each(symbol, "symbol"):
        for pin in each(unit, "pin"):
            at = next(each(pin, "at"))
            number = value(pin, "number")
            yield number, (float(str(at[1])), float(str(at[2]))), int(str(at[3]))


def _labels(
    ref: str, symbol: Node, where: Point, nets: Mapping[tuple[str, str], str]
) -> Iterator[str]:
    """Yields a label for each pin that is on a net, and a cross for every other pin."""
    seen = set()
    for number, (x, y), turn in _pins(symbol):
        spot = round(where[0] + x, 2), round(where[1] - y, 2)
        if spot in seen:  # pins with one name are drawn in one place
            continue
        seen.add(spot)
        net = nets.get((ref, number))
        name = _uuid(f"{ref}/{number}/net")
        if net is None:
            yield f"(no_connect (at {spot[0]} {spot[1]}) {name})"
            continue
        away = (turn + 180) % 360
        side = "right" if away in (180, 270) else "left"
        yield (
            f'(global_label "{net}" (shape passive) (at {spot[0]} {spot[1]} {away})'
            f" (effects (font (size 1.27 1.27)) (justify {side})) {name})"
        )


def _part(part: BoardPart, symbol: Node, where: Point) -> str:
    """Returns the text that puts a part on the sheet: its symbol, place, name, value and
    footprint."""
    told = {str(one[1]): one for one in each(symbol, "property")}
    lines = [
        f'(symbol (lib_id "{part.symbol}") (at {where[0]} {where[1]} 0) (unit 1)'
        f" (exclude_from_sim no) (in_bom {'yes' if part.what else 'no'}) (on_board yes) (dnp no)"
        f" {_uuid(part.ref)}"
    ]
    values = {"Reference": part.ref, "Value": part.value, "Footprint": part.footprint}
    for name, words in values.items():
        at = next(each(told[name], "at"))
        x, y = where[0] + float(str(at[1])), where[1] - float(str(at[2]))
        hide = " (hide yes)" if name == "Footprint" else ""
        just = " ".join(str(word) for node in each(told[name], "effects")
                        for one in each(node, "justify") for word in one[1:])  # fmt: skip
        lines.append(
            f'(property "{name}" "{words}" (at {x:g} {y:g} {at[3]})'
            f" (effects (font (size 1.27 1.27)){f' (justify {just})' if just else ''}{hide}))"
        )
    lines += [f'(pin "{number}" {_uuid(f"{part.ref}/{number}")})' for number, _, _ in _pins(symbol)]
    lines.append(
        f'(instances (project "board" (path "/{_SHEET}" (reference "{part.ref}") (unit 1)))))'
    )
    return "\n".join(lines)


def _uuid(what: str) -> str:
    """Returns an id for one item on the sheet, always the same."""
    return f'(uuid "{uuid5(NAMESPACE_URL, f"table-companion/board/{what}")}")'
