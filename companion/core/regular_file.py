"""Opens files, and nothing else: a FIFO or a device by the name of a file would make its reader
wait for ever."""

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path
from typing import Final

HANDED_OVER: Final = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
"""Where a shell puts what it hands a command to read, such as `<(…)`: a pipe that has a writer."""


def open_descriptor(path: Path, flags: int = os.O_RDONLY, mode: int = 0o600) -> int:
    """A descriptor of the file at `path`. Raises OSError, also if it is no regular file."""
    handle = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY, mode)
    try:
        _check(os.fstat(handle).st_mode, path)
    except OSError:
        os.close(handle)
        raise
    return handle


def open_file(path: Path) -> BufferedReader:
    """The file at `path`, for reading. Raises OSError, also if it is no regular file."""
    return os.fdopen(open_descriptor(path), "rb")


def open_named(name: str) -> BufferedReader:
    """The file that somebody names to a command, for reading; also a pipe that the shell hands
    over. Raises OSError."""
    return Path(name).open("rb") if name.startswith(HANDED_OVER) else open_file(Path(name))


def read_bytes(path: Path) -> bytes:
    """The content of the file at `path`. Raises OSError, also if it is no regular file."""
    with open_file(path) as file:
        return file.read()


def read_text(path: Path, errors: str = "strict") -> str:
    """The content of the file at `path`, as UTF-8. Raises OSError, also if it is no regular file,
    and UnicodeDecodeError."""
    return read_bytes(path).decode(errors=errors)


def check_regular(path: Path) -> None:
    """Raises OSError if something other than a regular file has that name; for what other libraries
    open."""
    try:
        _check(path.stat().st_mode, path)
    except FileNotFoundError:
        return


def _check(mode: int, path: Path) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
