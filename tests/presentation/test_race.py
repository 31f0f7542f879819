"""The race: each chart is as it was when somebody last looked at it, and its stairs end at the
scores."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from companion.presentation.drawing.race import (
    BETWEEN,
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    draw_race,
)
from tests.presentation.charts.scenes import RACES
from tests.web.export.test_moments import tally

HERE = Path(__file__).parent / "charts"
ALONE = [name for name in RACES if name != "long_board"]
"""The races in which each seat plays for itself."""


@pytest.mark.parametrize("name", RACES)
def test_races_match_their_golden_files(name: str) -> None:
    """Look at the chart with python -m tests.presentation.charts.draw FOLDER; renew it with
    --store."""
    assert draw_race(RACES[name]()) + "\n" == (HERE / f"{name}.svg").read_text("utf-8")


def test_every_golden_chart_is_used() -> None:
    assert {path.stem for path in HERE.glob("*.svg")} == set(RACES)


@pytest.mark.parametrize("name", ALONE)
def test_the_race_has_a_line_sign_and_name_for_every_seat(name: str) -> None:
    journal = RACES[name]()
    svg, seats = draw_race(journal), len(journal.opened.seats)
    colours = re.findall(r'class="stair" data-colour="([a-z]+)"', svg)
    assert len(set(colours)) == len(colours) == seats
    assert "other" not in colours
    signs = re.findall(r'<text data-colour="[a-z]+" class="start sign"[^>]*>(.)<', svg)
    assert len(set(signs)) == len(signs) == seats
    heights = [float(y) for y in re.findall(r'class="start name" x="[^"]*" y="([^"]*)"', svg)]
    assert len(heights) == seats
    assert all(below - above > BETWEEN - 0.2 for above, below in pairwise(heights))


def test_partners_names_are_listed_at_their_shared_line() -> None:
    svg = draw_race(tally("all_fives"))
    assert svg.count('class="stair"') == 2
    names = re.findall(r'class="start name"[^>]* y="([^"]*)"[^>]*>([^<]*)<', svg)
    assert {name for _, name in names} == {"Anna", "Ben", "Cleo", "Dan"}
    heights = [float(y) for y, _ in names]
    assert all(below - above > BETWEEN - 0.2 for above, below in pairwise(heights))


@pytest.mark.parametrize("name", ALONE)
def test_lines_of_higher_scores_end_higher(name: str) -> None:
    journal = RACES[name]()
    order, scores = [*journal.state.seats], journal.state.scores
    paths = re.findall(r'class="stair" data-colour="[a-z]+" d="([^"]*)"', draw_race(journal))
    ends = {}
    for seat, path in zip(reversed(order), paths, strict=True):
        steps = [float(y) for y in re.findall(r"V([-\d.]+)", path)]
        begin = re.match(r"M[-\d.]+ ([-\d.]+)", path)
        assert begin is not None
        ends[seat] = steps[-1] if steps else float(begin[1])
        assert all(TOP <= y <= HEIGHT - BOTTOM for y in steps)
        across = [float(x) for x in re.findall(r"H([-\d.]+)", path)]
        assert all(LEFT <= x <= WIDTH - RIGHT for x in across)
    for one in order:
        for other in order:
            assert (scores[one] < scores[other]) == (ends[one] > ends[other])


@pytest.mark.parametrize(("name", "target"), [("cribbage_board", 61), ("long_board", 121)])
def test_each_side_has_holes_and_pegs_on_a_cribbage_board(name: str, target: int) -> None:
    journal = RACES[name]()
    svg = draw_race(journal)
    boards = re.findall(r'class="holes" d="([^"]*)".*?class="pegs" [^>]*d="([^"]*)"', svg)
    assert len(boards) == len(journal.state.scorers)
    for (holes, pegs), side in zip(boards, journal.state.scorers, strict=True):
        each = re.findall(r"M([^M]*)h0", holes)
        assert len(set(each)) == target
        assert re.findall(r"M([^M]*)h0", pegs)[-1] == each[journal.state.scores[side[0]] - 1]
