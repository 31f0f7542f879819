# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Writes dimensions for OpenSCAD: each section of case/parts.toml, and of the circuit board's
layout, becomes a list of names and values, which get() in case/shell.scad reads."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

CASE = Path(__file__).parent / "case"
SCAD = CASE / "parts.scad"
_LAYOUT = Path(__file__).parent / "board" / "layout.toml"
_HEAD = """\
// SPDX-License-Identifier: CERN-OHL-P-2.0
// Generated from parts.toml and ../board/layout.toml by `make guide`: change it there.
"""


def parts_scad() -> str:
    """Returns the text of parts.scad."""
    return "".join(
        (
            _HEAD,
            *_lists(CASE / "parts.toml", ""),
            "\n// The circuit board.\n",
            *_lists(_LAYOUT, "pcb_"),
        )
    )


def _lists(file: Path, prefix: str) -> Iterator[str]:
    for name, part in tomllib.loads(file.read_text(encoding="utf-8")).items():
        yield f"{prefix}{name} = [\n"
        for key, value in part.items():
            if key != "source":
                yield f'    ["{key}", {json.dumps(value)}],\n'
        yield "];\n"
