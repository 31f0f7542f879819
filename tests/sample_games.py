"""Two simple games of the tests' own: the race, in which each seat scores in turn, and the pot,
into which each seat puts points. They show that a new game changes no file that games share, and
needs no part that only dominoes have."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, Protocol, Self

from companion.app.catalog import Bundle, Catalog
from companion.console.fonts import fitted
from companion.console.frame import WIDTH, Canvas
from companion.console.layout import KEYED_X
from companion.console.lists import Note
from companion.console.screen import (
    Actions,
    Calls,
    DigitScreen,
    Item,
    Outcome,
    Play,
    PlayableGames,
    Screen,
    View,
    keep,
    try_entry,
)
from companion.console.screens.changes import offer_undo
from companion.console.screens.game_over import GameOver
from companion.core.errors import EntryError, RuleError, whole_number
from companion.core.keys import Key
from companion.core.seats import BySeat, Seat, Seats, display_name
from companion.core.values import Json, dataclass
from companion.games.game import (
    AnyGame,
    AnyState,
    B,
    Effect,
    Entry,
    FinalScores,
    Payment,
    State,
    refuse_extra_words,
    seat_named,
)
from companion.games.house_rules import Option, Options, Value
from companion.players.statistics import Statistics
from companion.presentation.drawing.svg import Paper
from companion.presentation.game import GamePresentation
from companion.presentation.keys import Act, ExpectedEntry, GameKeys, OpenEntry
from companion.presentation.sayings import say

# ---------------------------------------------------------------- the rules of the race


@dataclass(frozen=True, slots=True)
class Scored(Entry):
    """`SEAT scores N`: 0 to 20 points."""

    words: ClassVar = ("scores",)
    in_turn: ClassVar = True
    seat: Seat
    points: int

    @classmethod
    def parse(cls, line: list[str], seats: Seats) -> Self:
        refuse_extra_words(line, 3)
        return cls(seat_named(line[0], seats), whole_number("".join(line[2:]), "scores"))

    def __str__(self) -> str:
        return f"{self.seat} scores {self.points}"


class Race:
    """The rules: each seat scores in turn; the first to reach the goal wins."""

    name, title, players = "race", "Race", range(2, 9)
    clockwise = True
    entries: tuple[type[Entry], ...] = (Scored,)
    options: tuple[Option, ...] = (
        Option.number("goal", "points to win", lambda _: 100, lambda _: range(50, 201, 50)),
    )

    def start(self, seats: Seats, options: Options) -> State[None]:
        return State(seats, options, None, BySeat.all(seats, 0), to_move=seats.order[0])

    def number_entry(self, state: State[None], number: int) -> Entry:
        if state.to_move is None or not 0 <= number <= 20:
            raise EntryError(f"{number} can't be scored: key 0 to 20")
        return Scored(state.to_move, number)

    def apply(self, state: State[None], entry: Entry) -> State[None]:
        if not isinstance(entry, Scored) or not 0 <= entry.points <= 20:
            raise RuleError(f"“{entry}” is not allowed: a turn scores 0 to 20")
        if entry.seat != state.to_move:
            raise RuleError(f"it is {state.to_move or 'nobody'}'s turn, not {entry.seat}'s")
        total = state.scores[entry.seat] + entry.points
        won = (entry.seat,) if self.to_win(state, entry.seat) <= entry.points else ()
        return state._replace(
            scores=state.scores.put(entry.seat, total),
            winners=won,
            to_move=None if won else state.seats.left_of(entry.seat),
            effect=Effect(1, (state.effect.turn or 0) + 1, entry.seat, points=entry.points),
        )

    def to_win(self, state: State[None], seat: Seat) -> int:
        return int(state.options["goal"]) - state.scores[seat]

    def chips(self, _state: State[None]) -> None:
        return None

    def doubt(self, _scores: FinalScores, _options: Options, _time_left: bool, /) -> str | None:
        return None

    def next_lead(self, state: State[None]) -> str | None:
        return None

    def after_loss(self, state: State[None], seat: Seat | None) -> State[None]:
        return state._replace(to_move=(state.to_move and seat) or state.to_move)

    def state_before(self, state: State[None], _entry: Entry) -> State[None]:
        return state


RACE = Race()
RACE_RULES: Mapping[str, AnyGame] = {"race": RACE}


# ---------------------------------------------------------------- turns that are a number


@dataclass(frozen=True, slots=True)
class NumberTurn(DigitScreen[B]):
    """A turn that is keyed as a number and OK; DRAW changes its sign. Shows whose turn it is and up
    to eight scores."""

    entry_of: Callable[[State[B], int], Entry]
    minus: bool = False

    shows_table: ClassVar = True
    most: ClassVar = 4

    @property
    def pending(self) -> bool:
        return bool(self.keyed) or self.minus

    def only_seat(self, view: View[B]) -> Seat | None:
        """Whose turn it is."""
        return view.state.to_move

    def sign(self, _view: View[B]) -> Outcome[B]:
        """DRAW changes the sign: points are taken away."""
        return Outcome(replace(self, minus=not self.minus))

    def accept(self, view: View[B]) -> Outcome[B]:
        """OK keeps the number."""
        if not self.keyed:
            return self.refuse("Key the number, then OK.")
        number = -self.number if self.minus else self.number
        try:
            entry = self.entry_of(view.state, number)
        except (EntryError, RuleError) as refused:
            return self.refuse(refused.why)
        after = try_entry(view, entry)
        if isinstance(after, RuleError):
            return self.refuse(after.why)
        return keep(entry)

    def back(self, view: View[B]) -> Outcome[B]:
        """BACK deletes a digit, or offers to undo the last entry."""
        if self.keyed or self.minus:
            return Outcome(
                replace(
                    self, keyed=self.keyed[:-1], minus=self.minus and bool(self.keyed), why_not=None
                )
            )
        return offer_undo(view, self)

    def key_bindings(self) -> Actions[B]:
        return {Key.OK: self.accept, Key.BACK: self.back, Key.DRAW: self.sign}

    def keys(self, _view: View[B]) -> tuple[Key, ...]:
        """Digits, OK, DRAW for the sign, BACK and MENU."""
        digits = (Key(str(digit)) for digit in self.digits)
        return (*digits, Key.OK, Key.DRAW, Key.BACK, Key.MENU)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Scores in two columns under the seat to move."""
        state = view.state
        mover = display_name(state.to_move) if state.to_move else "Between"
        canvas.text(0, 0, fitted(mover.upper(), WIDTH, "caps"), "caps")
        for number, (seat, points) in enumerate(state.scores.items()):
            x, y = number % 2 * 66, 16 + number // 2 * 8
            start = canvas.right(x + 60, y, str(points))
            canvas.text(x, y, fitted(display_name(seat), start - x - 3))
        canvas.text(0, 56, "points")
        sign = "-" if self.minus else ""
        canvas.text(KEYED_X, 48, f"{sign}{self.text}_", "caps")
        self.draw_why_not(canvas)


