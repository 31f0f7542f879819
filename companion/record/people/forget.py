"""Removes names from a record: rewrites all rows and chains them anew, beginning with a row that
records the removal.

Names occur as the seats of games and of phones, in entries, in settings, and in reasons that people
wrote. The name of a seat is replaced as a whole. In text that people wrote, every occurrence is
replaced, whatever its case."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.games.game import AnyGame, Entry
from companion.record.names import removal_setting, removed_name, with_seats_renamed
from companion.record.rows import (
    COLOURS_WORD,
    Amend,
    EntryParser,
    GameOpened,
    Gap,
    NamesForgotten,
    PeopleReplaced,
    PlayerHidden,
    PlayerRenamed,
    Reseat,
    Row,
    RowsLost,
    Setting,
    Step,
    agreed_by,
    decode_row,
    encode_row,
    keyed_by,
)
from companion.record.settings import is_game_name, keypad_of, star_of
from companion.record.store.database import START, ChainLink, StoreError

SHORT_NAME = 3
"""A name with fewer letters than this is replaced only where it is a separate word."""

NO_PARSERS: Mapping[int, EntryParser] = {}

Names = Mapping[str, str]
"""The replacement for each name."""


def number_names(names: Iterable[str], all_names: Iterable[str]) -> dict[str, str]:
    """A replacement for each of `names`: Player_3 for the third of `all_names`, or the next free
    number."""
    known = list(dict.fromkeys(all_names))
    given: dict[str, str] = {}
    for name in names:
        number = known.index(name) + 1 if name in known else len(known) + 1
        while f"Player_{number}" in {*known, *given.values()}:
            number += 1
        given[name] = f"Player_{number}"
    return given


def forget(
    links: Iterable[ChainLink], names: Names, catalog: Mapping[str, AnyGame], at: float | None
) -> Iterator[ChainLink]:
    """Yields the rows of a record with all these names replaced, after a row that records this at
    the time `at`. Raises StoreError at a row that can't be read."""
    return rewrite_rows(links, lambda _link, _row: names, tuple(names.values()), catalog, at)


def rewrite_rows(
    links: Iterable[ChainLink],
    names_of: Callable[[ChainLink, Row], Names],
    players: tuple[str, ...],
    catalog: Mapping[str, AnyGame],
    at: float | None,
) -> Iterator[ChainLink]:
    """Yields the rows of a record, each with the names replaced that `names_of` returns for it. The
    first row is a NamesForgotten row, kept at the time `at`, with the replacement names `players`.
    If the record already begins with such a row, that one is replaced; otherwise all rows move up
    by one number. Raises StoreError at a row that can't be read."""
    parsers: dict[int, EntryParser] = {}
    link: ChainLink | None = None
    again = False
    for old in links:
        try:
            row = decode_row(old.row, parsers.get(old.game))
            if link is None:
                again = isinstance(row, NamesForgotten)
                before = row.players if isinstance(row, NamesForgotten) else ()
                forgotten = encode_row(NamesForgotten((*before, *players)))
                link = ChainLink.make(START, (1, 0, forgotten, at, None))
                yield link
                if again:
                    continue
            if isinstance(row, GameOpened):
                parsers[old.game] = EntryParser.of(row, catalog)
            elif old.game in parsers:
                parsers[old.game] = parsers[old.game].after(row)
            names = names_of(old, row)
            is_as_it_was = again and isinstance(row, RowsLost)
            text = old.row if is_as_it_was else _rewritten_text(old, row, names, parsers)
        except EntryError as error:
            raise StoreError("row {row} can't be read: {why}", row=old.seq, why=error) from error
        content = (old.seq if again else old.seq + 1, old.game, text, old.at, old.source)
        link = ChainLink.make(link.hash, content)
        yield link


def _rewritten_text(
    link: ChainLink, row: Row, names: Names, parsers: Mapping[int, EntryParser]
) -> str:
    """The row's new text; the old one if the row has none of these names."""
    new, phone, agreed = (
        row_with_other_names(row, names, parsers),
        keyed_by(link.row),
        agreed_by(link.row),
    )
    if new == row and not names.keys() & {phone, *(agreed or ())}:
        return link.row
    others = agreed and tuple(Seat(names.get(seat, seat)) for seat in agreed)
    return encode_row(new, Seat(names.get(phone, phone)) if phone else None, others)


