"""The cache compared with a recount, after various changes of the record and of the cache."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.seats import Seats
from companion.players import cache
from companion.players import history as histories
from companion.players.cache import figures_path
from companion.players.history import PlayersHistory
from companion.record.rows import (
    TELL_BOGUS,
    Amend,
    GameOpened,
    PlayerHidden,
    PlayerRenamed,
    Redo,
    Rewind,
    Setting,
    Step,
    Undo,
)
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.players.builder import at
from tests.players.evening_kept import NAMES, Clock, history, keep_game, kept, rows_of

BOX = 0


@pytest.fixture
def counted_anew(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows by one whenever everything is counted again."""
    times: list[str] = []
    whole = histories._count_everything

    def noted(*args: object) -> object:
        times.append("anew")
        return whole(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(histories, "_count_everything", noted)
    return times


def test_a_history_read_again_comes_from_the_cache(path: Path, counted_anew: list[str]) -> None:
    first = history(path, figures_path(path))
    assert [game.number for game in first.games] == [1, 2, 3]
    assert [len(evening.games) for evening in first.evenings] == [2, 1]
    assert history(path, figures_path(path)) == first == history(path)
    assert len(counted_anew) == 2


def test_only_the_owner_may_read_the_cache(path: Path) -> None:
    history(path, figures_path(path))
    assert figures_path(path).stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.parent.iterdir() if "figures" in one.name] == [
        "record.figures"
    ]


Change = Callable[[Store], object]
CHANGES: dict[str, Change] = {
    "undo": lambda store: store.keep(2, Undo()),
    "an undo and a redo": lambda store: (store.keep(2, Undo()), store.keep(2, Redo())),
    "a rewind": lambda store: store.keep(1, Rewind(30)),
    "a deleted entry": lambda store: store.keep(3, Amend(40, ())),
    "a renamed player": lambda store: store.keep(BOX, PlayerRenamed("Cy", "Zoë")),
    "two spellings": lambda store: store.keep(BOX, PlayerRenamed("Cy", "Bo")),
    "a hidden player": lambda store: store.keep(BOX, PlayerHidden("Bo")),
    "a house rule": lambda store: store.keep(BOX, Setting(TELL_BOGUS, "who")),
    "a setting of no matter": lambda store: store.keep(BOX, Setting("brightness", 3)),
    "a game more": lambda store: keep_game(store, Clock(at(22, 8)), rows_of(4, NAMES)),
    "a game taken back": lambda store: (
        store.keep(4, GameOpened("high-five", Seats.of("Ada", "Bo"), {})),
        store.keep(4, Undo()),
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_cache_and_recount_agree_after_each_change(
    path: Path, change: Change, counted_anew: list[str]
) -> None:
    before = history(path, figures_path(path))
    clock = Clock(at(22, 8))
    with kept(path, clock) as store:
        change(store)
        open_now = history(path, figures_path(path))  # while the table has the record open
        assert open_now == history(path)
    assert history(path, figures_path(path)) == open_now
    assert len(counted_anew) == 2, "once at first, and once without a cache"
    del before


def test_the_cache_stays_correct_after_many_consecutive_changes(
    path: Path, counted_anew: list[str]
) -> None:
    history(path, figures_path(path))
    for change in CHANGES.values():
        with kept(path, Clock(at(22, 8))) as store:
            change(store)
        found = history(path, figures_path(path))
    del counted_anew[:]
    assert found == history(path)


def damage_content(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER never_changed")
        db.execute("UPDATE record SET row = replace(row, 'Ada', 'Bob') WHERE seq = 20")


def remove_a_row(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER never_removed")
        db.execute("DELETE FROM record WHERE seq = 12")


@pytest.mark.parametrize("damage", [damage_content, remove_a_row])
def test_a_damaged_record_is_counted_again(path: Path, damage: Callable[[Path], None]) -> None:
    before = history(path, figures_path(path))
    damage(path)
    found = history(path, figures_path(path))
    assert found == history(path)
    assert any(game.doubtful for game in found.games)
    assert found != before
    Store.open(path, GAMES).close()  # it mends what it can, and says so in the record
    assert history(path, figures_path(path)) == history(path)


def test_another_record_at_the_same_path_is_counted_again(path: Path) -> None:
    history(path, figures_path(path))
    clock = Clock(at(20, 20))
    path.unlink()
    with kept(path, clock) as store:
        keep_game(store, clock, rows_of(7, NAMES))
    found = history(path, figures_path(path))
    assert found == history(path)
    assert len(found.games) == 1


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    return data[:-40] + bytes([data[-40] ^ 1]) + data[-39:]


def older(data: bytes) -> bytes:
    return data.replace(b"figures %d " % cache.VERSION, b"figures 1 ")


@pytest.mark.parametrize("damage", [cut, flipped, older, lambda _: b"", lambda _: b"\xff\0[]"])
def test_a_damaged_cache_is_ignored(
    path: Path, damage: Callable[[bytes], bytes], counted_anew: list[str]
) -> None:
    first = history(path, figures_path(path))
    figures_path(path).write_bytes(damage(figures_path(path).read_bytes()))
    assert history(path, figures_path(path)) == first
    assert history(path, figures_path(path)) == first
    assert len(counted_anew) == 2


def test_the_cache_can_be_deleted(path: Path) -> None:
    first = history(path, figures_path(path))
    figures_path(path).unlink()
    assert history(path, figures_path(path)) == first


def test_without_a_writable_folder_figures_are_still_counted(path: Path) -> None:
    assert history(path, path.parent / "nowhere" / "figures") == history(path)


def test_history_from_cached_blocks_is_right_after_changes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "BLOCK", 7)
    monkeypatch.setattr(histories, "BLOCK", 7)
    history(path, figures_path(path))
    for number in (1, 2, 3):
        with kept(path, Clock(at(22, 8))) as store:
            store.keep(number, Step(()) if number > 9 else Undo())
            assert history(path, figures_path(path)) == history(path)
    damage_content(path)
    assert history(path, figures_path(path)) == history(path)


def test_uncalled_bogus_plays_wait_for_the_end_of_the_evening(path: Path) -> None:
    def told(found: PlayersHistory, now: float | None) -> set[int]:
        return set(found.games_showing_uncalled(now))

    found = history(path)
    assert told(found, at(23, 28)) == set(), "the house does not want it"
    with kept(path, Clock(at(22, 8))) as store:
        store.keep(BOX, Setting(TELL_BOGUS, "on"))
    found = history(path)
    assert told(found, at(22, 8)) == {1, 2}
    assert told(found, None) == {1, 2}
    assert told(found, at(23, 28)) == {1, 2, 3}
