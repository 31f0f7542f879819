"""The findings of `verify` about rows that were changed, removed or inserted from outside."""

import sqlite3
from pathlib import Path

import pytest

from companion.record.repair.verify import verify
from companion.record.store.database import START, ChainLink
from companion.record.store.reader import Reader
from tests.record.play import SCRIPT, play
from tests.sample_games import RACE_RULES


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.db"


def tampered(path: Path, *statements: str) -> list[str]:
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER never_changed")
    db.execute("DROP TRIGGER never_removed")
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()
    with Reader.open(path, RACE_RULES) as reader:
        return verify(reader)


def test_verify_names_each_fault_and_its_place(path: Path) -> None:
    play(path, *SCRIPT)
    play(path, *SCRIPT)
    findings = tampered(
        path,
        "UPDATE record SET row = replace(row, '5', '6') WHERE seq = 2",
        "UPDATE record SET at = 7 WHERE seq = 17",
        "UPDATE record SET before = hash WHERE seq = 18",
        "DELETE FROM record WHERE seq IN (20, 21, 23)",
    )
    assert [line for line in findings if "no longer holds" not in line] == [
        "row 2 (game 1) was changed after it was written",
        "row 17 (game 2) was changed after it was written",
        "row 18 (game 2) was changed after it was written",
        "rows 20 to 21 are missing",
        "row 23 is missing",
    ]


def test_verify_finds_inserted_rows(path: Path) -> None:
    play(path, *SCRIPT)
    link = ChainLink.make(START, (4, 1, '{"v": 1, "kind": "redo"}', None, None))
    marks = ", ".join(f"x'{value.hex()}'" for value in (link.before, link.hash))
    findings = tampered(
        path,
        "DELETE FROM record WHERE seq = 4",
        f"INSERT INTO record VALUES (4, 1, '{link.row}', NULL, NULL, {marks})",
        "DELETE FROM record WHERE seq = 1",
    )
    assert findings[:3] == [
        "row 1 is missing",
        "row 4 (game 1) does not follow on the row before it",
        "row 5 (game 1) does not follow on the row before it",
    ]
    assert findings[-1] == "game 1 can't be shown: its first row is missing"
