"""What a surface may ask of the record, and the row that does it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Final

from companion.core.errors import EntryError
from companion.core.seats import BySeat, Seat, Seats, shown
from companion.core.values import dataclass
from companion.core.words import composed, same_name
from companion.games.entry import Entry
from companion.games.game import AnyGame, B, parse_entry, settle_options
from companion.record.journal import Journal
from companion.record.names import check_names, entered_names, renamed_of
from companion.record.rows import (
    EVENT_WORD,
    Amend,
    Opened,
    OtherPeople,
    Redo,
    Renamed,
    Reseat,
    Rewind,
    Row,
    Setting,
    Step,
    Undo,
    colour_words,
)
from companion.record.settings import ON_TABLE, name_of_game, setting_of, star_setting

# ---------------------------------------------------------------- spoken
# An entry as people type it: in the words of the pages, in small letters or capitals, and without
# the seat if it is known whose entry it is.
#
#     read_entry("red lays 6-3", game, seats)            Red 6-3
#     read_entry("6-3", game, seats, Seat("Blue"))       Blue 6-3
#     read_entry("Red calls Blue bogus", game, seats)    bogus Blue by Red
#
# A line of a tally is read as it stands.


SAID: Final = (
    (r"–|—", "-"),
    (r",", " "),
    (r"\s(?:lays|lay|laid|and|the|tiles?)\b", " "),
    (r"\s(?:draws|drew)\b", " draw"),
    (r"\s(?:passes|passed)\b", " pass"),
    (r"\s(?:is|goes|went) out\b", " out"),
    (r"\s(?:scores|scored)\b", " points"),
    (r"\s(?:shows|showed)\b", " holds"),
    (r"\sholds (\d+) pips?\b", r" pips \1"),
    (r"\s(?:misdraws|misdrew)\b", " misdraw"),
    (r"\s(?:gives|gave) (\S+) back\b", r" return \1"),
    (r"^(\S+) calls (\S+) bogus$", r"bogus \2 by \1"),
)
"""Patterns for what people say, and what the tally writes instead, applied in this order."""


def read_entry(text: str, game: AnyGame, seats: Seats, doer: Seat | None = None) -> Entry:
    """The entry that the text means; `doer`: the seat whose entry it is if the text names none.
    Raises EntryError."""
    try:
        return parse_entry(text, game, seats)
    except EntryError:
        written = _written(text, seats)
        if doer is not None and not written.startswith(tuple(f"{seat} " for seat in seats)):
            return parse_entry(_in_tally_words(f"{doer} {written}"), game, seats)
        return parse_entry(_in_tally_words(written), game, seats)


def _written(text: str, seats: Seats) -> str:
    """The text with each seat's name as the tally has it. A name in other capitals is that of the
    first seat that it may mean, unless a seat is called exactly so."""
    words, written = text.split(" "), list[str]()
    while words:
        seat, number = _named_first(words, seats)
        written.append(words[0] if seat is None else seat)
        words = words[number:]
    return " ".join(written)


def _named_first(words: list[str], seats: Seats) -> tuple[Seat | None, int]:
    """The seat that the first words name, and how many words its name has; None and 1 if they name
    none."""
    for same in (same_name, _same_letters):
        for seat in sorted(seats, key=len, reverse=True):
            for name in dict.fromkeys((seat, shown(seat))):
                number = len(name.split(" "))
                if same(" ".join(words[:number]), name):
                    return seat, number
    return None, 1


def _same_letters(one: str, other: str) -> bool:
    return composed(one).casefold() == composed(other).casefold()


def _in_tally_words(text: str) -> str:
    for said, written in SAID:
        text = re.sub(said, written, text, flags=re.I)
    return " ".join(text.split())


# ---------------------------------------------------------------- requests

LONGEST = 4096
"""The most characters that a request's text may have."""
HIGHEST = 2**53
"""The numbers of games, and places in them, are below this: so far a page can count exactly."""


