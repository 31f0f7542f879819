"""The presentation of one game: what it shows besides what all games have in common, and the words
that several games share."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from companion.core.errors import SetupError
from companion.core.values import Json
from companion.games.entry import Entry, Notice
from companion.games.game import AnyGame, AnyState
from companion.presentation.keys import GameKeys
from companion.presentation.sayings import say

if TYPE_CHECKING:
    from companion.presentation.drawing.svg import Paper


from companion.games.entry import (
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


class GamePresentation(Protocol):
    """A game's own words, its drawing, and what can be keyed. `state` is always a state of that
    game. The methods with a body here suffice for a game without open ends, chips and claims."""

    where_key: str
    """The key of the sentence that says how many tiles are still to come (sayings.py)."""
    keys: GameKeys
    """What can be keyed now."""

    def game_json(self, _state: AnyState, /) -> Json:
        """Keys of `replay --json` besides those that every game has; without it `stock` is null."""
        return {}

    def entry_json(self, _state: AnyState, _now: AnyState | None = None, /) -> Json:
        """JSON keys of the entry that led to this state, as far as they may be known `now` (None:
        all of them); without them `ends` and `count` are null."""
        return {}

    @abstractmethod
    def reason_text(self, state: AnyState, /) -> str:
        """Why the entry before this state was worth what it was: “6-3: 12+3 = 15”; "" if there is
        nothing to say."""
        ...

    def ruling_text(self, _state: AnyState, /) -> str:
        """How the entry before this state closed a claim; "" if it closed none."""
        return ""

    def next_lead(self, lead: str, /) -> str:
        """The sentence about who leads next: “next: Blue leads”."""
        return f"next: {lead} leads"

    @abstractmethod
    def draw(self, state: AnyState, paper: "Paper", *, stand_alone: bool = True) -> str | None:
        """The table as SVG (drawing/svg.py); None if it can't be drawn."""
        ...

    def draw_proof(self, _state: AnyState, _paper: "Paper", /) -> str | None:
        """The table as it was at the draw or pass that a claim is about, as SVG for a page; None if
        there is no claim."""
        return None

    def tiles_on_table(self, _state: AnyState, /) -> list[str]:
        """The tiles of the line on the table, each by its higher half first: “6-3”. Raises
        SetupError if the game has no line, or if the record doesn't tell each tile of it."""
        raise SetupError("this game has no line on the table")

    def judge_json(self, _state: AnyState, /) -> Json:
        """What only a judge sees of an open claim while its hand goes on: `holding`, the tiles that
        were shown for it or their pips, and `evidence`, the reason in words that names tiles. A key
        is left out if the moment itself says as much; without a claim both are left out."""
        return {}

    # The methods below make the parts of a moment's JSON (moment.py). `entry` led to `state`.

    @abstractmethod
    def describe_entry(self, entry: Entry, state: AnyState, now: AnyState | None = None, /) -> Json:
        """The entry in words, as far as they may be known `now` (None: at `state`), as JSON with
        key, parts and words (sayings.py)."""
        ...

    def hides_entry(self, _entry: Entry, _state: AnyState, _now: AnyState, /) -> bool:
        """Whether the entry's text is kept back `now` because it says what only some players have
        seen."""
        return False

    @abstractmethod
    def describe_reason(self, entry: Entry, state: AnyState, /) -> Json | None:
        """Why the entry was worth its points, in words; None if there is nothing to say."""
        ...

    def is_spoiler(self, _notice: Notice, _hand_number: int, _now: AnyState, /) -> bool:
        """Whether a notice of an entry of that hand is kept back `now` unless the house's settings
        show it: players are to notice it themselves."""
        return False

    def reveals_holding(self, _notice: Notice, _hand_number: int, _now: AnyState, /) -> bool:
        """Whether a notice of an entry of that hand says what only some players have seen, so that
        it is kept back `now`, whatever the house's settings are."""
        return False

    def describe_notice(self, notice: Notice, _after: AnyState, /) -> Json:
        """A notice of the entry that led to the state `after`, in words."""
        return say(f"notice.{notice.kind.value}", **dict(notice.fields))

    def describe_hand(self, _state: AnyState, hand: int, number: int, /) -> Json:
        """The sentence that says which hand it is, and that `number` tiles are still to come."""
        return say(self.where_key, hand=hand, number=number)

    @abstractmethod
    def waits_for(self, game: Any, state: AnyState, /) -> Json:
        """What the record waits for while the game goes on, in words."""
        ...

    @abstractmethod
    def moment_json(self, state: AnyState, /) -> Json:
        """The moment's JSON keys `boneyard`, `held` (by seat), `table`, `claim` and `ruling`. A key
        that is left out is null or empty."""
        ...


class PresentedGame(Protocol):
    """A game's rules, with how it is presented."""

    @property
    def rules(self) -> AnyGame:
        """The game's rules: what its entries do."""
        ...

    @property
    def presentation(self) -> GamePresentation:
        """The game's words, drawing and keys."""
        ...


PresentedGames = Mapping[str, PresentedGame]
"""The games by their names."""


def rules_of(games: PresentedGames) -> Mapping[str, AnyGame]:
    """The rules of each game."""
    return {name: game.rules for name, game in games.items()}


# ---------------------------------------------------------------- sentences of several games


def describe_common_entry(entry: Entry) -> Json:
    """An entry that several games have, as somebody at the table would say it. Others as the tally
    writes them."""
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
    """The sentence about what the record waits for, in any game; `begun`: a hand was dealt."""
    if not begun:
        return say("asks.deal-first")
    if lead := game.next_lead(state):
        return say("asks.deal-lead", seat=lead)
    if state.to_move:
        return say("asks.turn", seat=state.to_move)
    return say("asks.lead-any")


# ---------------------------------------------------------------- short words of several games


def without_seat(entry: Entry) -> str:
    """An entry as the tally writes it, without the seat that it starts with."""
    text, seat = str(entry), entry.named_seat
    return text.removeprefix(f"{seat} ") if seat else text


def common_entry_in_short(entry: Entry) -> str:
    """An entry of any game, beginning with its seat's name."""
    seat = entry.named_seat
    if seat is None:
        return short("plain", text=str(entry))
    return short("entry", seat=seat, text=without_seat(entry))


def number_in_short(number: int, of: str) -> str:
    """A number of things in words: “1 point”, “3 points”. `of`: the key of one of them."""
    return short(of if number == 1 else f"{of}s", number=number)
