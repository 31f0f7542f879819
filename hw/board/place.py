# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Makes the board from the netlist: places the parts, lays tracks, adds ground on both faces, and
prints texts. Run it with the Python in which KiCad has installed `pcbnew`: `python3 -m
hw.board.place NETLIST FOOTPRINTS BOARD`."""

import math
import sys
from pathlib import Path
from typing import Any

import pcbnew

from hw.board.copper import add_ground_zones, at, lay_tracks
from hw.board.layout import LAYOUT, Point, holes, key_centres, key_pins, parts
from hw.board.sexp import netlist
from hw.board.silk import Text, texts

BELOW = True
REFERENCES = {
    "D1": (66.2, 9.55, 0),
    "D2": (66.2, 12.725, 0),
    "D3": (54.6, 25.425, 0),
    "R1": (54.6, 21.615, 0),
    "Q1": (54.6, 16.535, 0),
    "BZ1": (72.5, 28.2, 0),
    "SW17": (71.5, 5.2, 0),
    "J3": (65.8, 33.68, 0),
}
"""Where the names of the parts on the lower face are printed: x and y in mm, and degrees."""
_FROM_KEY = (2.54, -5.08)
"""From the centre of a key to the origin of its footprint, which is its first pin."""


def places() -> dict[str, tuple[Point, float, bool]]:
    """Returns each part's origin (usually its first pin), its rotation in degrees, and whether it
    is on the lower face."""
    (pi_x, pi_y), (oled_x, oled_y) = LAYOUT["pi"]["header"], LAYOUT["display"]["header"]
    (buzzer_x, buzzer_y), (jack_x, jack_y) = LAYOUT["buzzer"]["centre"], LAYOUT["jack"]["centre"]
    power = LAYOUT["power"]
    found: dict[str, tuple[Point, float, bool]] = {
        # Pin 1 is at the right end of the far row, as on the Pi's header seen from above, because
        # the socket is plugged onto that face down.
        "J1": ((pi_x + 19 * 1.27, pi_y - 1.27), 90, BELOW),
        "J2": ((oled_x - 3 * 1.27, oled_y), 90, not BELOW),
        "JP1": ((oled_x - 6.35, oled_y + 5.715), 0, BELOW),
        "JP2": ((oled_x + 6.35, oled_y + 5.715), 0, BELOW),
        "J3": ((jack_x + 1.27, jack_y), 90, BELOW),
        "SW17": ((power["x"] + 2.25, power["y"]), 180, BELOW),
        "BZ1": ((buzzer_x - 3.8, buzzer_y), 0, BELOW),
        "D1": ((68.695, 9.55), 0, BELOW),
        "D2": ((68.695, 12.725), 0, BELOW),
        "D3": ((56.63, 25.425), 0, BELOW),
        "R1": ((56.63, 21.615), 0, BELOW),
        "Q1": ((57.9, 16.535), 0, BELOW),
    }
    centres = key_centres()
    for number, key in enumerate(key_pins(), start=1):
        x, y = centres[key]
        found[f"SW{number}"] = ((x + _FROM_KEY[0], y + _FROM_KEY[1]), 0, not BELOW)
    return found


def footprint(libraries: Path, name: str) -> Any:
    """Returns the footprint with this name (Library:Name) from KiCad's libraries. Ends the program
    if there is none."""
    library, item = name.split(":")
    found = pcbnew.FootprintLoad(str(libraries / f"{library}.pretty"), item)
    if found is None:
        raise SystemExit(f"KiCad has no footprint {name}")
    found.SetFPIDAsString(name)
    return found


def place_parts(board: Any, nets: dict[tuple[str, str], str], libraries: Path) -> None:
    """Puts the parts on the board, and assigns their pads to the nets."""
    for name in sorted(set(nets.values())):
        board.Add(pcbnew.NETINFO_ITEM(board, name))
    where = places()
    for part in parts():
        position, turn, below = where[part.ref]
        one = footprint(libraries, part.footprint)
        one.SetReference(part.ref)
        one.SetValue(part.value)
        board.Add(one)
        one.SetPosition(at(position))
        if below:
            one.SetLayerAndFlip(pcbnew.B_Cu)
        one.SetOrientationDegrees(turn)
        for pad in one.Pads():
            if net := nets.get((part.ref, pad.GetNumber())):
                pad.SetNet(board.FindNet(net))
    for number, centre in enumerate(holes(), start=1):
        hole = footprint(libraries, "MountingHole:MountingHole_2.7mm_M2.5_ISO7380")
        hole.SetReference(f"H{number}")
        hole.Reference().SetVisible(False)
        hole.SetPosition(at(centre))
        hole.SetBoardOnly(True)
        board.Add(hole)


def outline(board: Any) -> None:
    """Draws the board's edge, with rounded corners."""
    told = LAYOUT["board"]
    right, near, radius = told["width"], told["depth"], told["corner_radius"]
    lines = (
        ((radius, 0), (right - radius, 0)), ((right, radius), (right, near - radius)),
        ((right - radius, near), (radius, near)), ((0, near - radius), (0, radius)),
    )  # fmt: skip
    for start, end in lines:
        line = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_SEGMENT)
        line.SetStart(at(start))
        line.SetEnd(at(end))
        edge(board, line)
    slant = radius * (1 - math.sqrt(0.5))
    for x, y in ((0, 0), (right, 0), (right, near), (0, near)):
        inx, iny = (1 if x == 0 else -1), (1 if y == 0 else -1)
        arc = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_ARC)
        middle = (x + inx * slant, y + iny * slant)
        arc.SetArcGeometry(at((x + inx * radius, y)), at(middle), at((x, y + iny * radius)))
        edge(board, arc)


