# SPDX-License-Identifier: CERN-OHL-P-2.0
"""`python -m hw`: everything that one needs to build the box, in build/hw. `python -m hw guide`:
renews what the guide shows."""

import argparse
import sys
from html import escape
from pathlib import Path

from hw.case_make import CASES, check_fit, make_prints, prints
from hw.drawing import draw_wiring, wireviz_text
from hw.guide import write_generated
from hw.openscad import CaseError
from hw.pictures import FOLDER as PICTURES
from hw.wiring import harnesses

BUILD = Path(__file__).parent.parent / "build" / "hw"
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Building the table companion</title>
<style>body{{font:16px sans-serif;max-width:60em;margin:2em auto}}img{{max-width:100%}}</style>
<h1>Building the table companion</h1>
<p>How to put it together: <a href="{guide}">hw/README.md</a></p>
<h2>To print</h2><ul>{prints}</ul>
<h2>Pictures</h2>{pictures}
<h2>Wiring</h2>{wiring}
</html>
"""


def main() -> int:
    """Does it; 0: all well, 1: something can't be made, and standard error says what."""
    parser = argparse.ArgumentParser(prog="python -m hw", description=__doc__)
    parser.add_argument("what", nargs="?", default="all", choices=("all", "guide"))
    try:
        write_generated() if parser.parse_args().what == "guide" else make_all(BUILD)
    except CaseError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def make_all(folder: Path) -> None:
    """Draws the wiring, makes what is to be printed, checks that everything fits, and writes a page
    that shows it. Raises CaseError."""
    for name in ("wiring", "case"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for harness in harnesses():
        print(f"wiring: {harness.title}")
        draw_wiring(wireviz_text(harness), folder / "wiring", harness.name)
    print("case: what is to be printed")
    make_prints(folder / "case")
    for case in CASES:
        print(f"case: does everything fit into {case.scad.stem}?")
        check_fit(case)
    (folder / "index.html").write_text(_page(), encoding="utf-8")
    print(f"all of it: {folder / 'index.html'}")


def _page() -> str:
    up = "../../hw"
    stls = [f"case/{one.name}.stl" for one in prints()]
    shown = [path.name for path in sorted(PICTURES.glob("*.png")) if "wiring" not in path.name]
    return _PAGE.format(
        guide=f"{up}/README.md",
        prints="".join(f'<li><a href="{stl}">{escape(stl)}</a></li>' for stl in stls),
        pictures="".join(f'<p><img src="{up}/pictures/{name}" alt="{name}"></p>' for name in shown),
        wiring="".join(
            f'<h3>{escape(one.title)}</h3><img src="wiring/{one.name}.svg" alt="">'
            for one in harnesses()
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