def row_with_other_names(
    row: Row, names: Names, parsers: Mapping[int, EntryParser] = NO_PARSERS
) -> Row:
    """The row with these names replaced. `parsers`: the entry parser of each game, for settings
    that contain an entry."""
    match row:
        case GameOpened():
            words = tuple(
                (word, _header_with_other_names(word, rest, names)) for word, rest in row.words
            )
            return replace(row, seats=_seats_with_other_names(row.seats, names), words=words)
        case Step() | Amend():
            return replace(
                row, entries=tuple(_entry_with_other_names(entry, names) for entry in row.entries)
            )
        case Reseat():
            return Reseat(_seats_with_other_names(row.seats, names))
        case PeopleReplaced():
            return PeopleReplaced(_seats_with_other_names(row.seats, names))
        case Setting():
            return _setting_with_other_names(row, names, parsers)
        case PlayerRenamed(name, to):
            return PlayerRenamed(names.get(name, name), names.get(to, to))
        case PlayerHidden(name, hidden):
            return PlayerHidden(names.get(name, name), hidden)
        case RowsLost(gaps, kept):
            return RowsLost(tuple(map(_with_numbers_raised, gaps)), kept)
    return row


def _header_with_other_names(word: str, rest: str, names: Names) -> str:
    """The rest of the header line after `word`, with these names replaced; a line of colours is
    left unchanged."""
    return rest if word == COLOURS_WORD else text_with_other_names(rest, names)


def _with_numbers_raised(gap: Gap) -> Gap:
    """The gap with its row numbers raised by one, because of the new first row."""
    last = None if gap.last is None else gap.last + 1
    return Gap(gap.first + 1, last, gap.games)


def _seats_with_other_names(seats: Seats, names: Names) -> Seats:
    return Seats.of(*(names.get(seat, seat) for seat in seats))


def _setting_with_other_names(
    row: Setting, names: Names, parsers: Mapping[int, EntryParser]
) -> Setting:
    """The setting with these names replaced, whether it is about a player, a keypad's seat, a
    game's name, or an entry."""
    removed, star = removed_name(row.name), star_of(row.name)
    if removed in names:
        return Setting(removal_setting(names[str(removed)]), row.value)
    if keypad_of(row.name) is not None:
        return Setting(row.name, names.get(str(row.value), row.value))
    if is_game_name(row.name):
        return Setting(row.name, text_with_other_names(str(row.value), names))
    if star is not None:
        try:
            (entry,) = parsers[star.game].parse([star.entry])
            text = str(_entry_with_other_names(entry, names))
        except (EntryError, KeyError):  # the star has another text
            text = text_with_other_names(star.entry, names)
        return Setting(row.name.removesuffix(star.entry) + text, row.value)
    return row


def _entry_with_other_names(entry: Entry, names: Names) -> Entry:
    """The entry with the names of its seats replaced, and the names in a reason that somebody
    wrote."""
    said: Any = with_seats_renamed(entry, names)
    if reason := getattr(said, "reason", ""):
        said = replace(said, reason=text_with_other_names(reason, names))
    found: Entry = said
    return found


def text_with_other_names(text: str, names: Names) -> str:
    """Text that people wrote, with these names replaced, whether spelled with _ or with spaces."""
    spelled = {
        spelling: new for name, new in names.items() for spelling in (name, name.replace("_", " "))
    }
    order = sorted(spelled, key=len, reverse=True)
    pattern = "|".join(f"({_name_pattern(spelling)})" for spelling in order)

    def instead(found: re.Match[str]) -> str:
        return spelled[order[(found.lastindex or 1) - 1]]

    return re.sub(pattern, instead, text, flags=re.IGNORECASE) if order else text


def _name_pattern(spelling: str) -> str:
    pattern = re.escape(spelling)
    return rf"(?<!\w){pattern}(?!\w)" if len(spelling) < SHORT_NAME else pattern
