"""What each game tells of a moment besides what every game does, and how it is drawn."""

from collections.abc import Mapping
from typing import Any, Protocol

from companion.core.values import Json
from companion.games.game import AnyState, Entry, Notice
from companion.presentation.drawing.paper import Paper
from companion.presentation.high_five_tiles.keys import SHEET_KEYS
from companion.presentation.high_five_tiles.picture import SheetPicture
from companion.presentation.high_fives.keys import TABLEAU_KEYS
from companion.presentation.high_fives.picture import TableauPicture
from companion.presentation.highrise.keys import BUILDING_KEYS
from companion.presentation.highrise.picture import BuildingPicture
from companion.presentation.keys import GameKeys
from companion.presentation.line.keys import LINE_KEYS
from companion.presentation.line.picture import LinePicture
from companion.presentation.no_picture import NoPicture


class Picture(Protocol):
    """A game's own part of what is told and drawn. `state` is always one of that game's."""

    where: str
    """The key of what says how many tiles of a hand are still to come (sayings.py)."""

    def game_json(self, state: AnyState) -> Json:
        """Keys of `replay --json` beside those that every game has; `stock` by default null."""
        ...

    def entry_json(self, state: AnyState) -> Json:
        """Keys of the entry that led to this state; `ends` and `count` by default null."""
        ...

    def reason(self, state: AnyState) -> str:
        """Why the entry before this state was worth what it was: “6-3: 12+3 = 15”; "" where there
        is nothing to say."""
        ...

    def ruling(self, state: AnyState) -> str:
        """How the entry before this state closed a claim; "" where it closed none."""
        ...

    def next_lead(self, lead: str) -> str:
        """Who leads next, in words: “next: Blue leads”."""
        ...

    def draw(self, state: AnyState, paper: Paper, *, stand_alone: bool = True) -> str | None:
        """What lies on the table as SVG (drawing/svg.py); None where it can't be drawn."""
        ...

    # What follows is for one moment told as JSON (moment.py). `entry` led to `state`.

    def said(self, entry: Entry, state: AnyState) -> Json:
        """The entry as people tell it: key, parts and words (sayings.py)."""
        ...

    def hides(self, entry: Entry, state: AnyState) -> bool:
        """Whether its text is not told, since it says what only some have seen."""
        ...

    def why(self, entry: Entry, state: AnyState) -> Json | None:
        """Why it was worth what it was; None where there is nothing to say."""
        ...

    def spoils(self, notice: Notice, hand_number: int, now: AnyState) -> bool:
        """Whether the notice of an entry of that hand is not told `now`, unless the house rules
        otherwise."""
        ...

    def asked(self, game: Any, state: AnyState) -> Json:
        """What the record waits for while the game goes on."""
        ...

    def moment_json(self, state: AnyState) -> Json:
        """Keys of the moment that every game has, null or empty by default: `boneyard`, `held` (by
        seat), `table`, `claim` and `ruling`."""
        ...


LINE = LinePicture()
PICTURES: Mapping[str, Picture] = {
    "high-five": LINE,
    "five-up": LINE,
    "high-fives": TableauPicture(),
    "highrise": BuildingPicture(),
    "high-five-tiles": SheetPicture(),
}
"""By the game's name."""


def picture_of(name: str) -> Picture:
    """What the game of that name tells of its own; nothing where it isn't listed."""
    return PICTURES.get(name, NoPicture())


KEYS: Mapping[str, GameKeys] = {
    "high-five": LINE_KEYS,
    "five-up": LINE_KEYS,
    "high-fives": TABLEAU_KEYS,
    "highrise": BUILDING_KEYS,
    "high-five-tiles": SHEET_KEYS,
}
"""What can be keyed on a page, by the game's name."""
