"""A copy of the hub is complete, or the previous one stays, however the copying ends."""

import asyncio
import os
import sqlite3
from pathlib import Path

import pytest

from companion.club.hub import folder as folder_module
from companion.club.hub.database import Database
from companion.club.hub.folder import FILES, HubFolder, back_up, keep_backing_up
from companion.club.hub.members import Members
from companion.club.hub.store import HubStore
from companion.club.hub.verify import verify
from companion.commands.cli import main
from companion.core.errors import SetupError
from tests.club.hub.boxes import joined, record_of
from tests.club.hub.pushing import AT, Pusher, grown, settings
from tests.club.hub.test_running import of_rows
from tests.club.hub.test_tables import evening
from tests.starting import running_hub
from tests.waiting import until, wait_until


class KilledCopying(BaseException):
    """Raised to end the copying as a power cut would, without any cleanup."""


def a_hub(place: Path) -> tuple[HubFolder, Database, HubStore]:
    folder = HubFolder.open(place, make=True, name="Friday Fives")
    database = folder.open_database()
    database.migrate()
    store = HubStore(database, folder.keys, lambda: AT)
    Members(database, store.club, store.clock).begin(folder.keys, folder.name)
    return folder, database, store


def rows_at(stick: Path) -> int:
    """How many rows the copy on this `stick` has. Fails unless a hub can start from that copy."""
    database = HubFolder.open(stick).open_database()
    try:
        report = verify(database)
    finally:
        database.close()
    assert report["well"]
    return int(report["rows"])


def test_a_kill_at_any_step_leaves_the_older_copy_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, database, store = a_hub(tmp_path / "club")
    stick, links = tmp_path / "stick", grown([], settings(40))
    box = Pusher.joined(store)
    box.push(links[:20])
    back_up(folder, database, stick)
    box.push(links[20:])
    left, steps = 0, 0

    def killed_after(many: int) -> None:
        nonlocal left
        left = many

    def counted(do: object) -> object:
        def done(*args: object, **named: object) -> object:
            nonlocal left, steps
            left -= 1
            if not left:
                raise KilledCopying
            return do(*args, **named)  # type: ignore[operator]

        return done

    for of, name in ((os, "fsync"), (os, "open"), (Path, "replace"), (Path, "unlink")):
        monkeypatch.setattr(of, name, counted(getattr(of, name)))
    found = []
    while True:
        steps += 1
        killed_after(steps)
        try:
            back_up(folder, database, stick)
        except KilledCopying:
            left = -1
            found.append(rows_at(stick))
        else:
            break
    left = -1
    assert steps > 8
    assert set(found) == {20, 40}
    assert found == sorted(found)
    assert rows_at(stick) == 40
    assert {path.name for path in stick.iterdir()} - {"hub.db-wal", "hub.db-shm"} == {
        "hub.db", *FILES
    } - {"hub.codes"}  # fmt: skip
    for path in stick.iterdir():
        assert path.stat().st_mode & 0o077 == 0 or "hub.db-" in path.name
    database.close()


def test_a_running_hub_is_copied_whenever_something_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_module, "BACKUP_EVERY_S", 0.01)
    monkeypatch.setattr(folder_module, "PAUSE_FACTOR", 0)
    folder, database, store = a_hub(tmp_path / "club")
    stick, links = tmp_path / "stick", grown([], settings(9))
    box, told, copies = Pusher.joined(store), list[str](), 0
    copy = folder_module.back_up

    def counted(folder: HubFolder, database: Database, to: Path) -> None:
        nonlocal copies
        copy(folder, database, to)
        copies += 1

    monkeypatch.setattr(folder_module, "back_up", counted)

    looks, version = [0], folder_module._data_version

    def looked(watched: sqlite3.Connection) -> int:
        looks[0] += 1
        return version(watched)

    monkeypatch.setattr(folder_module, "_data_version", looked)

    async def go() -> None:
        copying = asyncio.create_task(keep_backing_up(folder, database, stick, told.append))
        await until(lambda: copies == 1)
        before = looks[0]
        await until(lambda: looks[0] > before + 2)
        assert copies == 1, "nothing has changed"
        box.push(links)
        await until(lambda: copies == 2)
        assert rows_at(stick) == 9
        stick.rename(tmp_path / "pulled")
        stick.write_text("no folder")
        box.push(grown(links, settings(1))[-1:])
        await until(lambda: bool(told))
        stick.unlink()
        await until(lambda: copies == 3 and len(told) == 2)
        assert rows_at(stick) == 10
        copying.cancel()
        await asyncio.gather(copying, return_exceptions=True)

    asyncio.run(go())
    assert [line.partition(":")[0] for line in told] == [
        "The hub is not copied", f"The hub is copied to {stick} again.",
    ]  # fmt: skip
    database.close()


@pytest.mark.usefixtures("same_garbage")
def test_a_hub_makes_its_first_backup_as_it_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stick = tmp_path / "stick"
    with running_hub(tmp_path / "club", "--backup", str(stick)) as hub:
        record = record_of(tmp_path / "record.db", of_rows(evening()))
        joined(hub, record, capsys)
        wait_until((stick / "hub.db").exists)
    assert rows_at(stick) == 0
    data = ["hub", "run", "--data", str(tmp_path / "club")]
    assert main([*data, "--backup", str(tmp_path / "club")]) == 2
    assert "the hub's own folder" in capsys.readouterr().err
    with pytest.raises(SetupError, match="makes its own copies"):
        folder = HubFolder.open(tmp_path / "pg", make=True, database="postgresql://a@b/c")
        folder_module.check_backup(folder, stick)
