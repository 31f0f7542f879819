"""Turns requests from surfaces, and entries as people type them, into rows of the record."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Final

from companion.core.errors import EntryError
from companion.core.json_text import EXACT
from companion.core.seats import COLOURS, MORE_COLOURS, BySeat, Seat, Seats, display_name
from companion.core.values import dataclass
from companion.core.words import case_folded, composed, same_name
from companion.games.game import AnyGame, B, Entry, parse_entry, settle_options
from companion.record.journal import Journal
from companion.record.names import check_names, parse_renaming, spelled_as_kept
from companion.record.rows import (
    EVENT_WORD,
    Amend,
    GameOpened,
    PeopleReplaced,
    PlayerRenamed,
    Redo,
    Reseat,
    Rewind,
    Row,
    Setting,
    Step,
    Undo,
    colours_header,
)
from companion.record.settings import ON_TABLE, game_name_setting, parse_setting, parse_star

# ---------------------------------------------------------------- spoken
# An entry as people type it: in the words of the pages, in any case, and without the seat if that
# is known.
#
#     read_entry("red lays 6-3", game, seats)            Red 6-3
#     read_entry("6-3", game, seats, Seat("Blue"))       Blue 6-3
#     read_entry("Red calls Blue bogus", game, seats)    bogus Blue by Red
#
# A line of a tally is read unchanged.


SPOKEN_FORMS: Final = (
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
"""Patterns for what people type or dictate, each with the tally's form, applied in this order."""


def read_entry(text: str, game: AnyGame, seats: Seats, actor: Seat | None = None) -> Entry:
    """Returns the entry that the text means; `actor`: the seat that makes it if the text names
    none. Raises EntryError."""
    try:
        return parse_entry(text, game, seats)
    except EntryError:
        written = _with_tally_names(text, seats)
        if actor is not None and not written.startswith(tuple(f"{seat} " for seat in seats)):
            return parse_entry(_in_tally_words(f"{actor} {written}"), game, seats)
        return parse_entry(_in_tally_words(written), game, seats)


def _with_tally_names(text: str, seats: Seats) -> str:
    """The text with each seat's name in the tally's spelling. A name in a different case is that of
    the first seat it matches, unless it is exactly another seat's name."""
    words, written = text.split(" "), list[str]()
    while words:
        seat, number = _leading_seat(words, seats)
        written.append(words[0] if seat is None else seat)
        words = words[number:]
    return " ".join(written)


def _leading_seat(words: list[str], seats: Seats) -> tuple[Seat | None, int]:
    """The seat named at the beginning, and how many words its name has; None and 1 if there is
    none."""
    for written in (composed, case_folded):
        for seat in sorted(seats, key=len, reverse=True):
            for name in dict.fromkeys((seat, display_name(seat))):
                number = len(name.split(" "))
                if written(" ".join(words[:number])) == written(name):
                    return seat, number
    return None, 1


def _in_tally_words(text: str) -> str:
    for said, written in SPOKEN_FORMS:
        text = re.sub(said, written, text, flags=re.I)
    return " ".join(text.split())


# ---------------------------------------------------------------- requests

LONGEST = 4096
"""The longest text that a request may have, in characters."""