class NumberGame(Protocol[B]):
    """A game in which a turn is one number."""

    def number_entry(self, state: State[B], number: int, /) -> Entry:
        """The entry for a turn with this number. Raises EntryError or RuleError."""
        ...


class NumberPlay(Play[B]):
    """The screens of a NumberGame."""

    def __init__(self, rules: NumberGame[B]) -> None:
        self._rules = rules

    def screen(self, view: View[B]) -> Screen[B]:
        return GameOver() if view.state.finished else NumberTurn(self._rules.number_entry)


# ---------------------------------------------------------------- the race as a game of a catalog


@dataclass(frozen=True)
class Played:
    """A game as the console knows it, for tests that need only the console."""

    rules: AnyGame
    screens: Play[Any]


def nothing_asked(
    _game: AnyGame, _state: AnyState, _settings: Mapping[str, Value]
) -> ExpectedEntry:
    return ExpectedEntry()


def no_acts(_game: AnyGame, _state: AnyState, _settings: Mapping[str, Value]) -> tuple[Act, ...]:
    return ()


def as_said(_game: AnyGame, _state: AnyState, entry: Entry, _tapped: bool) -> OpenEntry:
    return OpenEntry(entry)


class RacePresentation(GamePresentation):
    """The race described as the tally writes it; it can't be drawn."""

    where_key = "where.boneyard"
    keys = GameKeys(nothing_asked, no_acts, as_said)

    def reason_text(self, _state: AnyState) -> str:
        return ""

    def draw(self, _state: AnyState, _paper: Paper, *, stand_alone: bool = True) -> None:
        return None

    def describe_entry(self, entry: Entry, _state: AnyState, _now: AnyState | None = None) -> Json:
        return say("entry.plain", text=str(entry))

    def describe_reason(self, _entry: Entry, _state: AnyState) -> None:
        return None

    def waits_for(self, _game: Any, state: AnyState) -> Json:
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


# ---------------------------------------------------------------- the pot


