"""Whether the card has no games yet. Every start asks, so nothing is loaded that knows a game."""

from pathlib import Path

from companion.record.chain import connect
from companion.record.faults import DB_ERRORS, StoreError
from companion.record.way_in import way_in


def is_empty(record: Path) -> bool:
    """Whether there is no record, or one without a row. One that can't be read isn't empty."""
    if not record.exists():
        return True
    try:
        address, held = way_in(record)
        with held:
            db = connect(address)
            try:
                return db.execute("SELECT 1 FROM record LIMIT 1").fetchone() is None
            finally:
                db.close()
    except (StoreError, *DB_ERRORS, OSError):
        return False