class RequestKind(Enum):
    """The kinds of requests (`deed` in the pages' messages)."""

    ENTER = "enter"
    """Make the entries in the text, in one step."""
    UNDO = "undo"
    REDO = "redo"
    CHANGE = "change"
    """Replace the entry at place `at` with those in the text; delete it if there are none."""
    INSERT = "insert"
    """Insert the entries before the one at place `at`."""
    REWIND = "rewind"
    """Take back all entries from place `at` on."""
    OPEN = "open"
    """Open a game; the text has the tally's lines `game`, `seats`, `option` and `colours`."""
    REMATCH = "rematch"
    """Open another game with the same seats, house rules and colours. The text names the seats if
    only those that are level in a match play on."""
    RESEAT = "reseat"
    """Change the turn order to the one in the text."""
    PEOPLE = "people"
    """Name other people for the seats of this game; the text lists them in turn order."""
    SET = "set"
    """Change a setting, as in `tell-bogus mark`."""
    RESUME = "resume"
    """Put the record's game number `at` on the table again."""
    NAME = "name"
    """Name the record's game number `at` as in the text."""
    RENAME = "rename"
    """Rename a player in all games, including earlier ones, as in `Ann Anna`."""
    REMEMBER = "remember"
    """Add or remove an entry's star, as in `on 4.2.1.Red 6-3` (record/settings.py)."""


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
"""Requests that are possible without a game on the table."""
NEVER_STALE = frozenset({RequestKind.RENAME, RequestKind.REMEMBER})
"""Requests that are valid however the game has changed meanwhile, as their text names all that they
change."""


@dataclass(frozen=True, slots=True)
class RowRequest:
    """A request. `text`: the entries, or the text that another kind of request needs. `at`: a place
    in the present game (from 0), or the number of a game. `later_turns`: for a change, how many
    seats the later turns move to the left (negative: to the right)."""

    kind: RequestKind = RequestKind.ENTER
    text: str = ""
    at: int = 0
    later_turns: int = 0


@dataclass(frozen=True, slots=True)
class RequestContext:
    """The state that a request's row depends on: the game on the table with its number, and the
    `catalog` of games. `evening`: the number of the evening's latest game (None if a new game would
    begin an evening); `names`: players who have played, in stored spelling."""

    journal: Journal[object] | None
    number: int | None
    catalog: Mapping[str, AnyGame]
    evening: int | None = None
    names: tuple[str, ...] = ()

    @property
    def known_names(self) -> tuple[str, ...]:
        """The known names in stored spelling: first those at the table, then all who have
        played."""
        return (*self.journal.opened.seats, *self.names) if self.journal else self.names


def row_for(request: RowRequest, context: RequestContext) -> Row:
    """The row for the request; raises EntryError."""
    if len(request.text) > LONGEST:
        raise EntryError("an entry has at most {longest:,} characters", longest=LONGEST)
    if not 0 <= request.at < EXACT:
        raise EntryError("there is no game or entry with that number")
    match request.kind:
        case RequestKind.OPEN:
            return _parse_opened_here(request.text, context)
        case RequestKind.SET:
            return parse_setting(request.text, context.catalog)
        case RequestKind.RESUME:
            return Setting(ON_TABLE, request.at)
        case RequestKind.NAME:
            return game_name_setting(request.at, request.text)
        case RequestKind.RENAME:
            return _parse_renaming_here(request.text, context)
        case RequestKind.REMEMBER:
            return parse_star(request.text)
    if context.journal is None:
        raise EntryError("there is no game yet: begin one first")
    return _row_in_game(request, context.journal, context)


def _parse_opened_here(text: str, context: RequestContext) -> GameOpened:
    opened = parse_opened(text, context.catalog, context.names)
    return replace(opened, evening=context.evening)


def _parse_renaming_here(text: str, context: RequestContext) -> PlayerRenamed:
    """The row that renames a player. Raises EntryError, also if another seat of the game on the
    table has the new name."""
    row, journal = parse_renaming(text, context.known_names), context.journal
    seats = journal.opened.seats if journal is not None else ()
    others = [seat for seat in seats if seat != row.name]
    if row.name in seats and any(same_name(seat, row.to) for seat in others):
        raise EntryError("{name} already sits at this table: choose another name", name=row.to)
    return row


