"""Walks through the chain of a record's rows (ChainLink, database.py), reports missing ones, and
computes check words, by which people can notice that a game has lost rows.

A row counts only if it is unchanged. A changed row is treated as lost and leaves a gap, like a row
that can't be found any more. The rows in a gap may have belonged to the game before it or to the
game after it."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from companion.core.values import dataclass
from companion.record.store.database import (
    COLUMNS,
    START,
    ChainLink,
    DamagedError,
    link_from_columns,
)

# ---------------------------------------------------------------- check words

# If a card loses rows without a trace, such as the newest rows with their copies, no program can
# notice it. People can: the game's check word then differs from the one that they noted.

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
"""Sixteen consonants and four vowels, so that a check word has sixteen bits: one loss in 65,536
goes unnoticed."""


def check_word(hashes: Iterable[bytes]) -> str:
    """The check word of a game, as in “lupod”: five letters computed from its rows' hashes in
    order, short enough to note on the score sheet."""
    number = int.from_bytes(hashlib.sha256(b"".join(hashes)).digest()[:2], "big")
    return "".join(_letters(number))


def check_words_so_far(hashes: Iterable[bytes]) -> Iterator[str]:
    """The game's check word after each of its rows."""
    so_far = b""
    for one in hashes:
        so_far += one
        yield check_word([so_far])


def _letters(number: int) -> Iterator[str]:
    for place, letters in enumerate((CONSONANTS, VOWELS) * 2 + (CONSONANTS,)):
        shift = (12, 10, 6, 4, 0)[place]
        yield letters[number >> shift & len(letters) - 1]


# ---------------------------------------------------------------- walking


ROWS_AT_ONCE = 500
"""How many rows a query reads at once, to be fast with little memory."""

ROWS_A_PAGE = 40
"""The most rows that fit on a 4 KiB page: each has at least two hashes and some JSON."""

HIGHEST_SEQ = 2**63 - 1
"""The highest row number in SQLite."""

Query = Callable[..., list[Any]]
"""A function that returns the rows for an SQL query and its values. Raises StoreError, or
DamagedError if the file is damaged."""


@dataclass(frozen=True, slots=True)
class ChainBreak:
    """Rows that are missing or were changed. If `last` is one less than `first`, none is missing,
    but row `first` doesn't continue the chain of the row before it. `why`: missing, changed,
    unreadable or unchained."""

    first: int
    last: int
    why: str = "missing"
    game: object = None
    """The game number of a changed or unchained row, as read from the file, so it may be of any
    type; otherwise None."""

    def __str__(self) -> str:
        one = self.last <= self.first
        rows = f"row {self.first}" if one else f"rows {self.first} to {self.last}"
        game = f" (game {self.game})" if self.game is not None else ""
        match self.why:
            case "changed":
                what = "was changed after it was" if one else "were changed after they were"
                return f"{rows}{game} {what} written"
            case "unreadable":
                return f"{rows} can't be read"
            case "unchained":
                return f"{rows}{game} does not follow on the row before it"
        return f"{rows} {'is' if one else 'are'} missing"


LinkOrBreak = ChainLink | ChainBreak


def walk(ask: Query, first: int = 1) -> Iterator[LinkOrBreak]:
    """Every row from number `first` on, with a ChainBreak in place of missing ones. Raises
    StoreError."""
    return walk_links(map(_check_row, _all_columns(ask, first)), first)


def walk_links(found: Iterable[LinkOrBreak], first: int = 1) -> Iterator[LinkOrBreak]:
    """The rows in `found` from number `first` on, with a ChainBreak in place of absent ones. A
    ChainBreak in `found` shows why rows are absent."""
    expected, before = first, START if first == 1 else None
    bad: dict[int, ChainBreak] = {}
    for link in found:
        if isinstance(link, ChainBreak):
            bad.setdefault(link.first, link)
            continue
        if link.seq < expected:
            continue  # SQLite returns rows of a damaged tree twice, or out of order
        if link.seq > expected:
            yield from _missing_between(expected, link.seq - 1, bad)
        elif bad:
            yield from _missing_between(expected, expected - 1, bad)
        elif before is not None and not _follows(link, before):
            yield ChainBreak(link.seq, link.seq - 1, "unchained", link.game)
        yield link
        expected, before = link.seq + 1, link.hash
        bad = {}
    yield from _missing_between(expected, expected + len(bad) - 1, bad)


def _follows(link: ChainLink, before: bytes) -> bool:
    """Returns whether a row follows the one with the hash `before`. A `lost` row counts as
    following any row, because rows may have been restored from copies just before it."""
    return link.before == before or (not link.game and '"kind": "lost"' in link.row)


