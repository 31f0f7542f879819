"""The two systems of a card: where each of them is, which one runs, and which one starts.

The first partition, FAT, has what the firmware reads: `config.txt` with a line `os_prefix=a/` or
`os_prefix=b/`, and for each system a folder `a` or `b` with its kernel and its command line. The
second partition is system A, the third system B, the fourth the record. `tryboot.txt` is config.txt
with the other letter; the firmware reads it in its place once, after it was asked to.

Sources: Raspberry Pi documentation, “config.txt”, os_prefix, and “Fail-safe OS updates (tryboot)”.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.app.updates.file import Contents, UpdateError, read_contents
from companion.core.values import dataclass

CONFIG, TRIAL_CONFIG, CONTENTS = "config.txt", "tryboot.txt", "contents"
COMMAND_LINE = "cmdline.txt"
PARTITIONS = {"a": "2", "b": "3"}
CARD = "434f4d50"
"""The identifying number of the card, by which the kernel names its partitions
(systemd/image/inputs.py)."""
FAT = Path("/boot/firmware")
DISKS = Path("/dev/disk/by-partuuid")
_PREFIX = re.compile(rb"^os_prefix=([ab])/[ \t]*\r?$", re.MULTILINE)
_ROOT = re.compile(rf"\broot=PARTUUID={CARD}-0([23])\b")


@dataclass(frozen=True, slots=True)
class Systems:
    """The systems of one card. `fat`: where its first partition is mounted; `disks`: the partition
    of each system, by its letter; `running`: the letter of the system that runs."""

    fat: Path
    disks: dict[str, Path]
    running: str

    @property
    def other(self) -> str:
        """The letter of the system that doesn't run."""
        return "b" if self.running == "a" else "a"

    def folder(self, letter: str) -> Path:
        """The folder with the files of a system that the firmware reads."""
        return self.fat / letter

    def chosen(self) -> str:
        """The letter of the system that starts. Raises UpdateError, OSError."""
        return _place(self._config().read_bytes())[1]

    def choose(self, letter: str) -> None:
        """Makes this system start from now on. One letter changes, so one sector of the card is
        written: a power cut leaves the old choice or the new one. Raises UpdateError, OSError."""
        at, now = _place(self._config().read_bytes())
        if now == letter:
            return
        with self._config().open("r+b", buffering=0) as file:
            file.seek(at)
            file.write(letter.encode())
            os.fsync(file.fileno())

    def trial_config(self) -> bytes:
        """The text of config.txt, with the other system chosen. Raises UpdateError, OSError."""
        told = self._config().read_bytes()
        at, _ = _place(told)
        return told[:at] + self.other.encode() + told[at + 1 :]

    def contents(self, letter: str) -> Contents | None:
        """The contents of the update that a system was written from; None if none was written
        whole."""
        try:
            return read_contents((self.folder(letter) / CONTENTS).read_bytes())
        except (OSError, UpdateError):
            return None

    def command_line(self, text: str) -> str:
        """A kernel's command line, changed to mount the other system."""
        return _ROOT.sub(f"root=PARTUUID={CARD}-0{PARTITIONS[self.other]}", text)

    def _config(self) -> Path:
        return self.fat / CONFIG


def _place(config: bytes) -> tuple[int, str]:
    """The position of the letter in config.txt, and the letter. Raises UpdateError."""
    found = [*_PREFIX.finditer(config)]
    if len(found) != 1:
        raise UpdateError("config.txt has no line os_prefix=a/ or os_prefix=b/: put it back")
    return found[0].start(1), found[0][1].decode()


def find_systems(command_line: str | None = None, fat: Path = FAT, disks: Path = DISKS) -> Systems:
    """The systems of this card. Raises UpdateError if it has room for only one, or is not one of
    our cards."""
    told = Path("/proc/cmdline").read_text() if command_line is None else command_line
    found = _ROOT.search(told)
    if found is None:
        raise UpdateError("Only a card that was flashed takes such updates")
    places = {letter: disks / f"{CARD}-0{number}" for letter, number in PARTITIONS.items()}
    if not (disks / f"{CARD}-04").exists():
        raise UpdateError(
            "This card has room for one system only: write the new image onto it, and start with "
            "the stick that has your copies"
        )
    running = next(letter for letter, number in PARTITIONS.items() if number == found[1])
    return Systems(fat, places, running)


def boards_here(tree: Path = Path("/proc/device-tree/compatible")) -> tuple[str, ...]:
    """The names of this board in its device tree; none if it has no device tree."""
    try:
        return tuple(tree.read_text(encoding="ascii").strip("\0").split("\0"))
    except (OSError, ValueError):
        return ()


@contextmanager
def writable(folder: Path) -> Iterator[None]:
    """A context in which the card's FAT partition, otherwise only read, may be written; at its end
    all that was written is on the card. Raises OSError."""
    _remount(folder, "rw")
    try:
        yield
    finally:
        _remount(folder, "ro")


def _remount(folder: Path, how: str) -> None:
    import subprocess

    command = ["mount", "-o", f"remount,{how}", str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"{folder} can't be mounted {how}: {done.stderr.strip()}")
