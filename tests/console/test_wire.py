"""An evening of whole games: 95 of 100 presses change at most 300 bytes on the wire, and half of
them at most an eighth of what luma sends for a picture."""

from statistics import median

import pytest

from companion.console.frame import WIDTH, Canvas, Frame, changed_runs, wire_cost
from companion.core.languages import OWN_NAMES
from companion.core.seats import COLOURS
from companion.presentation.language import ENGLISH
from tests.catalogues import translated
from tests.console import rig as rigs
from tests.console.typist import type_game

MOST = 300
EIGHTH = 1034 / 8
EVENING = ((1, 2, "tile"), (2, 3, "tile"), (3, 4, "tile"), (4, 2, "ends"), (5, 4, "ends"),
           (6, 3, "tile"), (7, 2, "count"))  # fmt: skip


def test_an_evenings_pictures_stay_within_their_byte_budget() -> None:
    costs = [cost for game in EVENING for cost in type_game(*game)[0].costs]
    cheap = sum(cost <= MOST for cost in costs) / len(costs)
    assert cheap >= 0.95, f"only {cheap:.1%} of {len(costs)} presses change at most {MOST} bytes"
    assert median(costs) <= EIGHTH


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", [name for name in OWN_NAMES if name != ENGLISH.name])
def test_a_press_sends_similar_bytes_in_every_language(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The words of the language, but the same names: the length of a name doesn't depend on the
    language."""
    named = {colour: colour for colour in COLOURS}
    sizes = []
    for language in (ENGLISH, translated(name).with_names(named)):
        monkeypatch.setattr(rigs, "LANGUAGE", language)
        sizes.append(sum(cost for game in EVENING[::3] for cost in type_game(*game)[0].costs))
    assert sizes[1] <= 1.1 * sizes[0]


def test_an_unchanged_picture_sends_no_bytes() -> None:
    assert wire_cost(Frame.blank(), Frame.blank()) == 0


def test_a_run_costs_seven_bytes_more_than_its_columns() -> None:
    canvas = Canvas()
    canvas.fill(10, 3, 5, 2)
    assert wire_cost(Frame.blank(), canvas.frame()) == 5 + 7


def test_only_nearby_runs_are_merged() -> None:
    near, far = Canvas(), Canvas()
    near.fill(0, 0, 1, 1)
    near.fill(7, 0, 1, 1)
    far.fill(0, 0, 1, 1)
    far.fill(9, 0, 1, 1)
    assert wire_cost(Frame.blank(), near.frame()) == 8 + 7
    assert changed_runs(Frame.blank(), far.frame(), 0) == [(0, 0), (9, 9)]


def test_a_completely_new_picture_costs_eight_full_pages() -> None:
    canvas = Canvas()
    canvas.fill(0, 0, WIDTH, 64)
    assert wire_cost(Frame.blank(), canvas.frame()) == 8 * (128 + 7)
