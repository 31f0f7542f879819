"""Opens regular files only: a FIFO or a device in place of a file would make its reader wait for
ever."""

import errno
import os
import stat
from contextlib import suppress
from errno import ENOSPC
from io import BufferedReader
from pathlib import Path
from typing import Final

# ---------------------------------------------------------------- room
# How much may be written to the record's disk.


RESERVED_BYTES = 64 << 20
"""Disk space in bytes that is left free for the record."""


def room_in(folder: Path) -> int:
    """Returns how many bytes may be written to `folder`: the free space on its disk minus
    RESERVED_BYTES. Raises OSError if there is no such folder."""
    found = os.statvfs(folder)
    return max(0, found.f_bavail * found.f_frsize - RESERVED_BYTES)


def check_room(size: int, folder: Path) -> None:
    """Raises OSError if `size` bytes may not be written to `folder`."""
    if size > room_in(folder):
        raise OSError(ENOSPC, "the card has no room for it beside the record")


def sync(path: Path) -> None:
    """Flushes a file's content, or a folder's names, to the disk. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # never waits for a FIFO
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# ---------------------------------------------------------------- private file
# Files that only their owner may read: written as a whole or not at all.


OWNER_ONLY: Final = 0o600


def write_private(path: Path, text: str) -> None:
    """Writes the text to a new file beside `path`, flushes it to the disk and moves it to `path`.
    Raises OSError."""
    beside = path.with_name(f"{path.name}-new")
    beside.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with os.fdopen(os.open(beside, flags, OWNER_ONLY), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def read_private(path: Path, longest: int) -> str:
    """The text of the file. If others could read it, it becomes readable only for its owner. Raises
    OSError, and ValueError if it has more than `longest` characters."""
    descriptor = open_descriptor(path, os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(descriptor, encoding="utf-8") as file:
        if os.fstat(descriptor).st_mode & 0o077:
            os.fchmod(descriptor, OWNER_ONLY)
        text = file.read(longest + 1)
    if len(text) > longest:
        raise ValueError(f"{path} is none of ours")
    return text


def make_private(path: Path) -> None:
    """Makes an empty file at `path` that only its owner can read. An existing file keeps its
    content but becomes private; SQLite gives its log files the same mode. Raises OSError."""
    with suppress(FileExistsError):
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        os.close(os.open(path, flags, OWNER_ONLY))
    check_regular(path)
    if path.stat().st_mode & 0o077:
        path.chmod(OWNER_ONLY)


# ---------------------------------------------------------------- regular file

SHELL_PIPES: Final = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
"""Where a shell puts the pipes that it passes to a command as files, as with `<(…)`."""


def open_descriptor(path: Path, flags: int = os.O_RDONLY, mode: int = 0o600) -> int:
    """Opens the file at `path` and returns its descriptor. Raises OSError, also if it is not a
    regular file."""
    handle = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY, mode)
    try:
        _check_mode(os.fstat(handle).st_mode, path)
    except OSError:
        os.close(handle)
        raise
    return handle


def open_file(path: Path) -> BufferedReader:
    """Opens the file at `path` for reading. Raises OSError, also if it is not a regular file."""
    return os.fdopen(open_descriptor(path), "rb")


def open_named(name: str) -> BufferedReader:
    """Opens a file named on the command line, for reading; a pipe from the shell is allowed. Raises
    OSError."""
    return Path(name).open("rb") if name.startswith(SHELL_PIPES) else open_file(Path(name))


def read_bytes(path: Path) -> bytes:
    """Returns the content of the file at `path`. Raises OSError, also if it is not a regular
    file."""
    with open_file(path) as file:
        return file.read()


def read_text(path: Path, errors: str = "strict") -> str:
    """The content of the file at `path`, as UTF-8. Raises OSError, also if it is not a regular
    file, and UnicodeDecodeError."""
    return read_bytes(path).decode(errors=errors)


def check_regular(path: Path) -> None:
    """Raises OSError unless the path is a regular file. Used before libraries open the file."""
    try:
        _check_mode(path.stat().st_mode, path)
    except FileNotFoundError:
        return


def _check_mode(mode: int, path: Path) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
