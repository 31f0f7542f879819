# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Runs OpenSCAD, to generate solids (which may be empty) and pictures."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

Settings = Mapping[str, str | float]
"""Variables of the .scad file, with values other than those in the file."""

_MISSING = "{} is missing. Install what the cases need with: sudo apt install openscad xvfb xauth"
_EMPTY = "Current top level object is empty"


class CaseError(Exception):
    """A part can't be made. The message has its name and the reason."""


def render(scad: Path, settings: Settings, into: Path, *, exact: bool = False) -> bool:
    """Writes the solid of the .scad file as text STL or, with `exact`, as binary STL, which has
    seven digits instead of six. Returns False, and writes no file, if the solid is empty. Raises
    CaseError if OpenSCAD fails or warns."""
    command = [
        f"--export-format={'binstl' if exact else 'asciistl'}",
        "-o",
        str(into),
        *_definition_options(settings),
        str(scad),
    ]
    done = _run(["openscad", *command], scad)
    return _EMPTY not in done.stderr


def picture(scad: Path, settings: Settings, into: Path, turned: float) -> None:
    """Draws a PNG of the parts seen from above, rotated by `turned` degrees. Raises CaseError."""
    view = ["--imgsize=1400,1100", f"--camera=0,0,0,58,0,{turned:g},420", "--viewall"]
    command = ["openscad", *view, "--autocenter", "--colorscheme=Tomorrow", "-o", str(into)]
    _run(["xvfb-run", "-a", *command, *_definition_options(settings), str(scad)], scad)


def _definition_options(settings: Settings) -> list[str]:
    words = []
    for name, value in settings.items():
        words += ["-D", f'{name}="{value}"' if isinstance(value, str) else f"{name}={value}"]
    return words


def _run(command: list[str], scad: Path) -> "subprocess.CompletedProcess[str]":
    for tool in (command[0], "openscad"):
        if shutil.which(tool) is None:
            raise CaseError(_MISSING.format(tool))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    told = [line for line in done.stderr.splitlines() if line.startswith(("WARNING", "ERROR"))]
    # OpenSCAD ends with 1 for an empty solid too. If an assertion fails, it prints an error and
    # also that the solid is empty.
    if told or (done.returncode and _EMPTY not in done.stderr):
        raise CaseError(f"{scad.name}: {told[0] if told else done.stderr.strip()[-200:]}")
    return done
