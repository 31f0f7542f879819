"""The interface of a game: its entries and their effects, its state, and its rules.

An entry is something that the people at the table reported. Each kind of entry reads and writes its
own tally line. A game is a pure function. `start` returns the state before the first entry; `apply`
takes a state and an entry and returns the next state, or raises RuleError with a message that a
player understands. The state includes the entry's effect: points, payments, notices and the reason
for the points. States are values: nothing is ever changed in place, so any state can be kept,
compared and returned to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from companion.core.errors import EntryError, RuleError
from companion.core.seats import BySeat, Seat, Seats
from companion.core.values import dataclass, quick_to_replace
from companion.core.words import known_spelling, listed, phrase
from companion.games.chips import Chips, Exchange
from companion.games.house_rules import SET, Option, Options, Value

if TYPE_CHECKING:
    from fractions import Fraction


class Entry:
    """Something that people at the table reported. Subclasses are frozen dataclasses. `str(entry)`
    is its canonical tally line, and `parse` reads that line back to an equal entry.
    """

    words: ClassVar[tuple[str, ...]]
    """The words that introduce this entry in a tally; "" means any word that introduces no
    other."""
    tile_words: ClassVar[tuple[str, ...]] = ()
    """The words among its `words` that are tiles, in lower case; lists of words leave them out."""
    clauses: ClassVar[tuple[str, ...]] = ()
    """Further words that may follow in its line."""
    seat_first: ClassVar[bool] = True
    """Whether its line starts with a seat's name, followed by the word."""
    in_turn: ClassVar[bool] = False
    """Whether it is part of a seat's turn. If a forgotten earlier turn is inserted, the entry moves
    to another seat."""
    is_play: ClassVar[bool] = False
    """Whether it puts tiles on the table."""
    reveals_score: ClassVar[bool] = False
    """Whether it makes the score of the play before it known to the players."""
    cancels_score: ClassVar[bool] = False
    """Whether it cancels the score of the play before it."""
    deals: ClassVar[bool] = False
    """Whether it starts a new hand."""
    names_turn: ClassVar[bool] = False
    """Whether it names a turn of its hand by number; other entries may answer such an entry."""
    repeatable: ClassVar[bool] = False
    """Whether two equal lines may be two separate entries, because the second is still possible
    after the first."""

    seat_may_be_wrong: ClassVar[bool] = True
    """Whether it may name the wrong seat. False for a tile that goes back: only the seat that drew
    it can give it back."""

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        """Reads the entry from the words of a tally line; raises EntryError."""
        raise NotImplementedError

    @property
    def named_seat(self) -> Seat | None:
        """The seat at the beginning of the entry's line; None if the line begins with another
        word."""
        return getattr(self, "seat") if self.seat_first else None  # noqa: B009

    def of(self, seat: Seat) -> Self:
        """A copy of this entry for another seat; only for entries that name a seat first."""
        same: Any = self
        changed: Self = replace(same, seat=seat)
        return changed

    def with_turn(self, turn: int) -> Self:
        """A copy of this entry about turn `turn` of the hand; only for entries that name a turn."""
        same: Any = self
        changed: Self = replace(same, turn=turn)
        return changed


@dataclass(frozen=True, slots=True)
class Choice:
    """One meaning of an ambiguous entry. `entry`: the entry made unambiguous; `makes`: its result,
    of a type that each game defines."""

    entry: Entry
    makes: Any


class AmbiguousEntry(RuleError):
    """Raised for an entry with several meanings: the player has to choose one of the `choices`."""

    def __init__(self, template: str, /, choices: tuple[Choice, ...], **parts: object) -> None:
        super().__init__(template, **parts)
        self.choices = choices


class PaymentReason(StrEnum):
    """The reason for a payment. Each part of the rules that makes payments has its own subclass."""

    @property
    def is_for_play(self) -> bool:
        """Whether the payment is for a play itself, not for the end of a hand, a penalty or a
        correction."""
        return False

    @property
    def is_for_hand(self) -> bool:
        """Whether the payment is for the end of a hand."""
        return False

    @property
    def is_rare(self) -> bool:
        """Whether such a payment is rare enough to be a highlight, however few points it has."""
        return False


class NoticeKind(StrEnum):
    """The subject of a notice. Each part of the rules that gives notices has its own subclass."""


