"""Opens a record for commands that read or change it, and reports its faults."""

import getpass
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.terminal import PROBLEM, SUCCESS, fail, print_error
from companion.core.errors import RuleError
from companion.record.store.database import (
    DB_ERRORS,
    DamagedError,
    StoreError,
    reason,
    refuse_irregular_file,
    take_lock,
)
from companion.record.store.reader import Reader
from companion.record.store.record_file import finish_replacing
from companion.record.store.store import Store

NO_GAME = 0
"""The number for rows that belong to no game, such as settings."""


def read_record(path: Path, games: Catalog, report: Callable[[Reader], int]) -> int:
    """Calls `report` with the record, and returns the exit status of `report`; returns 2 if the
    record can't be read."""
    try:
        with Reader.open(path, games.rules) as reader:
            return report(reader)
    except BrokenPipeError:
        raise
    except StoreError as error:
        return fail(f"{error}{_remedy(path, error)}")


def _remedy(path: Path, error: StoreError) -> str:
    """Returns advice if only the record's group may read it; otherwise an empty text."""
    if not isinstance(error.__cause__, PermissionError):
        return ""
    try:
        group, user = path.parent.group(), getpass.getuser()
    except (OSError, KeyError):
        return ""  # a group or a user without a name
    if group == "root":
        return ""  # a folder of root's isn't meant for other readers
    return f": to join its group: sudo usermod -aG {group} {user}"


def report_faults(reader: Reader, wrong: str) -> int:
    """Prints the faults of the record in one line on stderr, followed by `wrong`, the faults in
    what was printed (empty if there are none); returns the exit status."""
    sys.stdout.flush()
    faults = [*reader.warnings, *([wrong] if wrong else [])]
    if faults:
        print_error(f"{reader.path}: {'; '.join(faults)} (see companion verify)")
    return PROBLEM if faults else SUCCESS


# ---------------------------------------------------------------- writing


def change_record(path: Path, games: Catalog, change: Callable[[Store], int]) -> int:
    """Opens the record, calls `change` with it, and returns the exit status of `change`. If
    `change` raises RuleError, prints the reason and returns PROBLEM; if the record can't be
    written, returns 2."""
    try:
        if not path.exists():
            return fail(f"there is no record {path}")
        work_as_owner(path)
        store = Store.open(path, games.rules, time.time)
        try:
            return change(store)
        finally:
            store.close()
    except RuleError as error:
        print_error(error.why)
        return PROBLEM
    except DamagedError as error:
        return fail(f"{error}: start the table once, it mends that; then once more, please")
    except StoreError as error:
        return fail(f"{error}: stop the table first (sudo systemctl stop companion)")
    except (*DB_ERRORS, OSError) as error:
        return fail(f"{path} can't be changed: {reason(error)}")


def work_as_owner(record: Path) -> None:
    """If root runs the program, makes it continue as the record's owner, so that new files belong
    to the owner. Raises OSError or StoreError."""
    refuse_irregular_file(record)
    if os.geteuid() == 0:
        whose = (record if record.exists() else record.parent).stat()
        os.setegid(whose.st_gid)
        os.seteuid(whose.st_uid)


@contextmanager
def locked_record(record: Path) -> Iterator[None]:
    """Locks the record for writing during a `with` block, so that no table can run meanwhile.
    Raises OSError or StoreError."""
    work_as_owner(record)
    with take_lock(record):
        finish_replacing(record)
        yield
