"""A copy of a hub in another folder: on a stick, say, from which it can be started again."""

import shutil
from pathlib import Path
from typing import Final

from companion.core.errors import SetupError
from companion.core.private_file import OWNER_ONLY
from companion.hub.database import Database
from companion.hub.folder import FOLDER_MODE, HubFolder

FILES: Final = ("club.key", "hub.json", "hub.codes")


def back_up(folder: HubFolder, database: Database, to: Path) -> None:
    """Copies the club's key, the words that let people in, and the database of SQLite as it stands
    now; an older copy there is replaced once the new one is whole. Raises SetupError and
    AwayError."""
    if folder.database:
        raise SetupError(
            f"PostgreSQL makes its own copies: pg_dump, and keep {folder.path / 'club.key'} with it"
        )
    try:
        to.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        new = to / "hub.db-new"
        new.unlink(missing_ok=True)
        with database.engine.connect() as db:
            db.connection.dbapi_connection.execute("VACUUM INTO ?", (str(new),))  # type: ignore[union-attr]
        new.chmod(OWNER_ONLY)
        for name in FILES:
            if (folder.path / name).exists():
                shutil.copy2(folder.path / name, to / f"{name}-new")
                (to / f"{name}-new").replace(to / name)
        new.replace(to / "hub.db")
    except OSError as error:
        raise SetupError(f"{to} can't be written: {error.strerror or error}") from error
