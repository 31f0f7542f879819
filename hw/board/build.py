# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Makes the circuit board: `python -m hw.board.build` writes everything into build/hw/board.

The circuit (SKiDL) gives a netlist, from which a sheet is drawn; KiCad exports its own netlist from
the sheet, and the board is made from that. Both of KiCad's checks have to pass before the files for
ordering are written.
"""

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hw.board import circuit, kicad, schematic
from hw.board.findings import findings, unexplained
from hw.board.kicad import Kicad, KicadError
from hw.board.layout import HERE, bill, parts
from hw.board.sexp import netlist
from hw.page import BUILD, write_page

SOURCE = HERE.parent.parent
OUT = BUILD / "board"
SHEET, BOARD, GERBERS = "board.kicad_sch", "board.kicad_pcb", "gerbers.zip"
PROJECT, PARTS = "board.kicad_pro", "parts.csv"
PICTURES = ("top.png", "bottom.png")
"""Pictures that are also stored in this folder, for people who only want to look; `--renew` writes
them."""
PICTURE = ("-w", "450", "--height", "600", "--background", "opaque")
RULES = {"min_clearance": 0.2, "min_track_width": 0.2, "min_hole_clearance": 0.25,
         "min_copper_edge_clearance": 0.5, "min_via_annular_width": 0.15}  # fmt: skip
"""KiCad's design rules, in mm. Even makers of cheap boards can keep stricter rules than these."""
SHEET_CHECKS = (
    "footprint_filter",
    "four_way_junction",
    "single_global_label",
    "unit_value_mismatch",
)
"""Checks of a sheet that KiCad makes only on request."""
LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.SilkS,B.SilkS,Edge.Cuts"


def make_circuit(tool: Kicad) -> None:
    """Makes the netlist with SKiDL, and the sheet drawn from it, in the working folder. Raises
    KicadError."""
    # SKiDL keeps global state and leaves files behind: it gets its own process and empty folder.
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            [sys.executable, "-m", circuit.__name__, str(tool.symbols)],
            cwd=scratch,
            env={**os.environ, "PYTHONPATH": str(SOURCE)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise KicadError(f"the circuit can't be made:\n{done.stdout}{done.stderr}")
        shutil.copy(Path(scratch, circuit.NETLIST), tool.work)
    nets = netlist((tool.work / circuit.NETLIST).read_text(encoding="utf-8"))
    (tool.work / SHEET).write_text(schematic.draw(nets, tool.symbols), encoding="utf-8")


def make_board(tool: Kicad) -> None:
    """Makes the board from the sheet in the working folder. Raises KicadError."""
    tool.run("kicad-cli", "sch", "export", "netlist", "-o", "sheet.net", SHEET)
    shutil.copytree(
        HERE.parent, tool.work / "source" / "hw", ignore=shutil.ignore_patterns("__pycache__")
    )
    tool.run("python3", "-m", "hw.board.place", "sheet.net", tool.footprints, BOARD)
    set_rules(tool.work / PROJECT)


def set_rules(project: Path) -> None:
    """Sets a project's design rules so that any board maker can make the board, and enables all of
    KiCad's checks."""
    told = json.loads(project.read_text(encoding="utf-8"))
    settings = told["board"]["design_settings"]
    settings["rules"] |= RULES
    severities = settings["rule_severities"]
    severities |= {what: "warning" for what, how in severities.items() if how == "ignore"}
    told.setdefault("erc", {})["rule_severities"] = dict.fromkeys(SHEET_CHECKS, "warning")
    project.write_text(json.dumps(told, indent=2), encoding="utf-8")


def check(tool: Kicad) -> list[str]:
    """Returns the findings of KiCad's checks of circuit and board, without those explained in
    exceptions.toml. Raises KicadError."""
    report = ("--format", "json", "--severity-all", "-o")
    tool.run("kicad-cli", "sch", "erc", *report, "erc.json", SHEET)
    tool.run("kicad-cli", "pcb", "drc", "--schematic-parity", *report, "drc.json", BOARD)
    found = [*findings(tool.work / "erc.json"), *findings(tool.work / "drc.json")]
    return unexplained(found)


def make_files(tool: Kicad) -> None:
    """Makes the files for ordering and building: Gerbers and drill files as one zip, drawings,
    pictures. Raises KicadError."""

    def export(what: str, *options: str) -> None:
        tool.run("kicad-cli", "pcb", *what.split(), *options, BOARD)

    export("export gerbers", "-l", LAYERS, "-o", "gerbers/")
    export("export drill", "--excellon-separate-th", "-o", "gerbers/")
    with zipfile.ZipFile(tool.work / GERBERS, "w", zipfile.ZIP_DEFLATED) as pack:
        for one in sorted((tool.work / "gerbers").iterdir()):
            pack.write(one, one.name)
    tool.run("kicad-cli", "sch", "export", "pdf", "-o", "schematic.pdf", SHEET)
    tool.run("kicad-cli", "sch", "export", "svg", "-o", "sheets", SHEET)
    (tool.work / "sheets" / "board.svg").rename(tool.work / "schematic.svg")
    for name, face in (("top", "F"), ("bottom", "B")):
        export(
            "export svg --mode-single --page-size-mode 2 --exclude-drawing-sheet --black-and-white",
            *("-l", f"{face}.Mask,{face}.SilkS,Edge.Cuts", "-o", f"{name}.svg"),
            *(["--mirror"] if face == "B" else []),
        )
        export("render", "--side", name, *PICTURE, "-o", f"{name}.png")
    export("export step", "--board-only", "-o", "board.step")
    with (tool.work / PARTS).open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("quantity", "refs", "part", "maker", "number", "instead", "footprint"))
        for refs, part in bill():
            bought = (part.what, part.maker, part.number, part.instead, part.footprint)
            rows.writerow((len(refs), " ".join(refs), *bought))


