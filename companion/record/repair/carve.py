"""Rows found by their bytes alone, whatever became of the file around them; also rows that stand in
the log and that SQLite does not give.

A row proves itself by its hash (store/chain.py), so it is looked for by its pattern: the end of a
row's header and the start of its JSON, as SQLite lays them down (SQLite file format, 2.1).
"""

import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from companion.core.values import dataclass
from companion.record.repair.pages import LEAF, ends_torn, frames, last_of_leaf, stretches, varint
from companion.record.store.chain import ChainLink, link_of

LONGEST = 1 << 16
"""The most bytes of a row that lies in one piece: pages have 64 KiB at most."""

_ROW = re.compile(rb'(?=\x4c\x4c.{0,8}?\{"v": )', re.DOTALL)
"""The end of a row's header: two blobs of 32 bytes; its game and the start of its JSON follow."""

_NUMBERS = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0}
"""Bytes that a column takes, by its type in the header."""


def rows_in(path: Path, above: int = 0) -> Iterator[ChainLink]:
    """The rows of a file whose numbers are greater than `above`, in the order in which they lie;
    some may come twice. Raises OSError if the file can't be opened."""
    before = b""
    for data in stretches(path):
        whole = before + data
        yield from carve_links(whole, above)
        # A row that begins near the end is found again, whole, with what follows.
        before = whole[-LONGEST:]


def carve_links(data: bytes, above: int = 0) -> Iterator[ChainLink]:
    """The rows in `data` whose numbers are greater than `above`, found by payload length, seq,
    header and columns."""
    for match in _ROW.finditer(data):
        # A header is six to nineteen bytes, its own length first; where it starts is tried out.
        for start in range(max(0, match.start() - 12), match.start() - 4):
            link = _carved(data, start, match.start() + 2, above)
            if link is not None:
                yield link
                break


def _carved(data: bytes, start: int, body: int, above: int) -> ChainLink | None:
    """The intact row whose header takes data[start:body], if there is one with a number greater
    than `above`."""
    if data[start] != body - start:
        return None
    numbers = list(_numbers_before(data, start))
    if all(seq <= above for seq in numbers):
        return None
    types, at = [], start + 1
    while at < body:
        kind, at = varint(data, at)
        types.append(kind)
    if len(types) != 7 or types[0] != 0:
        return None
    values: list[object] = []
    at = body
    for kind in types[1:]:
        size = _NUMBERS.get(kind, (kind - 12) // 2)
        if size < 0:
            return None
        values.append(_value(kind, data[at : at + size]))
        at += size
    if isinstance(values[2], int):
        values[2] = float(values[2])  # SQLite stores a whole number of seconds so
    for seq in numbers:
        link = link_of((seq, *values))
        if link is not None and link.intact:
            return link
    return None


def _numbers_before(data: bytes, start: int) -> Iterator[int]:
    """The possible numbers of the row whose header begins at `start`: the number stands just
    before."""
    for length in range(1, 6):
        seq, end = varint(data, start - length) if start >= length else (0, 0)
        if end == start:
            yield seq


def _value(kind: int, raw: bytes) -> object:
    if kind == 0:
        return None
    if kind == 7:
        return struct.unpack(">d", raw)[0] if len(raw) == 8 else None
    if kind in _NUMBERS:
        return kind - 8 if kind in (8, 9) else int.from_bytes(raw, "big", signed=True)
    return raw.decode(errors="replace") if kind % 2 else raw


# ---------------------------------------------------------------- the log

# If a frame of the log is damaged, SQLite silently drops it and all frames after it: to SQLite they
# look like a commit that a power cut broke off. Most of the rows that are dropped this way prove
# themselves by their own hashes.


@dataclass(frozen=True, slots=True)
class Dropped:
    """What a log holds after the last row that SQLite gives. `rows`: its rows, in order; `newest`:
    the number of the newest row of which there is a trace, readable or not (0: none)."""

    rows: tuple[ChainLink, ...] = ()
    newest: int = 0

    def with_rows(self, more: Iterable[ChainLink], tip: bytes) -> "Dropped":
        """The rows of this log together with `more`, those of a copy of it; `tip` is the hash of
        the last row before them."""
        found: dict[int, list[ChainLink]] = {}
        for link in (*more, *self.rows):
            found.setdefault(link.seq, []).append(link)
        return Dropped(tuple(chosen(found, tip)), max([self.newest, *found]))


def dropped_rows(log: bytes, seq: int, tip: bytes) -> Dropped:
    """What a log has after row `seq`, whose hash is `tip`. Usually nothing was dropped, which is
    found out quickly."""
    if not log:
        return Dropped()
    newest = max(_newest(log, seq), seq + 1 if ends_torn(log) else 0)
    if seq and not newest and not any(_follow(log, seq, tip)):
        return Dropped()
    found: dict[int, list[ChainLink]] = {}
    for link in carve_links(log, seq):
        found.setdefault(link.seq, []).append(link)
    rows = tuple(chosen(found, tip))
    return Dropped(rows, max([newest, *(link.seq for link in rows)]))


def _newest(log: bytes, seq: int) -> int:
    """The highest number of a row that ends a page of rows, among those above `seq`; 0 if there is
    none. Every row takes a frame at least, so a number that is too high for the frames is a damaged
    one."""
    pages = [frame.page for frame in frames(log)]
    numbers = (last_of_leaf(page) or 0 for page in pages if page[0] == LEAF)
    return max((number for number in numbers if seq < number <= seq + len(pages)), default=0)


def _follow(log: bytes, seq: int, tip: bytes) -> Iterator[ChainLink]:
    """Rows with a number above `seq` that follow on the row whose hash is `tip`."""
    at = log.find(tip)
    while at >= 0:
        near = log[max(0, at - LONGEST) : at + 2 * len(tip)]
        yield from (link for link in carve_links(near, seq) if link.before == tip)
        at = log.find(tip, at + 1)


def chosen(found: Mapping[int, Sequence[ChainLink]], tip: bytes | None = None) -> list[ChainLink]:
    """One row for each number, in order. A row that was written but never committed may lie beside
    the row that took its place: the one that fits its neighbours counts, or else the later one."""
    befores = {link.before for links in found.values() for link in links}
    rows: list[ChainLink] = []
    for seq in sorted(found):
        follows = [link for link in found[seq] if link.before == tip] or found[seq]
        link = next((one for one in reversed(follows) if one.hash in befores), follows[-1])
        rows.append(link)
        tip = link.hash
    return rows
