"""A database that goes away, or a disk that is full: nothing acknowledged is lost, no refused batch
is acknowledged, and the box tries again."""

from pathlib import Path

import pytest
from sqlalchemy import event

from companion.club.hub.database import Database, UnavailableError
from companion.club.hub.store import Acknowledged
from companion.club.hub.verify import verify
from companion.commands.cli import main
from tests.club.hub.boxes import joined, record_of
from tests.club.hub.postgres import Cluster
from tests.club.hub.pushing import Pusher, club, grown, settings
from tests.club.hub.test_running import of_rows
from tests.club.hub.test_tables import evening
from tests.starting import running_hub


def test_a_box_waits_while_the_database_is_away(
    postgres: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_hub(tmp_path / "club", "--database", postgres.database()) as hub:
        record = record_of(tmp_path / "record.db", of_rows(evening()))
        joined(hub, record, capsys)
        assert main(["hub", "push", "--record", str(record), "--once"]) == 0
        record_of(record, of_rows(evening(), 2))
        postgres.stop()
        assert main(["hub", "push", "--record", str(record), "--once"]) == 1
        assert "does not answer" in capsys.readouterr().err
        assert main(["hub", "verify", "--data", str(hub.data)]) == 2
        postgres.start()
        assert main(["hub", "push", "--record", str(record), "--once"]) == 0
        assert "16 rows; 8 were new" in capsys.readouterr().out
        assert main(["hub", "verify", "--data", str(hub.data)]) == 0


def test_a_full_disk_refuses_whole_batches(tmp_path: Path) -> None:
    database = Database.from_address(tmp_path / "hub.db")
    database.migrate()
    store = club(database)
    box, links = Pusher.joined(store), grown([], settings(400))
    room = 26

    @event.listens_for(database.engine, "connect")
    def limited(db: object, _record: object) -> None:
        db.execute(f"PRAGMA max_page_count = {room}")  # type: ignore[attr-defined]

    database.engine.dispose()
    kept = 0
    with pytest.raises(UnavailableError, match="full"):
        for at in range(0, 400, 50):
            assert isinstance(box.push(links[at : at + 50]), Acknowledged)
            kept = at + 50
    assert 0 < kept < 400
    report = verify(database)
    assert (report["well"], report["rows"]) == (True, kept)
    room = 10_000
    database.engine.dispose()
    assert isinstance(box.push(links[kept:]), Acknowledged)
    assert verify(database)["rows"] == 400
    database.close()


def test_verify_reports_changed_missing_and_unsigned_rows(database: Database) -> None:
    store = club(database)
    box, links = Pusher.joined(store), grown([], settings(9))
    box.push(links)
    assert verify(database)["well"]
    with database.writing() as db:
        db.exec_driver_sql("UPDATE rows SET game = 7 WHERE seq = 3")
        db.exec_driver_sql("DELETE FROM rows WHERE seq = 6")
        db.exec_driver_sql("UPDATE chains SET countersign = seal")
    (chain,) = verify(database)["chains"]
    assert chain["faults"] == [
        "row 3 was changed after it was pushed",
        "row 6 is missing",
        "the club's signature of row 9 is wrong",
    ]


def test_a_backup_is_a_complete_hub(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running_hub(tmp_path / "club") as hub:
        record = record_of(tmp_path / "record.db", of_rows(evening()))
        joined(hub, record, capsys)
        assert main(["hub", "push", "--record", str(record), "--once"]) == 0
        for _ in range(2):  # the second replaces the first
            assert main(["hub", "backup", "--data", str(hub.data), str(tmp_path / "stick")]) == 0
        port = hub.port
    with running_hub(tmp_path / "stick", "--port", str(port)):
        record_of(record, of_rows(evening(), 2))
        assert main(["hub", "push", "--record", str(record), "--once"]) == 0
        assert main(["hub", "verify", "--data", str(tmp_path / "stick")]) == 0
        assert "16 rows" in capsys.readouterr().out


def test_commands_settle_a_fork_and_expel_a_box(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["--data", str(tmp_path / "club")]
    with running_hub(tmp_path / "club") as hub:
        record, copy = tmp_path / "kitchen.db", tmp_path / "copy.db"
        record_of(record, of_rows(evening()))
        joined(hub, record, capsys)
        copy.write_bytes(record.read_bytes())
        copy.with_suffix(".club").write_bytes(record.with_suffix(".club").read_bytes())
        for one, game in ((record, 2), (copy, 3)):
            record_of(one, of_rows(evening(), game))
            assert main(["hub", "push", "--record", str(one), "--once"]) == 0
        assert main(["hub", "verify", *data]) == 1
        told = capsys.readouterr().out
        assert "choose chain 1 or 2 (companion hub choose" in told
        assert main(["hub", "choose", "Attic", "2", *data]) == 1
        assert "no box Attic; the boxes are: kitchen (" in capsys.readouterr().err
        assert main(["hub", "choose", "kitchen", "7", *data]) == 1
        assert main(["hub", "choose", "kitchen", "2", *data]) == 0
        assert main(["hub", "verify", *data]) == 0
        record_of(record, of_rows(evening(), 5))
        assert main(["hub", "push", "--record", str(record), "--once"]) == 2
        assert "chose the other branch" in capsys.readouterr().err
        assert main(["hub", "push", "--record", str(copy), "--once"]) == 0
        assert main(["hub", "throw-out", "kitchen", *data]) == 0
        record_of(copy, of_rows(evening(), 5))
        assert main(["hub", "push", "--record", str(copy), "--once"]) == 2
        assert "thrown this box out" in capsys.readouterr().err