@dataclass(frozen=True, slots=True)
class Payment:
    """Points paid by `payer` to the seat `to`, capped at what the payer had left; `payer` is None
    if the points were only written down. Negative points were taken back. `owed`: the points before
    the cap, 0 if there was no cap."""

    payer: Seat | None
    to: Seat
    points: int
    why: PaymentReason
    exchange: Exchange | None = None
    owed: int = 0


@dataclass(frozen=True, slots=True)
class Notice:
    """Something doubtful or remarkable about the last entry; never an error."""

    kind: NoticeKind
    fields: tuple[tuple[str, object], ...] = ()

    @classmethod
    def of(cls, kind: NoticeKind, **fields: object) -> "Notice":
        """A notice with these fields, as in Notice.of(RoundNotice.COUNT_DOUBTFUL, seat="Red")."""
        return cls(kind, tuple(fields.items()))

    def __getitem__(self, name: str) -> object:
        return dict(self.fields)[name]


class Reason:
    """The reason for an entry's points, for the sentences about it. Each part that gives reasons
    has its own subclass."""

    __slots__ = ()


@quick_to_replace
class Effect(NamedTuple):
    """The effects of the last entry, for screens, the history and other programs. Effects that only
    one game has are on that game's board. (This is a named tuple because several are created for
    each entry.)

    `points`: the points that the rules give, before any cap; `payments`: the payments, after it."""

    hand: int = 0
    turn: int | None = None
    seat: Seat | None = None
    points: int = 0
    payments: tuple[Payment, ...] = ()
    notices: tuple[Notice, ...] = ()
    reason: Reason | None = None
    completed: Entry | None = None
    """The entry with its open parts filled in from the record; None if it had none."""
    about: int | None = None
    """The number of the turn that the entry is about, if it names a turn or answers an entry that
    does."""

    @property
    def play_points(self) -> int:
        """The points for a play itself, before a cap."""
        return sum(paid.owed or paid.points for paid in self.payments if paid.why.is_for_play)

    @property
    def hand_points(self) -> int:
        """The points for the end of a hand, before a cap; deductions don't count."""
        earned = (paid.owed or paid.points for paid in self.payments if paid.why.is_for_hand)
        return sum(points for points in earned if points > 0)


NO_EFFECT = Effect()


# ---------------------------------------------------------------- reading a tally line


def seat_named(word: str, seats: Seats) -> Seat:
    """The seat with that name; raises EntryError with a list of the seats."""
    word = known_spelling(word, seats)
    if word not in seats:
        raise EntryError(
            "{word} has no seat here: the seats are {seats}", word=word, seats=listed(seats)
        )
    return Seat(word)


def refuse_extra_words(line: list[str], length: int) -> None:
    """Raises EntryError if the line has more than `length` words."""
    if len(line) > length:
        raise EntryError(
            "too many words: what does “{rest}” mean here?", rest=" ".join(line[length:])
        )


# ---------------------------------------------------------------- results
# Whether typed-in scores can be the final scores of a game. Each check returns a sentence with the
# reason for its doubt, None if there is none.


FinalScores = Sequence["Fraction"]
"""The scores at the end, one for each side."""


def score_text(score: "Fraction") -> str:
    """The score as people write it."""
    return str(score) if score.denominator == 1 else f"{float(score):g}"


def not_whole(scores: FinalScores) -> str | None:
    """Returns a sentence about a score that isn't a whole number; None if all are."""
    wrong = next((one for one in scores if one.denominator != 1), None)
    return (
        None if wrong is None else phrase("{score} is not a whole number", score=score_text(wrong))
    )


def not_multiple_of_five(scores: FinalScores) -> str | None:
    """Returns a sentence about a score that isn't a multiple of five; None if all are."""
    wrong = next((one for one in scores if one % 5), None)
    return (
        None
        if wrong is None
        else phrase("{score} is not a multiple of five", score=score_text(wrong))
    )


def out_of_range(scores: FinalScores, least: int | None, most: int) -> str | None:
    """Returns a sentence about a score below `least` (None for no limit) or above `most`; None if
    all are in range."""
    for one in scores:
        if least is not None and one < least:
            return phrase("{score} is less than {least}", score=score_text(one), least=least)
        if one > most:
            return phrase("{score} is more than {most}", score=score_text(one), most=most)
    return None


