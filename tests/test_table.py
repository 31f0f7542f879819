"""The loop: what is kept when, what is shown when, and when it sleeps."""

import subprocess
import sys
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest

from companion.console.console import Console
from companion.console.screen import View
from companion.console.screens.setup_table import ShowTable
from companion.console.show import Show
from companion.evening import Evening, names_used
from companion.events import Command
from companion.games.catalog import GAMES
from companion.keys import Key, Press, PressId
from companion.record.faults import StoreError
from companion.record.names import removal_setting
from companion.record.people import People
from companion.record.rows import Opened, Redo, Row, Setting, Step, Undo
from companion.record.store import Store
from companion.seats import Seats
from companion.surfaces import Surfaces
from companion.table import Table
from tests.random_games import play_game
from tests.rig import Rig

START = "1 2 1 OK"
"""High Five, two players, by colours, as it is shown."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.db"


def wants(monkeypatch: pytest.MonkeyPatch, row: Row) -> None:
    """Every press now asks for this row to be kept."""
    monkeypatch.setattr(Console, "press", lambda self, view, press: (self, row))


def rows_of(rig: Rig, game: int) -> list[Row]:
    return [kept.row for kept in rig.store.rows(game)]


# ---------------------------------------------------------------- kept, then shown


def test_a_row_is_kept_before_its_effect_is_shown(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Rig(path) as rig:
        order: list[str] = []
        keep = rig.store.keep

        def noted(*row: Any) -> object:
            order.append("kept")
            return keep(*row)

        monkeypatch.setattr(rig.store, "keep", noted)
        rig.table._surfaces = Surfaces(lambda _: order.append("shown"))
        rig.press(START)
        assert order[-2:] == ["kept", "shown"]
        assert isinstance(rows_of(rig, 1)[0], Opened)


def test_what_was_played_is_there_after_switching_off(path: Path) -> None:
    with Rig(path).press(START).press("OK 1") as rig:
        before, entries = rig.screen, rig.entries
    with Rig(path) as again:
        assert again.entries == entries != []
        assert again.screen == before


def test_when_nothing_can_be_saved_everything_is_as_before(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Rig(path).press(START) as rig:
        before = rig.screen

        def full(*_: object) -> None:
            raise StoreError("Not saved: the disk is full")

        with monkeypatch.context() as broken:
            broken.setattr(rig.store, "keep", full)
            told = rig.press("OK").screen
            assert told != before
            assert rig.entries == []
        assert rig.press("9").screen == before
        assert rig.press("OK").entries == ["hand"]


def test_what_the_rules_refuse_is_not_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Rig(path).press(START) as rig:
        before = rows_of(rig, 1)
        wants(monkeypatch, Redo())
        told = rig.press("OK").screen
        assert told != rig.shown[0].frame.rows()
        assert rows_of(rig, 1) == before


@pytest.mark.parametrize("row", [Undo(), Redo(), Step(())])
def test_without_a_game_there_is_nothing_to_change(
    path: Path, monkeypatch: pytest.MonkeyPatch, row: Row
) -> None:
    with Rig(path) as rig:
        wants(monkeypatch, row)
        rig.press("OK")
        assert list(rig.store.games()) == []


def test_a_press_that_has_an_identity_counts_once(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Rig(path) as rig:
        wants(monkeypatch, Setting("contrast", 3))
        press = Press(Key.OK, source=PressId("pad", 1, 7))
        rig.send(press)
        rig.send(press)
        rig.send(Press(Key.OK, source=PressId("pad", 1, 8)))
        assert len(rows_of(rig, 0)) == 2


def test_settings_belong_to_the_box_and_stay(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Rig(path) as rig, monkeypatch.context() as once:
        wants(once, Setting("entry", "count"))
        rig.press("OK")
    with Rig(path) as again:
        assert again.store.settings() == {"entry": "count"}
        assert again.table._view().settings == {"entry": "count"}


# ---------------------------------------------------------------- time


def test_it_sleeps_without_end_when_nobody_touches_it(path: Path) -> None:
    with Rig(path) as rig:
        assert rig.table.patience() is None
        rig.press(START)
        assert rig.table.patience() is None


def test_it_wakes_for_a_contact_and_for_a_held_key(path: Path) -> None:
    with Rig(path) as rig:
        rig.touch("MENU", True)
        rig.table.turn(0)
        assert rig.table.patience() == pytest.approx(0.003)
        rig.wait(0.1)
        assert rig.table.patience() == pytest.approx(1.9)
        rig.wait(3)
        assert rig.table.patience() == pytest.approx(16.9)
        rig.wait(17)
        assert rig.table.patience() is None
        rig.touch("MENU", False)
        rig.wait(0.1)
        assert rig.table.patience() is None


def test_back_held_for_two_seconds_locks_the_keys(path: Path) -> None:
    with Rig(path).press(START) as rig:
        rig.hold("BACK", 2.1)
        locked = rig.screen
        assert rig.press("OK 1").screen == locked
        assert rig.entries == []
        rig.hold("BACK", 2.1)
        assert rig.screen != locked
        assert rig.press("OK").entries != []


def test_a_bounce_is_not_a_press(path: Path) -> None:
    with Rig(path) as rig:
        before = rig.screen
        for down in (True, False, True, False):
            rig.touch("1", down)
            rig.now += 0.001
        rig.wait(0.2)
        assert rig.screen == before


def test_the_same_picture_is_not_published_twice(path: Path) -> None:
    with Rig(path) as rig:
        rig.press("9")
        shown = len(rig.shown)
        rig.press("9 9")
        assert len(rig.shown) == shown


def test_a_picture_is_drawn_once_a_press_and_not_for_each_turn_of_the_loop(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Rig(path).press(START) as rig:
        drawn: list[Console] = []
        draw = Console.show

        def noted(console: Console, view: View[Any]) -> Show:
            drawn.append(console)
            return draw(console, view)

        monkeypatch.setattr(Console, "show", noted)
        for count, word in enumerate(["OK", "1", "6", "3", "OK", "MENU"], start=1):
            rig.press(word)
            assert len(drawn) == count
        rig.wait(100)
        assert len(drawn) == 6


def test_it_runs_until_it_is_told_to_stop(path: Path) -> None:
    with Rig(path) as rig:
        assert not rig.stop()
    with Store.open(path, GAMES) as store:
        table = Table(store, GAMES, Surfaces(), lambda: 0.0)
        teller = Thread(target=lambda: table.events.put(Command.STOP))
        teller.start()
        table.run()
        teller.join()


# ---------------------------------------------------------------- one game after the other

EARLIER = 1_700_000_000.0
"""Long before the rig's wall clock, and before any clock counts as set."""


