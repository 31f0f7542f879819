"""The folder of a hub: the club's key, what it is called, and where its database is."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from companion.club.box.keys import KeyPair
from companion.club.hub.database import Database
from companion.core.errors import SetupError
from companion.core.regular_file import make_private, read_private, write_private

LONGEST: Final = 5000
FOLDER_MODE: Final = 0o700
NAME: Final = "The club"
MONTHS: Final = "keep_names_months"


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
        """Opens the hub's folder at `path`; with `make`, makes it if there is none. `database`,
        `name` and `keep_names_months`, if given, are kept in it for later. Raises SetupError."""
        try:
            if make:
                path.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            elif not (path / "club.key").exists():
                raise SetupError(f"{path} is no hub's folder: companion hub run --data {path}")
            keys = _keys(path / "club.key")
            kept = _kept(path / "hub.json")
            months = kept.get(MONTHS, "") if keep_names_months is None else str(keep_names_months)
            found = cls(
                path,
                keys,
                kept.get("name", NAME) if name is None else name,
                kept.get("database", "") if database is None else database,
                int(months) if months.isdecimal() else 0,
            )
            told = {"name": found.name, "database": found.database}
            if found.keep_names_months:
                told[MONTHS] = months
            if told != kept:
                write_private(path / "hub.json", f"{json.dumps(told)}\n")
        except OSError as error:
            raise SetupError(f"{path} can't be used: {error.strerror or error}") from error
        return found

    def open_database(self) -> Database:
        """The database, not yet connected to; a file of SQLite is its owner's alone, as it has the
        words and the games of everybody. Raises SetupError."""
        if self.database:
            return Database.at(self.database)
        path = self.path / "hub.db"
        try:
            make_private(path)
        except OSError as error:
            raise SetupError(f"{path} can't be used: {error.strerror or error}") from error
        return Database.at(path)


def _keys(path: Path) -> KeyPair:
    try:
        return KeyPair.of(bytes.fromhex(read_private(path, LONGEST).strip()))
    except FileNotFoundError:
        keys = KeyPair.fresh()
        write_private(path, f"{keys.private.hex()}\n")
        return keys
    except ValueError as error:
        raise SetupError(
            f"{path} is no club's key: bring it back from a backup; boxes know the club by it"
        ) from error


def _kept(path: Path) -> dict[str, str]:
    try:
        found = json.loads(read_private(path, LONGEST))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise SetupError(f"{path} can't be read: remove it, and name the database again") from error
    told = found if isinstance(found, dict) else {}
    return {name: one for name, one in told.items() if isinstance(one, str)}
