"""A sample is a fixed share of the cases that repeat a property (sampling.py)."""

import subprocess
import sys
from pathlib import Path

from tests.sampling import Sample
from tests.tape.casts import CASTS

ROOT = Path(__file__).parent.parent
PROPERTY, CASES, MANY = "tests/test_x.py::test_x", [*"abcdefghij"], 3


def test_a_complete_run_tries_every_case() -> None:
    sample = Sample()
    assert sample.draw(PROPERTY, CASES, MANY) == CASES
    assert sample.examples(100) == 100


def test_a_sample_is_reproducible_and_of_the_given_size() -> None:
    drawn = Sample(share=True).draw(PROPERTY, CASES, MANY)
    assert Sample(share=True).draw(PROPERTY, CASES, MANY) == drawn == sorted(drawn)
    assert len(drawn) == MANY
    assert Sample(share=True).draw(PROPERTY, CASES[:MANY], MANY) == CASES[:MANY]


def test_every_property_has_its_own_sample() -> None:
    sample = Sample(share=True)
    draws = [sample.draw(f"{PROPERTY}_{number}", CASES, MANY) for number in range(100)]
    assert set().union(*map(set, draws)) == set(CASES)
    others = [sample.draw(PROPERTY, CASES, MANY, f"{number}") for number in range(100)]
    assert len({tuple(one) for one in others}) > 30


def test_a_sample_keeps_some_examples_of_a_property() -> None:
    sample = Sample(share=True)
    assert [sample.examples(many) for many in (100, 12, 3)] == [25, 5, 3]


MARKED = """
import pytest

@pytest.mark.sampled(1)
@pytest.mark.parametrize("case", range(9))
def test_some(case): pass

@pytest.mark.parametrize("case", ["short", pytest.param("long", marks=pytest.mark.whole)])
def test_most(case): pass

@pytest.mark.whole
def test_later(): pass

@pytest.mark.browser
def test_page(): pass

@pytest.mark.browser
@pytest.mark.smoke
def test_page_opens(): pass
"""


def collected(*arguments: str) -> list[str]:
    """The tests that a run with these arguments would try."""
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        [*command, "-W", "ignore", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [line for line in ran.stdout.splitlines() if "::" in line]


def test_marked_tests_run_only_in_a_complete_run(tmp_path: Path) -> None:
    path = tmp_path / "test_marked.py"
    path.write_text(MARKED)
    some = collected("--confcutdir", f"{ROOT}", "-p", "tests.conftest", "--sample", f"{path}")
    assert [one.partition("::")[2].partition("[")[0] for one in some] == [
        "test_some", "test_most", "test_page_opens",
    ]  # fmt: skip
    assert some[1].endswith("[short]")
    assert len(collected("--confcutdir", f"{ROOT}", "-p", "tests.conftest", f"{path}")) == 14


def test_a_sample_run_plays_some_tapes() -> None:
    played = {
        Path(line.partition("::")[0]).stem for line in collected("--sample", "tests/tape/played")
    }
    assert played < {cast.name for cast in CASTS}
    assert "race" in played
    assert 1 < len(played) < len(CASTS) / 2
