"""Every game can be set up at the box."""

from pathlib import Path

from companion.app.catalog import CATALOG
from companion.console.screens.set_up import ChooseGame
from tests.rig import Rig


def test_every_game_is_offered_in_the_order_of_the_catalog(tmp_path: Path) -> None:
    with Rig(tmp_path / "record.db") as rig:
        view = rig.table.box.view()
        screen = view.screen
        assert isinstance(screen, ChooseGame)
        *games, languages = screen.lines(view)
        assert games == [game.rules.title for game in CATALOG.values()]
        assert languages.startswith("Deutsch, Español")
