"""The console with a record in memory: press keys, look at the screen and the rows."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, ParamSpec

from companion.app.catalog import CATALOG
from companion.console.console import Console
from companion.console.frame import Frame, wire_cost
from companion.console.screen import PlayableGames, Screen, View
from companion.console.screens.set_up import SET_UP
from companion.core.errors import EntryError, RuleError
from companion.core.keys import Key, Press
from companion.games.game import AnyState
from companion.presentation.language import ENGLISH, Language
from companion.record.journal import Journal
from companion.record.names import removed_name
from companion.record.rows import GameOpened, Row, Setting
from companion.table.session import settings_for_new_game

KEYS = {key.value: key for key in Key}
P = ParamSpec("P")


LANGUAGE = ENGLISH
"""The language of the displays of rigs."""
DRAWS_EACH_PRESS = True
"""Whether every press draws its screen and counts the bytes sent. If False, a screen is drawn only
on request, for tests that need only the last screen because other tests draw all screens before
it."""


@dataclass
class Rig:
    """`press("5 6 OK")` presses keys; `OK!` is OK held for two seconds."""

    games: PlayableGames = field(default_factory=lambda: CATALOG)
    view: View[Any] = field(init=False)
    console: Console = field(default_factory=Console.start)
    rows: list[Row] = field(default_factory=list)
    costs: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    _frame: Frame | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.view = View(None, self.games, SET_UP, check_word=lambda: "lupod", language=LANGUAGE)
        self.frame = self.console.show(self.view).frame

    @property
    def frame(self) -> Frame:
        """The frame that is shown."""
        if self._frame is None:
            self._frame = self.console.show(self.view).frame
        return self._frame

    @frame.setter
    def frame(self, frame: Frame) -> None:
        self._frame = frame

    def copy(self) -> "Rig":
        """A copy to go on with from here, while this rig stays as it is."""
        other = copy(self)
        other.rows, other.costs = [*self.rows], [*self.costs]
        other.texts, other.refused = [*self.texts], [*self.refused]
        return other

    def show_in(self, language: Language) -> None:
        """Puts the display into another language."""
        self.view, self._frame = replace(self.view, language=language), None

    def press(self, keys: str) -> "Rig":
        for word in keys.split():
            self._one(Press(KEYS[word.rstrip("!")]))
            if word.endswith("!"):
                self._one(Press(KEYS[word.rstrip("!")], held=True))
        return self

    def send(self, press: Press) -> None:
        """Sends one press, as the loop would."""
        self._one(press)

    def _one(self, press: Press) -> None:
        before = self.console
        after, row = before.press(self.view, press)
        if row is not None:
            try:
                self.view = self._with(row)
            except (RuleError, EntryError) as refused:
                self.refused.append(str(refused))
                after = before.with_error(str(refused))
            else:
                self.rows.append(row)
        shown, self.console, self._frame = self._frame, after, None
        if DRAWS_EACH_PRESS:
            self.costs.append(wire_cost(shown or Frame.blank(), self.frame))
        self.texts.append(f"{press.key.value} → {type(self.screen).__name__}")

    def _with(self, row: Row) -> View[Any]:
        match row:
            case GameOpened():
                number = (self.view.game_number or 0) + 1
                journal = Journal.begin(row, {name: one.rules for name, one in self.games.items()})
                settings = settings_for_new_game(self.view.settings)
                return replace(
                    self.view,
                    journal=journal,
                    game_number=number,
                    newest_game=number,
                    settings=settings,
                )
            case Setting():
                settings = {**self.view.settings, row.name: row.value}
                names = tuple(name for name in self.view.names if name != removed_name(row.name))
                return replace(self.view, settings=settings, names=names)
        return replace(self.view, journal=self.view.game.fold(row))

    @property
    def screen(self) -> Screen[Any]:
        return self.console.screen or self.view.screen

    @property
    def state(self) -> AnyState:
        return self.view.state

    def name(self) -> str:
        """The class of the screen that is shown."""
        return type(self.screen).__name__


def keyed_once(scene: Callable[P, Rig]) -> Callable[P, Rig]:
    """Wraps a scene so that its keys are pressed only at the first call in a process; each call
    returns a copy."""
    kept: dict[object, Rig] = {}

    @wraps(scene)
    def again(*args: P.args, **more: P.kwargs) -> Rig:
        asked = args, tuple(more.items()), LANGUAGE, DRAWS_EACH_PRESS
        if asked not in kept:
            kept[asked] = scene(*args, **more)
        return kept[asked].copy()

    return again


@keyed_once
def started(players: int = 2, game: int = 1) -> Rig:
    """A game of High Five with that many colours, before its first hand."""
    return Rig().press(f"{game} {players} 1 OK")


SCORED = "OK 1 6 3 OK"
"""Keys for the first hand of a `started` game: Red leads 6-6, and Blue lays 6-3 for 15."""


def last(rig: Rig) -> Row:
    """Returns the row that was stored last."""
    return rig.rows[-1]
