"""Checks the record's disk: whether it keeps data, its speed, and its free space."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from companion.app.check.bench import Bench, Finding, fault, not_tried, ok, user_name, warning
from companion.core.values import dataclass
from companion.core.words import Sentence, phrase

# ---------------------------------------------------------------- mounts
# Finds out from the mounts (/proc/self/mountinfo) whether a file survives switching off.


MEMORY_FILE_SYSTEMS = frozenset({"tmpfs", "ramfs", "devtmpfs"})
_ESCAPED = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class Mount:
    """A mounted file system, from one line of mountinfo (man 5 proc). `options` are those of the
    mount and of the file system, as in {"rw": "", "upperdir": "/over/upper"}."""

    point: PurePosixPath
    kind: str
    source: str
    options: dict[str, str]

    @property
    def in_memory(self) -> bool:
        """Whether a power failure loses the data on it, because it is in memory or on a RAM
        disk."""
        return self.kind in MEMORY_FILE_SYSTEMS or self.source.startswith(("/dev/ram", "/dev/zram"))


def read_mounts(text: str) -> Iterator[Mount]:
    """Yields the mounts listed in the text of mountinfo, in order. A later mount hides earlier ones
    at the same mount point."""
    for line in text.splitlines():
        fields = line.split(" ")
        if "-" not in fields[6:]:
            continue
        dash = fields.index("-", 6)
        kind, source, own = fields[dash + 1 : dash + 4]
        words = [word.partition("=") for word in f"{fields[5]},{own}".split(",")]
        options = {name: _unescape(value) for name, _, value in words}
        yield Mount(PurePosixPath(_unescape(fields[4])), kind, _unescape(source), options)


def _unescape(text: str) -> str:
    r"""Returns the text with mountinfo's escapes decoded, such as \040 for a space."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 8)), text)


def mount_of(path: PurePosixPath, text: str) -> Mount | None:
    """Returns the mount that contains a path, or None if none does. `path` has to be absolute and
    without symbolic links."""
    found = None
    for mount in read_mounts(text):
        deeper = found is None or len(mount.point.parts) >= len(found.point.parts)
        if path.is_relative_to(mount.point) and deeper:
            found = mount
    return found


def volatility_reason(path: PurePosixPath, mountinfo: str, cmdline: str) -> Sentence | None:
    """Returns a few words on why a power failure would lose data at `path`, or None if nothing
    suggests that it would. `cmdline`: the kernel's command line, in which raspi-config enables its
    overlay."""
    mount = mount_of(path, mountinfo)
    if mount is None:
        return None
    if mount.in_memory:
        return phrase("{place} is kept in memory ({kind})", place=mount.point, kind=mount.kind)
    if mount.kind != "overlay" or "upperdir" not in mount.options:
        return None
    upper = mount_of(PurePosixPath(mount.options["upperdir"]), mountinfo)
    if upper is not None and upper.in_memory:
        return phrase(
            "{place} is an overlay, and what is written to it is kept in memory", place=mount.point
        )
    words = cmdline.split()
    # Both make the overlay in the initial RAM disk: its upper side may no longer be visible.
    if "boot=overlay" in words or any(word.startswith("overlayroot=tmpfs") for word in words):
        return phrase("{place} is the overlay of raspi-config, kept in memory", place=mount.point)
    return None


def is_read_only(mount: Mount) -> bool:
    """Returns whether this mount can't be written to."""
    return "ro" in mount.options


# ---------------------------------------------------------------- disk

TEST_WRITES = 40
SIZE = 4120
"""The bytes of a write: one page in SQLite's log, which is what most entries need."""

ASSUMED_FSYNC_S = 0.020
"""The seconds per fsync that the measurements of key presses assume (make bench)."""

FULL, TIGHT = 5_000_000, 100_000_000
"""Free bytes: below FULL a few evenings may not fit, below TIGHT there is a warning."""

MOVE_ADVICE = phrase(
    "{setting} in the configuration can put it on a disk that keeps it", setting="[record] path"
)


