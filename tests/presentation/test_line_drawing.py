"""The drawing of the line shows all of it, on any paper, and its description says the same in
words."""

from itertools import pairwise
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.presentation.drawing.svg import UNIT, Bounds, Paper
from companion.presentation.line.drawing import LONG, WIDE, draw_line, lay_out
from companion.presentation.line.line_of_play import LineOfPlay, OpenEnd, PlayedTile
from tests.presentation.lines import INCLINATIONS, played, random_line, random_tiles
from tests.presentation.test_line_layout import OTHER_PAPERS, PAPERS, Lines
from tests.sampling import Draw, examples

Papers = st.sampled_from([*PAPERS, *OTHER_PAPERS])
SVG = "{http://www.w3.org/2000/svg}"


def drawn(line: LineOfPlay, paper: Paper) -> ElementTree.Element:
    """The drawing of a line, parsed."""
    return ElementTree.fromstring(draw_line(line, paper, stand_alone=True))


def seen(svg: ElementTree.Element) -> Bounds:
    """The part of the paper that the drawing shows, in quarters of a tile."""
    left, top, width, height = (float(value) / UNIT for value in svg.attrib["viewBox"].split())
    return Bounds(left, top, left + width, top + height)


def marks(svg: ElementTree.Element) -> list[Bounds]:
    """The squares around the marks of the open ends."""
    circles = [one for one in svg.iter(f"{SVG}circle") if one.attrib["class"] in ("mark", "hollow")]
    found = []
    for circle in circles:
        x, y, r = (float(circle.attrib[name]) / UNIT for name in ("cx", "cy", "r"))
        found.append(Bounds(x - r, y - r, x + r, y + r))
    return found


def apart(one: Bounds, other: Bounds) -> float:
    """Returns the distance between two squares, along x or y; negative if they overlap."""
    return max(
        one.left - other.right,
        other.left - one.right,
        one.top - other.bottom,
        other.top - one.bottom,
    )


@settings(max_examples=examples(100), deadline=None)
@given(Lines, Papers)
def test_the_whole_line_fits_on_the_paper(line: LineOfPlay, paper: Paper) -> None:
    svg = drawn(line, paper)
    whole = seen(svg)
    assert whole.width / whole.height == pytest.approx(paper.width / paper.height, rel=0.01)
    for lie in lay_out(line, paper).placements:
        assert whole.contains(Bounds(*lie.box).grown(0.5))
    for mark in marks(svg):
        assert whole.contains(mark.grown(0.4))


@settings(max_examples=examples(100), deadline=None)
@given(Lines, Papers, st.data())
def test_marks_of_open_ends_overlap_nothing(
    line: LineOfPlay, paper: Paper, data: st.DataObject
) -> None:
    line = played(line.tiles[: data.draw(st.integers(1, len(line.tiles)))])
    found = marks(drawn(line, paper))
    assert len(found) == sum(max(end.times, 1) for end in line.open_ends)
    boxes = [Bounds(*lie.box) for lie in lay_out(line, paper).placements]
    for number, mark in enumerate(found):
        assert all(apart(mark, other) > 0 for other in (*boxes, *found[:number]))


@pytest.mark.parametrize("paper", PAPERS)
def test_tiles_are_drawn_as_large_as_possible(paper: Paper, draw: Draw[int]) -> None:
    """On a paper of 360 by 360 pixels, or of the same area, a half is at least 13 pixels wide in
    most games that go on until nothing fits, and never less than 9, so that pips can be told
    apart."""
    halves = []
    for inclination in INCLINATIONS:
        for seed in draw(range(30), 10):
            whole = seen(drawn(random_line(seed, inclination), paper))
            halves.append(360 * WIDE / (whole.width * whole.height) ** 0.5)
    halves.sort()
    assert halves[0] > 9
    assert halves[len(halves) // 2] > 13


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([*INCLINATIONS]), Papers)
def test_the_window_grows_rarely_and_never_shrinks(
    seed: int, inclination: str, paper: Paper
) -> None:
    tiles = random_tiles(Random(seed), INCLINATIONS[inclination])
    views = [seen(drawn(played(tiles[:number]), paper)) for number in range(1, len(tiles) + 1)]
    steps = [(before, after) for before, after in pairwise(views) if before != after]
    assert all(before.width <= after.width + 0.01 for before, after in steps)
    assert len(steps) <= 14


