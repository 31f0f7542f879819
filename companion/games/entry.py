"""Entries, their effects, and the entries that most games share.

An entry is something that the people at the table reported; each kind reads and writes its tally
line. Its effect is the result of applying the rules: points, payments, notices and the reason for
its worth. Shared entries that name tiles read double-six tiles; a game with another set has its
own.
"""

from dataclasses import replace
from enum import StrEnum
from typing import Any, ClassVar, Self

from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seat, Seats
from companion.core.values import dataclass
from companion.core.words import known_as, listed, phrase
from companion.games.chips import Exchange
from companion.games.tiles import DOUBLE_SIX, Tile, TileSet


class Entry:
    """Something that the people at the table reported. Subclasses are frozen dataclasses.

    `str(entry)` is its canonical tally line and `parse` reads that line back to an equal entry.
    """

    words: ClassVar[tuple[str, ...]]
    """The words that introduce this entry; "" means any word that is not another entry's."""
    tile_words: ClassVar[tuple[str, ...]] = ()
    """Those of its `words` that are tiles, in small letters; lists of words leave them out."""
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
    """Whether the same line, entered twice, may mean two entries, because the first leaves the
    second possible."""

    seat_may_be_wrong: ClassVar[bool] = True
    """Whether the entry may turn out to name the wrong seat. False for a tile that goes back: only
    the seat that drew it can give it back."""

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        """The entry from the words of a tally line; raises EntryError."""
        raise NotImplementedError

    @property
    def named_seat(self) -> Seat | None:
        """The seat that its line names first; None if the line begins with another word."""
        return getattr(self, "seat") if self.seat_first else None  # noqa: B009

    def of(self, seat: Seat) -> Self:
        """This entry for `seat` instead; only for an entry that names a seat first."""
        same: Any = self
        changed: Self = replace(same, seat=seat)
        return changed

    def with_turn(self, turn: int) -> Self:
        """This entry, naming turn number `turn` of its hand instead; only for an entry that names a
        turn."""
        same: Any = self
        changed: Self = replace(same, turn=turn)
        return changed


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to understand an ambiguous entry. `entry` is the same entry, made clear; `makes` is
    what it leads to, a value of the game's own kind."""

    entry: Entry
    makes: Any


class AmbiguousEntry(RuleError):
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
    """Something doubtful, or worth mentioning, about the last entry; never an error."""

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
    """What the last entry meant, for the screens, the history and other programs. The board of a
    game has what only that game needs.

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


# ---------------------------------------------------------------- reading a tally line
def seat_named(word: str, seats: Seats) -> Seat:
    """The seat of that name; raises EntryError that lists the seats."""
    word = known_as(word, seats)
    if word not in seats:
        raise EntryError(
            "{word} has no seat here: the seats are {seats}", word=word, seats=listed(seats)
        )
    return Seat(word)


def whole_number(word: str, what: str) -> int:
    """Reads a whole number, perhaps negative; raises EntryError, with a message that `what` needs
    one."""
    digits = word[1:] if word[:1] in "+-" else word
    if not (digits.isdecimal() and digits.isascii() and len(digits) < 7):
        raise EntryError(
            "{word} is not a number: {what} needs a whole number",
            word=word or phrase("nothing"),
            what=what,
        )
    return int(word)


def no_more(line: list[str], length: int) -> None:
    """Raises EntryError if the line has more than `length` words."""
    if len(line) > length:
        raise EntryError(
            "too many words: what does “{rest}” mean here?", rest=" ".join(line[length:])
        )


# ---------------------------------------------------------------- entries that games share
@dataclass(frozen=True, slots=True)
class Dealt(Entry):
    """`hand [lead SEAT]`: a new hand is dealt; `lead` names its leader if the rules don't."""

    words: ClassVar = ("hand",)
    seat_first: ClassVar = False
    deals: ClassVar = True
    lead: Seat | None = None

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        if len(line) == 1:
            return cls()
        if line[1].lower() != "lead" or len(line) < 3:
            raise EntryError("a new hand is written “hand” or “hand lead SEAT”")
        no_more(line, 3)
        return cls(seat_named(line[2], seats))

    def __str__(self) -> str:
        return f"hand lead {self.lead}" if self.lead else "hand"


class WordAlone(Entry):
    """An entry about the whole table whose line is one word."""

    seat_first: ClassVar = False

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        no_more(line, 1)
        return cls()

    def __str__(self) -> str:
        return self.words[0]


@dataclass(frozen=True, slots=True)
class Redealt(WordAlone):
    """`redeal`: nobody held a double; the deal is repeated."""

    words: ClassVar = ("redeal",)
    __str__ = WordAlone.__str__


