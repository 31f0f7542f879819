"""The outlines of SVG's paths: where they begin, turn and end, and how they are dashed."""

from math import hypot, isclose

import pytest

from companion.web.tv.drawing import circle, dashes, outlines, rectangle


def test_path_commands_move_draw_and_close() -> None:
    assert outlines("M1 2L4 2V6H1Z") == [[(1, 2), (4, 2), (4, 6), (1, 6), (1, 2)]]
    assert outlines("M0 0l2 3 1-1") == [[(0, 0), (2, 3), (3, 2)]]


def test_a_stroke_without_length_is_a_pip() -> None:
    assert outlines("M-5 15h0M5 .5h0") == [[(-5, 15), (-5, 15)], [(5, 0.5), (5, 0.5)]]


def test_a_curve_ends_at_its_end_point_and_bends_on_the_way() -> None:
    [points] = outlines("M0 0C0 4 4 4 4 0")
    assert points[-1] == (4, 0)
    assert max(y for _, y in points) == pytest.approx(3)


@pytest.mark.parametrize(("sweep", "above"), [(1, True), (0, False)])
def test_half_a_circle_follows_the_given_direction(sweep: int, above: bool) -> None:
    [points] = outlines(f"M-2 0a2 2 0 1 {sweep} 4 0")
    assert points[-1] == pytest.approx((2, 0))
    assert all(isclose(hypot(*point), 2) for point in points)
    assert (min(y for _, y in points) < -1.9) is above
    assert (max(y for _, y in points) > 1.9) is not above


def test_unknown_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="no path with Q"):
        outlines("M0 0Q1 1 2 2")


def test_corners_are_round_and_a_shape_ends_where_it_began() -> None:
    points = rectangle(0, 0, 10, 6, 2)
    assert points[0] == points[-1]
    assert {min(x for x, _ in points), max(x for x, _ in points)} == {0, 10}
    assert all(hypot(x, y) > 0.8 for x, y in points), "nothing reaches into the corner"
    assert circle(1, 1, 3)[0] == pytest.approx(circle(1, 1, 3)[-1])


def test_dashes_continue_around_corners() -> None:
    parts = [*dashes([(0, 0), (5, 0), (5, 5)], 3, 1)]
    assert parts == [[(0, 0), (3, 0)], [(4, 0), (5, 0)], [(5, 0), (5, 2)], [(5, 3), (5, 5)]]
