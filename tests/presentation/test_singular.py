"""Singular forms: one tile, one pip."""

import re

import pytest

from companion.core.seats import Seat
from companion.games.entries import PipsShown
from companion.presentation.sayings import MOMENT_WORDS, describe_common_entry

COUNTS = {"number", "boneyard", "spacers"}


@pytest.mark.parametrize(
    "key", [key for key in MOMENT_WORDS if key.startswith(("where.", "notice."))]
)
def test_no_number_precedes_a_fixed_plural(key: str) -> None:
    counted = set(re.findall(r"\{(\w+)\} (?:tiles|spacers|pips)", MOMENT_WORDS[key]))
    assert not counted & COUNTS


def test_one_pip_is_shown_in_the_singular() -> None:
    for pips, words in ((1, "Ada shows 1 pip"), (2, "Ada shows 2 pips")):
        assert describe_common_entry(PipsShown(Seat("Ada"), pips))["words"] == words