def edge(board: Any, shape: Any) -> None:
    """Adds a line to the board's edge."""
    shape.SetLayer(pcbnew.Edge_Cuts)
    shape.SetWidth(pcbnew.FromMM(0.1))
    board.Add(shape)


def write(board: Any, text: Text) -> None:
    """Prints one text on a face of the board."""
    item = pcbnew.PCB_TEXT(board)
    item.SetText(text.words)
    item.SetLayer(pcbnew.B_SilkS if text.below else pcbnew.F_SilkS)
    item.SetMirrored(text.below)
    item.SetPosition(at(text.where))
    item.SetTextSize(at((text.size, text.size)))
    item.SetTextThickness(pcbnew.FromMM(text.size * 0.15))
    item.SetTextAngleDegrees(text.turn)
    board.Add(item)


def arrange_names(board: Any) -> None:
    """Moves the printed names of parts to readable places, and hides all others, as the keys have
    legends instead."""
    for one in board.GetFootprints():
        reference = one.Reference()
        if one.GetReference() in REFERENCES:
            x, y, turn = REFERENCES[one.GetReference()]
            reference.SetPosition(at((x, y)))
            reference.SetTextAngleDegrees(turn)
            reference.SetTextSize(at((1, 1)))
            reference.SetTextThickness(pcbnew.FromMM(0.15))
        else:
            reference.SetVisible(False)


def main(net_file: Path, libraries: Path, target: Path) -> None:
    """Makes the board, writes it, loads it, fills its zones, and writes it again: zones can be
    filled only on a board that was loaded from a file."""
    board = pcbnew.NewBoard(str(target))
    place_parts(board, netlist(net_file.read_text(encoding="utf-8")), libraries)
    outline(board)
    lay_tracks(board)
    add_ground_zones(board)
    arrange_names(board)
    for text in texts():
        write(board, text)
    pcbnew.SaveBoard(str(target), board)
    board = pcbnew.LoadBoard(str(target))
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(str(target), board)


if __name__ == "__main__":
    main(*(Path(one) for one in sys.argv[1:4]))
