"""Solids that can be printed are distinguished from those that can't."""

from pathlib import Path

import pytest

from hw.solid import Solid, Triangle, faults, read_stl


def block(size: float, at: float = 0.0) -> tuple[Triangle, ...]:
    """A cube's twelve triangles, each counter-clockwise as seen from outside."""
    corner = [(x, y, z) for z in (at, at + size) for y in (at, at + size) for x in (at, at + size)]
    sides = (
        (0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5),
    )  # fmt: skip
    return tuple(
        (corner[i], corner[j], corner[k])
        for a, b, c, d in sides
        for i, j, k in ((a, b, c), (a, c, d))
    )


def test_a_cube_is_printable() -> None:
    cube = Solid(block(10))
    assert faults(cube) == []
    assert cube.size == (10, 10, 10)


def test_a_hole_in_the_surface_is_found() -> None:
    assert faults(Solid(block(10)[1:])) == [
        "its surface isn't closed: 3 edges don't join two triangles"
    ]


def test_two_separate_pieces_are_found() -> None:
    assert faults(Solid((*block(10), *block(10, 20)))) == ["it is in 2 pieces"]


def test_an_inside_out_cube_is_found() -> None:
    assert faults(Solid(tuple((a, c, b) for a, b, c in block(10)))) == ["it is inside out"]


def test_a_part_too_large_for_the_bed_is_found() -> None:
    assert faults(Solid(block(201))) == ["it is 201 × 201 × 201 mm, larger than 200 mm"]


def test_an_stl_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "one.stl"
    corners = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1.5e0 0\n"
    path.write_text(
        f"solid x\nfacet normal 0 0 1\nouter loop\n{corners}endloop\nendfacet\nendsolid\n"
    )
    assert read_stl(path).triangles == (((0, 0, 0), (1, 0, 0), (0, 1.5, 0)),)


def test_a_file_that_is_no_stl_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "one.stl"
    path.write_text("solid x\nvertex 0 0 0\n")
    with pytest.raises(ValueError, match=r"one\.stl has 1 corners"):
        read_stl(path)
