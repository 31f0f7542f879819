"""A damaged record: set aside under a new name, every readable row kept, and play goes on."""

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.record.chain import link_of
from companion.record.faults import StoreError
from companion.record.rows import Opened, Redo, Step
from companion.record.salvage import carve_links, make_record, readable_links
from companion.record.store import Store
from companion.record.verify import verify
from companion.seats import Seats
from tests.race import CATALOG
from tests.record.play import SCRIPT, folded, opened_store, play, same, scored

GAMES = 12
ROWS = GAMES * (1 + len(SCRIPT))


def evening(folder: Path, closed: bool = True) -> Path:
    """A record of several games. Not closed: its newest rows are in the log only."""
    path = folder / "record.db"
    with opened_store(path) as store:
        for number in range(1, GAMES + 1):
            for row in (Opened("race", Seats.of("Red", "Blue"), {"goal": 200}), *SCRIPT):
                store.keep(number, row, None if row in SCRIPT else f"north/1/{number}")
        if not closed:
            copy = folder / "cut" / path.name
            copy.parent.mkdir()
            for end in ("", "-wal", "-shm"):
                Path(f"{copy}{end}").write_bytes(Path(f"{path}{end}").read_bytes())
            return copy
    return path


def write(path: Path, at: int, new: bytes) -> None:
    data = bytearray(path.read_bytes())
    data[at : at + len(new)] = new
    path.write_bytes(data)


def cut(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])


def change_last_row(path: Path) -> None:
    change_row(path, ROWS)


def change_row(path: Path, seq: int, what: str = "row = replace(row, 'v', 'w')") -> None:
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER never_changed")
    db.execute(f"UPDATE record SET {what} WHERE seq = {seq}")
    db.commit()
    db.close()


def remove_row(path: Path, seq: int) -> None:
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER never_removed")
    db.execute(f"DELETE FROM record WHERE seq = {seq}")
    db.commit()
    db.close()


def replace_by_other_database(path: Path) -> None:
    path.unlink()
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE recipes (name)")
    db.close()


