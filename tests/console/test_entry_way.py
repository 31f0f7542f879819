"""The way plays are keyed is chosen in the menu, shown in words, and reset with every game."""

from pathlib import Path

import pytest

from companion.console.line.turn import _refusal_text, entry_way
from companion.core.seats import Seat, Seats
from companion.games.line.line import TilePlayed
from companion.record.rows import GameOpened, Row, Setting, Step
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.console.rig import Rig, started
from tests.manual.reading import reads
from tests.rig import Rig as Box

RED, BLUE = Seat("Red"), Seat("Blue")
SCORED = "OK 1 6 3 OK "
ENDS, COUNT = "MENU 7 2 ", "MENU 7 3 "
ASKED = {"": "Key both halves, then OK.", ENDS: "Key all open ends, then OK.",
         COUNT: "Key the count, then OK."}  # fmt: skip


def settings(rig: Rig) -> list[Row]:
    return [row for row in rig.rows if isinstance(row, Setting)]


# ---------------------------------------------------------------- OK never changes it


@pytest.mark.parametrize("before", ["OK 1 ", SCORED, SCORED + "DRAW ", SCORED + "PASS OK "])
def test_repeated_ok_without_digits_changes_nothing(before: str) -> None:
    rig = started().press(before)
    rows = len(rig.rows)
    rig.press("OK OK OK OK")
    assert len(rig.rows) == rows
    assert entry_way(rig.view) == "tile"


def test_a_tile_keyed_after_repeated_ok_is_played() -> None:
    rig = started().press(SCORED + "OK OK OK 3 1 OK")
    assert rig.rows[-1] == Step((TilePlayed(RED, (3, 1)),))


def test_ok_removes_a_payment_and_then_shows_what_to_key() -> None:
    rig = started().press(SCORED)
    assert reads(rig.frame, "RED pays BLUE")
    rig.press("OK")
    assert not reads(rig.frame, "RED pays BLUE")
    assert rig.console.message is None
    rig.press("OK")
    assert reads(rig.frame, "Key both halves, then OK.")
    rig.press("3 1 OK")
    assert rig.rows[-1] == Step((TilePlayed(RED, (3, 1)),)), "the line holds no digit back"


@pytest.mark.parametrize("way, says", ASKED.items(), ids=["tile", "ends", "count"])
def test_ok_without_digits_shows_what_to_key_in_one_line(way: str, says: str) -> None:
    rig = started().press("OK 1 " + way + "OK")
    assert reads(rig.frame, says)


@pytest.mark.parametrize("way", ["", ENDS])
def test_ok_with_only_one_half_is_refused_and_keeps_the_digit(way: str) -> None:
    rig = started().press("OK 1 " + way + "6 OK")
    assert reads(rig.frame, ASKED[way])
    rig.press("6 3 OK" if way else "3 OK")
    assert rig.state.scores[BLUE] == 15


# ---------------------------------------------------------------- the menu changes it


def test_the_menu_shows_and_changes_the_entry_way() -> None:
    rig = started().press("OK 1 MENU")
    assert reads(rig.frame, "How you key: tile")
    rig.press("7")
    for line in ("Tile: 5 6 OK", "Open ends: 5 5 0 OK", "Count: 15 OK"):
        assert reads(rig.frame, line)
    rig.press("2")
    assert rig.rows[-1] == Setting("entry", "ends")
    assert reads(rig.frame, "ends")
    rig.press("3 6 6 OK")
    assert rig.view.game.entries[-1] == TilePlayed(BLUE, ends=(3, 6, 6))
    assert reads(rig.press("MENU").frame, "How you key: open ends")


# ---------------------------------------------------------------- a new game begins with the tile


@pytest.mark.parametrize("new_game", ["1 2 1 OK", "2 3 1 OK"], ids=["High Five", "Five Up"])
def test_every_new_game_is_keyed_by_tiles_and_stores_no_setting_for_it(new_game: str) -> None:
    rig = started().press("OK 1 " + ENDS + "MENU 9 3 " + new_game)
    assert isinstance(rig.rows[-1], GameOpened)
    assert len(settings(rig)) == 1
    assert entry_way(rig.view) == "tile"


def test_a_rematch_starts_with_keying_tiles() -> None:
    rig = started().press("OK 1 " + COUNT + "MENU 9 2 2 OK 1")
    assert isinstance(rig.rows[-1], GameOpened)
    assert entry_way(rig.view) == "tile"


GAME = "1 2 1 OK OK 1 "


def way(box: Box) -> str:
    return str(box.table.box.view().settings.get("entry", "tile"))


def test_a_game_keeps_its_entry_way_after_a_restart(tmp_path: Path) -> None:
    with Box(tmp_path / "record.db") as box:
        assert way(box.press(GAME + ENDS)) == "ends"
    with Box(tmp_path / "record.db") as box:
        assert way(box) == "ends"
        assert way(box.press("MENU 9 3 " + GAME)) == "tile"
    with Box(tmp_path / "record.db") as box:
        assert way(box) == "tile"


