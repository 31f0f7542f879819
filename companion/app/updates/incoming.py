"""Updates that come to the box without a shell, from a stick or the page: they lie in a folder
beside the record for a moment, where the unit that takes them sees them."""

from pathlib import Path

from companion.app.updates.file import ENDS, UpdateError, open_update
from companion.app.updates.taking import UpdatedBox
from companion.app.updates.trial import failed_versions

ADDRESS = ".address"
"""How the name of a file ends that contains the address of an update."""
HALF = ".half"
"""How the name of a file ends that is still being copied from a stick: no other program touches
it."""


def folder_of(record: Path) -> Path:
    """The folder for incoming updates, beside the record."""
    return record.with_name("incoming")


def incoming(record: Path) -> list[Path]:
    """The files that have come, updates and addresses, sorted by name."""
    folder = folder_of(record)
    return sorted((*folder.glob(f"*{ENDS}"), *folder.glob(f"*{ADDRESS}")))


def is_wanted(path: Path, box: UpdatedBox) -> bool:
    """Whether an update on a stick is taken without being asked for: not the version that runs, nor
    one that did not start well before. One that can't be taken for another reason is wanted, so
    that the table says why."""
    try:
        version = open_update(path, box.keys).contents.version
    except UpdateError:
        return True
    except OSError:
        return False
    return version != box.version and version not in failed_versions(box.folder)
