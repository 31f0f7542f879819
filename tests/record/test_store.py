"""The record on the disk while nothing is wrong."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.seats import Seat
from companion.record.repair.verify import verify
from companion.record.rows import KeptRow, Redo, Row, Setting, Step, Undo
from companion.record.store.database import AlreadyKeptError, StoreError
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.record.play import OPENED, SCRIPT, folded, opened_store, play, same, scored
from tests.sample_games import RACE_RULES
from tests.sampling import examples


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.db"


def test_a_new_record_is_empty(path: Path) -> None:
    with opened_store(path) as store:
        assert store.messages == ()
        assert (store.next_game_number(), store.last_game(), store.settings()) == (1, None, {})
        assert (verify(store), list(store.games()), store.game(1)) == ([], [], None)


def test_kept_rows_are_still_there_after_reopening(path: Path) -> None:
    number = play(path, *SCRIPT)
    with opened_store(path) as store:
        found = store.last_game()
        assert found is not None and found[0] == number
        assert same(found[1], folded(SCRIPT))
        assert [kept.row for kept in store.rows(number)] == [OPENED, *SCRIPT]
        assert verify(store) == []


@settings(max_examples=examples(40))
@given(st.lists(st.tuples(st.sampled_from(["step", "undo", "redo"]), st.integers(0, 20))))
def test_reopened_rows_fold_to_the_same_game(
    tmp_path_factory: pytest.TempPathFactory, moves: list[tuple[str, int]]
) -> None:
    path = tmp_path_factory.mktemp("law") / "record.db"
    journal = folded(())
    with opened_store(path) as store:
        store.keep(1, OPENED)
        for kind, points in moves:
            row: Row = Step((scored(journal.length, points),))
            if kind != "step":
                row = Undo() if kind == "undo" else Redo()
            try:
                journal = journal.fold(row)
            except ValueError:
                continue
            store.keep(1, row)
    with opened_store(path) as store:
        assert same(store.game(1), journal)


def test_rows_are_numbered_and_timed(path: Path) -> None:
    clock = iter([1_800_000_000, 1_800_000_000.5, 86_400.0])
    store = Store.open(path, RACE_RULES, lambda: next(clock))
    step = Step((scored(0, 5),))
    assert store.keep(1, OPENED) == KeptRow(1, 1, OPENED, 1_800_000_000.0)
    assert store.keep(1, step, "north/3/7") == KeptRow(2, 1, step, 1_800_000_000.5, "north/3/7")
    # A clock in 1970 was not set: the row is in order all the same.
    assert store.keep(1, Undo()) == KeptRow(3, 1, Undo(), None)
    assert [(kept.at, kept.source) for kept in store.rows(1)] == [
        (1_800_000_000.0, None),
        (1_800_000_000.5, "north/3/7"),
        (None, None),
    ]
    assert verify(store) == []
    store.close()


def test_a_press_counts_once(path: Path) -> None:
    with opened_store(path) as store:
        store.keep(1, OPENED)
        store.keep(1, Step((scored(0, 5),)), source="north/1/1")
        with pytest.raises(AlreadyKeptError, match="north/1/1 is in the record already"):
            store.keep(1, Step((scored(1, 5),)), source="north/1/1")
        store.keep(1, Step((scored(1, 5),)), source="north/1/2")
    with opened_store(path) as store:
        with pytest.raises(AlreadyKeptError):
            store.keep(1, Step((scored(2, 5),)), source="north/1/2")
        store.keep(1, Step((scored(2, 5),)))
        assert same(store.game(1), folded((*(Step((scored(i, 5),)) for i in range(3)),)))


def test_the_last_game_is_the_newest_that_was_not_taken_back(path: Path) -> None:
    play(path, *SCRIPT)
    play(path, Step((scored(0, 1),)))
    gone = play(path, Step((scored(0, 2),)), Undo(), Undo())
    with opened_store(path) as store:
        found = store.last_game()
        assert found is not None and found[0] == 2
        # Play goes on in the older game; its rows come behind those of the newer one.
        store.keep(2, Step((scored(1, 4),)))
    with opened_store(path) as store:
        found = store.last_game()
        assert found is not None and (found[0], found[1].length) == (2, 2)
        assert store.next_game_number() == 4
        before, after = store.previous(2), store.next(2)
        assert before is not None and before[0] == 1
        assert after is not None and after[0] == gone and after[1].withdrawn
        assert (store.previous(1), store.next(gone)) == (None, None)
        assert [listed.number for listed in store.games()] == [1, 2, 3]
        assert [listed.number for listed in store.newest_games()] == [3, 2, 1]
        assert verify(store) == []


def test_listing_the_games_reads_all_rows_only_once(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record may have thousands of games, and is read without an index."""
    asked, ask = list[str](), Reader.query

    def counted(self: Reader, question: str, *values: int | str) -> list[Any]:
        asked.append(question)
        return ask(self, question, *values)

    with opened_store(path) as store:
        for game in (1, 2, 3):
            store.keep(game, OPENED)
            store.keep(game, Step((scored(0, 5),)))
    with Reader.open(path, RACE_RULES) as reader:
        monkeypatch.setattr(Reader, "query", counted)
        assert [one.number for one in reader.games()] == [*reader.game_numbers()] == [1, 2, 3]
    assert len(asked) == 2


