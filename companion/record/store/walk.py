"""The rows of a record in their order, each checked, and the places where some are missing.

A row counts if it is what was written. One that is not is as good as lost: where it stood is a gap,
like the place of a row that nobody finds any more. What lies in a gap may have belonged to the game
that was being played there, or to the one that goes on after it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from companion.core.values import dataclass
from companion.record.store.chain import COLUMNS, START, ChainLink, link_of
from companion.record.store.faults import DamagedError

CHUNK = 500
"""Rows that are asked for at once: few enough to hold, many enough to be quick."""

ROWS_A_PAGE = 40
"""More than this fit into no page of 4 KiB: a row takes at least its two hashes and some JSON."""

HIGHEST = 2**63 - 1
"""No number of a row is greater: SQLite has none."""

Ask = Callable[..., list[Any]]
"""A question in SQL and its values; raises StoreError: DamagedError if the file is damaged."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Rows that are not there as they were written. `last` one less than `first`: none, but the row
    after does not follow on the one before. `why`: missing, changed, unreadable or unchained."""

    first: int
    last: int
    why: str = "missing"
    game: object = None
    """The game that a changed row says it belongs to."""

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


Walked = ChainLink | Missing


def walk(ask: Ask, first: int = 1) -> Iterator[Walked]:
    """Every row from number `first` on, and in its place whatever is missing. Raises StoreError."""
    return walk_links(map(_checked, _rows(ask, first)), first)


def walk_links(found: Iterable[Walked], first: int = 1) -> Iterator[Walked]:
    """The rows that were found, each as it was written, from number `first` on, and in its place
    whatever is missing. A Missing among them says why a row is not there."""
    expected, before = first, START if first == 1 else None
    bad: dict[int, Missing] = {}
    for link in found:
        if isinstance(link, Missing):
            bad.setdefault(link.first, link)
            continue
        if link.seq < expected:
            continue  # a damaged tree gives a row twice, or too late
        if link.seq > expected:
            yield from _hole(expected, link.seq - 1, bad)
        elif bad:
            yield from _hole(expected, expected - 1, bad)
        elif before is not None and not _follows(link, before):
            yield Missing(link.seq, link.seq - 1, "unchained", link.game)
        yield link
        expected, before = link.seq + 1, link.hash
        bad = {}
    yield from _hole(expected, expected + len(bad) - 1, bad)


def _follows(link: ChainLink, before: bytes) -> bool:
    """Whether a row follows on the one with that hash. A row that speaks of a loss need not: rows
    may have come back since, from copies, just before it."""
    return link.before == before or (not link.game and '"kind": "lost"' in link.row)


def _checked(found: Any) -> Walked:
    """The row that the columns make, or a Missing where it is not what was written."""
    if isinstance(found, Missing):
        return found
    link = link_of(found)
    if link is not None and link.intact:
        return link
    return Missing(found[0], found[0], "changed", found[1])


def _hole(first: int, last: int, bad: dict[int, Missing]) -> Iterator[Missing]:
    """The rows that are missing from `first` to `last`, by their reasons."""
    if first > last:
        return
    known = [bad[seq] for seq in sorted(bad) if first <= seq <= last]
    if not known and bad:  # its number is what was damaged
        known = [replace(next(iter(bad.values())), first=first, last=last)]
    at = first
    for one in known:
        if one.first > at:
            yield Missing(at, one.first - 1)
        yield one
        at = one.last + 1
    if at <= last:
        yield Missing(at, last)


def walk_back(ask: Ask) -> Iterator[Walked]:
    """Every row from the last one back to the first, and whatever is missing; each is given once
    the row before it has shown that it follows on it. Raises StoreError."""
    after: ChainLink | None = None
    question = f"SELECT {COLUMNS} FROM record NOT INDEXED WHERE seq <= ? ORDER BY seq DESC LIMIT ?"
    last, many = HIGHEST, CHUNK // 4
    while found := ask(question, last, many):
        for columns in found:
            item = _checked(columns)
            if isinstance(item, Missing):
                yield item
                continue
            if after is not None:
                yield after
                yield from _between(item.seq, item.hash, after)
            after = item
        if not 0 < found[-1][0] <= last:
            raise DamagedError("the file is damaged (its rows are out of order)")
        last = found[-1][0] - 1
    if after is not None:
        yield after
        yield from _between(0, START, after)


def _between(seq: int, before: bytes, link: ChainLink) -> Iterator[Missing]:
    """What is missing between row `seq`, which has that hash, and the next one."""
    if link.seq > seq + 1:
        yield Missing(seq + 1, link.seq - 1)
    elif not _follows(link, before):
        yield Missing(link.seq, link.seq - 1, "unchained", link.game)


def _rows(ask: Ask, first: int) -> Iterator[Any]:
    """The columns of every row from number `first` on, in order. Where the file doesn't give them
    at once: those that it gives one by one."""
    question = f"SELECT {COLUMNS} FROM record NOT INDEXED WHERE seq >= ? ORDER BY seq LIMIT {CHUNK}"
    at = first
    while True:
        try:
            found = ask(question, at)
        except DamagedError:
            at = yield from _one_by_one(ask, at)
            if at == 0:
                return
            continue
        highest = max((columns[0] for columns in found), default=0)
        if len(found) == CHUNK and highest < at:
            # A damaged tree leads back to rows before those that were asked for.
            at = yield from _one_by_one(ask, at)
            if at == 0:
                return
            continue
        yield from found
        if len(found) < CHUNK or highest == HIGHEST:
            return
        at = highest + 1


def _one_by_one(ask: Ask, first: int) -> Any:
    """The columns of rows that can't be read at once, as far as each can be read alone; gives the
    number of the row to go on from, 0: none."""
    question = f"SELECT {COLUMNS} FROM record NOT INDEXED WHERE seq = ?"
    try:
        last = ask("SELECT max(seq) FROM record NOT INDEXED")[0][0] or 0
    except DamagedError:
        last = first + CHUNK  # the end itself can't be found: what lies near may be there
    (pages,) = ask("PRAGMA page_count")[0]
    for seq in range(first, min(last, first + pages * ROWS_A_PAGE) + 1):
        try:
            found = ask(question, seq)
        except DamagedError:
            yield Missing(seq, seq, "unreadable")
            continue
        yield from found
        if found and seq >= first + CHUNK:
            return seq + 1
    return 0


def by_game(items: Iterable[Walked]) -> Iterator[tuple[int, Walked]]:
    """Each row with its game (0: a setting of the box). What is missing goes with the game that was
    being played there, and with the one that goes on after it, if that is not just beginning."""
    playing, holes = 0, list[Missing]()
    for item in items:
        if isinstance(item, Missing):
            holes.append(item)
            yield playing, item
            continue
        if item.game:
            if item.game != playing and '"kind": "opened"' not in item.row:
                yield from ((item.game, hole) for hole in holes)
            playing, holes = item.game, []
        yield item.game, item
