"""What an entry is, and what it meant: its effect, with payments, notices and the reason for its
worth."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar, Self

from companion.core.errors import RuleError
from companion.core.seats import Seat, Seats
from companion.games.chips import Exchange


class Entry:
    """What the people at the table said happened. Subclasses are frozen dataclasses.

    `str(entry)` is its canonical tally line and `parse` reads that line back to an equal entry.
    """

    words: ClassVar[tuple[str, ...]]
    """The words that introduce this entry; "" stands for any word that no other entry claims."""
    tile_words: ClassVar[tuple[str, ...]] = ()
    """Those of its `words` that are tiles, in small letters: no list of words names them."""
    clauses: ClassVar[tuple[str, ...]] = ()
    """Words that may stand later in its line."""
    seat_first: ClassVar[bool] = True
    """Whether its line starts with a seat's name, the word coming second."""
    in_turn: ClassVar[bool] = False
    """Whether a seat does this in its turn. If a forgotten earlier turn is put in, the entry then
    becomes another seat's."""
    deals: ClassVar[bool] = False
    """Whether a new hand begins with it."""
    names_turn: ClassVar[bool] = False
    """Whether it names one turn of its hand by number, and other entries may answer it."""
    repeatable: ClassVar[bool] = False
    """Whether the same line, said twice, may mean two entries, because the first leaves the second
    possible."""

    may_be_anothers: ClassVar[bool] = True
    """Whether the entry may turn out to name the wrong seat. False for a tile that goes back: only
    the seat that drew it can give it back."""

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        """The entry from the words of a tally line; raises EntryError."""
        raise NotImplementedError

    @property
    def said_by(self) -> Seat | None:
        """The seat that its line names first; None if the line begins with another word."""
        return getattr(self, "seat") if self.seat_first else None  # noqa: B009

    def of(self, seat: Seat) -> Self:
        """This entry, said of `seat` instead; only for an entry that names a seat first."""
        same: Any = self
        changed: Self = replace(same, seat=seat)
        return changed

    def naming(self, turn: int) -> Self:
        """This entry, naming turn number `turn` of its hand instead; only for an entry that names a
        turn."""
        same: Any = self
        changed: Self = replace(same, turn=turn)
        return changed


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to understand an entry that was not clear. `entry` is the same entry said clearly;
    `makes` is what it leads to, a value of the game's own kind."""

    entry: Entry
    makes: Any


class Unclear(RuleError):
    """The entry can mean several things, and the record must know which; `choices` lists them."""

    def __init__(self, template: str, /, choices: tuple[Choice, ...], **parts: object) -> None:
        super().__init__(template, **parts)
        self.choices = choices


# ---------------------------------------------------------------- what an entry meant


class Why(StrEnum):
    """What a payment is for. Each part of the rules that makes payments has its own subclass."""


class NoticeKind(StrEnum):
    """What a notice is about. Each part of the rules that gives notices has its own subclass."""


@dataclass(frozen=True, slots=True)
class Payment:
    """Points that went from `payer` (None: from nobody) to the seat `to`, after the cap. Negative
    points were taken back. `owed`: the points before the cap; 0: nothing was capped."""

    payer: Seat | None
    to: Seat
    points: int
    why: Why
    exchange: Exchange | None = None
    owed: int = 0


@dataclass(frozen=True, slots=True)
class Notice:
    """Something doubtful, or worth saying, about the last entry; never an error."""

    kind: NoticeKind
    fields: tuple[tuple[str, object], ...] = ()

    @classmethod
    def of(cls, kind: NoticeKind, **fields: object) -> "Notice":
        """A notice with these fields, as in Notice.of(RoundNotice.COUNT_DOUBTFUL, seat="Red")."""
        return cls(kind, tuple(fields.items()))

    def __getitem__(self, name: str) -> object:
        return dict(self.fields)[name]


class Reason:
    """Why an entry was worth what it was, for the sentences about it. Each part that gives a reason
    has its own subclass."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """What the last entry meant in any game, for the screens, the history and other programs. What
    it meant in one game only is on that game's board.

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
    """The entry with what it left open filled in from the record; None if nothing had to be filled
    in."""
    about: int | None = None
    """The number of the turn that the entry is about, if it names a turn or answers an entry that
    does."""


NO_EFFECT = Effect()
