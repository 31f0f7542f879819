"""The record's partition grows to the card's end: the table here, the file system by systemd."""

import os
import subprocess
from pathlib import Path

from companion.card.files import Mistake
from companion.card.partitions import SECTOR, grown, partitions_in


def grow(card: Path) -> bool:
    """Grows the last partition of a card, or of an image; whether it did. A power cut meanwhile
    leaves the old table or the new one: it is one sector. Raises Mistake."""
    try:
        with card.open("r+b", buffering=0) as device:
            sectors = device.seek(0, os.SEEK_END) // SECTOR
            device.seek(0)
            new = grown(device.read(SECTOR), sectors)
            if new is None:
                return False
            device.seek(0)
            device.write(new)
            os.fsync(device.fileno())
    except (OSError, ValueError) as error:
        raise Mistake(f"The record's room on the card could not grow: {error}") from error
    return True


def card_of(partition: Path) -> Path:
    """The card on which a partition is. Raises Mistake."""
    name = partition.resolve().name
    above = Path("/sys/class/block", name).resolve().parent
    if above.name == "block" or not (Path("/dev") / above.name).exists():
        raise Mistake(f"The record's room on the card could not grow: {name} is no partition")
    return Path("/dev") / above.name


def tell_kernel(card: Path) -> None:
    """Has the kernel read how far the last partition goes; the others are in use."""
    with card.open("rb") as device:
        number = len(partitions_in(device.read(SECTOR)))
    subprocess.run(
        ["partx", "--update", "--nr", str(number), str(card)], check=False, capture_output=True
    )
