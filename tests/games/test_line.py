"""The line of play, compared with the worked cases of RULES.md and with a slow model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.line.line import Arm, Line
from companion.games.tiles import DOUBLE_SIX, Tile


def counts(*lays: str) -> list[int]:
    """The count after each play. A play is written `6-3`, or `4-5@up` with its arm; the first one
    leads."""
    line, seen = None, []
    for text in lays:
        said, _, arm = text.partition("@")
        tile = DOUBLE_SIX.parse(said)
        if line is None:
            line = Line.led(*map(int, said.split("-")))
        else:
            fits = [p.arm for p in line.places if tile.has(p.pips)]
            line = line.with_tile(Arm(arm) if arm else fits[0], tile)
        seen.append(line.open_count)
    return seen


@pytest.mark.parametrize(
    ("lays", "expected"),
    [
        pytest.param(("5-5", "0-5", "5-6", "4-0"), [10, 10, 6, 10], id="R1"),
        pytest.param(
            ("6-6", "6-3@left", "6-4@right", "6-1@up", "6-2@down", "4-4@right"),
            [12, 15, 7, 8, 10, 14],
            id="R2",
        ),
        pytest.param(("6-4", "4-4", "4-3@right", "6-6", "4-5@up"), [10, 14, 9, 15, 20], id="R3"),
        pytest.param(("0-0", "0-5"), [0, 5], id="R4"),
    ],
)
def test_the_worked_cases_have_the_expected_results(
    lays: tuple[str, ...], expected: list[int]
) -> None:
    assert counts(*lays) == expected


def test_r13_plays_with_equal_counts_but_different_ends_are_distinct() -> None:
    line = (
        Line.led(0, 0)
        .with_tile(Arm.LEFT, DOUBLE_SIX.tile(0, 1))
        .with_tile(Arm.LEFT, DOUBLE_SIX.tile(1, 0 + 3))
    )
    line = line.with_tile(Arm.LEFT, DOUBLE_SIX.tile(0, 3)).with_tile(
        Arm.RIGHT, DOUBLE_SIX.tile(0, 2)
    )
    assert line.ends == (0, 2)
    ends = {line.with_tile(arm, DOUBLE_SIX.tile(0, 4)).ends for arm in (Arm.LEFT, Arm.UP)}
    assert ends == {(2, 4), (0, 2, 4)}
    assert {sum(pips) for pips in ends} == {6}


def test_spinner_ends_open_only_when_both_sides_are_covered() -> None:
    line = Line.led(6, 6).with_tile(Arm.LEFT, DOUBLE_SIX.tile(3, 6))
    assert [place.arm for place in line.places] == [Arm.LEFT, Arm.RIGHT]
    line = line.with_tile(Arm.RIGHT, DOUBLE_SIX.tile(4, 6))
    assert [place.arm for place in line.places] == list(Arm)


def test_a_second_double_is_no_spinner() -> None:
    line = (
        Line.led(6, 6)
        .with_tile(Arm.LEFT, DOUBLE_SIX.tile(3, 6))
        .with_tile(Arm.LEFT, DOUBLE_SIX.tile(3, 3))
    )
    assert line.spinner == 6
    assert line.open_count == 12 + 6
    assert line.with_tile(Arm.LEFT, DOUBLE_SIX.tile(3, 4)).open_count == 12 + 4


def test_mirror_images_are_equal() -> None:
    left = Line.led(5, 5).with_tile(Arm.LEFT, DOUBLE_SIX.tile(0, 5))
    right = Line.led(5, 5).with_tile(Arm.RIGHT, DOUBLE_SIX.tile(0, 5))
    assert left.canonical_form == right.canonical_form
    assert Line.led(6, 4).canonical_form == Line.led(4, 6).canonical_form
    assert (
        left.canonical_form
        != Line.led(5, 5).with_tile(Arm.LEFT, DOUBLE_SIX.tile(1, 5)).canonical_form
    )


class Model:
    """A slow model of the same rules: the pips at each tip, and which places of the spinner are
    covered."""

    def __init__(self, a: int, b: int) -> None:
        self.spinner = a if a == b else None
        self.around: list[str] = []  # covered places of the spinner, in the order they were covered
        self.tips: list[tuple[int, bool]] = [] if a == b else [(a, False), (b, False)]

    def open(self) -> list[int]:
        tips = [pips for pips, _ in self.tips]
        free = self.spinner is not None and len(self.around) < 4
        return tips + ([self.spinner] if free and self.spinner is not None else [])

    def count(self) -> int:
        shown = 0 if self.spinner is None or len(self.around) >= 2 else 2 * self.spinner
        return shown + sum(pips * (2 if double else 1) for pips, double in self.tips)

    def lay(self, at: int, tile: Tile) -> None:
        pips = self.open()[at]
        if at < len(self.tips):
            self.tips.pop(at)
        else:
            self.around.append("covered")
        if tile.is_double and self.spinner is None:
            self.spinner = pips
            self.around = ["covered"]
        else:
            self.tips.append((tile.other(pips), tile.is_double))


@given(st.permutations(DOUBLE_SIX.tiles), st.randoms(use_true_random=False))
def test_counts_agree_with_the_model(tiles: list[Tile], random: object) -> None:
    lead, *rest = tiles
    line, model = Line.led(lead.low, lead.high), Model(lead.low, lead.high)
    for tile in rest:
        fits = [at for at, pips in enumerate(model.open()) if tile.has(pips)]
        if not fits:
            assert not line.suits & tile.bit
            continue
        after = {}
        for at in fits:
            trial = Model(0, 0)
            trial.spinner, trial.around = model.spinner, list(model.around)
            trial.tips = list(model.tips)
            trial.lay(at, tile)
            after[(trial.spinner, len(trial.around), tuple(sorted(trial.tips)))] = trial
        laid = {
            line.with_tile(p.arm, tile).canonical_form: line.with_tile(p.arm, tile)
            for p in line.places
            if tile.has(p.pips)
        }
        assert len(laid) == len(after)
        assert sorted(it.open_count for it in laid.values()) == sorted(
            it.count() for it in after.values()
        )
        form = min(laid, key=str)
        line = laid[form]
        model = next(
            it
            for it in after.values()
            if (it.spinner, *sorted(it.tips)) == (form[0], *[tuple(end) for end in form[1:]])  # type: ignore[arg-type]
        )