def test_a_restored_game_has_its_own_entry_way(tmp_path: Path) -> None:
    with Box(tmp_path / "record.db") as box:
        box.press(GAME + ENDS + "MENU 9 3 1 2 1 OK")
        assert way(box) == "tile"
        assert way(box.press("BACK OK")) == "ends", "the new game was taken back"
    with Box(tmp_path / "record.db") as box:
        assert way(box) == "ends"


def test_records_of_the_older_program_keep_working(tmp_path: Path) -> None:
    """The older program stored the way of keying as a setting of the box, and kept it for the next
    game."""
    path = tmp_path / "record.db"
    store = Store.open(path, GAMES, lambda: 0.0)
    options = {"deal": 7}
    store.keep(0, Setting("entry", "count"))
    store.keep(1, GameOpened("high-five", Seats.of("Red", "Blue"), options))
    store.keep(0, Setting("contrast", 90))
    store.close()
    with Box(path) as box:
        assert way(box) == "tile", "the setting is older than the game"
        assert box.table.box.view().settings["contrast"] == 90
        assert way(box.press("OK 1")) == "tile"
    store = Store.open(path, GAMES, lambda: 0.0)
    store.keep(0, Setting("entry", "ends"))
    store.close()
    with Box(path) as box:
        assert way(box) == "ends", "it was chosen in the game that goes on"
    store = Store.open(path, GAMES, lambda: 0.0)
    store.keep(0, Setting("entry", "by ear"))
    store.close()
    with Box(path) as box:
        box.press("6 3 OK")
        assert box.entries[-1] == "Blue 6-3", "a way that nobody knows is the tile"


# ---------------------------------------------------------------- right in another way


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("No tile fits", "No tile fits. Right as x."),
        ("No tile fits.", "No tile fits. Right as x."),
        ("Is it a 6-3?", "Is it a 6-3? Right as x."),
        ("Aucun domino\xa0: " + "regarde encore " * 12, "Aucun domino. Right as x."),
        ("regarde encore " * 12, "Right as x."),
    ],
)
def test_refusals_are_complete_sentences(why: str, said: str) -> None:
    assert _refusal_text(why, "Right as x.") == said


def test_a_tile_keyed_as_ends_is_recognised() -> None:
    rig = started().press("OK 1 " + ENDS + "6 3 OK")
    assert reads(rig.frame, "It could be the tile 6-3: MENU to choose.")
    rig.press("MENU 4")
    assert entry_way(rig.view) == "tile"
    assert len(rig.view.game.entries) == 2, "it is looked at before it is kept"
    rig.press("OK")
    assert rig.rows[-1] == Step((TilePlayed(BLUE, (6, 3)),))


def test_ends_keyed_as_a_tile_are_recognised() -> None:
    """3-5 is already on the table, but 4-3 leaves 3 and 5 open."""
    rig = started().press("OK 1 6 3 OK 6 5 OK 3 5 OK 2 5 4 OK OK 3 5 OK")
    assert reads(rig.frame, "It could be open ends 3 5: MENU to choose.")
    rig.press("MENU 5 OK")
    assert rig.rows[-1] == Step((TilePlayed(BLUE, ends=(3, 5)),))


def test_a_count_keyed_as_a_tile_is_recognised() -> None:
    rig = started().press(SCORED + "1 2 OK")
    assert reads(rig.frame, "1-2 doesn't fit: the open ends")
    assert reads(rig.frame, "It could be the count 12: MENU to choose.")
    rig.press("MENU 6")
    assert entry_way(rig.view) == "count"
    rig.press("OK")
    assert rig.rows[-1] == Step((TilePlayed(RED, count=12),))


def test_a_play_wrong_in_every_way_gets_no_suggestion() -> None:
    rig = started().press(SCORED + "0 1 OK")
    assert rig.name() == "LineTurn"
    assert not reads(rig.frame, "it is right")
    rig.press("MENU 4")
    assert rig.name() == "Choices", "a line that is left out is dead"


# ---------------------------------------------------------------- digits in haste


def test_losing_a_tile_keyed_without_ok_is_reported() -> None:
    rig = started().press("OK 1 6 3 3 1")
    assert rig.console.message == "OK first: 6-3 is keyed."
    rig.press("OK 3 1 OK")
    assert rig.view.game.entries[-2:] == (TilePlayed(BLUE, (6, 3)), TilePlayed(RED, (3, 1)))


def test_a_digit_above_the_highest_half_is_refused() -> None:
    rig = started().press("OK 1 6 7")
    assert rig.console.message == "Half a tile has 0 to 6 pips."
    rig.press("3 OK")
    assert rig.rows[-1] == Step((TilePlayed(BLUE, (6, 3)),))


# ---------------------------------------------------------------- a line that is not known


def test_on_a_lost_line_the_open_ends_are_keyed_after_the_tile() -> None:
    """After a tile that the table insisted on, the box knows only the ends, so it asks for them."""
    rig = started().press(SCORED + "1 2 OK! 6 6 1 OK")
    rig.press("OK 1 4 OK")
    assert reads(rig.frame, "Which ends are open?")
    rig.press("6 6 4 OK")
    assert rig.rows[-1] == Step((TilePlayed(BLUE, (1, 4), ends=(4, 6, 6)),))
    rig.press("1 2 OK")
    assert reads(rig.frame, "is already on the table: Red laid it")
