"""Names are sorted so that people find them."""

from random import Random

import pytest

from companion.core.words import name_sort_key


@pytest.mark.parametrize(
    "names",
    [
        ["Table 1", "table 2", "Table 10", "Table 10 B", "Table 11"],
        ["olga", "Óscar", "Påul", "Zoë"],
        ["2", "10", "10.5", "Anna", "Anna 2"],
        ["", "7" * 5000, "Å", "B"],
    ],
)
def test_sorting_ignores_accents_and_reads_numbers(names: list[str]) -> None:
    mixed = [*names]
    Random(1).shuffle(mixed)
    assert sorted(mixed, key=name_sort_key) == names
