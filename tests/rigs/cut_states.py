"""Every state that the files of a record can be in after the power was cut.

What was synced is there. Of what was not, anything may be: each write, size and name by itself, in
any selection, and a write also in parts. Where there are too many selections to try them all, a
choice is tried: none, all, each alone, all but one, the first so many, and some by chance, always
the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import PurePath
from random import Random

from tests.rigs.cut_disk import (
    Change,
    Disk,
    Event,
    FolderSynced,
    Named,
    Said,
    Synced,
    Written,
)

SECTOR = 512
"""What a disk writes at once, in bytes."""
ALL = 8
"""Up to so many changes, every selection is tried."""
BY_CHANCE = 64


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment when the power may go: what is on the disk for certain, what may be there besides,
    in the order in which it was done, and how many rows the program took for kept."""

    disk: Disk
    pending: tuple[Change, ...]
    rows: int


def instants(before: Disk, events: Sequence[Event], rows: int) -> Iterator[Instant]:
    """The moments just before something was synced, and the last one. At any other, nothing is
    possible that isn't at the next of these."""
    disk, pending = before.copy(), list[Change]()
    for event in events:
        match event:
            case Said(said):
                rows = said
            case Synced() | FolderSynced():
                yield Instant(disk.copy(), tuple(pending), rows)
                for change in [one for one in pending if _brings(event, one)]:
                    disk.change(change)
                    pending.remove(change)
                pending = [one for one in pending if _counts(one, disk, pending)]
            case _:
                pending.append(event)
    yield Instant(disk.copy(), tuple(pending), rows)


def _brings(sync: Synced | FolderSynced, change: Change) -> bool:
    """Whether a sync brings a change to the disk."""
    if isinstance(change, Named):
        folder = str(PurePath(change.names[0][0]).parent)
        return isinstance(sync, FolderSynced) and sync.folder == folder
    return isinstance(sync, Synced) and sync.file == change.file


def _counts(change: Change, disk: Disk, pending: Sequence[Change]) -> bool:
    """Not so if it is about a file that has no name and will have none."""
    if isinstance(change, Named):
        return True
    given = (file for one in pending if isinstance(one, Named) for _, file in one.names)
    return change.file in disk.names.values() or change.file in given


def states(instant: Instant, chance: Random) -> Iterator[dict[str, bytes]]:
    """What may lie on the disk then."""
    for changes in _selections(instant.pending, chance):
        disk = instant.disk.copy()
        for change in changes:
            disk.change(change)
        yield disk.seen()


def _selections(pending: Sequence[Change], chance: Random) -> Iterator[list[Change]]:
    many = len(pending)
    for chosen in _chosen(many, chance):
        yield [change for change, there in zip(pending, chosen, strict=True) if there]
    for at, change in enumerate(pending):
        if isinstance(change, Written):
            for torn in _torn(change, chance):
                yield [*pending[:at], *torn]
                yield [*pending[:at], *torn, *pending[at + 1 :]]


def _chosen(many: int, chance: Random) -> Iterator[Sequence[bool]]:
    if many <= ALL:
        yield from product((False, True), repeat=many)
        return
    for at in range(many + 1):
        yield [place < at for place in range(many)]
        yield [place == at for place in range(many)]
        yield [place != at for place in range(many)]
    for _ in range(BY_CHANCE):
        yield [chance.random() < 0.5 for _ in range(many)]


def _torn(whole: Written, chance: Random) -> Iterator[list[Change]]:
    """A write of which a part is there: sectors of it, bytes up to a place or from it on, or only
    the size that the file got by it."""
    end = whole.offset + len(whole.data)
    yield [Written(whole.file, end, b"")]
    edges = [whole.offset, *range(whole.offset // SECTOR * SECTOR + SECTOR, end, SECTOR), end]
    sectors = list(pairwise(edges))
    if len(sectors) > 1:
        some = [one for one in sectors if chance.random() < 0.5]
        half = len(sectors) // 2
        for there in (sectors[:1], sectors[1:], sectors[:-1], sectors[:half], some):
            yield [_part(whole, first, last) for first, last in there]
    place = chance.randrange(whole.offset + 1, end)
    yield [_part(whole, whole.offset, place)]
    yield [_part(whole, place, end)]


def _part(whole: Written, first: int, last: int) -> Written:
    return Written(whole.file, first, whole.data[first - whole.offset : last - whole.offset])
