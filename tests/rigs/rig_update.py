"""The power goes at any write of an update: the card starts, and no row is lost.

The kernel rig's guest, in which only a shell is started, takes an update on a disk whose writes
dm-log-writes logs: FAT and ext4 by Linux's own drivers, the systems' partitions beside them, while
rows of the record are kept. From the log disks are made that a power cut could have left, and
checked here. The firmware is a stand-in that does what Raspberry Pi's documentation says: it reads
config.txt, and starts the system that `os_prefix` in it names.
"""

import hashlib
import random
import re
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from companion.app.catalog import CATALOG
from companion.app.updates.file import SYSTEM, read_contents
from companion.app.updates.systems import CARD, CONTENTS, PARTITIONS
from companion.card.partitions import SECTOR, Partition
from companion.record.rows import FORMAT
from companion.record.store.database import ChainLink
from companion.record.store.reader import Reader
from image.disk import lay_out_partitions
from tests.app.updates.card import KEYS, FakeCard
from tests.bench_wire import MEMORY
from tests.rigs.kernel.build import TOOLS, GuestFiles, build
from tests.rigs.logged_writes import LoggedWrite, read_log, states
from tests.rigs.roots import need

MIB = 1 << 20
SIZES = (40 * MIB, 4 * MIB, 4 * MIB, 16 * MIB)
"""Bytes of the partitions: FAT (FAT32 from 33 MB on), both systems, and the record's."""
CUTS = 120
"""At how many places of the log the power goes, once or twice each (logged_writes.states)."""
LOG_MIB = 256
WITHIN_S = 3000.0
FOLDER = "/run/updated"
SCRIPT = Path(__file__).parent / "kernel" / "updated.py"
pytestmark = pytest.mark.serial


def run(*command: str) -> str:
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    return ran.stdout


def made_card(folder: Path) -> tuple[Path, tuple[Partition, ...], FakeCard]:
    """Makes a card of version 0.2.0; returns its image, its partitions, and what is on it."""
    need("mkfs.vfat", "mcopy", "mmd", "mke2fs", "e2fsck", "debugfs")
    fake, places = FakeCard(folder / "fake"), lay_out_partitions(SIZES)
    card, fat, data = folder / "card.img", folder / "fat.img", folder / "data.img"
    for path, size in ((card, places[-1].end * SECTOR), (fat, SIZES[0]), (data, SIZES[3])):
        with path.open("wb") as file:
            file.truncate(size)
    run("mkfs.vfat", "-F", "32", "-s", "1", str(fat))
    run("mcopy", "-s", "-i", str(fat), *map(str, fake.fat.iterdir()), "::")
    run("mke2fs", "-q", "-t", "ext4", "-J", "size=4", "-L", "record", str(data))
    with card.open("r+b") as disk:
        for place, part in zip(places, (fat, fake.files("0.2.0")[SYSTEM], None, data), strict=True):
            if part:
                disk.seek(place.start * SECTOR)
                disk.write(part.read_bytes())
    return card, places, fake


def take_it(built: GuestFiles, folder: Path, card: Path, log: Path, update: Path) -> str:
    """Lets a guest take the update on that card, with all writes in the log; returns what it said.
    Only a shell is started in it, which reads its commands from a disk."""
    brought, script, disk = (folder / name for name in ("brought", "script", "guest.img"))
    with brought.open("wb") as file:
        file.truncate(40 * MIB)
    run("mkfs.vfat", str(brought))
    key = folder / "key"
    key.write_text(KEYS.public.hex())
    for path, name in ((update, "update"), (key, "key"), (SCRIPT, "updated.py")):
        run("mcopy", "-i", str(brought), str(path), f"::{name}")
    run("cp", "--sparse=always", str(built.disk), str(disk))
    script.write_bytes(
        to_do(lay_out_partitions(SIZES), card.stat().st_size).encode().ljust(16384, b"\n")
    )
    said = folder / "said"
    command = ["setpriv", "--pdeathsig", "KILL", "--", "qemu-system-x86_64", "-nodefaults"]
    command += ["-display", "none", "-no-reboot", "-accel", "tcg", "-cpu", "max", "-m", "512"]
    command += ["-kernel", str(built.kernel), "-initrd", str(built.initrd)]
    line = "root=/dev/vda rw console=ttyS0 panic=-1 loglevel=4 init=/bin/sh -- /dev/vdd"
    command += ["-append", line, "-serial", f"file:{said}"]
    for image in (disk, card, log, script, brought):
        command += ["-drive", f"file={image},if=virtio,format=raw"]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, timeout=WITHIN_S)
    return said.read_text(errors="replace")