def no_winner(
    scores: FinalScores, target: int, *, time_left: bool, several: bool = False
) -> str | None:
    """Returns why these scores can't be final, or None if they can. They can't be if no side has
    reached `target` although there was `time_left`, or if two sides have. With `several`, more than
    one side may have reached it, but they may not share the highest score."""
    best = max(scores)
    there = [one for one in scores if one >= target]
    if len(there) > 1 and (not several or there.count(best) > 1):
        return phrase("only one can win, and {many} have {target}", many=len(there), target=target)
    if not there and time_left:
        return phrase("nobody has {target}, and time is not up", target=target)
    return None


def games_of_match(scores: FinalScores, games: int, *, time_left: bool) -> str | None:
    """Returns a sentence about numbers of games won that are impossible in a match of `games`
    games; None if they are possible."""
    most = games // 2 + 1
    if doubt := not_whole(scores) or out_of_range(scores, 0, most):
        return doubt
    if sum(scores) > games:
        return phrase("a match has {most} games, not {many}", most=games, many=int(sum(scores)))
    return no_winner(scores, most, time_left=time_left) if sum(scores) < games else None


# ---------------------------------------------------------------- game

B = TypeVar("B")

RULES = 3
"""The version of the rules, which a game keeps to its end: entries accepted and payments made under
an older version stay. A release raises it if the same entries would have other results.

1: before 0.1.0 was released. 2: 0.1.0. 3: a call that names no caller is never the partner's; a
seat that shows the double blank alone holds a tile, so it isn't out; no tile goes back once a
ruling has ended the hand.
"""


@quick_to_replace
class State(NamedTuple, Generic[B]):
    """The state of a game, all of which follows from the entries."""

    seats: Seats
    options: Options
    board: B
    scores: BySeat[int]
    to_move: Seat | None = None
    winners: tuple[Seat, ...] = ()
    """The seats that have won, in seat order; several if they share the win."""
    ended: str | None = None
    effect: Effect = NO_EFFECT
    rules: int = RULES
    """The version of the rules by which the game is played."""
    sides: tuple[tuple[Seat, ...], ...] = ()
    """Partners, each side in seat order, who share their score. Empty if each seat plays for
    itself."""
    time_up: bool = False
    """Whether the entry `time up` was made: the hand being played is the last."""

    held_back: "State[B] | None" = None
    """The full state, if this state leaves out something that the players may not know yet;
    otherwise None."""
    held_longer: bool = False
    """Whether something was already hidden before the last entry. If not, at most the effects of
    the last entry are hidden."""

    @property
    def whole(self) -> "State[B]":
        """The full state, including what is held back from the players."""
        return self.held_back or self

    @property
    def as_shown(self) -> "State[B]":
        """This state without the full state behind it, so that trying an entry on it reveals
        nothing."""
        return self if self.held_back is None else self._replace(held_back=None, held_longer=False)

    @property
    def scorers(self) -> tuple[tuple[Seat, ...], ...]:
        """The groups of seats that share a score, in seat order: each side, or each seat alone."""
        return self.sides or tuple((seat,) for seat in self.seats)

    def side_of(self, seat: Seat) -> tuple[Seat, ...]:
        """The seat and its partner, in seat order; only the seat if it has none."""
        return next((side for side in self.sides if seat in side), (seat,))

    @property
    def winner(self) -> Seat | None:
        """The only seat that has won; None if there is no winner, or if several share the win, as
        partners do."""
        return self.winners[0] if len(self.winners) == 1 else None

    @property
    def winning_side(self) -> tuple[Seat, ...]:
        """The seat or the partners that have won alone; () if there is no winner, or if several
        sides share the win."""
        return self.winners if self.winners in self.scorers else ()

    @property
    def finished(self) -> bool:
        """Whether the game was won or ended."""
        return bool(self.winners) or self.ended is not None

    def with_payment(self, payment: Payment) -> "State[B]":
        """The state with one more payment for the last entry."""
        effect = self.effect
        return self._replace(effect=effect._replace(payments=(*effect.payments, payment)))

    def with_points(self, points: int) -> "State[B]":
        """The state with `points` added to the points that the rules give for the last entry."""
        effect = self.effect
        return self._replace(effect=effect._replace(points=effect.points + points))

    def scoring(self, seat: Seat, points: int, why: PaymentReason) -> "State[B]":
        """The state after the last entry has scored `points` for the side of `seat`. The points are
        written down, not paid by another seat. Unchanged for 0 points."""
        if not points:
            return self
        scores = self.scores
        for each in self.side_of(seat):
            scores = scores.put(each, scores[each] + points)
        scored = self._replace(scores=scores).with_points(points)
        return scored.with_payment(Payment(None, seat, points, why))

    def with_notices(self, *notices: Notice) -> "State[B]":
        """The state with more notices about the last entry."""
        if not notices:
            return self
        effect = self.effect
        return self._replace(effect=effect._replace(notices=(*effect.notices, *notices)))


