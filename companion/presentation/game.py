"""The interface for presenting a game: its words, drawing, JSON and possible entries."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from companion.core.errors import SetupError
from companion.core.seats import Seat
from companion.core.values import Json
from companion.games.game import AnyGame, AnyState, Entry, Notice
from companion.presentation.keys import GameKeys
from companion.presentation.sayings import say

if TYPE_CHECKING:
    from companion.presentation.drawing.svg import Paper


class HandResult(NamedTuple):
    """The result of a hand; `winner` is None if nobody won it."""

    winner: Seat | None


class GamePresentation(Protocol):
    """The words, the drawing and the possible entries of one game. `state` is always a state of
    that game. A game without open ends, chips and calls of bogus play can use the default
    methods."""

    where_key: str
    """The key in sayings.py of the sentence with the hand and the tiles still to come."""
    keys: GameKeys
    """What can be entered now."""
    has_streaks: bool = True
    """Whether several scores in a row are worth mentioning; not in a game where nearly every play
    scores."""

    def game_json(self, _state: AnyState, /) -> Json:
        """Returns the keys that `replay --json` has only for this game; `stock` is null unless it
        is among them."""
        return {}

    def entry_json(self, _state: AnyState, _now: AnyState | None = None, /) -> Json:
        """Returns the JSON keys that this game adds to the entry before this state; `ends` and
        `count` are null unless they are among them. With `now`, leaves out what may not be known
        yet in that state."""
        return {}

    @abstractmethod
    def reason_text(self, state: AnyState, /) -> str:
        """Returns the reason for the points of the entry before this state, for the command line:
        “6-3: 12+3 = 15”; "" if there is none."""
        ...

    def ruling_text(self, _state: AnyState, /) -> str:
        """Returns how the entry before this state closed a claim, for the command line; "" if it
        closed none."""
        return ""

    def next_lead(self, lead: str, /) -> str:
        """Returns who leads the next hand, for the command line: “next: Blue leads”."""
        return f"next: {lead} leads"

    @abstractmethod
    def draw(self, state: AnyState, paper: "Paper", *, stand_alone: bool = True) -> str | None:
        """Returns the table as SVG; None if it can't be drawn. With `stand_alone` it is a complete
        file, otherwise part of a page."""
        ...

    def draw_proof(self, _state: AnyState, _paper: "Paper", /) -> str | None:
        """Returns the table at the disputed draw or pass, as SVG for a page; None without a
        claim."""
        return None

    def tiles_on_table(self, _state: AnyState, /) -> list[str]:
        """Returns the tiles of the line, higher half first: “6-3”. Raises SetupError if the game
        has no line, or a tile isn't in the record."""
        raise SetupError("this game has no line on the table")

    def judge_json(self, _state: AnyState, /) -> Json:
        """Returns the parts of an open claim that only a judge sees while the hand goes on:
        `holding`, the tiles or pips shown for it; `evidence`, the sentence that names tiles; and
        `turn`, “draw” or “pass”. Keys that the moment itself has are left out."""
        return {}

    # The methods below make the parts of a moment's JSON (moment.py). `entry` led to `state`.

    @abstractmethod
    def describe_entry(self, entry: Entry, state: AnyState, now: AnyState | None = None, /) -> Json:
        """Returns the entry as a sentence (sayings.py). With `now`, leaves out what may not be
        known yet in that state."""
        ...

    def hides_entry(self, _entry: Entry, _state: AnyState, _now: AnyState, /) -> bool:
        """Returns whether the entry's text is withheld `now`, because it shows what only some
        players have seen."""
        return False

    @abstractmethod
    def describe_reason(self, entry: Entry, state: AnyState, /) -> Json | None:
        """Returns the reason for the entry's points, as a sentence; None if there is none."""
        ...

    def is_spoiler(self, _notice: Notice, _hand_number: int, _now: AnyState, /) -> bool:
        """Returns whether a notice about that hand is withheld `now` so that players can notice it
        themselves. A house rule may show it anyway."""
        return False

    def reveals_holding(self, _notice: Notice, _hand_number: int, _now: AnyState, /) -> bool:
        """Returns whether a notice about that hand is withheld `now` because only some players have
        seen what it shows. No house rule overrides this."""
        return False

    def describe_notice(self, notice: Notice, _after: AnyState, /) -> Json:
        """Returns a notice of the entry before the state `after`, as a sentence."""
        return say(f"notice.{notice.kind.value}", **dict(notice.fields))

    def hand_result(self, _state: AnyState, /) -> HandResult | None:
        """Returns the result of the hand; None while it is being played, or if nobody wins hands in
        this game."""
        return None

    def describe_hand(self, _state: AnyState, hand: int, number: int, /) -> Json:
        """Returns the sentence with the hand's number and the `number` of tiles still to come."""
        return say(self.where_key, hand=hand, number=number)

    @abstractmethod
    def waits_for(self, game: Any, state: AnyState, /) -> Json:
        """Returns the sentence about the entry that the record waits for."""
        ...

    @abstractmethod
    def moment_json(self, state: AnyState, /) -> Json:
        """Returns the moment's keys `boneyard`, `held` (tiles by seat), `table`, `claim` and
        `ruling`. Keys that are left out become null or empty."""
        ...


class PresentedGame(Protocol):
    """A game's rules together with its presentation."""

    @property
    def rules(self) -> AnyGame: ...

    @property
    def presentation(self) -> GamePresentation: ...


PresentedGames = Mapping[str, PresentedGame]
"""The games by their names."""


def rules_of(games: PresentedGames) -> Mapping[str, AnyGame]:
    return {name: game.rules for name, game in games.items()}