class RequestKind(Enum):
    """What somebody asks for; a page calls it `deed`."""

    ENTER = "enter"
    """The entries in the text are entered as one step."""
    UNDO = "undo"
    REDO = "redo"
    CHANGE = "change"
    """The entries replace the one at `at`; without entries that one is deleted."""
    INSERT = "insert"
    """The entries are put in before the one at `at`."""
    REWIND = "rewind"
    """Everything from the entry at `at` on is taken back."""
    OPEN = "open"
    """A game begins: the text has the tally's lines `game`, `seats` and `option`."""
    REMATCH = "rematch"
    """Another game like this one: seats, house rules and colours stay. The text names the seats if
    only those who are level in a match play on."""
    RESEAT = "reseat"
    """The turn order becomes the one in the text."""
    PEOPLE = "people"
    """Other people sit at the seats of this game: the text names them in its turn order."""
    SET = "set"
    """A setting gets a value: `tell-bogus mark`."""
    RESUME = "resume"
    """Game `at` of the record is put on the table again."""
    NAME = "name"
    """Game `at` of the record gets the name in the text."""
    RENAME = "rename"
    """A player gets another name, in earlier games, too: `Ann Anna`."""
    REMEMBER = "remember"
    """An entry is marked, or its mark is taken away: `on 4.2.1.Red 6-3` (record/settings.py)."""


NEEDS_NO_GAME = frozenset(
    {
        RequestKind.OPEN,
        RequestKind.SET,
        RequestKind.RESUME,
        RequestKind.NAME,
        RequestKind.RENAME,
        RequestKind.REMEMBER,
    }
)
"""Requests that need no game on the table."""
STALE_NEVER = frozenset({RequestKind.RENAME, RequestKind.REMEMBER})
"""Requests that can't come too late: their text says what they are about, wherever the game stands
by then."""


@dataclass(frozen=True, slots=True)
class RowRequest:
    """A request. `text`: entries, or what the request is about. `at`: a place in the game as it
    stands (from 0), or the number of a game. `later_turns`: with a change, how many seats the later
    turns move to the left (negative: to the right)."""

    kind: RequestKind = RequestKind.ENTER
    text: str = ""
    at: int = 0
    later_turns: int = 0


@dataclass(frozen=True, slots=True)
class Stands:
    """What a row may depend on: the game on the table with its number, and the `catalog` of games.
    `evening`: the game that a new one would follow on the same evening; `names`: players who have
    played, as their names are kept."""

    journal: Journal[object] | None
    number: int | None
    catalog: Mapping[str, AnyGame]
    evening: int | None = None
    names: tuple[str, ...] = ()

    @property
    def kept_names(self) -> tuple[str, ...]:
        """The names that are kept: first those at the table, then all who have played."""
        return (*self.journal.opened.seats, *self.names) if self.journal else self.names


def row_of(request: RowRequest, stands: Stands) -> Row:
    """The row that does what is asked; raises EntryError."""
    if len(request.text) > LONGEST:
        raise EntryError("more than {longest:,} characters are no entry", longest=LONGEST)
    if not 0 <= request.at < HIGHEST:
        raise EntryError("no game and no entry has that number")
    match request.kind:
        case RequestKind.OPEN:
            return _opened(request.text, stands)
        case RequestKind.SET:
            return setting_of(request.text, stands.catalog)
        case RequestKind.RESUME:
            return Setting(ON_TABLE, request.at)
        case RequestKind.NAME:
            return name_of_game(request.at, request.text)
        case RequestKind.RENAME:
            return _renamed(request.text, stands)
        case RequestKind.REMEMBER:
            return star_setting(request.text)
    if stands.journal is None:
        raise EntryError("there is no game yet: begin one first")
    return _row_in_game(request, stands.journal, stands)


def _opened(text: str, stands: Stands) -> Opened:
    opened = opened_of(text, stands.catalog, stands.names)
    return replace(opened, evening=stands.evening)


def _renamed(text: str, stands: Stands) -> Renamed:
    """The row that renames a player. Raises EntryError, also if the new name is that of another
    seat in the game on the table."""
    row, journal = renamed_of(text, stands.kept_names), stands.journal
    seats = journal.opened.seats if journal is not None else ()
    others = [seat for seat in seats if seat != row.name]
    if row.name in seats and any(same_name(seat, row.to) for seat in others):
        raise EntryError("{name} sits at this table already: choose another name", name=row.to)
    return row


