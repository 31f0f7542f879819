"""Writes an update beside the system that runs, and checks it while it is written.

The order makes a power cut harmless: first the other system's contents file is removed, so that it
counts as none, and last it is written again; the system that runs is never touched. Nothing here
decides which system starts.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from companion.updates.file import PIECE, SYSTEM, Contents, Part, Update, UpdateError
from companion.updates.systems import COMMAND_LINE, CONTENTS, TRIAL_CONFIG, Systems

SPARE = 1 << 20
"""Bytes that stay free on the FAT partition."""


def refuse_without_room(update: Update, systems: Systems) -> None:
    """Raises UpdateError if the update doesn't fit onto the card, and OSError."""
    disk = systems.disks[systems.other]
    with disk.open("rb") as device:
        room = device.seek(0, os.SEEK_END)
    if update.contents.part(SYSTEM).size > room:
        raise UpdateError("This update is too large for this card: write the new image onto it")
    free = os.statvfs(systems.fat)
    old = systems.folder(systems.other)
    there = sum(path.stat().st_size for path in old.iterdir()) if old.is_dir() else 0
    needs = sum(part.size for part in update.contents.parts if part.name != SYSTEM) + SPARE
    if needs > free.f_bavail * free.f_frsize + there:
        raise UpdateError("The card's first partition has no room left: take your own files off it")


def write_system(update: Update, systems: Systems, go_on: Callable[[], bool]) -> None:
    """Writes the other system. `go_on` is called now and then; if it gives False, writing ends with
    an error. Raises UpdateError and OSError: then there is no other system, and the one that runs
    is as it was."""
    folder = systems.folder(systems.other)
    _forget(systems, folder)
    for part in update.contents.parts:
        if part.name == SYSTEM:
            _write_partition(update, part, systems.disks[systems.other], go_on)
    folder.mkdir(exist_ok=True)
    for part in update.contents.parts:
        if part.name != SYSTEM:
            _write_file(update, part, folder / part.name, systems)
    write_trial_config(systems)
    _sync(folder)
    _keep(folder / CONTENTS, update.contents.line())


def write_trial_config(systems: Systems) -> None:
    """Makes tryboot.txt start the other system. Raises UpdateError, OSError."""
    _keep(systems.fat / TRIAL_CONFIG, systems.trial_config())


def _forget(systems: Systems, folder: Path) -> None:
    """Removes the files that make the other system count as one, then its other files."""
    (systems.fat / TRIAL_CONFIG).unlink(missing_ok=True)
    (folder / CONTENTS).unlink(missing_ok=True)
    _sync(systems.fat)
    if folder.is_dir():
        _sync(folder)
        for path in folder.iterdir():
            path.unlink()
        _sync(folder)


def _write_partition(update: Update, part: Part, disk: Path, go_on: Callable[[], bool]) -> None:
    handle = os.open(disk, os.O_RDWR | os.O_CLOEXEC)
    try:
        at = 0
        for data in update.pieces(part.name):
            _write(handle, data, at)
            at += len(data)
            if not go_on():
                raise UpdateError("A game was begun: take the update again after it")
        os.fsync(handle)
        _check(handle, part, disk.name)
    finally:
        os.close(handle)


def _write_file(update: Update, part: Part, path: Path, systems: Systems) -> None:
    data = b"".join(update.pieces(part.name))
    if part.name == COMMAND_LINE:
        data = systems.command_line(data.decode()).encode()
        part = Part(part.name, len(data), hashlib.sha256(data).hexdigest())
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    try:
        _write(handle, data, 0)
        os.fsync(handle)
        _check(handle, part, path.name)
    finally:
        os.close(handle)


def _check(handle: int, part: Part, where: str) -> None:
    """Reads back what was written, from the card and not from memory. Raises UpdateError."""
    os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    digest, left, at = hashlib.sha256(), part.size, 0
    while left and (data := os.pread(handle, min(PIECE, left), at)):
        digest.update(data)
        at += len(data)
        left -= len(data)
    if left or digest.hexdigest() != part.sha256:
        raise UpdateError(
            "The card doesn't keep what is written ({where}): use another card", where=where
        )


def is_whole(systems: Systems, letter: str) -> Contents | None:
    """The contents of a system, if all of it is on the card as it was signed; None if it isn't."""
    contents = systems.contents(letter)
    for part in contents.parts if contents else ():
        path = systems.folder(letter) / part.name
        handle = os.open(systems.disks[letter] if part.name == SYSTEM else path, os.O_RDONLY)
        try:
            if part.name != COMMAND_LINE:
                _check(handle, part, part.name)
        except UpdateError:
            return None
        finally:
            os.close(handle)
    return contents


def _keep(path: Path, data: bytes) -> None:
    """Writes a small file, and returns once it is on the card."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    try:
        _write(handle, data, 0)
        os.fsync(handle)
    finally:
        os.close(handle)
    _sync(path.parent)


def _write(handle: int, data: bytes, at: int) -> None:
    while data:
        written = os.pwrite(handle, data, at)
        at, data = at + written, data[written:]


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
