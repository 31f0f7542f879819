"""What can be set up at the box: the games that have screens, and no other."""

from pathlib import Path

from companion.console.catalog import PLAYS
from companion.console.screen import screen_for
from companion.console.screens.setup_game import ChooseGame
from companion.core.seats import Seats
from companion.games.catalog import GAMES
from companion.games.game import parse_entry
from companion.record.rows import Opened, Step
from companion.record.store.store import Store
from tests.rig import Rig

TOLD_IN_TEXT = [name for name in GAMES if name not in PLAYS]


def offered(rig: Rig) -> list[str]:
    view = rig.table._view()
    screen = screen_for(view)
    assert isinstance(screen, ChooseGame)
    return [*screen.lines(view)]


def test_a_game_without_screens_is_not_offered(tmp_path: Path) -> None:
    with Rig(tmp_path / "record.db") as rig:
        assert offered(rig) == [GAMES[name].title for name in PLAYS]


def test_such_a_game_in_the_record_stays_and_leaves_the_box_at_the_set_up(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    seats = Seats.of("Red", "Blue")
    for number, name in enumerate(TOLD_IN_TEXT, start=1):
        with Store.open(path, GAMES) as store:
            store.keep(number, Opened(name, seats, {}))
            store.keep(number, Step((parse_entry("hand lead Blue", GAMES[name], seats),)))
        with Rig(path) as rig:
            assert offered(rig) == [GAMES[name].title for name in PLAYS]
