"""The rows of the record: everything that is ever written down.

Rows are only added, never changed or removed. Folding a game's rows in order (journal.py) gives
the game as it stands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.core.errors import EntryError
from companion.core.seats import BySeat, Seat, Seats, chip_colours
from companion.games.game import RULES, Entry
from companion.games.options import Value

COLOURS_WORD = "colours"
"""The header word that tells the colours of the seats' chips, in turn order."""


MATCH_WORD, WON_WORD = "match", "match-won"
"""The header words that tell which game of how many it is, and how many of them each seat had won
before it, in turn order: `match 2 of 3`, `match-won 1 0`."""


class MatchGame(NamedTuple):
    """A game of a match: whoever wins most of `of` games has won that. `won`: before this one."""

    number: int
    of: int
    won: BySeat[int]

    @classmethod
    def read(cls, match: str, won: str, seats: Seats) -> "MatchGame":
        """From the header's words; raises EntryError."""
        number, _, of = match.partition(" of ")
        if not (number.isdecimal() and of in MATCHES and 1 <= int(number) <= int(of)):
            raise EntryError("a game of a match is written “match 2 of 3”")
        each = [int(one) for one in won.split() if one.isdecimal()]
        wins = each if len(each) == len(seats) else [0] * len(seats)
        return cls(int(number), int(of), BySeat(seats, tuple(wins)))

    def after(self, winners: Sequence[Seat]) -> BySeat[int]:
        """How many games each seat has won with this one."""
        return BySeat.make(self.won.seats, lambda seat: self.won[seat] + (seat in winners))

    def decided(self, winners: Sequence[Seat]) -> bool:
        """Whether nothing is left to play for after this game: never where nobody has won it."""
        most = max(self.after(winners).values)
        return bool(winners) and (self.number == self.of or most > self.of // 2)

    def next_words(self, winners: Sequence[Seat]) -> tuple[tuple[str, str], ...]:
        """The header words of the next game of the match; none: a new match begins with it. A game
        that nobody has won is played again: else a match could end with nobody ahead."""
        if self.decided(winners):
            return ()
        number = self.number + bool(winners)
        won = " ".join(map(str, self.after(winners).values))
        return (MATCH_WORD, f"{number} of {self.of}"), (WON_WORD, won)


MATCHES = ("1", "3", "5")
"""Of how many games a match may be (RULES: All Fives 9)."""

EVENT_WORD = "event"
"""The header word that says to which round of which event a game belongs: `event 4.3.7`."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A new game begins: always a game's first row. `after` is the game that this one is a rematch
    of; `words` are further tally header words (`date`, and whatever others were read); `rules`: the
    version of the rules by which it is played to its end; `evening`: the game before it on the same
    evening (None: it is the evening's first)."""

    game: str
    seats: Seats
    options: Mapping[str, Value]
    after: int | None = None
    words: tuple[tuple[str, str], ...] = ()
    rules: int = RULES
    evening: int | None = None

    @property
    def match(self) -> "MatchGame | None":
        """Which game of a match it is; None: of none."""
        of, words = int(self.options.get(MATCH_WORD, 1)), dict(self.words)
        if MATCH_WORD in self.options and MATCH_WORD in words:
            return MatchGame.read(words[MATCH_WORD], words.get(WON_WORD, ""), self.seats)
        return MatchGame(1, of, BySeat.all(self.seats, 0)) if of > 1 else None

    @property
    def colours(self) -> BySeat[str]:
        """The colour of each seat's chips; empty where there are not so many colours."""
        return chip_colours(self.seats, dict(self.words).get(COLOURS_WORD, ""))


def colour_words(colours: BySeat[str]) -> tuple[tuple[str, str], ...]:
    """The header word that tells these colours, where the turn order alone doesn't."""
    usual = chip_colours(colours.seats) == colours
    return () if usual else ((COLOURS_WORD, " ".join(colours.values)),)


@dataclass(frozen=True, slots=True)
class Step:
    """Entries that were made as one thing and are taken back as one. `joined`: they belong to the
    step before, and are taken back together with it."""

    entries: tuple[Entry, ...]
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Undo:
    """The last change is taken back. In a game without changes: the game itself."""


@dataclass(frozen=True, slots=True)
class Redo:
    """What was taken back last is done again."""


@dataclass(frozen=True, slots=True)
class Amend:
    """The entry at place `at` (from 0) of the game as it stands is replaced by `entries`; none:
    deleted. `insert`: they are put in before it instead. `later_turns`: the turns that follow in
    the same hand move that many seats to the left (negative: to the right), as they were each one
    seat's too early or too late; what names people besides, such as holdings and calls, stays. What
    no longer holds afterwards is taken back, from the first such entry on.

    A later call goes with the draw or pass that it names, whichever number that has then; one that
    can't be made any more is taken back alone, with what answers it. `calls_stay`: with the number
    instead, as in rows of format 2 and before."""

    at: int
    entries: tuple[Entry, ...]
    insert: bool = False
    later_turns: int = 0
    calls_stay: bool = False


@dataclass(frozen=True, slots=True)
class Rewind:
    """Everything from the entry at place `to` on is taken back."""

    to: int


@dataclass(frozen=True, slots=True)
class Reseat:
    """The turn order is another one, of the same seats."""

    seats: Seats


@dataclass(frozen=True, slots=True)
class OtherPeople:
    """Other people sit at the seats of this game than was said, and did from its beginning: `seats`
    names them in its turn order. All entries stay, each as the entry of whoever sits there; other
    games stay as they are. A mix-up of two tables is one such row at each of them."""

    seats: Seats


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of the box, made at the box (brightness, flip …). Belongs to no game; how tiles are
    keyed holds until the next one is opened (table/session.py)."""

    name: str
    value: Value


TELLS_PROOF = "tell-bogus"
"""The setting by which people hear of a proven bogus play without anybody's calling it."""


@dataclass(frozen=True, slots=True)
class Renamed:
    """All that was or will be played under `name` counts as `to`'s: another name, or one spelling
    for two. No game is rewritten. Belongs to no game; Undo that belongs to none takes it back."""

    name: str
    to: str


@dataclass(frozen=True, slots=True)
class Hidden:
    """The player `name` is to be seen in no list, chart or export of players, or again (`hidden`
    False). What was played stays. Belongs to no game, as Renamed does."""

    name: str
    hidden: bool = True


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The record was written anew without the names of some people, who are these `players` in it
    now: its first row then. Belongs to no game."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """Rows that are lost: those numbered `first` to `last`; None: nobody knows how many there were
    after those that are left. One less than `first`: none, but the row there does not follow on the
    one before it. `games`: in which they may have been."""

    first: int
    last: int | None
    games: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Lost:
    """A damaged record was put together again without the rows in `gaps`; as it was it is kept
    beside, under the name `kept`. Belongs to no game."""

    gaps: tuple[Gap, ...]
    kept: str


Row = (
    Opened
    | Step
    | Undo
    | Redo
    | Amend
    | Rewind
    | Reseat
    | OtherPeople
    | Setting
    | Renamed
    | Hidden
    | Forgotten
    | Lost
)


@dataclass(frozen=True, slots=True)
class Author:
    """The author of a row: the keypad or phone (`surface`; None: the box's own keys), and, of a
    phone, the seat whose phone it was then. `agreed_by`: as in Kept."""

    surface: str | None = None
    keyed_by: Seat | None = None
    agreed_by: tuple[Seat, ...] | None = None

    @classmethod
    def of(
        cls, source: str | None, keyed_by: Seat | None, agreed_by: tuple[Seat, ...] | None = None
    ) -> "Author":
        """From the identity of the press or the proposal that made it."""
        if not source:
            return BOX_KEYS if agreed_by is None else cls(agreed_by=agreed_by)
        return cls(source.partition("/")[0], keyed_by, agreed_by)


BOX_KEYS = Author()


@dataclass(frozen=True, slots=True)
class Kept:
    """A row with its place in the record. `seq` counts all rows from 1; `at` is wall time in
    seconds since 1970, and None where the clock had not been set. `source`: the identity of the
    press or the proposal that made it, SURFACE/RUN/NUMBER; None: the box's own keys. `keyed_by`:
    the seat whose phone that was (whose a keypad is a setting says); `hash`: the row's own, which
    the next one has as `before`. `agreed_by`: the seats that agreed to a ruling of the table on
    phones of their own; none: all were asked where it was keyed; None: nobody had to be asked, or
    nobody was, as by older programs."""

    seq: int
    game: int
    row: Row
    at: float | None = None
    source: str | None = None
    keyed_by: Seat | None = None
    agreed_by: tuple[Seat, ...] | None = None
    hash: bytes = field(default=b"", compare=False)

    @property
    def author(self) -> Author:
        """The author of the row."""
        return Author.of(self.source, self.keyed_by, self.agreed_by)

    @property
    def surface(self) -> str | None:
        """The keypad or phone that made the row; None: the box's own keys."""
        return self.author.surface