DAMAGES: dict[str, tuple[Callable[[Path], object], int | None]] = {
    "empty": (lambda path: cut(path, 0), 0),
    "no database": (lambda path: path.write_bytes(b"a shopping list\n" * 99), 0),
    "another database": (replace_by_other_database, 0),
    "header": (lambda path: write(path, 0, b"\xff" * 100), ROWS),
    "whole first page": (lambda path: write(path, 0, bytes(4096)), ROWS),
    "page size": (lambda path: write(path, 16, b"\x20\x00"), ROWS),
    "text encoding": (lambda path: write(path, 56, b"\x00\x00\x00\x02"), ROWS),
    "cut to a half": (lambda path: cut(path, path.stat().st_size // 2 // 4096 * 4096), None),
    "cut inside a page": (lambda path: cut(path, path.stat().st_size - 5000), None),
    "cut to a few bytes": (lambda path: cut(path, 50), 0),
    "last row changed": (change_last_row, ROWS - 1),
    "row of the last game changed": (lambda path: change_row(path, ROWS - 4), ROWS - 1),
    "hash of a row changed": (lambda path: change_row(path, ROWS - 4, "hash = x'00'"), ROWS - 1),
    "row of the last game removed": (lambda path: remove_row(path, ROWS - 4), ROWS - 1),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_every_readable_row_is_kept_and_play_goes_on(tmp_path: Path, name: str) -> None:
    damage, rows = DAMAGES[name]
    path = evening(tmp_path)
    damage(path)
    left = path.read_bytes()
    with opened_store(path) as store:
        message = store.messages[0]
        assert message.startswith("The record was damaged: kept as record.db.damaged-1; ")
        assert Path(f"{path}.damaged-1").read_bytes() == left
        kept = store.ask("SELECT count(*), max(seq) FROM record")[0]
        if rows is not None:
            assert (kept[0], kept[1] or 0) == (rows, rows)
            assert ("no row is readable" in message) == (rows == 0)
        number = store.new_game()
        store.keep(number, Opened("race", Seats.of("Red", "Blue"), {"goal": 200}))
        store.keep(number, Step((scored(0, 3),)))
    with opened_store(path) as store:
        assert not store.messages
        found = store.last_game()
        assert found is not None and found[0] == number
        assert same(found[1], folded((Step((scored(0, 3),)),)))
        chain = [line for line in verify(store) if "no longer holds" not in line]
        assert [line for line in chain if "first row" not in line] == []


def test_a_row_that_is_lost_is_counted(tmp_path: Path) -> None:
    path = evening(tmp_path)
    change_row(path, ROWS - 4)
    with opened_store(path) as store:
        assert store.messages[0].endswith(f"; {ROWS - 1} of {ROWS} rows are readable")


def test_what_the_loss_does_to_the_last_game_is_told(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    play(path, *(Step((scored(turn, 5),)) for turn in range(3)))
    change_row(path, 3)
    with opened_store(path) as store:
        assert store.messages == (
            "The record was damaged: kept as record.db.damaged-1; 3 of 4 rows are readable",
            "row 3 (game 1) no longer holds: it is Blue's turn, not Red's",
        )


def test_the_next_one_is_set_aside_under_another_name(tmp_path: Path) -> None:
    path = evening(tmp_path)
    for number in (1, 2, 3):
        write(path, 0, b"\xff" * 100)
        with opened_store(path) as store:
            assert f"kept as record.db.damaged-{number}; " in store.messages[0]
            assert f"{ROWS} of {ROWS} rows are readable" in store.messages[0]


@pytest.mark.parametrize("name", ["header", "empty", "no database", "whole first page"])
def test_rows_that_only_the_log_has_are_kept(tmp_path: Path, name: str) -> None:
    path = evening(tmp_path, closed=False)
    log = Path(f"{path}-wal").read_bytes()
    assert len(log) > 4096
    DAMAGES[name][0](path)
    # SQLite may still read everything: a whole first page lies in the log.
    with opened_store(path) as store:
        assert store.ask("SELECT count(*) FROM record")[0][0] == ROWS
        assert same(store.game(GAMES), folded(SCRIPT))
        if store.messages:
            assert Path(f"{path}.damaged-1-wal").read_bytes() == log


def test_a_record_that_vanished_from_beside_its_log(tmp_path: Path) -> None:
    path = evening(tmp_path, closed=False)
    path.unlink()
    with opened_store(path) as store:
        assert store.ask("SELECT count(*) FROM record")[0][0] == ROWS
        assert same(store.game(GAMES), folded(SCRIPT))


@pytest.mark.parametrize("seed", range(40))
def test_random_bytes(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = evening(tmp_path, closed=seed % 2 == 0)
    for end in ("", "-wal") if seed % 4 == 0 else ("",):
        file = Path(f"{path}{end}")
        for _ in range(chance.choice([1, 5, 60])):
            at = chance.randrange(max(1, file.stat().st_size))
            write(file, at, bytes([chance.randrange(256)]))
    for _ in range(3):
        with opened_store(path) as store:
            number = store.new_game()
            store.keep(number, Opened("race", Seats.of("Red", "Blue"), {"goal": 200}))
            store.keep(number, Step((scored(0, 3),)))
            found = store.last_game()
            assert found is not None and found[0] == number


def test_damage_that_shows_only_while_writing(tmp_path: Path) -> None:
    path = evening(tmp_path)
    with opened_store(path) as store:
        # The index of the presses is not read at the start, but every press writes to it.
        (page,) = store.ask("SELECT rootpage FROM sqlite_master WHERE name = 'by_source'")[0]
        (page_2,) = store.ask("SELECT rootpage FROM sqlite_master WHERE name = 'by_game'")[0]
    for number in (page, page_2):
        write(path, (number - 1) * 4096, b"\xff" * 4096)
    with opened_store(path) as store:
        assert not store.messages
        kept = store.keep(GAMES, Redo(), source="north/9/9")
        assert kept.seq == ROWS + 1
        assert store.messages[0].endswith(f"; {ROWS} of {ROWS} rows are readable")
        assert same(store.game(GAMES), folded((*SCRIPT, Redo())))
        assert verify(store) == []


def test_rows_longer_than_a_page(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    long = Step(tuple(scored(turn, 0) for turn in range(700)))
    play(path, long)
    remove_row(path, 1)
    links, known = readable_links(path)
    assert [(link.seq, len(link.row) > 4096) for link in links] == [(2, True)]
    assert known == 2


def test_carving_reads_every_kind_of_column(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    ticks = iter([0.0, 1_800_000_000.0, 1_800_000_000.25, 4e10, 1_800_000_001.0])
    store = Store.open(path, CATALOG, lambda: next(ticks))
    for game, source in ((0, None), (1, "a/1/1"), (123, "x" * 60), (70_000, None), (2**40, "b")):
        store.keep(game, Redo(), source)
    rows = [link_of(columns) for columns in store.ask("SELECT * FROM record ORDER BY seq")]
    store.close()
    found = sorted(carve_links(path.read_bytes()), key=lambda link: link.seq)
    assert found == rows


@pytest.mark.parametrize("gone", [(), ("-wal",), ("-wal", "-shm"), ("-wal", "-shm", "")])
def test_a_power_cut_while_a_record_is_replaced(tmp_path: Path, gone: tuple[str, ...]) -> None:
    path = evening(tmp_path)
    links, _ = readable_links(path)
    write(path, 0, b"\xff" * 100)
    # Everything was written, and some of the renaming was done.
    make_record(Path(f"{path}.salvaged"), links)
    for end in gone:
        Path(f"{path}{end}").rename(f"{path}.damaged-1{end}")
    with opened_store(path) as store:
        assert store.messages == ("The record was damaged: kept as record.db.damaged-1",)
        assert same(store.game(GAMES), folded(SCRIPT))
        assert verify(store) == []


def test_a_half_made_record_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    Path(f"{path}.new").write_bytes(b"half")
    with opened_store(path) as store:
        assert (store.messages, verify(store)) == ((), [])


def test_where_there_is_no_room_to_replace_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = evening(tmp_path)
    write(path, 0, b"\xff" * 100)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("companion.record.salvage.make_record", full)
        with opened_store(path) as store:
            assert list(store.messages) == ["Nothing can be saved: the disk is full"]
            with pytest.raises(StoreError, match="Not saved: the disk is full"):
                store.keep(GAMES, Redo())
    with opened_store(path) as store:
        assert same(store.game(GAMES), folded(SCRIPT))
