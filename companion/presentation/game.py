"""What one game says and shows, besides what is said of every game."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Protocol

from companion.core.values import Json
from companion.games.game import AnyGame, AnyState, Entry, Notice
from companion.presentation.drawing.paper import Paper
from companion.presentation.keys import GameKeys
from companion.presentation.sayings import say


class GamePresentation(Protocol):
    """A game's own words, its drawing, and what can be keyed. `state` is always one of that
    game's. What has a body here does for a game without open ends, chips and claims."""

    where: str
    """The key of what says how many tiles of a hand are still to come (sayings.py)."""
    keys: GameKeys
    """What can be keyed now."""

    def game_json(self, _state: AnyState, /) -> Json:
        """Keys of `replay --json` beside those that every game has; `stock` by default null."""
        return {}

    def entry_json(self, _state: AnyState, _now: AnyState | None = None, /) -> Json:
        """Keys of the entry that led to this state, as they may be known `now` (None: all of them);
        `ends` and `count` by default null."""
        return {}

    @abstractmethod
    def reason(self, state: AnyState, /) -> str:
        """Why the entry before this state was worth what it was: “6-3: 12+3 = 15”; "" where there
        is nothing to say."""
        ...

    def ruling(self, _state: AnyState, /) -> str:
        """How the entry before this state closed a claim; "" where it closed none."""
        return ""

    def next_lead(self, lead: str, /) -> str:
        """Who leads next, in words: “next: Blue leads”."""
        return f"next: {lead} leads"

    @abstractmethod
    def draw(self, state: AnyState, paper: Paper, *, stand_alone: bool = True) -> str | None:
        """The table as SVG (drawing/svg.py); None where it can't be drawn."""
        ...

    def draw_proof(self, _state: AnyState, _paper: Paper, /) -> str | None:
        """What lay on the table when somebody did what they are called for, as SVG for a page; None
        where nobody is called."""
        return None

    # What follows is for one moment told as JSON (moment.py). `entry` led to `state`.

    @abstractmethod
    def said(self, entry: Entry, state: AnyState, now: AnyState | None = None, /) -> Json:
        """The entry in words, as far as it may be known `now` (None: at `state`): key, parts and
        words (sayings.py)."""
        ...

    def hides(self, _entry: Entry, _state: AnyState, _now: AnyState, /) -> bool:
        """Whether its text is kept back `now`, since it says what only some have seen."""
        return False

    @abstractmethod
    def why(self, entry: Entry, state: AnyState, /) -> Json | None:
        """Why it was worth what it was; None where there is nothing to say."""
        ...

    def spoils(self, _notice: Notice, _hand_number: int, _now: AnyState, /) -> bool:
        """Whether the notice of an entry of that hand is kept back `now`, unless the house rules
        otherwise."""
        return False

    def gives_away(self, _notice: Notice, _hand_number: int, _now: AnyState, /) -> bool:
        """Whether the notice of an entry of that hand says what only some have seen: it is kept
        back `now`, whatever the house rules say."""
        return False

    def notice_said(self, notice: Notice, _after: AnyState, /) -> Json:
        """The notice of the entry that led to the state `after`, in words."""
        return say(f"notice.{notice.kind.value}", **dict(notice.fields))

    def hand_said(self, _state: AnyState, hand: int, number: int, /) -> Json:
        """Which hand it is, and how many of its tiles are still to come."""
        return say(self.where, hand=hand, number=number)

    @abstractmethod
    def asked(self, game: Any, state: AnyState, /) -> Json:
        """What the record waits for while the game goes on."""
        ...

    @abstractmethod
    def moment_json(self, state: AnyState, /) -> Json:
        """Keys of the moment that every game has, null or empty by default: `boneyard`, `held` (by
        seat), `table`, `claim` and `ruling`."""
        ...


class PresentedGame(Protocol):
    """A game as far as people are told of it."""

    @property
    def rules(self) -> AnyGame:
        """What its entries do."""
        ...

    @property
    def presentation(self) -> GamePresentation:
        """What it has to say and to show of itself."""
        ...


PresentedGames = Mapping[str, PresentedGame]
"""By their names."""


def rules_of(games: PresentedGames) -> Mapping[str, AnyGame]:
    """The rules of each game."""
    return {name: game.rules for name, game in games.items()}