def to_do(places: tuple[Partition, ...], size: int) -> str:
    """The commands of the guest's shell: they log all writes to the card, open its partitions, and
    take the update."""
    dmsetup = "dmsetup create --noudevsync --noudevrules"
    lines = ["mount -t proc proc /proc", "mount -t sysfs sys /sys || true"]
    lines += ["mount -t tmpfs run /run", "mount -t tmpfs tmp /tmp"]
    lines += ["modprobe -a dm_log_writes vfat nls_cp437 nls_ascii nls_utf8 ext4"]
    lines += [f'{dmsetup} card --table "0 {size // SECTOR} log-writes /dev/vdb /dev/vdc"']
    lines += [f"mkdir -p {FOLDER}/fat {FOLDER}/data {FOLDER}/disks {FOLDER}/brought"]
    lines += [f"mount -t vfat -o ro /dev/vde {FOLDER}/brought; cp {FOLDER}/brought/* {FOLDER}"]
    for name, place in zip(("fat", "a", "b", "data"), places, strict=True):
        linear = f"0 {place.size} linear /dev/dm-0 {place.start}"
        lines.append(f'{dmsetup} {name} --table "{linear}"')
    lines.append("dmsetup mknodes")  # what udev would do, which doesn't run
    for letter, number in {**PARTITIONS, "data": "4"}.items():
        lines.append(f"ln -s /dev/mapper/{letter} {FOLDER}/disks/{CARD}-0{number}")
    lines.append(f"mount -t vfat -o ro,noatime,umask=077 /dev/mapper/fat {FOLDER}/fat")
    lines.append(f"mount -t ext4 -o noatime,commit=1 /dev/mapper/data {FOLDER}/data")
    lines.append(f"python3 {FOLDER}/updated.py {FOLDER}; echo It ended with $?.")
    lines += [f"umount {FOLDER}/fat {FOLDER}/data", "dmsetup remove -f fat a b data"]
    lines += ["dmsetup remove --noudevsync card", "sync", "echo o > /proc/sysrq-trigger"]
    return "\n".join([*lines, "sleep 1000", ""])


# ---------------------------------------------------------------- what a cut left


