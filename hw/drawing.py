# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Writes a harness as a WireViz file, and draws that file as a picture.

The file is written without a YAML library, because it must come out equal on every machine, and
because only drawing it may need more packages than the program itself.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from hw.wiring import Harness, Loom

FOLDER = Path(__file__).parent / "wiring"
_HEAD = """\
# SPDX-License-Identifier: CERN-OHL-P-2.0
# Generated from hw/{source} by `make guide`: change it there.
"""
_OPTIONS = """
options:
  fontname: DejaVu Sans
  color_mode: full
  template_separator: "|"
"""


def wiring_file(harness: Harness) -> Path:
    """Returns the path of a harness's WireViz file."""
    return FOLDER / f"{harness.name}.yml"


def wireviz_text(harness: Harness) -> str:
    """Returns the text of a harness's WireViz file."""
    seat = harness.name == "seat-keypad"
    source = "seat-keypad.toml" if seat else f"boards/{harness.name}.toml"
    return "".join(
        (
            _HEAD.format(source=source),
            _OPTIONS,
            "\nconnectors:\n",
            *_computer(harness),
            *(line for loom in harness.looms for line in _part(loom)),
            *([] if harness.plugged else ["\ncables:\n"]),
            *([] if harness.plugged else [_cable(loom) for loom in harness.looms]),
            "\nconnections:\n",
            *(_connection(harness, loom) for loom in harness.looms),
        )
    )


def draw_wiring(text: str, folder: Path, name: str) -> None:
    """Draws name.svg and name.png into the folder, which must exist. Needs WireViz and graphviz's
    `dot`."""
    from wireviz.wireviz import parse

    parse(text, output_formats=("svg", "png"), output_dir=folder, output_name=name)


def _computer(harness: Harness) -> Iterator[str]:
    pins = {wire.start.number: wire.start.label for wire in harness.wires}
    yield _connector(harness.header.name, sorted(pins), [pins[at] for at in sorted(pins)])


def _part(loom: Loom) -> Iterator[str]:
    labels = [wire.end.label for wire in loom.wires] if loom.numbered else []
    yield _connector(loom.part, _ends(loom), labels, loom.note)


def _ends(loom: Loom) -> list[int] | list[str]:
    if loom.numbered:
        return [wire.end.number for wire in loom.wires]
    return [wire.end.label for wire in loom.wires]


def _connector(name: str, pins: list[int] | list[str], labels: list[str], note: str = "") -> str:
    lines = [f"  {_quoted(name)}:", "    show_pincount: false", f"    pins: {_quoted(pins)}"]
    if labels:
        lines.append(f"    pinlabels: {_quoted(labels)}")
    if note:
        lines.append(f"    notes: {_quoted(note)}")
    return "\n".join(lines) + "\n"


def _cable(loom: Loom) -> str:
    colours = ", ".join(wire.colour for wire in loom.wires)
    labels = [f"{wire.ohms} Ω" if wire.ohms else "" for wire in loom.wires]
    lines = [
        f"  {_quoted(_wires_to(loom))}:",
        "    category: bundle",
        "    show_name: false",
        "    show_wirecount: false",
        f"    wirecount: {len(loom.wires)}",
        f"    colors: [{colours}]",
    ]
    if any(labels):
        lines.append(f"    wirelabels: {_quoted(labels)}")
    return "\n".join(lines) + "\n"


def _connection(harness: Harness, loom: Loom) -> str:
    starts = [wire.start.number for wire in loom.wires]
    if harness.plugged:
        between = "    - -->\n"
    else:
        between = f"    - {_quoted(_wires_to(loom))}: [1-{len(loom.wires)}]\n"
    return (
        f"  -\n    - {_quoted(harness.header.name)}: {starts}\n"
        f"{between}    - {_quoted(loom.part)}: {_quoted(_ends(loom))}\n"
    )


def _wires_to(loom: Loom) -> str:
    return f"to {loom.part}"


def _quoted(what: str | list[str] | list[int]) -> str:
    """Returns the text or list as JSON, which is valid YAML."""
    return json.dumps(what, ensure_ascii=False)
