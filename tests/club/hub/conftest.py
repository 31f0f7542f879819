"""Fixtures for the tests of the hub. Those that use `address` run with both databases: SQLite and,
in the whole run, PostgreSQL."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.club.hub.database import Database
from tests.club.hub.postgres import Cluster, cluster


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL server for the tests alone."""
    with cluster() as made:
        yield made


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.whole)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """The address of an empty database, for each kind of database in turn."""
    if request.param == "sqlite":
        return tmp_path / "hub.db"
    made: Cluster = request.getfixturevalue("postgres")
    return made.database()


@pytest.fixture
def database(address: str | Path) -> Iterator[Database]:
    """The database at `address`, with the hub's tables."""
    opened = Database.from_address(address)
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def same_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps a hub in this process from changing the settings of garbage collection."""
    monkeypatch.setattr(gc, "set_threshold", lambda *_: None)
