"""What others rely on stays as it is: tests/surface.py."""

import pytest

from tests.surface import KINDS, stored


@pytest.mark.parametrize("kind", KINDS)
def test_what_others_rely_on_is_as_it_was(kind: str) -> None:
    """A change on purpose is written by `python -m tests.surface`, and read in the diff."""
    assert list(KINDS[kind]()) == stored(kind)
