"""A record of copies: what they have and the record has not goes back into it, or all of them
together make a new one.

Nothing that the record has is ever given up for it: where the copies tell another story, as after a
card has lost rows and play has gone on, a record beside is made of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from companion.core.values import dataclass
from companion.record.copies.copies import fitting, folders
from companion.record.copies.stick import Offer, has_games, offered_by
from companion.record.repair.log import chosen
from companion.record.repair.salvage import Own, Readable, gaps_in, make_record, replace_record
from companion.record.store.chain import START, ChainLink
from companion.record.store.faults import StoreError
from companion.record.store.reader import Reader

ON_A_STICK = "table-companion"
"""The folder of the copies on a stick."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What was made: what it has, in words; how many rows came from copies; under which name the
    record is kept as it was; how many rows the copies have besides, of another story."""

    has: str
    came_back: int
    kept: str | None
    others: int


Copied = Mapping[Path, Sequence[ChainLink]]
"""Rows by the folder that has them."""


def copies_at(places: Iterable[Path]) -> Copied:
    """All rows of the copies at these places; the root of a stick is one, too. Raises OSError."""
    near = (folder for place in places for folder in (place, place / ON_A_STICK))
    found = {folder.path: [*folder.rows()] for place in near for folder in folders(place)}
    return {path: links for path, links in found.items() if links}


def restore(record: Path, copied: Copied) -> Restored:
    """Puts rows that only the copies have into a record, which nobody else may write meanwhile; it
    is left alone where there are none. Raises OSError, sqlite3.Error, StoreError."""
    if not record.exists():
        return make(record, copied)
    every = [link for links in copied.values() for link in links]
    own = Own.of(record)
    found = own.with_copies(every)
    came_back = len(found.links) - len(own.rows)
    kept = replace_record(record, found.with_mark(record.name, None)).name if came_back else None
    return _restored(found, every, came_back, kept)


def make(record: Path, copied: Copied) -> Restored:
    """A new record of copies alone. Raises OSError, sqlite3.Error; StoreError where there are none,
    or those of two records."""
    if not copied:
        raise StoreError("there are no copies of a record: name the folder where they are")
    names = {path.name.partition(".")[0]: path for path in copied}
    if len(names) > 1:
        told = " or ".join(map(str, names.values()))
        raise StoreError(
            "copies of {many} records are there: name one of them: {told}",
            many=len(names),
            told=told,
        )
    *others, newest = sorted(copied.values(), key=lambda links: max(link.seq for link in links))
    links = _of_one(newest)
    every = [link for links in others for link in links]
    links |= fitting(links, every)
    rows = tuple(links[seq] for seq in sorted(links))
    found = Readable(rows, gaps_in(rows, rows[-1].seq))
    make_record(record, found.with_mark(next(iter(names)), None))
    return _restored(found, every, len(rows), None)


def make_offer(record: Path, place: Path) -> Offer | None:
    """The copies at a place as a record beside one that has no game, of several records the one
    that was played last; None where there are no games, or the record has some. Raises OSError,
    sqlite3.Error, StoreError."""
    made = offered_by(place, record)
    made.unlink(missing_ok=True)
    if has_games(record) or not (copied := newest(copies_at([place]))):
        return None
    make(made, copied)
    with Reader.open(made, {}) as reader:
        games, row = len([*reader.numbers()]), reader.last_row()
    if not games:
        made.unlink()
        return None
    return Offer(made.name, games, _last_at(copied), row)


def newest(copied: Copied) -> Copied:
    """The copies of the record that was played last, of all that are there."""
    by_record: dict[str, dict[Path, list[ChainLink]]] = {}
    for path, links in copied.items():
        name = path.name.partition(".")[0]
        by_record.setdefault(name, {})[path] = list(links)
    return max(by_record.values(), key=_played_last, default={})


def _played_last(copies: Copied) -> tuple[float, int]:
    return _last_at(copies) or 0.0, max(link.seq for link in _every(copies))


def _last_at(copies: Copied) -> float | None:
    return max((link.at for link in _every(copies) if link.at), default=None)


def _every(copies: Copied) -> Iterable[ChainLink]:
    return (link for links in copies.values() for link in links)


def _of_one(links: Iterable[ChainLink]) -> dict[int, ChainLink]:
    found: dict[int, list[ChainLink]] = {}
    for link in links:
        if link not in (same := found.setdefault(link.seq, [])):
            same.append(link)
    return {link.seq: link for link in chosen(found, START)}


def _restored(
    found: Readable, copied: Iterable[ChainLink], came_back: int, kept: str | None
) -> Restored:
    ours = {link.hash for link in found.links}
    others = {link.hash for link in _of_this(copied, ours)} - ours
    return Restored(str(found), came_back, kept, len(others))


def _of_this(copied: Iterable[ChainLink], ours: set[bytes]) -> Iterator[ChainLink]:
    """Copied rows that follow, by others, on one of ours."""
    known = set(ours)
    for link in sorted(copied, key=lambda link: link.seq):
        if link.before in known:
            known.add(link.hash)
            yield link
