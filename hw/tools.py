# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Reports the missing programs, all at once and before anything is made: `python -m hw.tools all`.
Plain Python that needs nothing installed."""

import os
import shutil
import sys
from collections.abc import Callable

Find = Callable[[str], str | None]

PACKAGES = {
    "openscad": "openscad",
    "xvfb-run": "xvfb",
    "xauth": "xauth",
    "dot": "graphviz",
    "kicad-cli": "kicad kicad-symbols kicad-footprints",
    "mmdebstrap": "mmdebstrap",
}
"""The Debian package of each program."""
_FOR_PRINTS = ("openscad",)
PICTURES = ("openscad", "xvfb-run", "xauth", "dot")
NEEDED = {"case": _FOR_PRINTS, "guide": PICTURES, "all": PICTURES, "board": ()}
"""The programs needed for each thing that can be made; `all` and `board` also need KiCad 9."""


def find(program: str) -> str | None:
    """Returns the program's path, also searching the administrators' folders; None if it is
    missing."""
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def missing(what: str, found: Find = find, root: bool | None = None) -> list[str]:
    """Returns the programs missing for making `what`, each with its package."""
    lacks = [program for program in NEEDED[what] if not found(program)]
    lines = [f"{program} (sudo apt install {PACKAGES[program]})" for program in lacks]
    if what in ("all", "board") and not found("kicad-cli"):
        is_root = os.geteuid() == 0 if root is None else root
        if not (is_root and found("mmdebstrap")):
            lines.append(
                "KiCad 9 for the circuit board: Debian 13 has it (sudo apt install "
                f"{PACKAGES['kicad-cli']}); or mmdebstrap, and sudo for this command"
            )
    return lines


def main(what: str) -> int:
    """Runs the command; returns 0, or 1 with a list on standard error if something is missing."""
    if not (lines := missing(what)):
        return 0
    print("Missing:", *(f"- {line}" for line in lines), sep="\n", file=sys.stderr)
    if what == "all":
        print("Without KiCad there are still: make case, make guide", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
