"""The image of the card: a partition table, FAT, a system as a read-only squashfs, space for
another system, and the record's partition. Making it requires neither root nor loop devices, and is
reproducible."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from companion.card.partitions import ALIGNED, FAT, LINUX, SECTOR, Partition, make_first_sector
from image.inputs import HASHES_ID, NUMBER, RECORD_ID

MIB = 1 << 20
FAT_SIZE, SYSTEM_SIZE, RECORD_SIZE = 256 * MIB, 448 * MIB, 64 * MIB
"""In bytes; there are two systems. A later version has no more room on a card than this."""
GROWS_TO = 256 << 30
"""The size in bytes up to which the record's file system has room in its tables to grow."""
BLOCK = 4096
FOLDERS = ("a", "b")
"""Folders on the FAT partition: what the firmware reads of each system."""
KEPT = ("companion", "timesync", "ssh")
"""The folders of the record's partition."""


def lay_out_partitions(sizes: Iterable[int]) -> tuple[Partition, ...]:
    """Returns partitions of these sizes in bytes, one after the other, aligned to the erase blocks
    of cards."""
    at, found = ALIGNED, []
    for number, size in enumerate(sizes):
        sectors = -(-size // (SECTOR * ALIGNED)) * ALIGNED
        found.append(Partition(at, sectors, LINUX if number else FAT, boots=not number))
        at += sectors
    return tuple(found)


def make_fat(files: Mapping[str, Path], path: Path, epoch: int) -> None:
    """Makes the FAT partition with these files, sorted by name."""
    _write_empty(path, FAT_SIZE)
    number = f"{NUMBER:08x}"
    _run(
        ["mkfs.vfat", "--invariant", "-F", "32", "-n", "COMPANION", "-i", number, str(path)], epoch
    )
    for folder in sorted({*FOLDERS, *(name.split("/")[0] for name in files if "/" in name)}):
        _run(["mmd", "-i", str(path), f"::{folder}"], epoch)
    for name in sorted(files):
        copy = path.with_name("copying")
        shutil.copyfile(files[name], copy)
        os.utime(copy, (epoch, epoch))
        _run(["mcopy", "-m", "-i", str(path), str(copy), f"::{name}"], epoch)
        copy.unlink()


def make_squashfs(system: Path, path: Path, epoch: int, level: int) -> None:
    """Makes the system's squashfs. Raises ValueError if it doesn't fit onto a card."""
    command = ["tar2sqfs", "--quiet", "--force", "--compressor", "zstd", "--comp-extra"]
    command += [f"level={level}", "--defaults", f"mtime={epoch}", str(path)]
    with system.open("rb") as tar:
        subprocess.run(command, check=True, stdin=tar, env=_environment(epoch))
    if path.stat().st_size > SYSTEM_SIZE:
        raise ValueError(f"the system has {path.stat().st_size} bytes: no card has room for it")


def system_parts(squashfs: Path, folder: Path) -> list[Path]:
    """Returns the paths of both systems' partitions: the first contains `squashfs`, the other is
    empty."""
    parts = [folder / name for name in ("system-a", "system-b")]
    squashfs.rename(parts[0])
    for part in parts:
        with part.open("ab") as file:
            file.truncate(SYSTEM_SIZE)
    return parts


def make_record_partition(path: Path, epoch: int) -> None:
    """Makes the record's partition, which is empty."""
    _write_empty(path, RECORD_SIZE)
    extended = f"hash_seed={HASHES_ID},lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0"
    extended += f",resize={GROWS_TO // BLOCK}"
    command = ["mke2fs", "-q", "-t", "ext4", "-b", str(BLOCK), "-i", "65536", "-m", "0"]
    command += ["-J", "size=16"]
    command += ["-L", "record", "-U", RECORD_ID, "-E", extended, str(path)]
    _run(command, epoch)
    # mke2fs would copy folders with the time at which they were made.
    for name in KEPT:
        _run(["debugfs", "-w", "-R", f"mkdir {name}", str(path)], epoch)


def write_image(parts: Iterable[Path], path: Path) -> None:
    """Writes these partitions into an image, as a sparse file."""
    parts = list(parts)
    places = lay_out_partitions(part.stat().st_size for part in parts)
    with path.open("wb") as image:
        image.write(make_first_sector(places, NUMBER))
        for part, place in zip(parts, places, strict=True):
            image.seek(place.start * SECTOR)
            with part.open("rb") as data:
                while chunk := data.read(MIB):
                    if chunk.count(0) == len(chunk):
                        image.seek(len(chunk), os.SEEK_CUR)
                    else:
                        image.write(chunk)
        image.truncate(places[-1].end * SECTOR)


def _write_empty(path: Path, size: int) -> None:
    path.unlink(missing_ok=True)
    with path.open("wb") as made:
        made.truncate(size)


def _run(command: list[str], epoch: int) -> None:
    subprocess.run(command, check=True, env=_environment(epoch), capture_output=True)


def _environment(epoch: int) -> dict[str, str]:
    told = {"SOURCE_DATE_EPOCH": str(epoch), "E2FSPROGS_FAKE_TIME": str(epoch), "TZ": "UTC"}
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    return {**os.environ, **told, "PATH": path, "MTOOLS_SKIP_CHECK": "1"}