@settings(max_examples=examples(40), deadline=None)
@given(Lines, Papers)
def test_a_line_drawing_is_small_and_self_contained(line: LineOfPlay, paper: Paper) -> None:
    text = draw_line(line, paper, stand_alone=True)
    assert len(text.encode()) < 20_000
    assert len(draw_line(line, paper)) < 16_000
    assert "script" not in text
    assert "href" not in text
    assert "url(" not in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "", 1)


def test_a_line_drawing_has_a_title_and_a_description() -> None:
    svg = drawn(random_line(1, "none"), Paper(16, 9))
    assert svg.attrib["role"] == "img"
    assert [one.tag for one in svg][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert all(one.text for one in [*svg][:2])


def words(line: LineOfPlay) -> list[str]:
    svg = drawn(line, Paper(16, 9))
    return [svg[0].text or "", svg[1].text or ""]


def test_the_description_names_every_tile_and_end() -> None:
    assert words(LineOfPlay()) == [
        "The line of play: nothing is laid yet",
        "No tile is on the table.",
    ]
    led = PlayedTile(6, 4)
    assert words(played((led,))) == [
        "The line of play: 1 tile, count 10",
        "Led: 6-4. Open: 6 on the left, 4 on the right. Laid last: 6-4.",
    ]
    four = played(
        (led, PlayedTile(4, 4, "right", True), PlayedTile(4, 0, "right"), PlayedTile(4, 1, "up"))
    )
    assert words(four) == [
        "The line of play: 4 tiles, count 7",
        "Led: 6-4. Right: 4-4, the spinner, 4-0. Up: 4-1. Open: 6 on the left, 0 on the right, "
        "1 above, 4 below, which counts nothing. Laid last: 4-1 above.",
    ]
    double = played((led, PlayedTile(6, 6, "left", True)))
    assert "Open: 6 twice on the left, 4 on the right." in words(double)[1]


def test_the_description_counts_unplaced_tiles() -> None:
    tiles = (
        PlayedTile(6, 6, None, True),
        PlayedTile(6, None, "left"),
        PlayedTile(None, None, "right"),
    )
    ends = (OpenEnd("left", None), OpenEnd("right", 5))
    line = LineOfPlay(tiles, ends, None, None, 2, (1, 5))
    assert words(line) == [
        "The line of play: 5 tiles, count not known",
        "Led: 6-6, the spinner. Left: 6-?. Right: a tile that is not known. Open: one not known on "
        "the left, 5 on the right. 2 tiles whose place is not known. Open ends: 1 5.",
    ]
    text = draw_line(line, Paper(16, 9))
    assert "2 tiles whose place is not known.</text>" in text
    assert "Open ends: 1 5.</text>" in text


@pytest.mark.parametrize("paper", [*PAPERS, *OTHER_PAPERS])
def test_captions_keep_the_shape_of_the_paper(paper: Paper) -> None:
    line = LineOfPlay((PlayedTile(6, 6, None, True),), (), None, None, 12, (1, 5, 5, 6))
    whole = seen(drawn(line, paper))
    assert whole.width / whole.height == pytest.approx(paper.width / paper.height, rel=0.01)
    box = Bounds(-1, -2, 1, 2)
    assert whole.contains(box.grown(LONG / 2))


def test_a_paper_without_width_or_height_is_refused() -> None:
    with pytest.raises(ValueError):
        Paper(16, 0)
