"""Checks the disk under the record: does it keep what is written, how fast, and is there room?"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from companion.check.bench import Bench, user_name
from companion.check.finding import Finding, fault, not_tried, ok, warning
from companion.check.mounts import mount_of, read_only, vanishes

WRITES = 40
SIZE = 4120
"""Bytes of a write: one page in SQLite's log, which is what most entries cost."""

RECKONED_S = 0.020
"""The seconds for an fsync that the figures for key presses count on (make bench)."""

FULL, TIGHT = 5_000_000, 100_000_000
"""Bytes free: below FULL a few evenings may not fit, below TIGHT it is worth a look."""

MOVE = "[record] path in the configuration can put it on a disk that keeps it"


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds from the start of a write until it is synced, over some tens of writes."""

    median: float
    p95: float
    worst: float

    @classmethod
    def of(cls, times: list[float]) -> "Times":
        """The figures of these measured times."""
        ordered = sorted(times)
        last = len(ordered) - 1
        return cls(ordered[last // 2], ordered[round(last * 0.95)], ordered[-1])

    @property
    def figures(self) -> dict[str, float]:
        """The figures in milliseconds, by name."""
        times = {"median_ms": self.median, "p95_ms": self.p95, "worst_ms": self.worst}
        return {name: round(1000 * value, 3) for name, value in times.items()}

    def __str__(self) -> str:
        times = (("median", self.median), ("95 %", self.p95), ("worst", self.worst))
        return ", ".join(f"{name} {1000 * value:.1f}" for name, value in times) + " ms"


def check_disk(bench: Bench) -> Iterator[Finding]:
    """Checks place, rights, room and speed."""
    folder = folder_of(bench.record)
    mountinfo = bench.machine.text("proc/self/mountinfo")
    path = PurePosixPath(folder.resolve())
    mount = mount_of(path, mountinfo)
    if reason := vanishes(path, mountinfo, bench.machine.text("proc/cmdline")):
        yield fault(f"{bench.record} is lost when the power goes: {reason}", MOVE)
    elif mount and mount.kind == "overlay":
        yield warning(
            f"{bench.record} lies on an overlay: nothing tells where that keeps it",
            "write something there, switch off and on, and see whether it is still there",
        )
    else:
        where = f"{mount.kind} on {mount.source}" if mount else "an unknown disk"
        yield ok(f"{bench.record} survives power-off ({where})")
    yield _room(folder)
    if mount and read_only(mount):
        yield fault(f"{mount.point} is read-only: nothing can be kept", MOVE)
    elif not os.access(folder, os.W_OK | os.X_OK):
        owner, user = user_name(folder.stat().st_uid), user_name(bench.machine.user)
        yield not_tried(
            f"speed: {user} may not write to {folder}, {owner} may",
            f"sudo -u {owner} companion check --only disk measures it",
        )
    else:
        yield _speed(bench, folder)


def folder_of(record: Path) -> Path:
    """The record's folder, or the nearest one above it that exists."""
    return next(one for one in record.absolute().parents if one.is_dir())


def _room(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    said = f"{free / 1e9:.1f} GB free" if free >= 1e9 else f"{free / 1e6:.0f} MB free"
    if free < FULL:
        return fault(said, "remove something from that disk: nothing can be kept on a full one")
    if free < TIGHT:
        return warning(said, "enough for some thousand evenings; make room some time")
    return ok(said)


def _speed(bench: Bench, folder: Path) -> Finding:
    try:
        times = measured(bench, folder)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return fault(f"{folder} can't be written: {reason}", "look at the disk, or try another")
    said = f"an entry is on the disk after: {times}"
    found = ok(said)
    if times.p95 > RECKONED_S:
        found = warning(said, f"more than {1000 * RECKONED_S:.0f} ms: a faster card (A1) helps")
    return replace(found, figures=times.figures)


def measured(bench: Bench, folder: Path) -> Times:
    """Writes to a file in this folder as the record does, and times it. The file is removed at the
    end. Raises OSError."""
    clock, times = bench.machine.clock, []
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".companion-check-") as file:
        for number in range(WRITES):
            begun = clock()
            os.write(file.fileno(), bytes([number]) * SIZE)
            bench.machine.sync(file.fileno())
            times.append(clock() - begun)
    return Times.of(times)
