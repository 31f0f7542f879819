"""A damaged record is set aside under a new name, every readable row is kept, and play goes on.
Most of these records have no copies, so that some rows are lost."""

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core.errors import RuleError
from companion.core.seats import Seats
from companion.record.copies.text_copy import ALL_ROWS, copies_folder
from companion.record.repair.salvage import read_damaged
from companion.record.repair.verify import verify
from companion.record.rows import Amend, GameOpened, Gap, Redo, Reseat, Rewind, RowsLost, Step, Undo
from companion.record.store.database import COLUMNS, ChainLink
from companion.record.store.reader import Reader
from tests.playing import undoes
from tests.record.damage import drop_copies
from tests.record.play import SCRIPT, folded, opened_store, play, same, scored
from tests.record.tampering import GAMES, ROWS, change_row, cut, evening, remove_row, write
from tests.sample_games import RACE_RULES


def change_last_row(path: Path) -> None:
    change_row(path, ROWS)


def rows_of(path: Path) -> set[tuple[object, ...]]:
    with Reader.open(path, RACE_RULES) as reader:
        return {tuple(row) for row in reader.query(f"SELECT {COLUMNS} FROM record")}


def is_mark(link: ChainLink) -> bool:
    return '"kind": "lost"' in link.row


def replace_by_other_database(path: Path) -> None:
    path.unlink()
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE recipes (name)")
    db.close()


