"""The interactive page for soldering the circuit board: a part tapped in the list lights up on the
board, and placed parts are ticked off. InteractiveHtmlBom (MIT) makes it, in KiCad's own Python."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from hw.board.kicad import Kicad

PROGRAM = "InteractiveHtmlBom==2.12.0"
"""The program, installed without the packages that only its windows need."""
BOARD = "companion-board.kicad_pcb"
"""The board's file; the page's title is its name."""
PAGE = "companion-board"
OPTIONS = (
    "--no-browser",
    *("--dest-dir", ".", "--name-format", PAGE),
    *("--checkboxes", "Placed", "--mark-when-checked", "Placed"),
    *("--highlight-pin1", "all", "--blacklist", "MH*", "--no-compression"),
)


def make_parts_page(tool: Kicad, board: Path, into: Path) -> None:
    """Writes `companion-board.html`, and the licence of the program's parts in it. Raises
    KicadError, or CalledProcessError if the program can't be fetched."""
    programs = tool.work / "programs"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", programs, PROGRAM],
        check=True,
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        capture_output=True,
    )
    shutil.copy(board, tool.work / BOARD)
    tool.run(
        *("env", "INTERACTIVE_HTML_BOM_NO_DISPLAY=1", f"PYTHONPATH={_inside(tool, programs)}"),
        *("python3", "-m", "InteractiveHtmlBom.generate_interactive_bom", *OPTIONS, BOARD),
    )
    shutil.copy(tool.work / f"{PAGE}.html", into)
    (licence,) = programs.glob("*.dist-info/**/LICENSE*")
    shutil.copy(licence, into / f"{PAGE}-licence.txt")


def _inside(tool: Kicad, path: Path) -> str:
    """Returns the path at which KiCad, with its own root folder, sees this file."""
    return f"/{path.relative_to(tool.root)}"
