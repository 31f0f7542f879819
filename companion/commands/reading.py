"""A record is opened to be read, and what is wrong with it is said."""

import getpass
import sys
from collections.abc import Callable
from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.printing import FOUND, WELL, cant, complain
from companion.record.store.faults import StoreError
from companion.record.store.reader import Reader


def reading(path: Path, games: Catalog, tell: Callable[[Reader], int]) -> int:
    """What `tell` gives for the record, or the status where it can't be read."""
    try:
        with Reader.open(path, games.rules) as reader:
            return tell(reader)
    except BrokenPipeError:
        raise
    except StoreError as error:
        return cant(f"{error}{_remedy(path, error)}")


def _remedy(path: Path, error: StoreError) -> str:
    """What to do where the record may only be read by its group."""
    if not isinstance(error.__cause__, PermissionError):
        return ""
    try:
        group, user = path.parent.group(), getpass.getuser()
    except (OSError, KeyError):
        return ""  # a group or a user without a name
    if group == "root":
        return ""  # nothing that is meant to be read by others
    return f": to join its group: sudo usermod -aG {group} {user}"


def said(reader: Reader, wrong: str) -> int:
    """Says in one line on stderr what is wrong with what was printed; gives the exit status."""
    sys.stdout.flush()
    told = [*reader.warnings, *([wrong] if wrong else [])]
    if told:
        complain(f"{reader.path}: {'; '.join(told)} (see companion verify)")
    return FOUND if told else WELL