DAMAGES: dict[str, tuple[Callable[[Path], object], int | None]] = {
    "empty": (lambda path: cut(path, 0), 0),
    "no database": (lambda path: path.write_bytes(b"a shopping list\n" * 99), 0),
    "another database": (replace_by_other_database, 0),
    "header": (lambda path: write(path, 0, b"\xff" * 100), 0),
    "whole first page": (lambda path: write(path, 0, bytes(4096)), 0),
    "page size": (lambda path: write(path, 16, b"\x20\x00"), 0),
    "text encoding": (lambda path: write(path, 56, b"\x00\x00\x00\x02"), 0),
    "cut to a half": (lambda path: cut(path, path.stat().st_size // 2 // 4096 * 4096), None),
    "cut inside a page": (lambda path: cut(path, path.stat().st_size - 5000), None),
    "cut to a few bytes": (lambda path: cut(path, 50), 0),
    "last row changed": (change_last_row, ROWS - 1),
    "row of the last game changed": (lambda path: change_row(path, ROWS - 4), ROWS - 1),
    "hash of a row changed": (lambda path: change_row(path, ROWS - 4, "hash = x'00'"), ROWS - 1),
    "row of the last game removed": (lambda path: remove_row(path, ROWS - 4), ROWS - 1),
}
"""Damages of the file, each with the number of rows left without copies (None for some)."""


@pytest.mark.parametrize("name", DAMAGES)
def test_every_readable_row_is_kept_and_play_goes_on(tmp_path: Path, name: str) -> None:
    damage, rows = DAMAGES[name]
    path = evening(tmp_path)
    before = rows_of(path)
    damage(path)
    left = path.read_bytes()
    with opened_store(path) as store:
        message = store.messages[0]
        assert message.startswith("The record was damaged: kept as record.db.damaged-1; ")
        assert Path(f"{path}.damaged-1").read_bytes() == left
        kept = [item for item in store.walk() if isinstance(item, ChainLink) and not is_mark(item)]
        assert {link.columns for link in kept} <= before
        if rows is not None:
            assert len(kept) == rows
            assert ("no row is readable" in message) == (rows == 0)
            assert (message.endswith(f"; {ROWS} of {ROWS} rows are readable")) == (rows == ROWS)
        assert bool(store.loss_marks()) == (len(kept) < ROWS)
        number = store.next_game_number()
        store.keep(number, GameOpened("race", Seats.of("Red", "Blue"), {"goal": 200}))
        store.keep(number, Step((scored(0, 3),)))
    with opened_store(path) as store:
        assert not store.messages
        found = store.last_game()
        assert found is not None and found[0] == number
        assert same(found[1], folded((Step((scored(0, 3),)),)))
        chain = [line for line in verify(store) if "no longer holds" not in line]
        gaps = [line for line in chain if "first row" not in line]
        assert all("(since record.db.damaged-1 was set aside)" in line for line in gaps)
        assert bool(gaps) == bool(store.loss_marks())


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("name", DAMAGES)
def test_a_record_with_its_text_copy_loses_no_row(tmp_path: Path, name: str, closed: bool) -> None:
    path = evening(tmp_path, closed=closed, copies=True)
    Path(f"{path}.lock").touch()
    before = rows_of(path)
    if closed or "row" not in name:  # SQLite would put the log into the file
        DAMAGES[name][0](path)
    with opened_store(path) as store:
        assert store.loss_marks() == ()
        assert same(store.game(GAMES), folded(SCRIPT))
        assert verify(store) == []
        assert rows_of(path) == before
        store.keep(GAMES, Redo())
    with opened_store(path) as store:
        assert store.messages == ()


def test_a_lost_row_is_counted_and_named(tmp_path: Path) -> None:
    path = evening(tmp_path)
    change_row(path, ROWS - 4)
    with opened_store(path) as store:
        told = f"; {ROWS - 1} of {ROWS} rows are readable: row {ROWS - 4} is lost"
        assert store.messages[0].endswith(told)


def test_rows_keep_numbers_and_hashes_and_a_row_records_the_gap(tmp_path: Path) -> None:
    path = evening(tmp_path)
    before = rows_of(path)
    for seq in (20, 21, ROWS):
        change_row(path, seq)
    with opened_store(path) as store:
        kept = rows_of(path)
        assert {row for row in before if row[0] not in (20, 21, ROWS)} == {
            row for row in kept if row[0] != ROWS + 1
        }
        gaps = (Gap(20, 21, (2,)), Gap(ROWS, ROWS, (GAMES,)))
        assert store.loss_marks() == ((ROWS + 1, RowsLost(gaps, "record.db.damaged-1")),)
    for _ in range(2):  # the mark stays, and is not made again
        with opened_store(path) as store:
            assert len(store.loss_marks()) == 1
            lost = "(since record.db.damaged-1 was set aside)"
            chain = [line for line in verify(store) if "no longer holds" not in line]
            assert chain == [f"rows 20 to 21 are missing {lost}", f"row {ROWS} is missing {lost}"]
            assert store.fold(2).missing and store.fold(GAMES).missing
            assert not store.fold(1).doubts and not store.fold(3).doubts


def test_a_truncated_file_is_never_reported_as_whole(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with opened_store(path) as store:
        store.keep(1, GameOpened("race", Seats.of("Red", "Blue"), {"goal": 200}))
        for turn in range(373):
            store.keep(1, Step((scored(turn, 0),)))
    (text,) = copies_folder(path).glob(f"*/{ALL_ROWS}")
    for file in (path, text):
        cut(file, file.stat().st_size * 2 // 5 // 4096 * 4096)
    with opened_store(path) as store:
        (message,) = store.messages
        last = max(
            item.seq for item in store.walk() if isinstance(item, ChainLink) and not is_mark(item)
        )
        assert 50 < last < 200
        assert message.endswith(f"{last} rows are readable: what came after row {last} may be lost")
        found = store.last_game()
        assert found is not None and found[1].losses == (last - 1,)
        store.keep(1, Step((scored(last - 1, 7),)))
        # Numbers that were given before are never given again.
        assert store.last_row() > 374
    with opened_store(path) as store:
        assert not store.messages
        told = f"what came after row {last} may be lost (since record.db.damaged-1 was set aside)"
        assert verify(store) == [told]
        assert store.fold(1).doubts == [told]


def test_a_game_goes_on_after_a_gap(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    play(path, *(Step((scored(turn, 5 + turn),)) for turn in range(5)))
    drop_copies(path)
    change_row(path, 3)  # Blue's first turn
    with opened_store(path) as store:
        assert store.messages == (
            "The record was damaged: kept as record.db.damaged-1; 5 of 6 rows are readable:"
            " row 3 is lost",
        )
        found = store.last_game()
        assert found is not None
        assert [str(entry) for entry in found[1].entries] == [
            "Red scores 5", "Red scores 7", "Blue scores 8", "Red scores 9",
        ]  # fmt: skip
        assert found[1].losses == (1,)


def test_changes_across_a_gap_are_skipped_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    play(
        path,
        *(Step((scored(turn, turn),)) for turn in range(4)),  # rows 2 to 5
        Amend(3, (scored(3, 8),)),  # row 6: places have moved
        Step((scored(4, 9),)),  # row 7
        Undo(),  # row 8: takes back row 7
        Undo(),  # row 9: takes back row 5
        Undo(),  # row 10: would take back what is lost
    )
    drop_copies(path)
    change_row(path, 4)
    with opened_store(path) as store:
        fold = store.fold(1)
        assert fold.faults == [
            "row 6 (game 1) no longer holds: it changes an entry by its number, and entries before"
            " it are lost",
            "row 10 (game 1) no longer holds: entries have been lost since: this can't be changed"
            " any more",
        ]
        journal = fold.journal
        assert journal is not None
        assert [str(entry) for entry in journal.entries] == ["Red scores 0", "Blue scores 1"]
        assert undoes(journal) is None
        for row in (Undo(), Rewind(0), Amend(1, ()), Reseat(Seats.of("Blue", "Red"))):
            with pytest.raises(RuleError, match="can't be changed any more"):
                journal.fold(row)
        # From there on it is a game like any other, also after another start.
        store.keep(1, Step((scored(1, 4),)))
        store.keep(1, Step((scored(0, 5),)))
        store.keep(1, Amend(2, (scored(1, 6),)))
    with opened_store(path) as store:
        journal = store.fold(1).journal
        assert journal is not None
        assert [str(entry) for entry in journal.entries][2:] == ["Blue scores 6", "Red scores 5"]


def test_each_damaged_record_is_kept_under_a_new_name(tmp_path: Path) -> None:
    path = evening(tmp_path, copies=True)
    for number in (1, 2, 3):
        write(path, 0, b"\xff" * 100)
        with opened_store(path) as store:
            assert f"kept as record.db.damaged-{number}; " in store.messages[0]
            assert f"{ROWS} of {ROWS} rows are readable" in store.messages[0]


@pytest.mark.parametrize("name", ["header", "empty", "no database", "whole first page"])
def test_rows_that_only_the_log_has_are_kept(tmp_path: Path, name: str) -> None:
    path = evening(tmp_path, closed=False, copies=True)
    Path(f"{path}.lock").touch()
    log = Path(f"{path}-wal").read_bytes()
    assert len(log) > 4096
    DAMAGES[name][0](path)
    # SQLite may still read everything: the log has a whole first page.
    with opened_store(path) as store:
        assert store.query("SELECT count(*) FROM record")[0][0] == ROWS
        assert same(store.game(GAMES), folded(SCRIPT))
        if store.messages:
            assert Path(f"{path}.damaged-1-wal").read_bytes() == log


def test_a_record_missing_beside_its_log_is_rebuilt(tmp_path: Path) -> None:
    path = evening(tmp_path, closed=False, copies=True)
    path.unlink()
    with opened_store(path) as store:
        assert store.query("SELECT count(*) FROM record")[0][0] == ROWS
        assert same(store.game(GAMES), folded(SCRIPT))


@pytest.mark.sampled(10)
@pytest.mark.parametrize("seed", range(40))
def test_play_goes_on_after_random_bytes_were_changed(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = evening(tmp_path, closed=seed % 2 == 0)
    for end in ("", "-wal") if seed % 4 == 0 else ("",):
        file = Path(f"{path}{end}")
        for _ in range(chance.choice([1, 5, 60])):
            at = chance.randrange(max(1, file.stat().st_size))
            write(file, at, bytes([chance.randrange(256)]))
    for _ in range(3):
        with opened_store(path) as store:
            number = store.next_game_number()
            store.keep(number, GameOpened("race", Seats.of("Red", "Blue"), {"goal": 200}))
            store.keep(number, Step((scored(0, 3),)))
            found = store.last_game()
            assert found is not None and found[0] == number


def test_rows_longer_than_a_page_are_rescued(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    long = Step(tuple(scored(turn, 0) for turn in range(700)))
    play(path, long)
    drop_copies(path)
    remove_row(path, 1)
    with read_damaged(path) as found:
        links = [*found.rows.links()]
    assert [(link.seq, len(link.row) > 4096) for link in links] == [(2, True)]
