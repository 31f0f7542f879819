"""The cases as OpenSCAD makes them: a part that no longer fits, or can't be printed, is reported.

`make hw` checks that everything fits; here each of its checks fails on a faulty case.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from hw.case_make import BOARD, BOX, SEAT, Case
from hw.fit import check_fit
from hw.openscad import CaseError, render
from hw.parts import CASE
from hw.solid import faults, read_stl
from tests.rigs.roots import need

ONE = {"model": ("pi4",), "oled_model": ("oled096",)}


def only(case: Case, *bodies: str) -> Case:
    """The case in one of its forms, with only these bodies in it."""
    choices = {name: ONE[name] for name in case.choices}
    return replace(case, choices=choices, bodies={name: case.bodies[name] for name in bodies})


@pytest.fixture(autouse=True)
def _tools() -> None:
    need("openscad")


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("case", "bodies", "broken"),
    [
        (BOX, ("base", "computer"), {"power_gap": 0.5}),
        (BOX, ("lid", "computer"), {"front": 8}),
        (BOX, ("base", "keypad"), {"keypad_v": 5}),
        (BOX, ("display", "keypad"), {"display_gap": -20}),
        (BOX, ("base", "lid"), {"slack": -0.3}),
        (BOARD, ("base", "stack"), {"back_gap": 1}),
        (BOARD, ("lid", "stack"), {"lid_up": 4}),
        (BOARD, ("lid", "caps"), {"cap_play": -0.5}),
        (BOARD, ("base", "sliding"), {"front_gap": 0.5, "back_gap": 2}),
        # Between four keys there is 6.9 mm at the board, and 4.9 mm above: no way for a pan head.
        (BOARD, ("stack", "heads"), {"head": 7.2}),
        (BOARD, ("stack", "driver"), {"head": 5.0}),
        (SEAT, ("base", "computer"), {"back_gap": -1}),
        (SEAT, ("lid", "computer"), {"front": 8}),
        (SEAT, ("lid", "light"), {"slack": -0.2}),
    ],
    ids=lambda one: "-".join(one) if isinstance(one, (tuple, dict)) else one.scad.stem,
)
def test_parts_without_clearance_are_reported(
    case: Case, bodies: tuple[str, str], broken: dict[str, float]
) -> None:
    told = only(case, *bodies)
    check_fit(told)
    with pytest.raises(CaseError, match=f"{bodies[0]} and {bodies[1]} meet"):
        check_fit(told, broken)


def test_parts_that_are_not_held_down_are_reported() -> None:
    told = only(SEAT, "base")
    check_fit(told)
    with pytest.raises(CaseError, match="seat: base does not hold what is lifted"):
        check_fit(told, {"ledge": -0.5})


def test_a_thin_wall_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="thinner than 2 mm"):
        render(CASE / "seat.scad", {"show": "base", "wall": 1.5}, tmp_path / "base.stl")


def test_unsupported_parts_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "base.stl"
    assert render(CASE / "box.scad", {"show": "base", "pi_x": 200}, path)
    assert "it is in 5 pieces" in faults(read_stl(path))


def test_parts_too_large_for_the_bed_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "lid.stl"
    assert render(CASE / "box.scad", {"show": "lid", "back_gap": 90}, path)
    assert [fault for fault in faults(read_stl(path)) if "larger than 200 mm" in fault]


@pytest.mark.parametrize("case", [BOX, BOARD, SEAT], ids=lambda one: one.scad.stem)
def test_the_lid_lets_fingers_find_the_5_key(case: Case, tmp_path: Path) -> None:
    """The lid has two holes for pieces of filament, beside the row of the 5 and above its
    column."""
    path, deep = tmp_path / "lid.stl", 1.1  # as deep as nothing else in a lid
    assert render(case.scad, {"show": "lid", "mark_deep": deep}, path)
    assert faults(read_stl(path)) == []
    floor = {
        corner[:2]
        for triangle in read_stl(path).triangles
        if all(abs(corner[2] - deep) < 0.01 for corner in triangle)
        for corner in triangle
    }
    middle = sum(x for x, _ in floor) / len(floor)
    row, column = ({one for one in floor if (one[0] > middle) is right} for right in (False, True))
    for hole in (row, column):
        assert max(x for x, _ in hole) - min(x for x, _ in hole) == pytest.approx(1.9, abs=0.05)
    # The lid lies on its face: away from the player is toward smaller y.
    assert max(y for _, y in column) < min(y for _, y in row)
