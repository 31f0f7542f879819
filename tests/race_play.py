"""The tests' own game, the race, with the least that every game must bring."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.app.catalog import Bundle, Catalog
from companion.console.screen import Play, PlayableGames
from companion.core.values import Json
from companion.games.entry import Entry
from companion.games.game import AnyGame, AnyState
from companion.games.options import Value
from companion.players.statistics import Statistics
from companion.presentation.acts import Act
from companion.presentation.drawing.paper import Paper
from companion.presentation.game import GamePresentation
from companion.presentation.keys import Act, AskedNow, GameKeys, Open
from companion.presentation.sayings import say
from tests.number_play import NumberPlay
from tests.race import RACE


@dataclass(frozen=True)
class Played:
    """A game as the console knows it, for tests that need only the console."""

    rules: AnyGame
    screens: Play[Any]


def nothing_asked(_game: AnyGame, _state: AnyState, _settings: Mapping[str, Value]) -> AskedNow:
    return AskedNow()


def no_acts(_game: AnyGame, _state: AnyState, _settings: Mapping[str, Value]) -> tuple[Act, ...]:
    return ()


def as_said(_game: AnyGame, _state: AnyState, entry: Entry, _tapped: bool) -> Open:
    return Open(entry)


class RacePresentation(GamePresentation):
    """The race described as the tally writes it; it can't be drawn."""

    where = "where.boneyard"
    keys = GameKeys(nothing_asked, no_acts, as_said)

    def reason(self, _state: AnyState) -> str:
        return ""

    def draw(self, _state: AnyState, _paper: Paper, *, stand_alone: bool = True) -> None:
        return None

    def said(self, entry: Entry, _state: AnyState, _now: AnyState | None = None) -> Json:
        return say("entry.plain", text=str(entry))

    def why(self, _entry: Entry, _state: AnyState) -> None:
        return None

    def asked(self, _game: Any, state: AnyState) -> Json:
        return say("asks.turn", seat=state.to_move)

    def moment_json(self, _state: AnyState) -> Json:
        return {}


RACE_CATALOG = Catalog(
    Bundle(
        RACE,
        lambda: NumberPlay(RACE),
        RacePresentation,
        lambda: Statistics(lambda _journal, _of: None, ()),
    )
)
RACE_GAMES: PlayableGames = RACE_CATALOG
