"""Both databases, for whoever asks for `address`: the tests of the hub are run with each."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.hub.database import Database
from tests.hub.postgres import Cluster, cluster


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL of our own."""
    with cluster() as made:
        yield made


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return tmp_path / "hub.db"
    made: Cluster = request.getfixturevalue("postgres")
    return made.database()


@pytest.fixture
def database(address: str | Path) -> Iterator[Database]:
    """The database with its tables."""
    opened = Database.at(address)
    opened.bring_up_to_date()
    yield opened
    opened.close()