class Pot(NamedTuple):
    """The points in the pot."""

    points: int = 0


@dataclass(frozen=True, slots=True)
class Put(Entry):
    """`SEAT puts N`"""

    words: ClassVar = ("puts",)
    in_turn: ClassVar = True
    seat: Seat
    points: int

    @classmethod
    def parse(cls, line: list[str], seats: Seats) -> Self:
        refuse_extra_words(line, 3)
        return cls(seat_named(line[0], seats), whole_number("".join(line[2:]), "puts"))

    def __str__(self) -> str:
        return f"{self.seat} puts {self.points}"


class FillThePot:
    """The rules: forty points fill the pot."""

    name, title, players = "pot", "Fill the pot", range(2, 9)
    clockwise = True
    entries: tuple[type[Entry], ...] = (Put,)
    options: tuple[Option, ...] = ()

    def start(self, seats: Seats, options: Options) -> State[Pot]:
        return State(seats, options, Pot(), BySeat.all(seats, 0), to_move=seats.order[0])

    def number_entry(self, state: State[Pot], number: int) -> Entry:
        if state.to_move is None or not 0 <= number <= 9:
            raise EntryError(f"{number} is not 0 to 9")
        return Put(state.to_move, number)

    def apply(self, state: State[Pot], entry: Entry) -> State[Pot]:
        if not isinstance(entry, Put) or entry.seat != state.to_move:
            raise RuleError(f"it is {state.to_move or 'nobody'}'s turn")
        pot = Pot(state.board.points + entry.points)
        scores = state.scores.put(entry.seat, state.scores[entry.seat] + entry.points)
        most = max(scores.values)
        full = pot.points >= 40
        return state._replace(
            board=pot,
            scores=scores,
            winners=tuple(seat for seat in state.seats if full and scores[seat] == most),
            to_move=None if full else state.seats.left_of(entry.seat),
            effect=Effect(1, (state.effect.turn or 0) + 1, entry.seat, points=entry.points),
        )

    def to_win(self, state: State[Pot], seat: Seat) -> None:
        del state, seat

    def chips(self, _state: State[Pot]) -> None:
        return None

    def doubt(self, _scores: FinalScores, _options: Options, _time_left: bool, /) -> str | None:
        return None

    def next_lead(self, state: State[Pot]) -> None:
        del state

    def state_before(self, state: State[Pot], entry: Entry) -> State[Pot]:
        return state._replace(to_move=entry.named_seat)

    def after_loss(self, state: State[Pot], seat: Seat | None) -> State[Pot]:
        return state._replace(to_move=(state.to_move and seat) or state.to_move)


POT = FillThePot()


class PotCalls(Calls[Pot]):
    """Answers a call with the points in the pot."""

    def call(self, view: View[Pot], under: Screen[Pot], by: Seat | None) -> Outcome[Pot] | str:
        if by is not None:
            return "Look into the pot yourself."
        return Outcome(Note(f"{view.state.board.points} lie in the pot.", under))


class PotPlay(Play[Pot]):
    """The game's screens: the generic ones, with its own words, menu item, call and score strip."""

    calls = PotCalls()

    def screen(self, view: View[Pot]) -> Screen[Pot]:
        return GameOver() if view.state.finished else NumberTurn(POT.number_entry)

    def menu(self, view: View[Pot]) -> Mapping[int, Item[Pot]]:
        left = 40 - view.state.board.points
        mover = view.state.to_move
        if mover is None or left > 9:
            return {}
        return {4: (f"Fill it up: {left}", lambda _view, _menu: keep(Put(mover, left)))}

    def describe_entry(self, entry: Entry, state: State[Pot]) -> str:
        seat = display_name(entry.named_seat or "")
        return f"{seat} fills the pot" if state.finished else f"{seat} puts {state.effect.points}"

    def explain_points(self, entry: Entry, state: State[Pot], payment: Payment) -> str:
        return f"{payment.points} of {state.board.points}"

    def highlight(self, view: View[Pot]) -> str:
        return f"{view.state.board.points} in the pot"

    def draw_scores(self, view: View[Pot], canvas: Canvas) -> int:
        """Draws two seats a line, so that each name can be read."""
        for number, (seat, points) in enumerate(view.state.scores.items()):
            x, y = number % 2 * 66, 32 + number // 2 * 8
            start = canvas.right(x + 60, y, str(points))
            canvas.text(x, y, fitted(display_name(seat), start - x - 3))
        return 4


POT_GAMES: PlayableGames = {"pot": Played(POT, PotPlay())}