class Game(Protocol[B]):
    """The rules of a game."""

    def __hash__(self) -> int:
        """Returns a hash by identity, because there is one object for each game."""
        ...

    @property
    def name(self) -> str:
        """The game's name in a tally."""
        ...

    @property
    def title(self) -> str:
        """The game's title on the screens."""
        ...

    @property
    def players(self) -> range:
        """The possible numbers of seats."""
        ...

    @property
    def clockwise(self) -> bool:
        """Whether turns pass to the left, clockwise as seen from above; otherwise to the right."""
        ...

    @property
    def options(self) -> tuple[Option, ...]:
        """The house rules of the game."""
        ...

    @property
    def entries(self) -> tuple[type[Entry], ...]:
        """The kinds of entries in the game."""
        ...

    def start(self, seats: Seats, options: Options) -> State[B]:
        """The state before the first entry, by today's rules; raises RuleError if the game can't be
        played with these options."""
        ...

    def apply(self, state: State[B], entry: Entry) -> State[B]:
        """The state after `entry`; raises RuleError, and never changes `state`."""
        ...

    def to_win(self, state: State[B], seat: Seat) -> int | None:
        """The points that `seat` still needs to win; None if the game has no target."""
        ...

    def chips(self, state: State[B]) -> Chips | None:
        """The chips of all seats; None in a game that isn't played for chips."""
        ...

    def doubt(self, scores: FinalScores, options: Options, time_left: bool, /) -> str | None:
        """Returns why these scores, one for each side, can't be the final ones of a game; None if
        they can. `time_left`: whether the time was certainly not up."""
        ...

    def next_lead(self, state: State[B]) -> str | None:
        """The leader of the next hand: a seat, or a word that the game defines. None while a hand
        is being played, and if no hand follows."""
        ...

    def after_loss(self, state: State[B], seat: Seat | None) -> State[B]:
        """The state after entries were lost. Later entries can still be applied to it, but nothing
        is proven from the missing ones. `seat`: the next seat to move, None if not known."""
        ...

    def state_before(self, state: State[B], entry: Entry) -> State[B]:
        """Returns a state in which `entry` may have been made, for the case that `state` refuses it
        only because earlier entries were lost. The returned state may refuse it as well."""
        ...


AnyGame = Game[Any]
AnyState = State[Any]


@lru_cache(maxsize=4096)
def parse_entry(text: str, game: AnyGame, seats: Seats) -> Entry:
    """Reads one tally line of a game; raises EntryError with the expected form."""
    line = text.split()
    if not line:
        raise EntryError("this entry is empty")
    line[0] = known_spelling(line[0], seats)
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
    known = ", ".join(name for name, kind in named.items() if name and name not in kind.tile_words)
    if seat_first:
        if "" in named:
            raise EntryError(
                "“{word}” is not an action of a seat: {known}, or a tile as in 5-6",
                word=word[:40],
                known=known,
            )
        raise EntryError(
            "“{word}” is not an action of a seat: {known}", word=word[:40], known=known
        )
    raise EntryError(
        "“{word}” is neither a seat ({seats}) nor one of: {known}",
        word=line[0][:40],
        seats=listed(seats),
        known=known,
    )


def settle_options(game: AnyGame, seats: int, given: Mapping[str, str]) -> dict[str, Value]:
    """The value of every option of the game: the `given` one, otherwise that of the chosen named
    set, otherwise the default. Raises EntryError for an unknown option or value, or a wrong number
    of seats."""
    known = {option.name: option for option in game.options}
    for name in given:
        if name not in known:
            if not known:
                raise EntryError("{game} has no options, so no {name}", game=game.title, name=name)
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
"""A function that applies an entry of one kind."""


def rule_for(game: Game[B], rules: Mapping[type[Entry], Rule[B]], entry: Entry) -> Rule[B]:
    """The game's rule for this entry; raises RuleError if it has none."""
    rule = rules.get(type(entry))
    if rule is None:
        raise RuleError("{game} has no “{word}”", game=game.title, word=entry.words[0])
    return rule
