"""The loop: when it saves, when it shows, and how long it sleeps."""

import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.console.console import Console
from companion.console.frame import BoxPicture
from companion.console.screen import View
from companion.console.screen_saver import ScreenSaver
from companion.core.keys import Key, Press, PressId
from companion.record.rows import GameOpened, Redo, Row, Setting, Step, Undo
from companion.record.store.database import StoreError
from companion.record.store.store import Store
from companion.table.events import Command
from companion.table.loop import Outputs, Table, TableDisplay
from tests.catalog import GAMES
from tests.record.damage import drop_copies
from tests.rig import Rig

START = "1 2 1 OK"
"""Begins High Five for two by their colours, with the options that are shown."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.db"


def wants(monkeypatch: pytest.MonkeyPatch, row: Row) -> None:
    """Makes every press request this row."""
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
        rig.table.box._display = TableDisplay(
            Outputs(lambda _: order.append("shown")), rig.table.box._views, ScreenSaver(rig.now)
        )
        rig.press(START)
        assert order[-2:] == ["kept", "shown"]
        assert isinstance(rows_of(rig, 1)[0], GameOpened)


def test_games_are_there_after_switching_off(path: Path) -> None:
    with Rig(path).press(START).press("OK 1") as rig:
        before, entries = rig.screen, rig.entries
    with Rig(path) as again:
        assert again.entries == entries != []
        assert again.screen == before


def test_a_failed_save_leaves_everything_unchanged(
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


def test_rows_refused_by_the_rules_are_not_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        assert again.table.box.view().settings == {"entry": "count"}


# ---------------------------------------------------------------- time


def test_the_loop_sleeps_without_a_timeout_when_idle(path: Path) -> None:
    with Rig(path) as rig:
        assert rig.table.wake_after_s() is None
        rig.press(START)
        assert rig.table.wake_after_s() is None


def test_the_loop_wakes_for_a_contact_and_for_a_held_key(path: Path) -> None:
    with Rig(path) as rig:
        rig.touch("MENU", True)
        rig.table.run_once(0)
        assert rig.table.wake_after_s() == pytest.approx(0.003)
        rig.wait(0.1)
        assert rig.table.wake_after_s() == pytest.approx(1.9)
        rig.wait(3)
        assert rig.table.wake_after_s() == pytest.approx(16.9)
        rig.wait(17)
        assert rig.table.wake_after_s() is None
        rig.touch("MENU", False)
        rig.wait(0.1)
        assert rig.table.wake_after_s() is None


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


def test_a_picture_is_drawn_once_per_press(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Rig(path).press(START) as rig:
        drawn: list[Console] = []
        draw = Console.show

        def noted(console: Console, view: View[Any]) -> BoxPicture:
            drawn.append(console)
            return draw(console, view)

        monkeypatch.setattr(Console, "show", noted)
        for count, word in enumerate(["OK", "1", "6", "3", "OK", "MENU"], start=1):
            rig.press(word)
            assert len(drawn) == count
        rig.wait(100)
        assert len(drawn) == 6


def test_the_loop_runs_until_it_is_stopped(path: Path) -> None:
    with Rig(path) as rig:
        assert not rig.stop()
    with Store.open(path, GAMES) as store:
        table = Table(store, CATALOG, Outputs(), lambda: 0.0)
        describer = Thread(target=lambda: table.events.put(Command.STOP))
        describer.start()
        table.run()
        describer.join()


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
        assert [type(row) for row in rows_of(rig, 1)] == [GameOpened, Step]


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
        assert [type(row) for row in rows_of(rig, 1)] == [GameOpened, Step, Undo]
        assert "ZeroDivisionError" in capsys.readouterr().err
        monkeypatch.undo()
        rig.press("OK")  # what it leads to is drawn again
        assert len(rows_of(rig, 1)) == 3
        rig.press("OK")
        assert len(rows_of(rig, 1)) == 4


BEGUN = f"{START} OK 1"
"""The first hand is dealt, and Red has led the double six."""


def test_a_record_that_is_found_damaged_is_repaired_and_play_goes_on(path: Path) -> None:
    with Rig(path).press(BEGUN) as rig:
        before, pictures = rig.entries, len(rig.shown)
        rig.store._written.clear()
        drop_copies(path)
        ((text,),) = rig.store.query("SELECT row FROM record WHERE seq = 1")
        rig.store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        data = path.read_bytes()
        path.write_bytes(data.replace(text.encode(), text.encode().replace(b'"', b"'")))
        rig.table.events.put(Command.REPAIR)
        rig.table.run_once(0)
        assert len(rig.shown) > pictures
        assert Path(f"{path}.damaged-1").exists()
        # The game's first row is lost, and with it the game: the table begins anew.
        assert (before, rig.entries) == (["hand", "Red 6-6"], [])
        rig.press(BEGUN)
        assert rig.entries == ["hand", "Red 6-6"]


def test_a_table_overtaken_by_another_run_continues_from_its_rows(path: Path) -> None:
    with Rig(path).press(BEGUN) as rig:
        Path(f"{path}.lock").unlink()
        # A process of its own: the mock pins of gpiozero 1, which Debian has, are all of a process.
        other = [sys.executable, "-W", "ignore::DeprecationWarning", "-m", "tests.rig", str(path)]
        root = Path(__file__).parents[2]
        subprocess.run(other, input=b"6 5 OK\n", capture_output=True, cwd=root, check=True)
        rig.press("6 4 OK")
        assert rig.entries == ["hand", "Red 6-6", "Blue 6-5"]
        rig.press("6 4 OK")
        assert rig.entries == ["hand", "Red 6-6", "Blue 6-5", "Red 6-4"]
