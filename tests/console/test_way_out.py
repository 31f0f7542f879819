"""From every screen that keys lead to, BACK leads to the table."""

from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest

from companion.console.console import Console, picker_keys
from companion.console.line.bogus_calls import ShowRuling
from companion.console.screen import Screen, View
from companion.console.screens.game_over import GameOver
from companion.core.keys import Key, Press
from tests.console.rig import Rig
from tests.screens.scenes import SCENES
from tests.screens.test_made_up import made

PRESSES = 20
"""The most presses of BACK: each keyed digit needs one."""
DEEP = 3
"""The most keys pressed after the start of a scene."""

Standing = tuple[Console, View[Any]]


def home_screens(view: View[Any]) -> tuple[type[Screen[Any]], ...]:
    """The screens that the table shows by itself, before and after the result of a hand is read."""
    home = view.screen
    then = (type(home.after(view)),) if isinstance(home, ShowRuling) else ()
    return (type(home), GameOver, *then)


def is_home(console: Console, view: View[Any]) -> bool:
    """Whether no screen is open, or only one that the table shows by itself."""
    return console.screen is None or isinstance(console.screen, home_screens(view))


def way_out(console: Console, view: View[Any]) -> bool:
    """Whether BACK alone leads to the table. Fails if it changes the record."""
    if console.locked:
        console, _ = console.press(view, Press(Key.BACK, held=True))
    for _ in range(PRESSES):
        if is_home(console, view):
            return True
        console, row = console.press(view, Press(Key.BACK))
        assert row is None, "BACK alone never changes the record"
    return False


def kind(console: Console, view: View[Any]) -> tuple[object, ...]:
    """The kind of a screen, for a walk that continues once from each kind: its class and the
    screens below it, not what is keyed on it. A game's own way to play counts, not which game it is
    in the record."""
    names, screen = list[str](), console.screen
    while screen is not None:
        names.append(type(screen).__name__)
        below = (getattr(screen, name, None) for name in ("parent", "under", "inner", "opened_on"))
        screen = next((each for each in below if isinstance(each, Screen)), None)
    return (type(view.play).__name__, *names)


def from_here(rig: Rig) -> Iterator[tuple[str, Standing]]:
    """Each new kind of screen that can be reached without storing a row, with the keys that lead to
    it."""
    seen, ahead = set[object](), deque([("", (rig.console, rig.view))])
    while ahead:
        keys, (console, view) = ahead.popleft()
        what = kind(console, view)
        if what in seen:
            continue
        seen.add(what)
        yield keys, (console, view)
        if len(keys.split()) == DEEP:
            continue
        screen = console.screen or view.screen
        for key in picker_keys(screen, view):
            after, row = console.press(view, Press(key))
            if row is None:
                ahead.append((f"{keys} {key.value}".strip(), (after, view)))


@pytest.mark.parametrize("scene", SCENES)
def test_back_leads_from_every_screen_to_the_table(scene: str) -> None:
    stuck = [
        f"{keys}: {type(console.screen).__name__}"
        for keys, (console, view) in from_here(made(scene))
        if not way_out(console, view)
    ]
    assert not stuck
