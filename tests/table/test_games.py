"""The loop from one game to the next, and back to a game that was taken back."""

from pathlib import Path
from random import Random

import pytest

from companion.console.console import Console
from companion.console.screens.set_up import ShowTable
from companion.core.keys import Key, Press
from companion.core.seats import Seats
from companion.presentation.highlights import BestScores, best_scores
from companion.record.names import removal_setting
from companion.record.people.people import People
from companion.record.rows import GameOpened, Redo, Step, Undo
from companion.record.store.database import StoreError
from companion.record.store.store import Store
from companion.table.session import Evening, names_used
from tests.catalog import GAMES
from tests.playing import name
from tests.random_games import play_game
from tests.rig import Rig
from tests.table.test_table import START, wants
from tests.table.test_table import path as path  # noqa: PLC0414  # a fixture

# ---------------------------------------------------------------- one game after the other

EARLIER = 1_700_000_000.0
"""A time long before the rig's wall clock, when no clock counts as set."""


def finished_games(path: Path, number: int, names: tuple[str, ...] = ("Red", "Blue")) -> list[str]:
    """Keeps an evening of this many rematches in a record; returns the winner of each."""
    winners = []
    with Store.open(path, GAMES, lambda: EARLIER) as store:
        for game in range(1, number + 1):
            before = game - 1 or None
            opened = GameOpened("high-five", Seats.of(*names), {}, before, evening=before)
            store.keep(game, opened)
            played = play_game(Random(game), 2)
            for entry, _ in played:
                store.keep(game, Step((entry,)))
            winners.append(str(played[-1][1].winner))
    return winners


