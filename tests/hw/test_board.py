"""The circuit board's data and its router, so far as they need no KiCad."""

import json
import math
import re
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from companion.core.keys import SIXTEEN
from hw.board.findings import findings, unexplained
from hw.board.layout import HERE, LAYOUT, bill, extra_pins, holes, key_centres, key_pins, parts
from hw.board.route import Cell, Grid, NoWayError, Obstacles, Reach, corners, route
from hw.board.sexp import netlist, pads, parse
from hw.board.silk import texts
from hw.guide import HW

GRID = Grid((0, 0), 1.0, 12, 12)
BODY, RIM = LAYOUT["keys"]["body"] / 2, LAYOUT["keys"]["rim"] / 2
HEAD, DRIVER = LAYOUT["screws"]["head"] / 2, LAYOUT["screws"]["driver"] / 2


def test_every_key_has_a_position_a_part_and_a_legend() -> None:
    names = {key.value for key in SIXTEEN}
    assert set(key_centres()) == set(key_pins()) == names
    assert {part.value for part in parts() if part.ref.startswith("SW")} == {*names, "POWER"}
    for key, centre in key_centres().items():
        legends = [text for text in texts() if text.words == key and not text.below]
        assert any(math.dist(text.where, centre) < BODY for text in legends)


def test_every_part_has_its_own_name_and_can_be_ordered() -> None:
    refs = [part.ref for part in parts()]
    assert len(refs) == len(set(refs))
    for part in parts():
        assert part.symbol.count(":") == part.footprint.count(":") == 1
        assert part.ref.startswith("JP") or (part.what and (part.number or part.instead))


def test_buzzer_and_power_key_share_no_pin_with_keys_or_display() -> None:
    taken = {*key_pins().values(), 0, 1, 2, 3}  # I²C, and that of a HAT's memory
    assert len({*extra_pins().values()} - taken) == 2


def test_the_guide_names_the_pins_of_buzzer_and_power_key() -> None:
    guide = (HERE / "README.md").read_text()
    pins = extra_pins()
    assert f"gpio_pin={pins['power_off']}," in guide
    assert f"- GPIO {pins['power_off']} asks to shut down" in guide
    assert f"on GPIO {pins['buzzer']}" in guide and f"Buzzer({pins['buzzer']})" in guide
    (line,) = re.findall(r"`(dtoverlay=gpio-shutdown.*)`", guide)
    assert f"`{line}`" in (HW / "sixteen-keys.md").read_text()
    board = LAYOUT["board"]
    assert f"{board['width']:g} × {board['depth']:g} mm" in guide


def test_the_bill_lists_every_part_once() -> None:
    refs = [ref for names, _ in bill() for ref in names]
    assert sorted(refs) == sorted(part.ref for part in parts() if part.what)
    assert {len(names) for names, part in bill() if part.number == "MX1A-G1NW"} == {16}


def room_beside_keys(x: float, y: float, half: float) -> float:
    """The distance in mm from a place to the nearest key; a key is a square of side 2 × `half`."""
    return min(
        math.hypot(max(abs(x - key_x) - half, 0), max(abs(y - key_y) - half, 0))
        for key_x, key_y in key_centres().values()
    )


def test_screws_keep_clear_of_keys_and_edges() -> None:
    width, depth = LAYOUT["board"]["width"], LAYOUT["board"]["depth"]
    for x, y in holes():
        assert HEAD < x < width - HEAD and HEAD < y < depth - HEAD
        assert room_beside_keys(x, y, BODY) > HEAD + 0.2
    assert all(math.dist(one, other) > 2 * HEAD for one, other in combinations(holes(), 2))


def test_the_guide_mounts_screws_and_jumpers_before_parts_that_cover_them() -> None:
    """Display and keys lie over the heads of the spacers' screws, and are never taken off again."""
    page = (HW / "sixteen-keys.md").read_text(encoding="utf-8")
    solder = page.split("## Solder\n")[1].split("\n## ")[0]
    steps = re.split(r"\n\d+\. ", solder)[1:]

    def step(words: str) -> int:
        (found,) = (at for at, text in enumerate(steps) if words in text)
        return found

    over = min(step("On top: the display"), step("sixteen switches"))
    assert step("four spacers") == 0
    assert max(step("solder jumpers"), step("the socket"), step("Cut the legs short")) < over


def test_screws_and_screwdriver_fit_between_soldered_keys() -> None:
    # A pan head, 5.0 mm, passes at none of those between four keys.
    assert all(room_beside_keys(x, y, RIM) > max(HEAD, DRIVER) for x, y in holes())


def test_labels_of_the_displays_jumpers_are_on_the_lower_face() -> None:
    words = ("GND VCC: bridge both A", "VCC GND: bridge both B", "A", "B", "pin 1", "pin 2")
    for text in texts():
        if text.words in words:
            assert text.below, text.words


