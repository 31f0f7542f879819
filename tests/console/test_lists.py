"""Every line of every list can be reached with the sixteen keys, and a long list shows how."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from companion.console.fonts import fitted, text_width
from companion.console.lists import ItemList, ListScreen
from companion.console.screens.menu import Menu
from tests.console.rig import Rig, started
from tests.console.typist import choose_line, until
from tests.screens.scenes import SCENES
from tests.screens.test_made_up import made


@cache
def lists() -> dict[str, Callable[[], Rig]]:
    """The scenes that show a list. Finding them means playing all scenes, so it isn't done at
    import."""
    shown = (name for name in SCENES if isinstance(made(name).screen, ListScreen))
    return {name: partial(made, name) for name in shown}


def every_list(kind: type[ListScreen[Any]] = ListScreen) -> Iterator[type[ListScreen[Any]]]:
    for child in kind.__subclasses__():
        if child is not ItemList:
            yield child
        yield from every_list(child)


def test_the_recorded_scenes_include_every_list() -> None:
    shown = {type(scene().screen) for scene in lists().values()}
    assert {kind.__name__ for kind in every_list()} == {kind.__name__ for kind in shown}


def test_the_bar_reaches_every_line_of_a_list() -> None:
    for name, scene in lists().items():
        rig = scene()
        screen = rig.screen
        assert isinstance(screen, ListScreen)
        count = screen.count(rig.view)
        rows = len(rig.rows)
        for key, step in (("DRAW", 1), ("PASS", -1)):
            for number in range(1, count + 1):
                rig.press(key)
                assert isinstance(rig.screen, type(screen)), name
                assert rig.screen.at % count == (screen.at + step * number) % count, name
        assert len(rig.rows) == rows, name


def test_every_list_shows_what_its_keys_do() -> None:
    for name, scene in lists().items():
        rig = scene()
        screen = rig.screen
        assert isinstance(screen, ListScreen)
        hint = screen.current_hint(rig.view)
        assert fitted(hint, 126) == hint, name
        assert text_width(hint), name
        if name == "setup_game":  # a new box's first question names the languages there
            assert hint.startswith("0 Deutsch"), name
        elif screen.count(rig.view) > screen.rows:
            assert "DRAW ↓" in hint, name
            assert "PASS ↑" in hint, name


def test_the_history_goes_back_to_the_first_deal() -> None:
    rig = until("KeyHolding", 1, 2).press("MENU")
    choose_line(rig, "History")
    rig.press("DRAW " * (rig.view.game.length - 1) + "OK 4")
    assert rig.name() == "ConfirmChange"
    rig.press("OK")
    assert rig.view.game.length == 0


def test_one_key_up_reaches_the_menus_last_line() -> None:
    rig = started(4).press("OK 1 MENU")
    assert isinstance(rig.screen, Menu)
    assert rig.screen.count(rig.view) > rig.screen.rows
    assert rig.press("PASS OK 3").name() == "ChooseGame"
