"""Updates that come to the box without a shell: from a stick or the page they lie in a folder
beside the record for a moment, where the unit that takes them sees them."""

from pathlib import Path

from companion.updates.file import ENDS, UpdateError, open_update
from companion.updates.taking import UpdatedBox
from companion.updates.trial import failed_versions

ADDRESS = ".address"
"""How the name of a file ends that has the address of an update."""
HALF = ".half"
"""How the name of one ends that is still on its way from a stick: no other program touches it."""


def folder_of(record: Path) -> Path:
    """Where they lie, beside the record."""
    return record.with_name("incoming")


def incoming(record: Path) -> list[Path]:
    """What has come, by name."""
    folder = folder_of(record)
    return sorted((*folder.glob(f"*{ENDS}"), *folder.glob(f"*{ADDRESS}")))


def is_wanted(path: Path, box: UpdatedBox) -> bool:
    """Whether an update that lies on a stick is to be taken without anybody asking: not the version
    that runs, and not again one that did not start well. What can't be taken for another reason is
    wanted, so that the table says why."""
    try:
        version = open_update(path, box.keys).contents.version
    except UpdateError:
        return True
    except OSError:
        return False
    return version != box.version and version not in failed_versions(box.folder)
