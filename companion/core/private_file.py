"""Files that only their owner may read: written as a whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.core.regular_file import check_regular, open_descriptor

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
    """The text of the file. If others could read it, only its owner may from now on. Raises
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
    """Makes an empty file at `path` for its owner alone, unless there is a file; one that others
    could read is its owner's alone from now on. SQLite gives its log files the same mode. Raises
    OSError."""
    with suppress(FileExistsError):
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        os.close(os.open(path, flags, OWNER_ONLY))
    check_regular(path)
    if path.stat().st_mode & 0o077:
        path.chmod(OWNER_ONLY)
