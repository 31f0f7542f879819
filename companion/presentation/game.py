"""The presentation of one game: what it shows in addition to what all games share."""

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
    """A hand that is over; `winner`: None if nobody won it."""

    winner: Seat | None


class GamePresentation(Protocol):
    """The words, the drawing and the possible entries of one game. `state` is always a state of
    that game. The methods with a body suffice for a game without open ends, chips and calls of
    bogus play."""

    where_key: str
    """The key of the sentence that says how many tiles are still to come (sayings.py)."""
    keys: GameKeys
    """What can be entered now."""
    has_streaks: bool = True
    """Whether scores in a row are remarkable: not where nearly every play scores."""

    def game_json(self, _state: AnyState, /) -> Json:
        """Returns the keys of `replay --json` that only this game has; without them `stock` is
        null."""
        return {}

    def entry_json(self, _state: AnyState, _now: AnyState | None = None, /) -> Json:
        """Returns JSON keys of the entry that led to this state; without them `ends` and `count`
        are null. With `now`, only what may be known at that state."""
        return {}

    @abstractmethod
    def reason_text(self, state: AnyState, /) -> str:
        """Returns why the entry before this state was worth its points, for the command line: “6-3:
        12+3 = 15”; "" if there is nothing to say."""
        ...

    def ruling_text(self, _state: AnyState, /) -> str:
        """Returns how the entry before this state closed a claim, for the command line; "" if it
        closed none."""
        return ""

    def next_lead(self, lead: str, /) -> str:
        """Returns “next: Blue leads”, for the command line."""
        return f"next: {lead} leads"

    @abstractmethod
    def draw(self, state: AnyState, paper: "Paper", *, stand_alone: bool = True) -> str | None:
        """Returns the table as SVG; None if it can't be drawn. With `stand_alone` it is a file of
        its own, else a part of a page."""
        ...

    def draw_proof(self, _state: AnyState, _paper: "Paper", /) -> str | None:
        """Returns the table at the draw or pass that a claim is about, as SVG for a page; None
        without a claim."""
        return None

    def tiles_on_table(self, _state: AnyState, /) -> list[str]:
        """Returns the tiles of the line, higher half first: “6-3”. Raises SetupError if the game
        has no line, or if the record doesn't have each tile of it."""
        raise SetupError("this game has no line on the table")

    def judge_json(self, _state: AnyState, /) -> Json:
        """Returns what only a judge sees of an open claim while its hand goes on: `holding`, the
        tiles or pips that were shown for it, and `evidence`, the sentence that names tiles; and
        `turn`, whether the turn in question was a “draw” or a “pass”. A key is left out if the
        moment itself has as much."""
        return {}

    # The methods below make the parts of a moment's JSON (moment.py). `entry` led to `state`.

    @abstractmethod
    def describe_entry(self, entry: Entry, state: AnyState, now: AnyState | None = None, /) -> Json:
        """Returns the entry as a sentence (sayings.py). With `now`, only what may be known at that
        state."""
        ...

    def hides_entry(self, _entry: Entry, _state: AnyState, _now: AnyState, /) -> bool:
        """Returns whether the entry's text is withheld `now`, because only some players have seen
        what it shows."""
        return False

    @abstractmethod
    def describe_reason(self, entry: Entry, state: AnyState, /) -> Json | None:
        """Returns why the entry was worth its points, as a sentence; None if there is nothing to
        say."""
        ...

    def is_spoiler(self, _notice: Notice, _hand_number: int, _now: AnyState, /) -> bool:
        """Returns whether a notice of an entry of that hand is withheld `now` because players are
        to notice it themselves. A house rule may show it anyway."""
        return False

    def reveals_holding(self, _notice: Notice, _hand_number: int, _now: AnyState, /) -> bool:
        """Returns whether a notice of an entry of that hand is withheld `now` because only some
        players have seen what it shows. No house rule shows it."""
        return False

    def describe_notice(self, notice: Notice, _after: AnyState, /) -> Json:
        """Returns a notice of the entry that led to the state `after`, as a sentence."""
        return say(f"notice.{notice.kind.value}", **dict(notice.fields))

    def hand_result(self, _state: AnyState, /) -> HandResult | None:
        """Returns how the hand ended; None while it is played, and if a game has no hands that
        somebody wins."""
        return None

    def describe_hand(self, _state: AnyState, hand: int, number: int, /) -> Json:
        """Returns the sentence with the hand's number and the `number` of tiles still to come."""
        return say(self.where_key, hand=hand, number=number)

    @abstractmethod
    def waits_for(self, game: Any, state: AnyState, /) -> Json:
        """Returns what the record waits for while the game goes on, as a sentence."""
        ...

    @abstractmethod
    def moment_json(self, state: AnyState, /) -> Json:
        """Returns the moment's keys `boneyard`, `held` (by seat), `table`, `claim` and `ruling`. A
        key that is left out is null or empty."""
        ...


class PresentedGame(Protocol):
    """A game's rules with its presentation."""

    @property
    def rules(self) -> AnyGame: ...

    @property
    def presentation(self) -> GamePresentation: ...


PresentedGames = Mapping[str, PresentedGame]
"""The games by their names."""


def rules_of(games: PresentedGames) -> Mapping[str, AnyGame]:
    return {name: game.rules for name, game in games.items()}
