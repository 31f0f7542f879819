"""Tells whether a file survives the power switch, by what is mounted where
(/proc/self/mountinfo)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from companion.core.words import Sentence, phrase

MEMORY = frozenset({"tmpfs", "ramfs", "devtmpfs"})
_ESCAPED = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class Mount:
    """A line of mountinfo (man 5 proc). `options` has the options of the mount and of the file
    system, as in {"rw": "", "upperdir": "/over/upper"}."""

    point: PurePosixPath
    kind: str
    source: str
    options: dict[str, str]

    @property
    def in_memory(self) -> bool:
        """Whether all on it is gone when the power goes: it is kept in memory, or on a disk that is
        made of memory."""
        return self.kind in MEMORY or self.source.startswith(("/dev/ram", "/dev/zram"))


def read_mounts(text: str) -> Iterator[Mount]:
    """The mounts that a mountinfo lists, in its order; a later one hides earlier ones at its
    point."""
    for line in text.splitlines():
        fields = line.split(" ")
        if "-" not in fields[6:]:
            continue
        dash = fields.index("-", 6)
        kind, source, own = fields[dash + 1 : dash + 4]
        words = [word.partition("=") for word in f"{fields[5]},{own}".split(",")]
        options = {name: _plain(value) for name, _, value in words}
        yield Mount(PurePosixPath(_plain(fields[4])), kind, _plain(source), options)


def _plain(text: str) -> str:
    r"""The text without mountinfo's escapes, which write a space as \040."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 8)), text)


def mount_of(path: PurePosixPath, text: str) -> Mount | None:
    """The mount on which a path lies; `path` is absolute, without links."""
    found = None
    for mount in read_mounts(text):
        deeper = found is None or len(mount.point.parts) >= len(found.point.parts)
        if path.is_relative_to(mount.point) and deeper:
            found = mount
    return found


def vanishes(path: PurePosixPath, mountinfo: str, cmdline: str) -> Sentence | None:
    """Why what is written at `path` is gone when the power goes, in a few words; None: nothing says
    so. `cmdline`: the kernel's command line, by which raspi-config switches its overlay on."""
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
    # Both make the overlay in the initial RAM disk: its upper side may be out of sight by now.
    if "boot=overlay" in words or any(word.startswith("overlayroot=tmpfs") for word in words):
        return phrase("{place} is the overlay of raspi-config, kept in memory", place=mount.point)
    return None


def read_only(mount: Mount) -> bool:
    """Whether nothing can be written on this mount."""
    return "ro" in mount.options