def finished_games(path: Path, number: int, names: tuple[str, ...] = ("Red", "Blue")) -> list[str]:
    """An evening of rematches in the record; who won each."""
    winners = []
    with Store.open(path, GAMES, lambda: EARLIER) as store:
        for game in range(1, number + 1):
            before = game - 1 or None
            opened = Opened("high-five", Seats.of(*names), {}, before, evening=before)
            store.keep(game, opened)
            played = play_game(Random(game), 2)
            for entry, _ in played:
                store.keep(game, Step((entry,)))
            winners.append(str(played[-1][1].winner))
    return winners


def test_taking_back_an_empty_rematch_leads_to_the_game_before_and_redo_to_the_rematch(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished_games(path, 2)
    with Rig(path) as rig:
        over = rig.screen
        with monkeypatch.context() as once:
            wants(once, Opened("high-five", Seats.of("Red", "Blue"), {}, 2))
            rig.press("OK")
            assert rig.table._view().game_number == 3
            wants(once, Undo())
            rig.press("OK")
        assert rig.table._view().game_number == 2
        assert rig.screen == over
    with Rig(path) as rig:
        assert rig.screen == over
        with monkeypatch.context() as once:
            wants(once, Redo())
            rig.press("OK")
        assert rig.table._view().game_number == 3


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


def test_games_won_this_evening_are_counted_when_somebody_looks(path: Path) -> None:
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


def test_names_used_before_are_those_of_people(path: Path) -> None:
    finished_games(path, 1)
    with Store.open(path, GAMES) as store:
        assert names_used(store, {}, People()) == ()
        store.keep(2, Opened("high-five", Seats.of("Ann", "Bob"), {}))
        store.keep(3, Opened("high-five", Seats.of("Cem", "Ann"), {}))
        assert names_used(store, {}, People()) == ("Cem", "Ann", "Bob")
        removed = {removal_setting("Cem"): 3, removal_setting("Ann"): 2}
        assert names_used(store, removed, People()) == ("Ann", "Bob"), "Ann has played since"
        known = People({"Bob": "Rob", "Cem": "Ann"}, frozenset({"Ann"}))
        assert names_used(store, {}, known) == ("Rob",)
        assert names_used(store, {removal_setting("Rob"): 3}, People({"Bob": "Rob"})) == (
            "Cem",
            "Ann",
        )


def test_what_the_record_tells_at_the_start_is_shown_until_the_next_key(path: Path) -> None:
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


# ---------------------------------------------------------------- faults of ours


def test_a_fault_of_a_screen_does_not_end_the_evening(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Rig(path) as rig:
        rig.press(START)

        def faulty(*_: object) -> None:
            raise ZeroDivisionError("a fault")

        monkeypatch.setattr(Console, "press", faulty)
        rig.press("OK")
        assert "ZeroDivisionError" in capsys.readouterr().err
        monkeypatch.undo()
        rig.press("OK")
        assert [type(row) for row in rows_of(rig, 1)] == [Opened, Step]


def test_a_screen_that_cannot_be_drawn_has_a_way_out(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Rig(path) as rig:
        rig.press(START)

        def faulty(*_: object) -> None:
            raise ZeroDivisionError("a fault")

        rig.press("OK")
        monkeypatch.setattr(Console, "show", faulty)
        rig.press("MENU")
        rig.press("BACK")
        assert [type(row) for row in rows_of(rig, 1)] == [Opened, Step, Undo]
        assert "ZeroDivisionError" in capsys.readouterr().err
        monkeypatch.undo()
        rig.press("OK")  # what it leads to is drawn again
        assert len(rows_of(rig, 1)) == 3
        rig.press("OK")
        assert len(rows_of(rig, 1)) == 4


# ---------------------------------------------------------------- a game taken back


def test_the_screens_know_that_the_game_after_can_be_brought_back(path: Path) -> None:
    with Rig(path) as rig:
        rig.press(START)
        rig.table._press(Press(Key.OK))
        after = Opened("high-five", Seats.of("Red", "Blue"), {}, after=1)
        rig.table._console = Console.start()
        with pytest.MonkeyPatch.context() as patch:
            wants(patch, after)
            rig.press("OK")
            wants(patch, Undo())
            rig.press("OK")
        assert rig.table._view().game_number == 1
        assert rig.table._view().redo_label == "the next game"


def test_the_next_game_is_not_offered_again_after_new_entries(path: Path) -> None:
    """Neither at once nor after a restart: it would come back in the middle of this one."""
    with Rig(path) as rig:
        rig.press(START).press("OK 1 MENU")
        table = rig.table
        with pytest.MonkeyPatch.context() as patch:
            wants(patch, Opened("high-five", Seats.of("Red", "Blue"), {}))
            rig.press("OK")
            wants(patch, Undo())
            rig.press("OK")
        assert table._view().redo_label == "the next game"
        table._console = Console.start()
        rig.press("6 3 OK BACK OK")
        assert table._view().redo_label == "Blue 6-3"
        rig.press("BACK DRAW")
        assert table._view().redo_label is None
    with Rig(path) as again:
        assert again.entries[-1] == "Blue 6-3"
        assert again.table._view().redo_label is None


def test_a_name_that_is_removed_stays_removed_until_somebody_plays_under_it(path: Path) -> None:
    anme = "2 DRAW 6 6 DRAW 6 DRAW 3 3 OK "
    with Rig(path) as rig:
        rig.press(f"1 2 2 {anme} 2 2 DRAW 6 6 6 OK OK")
        assert rig.table._view().names == ("Anme", "Bo")
        rig.press("BACK OK")
        assert rig.table._view().names == ("Anme", "Bo"), "those of a game that was taken back, too"
        rig.press("BACK " * 12 + "1 2 2 DRAW MENU 2")
        assert rig.table._view().names == ("Bo",)
    with Rig(path) as rig:
        assert rig.table._view().names == ("Bo",)
        rig.press(f"1 2 2 1 {anme} 2 OK")
        assert rig.table._view().names == ("Anme", "Bo")
    with Rig(path) as rig:
        assert rig.table._view().names == ("Anme", "Bo")


def test_a_game_taken_back_at_its_beginning_leads_to_its_set_up_and_not_to_an_older_game(
    path: Path,
) -> None:
    finished_games(path, 1)
    with Rig(path) as rig:
        rig.press("OK OK 2 1 2 2 2 DRAW 6 OK 3 OK OK")
        assert rig.table._view().game_number == 2
        rig.press("BACK OK")
        assert rig.table._view().game_number == 1
        screen = rig.table._console.screen
        assert isinstance(screen, ShowTable)
        assert screen.seats.order == ("Am", "D")
        rig.press("BACK BACK 5 OK OK")
        assert rig.table._view().game.opened.seats.order == ("Am", "J")


NEW_GAME = "OK OK 2 1 2 1 OK "
"""From the last payment of a game to another one, of the same colours, that is no rematch."""
HOUR_S = 3600.0


def evening_of(path: Path, wall: float = 1_800_000_000.0) -> dict[str, int]:
    """The games won this evening, as the next game counts them."""
    with Rig(path, wall).press(NEW_GAME) as rig:
        return dict(rig.table._view().won)


def kept_at(path: Path, wall: float) -> str:
    """A game won at that time, the record's only one; by whom."""
    played = play_game(Random(1), 2)
    with Store.open(path, GAMES, lambda: wall) as store:
        store.keep(1, Opened("high-five", Seats.of("Red", "Blue"), {}))
        for entry, _ in played:
            store.keep(1, Step((entry,)))
    return str(played[-1][1].winner)


def test_an_evening_is_more_than_its_last_row_of_rematches(path: Path) -> None:
    won = kept_at(path, 1_800_000_000.0)
    with Rig(path).press(NEW_GAME + "OK 1 MENU 9 3 1 2 1 OK") as rig:
        assert rig.table._view().game_number == 3
        assert dict(rig.table._view().won) == {won: 1}


def test_a_pulled_plug_does_not_end_an_evening(path: Path) -> None:
    kept_at(path, 1_800_000_000.0)
    with Rig(path, 0.0).press(NEW_GAME) as rig:
        assert dict(rig.table._view().won) == {}, "the clock is not set, and nothing else tells"
    with Rig(path, 0.0).press("OK 1 MENU 9 3 1 2 1 OK") as rig:
        games = [one.opened.evening for one in rig.store.games()]
        assert games == [None, None, 2], "it was played since the box was switched on"


@pytest.mark.parametrize(("hours", "same"), [(0.0, True), (5.0, True), (7.0, False), (-1.0, True)])
def test_the_clock_tells_evenings_apart_where_it_is_set(
    path: Path, hours: float, same: bool
) -> None:
    won = kept_at(path, 1_800_000_000.0)
    assert evening_of(path, 1_800_000_000.0 + hours * HOUR_S) == ({won: 1} if same else {})


def test_a_rematch_on_another_evening_counts_afresh(path: Path) -> None:
    kept_at(path, 1_800_000_000.0)
    with Rig(path, 1_800_000_000.0 + 48 * HOUR_S).press("OK OK 1") as rig:
        opened = rig.table._view().game.opened
        assert (opened.after, opened.evening) == (1, None)
        assert dict(rig.table._view().won) == {}


BEGUN = f"{START} OK 1"
"""Dealt, and Red has led the double six."""


def test_a_record_that_is_found_damaged_is_mended_and_play_goes_on(path: Path) -> None:
    with Rig(path).press(BEGUN) as rig:
        before, pictures = rig.entries, len(rig.shown)
        rig.store._written.clear()
        ((text,),) = rig.store.ask("SELECT row FROM record WHERE seq = 1")
        rig.store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        data = path.read_bytes()
        path.write_bytes(data.replace(text.encode(), text.encode().replace(b'"', b"'")))
        rig.table.events.put(Command.MEND)
        rig.table.turn(0)
        assert len(rig.shown) > pictures
        assert Path(f"{path}.damaged-1").exists()
        # The game's first row is lost, and with it the game: the table begins anew.
        assert (before, rig.entries) == (["hand", "Red 6-6"], [])
        rig.press(BEGUN)
        assert rig.entries == ["hand", "Red 6-6"]


def test_a_table_that_another_run_has_overtaken_goes_on_from_there(path: Path) -> None:
    with Rig(path).press(BEGUN) as rig:
        Path(f"{path}.lock").unlink()
        # A process of its own: the mock pins of gpiozero 1, which Debian has, are all of a process.
        other = [sys.executable, "-W", "ignore::DeprecationWarning", "-m", "tests.rig", str(path)]
        root = Path(__file__).parent.parent
        subprocess.run(other, input=b"6 5 OK\n", capture_output=True, cwd=root, check=True)
        rig.press("6 4 OK")
        assert rig.entries == ["hand", "Red 6-6", "Blue 6-5"]
        rig.press("6 4 OK")
        assert rig.entries == ["hand", "Red 6-6", "Blue 6-5", "Red 6-4"]
