"""The presentation of one game: what it shows in addition to what all games share, and the words
that several games share."""

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


from companion.games.entries import (
    Blocked,
    Dealt,
    Ended,
    Held,
    HeldPips,
    Passed,
    PipsTogether,
    WentOut,
)
from companion.presentation.sayings import short


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
        tiles or pips that were shown for it, and `evidence`, the sentence that names tiles. A key
        is left out if the moment itself has as much."""
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


# ---------------------------------------------------------------- sentences of several games


def describe_common_entry(entry: Entry) -> Json:
    """Returns an entry that several games have as a sentence; any other as the tally writes it."""
    match entry:
        case Dealt(lead=None):
            return say("entry.dealt")
        case Dealt():
            return say("entry.dealt-lead", seat=entry.lead)
        case Passed():
            return say("entry.passes", seat=entry.seat)
        case WentOut():
            return say("entry.out", seat=entry.seat)
        case Blocked():
            return say("entry.blocked")
        case HeldPips():
            one = "entry.shows-pip" if entry.pips == 1 else "entry.shows-pips"
            return say(one, seat=entry.seat, pips=entry.pips)
        case Held(tiles=()):
            return say("entry.shows-none", seat=entry.seat)
        case Held():
            return say("entry.shows", seat=entry.seat, tiles=entry.tiles)
        case PipsTogether():
            return say("entry.pips-together", pips=entry.pips)
        case Ended(reason=""):
            return say("entry.ends")
        case Ended():
            return say("entry.ends-reason", reason=entry.reason)
    return say("entry.plain", text=str(entry))


def common_waits_for(game: AnyGame, state: AnyState, *, begun: bool) -> Json:
    """Returns what the record waits for in any game, as a sentence. `begun`: a hand was dealt."""
    if not begun:
        return say("asks.deal-first")
    if lead := game.next_lead(state):
        return say("asks.deal-lead", seat=lead)
    if state.to_move:
        return say("asks.turn", seat=state.to_move)
    return say("asks.lead-any")


# ---------------------------------------------------------------- short words of several games


def without_seat(entry: Entry) -> str:
    """Returns an entry as the tally writes it, without the seat at its beginning."""
    text, seat = str(entry), entry.named_seat
    return text.removeprefix(f"{seat} ") if seat else text


def common_entry_in_short(entry: Entry) -> str:
    """Returns an entry of any game for a small display: the seat's name, and the tally's text."""
    seat = entry.named_seat
    if seat is None:
        return short("plain", text=str(entry))
    return short("entry", seat=seat, text=without_seat(entry))


def number_in_short(number: int, of: str) -> str:
    """Returns “1 point” or “3 points”. `of`: the key of the singular, such as “point”."""
    return short(of if number == 1 else f"{of}s", number=number)
