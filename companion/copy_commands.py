"""What `companion restore` does: a record of copies."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from companion.printed import printed
from companion.record.copies import beside
from companion.record.faults import DB_ERRORS, StoreError, reason
from companion.record.lock import take_lock
from companion.record.restore import Restored, copies_at, make, restore
from companion.record.salvage import finish_replacing
from companion.record.way_in import refuse_no_file

WELL, FOUND, CANT = 0, 1, 2


def restore_record(record: Path, places: Sequence[Path], to: Path | None) -> int:
    """Puts what only copies have back into the record, or with `to` makes a new one of copies
    alone. The copies at `places`, and those beside the record."""
    try:
        for place in places:
            if not copies_at([place]):
                return _complain(f"there are no copies of a record in {place}")
        copies = copies_at(dict.fromkeys((beside(record), *places)))
        if to is not None:
            if to.exists():
                return _complain(f"{to} is there already: name a new file")
            return _tell(to, make(to, copies))
        with _alone(record):
            return _tell(record, restore(record, copies))
    except PermissionError as error:
        return _complain(f"{error.filename}: permission denied: sudo companion restore")
    except StoreError as error:
        return _complain(str(error))
    except (*DB_ERRORS, OSError) as error:
        return _complain(f"{to or record} can't be restored: {reason(error)}")


@contextmanager
def _alone(record: Path) -> Iterator[None]:
    """Whoever is root works as the owner of the record, whose it stays; no table runs meanwhile."""
    refuse_no_file(record)
    if os.geteuid() == 0:
        whose = (record if record.exists() else record.parent).stat()
        os.setegid(whose.st_gid)
        os.seteuid(whose.st_uid)
    with take_lock(record):
        finish_replacing(record)
        yield


def _tell(path: Path, made: Restored) -> int:
    many = made.came_back
    if many:
        _say(f"{path}: {made.has}")
        _say(f"{many} {'row' if many == 1 else 'rows'} came from copies")
    else:
        _say(f"{path}: the copies have nothing that can go back into it")
    if made.kept:
        _say(f"as it was it is kept as {path.with_name(made.kept)}")
    if made.others:
        others = "1 row" if made.others == 1 else f"{made.others} rows"
        _say(
            f"the copies have {others} of another course of play: "
            "companion restore --to FILE PLACE makes a record of a place alone"
        )
        return FOUND
    return WELL


def _say(line: str) -> None:
    print(printed(line))


def _complain(line: str) -> int:
    print(printed(line), file=sys.stderr)
    return CANT
