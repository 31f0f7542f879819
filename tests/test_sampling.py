"""A run tries a share of the cases that repeat a law: every case comes up some day, and the run
tells what it left out (sampling.py)."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.sampling import COMMIT, ROOT, Sample, Sampling, ranges, seed_of
from tests.tape.casts import CASTS

LAW, CASES, MANY = "tests/test_x.py::test_x", [*"abcdefghij"], 3


def test_without_a_seed_everything_is_tried() -> None:
    sample = Sample()
    assert sample.draw(LAW, CASES, MANY) == CASES
    assert (sample.examples(100), sample.told()) == (100, [])


def test_one_seed_draws_the_same_again_and_as_many_as_were_asked_for() -> None:
    drawn = Sample("3f2a").draw(LAW, CASES, MANY)
    assert Sample("3f2a").draw(LAW, CASES, MANY) == drawn == sorted(drawn)
    assert len(drawn) == MANY
    assert Sample("3f2a").draw(LAW, CASES[:MANY], MANY) == CASES[:MANY]


def test_every_case_is_drawn_by_some_commit_and_each_law_has_a_draw_of_its_own() -> None:
    draws = [Sample(f"{number:x}").draw(LAW, CASES, MANY) for number in range(100)]
    assert set().union(*map(set, draws)) == set(CASES)
    assert all(any(case not in one for one in draws) for case in CASES)
    assert len({tuple(one) for one in draws}) > 30
    others = [Sample(f"{number:x}").draw(f"{LAW}_too", CASES, MANY) for number in range(100)]
    assert draws != others


def test_a_property_keeps_some_examples() -> None:
    sample = Sample("3f2a")
    assert [sample.examples(many) for many in (100, 12, 3)] == [25, 5, 3]


def test_what_is_left_out_is_told() -> None:
    sample = Sample("3f2a")
    drawn = sample.draw(LAW, CASES, MANY)
    first, line = sample.told()
    assert "drawn by 3f2a" in first
    assert "make test-all" in first
    assert line == f"  {LAW}: left out {', '.join(one for one in CASES if one not in drawn)}"


def test_what_other_processes_left_out_is_told_too() -> None:
    sample, other = Sample("3f2a"), Sample("3f2a")
    other.draw(LAW, CASES, MANY)
    Sampling(sample).pytest_testnodedown(SimpleNamespace(workeroutput={"left_out": other.left_out}))
    assert sample.told() == other.told()


@pytest.mark.parametrize(
    ("cases", "told"),
    [(["0", "1", "2", "5"], "0–2, 5"), (["a", "1", "2", "b"], "a, 1–2, b"), ([], "")],
)
def test_numbers_that_follow_each_other_are_told_as_a_range(cases: list[str], told: str) -> None:
    assert ranges(cases) == told


def test_the_commit_draws_and_where_there_is_none_the_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert seed_of("3f2a") == "3f2a"
    assert seed_of(COMMIT)
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    monkeypatch.setattr("tests.sampling.ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert seed_of(COMMIT) == "1.2.3"
    monkeypatch.setenv("PATH", "")
    assert seed_of(COMMIT) == "1.2.3"


def test_a_run_plays_some_tapes_and_names_the_others() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    asked = ("-W", "ignore", "--sample", "3f2a", "tests/tape/played")
    ran = subprocess.run(
        [*command, *asked], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    played = {Path(line.partition("::")[0]).stem for line in ran.splitlines() if "::" in line}
    left = {
        name
        for line in ran.splitlines()
        if ": left out " in line
        for name in line.partition(": left out ")[2].split(", ")
    }
    assert played | left == {cast.name for cast in CASTS}
    assert not played & left
    assert "race" in played
    assert 1 < len(played) < len(CASTS) / 2
