"""A new image on the card has no record yet: a USB stick with copies brings it back, at the start
and before the table opens. Of two sticks the newest rows count; where they are of two records, the
one that was played last."""

import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.record.chain import ChainLink
from companion.record.faults import DB_ERRORS, StoreError, reason
from companion.record.restore import Copied, copies_at, restore

MARKER = "table-companion.txt"
BY_ID = Path("/dev/disk/by-id")
PATIENCE_S = 8.0
OPTIONS = "ro,nosuid,nodev,noexec"


def newest(copied: Copied) -> Copied:
    """The copies of the record that was played last, of all that are there."""
    by_record: dict[str, dict[Path, list[ChainLink]]] = {}
    for path, links in copied.items():
        name = path.name.partition(".")[0]
        by_record.setdefault(name, {})[path] = list(links)
    return max(by_record.values(), key=_played_last, default={})


def _played_last(copies: Copied) -> tuple[float, int]:
    """When, as far as the box knew the time, and how many rows."""
    every = [link for links in copies.values() for link in links]
    return max(link.at or 0.0 for link in every), max(link.seq for link in every)


def bring_back(record: Path, places: Iterable[Path]) -> str | None:
    """Makes the record of the copies at these places; a line that says what came back, or why
    nothing did; None where there are no copies."""
    copied: dict[Path, list[ChainLink]] = {}
    try:
        for place in places:
            if (place / MARKER).exists():
                copied |= {path: list(links) for path, links in copies_at([place]).items()}
        if not copied:
            return None
        made = restore(record, newest(copied))
    except StoreError as error:
        return f"The stick's games can't be brought back: {error}"
    except (*DB_ERRORS, OSError) as error:
        return f"The stick's games can't be brought back: {reason(error)}. Plug it in, start again"
    return f"The games are back from the stick: {made.has}"


@contextmanager
def sticks(into: Path, by_id: Path = BY_ID) -> Iterator[list[Path]]:
    """Every USB disk that is plugged in, mounted to be read. After a start they need a moment."""
    end = time.monotonic() + PATIENCE_S
    while not list(by_id.glob("usb-*")) and time.monotonic() < end:
        time.sleep(0.5)
    devices = {path.resolve() for path in by_id.glob("usb-*")}
    mounted = []
    try:
        for device in sorted(devices):
            place = into / device.name
            place.mkdir(parents=True, exist_ok=True)
            command = ["mount", "-o", OPTIONS, str(device), str(place)]
            if not subprocess.run(command, check=False, capture_output=True).returncode:
                mounted.append(place)
        yield mounted
    finally:
        for place in mounted:
            subprocess.run(["umount", "--lazy", str(place)], check=False, capture_output=True)