def test_taking_back_an_empty_rematch_leads_to_the_previous_game(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished_games(path, 2)
    with Rig(path) as rig:
        over = rig.screen
        with monkeypatch.context() as once:
            wants(once, GameOpened("high-five", Seats.of("Red", "Blue"), {}, 2))
            rig.press("OK")
            assert rig.table.box.view().game_number == 3
            wants(once, Undo())
            rig.press("OK")
        assert rig.table.box.view().game_number == 2
        assert rig.screen == over
    with Rig(path) as rig:
        assert rig.screen == over
        with monkeypatch.context() as once:
            wants(once, Redo())
            rig.press("OK")
        assert rig.table.box.view().game_number == 3


def test_a_first_game_that_was_taken_back_can_be_brought_back_after_a_restart(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Rig(path).press(START) as rig, monkeypatch.context() as once:
        wants(once, Undo())
        rig.press("OK")
    with Rig(path) as again:
        assert again.store.last_game() is None
        with monkeypatch.context() as once:
            wants(once, Redo())
            again.press("OK")
        assert again.store.last_game() is not None


def test_games_won_this_evening_are_counted_on_demand(path: Path) -> None:
    winners = finished_games(path, 3)
    with Store.open(path, GAMES) as store:
        assert dict(Evening(store, 3)) == {name: winners.count(name) for name in set(winners)}
        assert dict(Evening(store, None)) == {}
        assert Evening(store, 1)[winners[0]] == 1
        assert len(Evening(store, 99)) == 0


def test_earlier_games_that_cannot_be_read_do_not_stop_this_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished_games(path, 1)

    def unreadable(*_: object) -> None:
        raise StoreError("the disk has a fault")

    with Store.open(path, GAMES) as store:
        monkeypatch.setattr(store, "game", unreadable)
        assert dict(Evening(store, 1)) == {}


def test_only_names_of_people_are_offered_again(path: Path) -> None:
    finished_games(path, 1)
    with Store.open(path, GAMES) as store:
        assert names_used(store, {}, People()) == ()
        store.keep(2, GameOpened("high-five", Seats.of("Ann", "Bob"), {}))
        store.keep(3, GameOpened("high-five", Seats.of("Cem", "Ann"), {}))
        assert names_used(store, {}, People()) == ("Cem", "Ann", "Bob")
        removed = {removal_setting("Cem"): 3, removal_setting("Ann"): 2}
        assert names_used(store, removed, People()) == ("Ann", "Bob"), "Ann has played since"
        known = People({"Bob": "Rob", "Cem": "Ann"}, frozenset({"Ann"}))
        assert names_used(store, {}, known) == ("Rob",)
        assert names_used(store, {removal_setting("Rob"): 3}, People({"Bob": "Rob"})) == (
            "Cem",
            "Ann",
        )


def test_messages_of_the_record_are_shown_until_the_next_key(path: Path) -> None:
    finished_games(path, 1)
    with Rig(path) as rig:
        well = rig.screen
    path.write_bytes(b"not a record at all")
    path.with_name(f"{path.name}-wal").unlink()
    path.with_name(f"{path.name}-shm").unlink()
    with Rig(path) as rig:
        assert rig.store.messages
        told = rig.screen
        assert told != well
        assert rig.press("0").screen != told


# ---------------------------------------------------------------- a game taken back


def test_the_screens_know_that_the_next_game_can_be_restored(path: Path) -> None:
    with Rig(path) as rig:
        rig.press(START)
        rig.table.box.press(Press(Key.OK))
        after = GameOpened("high-five", Seats.of("Red", "Blue"), {}, after=1)
        rig.table.box.console = Console.start()
        with pytest.MonkeyPatch.context() as patch:
            wants(patch, after)
            rig.press("OK")
            wants(patch, Undo())
            rig.press("OK")
        assert rig.table.box.view().game_number == 1
        assert name(rig.table.box.view().next_redo) == "the next game"


def test_the_next_game_is_not_offered_again_after_new_entries(path: Path) -> None:
    """Neither at once nor after a restart: redo would restore it in the middle of this game."""
    with Rig(path) as rig:
        rig.press(START).press("OK 1 MENU")
        table = rig.table
        with pytest.MonkeyPatch.context() as patch:
            wants(patch, GameOpened("high-five", Seats.of("Red", "Blue"), {}))
            rig.press("OK")
            wants(patch, Undo())
            rig.press("OK")
        assert name(table.box.view().next_redo) == "the next game"
        table.box.console = Console.start()
        rig.press("6 3 OK BACK OK")
        assert name(table.box.view().next_redo) == "Blue 6-3"
        rig.press("BACK DRAW")
        assert name(table.box.view().next_redo) is None
    with Rig(path) as again:
        assert again.entries[-1] == "Blue 6-3"
        assert name(again.table.box.view().next_redo) is None


def test_a_removed_name_is_offered_again_once_it_is_used(path: Path) -> None:
    anme = "2 DRAW 6 6 DRAW 6 DRAW 3 3 OK "
    with Rig(path) as rig:
        rig.press(f"1 2 2 {anme} 2 2 DRAW 6 6 6 OK OK")
        assert rig.table.box.view().names == ("Anme", "Bo")
        rig.press("BACK OK")
        names = rig.table.box.view().names
        assert names == ("Anme", "Bo"), "those of a game that was taken back, too"
        rig.press("BACK " * 12 + "1 2 2 DRAW MENU 2")
        assert rig.table.box.view().names == ("Bo",)
    with Rig(path) as rig:
        assert rig.table.box.view().names == ("Bo",)
        rig.press(f"1 2 2 1 {anme} 2 OK")
        assert rig.table.box.view().names == ("Anme", "Bo")
    with Rig(path) as rig:
        assert rig.table.box.view().names == ("Anme", "Bo")


def test_taking_back_a_new_game_leads_to_its_set_up(
    path: Path,
) -> None:
    finished_games(path, 1)
    with Rig(path) as rig:
        rig.press("OK OK 2 1 2 2 2 DRAW 6 OK 3 OK OK")
        assert rig.table.box.view().game_number == 2
        rig.press("BACK OK")
        assert rig.table.box.view().game_number == 1
        screen = rig.table.box.console.screen
        assert isinstance(screen, ShowTable)
        assert screen.seats.order == ("Am", "D")
        rig.press("BACK BACK 5 OK OK")
        assert rig.table.box.view().game.opened.seats.order == ("Am", "J")


NEW_GAME = "OK OK 2 1 2 1 OK "
"""Keys from the last payment of a game to a new game with the same colours that is no rematch."""
HOUR_S = 3600.0


def evening_of(path: Path, wall: float = 1_800_000_000.0) -> dict[str, int]:
    """The games that each player has won this evening, as the next game counts them."""
    with Rig(path, wall).press(NEW_GAME) as rig:
        return dict(rig.table.box.view().won)


def kept_at(path: Path, wall: float) -> str:
    """Keeps a game that was won at that time, the only one in the record; returns the winner."""
    played = play_game(Random(1), 2)
    with Store.open(path, GAMES, lambda: wall) as store:
        store.keep(1, GameOpened("high-five", Seats.of("Red", "Blue"), {}))
        for entry, _ in played:
            store.keep(1, Step((entry,)))
    return str(played[-1][1].winner)


def test_an_evening_can_have_several_series_of_rematches(path: Path) -> None:
    won = kept_at(path, 1_800_000_000.0)
    with Rig(path).press(NEW_GAME + "OK 1 MENU 9 3 1 2 1 OK") as rig:
        assert rig.table.box.view().game_number == 3
        assert dict(rig.table.box.view().won) == {won: 1}


def test_a_power_cut_does_not_end_an_evening(path: Path) -> None:
    kept_at(path, 1_800_000_000.0)
    with Rig(path, 0.0).press(NEW_GAME) as rig:
        assert dict(rig.table.box.view().won) == {}, "the clock is not set, and nothing else tells"
    with Rig(path, 0.0).press("OK 1 MENU 9 3 1 2 1 OK") as rig:
        games = [one.opened.evening for one in rig.store.games()]
        assert games == [None, None, 2], "it was played since the box was switched on"


def test_the_best_score_of_an_evening_has_to_beat_earlier_games(path: Path) -> None:
    kept_at(path, 1_800_000_000.0)
    with Rig(path, 1_800_000_000.0).press(NEW_GAME) as rig:
        session, first = rig.table._state.session, rig.store.game(1)
        assert first is not None and session.number == 2
        best = best_scores(first.newest_first())
        assert best.play > 0 and session.won.best_scores(first.game.name) == best
        assert session.won.best_scores("five-up") == BestScores(), "another game"
        assert rig.snapshots[-1].earlier is None, "nothing was scored yet"


@pytest.mark.parametrize(("hours", "same"), [(0.0, True), (5.0, True), (7.0, False), (-1.0, True)])
def test_evenings_are_separated_by_time_if_the_clock_is_set(
    path: Path, hours: float, same: bool
) -> None:
    won = kept_at(path, 1_800_000_000.0)
    assert evening_of(path, 1_800_000_000.0 + hours * HOUR_S) == ({won: 1} if same else {})


def test_a_rematch_on_another_evening_begins_a_new_count(path: Path) -> None:
    kept_at(path, 1_800_000_000.0)
    with Rig(path, 1_800_000_000.0 + 48 * HOUR_S).press("OK OK 1") as rig:
        opened = rig.table.box.view().game.opened
        assert (opened.after, opened.evening) == (1, None)
        assert dict(rig.table.box.view().won) == {}
