"""What a game is, and what all games share: options, entries, states and what an entry meant.

A game is a pure function. `start` gives the state before the first entry, `apply` takes a state and
an entry and gives the next state, or raises RuleError with words that a player understands. States
are values: nothing is ever changed in place, so any state can be kept, compared and gone back to.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from companion.core.errors import EntryError, RuleError
from companion.core.seats import BySeat, Seat, Seats
from companion.games.chips import Chips, Exchange
from companion.games.options import SET, Option, Options, Value

B = TypeVar("B")

RULES = 2
"""The version of the rules, which a game keeps from its beginning to its end: what was accepted and
paid under older ones stays so. Raised where the same entries would come to something else.

1: before 0.1.0 was released. 2: 0.1.0.
"""


# ---------------------------------------------------------------- entries


class Entry:
    """What the people at the table said happened. Subclasses are frozen dataclasses.

    `str(entry)` is its canonical tally line and `parse` reads that line back to an equal entry.
    """

    words: ClassVar[tuple[str, ...]]
    """The words that introduce this entry; "" stands for any word that no other entry claims."""
    clauses: ClassVar[tuple[str, ...]] = ()
    """Words that stand further behind in its line."""
    seat_first: ClassVar[bool] = True
    """Whether its line starts with a seat's name, the word coming second."""
    in_turn: ClassVar[bool] = False
    """Whether a seat does this in its turn: where a turn was forgotten, another seat did it."""
    deals: ClassVar[bool] = False
    """Whether a new hand begins with it."""
    names_turn: ClassVar[bool] = False
    """Whether this is about one turn of its hand, by its number, and may be answered."""
    repeatable: ClassVar[bool] = False
    """Whether this may be said twice and mean two entries, nothing being used up by the first."""

    may_be_anothers: ClassVar[bool] = True
    """Whether the entry may name the wrong seat: not where that seat's tile goes back."""

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        """From the words of a tally line; raises EntryError."""
        raise NotImplementedError

    @property
    def said_by(self) -> Seat | None:
        """The seat that its line names first."""
        return getattr(self, "seat") if self.seat_first else None  # noqa: B009

    def of(self, seat: Seat) -> Self:
        """This entry said of another seat; only for an entry that names a seat first."""
        same: Any = self
        changed: Self = replace(same, seat=seat)
        return changed

    def naming(self, turn: int) -> Self:
        """This entry about that turn of its hand; only for an entry that names a turn."""
        same: Any = self
        changed: Self = replace(same, turn=turn)
        return changed


@lru_cache(maxsize=4096)
def parse_entry(text: str, game: "Game[Any]", seats: Seats) -> Entry:
    """Reads one tally line of a game; raises EntryError that says what was expected."""
    line = text.split()
    if not line:
        raise EntryError("nothing is written here")
    seat_first = line[0] in seats
    word = "".join(line[1:2] if seat_first else line[:1]).lower()
    named: dict[str, type[Entry]] = {
        name: kind for kind in game.entries if kind.seat_first == seat_first for name in kind.words
    }
    kind = named.get(word)
    if kind is None and (not word or any(map(str.isdigit, word))):
        kind = named.get("")
    if kind is not None:
        return kind.parse(line, seats)
    known = ", ".join(name for name in named if name)
    if seat_first:
        if "" in named:
            raise EntryError(
                "“{word}” is not something that a seat does: {known}, or a tile as in 5-6",
                word=word[:40],
                known=known,
            )
        raise EntryError(
            "“{word}” is not something that a seat does: {known}", word=word[:40], known=known
        )
    raise EntryError(
        "“{word}” is neither a seat ({seats}) nor one of: {known}",
        word=line[0][:40],
        seats=", ".join(seats),
        known=known,
    )


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to understand an entry that was not clear: the entry that says it clearly, and what
    that makes, a value of the game's own."""

    entry: Entry
    makes: Any


class Unclear(RuleError):
    """The entry can mean several things that differ in what must be known; `choices` lists them."""

    def __init__(self, template: str, /, choices: tuple[Choice, ...], **parts: object) -> None:
        super().__init__(template, **parts)
        self.choices = choices