def _row_in_game(request: RowRequest, journal: Journal[object], context: RequestContext) -> Row:
    match request.kind:
        case RequestKind.UNDO:
            return Undo()
        case RequestKind.REDO:
            return Redo()
        case RequestKind.REWIND:
            return Rewind(request.at)
        case RequestKind.REMATCH:
            only = _parse_playing_on(request.text.split(), journal)
            return rematch(journal, context.number, context.evening, only)
        case RequestKind.RESEAT:
            return Reseat(_seats(request.text.split(), journal.game, journal.opened.seats))
        case RequestKind.PEOPLE:
            return PeopleReplaced(_seats(request.text.split(), journal.game, context.known_names))
    lines = (line.partition("#")[0] for line in request.text.split("\n"))
    seats, actor = journal.opened.seats, _seat_of_entry(request, journal)
    entries = tuple(read_entry(line, journal.game, seats, actor) for line in lines if line.strip())
    if request.kind is RequestKind.ENTER:
        return Step(entries)
    return Amend(request.at, entries, request.kind is RequestKind.INSERT, request.later_turns)


def _seat_of_entry(request: RowRequest, journal: Journal[object]) -> Seat | None:
    """The seat of the entry that is changed, or before which others are inserted; None for other
    requests."""
    if request.kind not in (RequestKind.CHANGE, RequestKind.INSERT):
        return None
    return next(
        (entry.named_seat for at, entry, _ in journal.newest_first() if at == request.at), None
    )


def parse_opened(
    text: str, catalog: Mapping[str, AnyGame], known: Iterable[str] = ()
) -> GameOpened:
    """A new game from the header lines of a tally, with all its options. `known`: names in use,
    whose spelling is kept. Raises EntryError."""
    name, seats, colours, given = "", list[str](), list[str](), dict[str, str]()
    for line in filter(None, map(str.split, text.split("\n"))):
        match line:
            case ["game", name]:
                pass
            case ["seats", *seats]:
                pass
            case ["colours", *colours]:
                pass
            case ["option", option, value]:
                given[option] = value
            case _:
                raise EntryError("“{line}” doesn't begin a game", line=" ".join(line)[:40])
    if name not in catalog:
        raise EntryError(
            "{game} is not a game here: {catalog}", game=name[:40], catalog=", ".join(catalog)
        )
    game = catalog[name]
    order = _seats(seats, game, known)
    words = _parse_colours(colours, order) if colours else ()
    return GameOpened(name, order, settle_options(game, len(order), given), words=words)


def _parse_colours(colours: list[str], seats: Seats) -> tuple[tuple[str, str], ...]:
    """The header word for the colours chosen for the seats. Raises EntryError."""
    known = COLOURS if len(seats) <= len(COLOURS) else (*COLOURS, *MORE_COLOURS)
    if len(colours) != len(seats) or len({*colours} & {*known}) != len(seats):
        raise EntryError("each seat needs a colour of its own")
    return colours_header(BySeat(seats, tuple(colours)))


def _parse_playing_on(names: list[str], journal: Journal[object]) -> Seats:
    """The seats that play the next game: those named in the text, or all. Raises EntryError unless
    the names are seats, and include all that are level in the match."""
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
) -> GameOpened:
    """The row that opens another game with the same options, seats and colours; in a match that
    isn't decided, it is the match's next game. A game of an event keeps its place there until its
    match is decided, as an event may count several games of a pairing. `only`: the seats that play
    on, if the others aren't level in the match."""
    opened, colours = journal.opened, journal.colours
    seats = only or opened.seats
    words = colours_header(BySeat.make(seats, lambda seat: colours[seat]))
    round_of_club = tuple(one for one in opened.words if one[0] == EVENT_WORD)
    if opened.match:
        # Once the next game begins, a win by an uncalled count counts.
        following = opened.match.next(journal.whole.state)
        words += (*following.of_seats(seats).words, *round_of_club) if following else ()
    else:
        words += round_of_club
    return GameOpened(opened.game, seats, opened.options, number, words, evening=evening)


def _seats(names: list[str], game: AnyGame, known: Iterable[str]) -> Seats:
    """The seats with these names, in the spelling of the `known` ones. Raises EntryError if the
    game can't be played with them."""
    names = spelled_as_kept(names, known)
    check_names(names, game)
    return Seats.of(*names)
