"""The evening's table on the display, available at the end of every game but the first."""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.console.console import Console
from companion.console.screens.game_over import EveningTable, GameOver, lines_of
from companion.record.journal import Journal
from companion.record.people.people import People
from companion.record.rows import GameOpened, PlayerHidden, PlayerRenamed, Undo
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.table.session import Evening, TableSession
from tests.catalog import GAMES
from tests.players.builder import at
from tests.players.evening_kept import Clock, keep_game, kept, rows_of
from tests.rig import Rig

NAMES = ("Anna", "Ben")


def finished_games(path: Path, number: int) -> list[str]:
    """Records an evening of that many games; returns the winner of each."""
    clock = Clock(at(20))
    with kept(path, clock) as store:
        for game in range(1, number + 1):
            opened, *rest = rows_of(game, NAMES)
            assert isinstance(opened, GameOpened)
            keep_game(store, clock, [replace(opened, evening=game - 1 or None), *rest], 1)
    with Reader.open(path, GAMES) as reader:
        played = [reader.game(game) for game in range(1, number + 1)]
    return [str(journal.state.winner) for journal in played if journal is not None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.db"


def screen(rig: Rig) -> object:
    console = rig.table.box.console
    assert isinstance(console, Console)
    return console.screen


def lines(rig: Rig) -> list[tuple[str, str]]:
    return lines_of(rig.table.box.view())


def test_the_evening_table_is_offered_only_after_a_second_game(path: Path) -> None:
    finished_games(path, 1)
    with Rig(path) as rig:
        rig.press("OK OK")
        before = rig.screen
        rig.press("3")
        assert isinstance(screen(rig), GameOver)
        assert rig.screen == before


def test_the_evening_table_shows_wins_and_each_game(path: Path) -> None:
    winners = finished_games(path, 3)
    with Rig(path) as rig:
        rig.press("OK OK 3")
        assert isinstance(screen(rig), EveningTable)
        won = {name: f"{winners.count(name)} won" for name in NAMES}
        told = lines(rig)
        assert dict(told[:2]) == won
        assert told[0][1] >= told[1][1]
        assert [left for left, _ in told[2:]] == [f"{n} High Five" for n in (1, 2, 3)]
        assert [right.split()[0] for _, right in told[2:]] == winners
        rig.press("OK")
        assert screen(rig) == GameOver(asking=True)
        rig.press("3 BACK 1")
        assert rig.table.box.view().game_number == 4, "and a rematch is begun from there"


def test_draw_turns_the_page_of_a_long_table(path: Path) -> None:
    finished_games(path, 5)
    with Rig(path) as rig:
        first = rig.press("OK OK 3").screen
        second = rig.press("DRAW").screen
        assert first != second
        assert rig.press("DRAW").screen == first


def test_the_evening_table_uses_current_names_and_omits_hidden_players(path: Path) -> None:
    winners = finished_games(path, 2)
    with closing(Store.open(path, GAMES, time.time)) as store:
        store.keep(0, PlayerRenamed("Anna", "Annika"))
        store.keep(0, PlayerHidden("Ben"))
    with Rig(path) as rig:
        rig.press("OK OK 3")
        told = lines(rig)
    assert told[0] == ("Annika", f"{winners.count('Anna')} won")
    assert "Ben" not in str(told) and "Anna'" not in str(told)


def test_games_are_listed_oldest_first_without_withdrawn_ones(path: Path) -> None:
    winners = finished_games(path, 3)
    with Reader.open(path, GAMES) as reader:
        games = Evening(reader, 3).games(People())
        assert [game.winners for game in games] == [(winner,) for winner in winners]
        assert all(game.scores[game.winners[0]] >= 150 for game in games)
        assert Evening().games(People()) == ()


def reading() -> tuple[list[int], Callable[[Reader, int], Journal[object] | None]]:
    """Returns an empty list, and a replacement for Reader.game that adds every game it reads to
    that list."""
    read, whole = list[int](), Reader.game

    def tell(reader: Reader, game: int) -> Journal[object] | None:
        read.append(game)
        return whole(reader, game)

    return read, tell


def test_only_new_or_changed_games_are_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    winners = finished_games(path, 6)
    read, tell = reading()
    with Store.open(path, GAMES) as store:
        evening = Evening(store, 5)
        assert dict(evening) == Counter(winners[:5])
        monkeypatch.setattr(Reader, "game", tell)
        further = Evening(store, 6, before=evening)
        assert dict(further) == Counter(winners)
        assert read == [6]
        store.keep(3, Undo())
        assert dict(Evening(store, 6, before=further)) == Counter(winners[:2] + winners[3:])
        assert read == [6, 3], "what was changed since"


def test_the_evening_table_reads_only_the_game_that_was_added(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished_games(path, 6)
    with Store.open(path, GAMES) as store:
        session = TableSession.resumed(store)
        assert session.journal is not None and sum(session.won.values()) == 5
        read, tell = reading()
        monkeypatch.setattr(Reader, "game", tell)
        further = replace(session.journal.opened, evening=6)
        _, after = session.after(further, store, GAMES)
        assert sum(after.won.values()) == 6
        assert read == [6]
