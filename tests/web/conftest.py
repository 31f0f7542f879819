"""Fixtures with pages to visit."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.live import BEGUN, LiveTable, keep
from tests.web.site import Site


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site(open_to_all=False)
    yield site
    site.page.stop()


@pytest.fixture
def lan_site() -> Iterator[Site]:
    site = Site(open_to_all=True)
    yield site
    site.page.stop()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    """A table at which a game has begun: BEGUN."""
    keep(tmp_path / "record.db", BEGUN)
    table = LiveTable(tmp_path / "record.db")
    yield table
    table.close()