def _row_in_game(request: RowRequest, journal: Journal[object], stands: Stands) -> Row:
    match request.kind:
        case RequestKind.UNDO:
            return Undo()
        case RequestKind.REDO:
            return Redo()
        case RequestKind.REWIND:
            return Rewind(request.at)
        case RequestKind.REMATCH:
            only = _playing_on(request.text.split(), journal)
            return rematch(journal, stands.number, stands.evening, only)
        case RequestKind.RESEAT:
            return Reseat(_seats(request.text.split(), journal.game, journal.opened.seats))
        case RequestKind.PEOPLE:
            return OtherPeople(_seats(request.text.split(), journal.game, stands.kept_names))
    lines = (line.partition("#")[0] for line in request.text.split("\n"))
    seats, doer = journal.opened.seats, _doer_at(request, journal)
    entries = tuple(read_entry(line, journal.game, seats, doer) for line in lines if line.strip())
    if request.kind is RequestKind.ENTER:
        return Step(entries)
    return Amend(request.at, entries, request.kind is RequestKind.INSERT, request.later_turns)


def _doer_at(request: RowRequest, journal: Journal[object]) -> Seat | None:
    """The seat whose entry is to be changed, or before whose entry something is to be put in; None
    for other requests."""
    if request.kind not in (RequestKind.CHANGE, RequestKind.INSERT):
        return None
    return next(
        (entry.named_seat for at, entry, _ in journal.newest_first() if at == request.at), None
    )


def opened_of(text: str, catalog: Mapping[str, AnyGame], known: Iterable[str] = ()) -> Opened:
    """A game that begins as these lines of a tally's header say, with all its options. `known`:
    names that are kept. Raises EntryError."""
    name, seats, given = "", list[str](), dict[str, str]()
    for line in filter(None, map(str.split, text.split("\n"))):
        match line:
            case ["game", name]:
                pass
            case ["seats", *seats]:
                pass
            case ["option", option, value]:
                given[option] = value
            case _:
                raise EntryError("“{line}” begins no game", line=" ".join(line)[:40])
    if name not in catalog:
        raise EntryError(
            "{game} is not a game here: {catalog}", game=name[:40], catalog=", ".join(catalog)
        )
    game = catalog[name]
    order = _seats(seats, game, known)
    return Opened(name, order, settle_options(game, len(order), given))


def _playing_on(names: list[str], journal: Journal[object]) -> Seats:
    """The seats that play the next game: all, or those of these names. Raises EntryError unless
    these are seats, and all of them that are level in the match."""
    seats, match = journal.opened.seats, journal.opened.match
    level = match.after(journal.whole.state).level if match is not None else ()
    must = {str(seat) for side in level for seat in side}
    if not names:
        return seats
    if not must or not must <= set(names) <= {*seats}:
        raise EntryError("only players who are level in the match may play on without the others")
    return Seats.of(*(seat for seat in seats if seat in names))


def rematch(
    journal: Journal[B], number: int | None, evening: int | None, only: Seats | None = None
) -> Opened:
    """Opens another game with the seats and options of this one; everybody keeps the colour of
    their chips. If its match is not decided, it is the match's next game. A game of an event stays
    at its place there until its match is decided, as an event may count several games of a
    pairing. `only`: the seats that play on, if some who are not level in the match don't."""
    opened, colours = journal.opened, journal.colours
    seats = only or opened.seats
    words = colour_words(BySeat.make(seats, lambda seat: colours[seat]))
    round_of_club = tuple(one for one in opened.words if one[0] == EVENT_WORD)
    if opened.match:
        # The next game leaves this one behind: a win by a count that nobody called counts.
        following = opened.match.next(journal.whole.state)
        words += (*following.of_seats(seats).words, *round_of_club) if following else ()
    else:
        words += round_of_club
    return Opened(opened.game, seats, opened.options, number, words, evening=evening)


def _seats(names: list[str], game: AnyGame, known: Iterable[str]) -> Seats:
    """The seats of these names, of which some may be `known`. Raises EntryError if the game can't
    be played by them."""
    names = entered_names(names, known)
    check_names(names, game)
    return Seats.of(*names)
