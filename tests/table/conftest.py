"""Fixtures: a table with a game that has begun, and a phone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.proposing import Phone
from tests.rig import Rig

START = "1 2 1 OK 1 OK 2"
"""Begins High Five for two by their colours; Blue leads the double six, and Red's turn is next."""


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path / "record.db") as rig:
        yield rig.press(START)


@pytest.fixture
def anna() -> Phone:
    return Phone("phone-1", "Red")
