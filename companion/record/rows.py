"""The rows of the record: everything that is ever written down.

Rows are only added, never changed or removed. Folding a game's rows in order (journal.py) gives
the game as it stands.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.core.seats import BySeat, Seat, Seats, chip_colours
from companion.games.game import RULES, Entry
from companion.games.house_rules import Value
from companion.record.match import MATCH_WORD, PARTNERS, WON_WORD, MatchGame

COLOURS_WORD = "colours"
"""The header word for the colours of the seats' chips, in turn order."""

EVENT_WORD = "event"
"""The header word for a game's place in an event, as in `event 4.3.7`: event
4, round 3, table 7."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A new game begins: always a game's first row. `after` is the number of the game that this one
    is a rematch of; `words` are further tally header words (`date`, and whatever others were read);
    `rules`: the version of the rules by which it is played to its end; `evening`: the number of the
    game before it on the same evening (None: it is the evening's first)."""

    game: str
    seats: Seats
    options: Mapping[str, Value]
    after: int | None = None
    words: tuple[tuple[str, str], ...] = ()
    rules: int = RULES
    evening: int | None = None

    @property
    def match(self) -> MatchGame | None:
        """Which game of a match it is; None if it belongs to no match. Raises EntryError."""
        of, words = int(self.options.get(MATCH_WORD, 1)), dict(self.words)
        if MATCH_WORD in self.options and MATCH_WORD in words:
            partners = self.options.get(PARTNERS) == "on"
            won = words.get(WON_WORD, "")
            return MatchGame.read(words[MATCH_WORD], won, self.seats, partners=partners)
        return MatchGame(1, of, BySeat.all(self.seats, 0)) if of > 1 else None

    @property
    def colours(self) -> BySeat[str]:
        """The colour of each seat's chips; empty for a seat for which no colour is left."""
        return chip_colours(self.seats, dict(self.words).get(COLOURS_WORD, ""))


def colours_header(colours: BySeat[str]) -> tuple[tuple[str, str], ...]:
    """The header word for these colours; () if they follow from the turn order."""
    usual = chip_colours(colours.seats) == colours
    return () if usual else ((COLOURS_WORD, " ".join(colours.values)),)


@dataclass(frozen=True, slots=True)
class Step:
    """Entries that were made together and are taken back together. `joined`: the step belongs to
    the one before, and is taken back together with it."""

    entries: tuple[Entry, ...]
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Undo:
    """The last change is taken back. In a game without changes: the game itself."""


@dataclass(frozen=True, slots=True)
class Redo:
    """What was taken back last is restored."""


@dataclass(frozen=True, slots=True)
class Amend:
    """The entry at place `at` (from 0) of the game as it stands is replaced by `entries`; without
    `entries` it is deleted. `insert`: they are put in before it instead. `later_turns`: the later
    turns of the same hand move that many seats to the left (negative: to the right), as each was
    entered for a seat too early or too late. Entries that name seats out of turn, such as holdings
    and calls, stay. Entries that no longer hold afterwards are taken back, from the first such
    entry on.

    A later call stays with the draw or pass that it names, whatever number that turn has now. A
    call that can't be made any more is taken back alone, with its answers. `calls_stay`: each call
    stays with the number instead, as in rows of format 2 and before.
    """

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
    """The game's seats play in another turn order: `seats`."""

    seats: Seats


@dataclass(frozen=True, slots=True)
class OtherPeople:
    """The people at the seats of this game were recorded wrongly from its beginning:
    `seats` names them in turn order. All entries stay, each as the entry of the person now named
    for its seat. Other games stay as they are. A mix-up of two tables is one such row at each of
    them."""

    seats: Seats


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of the box gets a value (brightness, flip …). It belongs to no game. How tiles are
    keyed holds only until the next game is opened (table/session.py)."""

    name: str
    value: Value


TELL_BOGUS = "tell-bogus"
"""The setting for whether a proven bogus play that was not called is announced."""


@dataclass(frozen=True, slots=True)
class Renamed:
    """Everything that was or will be played under `name` counts as played by `to`: a player's new
    name, or one spelling instead of two. No game is rewritten. The row belongs to no game; an Undo
    that belongs to no game takes it back."""

    name: str
    to: str


@dataclass(frozen=True, slots=True)
class Hidden:
    """The player `name` is left out of every list, chart and export of players, or (`hidden` False)
    is shown again. The games stay as they are. The row belongs to no game, like Renamed."""

    name: str
    hidden: bool = True


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The record was rewritten without the names of some people, who are called `players` in it.
    This is the first row of such a record. It belongs to no game."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """Rows that are lost: numbers `first` to `last`. `last` is None if it isn't known how many rows
    came after those that are left. If it is one less than `first`, no row is lost, but row `first`
    does not follow on the one before it. `games`: the games to which the rows may have belonged."""

    first: int
    last: int | None
    games: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Lost:
    """A damaged record was rebuilt without the rows in `gaps`. The damaged file is kept beside it,
    under the name `kept`. Belongs to no game."""

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
    """The author of a row: the keypad or phone (`surface`; None: the box's own keys) and, for a
    phone, the seat whose phone it was then (`keyed_by`). `agreed_by`: as in KeptRow."""

    surface: str | None = None
    keyed_by: Seat | None = None
    agreed_by: tuple[Seat, ...] | None = None

    @classmethod
    def of(
        cls, source: str | None, keyed_by: Seat | None, agreed_by: tuple[Seat, ...] | None = None
    ) -> "Author":
        """The author of a row that a press or a proposal with the identity `source` made."""
        if not source:
            return BOX_KEYS if agreed_by is None else cls(agreed_by=agreed_by)
        return cls(source.partition("/")[0], keyed_by, agreed_by)


BOX_KEYS = Author()


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A row with its place in the record. `seq` counts all rows from 1. `game` is the number of its
    game, 0 for a row of the box. `at` is wall time in seconds since 1970, None if the clock had not
    been set. `source`: the identity of the press or the proposal that made it, SURFACE/RUN/NUMBER;
    None: the box's own keys. `keyed_by`: the seat whose phone that was (for a keypad, a setting
    has its seat). `agreed_by`: the seats that agreed to a ruling of the table on phones of
    their own; (): all were asked where it was keyed; None: nobody had to be asked, or nobody was,
    as by older programs. `hash`: the row's own hash, which the next row has as `before`."""

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
