"""Files that a hub writes can only be read by their owner, even in an existing folder and with the
usual umask."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.club.hub.folder import HubFolder, back_up
from companion.core.regular_file import OWNER_ONLY
from tests.club.hub.boxes import record_of
from tests.starting import running_hub


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def readable_by_others(folder: Path) -> list[str]:
    return [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and path.stat().st_mode & 0o077
    ]


def test_files_are_private_in_an_existing_folder(tmp_path: Path) -> None:
    club, copy = tmp_path / "club", tmp_path / "copy"
    for folder in (club, copy):
        folder.mkdir(mode=0o755)
    with running_hub(club) as hub:
        record_of(tmp_path / "record.db", [])
        assert (club / "hub.db-wal").exists() and hub.pid
        assert readable_by_others(club) == []
    found = HubFolder.open(club)
    database = found.open_database()
    back_up(found, database, copy)
    database.close()
    assert readable_by_others(club) == readable_by_others(copy) == []


def test_a_readable_database_is_made_private(tmp_path: Path) -> None:
    found = HubFolder.open(tmp_path / "club", make=True)
    path = tmp_path / "club" / "hub.db"
    path.touch(0o644)
    path.chmod(0o644)
    found.open_database().close()
    assert path.stat().st_mode & 0o777 == OWNER_ONLY
