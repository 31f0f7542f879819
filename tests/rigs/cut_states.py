"""Every state that the files of a record can be in after the power was cut.

FileSynced changes are on the disk. Any selection of the other changes may be there too: each write,
size and name on its own, and a write even in parts. If there are too many selections, only some are
tried: none, all, each alone, all but one, the first ones, and some at random, the same in each run.
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
    FileResized,
    FileSynced,
    FileWritten,
    FolderSynced,
    NamesChanged,
    RowRefused,
    RowsReported,
    SyncFailed,
)

SECTOR = 512
"""Bytes that a disk writes at once."""
ALL = 8
"""The most changes of which every selection is tried."""
BY_CHANCE = 64


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment when the power may go. `disk`: the part that is certainly there; `pending`: changes
    that may be there as well, in the order in which they were made; `rows`: the number of rows that
    the program had reported as kept; `refused`: the times of rows that it had reported as not
    saved."""

    disk: Disk
    pending: tuple[Change, ...]
    rows: int
    refused: frozenset[float]


def instants(
    before: Disk, events: Sequence[Event], rows: int, since: Event | None = None
) -> Iterator[Instant]:
    """The moments just before each sync, and the last one. A state that is possible at any other
    moment is possible at the next of these. `since`: only the moments from that event on."""
    disk, pending = before.copy(), list[Change]()
    given_up, refused = list[FileWritten](), set[float]()
    for event in events:
        since = None if event is since else since
        match event:
            case RowsReported(said):
                rows = said
            case RowRefused(at, perhaps):
                refused |= set() if perhaps else {at}
            case SyncFailed(what):
                # The kernel reports the failure once, and forgets that these writes were not done.
                # A size is not content: the next sync of the file brings it.
                given_up += [
                    one for one in pending if isinstance(one, FileWritten) and one.file == what
                ]
            case FileSynced() | FolderSynced():
                if since is None:
                    yield Instant(disk.copy(), tuple(pending), rows, frozenset(refused))
                for change in [one for one in pending if _brings(event, one)]:
                    if any(change is one for one in given_up):
                        continue
                    disk.change(change)
                    pending = [one for one in pending if one is not change]
                    pending = _under(pending, change, given_up)
                pending = [one for one in pending if _counts(one, disk, pending)]
            case _:
                pending.append(event)
    yield Instant(disk.copy(), tuple(pending), rows, frozenset(refused))


def _brings(sync: FileSynced | FolderSynced, change: Change) -> bool:
    """Whether a change is on the disk after a sync."""
    if isinstance(change, NamesChanged):
        folder = str(PurePath(change.names[0][0]).parent)
        return isinstance(sync, FolderSynced) and sync.folder == folder
    return isinstance(sync, FileSynced) and sync.file == change.file


def _under(pending: Sequence[Change], brought: Change, given_up: list[FileWritten]) -> list[Change]:
    """The pending changes once `brought` is on the disk. Of writes that were given up before, only
    the parts that `brought` doesn't cover or cut off can still come there."""
    left: list[Change] = []
    for one in pending:
        lost = any(one is other for other in given_up)
        if not (
            lost
            and isinstance(one, FileWritten)
            and isinstance(brought, FileWritten | FileResized)
            and one.file == brought.file
        ):
            left.append(one)
            continue
        end = one.offset + len(one.data)
        if isinstance(brought, FileResized):
            sides = [(one.offset, min(end, brought.size))]
        else:
            covered = brought.offset + len(brought.data)
            sides = [(one.offset, min(end, brought.offset)), (max(one.offset, covered), end)]
        parts = [_part(one, first, last) for first, last in sides if first < last]
        given_up += parts
        left += parts
    return left


def _counts(change: Change, disk: Disk, pending: Sequence[Change]) -> bool:
    """Whether a change matters, which it doesn't if its file has no name and never gets one."""
    if isinstance(change, NamesChanged):
        return True
    given = (file for one in pending if isinstance(one, NamesChanged) for _, file in one.names)
    return change.file in disk.names.values() or change.file in given


def states(instant: Instant, chance: Random) -> Iterator[dict[str, bytes]]:
    """All states of the files that the disk may have after a power cut at `instant`."""
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
        if isinstance(change, FileWritten):
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


def _torn(whole: FileWritten, chance: Random) -> Iterator[list[Change]]:
    """Ways in which only a part of a write is there: some sectors, the bytes up to a place or from
    it on, or only the size that the file got by it."""
    end = whole.offset + len(whole.data)
    yield [FileWritten(whole.file, end, b"")]
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


def _part(whole: FileWritten, first: int, last: int) -> FileWritten:
    return FileWritten(whole.file, first, whole.data[first - whole.offset : last - whole.offset])


# ---------------------------------------------------------------- worse disks


def garbled(instant: Instant, chance: Random, sector: int) -> Iterator[dict[str, bytes]]:
    """States of a disk that writes sectors of `sector` bytes and leaves garbage in the one that it
    was writing, even over bytes that were synced there before."""
    for at, change in enumerate(instant.pending):
        if not isinstance(change, FileWritten) or not change.data:
            continue
        first = change.offset // sector * sector
        last = (change.offset + len(change.data) - 1) // sector * sector
        for place in dict.fromkeys((first, last)):
            disk = instant.disk.copy()
            for one in instant.pending[:at]:
                disk.change(one)
            if place > change.offset:
                disk.change(_part(change, change.offset, place))
            there = len(disk.files.get(change.file, b""))
            end = max(min(place + sector, there), min(place + sector, change.offset + 1))
            disk.change(FileWritten(change.file, place, chance.randbytes(max(end - place, 1))))
            yield disk.seen()


def torn_together(instant: Instant, chance: Random, many: int) -> Iterator[dict[str, bytes]]:
    """`many` random states in which each change is there or not, or is a write that is there in
    parts."""
    if sum(isinstance(change, FileWritten) for change in instant.pending) < 2:
        return
    for _ in range(many):
        disk = instant.disk.copy()
        for change in instant.pending:
            whole = chance.random()
            if whole < 0.3:
                continue
            if whole < 0.6 or not isinstance(change, FileWritten) or len(change.data) < 2:
                disk.change(change)
                continue
            for part in chance.choice(list(_torn(change, chance))):
                disk.change(part)
        yield disk.seen()