@dataclass(frozen=True, slots=True)
class WriteTimes:
    """The median, the 95th percentile and the longest time of a series of test writes, in seconds
    from the start of a write until it is synced."""

    median: float
    p95: float
    worst: float

    @classmethod
    def of(cls, times: list[float]) -> "WriteTimes":
        """Returns the statistics of these times in seconds."""
        ordered = sorted(times)
        last = len(ordered) - 1
        return cls(ordered[last // 2], ordered[round(last * 0.95)], ordered[-1])

    @property
    def figures(self) -> dict[str, float]:
        """The times in milliseconds, by name."""
        times = {"median_ms": self.median, "p95_ms": self.p95, "worst_ms": self.worst}
        return {name: round(1000 * value, 3) for name, value in times.items()}

    @property
    def said(self) -> Sentence:
        """The times as a sentence."""
        return phrase(
            "an entry is on the disk after: median {median:.1f}, 95 % {most:.1f}, "
            "worst {worst:.1f} ms",
            median=1000 * self.median,
            most=1000 * self.p95,
            worst=1000 * self.worst,
        )


def check_disk(bench: Bench) -> Iterator[Finding]:
    """Yields findings about the record's location, permissions, free space and write speed."""
    folder = folder_of(bench.record)
    mountinfo = bench.machine.text("proc/self/mountinfo")
    path = PurePosixPath(folder.resolve())
    mount = mount_of(path, mountinfo)
    if reason := volatility_reason(path, mountinfo, bench.machine.text("proc/cmdline")):
        lost = phrase(
            "{record} is lost when the power goes: {reason}", record=bench.record, reason=reason
        )
        yield fault(lost, MOVE_ADVICE)
    elif mount and mount.kind == "overlay":
        yield warning(
            phrase(
                "{record} is on an overlay, which doesn't show where it is kept",
                record=bench.record,
            ),
            phrase("write something there, switch off and on, and see whether it is still there"),
        )
    else:
        where = phrase("an unknown disk")
        if mount:
            where = phrase("{kind} on {disk}", kind=mount.kind, disk=mount.source)
        yield ok(phrase("{record} survives power-off ({where})", record=bench.record, where=where))
    yield _check_room(folder)
    if mount and is_read_only(mount):
        yield fault(
            phrase("{place} is read-only: nothing can be saved", place=mount.point), MOVE_ADVICE
        )
    elif not os.access(folder, os.W_OK | os.X_OK):
        owner, user = user_name(folder.stat().st_uid), user_name(bench.machine.user)
        measure = f"sudo -u {owner} companion check --only disk"
        yield not_tried(
            phrase(
                "speed: {user} may not write to {folder}, {owner} may",
                user=user,
                folder=folder,
                owner=owner,
            ),
            phrase("{command} measures it", command=measure),
        )
    else:
        yield _check_speed(bench, folder)


def folder_of(record: Path) -> Path:
    """Returns the record's folder or, if that doesn't exist, the nearest parent that does."""
    return next(one for one in record.absolute().parents if one.is_dir())


def _check_room(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    found = phrase("{size} MB free", size=round(free / 1e6))
    if free >= 1e9:
        found = phrase("{size:.1f} GB free", size=free / 1e9)
    if free < FULL:
        return fault(
            found, phrase("remove something from that disk: nothing can be saved on a full one")
        )
    if free < TIGHT:
        return warning(found, phrase("enough for some thousand evenings; make room some time"))
    return ok(found)


def _check_speed(bench: Bench, folder: Path) -> Finding:
    try:
        times = measure_writes(bench, folder)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return fault(
            phrase("{folder} can't be written: {reason}", folder=folder, reason=reason),
            phrase("look at the disk, or try another"),
        )
    found = ok(times.said)
    if times.p95 > ASSUMED_FSYNC_S:
        limit = round(1000 * ASSUMED_FSYNC_S)
        found = warning(
            times.said, phrase("more than {time} ms: a faster card (A1) helps", time=limit)
        )
    return replace(found, figures=times.figures)


def measure_writes(bench: Bench, folder: Path) -> WriteTimes:
    """Writes to a temporary file in this folder, in the way the record is written, and returns how
    long the writes took. Raises OSError."""
    clock, times = bench.machine.clock, []
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".companion-check-") as file:
        for number in range(TEST_WRITES):
            begun = clock()
            os.write(file.fileno(), bytes([number]) * SIZE)
            bench.machine.sync(file.fileno())
            times.append(clock() - begun)
    return WriteTimes.of(times)