# ---------------------------------------------------------------- what an entry meant


class Why(StrEnum):
    """What a payment is for. Each part that pays has its own kinds."""


class NoticeKind(StrEnum):
    """What a notice is about. Each part that gives notice has its own kinds."""


@dataclass(frozen=True, slots=True)
class Payment:
    """Points that went from one seat to another after the cap; negative: taken back."""

    payer: Seat | None
    to: Seat
    points: int
    why: Why
    exchange: Exchange | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something doubtful, or worth saying, about the last entry; never an error."""

    kind: NoticeKind
    fields: tuple[tuple[str, object], ...] = ()

    @classmethod
    def of(cls, kind: NoticeKind, **fields: object) -> "Notice":
        """Notice.of(RoundNotice.COUNT_DOUBTFUL, seat="Red")"""
        return cls(kind, tuple(fields.items()))

    def __getitem__(self, name: str) -> object:
        return dict(self.fields)[name]


class Reason:
    """Why an entry was worth what it was, to be put in words; each part that says so has its own
    kind of value."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """What the last entry meant in any game, for the screens, the history and other programs. What
    it meant in one game alone lies on that game's board.

    `points` is what the rules gave; `payments` what was paid after the cap.
    """

    hand: int = 0
    turn: int | None = None
    seat: Seat | None = None
    points: int = 0
    payments: tuple[Payment, ...] = ()
    notices: tuple[Notice, ...] = ()
    reason: Reason | None = None
    said: Entry | None = None
    """The entry with all that it left open and the record knows; None: as it was said."""
    about: int | None = None
    """The number of the turn that the entry is about: of an entry that names one, and of those that
    answer it."""


NO_EFFECT = Effect()


# ---------------------------------------------------------------- states and games


class State(NamedTuple, Generic[B]):
    """Where a game stands. Everything in it follows from the entries."""

    seats: Seats
    options: Options
    board: B
    scores: BySeat[int]
    to_move: Seat | None = None
    winners: tuple[Seat, ...] = ()
    """Who has won, in seat order: several where they share the win."""
    ended: str | None = None
    effect: Effect = NO_EFFECT
    rules: int = RULES
    """The version of the rules by which the game is played."""
    sides: tuple[tuple[Seat, ...], ...] = ()
    """Partners, each side in seat order: what one scores, its whole side scores. Empty: each seat
    plays for itself."""
    time_up: bool = False
    """Somebody has said that the time is up: the hand that is being played is the last."""

    held_back: "State[B] | None" = None
    """The whole state, where people may not know all of it yet: this one is what they may."""

    @property
    def whole(self) -> "State[B]":
        """All that the rules know, also what people may not know yet."""
        return self.held_back or self

    @property
    def as_shown(self) -> "State[B]":
        """The state as if nothing were known but what people may know: what is tried here gives
        nothing else away."""
        return self if self.held_back is None else self._replace(held_back=None)

    @property
    def scorers(self) -> tuple[tuple[Seat, ...], ...]:
        """Who has one score: each side, or each seat alone; in seat order."""
        return self.sides or tuple((seat,) for seat in self.seats)

    def side_of(self, seat: Seat) -> tuple[Seat, ...]:
        """The seat with its partner, in seat order; the seat alone where nobody has one."""
        return next((side for side in self.sides if seat in side), (seat,))

    @property
    def winner(self) -> Seat | None:
        """The one who has won; None while nobody has, and where several share the win, as partners
        do."""
        return self.winners[0] if len(self.winners) == 1 else None

    @property
    def winning_side(self) -> tuple[Seat, ...]:
        """The seat or the partners who have won alone; () while nobody has won, or where several
        sides share the win."""
        return self.winners if self.winners in self.scorers else ()

    @property
    def finished(self) -> bool:
        """Whether somebody has won, or the game was ended."""
        return bool(self.winners) or self.ended is not None

    def paying(self, payment: Payment) -> "State[B]":
        """The state with one more payment by the last entry."""
        payments = (*self.effect.payments, payment)
        return self._replace(effect=replace(self.effect, payments=payments))

    def worth(self, points: int) -> "State[B]":
        """The state with these points added to what the last entry was worth by the rules."""
        return self._replace(effect=replace(self.effect, points=self.effect.points + points))

    def scoring(self, seat: Seat, points: int, why: Why) -> "State[B]":
        """The state with so many points more for the side of `seat` by the last entry, from nobody;
        0 is not written down."""
        if not points:
            return self
        scores = self.scores
        for each in self.side_of(seat):
            scores = scores.put(each, scores[each] + points)
        scored = self._replace(scores=scores).worth(points)
        return scored.paying(Payment(None, seat, points, why))

    def noticing(self, *notices: Notice) -> "State[B]":
        """The state with more notices of the last entry."""
        all_notices = (*self.effect.notices, *notices)
        return self._replace(effect=replace(self.effect, notices=all_notices)) if notices else self


class Game(Protocol[B]):
    """The rules of a game: one small file that gives these."""

    def __hash__(self) -> int:
        """The hash of the object: there is one of each game."""
        ...

    @property
    def name(self) -> str:
        """The game's name, as the tally writes it."""
        ...

    @property
    def title(self) -> str:
        """The game's title, as the screens show it."""
        ...

    @property
    def players(self) -> range:
        """How many seats may play."""
        ...

    @property
    def options(self) -> tuple[Option, ...]:
        """The house rules of the game."""
        ...

    @property
    def entries(self) -> tuple[type[Entry], ...]:
        """The kinds of entries that the game has."""
        ...

    def start(self, seats: Seats, options: Options) -> State[B]:
        """The state before the first entry, by today's rules; raises RuleError if it can't be
        played so."""
        ...

    def apply(self, state: State[B], entry: Entry) -> State[B]:
        """The state after `entry`; raises RuleError, and leaves `state` as it was."""
        ...

    def to_win(self, state: State[B], seat: Seat) -> int | None:
        """Points that `seat` still needs to win; None where the game has no target."""
        ...

    def chips(self, state: State[B]) -> Chips | None:
        """The chips; None in a game that isn't paid in them."""
        ...

    def next_lead(self, state: State[B]) -> str | None:
        """Who leads the next hand: a seat, or words of the game's own; None while a hand is played,
        and where nobody is to."""
        ...

    def after_loss(self, state: State[B], seat: Seat | None) -> State[B]:
        """Where the game stands after entries that are lost: it counts on, nothing is proven from
        what is missing, and `seat`, who comes next as far as is known, may be to move."""
        ...

    def led_up_to(self, state: State[B], entry: Entry) -> State[B]:
        """Where the game may have stood at `entry`, which was made before anybody knew that entries
        before it are lost, and which `state` refuses; it may go on refusing it."""
        ...


