"""The folder of a hub: the club's key and name, the place of its database, and a backup of
everything in another folder, such as on a stick, from which the hub can be started again.
"""

import asyncio
import json
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from companion.club.box.keys import KeyPair
from companion.club.hub.database import Database, UnavailableError
from companion.core.errors import SetupError
from companion.core.regular_file import (
    OWNER_ONLY,
    make_private,
    read_bytes,
    read_private,
    sync,
    write_private,
)
from companion.core.values import dataclass

# ---------------------------------------------------------------- folder

LONGEST: Final = 5000
FOLDER_MODE: Final = 0o700
DEFAULT_NAME: Final = "The club"
MONTHS_KEY: Final = "keep_names_months"


@dataclass(frozen=True, slots=True)
class HubFolder:
    """A hub's folder, with the club's key and name. `database`: the address of PostgreSQL; empty:
    SQLite in this folder. `keep_names_months`: how long the hub shows the names in games; 0: for
    ever."""

    path: Path
    keys: KeyPair
    name: str
    database: str
    keep_names_months: int = 0

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        make: bool = False,
        database: str | None = None,
        name: str | None = None,
        keep_names_months: int | None = None,
    ) -> Self:
        """Opens the hub's folder at `path`; with `make`, creates it if there is none. `database`,
        `name` and `keep_names_months`, if given, are stored in it for later. Raises SetupError."""
        try:
            if make:
                path.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            elif not (path / "club.key").exists():
                raise SetupError(f"{path} is no hub's folder: companion hub run --data {path}")
            keys = _load_keys(path / "club.key")
            kept = _load_settings(path / "hub.json")
            months = (
                kept.get(MONTHS_KEY, "") if keep_names_months is None else str(keep_names_months)
            )
            found = cls(
                path,
                keys,
                kept.get("name", DEFAULT_NAME) if name is None else name,
                kept.get("database", "") if database is None else database,
                int(months) if months.isdecimal() else 0,
            )
            told = {"name": found.name, "database": found.database}
            if found.keep_names_months:
                told[MONTHS_KEY] = months
            if told != kept:
                write_private(path / "hub.json", f"{json.dumps(told)}\n")
        except OSError as error:
            raise SetupError(f"{path} can't be used: {error.strerror or error}") from error
        return found

    def open_database(self) -> Database:
        """The database, not connected yet. Only its owner may read an SQLite file, as it has the
        access codes and everybody's games. Raises SetupError."""
        if self.database:
            return Database.from_address(self.database)
        path = self.path / "hub.db"
        try:
            make_private(path)
        except OSError as error:
            raise SetupError(f"{path} can't be used: {error.strerror or error}") from error
        return Database.from_address(path)


def _load_keys(path: Path) -> KeyPair:
    try:
        return KeyPair.from_private(bytes.fromhex(read_private(path, LONGEST).strip()))
    except FileNotFoundError:
        keys = KeyPair.generate()
        write_private(path, f"{keys.private.hex()}\n")
        return keys
    except ValueError as error:
        raise SetupError(
            f"{path} is no club's key: bring it back from a backup; boxes know the club by it"
        ) from error


def _load_settings(path: Path) -> dict[str, str]:
    try:
        found = json.loads(read_private(path, LONGEST))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise SetupError(f"{path} can't be read: remove it, and name the database again") from error
    told = found if isinstance(found, dict) else {}
    return {name: one for name, one in told.items() if isinstance(one, str)}


# ---------------------------------------------------------------- backup

FILES: Final = ("club.key", "hub.json", "hub.codes")
BACKUP_EVERY_S: Final = 60.0
PAUSE_FACTOR: Final = 20
"""The pause after a copy is at least this many times the duration of the copying, so that a large
hub doesn't write to a slow stick all the time."""


def back_up(folder: HubFolder, database: Database, to: Path) -> None:
    """Copies the club's key, the access codes, and the SQLite database as it stands now to the
    folder `to`. An older copy there is replaced once the new one is whole and on the disk. Raises
    SetupError and UnavailableError."""
    check_backup(folder, to)
    try:
        to.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        new = to / "hub.db-new"
        new.unlink(missing_ok=True)
        with suppress(PermissionError):  # file systems of sticks have no file owners
            make_private(new)
        with database.engine.connect() as db:
            db.connection.dbapi_connection.execute("VACUUM INTO ?", (str(new),))  # type: ignore[union-attr]
        for name in FILES:
            if (folder.path / name).exists():
                _write_synced(to / f"{name}-new", read_bytes(folder.path / name))
                (to / f"{name}-new").replace(to / name)
        sync(new)
        new.replace(to / "hub.db")
        sync(to)
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
    cancelled. `tell` is called with a line when copying fails, and when it works again."""
    seen, wrong, watched = (
        -1,
        False,
        sqlite3.connect(folder.path / "hub.db", check_same_thread=False),
    )
    try:
        while True:
            began = time.monotonic()
            try:
                now = await asyncio.to_thread(_data_version, watched)
                if now != seen or wrong:
                    await asyncio.to_thread(back_up, folder, database, to)
                    seen = now
                    if wrong:
                        tell(f"The hub is copied to {to} again.")
                    wrong = False
            except (SetupError, UnavailableError, sqlite3.Error) as error:
                if not wrong:
                    tell(f"The hub is not copied: {error}")
                wrong = True
            took = time.monotonic() - began
            await asyncio.sleep(max(BACKUP_EVERY_S, took * PAUSE_FACTOR))
    finally:
        watched.close()


def _data_version(watched: sqlite3.Connection) -> int:
    """A number that changes whenever another connection has changed the database."""
    return int(watched.execute("PRAGMA data_version").fetchone()[0])


def _write_synced(path: Path, data: bytes) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
