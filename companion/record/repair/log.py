"""Rows that SQLite's log holds and SQLite does not give.

A log is a chain of frames, each with a checksum over all before it. Where one is damaged SQLite
drops it and all that come after, without a word: they look to it like a commit that the power cut
short. Most of what is dropped so proves itself by its own hashes, and is looked for here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.core.values import dataclass
from companion.record.repair.carve import LONGEST, carve_links
from companion.record.repair.frames import ends_torn, frames
from companion.record.repair.pages import LEAF, last_of_leaf
from companion.record.store.chain import ChainLink


@dataclass(frozen=True, slots=True)
class Dropped:
    """What a log holds beyond the last row that SQLite gives: rows, in order, and the number of the
    newest one of which there is a trace, readable or not; 0: none."""

    rows: tuple[ChainLink, ...] = ()
    newest: int = 0

    def with_rows(self, more: Iterable[ChainLink], tip: bytes) -> "Dropped":
        """The rows of this log and of a copy of it; `tip` is the hash of the last row before."""
        found: dict[int, list[ChainLink]] = {}
        for link in (*more, *self.rows):
            found.setdefault(link.seq, []).append(link)
        return Dropped(tuple(chosen(found, tip)), max([self.newest, *found]))


def dropped_rows(log: bytes, seq: int, tip: bytes) -> Dropped:
    """What a log has after row `seq`, whose hash is `tip`. That nothing was dropped, as after every
    ordinary end, is found out quickly."""
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
    """The highest number above `seq` at the end of a page of rows; 0 if none is. Every row takes a
    frame at least, so a number higher than that is a damaged one."""
    pages = [frame.page for frame in frames(log)]
    numbers = (last_of_leaf(page) or 0 for page in pages if page[0] == LEAF)
    return max((number for number in numbers if seq < number <= seq + len(pages)), default=0)


def _follow(log: bytes, seq: int, tip: bytes) -> Iterator[ChainLink]:
    """Rows that say that they follow on the one with that hash."""
    at = log.find(tip)
    while at >= 0:
        near = log[max(0, at - LONGEST) : at + 2 * len(tip)]
        yield from (link for link in carve_links(near, seq) if link.before == tip)
        at = log.find(tip, at + 1)


def chosen(found: Mapping[int, Sequence[ChainLink]], tip: bytes | None = None) -> list[ChainLink]:
    """One row for each number, in order. A row that was written but never committed may lie beside
    the one that took its place: the neighbours tell which of them counts, else the later does."""
    befores = {link.before for links in found.values() for link in links}
    rows: list[ChainLink] = []
    for seq in sorted(found):
        follows = [link for link in found[seq] if link.before == tip] or found[seq]
        link = next((one for one in reversed(follows) if one.hash in befores), follows[-1])
        rows.append(link)
        tip = link.hash
    return rows