AnyGame = Game[Any]
AnyState = State[Any]


def settle_options(game: AnyGame, seats: int, given: Mapping[str, str]) -> dict[str, Value]:
    """Every option of the game, those not given as the named set has them that is chosen, or at
    their default; raises EntryError."""
    known = {option.name: option for option in game.options}
    for name in given:
        if name not in known:
            if not known:
                raise EntryError(
                    "{game} has no option {name}, and no other", game=game.title, name=name
                )
            raise EntryError(
                "{game} has no option {name}: it has {names}",
                game=game.title,
                name=name,
                names=", ".join(known),
            )
    if seats not in game.players:
        raise EntryError(
            "{game} is for {first} to {last} players, not {seats}",
            game=game.title,
            first=game.players[0],
            last=game.players[-1],
            seats=seats,
        )
    in_set = known[SET].read(given[SET], seats) if SET in given else None
    return {
        name: option.read(given[name], seats) if name in given else option.usual(seats, in_set)
        for name, option in known.items()
    }


Rule = Callable[[State[B], Any], State[B]]
"""What an entry of one kind does."""


def rule_for(game: Game[B], rules: Mapping[type[Entry], Rule[B]], entry: Entry) -> Rule[B]:
    """The rule that this entry follows by the game's own table; raises RuleError."""
    rule = rules.get(type(entry))
    if rule is None:
        raise RuleError("{game} has no “{word}”", game=game.title, word=entry.words[0])
    return rule
