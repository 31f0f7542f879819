"""A record is opened to be written, while no table runs that would not know of it."""

import time
from collections.abc import Callable
from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.copies import work_as_owner
from companion.commands.printing import cant
from companion.record.store.faults import DB_ERRORS, DamagedError, StoreError, reason
from companion.record.store.store import Store


def changing(path: Path, games: Catalog, change: Callable[[Store], int]) -> int:
    """What `change` gives for the record, or the status where it can't be written."""
    try:
        if not path.exists():
            return cant(f"there is no record {path}")
        work_as_owner(path)
        store = Store.open(path, games.rules, time.time)
        try:
            return change(store)
        finally:
            store.close()
    except DamagedError as error:
        return cant(f"{error}: start the table once, it mends that; then once more, please")
    except StoreError as error:
        return cant(f"{error}: stop the table first (sudo systemctl stop companion)")
    except (*DB_ERRORS, OSError) as error:
        return cant(f"{path} can't be changed: {reason(error)}")