class DiskAfterCut:
    """A disk that a power cut left; its partitions are files in `folder`."""

    def __init__(self, disk: bytes, places: tuple[Partition, ...], folder: Path) -> None:
        self._parts = {}
        for name, place, size in zip(("fat", "a", "b", "data"), places, SIZES, strict=True):
            self._parts[name] = folder / name
            at = place.start * SECTOR
            self._parts[name].write_bytes(disk[at : at + size])
        self._folder = folder

    def starts(self) -> str:
        """The version that the firmware starts by config.txt; fails if that system is torn."""
        (prefix,) = re.findall(r"^os_prefix=([ab])/$", self._read("config.txt").decode(), re.M)
        assert self._read("wifi.txt") == b"name = Our home\n"
        contents = read_contents(self._read(f"{prefix}/{CONTENTS}"))
        system = contents.part(SYSTEM)
        data = self._parts[prefix].read_bytes()[: system.size]
        assert hashlib.sha256(data).hexdigest() == system.sha256, f"system {prefix} is torn"
        kernel = self._read(f"{prefix}/vmlinuz")
        assert hashlib.sha256(kernel).hexdigest() == contents.part("vmlinuz").sha256
        line = self._read(f"{prefix}/cmdline.txt").decode()
        assert f"PARTUUID={CARD}-0{PARTITIONS[prefix]} " in line, line
        return contents.version

    def _read(self, name: str) -> bytes:
        command = ["mtype", "-i", str(self._parts["fat"]), f"::{name}"]
        return subprocess.run(command, check=True, capture_output=True).stdout

    def rows(self) -> int:
        """The number of the record's rows, each verified by its hash, after the ext4 repair that
        the card does, too (cmdline.txt): it uses a copy of the first block if that is torn."""
        data = str(self._parts["data"])
        checked = subprocess.run(
            ["e2fsck", "-f", "-y", data], capture_output=True, text=True, check=False
        )
        assert checked.returncode in (0, 1), checked.stdout
        dumped = self._folder / "dumped"
        dumped.mkdir()
        subprocess.run(
            ["debugfs", "-R", f"rdump /companion {dumped}", data], check=True, capture_output=True
        )
        record = dumped / "companion" / "record.db"
        if not record.exists() or not record.stat().st_size:
            return 0
        for passing in record.parent.glob("*-shm"):
            passing.unlink()
        with Reader.open(record, CATALOG.rules) as reader:
            links = [item for item in reader.walk() if isinstance(item, ChainLink)]
        assert all(two.before == one.hash for one, two in pairwise(links))
        return len(links)


def kept_by(log: list[LoggedWrite], cut: int) -> int:
    """The number of rows that were reported as kept when the power was cut at `cut`."""
    words = [entry.word for entry in log[:cut]]
    return sum(word.startswith("row-") for word in words)


def test_an_update_survives_a_power_cut_at_any_write(tmp_path: Path, tell: list[str]) -> None:
    need(*TOOLS, "setpriv")
    card, places, fake = made_card(tmp_path)
    first, log = card.read_bytes(), tmp_path / "log.img"
    with log.open("wb") as file:
        file.truncate(LOG_MIB * MIB)
    said = take_it(build(), tmp_path, card, log, fake.update("0.3.0", record=FORMAT))
    assert "Version 0.3.0 runs now, in place of 0.2.0" in said, said
    writes = read_log(log)
    marks = {entry.word: number for number, entry in enumerate(writes, 1) if entry.word}
    assert {"start", "asked", "reboot", "kept"} <= marks.keys()
    chosen = range(marks["reboot"], marks["kept"] + 1)
    others = [n for n in range(marks["start"], len(writes) + 1) if n not in chosen]
    picked = random.Random(1).sample(others, min(CUTS, len(others)))
    tried: dict[str, int] = {}
    for cut, disk in states(writes, first, [*chosen, *picked], seed=cut_seed(writes)):
        folder = (MEMORY if MEMORY.is_dir() else tmp_path) / "left"
        subprocess.run(["rm", "-rf", str(folder)], check=True)
        folder.mkdir()
        left = DiskAfterCut(bytes(disk), places, folder)
        version = left.starts()
        tried[version] = tried.get(version, 0) + 1
        assert version == "0.2.0" or cut > marks["reboot"], "started untried"
        assert cut < marks["kept"] or version == "0.3.0"
        assert left.rows() >= kept_by(writes, cut), f"rows are lost at {cut}"
        subprocess.run(["rm", "-rf", str(folder)], check=True)
    total = sum(tried.values())
    assert total >= 100 and len(tried) == 2
    told = ", ".join(f"{many} start {version}" for version, many in sorted(tried.items()))
    rows = kept_by(writes, len(writes))
    tell.append(f"{len(writes)} writes, {rows} rows: cut {total} times, 0 don't start, 0 rows lost")
    tell.append(told)


def cut_seed(writes: list[LoggedWrite]) -> int:
    """The seed for the lost sectors, which differ in each run."""
    return len(writes)