KEPT = (
    circuit.NETLIST, "sheet.net", SHEET, BOARD, PROJECT, "erc.json", "drc.json", GERBERS,
    "schematic.pdf", "schematic.svg", "top.svg", "bottom.svg", *PICTURES, "board.step", PARTS,
)  # fmt: skip


def build(tool: Kicad, out: Path) -> None:
    """Makes everything in the folder `out`. Raises KicadError, also if a check finds something."""
    tool.write_library_lists(
        (part.symbol.split(":")[0] for part in parts()),
        ("MountingHole", *(part.footprint.split(":")[0] for part in parts())),
    )
    make_circuit(tool)
    make_board(tool)
    if found := check(tool):
        raise KicadError("\n".join(["the board isn't right:", *found]))
    make_files(tool)
    out.mkdir(parents=True, exist_ok=True)
    for name in KEPT:
        if (tool.work / name).exists():
            shutil.copy(tool.work / name, out / name)


@contextmanager
def any_kicad() -> Iterator[Kicad]:
    """Yields this machine's KiCad 9, or one in a Debian 13 that is made once and kept. Raises
    KicadError if neither is possible."""
    with tempfile.TemporaryDirectory() as folder:
        if (tool := kicad.find_own_kicad(Path(folder))) is None:
            if os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
                raise KicadError(
                    "the board needs KiCad 9; or root, and mmdebstrap to fetch it with"
                )
            from tests.rigs.roots import debian_root, unpack  # needs root and mmdebstrap

            tool = kicad.kicad_within(
                unpack(debian_root("trixie", kicad.PACKAGES), Path(folder) / "root")
            )
        yield tool


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(prog="python -m hw.board.build", description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help="folder (default: build/hw/board)")
    parser.add_argument("--renew", action="store_true", help="renew the pictures in hw/board, too")
    told = parser.parse_args()
    try:
        with any_kicad() as tool:
            build(tool, told.out)
    except KicadError as error:
        sys.exit(f"error: {error}")
    for name in PICTURES if told.renew else ():
        shutil.copy(told.out / name, HERE / name)
    print(f"The board is in {told.out}")
    if told.out == OUT:
        print(f"all of it: {write_page(BUILD)}")


if __name__ == "__main__":
    main()
