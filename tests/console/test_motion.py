"""A key causes no repeated work: the rules check each entry once, the view is created once for each
state, and the menu's items once when it opens."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.games.game import Entry, State
from companion.games.line.game import LineGame
from companion.games.line.hand import LineBoard
from companion.record.rows import Amend
from companion.table.session import Parts, Views
from tests.rig import Rig

SCORED = "1 2 1 OK OK 1 6 3 OK "


class WorkCounter:
    """Counts how often the rules judge an entry and how often a view is made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rules = self.views = 0
        apply, look = LineGame.apply, Views._make_view

        def applied(game: LineGame[LineBoard], state: State[LineBoard], entry: Entry) -> object:
            self.rules += 1
            return apply(game, state, entry)

        def looked(views: Views, parts: Parts) -> object:
            self.views += 1
            return look(views, parts)

        monkeypatch.setattr(LineGame, "apply", applied)
        monkeypatch.setattr(Views, "_make_view", looked)

    @contextmanager
    def of(self, *, rules: int, views: int) -> Iterator[None]:
        self.rules = self.views = 0
        yield
        assert (self.rules, self.views) == (rules, views)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> WorkCounter:
    return WorkCounter(monkeypatch)


def test_an_entry_is_checked_by_the_rules_once(tmp_path: Path, counted: WorkCounter) -> None:
    with Rig(tmp_path / "record.db").press(SCORED) as rig:
        with counted.of(rules=1, views=0):
            rig.press("6 5")
        with counted.of(rules=0, views=1):
            rig.press("OK")
        with counted.of(rules=2, views=1):  # the draw, and whether its tile may go back
            rig.press("DRAW")


def test_the_menu_computes_its_items_once(tmp_path: Path, counted: WorkCounter) -> None:
    with Rig(tmp_path / "record.db").press(SCORED) as rig:
        with counted.of(rules=10, views=0):  # the acts that pages show, and two of its own
            rig.press("MENU")
        with counted.of(rules=0, views=0):
            rig.press("DRAW DRAW PASS 5 DRAW BACK")


def test_storing_a_previewed_change_does_not_replay_the_game(
    tmp_path: Path, counted: WorkCounter
) -> None:
    with Rig(tmp_path / "record.db").press(SCORED + "6 5 OK 3 5 OK MENU 2 DRAW OK 1 6 4 OK") as rig:
        with counted.of(rules=0, views=1):
            rig.press("OK")
        assert isinstance([kept.row for kept in rig.store.rows(1)][-1], Amend)
