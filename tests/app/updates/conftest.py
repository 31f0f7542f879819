"""The card that the tests of updates use."""

from pathlib import Path

import pytest

from tests.app.updates.card import FakeCard


@pytest.fixture
def card(tmp_path: Path) -> FakeCard:
    return FakeCard(tmp_path / "card")
