"""A damaged record is read with little memory and in little time: each reading command reports the
fault in one line, whatever the damage (a sample; tests/rigs/rig_damage.py has all)."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.record.store.chain import ROWS_AT_ONCE, walk, walk_back
from companion.record.store.database import (
    LONGEST_ROW,
    START,
    ChainLink,
    DamagedError,
    StoreError,
    connect,
    is_damage,
)
from companion.record.store.reader import Reader
from tests.catalog import GAMES
from tests.record.bounded import READING, by_pages, few_bytes, told_within, write_people
from tests.record.damage import RecordFiles

SAMPLE = 12


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> RecordFiles:
    path = tmp_path_factory.mktemp("source") / "record.db"
    write_people(path)
    return RecordFiles.of(path)


def test_commands_report_nothing_about_a_sound_record(source: RecordFiles, tmp_path: Path) -> None:
    assert told_within([("sound", source)], tmp_path, READING) == []


def test_reading_circular_pages_ends(source: RecordFiles, tmp_path: Path) -> None:
    last = f"copied over {len(source.file) // 4096}"
    cases = [(name, files) for name, files in by_pages(source) if name.endswith(last)]
    assert told_within(cases[1::3], tmp_path, [("stats",)]) == []


def test_reading_overwritten_pages_ends_in_time(source: RecordFiles, tmp_path: Path) -> None:
    cases = Random(3).sample([*by_pages(source)], SAMPLE)
    assert told_within(cases, tmp_path, READING[:3]) == []


def test_reading_with_damaged_bytes_of_the_root_page_ends_in_time(
    source: RecordFiles, tmp_path: Path
) -> None:
    cases = Random(4).sample([*few_bytes(source)], SAMPLE)
    assert told_within(cases, tmp_path, READING[:3]) == []


# ---------------------------------------------------------------- a tree that leads back


def chained(many: int) -> list[ChainLink]:
    links, before = list[ChainLink](), START
    for seq in range(1, many + 1):
        links.append(ChainLink.make(before, (seq, 1, "{}", None, None)))
        before = links[-1].hash
    return links


class Circle:
    """A damaged file that returns all its rows for every query. `asked`: the number of queries."""

    def __init__(self, links: list[ChainLink]) -> None:
        self.links = links
        self.asked = 0

    def __call__(self, question: str, *values: int) -> list[Any]:
        self.asked += 1
        assert self.asked < 10 * len(self.links), "it has no end"
        if "page_count" in question:
            return [(len(self.links) // 20,)]
        if "max(seq)" in question:
            return [(len(self.links),)]
        if "seq = ?" in question:
            return [link.columns for link in self.links if link.seq == values[0]]
        back = "DESC" in question
        some = self.links[-ROWS_AT_ONCE // 4 :][::-1] if back else self.links[:ROWS_AT_ONCE]
        return [link.columns for link in some]


def test_rows_duplicated_by_damage_are_yielded_once() -> None:
    links = chained(ROWS_AT_ONCE + 9)
    assert [*walk(Circle(links))] == links


def test_rows_repeated_in_backward_order_are_reported_as_damage() -> None:
    with pytest.raises(DamagedError, match="out of order"):
        list(walk_back(Circle(chained(ROWS_AT_ONCE))))


def test_an_endless_query_is_reported_as_damage(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    write_people(path)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    with Reader.open(path, GAMES) as reader:
        with pytest.raises(DamagedError, match=r"can't be read: the file is damaged \(interrupted"):
            reader.query(endless)
        assert reader.last_row() > 0, "the next question is another one"


def test_a_damaged_length_takes_no_memory() -> None:
    with closing(connect(":memory:")) as db, pytest.raises(sqlite3.Error) as caught:
        db.execute("SELECT zeroblob(?)", (LONGEST_ROW + 1,)).fetchall()
    assert is_damage(caught.value)


def test_too_little_memory_is_reported_and_is_not_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record.db"
    write_people(path)

    class Full:
        def execute(self, *_: object) -> None:
            raise MemoryError

        def __getattr__(self, _: str) -> Any:
            return lambda *_: None

    with Reader.open(path, GAMES) as reader:
        reader.close()
        monkeypatch.setattr(reader, "_db", Full())
        with pytest.raises(StoreError, match="there is not enough memory") as caught:
            reader.last_row()
        assert not isinstance(caught.value, DamagedError)
