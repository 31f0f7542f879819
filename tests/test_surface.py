"""The program's surface (tests/surface.py) is unchanged."""

import pytest

from tests.surface import KINDS, stored


@pytest.mark.parametrize("kind", KINDS)
def test_the_public_surface_is_unchanged(kind: str) -> None:
    """A change on purpose is written by `python -m tests.surface`, and read in the diff."""
    assert list(KINDS[kind]()) == stored(kind)
