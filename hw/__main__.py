# SPDX-License-Identifier: CERN-OHL-P-2.0
"""`python -m hw` makes everything needed to build the box, in build/hw. `python -m hw guide`
updates the generated parts of the guide."""

import argparse
import sys
from pathlib import Path

from hw.case_make import CASES, make_prints
from hw.drawing import draw_wiring, wireviz_text
from hw.fit import check_fit
from hw.guide import write_generated
from hw.header import draw_header
from hw.openscad import CaseError
from hw.page import BUILD, write_page
from hw.wiring import harnesses


def main() -> int:
    """Runs the command; returns 0, or 1 if something can't be made, with a message on standard
    error."""
    parser = argparse.ArgumentParser(prog="python -m hw", description=__doc__)
    parser.add_argument("what", nargs="?", default="all", choices=("all", "case", "guide"))
    try:
        _MAKERS[parser.parse_args().what]()
    except CaseError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def make_all(folder: Path) -> None:
    """Draws the wiring, makes the printed parts, checks that everything fits, and writes a page
    that shows it. Raises CaseError."""
    (folder / "wiring").mkdir(parents=True, exist_ok=True)
    for harness in harnesses():
        print(f"wiring: {harness.title}")
        draw_wiring(wireviz_text(harness), folder / "wiring", harness.name)
        draw_header(harness).save(folder / "wiring" / f"{harness.name}-pins.png")
    make_cases(folder)
    print(f"all of it: {write_page(folder)}")


def make_cases(folder: Path) -> None:
    """Makes the printed parts, and checks that everything fits. Raises CaseError."""
    (folder / "case").mkdir(parents=True, exist_ok=True)
    print("case: what is to be printed")
    make_prints(folder / "case")
    for case in CASES:
        displays = " ".join(case.choices.get("oled_model", ()))
        print(f"case: does everything fit into {case.scad.stem} {displays}?")
        check_fit(case)


_MAKERS = {
    "all": lambda: make_all(BUILD),
    "case": lambda: make_cases(BUILD),
    "guide": write_generated,
}


if __name__ == "__main__":
    sys.exit(main())
