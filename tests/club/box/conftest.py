"""Fixtures for the tests in this folder: a club's hub in a separate process, and a box's record."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.catalog import CATALOG
from companion.record.store.store import Store
from tests.starting import HubProcess, running_hub


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[HubProcess]:
    with running_hub(tmp_path / "club", "--name", "Friday Fives") as started:
        yield started


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "record.db", CATALOG.rules)
    yield opened
    opened.close()
