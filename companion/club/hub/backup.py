"""Copies a hub to another folder, on a stick, say; the hub can be started again from the copy."""

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.club.hub.database import AwayError, Database
from companion.club.hub.folder import FOLDER_MODE, HubFolder
from companion.core.errors import SetupError
from companion.core.regular_file import OWNER_ONLY, make_private, read_bytes

FILES: Final = ("club.key", "hub.json", "hub.codes")
EVERY_S: Final = 60.0
REST: Final = 20
"""After a copy, the pause is at least this many times as long as the copy took, so that a large hub
is not written to a slow stick all the time."""


def back_up(folder: HubFolder, database: Database, to: Path) -> None:
    """Copies the club's key, the words that let people in, and the SQLite database as it stands now
    to the folder `to`. An older copy there is replaced once the new one is whole and on the disk.
    Raises SetupError and AwayError."""
    check_backup(folder, to)
    try:
        to.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        new = to / "hub.db-new"
        new.unlink(missing_ok=True)
        with suppress(PermissionError):  # a stick has no owners
            make_private(new)
        with database.engine.connect() as db:
            db.connection.dbapi_connection.execute("VACUUM INTO ?", (str(new),))  # type: ignore[union-attr]
        for name in FILES:
            if (folder.path / name).exists():
                _put(to / f"{name}-new", read_bytes(folder.path / name))
                (to / f"{name}-new").replace(to / name)
        _sync(new)
        new.replace(to / "hub.db")
        _sync(to)
    except OSError as error:
        raise SetupError(f"{to} can't be written: {error.strerror or error}") from error
    except sqlite3.Error as error:
        raise SetupError(f"{to} can't be written: {error}") from error


def check_backup(folder: HubFolder, to: Path) -> None:
    """Raises SetupError if the hub can't be copied to the folder `to`."""
    if folder.database:
        raise SetupError(
            f"PostgreSQL makes its own copies: pg_dump, and keep {folder.path / 'club.key'} with it"
        )
    if to.resolve() == folder.path.resolve():
        raise SetupError(f"{to} is the hub's own folder: name another")


async def keep_backing_up(
    folder: HubFolder, database: Database, to: Path, tell: Callable[[str], None]
) -> None:
    """Copies the hub to the folder `to` every minute in which something has changed, until it is
    cancelled. `tell` gets a line once the hub can't be copied, and once it can be again."""
    seen, wrong, watched = (
        -1,
        False,
        sqlite3.connect(folder.path / "hub.db", check_same_thread=False),
    )
    try:
        while True:
            began = time.monotonic()
            try:
                now = await asyncio.to_thread(_version, watched)
                if now != seen or wrong:
                    await asyncio.to_thread(back_up, folder, database, to)
                    seen = now
                    if wrong:
                        tell(f"The hub is copied to {to} again.")
                    wrong = False
            except (SetupError, AwayError, sqlite3.Error) as error:
                if not wrong:
                    tell(f"The hub is not copied: {error}")
                wrong = True
            took = time.monotonic() - began
            await asyncio.sleep(max(EVERY_S, took * REST))
    finally:
        watched.close()


def _version(watched: sqlite3.Connection) -> int:
    """A number that changes whenever somebody else has changed the database."""
    return int(watched.execute("PRAGMA data_version").fetchone()[0])


def _put(path: Path, data: bytes) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