@pytest.mark.parametrize(("far", "apart"), [("holes_big", 49), ("holes_zero", 23)])
def test_mounting_holes_match_the_computers(far: str, apart: float) -> None:
    (left, near), (right, also) = LAYOUT["pi"]["holes"]
    assert (right - left, near) == (58, also)
    assert LAYOUT["pi"][far] == [[left, near - apart], [right, near - apart]]
    assert LAYOUT["pi"]["header"] == [left + 29, near]


# ---------------------------------------------------------------- tracks


def pad(column: int, row: int) -> set[Cell]:
    return {(column, row, 0), (column, row, 1)}


def wall(obstacles: Obstacles, column: int, layers: tuple[int, ...]) -> None:
    """Adds an obstacle across the whole board."""
    every = GRID.distances(lambda x, _: abs(x - column), (6, 6), 12)
    obstacles.add("", every, layers, Reach(0.5, 0.5))


def test_a_track_joins_its_pads_and_is_stored_as_corners() -> None:
    (way,) = route(GRID, Obstacles(), {"A": [pad(1, 1), pad(9, 1)]})["A"]
    assert [cell[:2] for cell in corners(way)] == [(1, 1), (9, 1)]


def test_a_track_passes_an_obstacle_on_the_other_face() -> None:
    obstacles = Obstacles()
    wall(obstacles, 5, (0,))
    top: list[set[Cell]] = [{(1, 1, 0)}, {(9, 1, 0)}]
    (way,) = route(GRID, obstacles, {"A": top})["A"]
    assert {cell[2] for cell in way if cell[0] == 5} == {1}
    assert sum(one[2] != other[2] for one, other in pairwise(way)) == 2


def test_an_impossible_track_is_reported() -> None:
    obstacles = Obstacles()
    wall(obstacles, 5, (0, 1))
    with pytest.raises(NoWayError, match="A"):
        route(GRID, obstacles, {"A": [pad(1, 1), pad(9, 1)]})


def test_tracks_of_two_nets_keep_their_distance() -> None:
    nets = {
        "A": [pad(1, 1), pad(9, 9)],
        "B": [pad(9, 1), pad(1, 9)],
        "C": [pad(5, 0), pad(5, 11), pad(0, 5)],
    }
    found = route(GRID, Obstacles(), nets)
    assert found == route(GRID, Obstacles(), dict(reversed(nets.items())))
    lines = {
        net: [(a, b) for way in ways for a, b in pairwise(way) if a[2] == b[2]]
        for net, ways in found.items()
    }
    for one, other in combinations(lines, 2):
        for a, b in lines[one]:
            for c, d in lines[other]:
                if a[2] == c[2]:
                    assert _apart(a, b, c, d) >= 0.9


def _apart(*ends: Cell) -> float:
    """The distance between two steps, measured at their ends and middles."""
    points = []
    for a, b in (ends[:2], ends[2:]):
        points.append([(a[0] + (b[0] - a[0]) * t / 2, a[1] + (b[1] - a[1]) * t / 2)
                       for t in range(3)])  # fmt: skip
    return min(math.dist(p, q) for p in points[0] for q in points[1])


# ---------------------------------------------------------------- files


def test_nets_are_read_from_a_netlist_and_from_a_board() -> None:
    nets = '(export (nets (net (code 1) (name "A \\"1\\"") (node (ref "J1") (pin "3")))))'
    assert netlist(nets) == {("J1", "3"): 'A "1"'}
    board = (
        '(kicad_pcb (footprint "x" (property "Value" "v") (property "Reference" "R1")'
        ' (pad "1" smd rect (at 0 0) (net 2 "GND")) (pad "" np_thru_hole circle)))'
    )
    assert pads(board) == {("R1", "1"): "GND", ("R1", ""): ""}


@pytest.mark.parametrize("text", ["(a", "a)", "(a))", ""])
def test_unmatched_brackets_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="bracket"):
        parse(text)


def test_the_board_check_reports_unexplained_findings_and_stale_exceptions(
    tmp_path: Path,
) -> None:
    item = {"type": "clearance", "description": "too near", "items": [{"description": "Pad 1"}]}
    report = tmp_path / "drc.json"
    report.write_text(json.dumps({"violations": [item], "sheets": [{"violations": [item]}]}))
    found = list(findings(report))
    assert found == ["clearance: too near (Pad 1)"] * 2

    rules = tmp_path / "exceptions.toml"
    rules.write_text("")
    assert unexplained(found, rules) == found
    rules.write_text('[[exception]]\nfinding = "clearance: * (Pad *"\nreason = "so it is"\n')
    assert unexplained(found, rules) == []
    assert len(unexplained([], rules)) == 1