@dataclass(frozen=True, slots=True)
class Drew(Entry):
    """`SEAT draw [N]`: drew N tiles from the boneyard, one after the other."""

    words: ClassVar = ("draw",)
    repeatable: ClassVar = True
    in_turn: ClassVar = True
    seat: Seat
    number: int = 1

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        no_more(line, 3)
        number = whole_number(line[2], "draw") if len(line) == 3 else 1
        if not 1 <= number <= len(DOUBLE_SIX):
            raise EntryError(
                "{number} tiles can't be drawn: 1 to {most}", number=number, most=len(DOUBLE_SIX)
            )
        return cls(seat_named(line[0], seats), number)

    def __str__(self) -> str:
        return f"{self.seat} draw" if self.number == 1 else f"{self.seat} draw {self.number}"


@dataclass(frozen=True, slots=True)
class TimeUp(WordAlone):
    """`time up`: the table or the club has announced that the time is up."""

    words: ClassVar = ("time",)

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        if [word.lower() for word in line] != ["time", "up"]:
            raise EntryError("that the time is up is written “time up”")
        return cls()

    def __str__(self) -> str:
        return "time up"


class SeatAlone(Entry):
    """An entry whose line is a seat and one word."""

    seat: Seat

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        no_more(line, 2)
        return cls(seat_named(line[0], seats))  # type: ignore[call-arg]

    def __str__(self) -> str:
        return f"{self.seat} {self.words[0]}"


@dataclass(frozen=True, slots=True)
class Passed(SeatAlone):
    """`SEAT pass`: passed its turn."""

    words: ClassVar = ("pass",)
    repeatable: ClassVar = True
    in_turn: ClassVar = True
    seat: Seat
    __str__ = SeatAlone.__str__


@dataclass(frozen=True, slots=True)
class WentOut(SeatAlone):
    """`SEAT out`: went out (dominoed)."""

    words: ClassVar = ("out",)
    seat: Seat
    __str__ = SeatAlone.__str__


@dataclass(frozen=True, slots=True)
class Blocked(WordAlone):
    """`blocked`: nobody can play."""

    words: ClassVar = ("blocked",)
    __str__ = WordAlone.__str__


@dataclass(frozen=True, slots=True)
class Held(Entry):
    """`SEAT holds A-B …`: the tiles that SEAT holds, as shown after an out or in a claim."""

    words: ClassVar = ("holds",)
    tile_set: ClassVar[TileSet] = DOUBLE_SIX
    seat: Seat
    tiles: tuple[Tile, ...] = ()

    @property
    def pips(self) -> int:
        return sum(tile.pips for tile in self.tiles)

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        tiles = tuple(cls.tile_set.parse(word) for word in line[2:])
        twice = [tile for tile in tiles if tiles.count(tile) > 1]
        if twice:
            raise EntryError("{tile} is written twice: a set has each tile once", tile=twice[0])
        return cls(seat_named(line[0], seats), tiles)

    def __str__(self) -> str:
        return " ".join([str(self.seat), "holds", *map(str, self.tiles)])


@dataclass(frozen=True, slots=True)
class HeldPips(Entry):
    """`SEAT pips N`: the tiles that SEAT holds as a number of pips, at most those of the whole
    set."""

    words: ClassVar = ("pips",)
    tile_set: ClassVar[TileSet] = DOUBLE_SIX
    seat: Seat
    pips: int

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        if len(line) != 3:
            raise EntryError("write the pips that are held as one number: SEAT pips N")
        pips = whole_number(line[2], "pips")
        if not 0 <= pips <= cls.tile_set.pips:
            raise EntryError(
                "{pips} pips can't be held: the whole set has {most}",
                pips=pips,
                most=cls.tile_set.pips,
            )
        return cls(seat_named(line[0], seats), pips)

    def __str__(self) -> str:
        return f"{self.seat} pips {self.pips}"


@dataclass(frozen=True, slots=True)
class PipsTogether(Entry):
    """`pips N`: the total of all pips that count at the end of a hand in which somebody went out;
    in a call, of all that are not on the table."""

    words: ClassVar = HeldPips.words
    seat_first: ClassVar = False
    pips: int

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        no_more(line, 2)
        pips = whole_number("".join(line[1:]), "pips")
        if not 0 <= pips <= DOUBLE_SIX.pips:
            raise EntryError(
                "{pips} pips can't be held: the whole set has {most}",
                pips=pips,
                most=DOUBLE_SIX.pips,
            )
        return cls(pips)

    def __str__(self) -> str:
        return f"pips {self.pips}"


@dataclass(frozen=True, slots=True)
class Ended(Entry):
    """`end reason…`: the game ends unfinished."""

    words: ClassVar = ("end",)
    seat_first: ClassVar = False
    reason: str = ""

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        return cls(" ".join(line[1:]))

    def __str__(self) -> str:
        return f"end {self.reason}".rstrip()