def test_settings_have_their_newest_value(path: Path) -> None:
    with opened_store(path) as store:
        for name, value in (("flip", 1), ("entry", "tile"), ("flip", 0)):
            store.keep(0, Setting(name, value))
        assert store.settings() == {"flip": 0, "entry": "tile"}
        assert store.last_game() is None


def test_invalid_rows_are_skipped_and_reported(path: Path) -> None:
    play(path, Step((scored(0, 5),)), Step((scored(0, 6),)), Step((scored(1, 7),)))
    told = "row 3 (game 1) no longer holds: it is Blue's turn, not Red's"
    with opened_store(path) as store:
        assert store.messages == (told,)
        found = store.last_game()
        assert found is not None and [state.scores.values for state in found[1].states] == [
            (5, 0),
            (5, 7),
        ]
        assert verify(store) == [told]


def test_a_row_of_a_newer_companion_stops_the_start_and_damages_nothing(path: Path) -> None:
    play(path, Step((scored(0, 5),)))
    with opened_store(path) as store:
        store._append(1, '{"v": 99, "kind": "undo"}', None, None)
    with pytest.raises(StoreError, match="a newer companion wrote it; update this one"):
        Store.open(path, RACE_RULES)
    assert not Path(f"{path}.damaged-1").exists()


def test_rows_cant_be_changed_or_removed(path: Path) -> None:
    play(path, *SCRIPT)
    db = sqlite3.connect(path)
    for change in ("UPDATE record SET row = '{}'", "DELETE FROM record WHERE seq = 2"):
        with pytest.raises(sqlite3.IntegrityError, match="rows of the record are never"):
            db.execute(change)
    db.close()


# ---------------------------------------------------------------- who made a row, what came after


def test_a_row_names_the_surface_and_the_seat_that_made_it(path: Path) -> None:
    step = Step((scored(0, 5),))
    with opened_store(path) as store:
        store.keep(1, OPENED)
        made = store.keep(1, step, "phone-3/77/1", Seat("Åsa"))
        assert (made.surface, made.keyed_by) == ("phone-3", Seat("Åsa"))
    with Reader.open(path, RACE_RULES) as reader:
        opened, read = reader.rows(1)
        assert read == made
        assert (read.surface, read.hash) == ("phone-3", made.hash)
        assert (opened.surface, opened.source, opened.keyed_by) == (None, None, None)
        assert (reader.row_made_by("phone-3/77/1"), reader.row_made_by("phone-3/77/2")) == (2, None)


def test_settings_and_other_games_leave_the_tip_of_a_game_unchanged(path: Path) -> None:
    with opened_store(path) as store:
        assert store.tip(1) == b""
        store.keep(1, OPENED)
        last = store.keep(1, Step((scored(0, 5),)))
        store.keep(0, Setting("contrast", 3))
        store.keep(2, OPENED)
        assert store.tip(1) == last.hash != store.tip(2)
        undone = store.keep(1, Undo())
        assert store.tip(1) == undone.hash


def test_rows_after_returns_the_newest_later_rows(path: Path) -> None:
    with opened_store(path) as store:
        first = store.keep(1, OPENED)
        step = store.keep(1, Step((scored(0, 5),)), "phone-3/77/1", Seat("Red"))
        store.keep(0, Setting("contrast", 3))
        undone = store.keep(1, Undo())
        other = store.keep(2, OPENED)
        assert store.rows_after(first.hash, 9) == (step, undone, other)
        assert store.rows_after(first.hash, 2) == (undone, other)
        assert store.rows_after(other.hash, 9) == ()
        assert store.rows_after(b"of no row", 9) == (first, step, undone, other)


def test_an_unreadable_row_does_not_stop_later_ones(path: Path) -> None:
    with opened_store(path) as store:
        first = store.keep(1, OPENED)
        store.keep(1, Setting("is", "no entry"))
        store._append(1, '{"v": 2, "kind": "step", "entries": ["Red jumps"]}', None, None)
        last = store.keep(1, Undo())
        assert [one.row for one in store.rows_after(first.hash, 9)][1:] == [last.row]
