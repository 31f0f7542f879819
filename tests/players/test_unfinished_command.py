"""`companion games --resume`, `--close`, `--take-back`: an unfinished game is continued, ended, or
taken back."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from companion.app.past import ask_open_games, open_games
from companion.presentation.house_rule_words import unfinished_games
from companion.record.rows import Redo, Undo
from companion.record.store.database import StoreError
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.table.session import TableSession
from tests.catalog import GAMES
from tests.players.builder import at
from tests.players.conftest import Run
from tests.players.evening_kept import Clock, keep_game, kept, rows_of

LEFT, OVER = 4, 1


@pytest.fixture
def left(path: Path) -> Path:
    """The record with an unfinished game, and a newer one."""
    clock = Clock(at(20, 9))
    with kept(path, clock) as store:
        assert keep_game(store, clock, rows_of(7, ("Ada", "Bo"))[:4]) == LEFT
        keep_game(store, clock, rows_of(8, ("Ada", "Bo"))[:3])
    return path


def on_table(path: Path) -> int | None:
    """The number of the game on the table when the table starts."""
    store = Store.open(path, GAMES, time.time)
    try:
        return TableSession.resumed(store).number
    finally:
        store.close()


def standing(path: Path, number: int) -> str | None:
    with Reader.open(path, GAMES) as reader:
        journal = reader.game(number)
    assert journal is not None
    return journal.state.ended


def test_a_game_is_put_back_on_the_table(left: Path, run: Run) -> None:
    assert on_table(left) == LEFT + 1
    assert run("games", "--resume", str(LEFT)) == (0, f"game {LEFT} is on the table again\n", "")
    assert on_table(left) == LEFT


def test_closing_a_game_changes_no_other_game(left: Path, run: Run) -> None:
    assert "Left unfinished" in run("evenings")[1]
    assert run("games", "--close", str(LEFT)) == (0, f"game {LEFT} is closed, unfinished\n", "")
    assert standing(left, LEFT) is not None
    assert standing(left, LEFT + 1) is None
    assert on_table(left) == LEFT + 1
    assert f"game {LEFT} " not in run("evenings")[1]
    status, _, err = run("games", "--close", str(LEFT))
    assert (status, err.count("\n")) == (1, 1)


def test_a_game_taken_back_stays_in_the_record(left: Path, run: Run) -> None:
    with Reader.open(left, GAMES) as reader:
        before = reader.game(LEFT)
    said = f"game {LEFT} is taken back: it counts for nobody\n"
    assert run("games", "--take-back", str(LEFT)) == (0, said, "")
    assert f"game {LEFT} " not in run("evenings")[1]
    assert "taken back" in run("games")[1].splitlines()[LEFT - 1]
    assert on_table(left) == LEFT + 1
    with Reader.open(left, GAMES) as reader:
        journal = reader.game(LEFT)
    assert journal is not None and before is not None and journal.withdrawn
    while journal.next_redo:
        journal = journal.fold(Redo())
    assert journal.entries == before.entries


def test_a_game_with_lost_rows_is_not_taken_back(left: Path, run: Run) -> None:
    with closing(sqlite3.connect(left)) as db, db:
        (row,) = db.execute("SELECT max(seq) FROM record WHERE game = ?", (LEFT,)).fetchone()
        db.execute("DROP TRIGGER never_removed")
        db.execute("DELETE FROM record WHERE seq = ?", (row - 1,))
    status, _, err = run("games", "--take-back", str(LEFT))
    assert status == 2
    assert "start the table once, it mends that" in err
    with kept(left, Clock(at(23, 9))) as store:
        store.repair()
    status, out, err = run("games", "--take-back", str(LEFT))
    assert (status, out) == (1, ""), err
    assert "entries have been lost since" in err


@pytest.mark.parametrize("what", ["--resume", "--close", "--take-back"])
def test_only_an_unfinished_game_can_be_changed(left: Path, run: Run, what: str) -> None:
    with kept(left, Clock(at(23, 9))) as store:
        for _ in rows_of(8, ("Ada", "Bo"))[:3]:
            store.keep(LEFT + 1, Undo())
    for number in (OVER, LEFT + 1, 99):
        with Reader.open(left, GAMES) as reader:
            before = reader.last_row()
        status, out, err = run("games", what, str(number))
        assert (status, out, err.count("\n")) == (1, "", 1), number
        with Reader.open(left, GAMES) as reader:
            assert reader.last_row() == before


def test_unfinished_games_on_a_page_do_not_name_hidden_people(left: Path, run: Run) -> None:
    def listed() -> str:
        with Reader.open(left, GAMES) as reader:
            return str(unfinished_games(reader, open_games(left)))

    assert "'Bo'" in listed()
    run("players", "--hide", "Bo")
    assert "'Bo'" not in listed() and "'Ada'" in listed() and "'Blue'" in listed()


def test_a_running_table_has_to_be_stopped_first(left: Path, run: Run) -> None:
    with kept(left, Clock(at(23, 9))):
        status, _, err = run("games", "--close", str(LEFT))
    assert status == 2
    assert "stop the table first" in err


def test_an_unfinished_game_is_listed_however_many_games_came_after_it(left: Path) -> None:
    with kept(left, Clock(at(24, 9))) as store:
        for number in range(LEFT + 2, LEFT + 50):
            for row in rows_of(9, ("Ada", "Bo")):
                store.keep(number, row)
    found = ask_open_games(left)
    assert LEFT in found and found == sorted(found, reverse=True)
    with Reader.open(left, GAMES) as reader:
        assert LEFT in [game["number"] for game in unfinished_games(reader, found)]


def test_an_unreadable_record_is_reported_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"the unfinished games can't be found: .*nothing\.db"):
        ask_open_games(tmp_path / "nothing.db")