def _check_row(found: Any) -> LinkOrBreak:
    """The row in these columns, or a ChainBreak if it was changed."""
    if isinstance(found, ChainBreak):
        return found
    link = link_from_columns(found)
    if link is not None and link.intact:
        return link
    return ChainBreak(found[0], found[0], "changed", found[1])


def _missing_between(first: int, last: int, bad: dict[int, ChainBreak]) -> Iterator[ChainBreak]:
    """A ChainBreak for each stretch of missing rows from `first` to `last`, with the reason from
    `bad` if known."""
    if first > last:
        return
    known = [bad[seq] for seq in sorted(bad) if first <= seq <= last]
    if not known and bad:  # the damage changed the row's number
        known = [replace(next(iter(bad.values())), first=first, last=last)]
    at = first
    for one in known:
        if one.first > at:
            yield ChainBreak(at, one.first - 1)
        yield one
        at = one.last + 1
    if at <= last:
        yield ChainBreak(at, last)


def walk_back(ask: Query) -> Iterator[LinkOrBreak]:
    """Every row from the last to the first, with a ChainBreak for missing ones. A row is yielded
    only after the row before it has been read, which shows whether a row is missing between the
    two. Raises StoreError."""
    after: ChainLink | None = None
    question = f"SELECT {COLUMNS} FROM record NOT INDEXED WHERE seq <= ? ORDER BY seq DESC LIMIT ?"
    last, many = HIGHEST_SEQ, ROWS_AT_ONCE // 4
    while found := ask(question, last, many):
        for columns in found:
            item = _check_row(columns)
            if isinstance(item, ChainBreak):
                yield item
                continue
            if after is not None:
                yield after
                yield from _missing_before(item.seq, item.hash, after)
            after = item
        if not 0 < found[-1][0] <= last:
            raise DamagedError("the file is damaged (its rows are out of order)")
        last = found[-1][0] - 1
    if after is not None:
        yield after
        yield from _missing_before(0, START, after)


def _missing_before(seq: int, before: bytes, link: ChainLink) -> Iterator[ChainBreak]:
    """The rows missing between row `seq`, with the hash `before`, and the next row found,
    `link`."""
    if link.seq > seq + 1:
        yield ChainBreak(seq + 1, link.seq - 1)
    elif not _follows(link, before):
        yield ChainBreak(link.seq, link.seq - 1, "unchained", link.game)


def _all_columns(ask: Query, first: int) -> Iterator[Any]:
    """The columns of every row from number `first` on, in order. Rows that damage keeps from being
    read in bulk are read one by one."""
    question = (
        f"SELECT {COLUMNS} FROM record NOT INDEXED WHERE seq >= ? ORDER BY seq LIMIT {ROWS_AT_ONCE}"
    )
    at = first
    while True:
        try:
            found = ask(question, at)
        except DamagedError:
            at = yield from _read_one_by_one(ask, at)
            if at == 0:
                return
            continue
        highest = max((columns[0] for columns in found), default=0)
        if len(found) == ROWS_AT_ONCE and highest < at:
            # A damaged tree leads back to rows before the requested ones.
            at = yield from _read_one_by_one(ask, at)
            if at == 0:
                return
            continue
        yield from found
        if len(found) < ROWS_AT_ONCE or highest == HIGHEST_SEQ:
            return
        at = highest + 1


def _read_one_by_one(ask: Query, first: int) -> Any:
    """Yields the columns of rows that can't be read in bulk, or a ChainBreak for a row that can't
    be read at all. Returns the number of the next row to read in bulk (0 if there is none)."""
    question = f"SELECT {COLUMNS} FROM record NOT INDEXED WHERE seq = ?"
    try:
        last = ask("SELECT max(seq) FROM record NOT INDEXED")[0][0] or 0
    except DamagedError:
        # The last row can't be read, but there may be readable rows before it.
        last = first + ROWS_AT_ONCE
    (pages,) = ask("PRAGMA page_count")[0]
    for seq in range(first, min(last, first + pages * ROWS_A_PAGE) + 1):
        try:
            found = ask(question, seq)
        except DamagedError:
            yield ChainBreak(seq, seq, "unreadable")
            continue
        yield from found
        if found and seq >= first + ROWS_AT_ONCE:
            return seq + 1
    return 0


def by_game(items: Iterable[LinkOrBreak]) -> Iterator[tuple[int, LinkOrBreak]]:
    """Yields each row with the number of its game (0 for a row of the box). Missing rows may belong
    to the game before them or to the game after them, so they are yielded once with each; but if
    the later game begins right after them, they are yielded only with the game before."""
    playing, holes = 0, list[ChainBreak]()
    for item in items:
        if isinstance(item, ChainBreak):
            holes.append(item)
            yield playing, item
            continue
        if item.game:
            if item.game != playing and '"kind": "opened"' not in item.row:
                yield from ((item.game, hole) for hole in holes)
            playing, holes = item.game, []
        yield item.game, item
