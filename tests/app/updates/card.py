"""A card with two systems, in a folder: the first partition as a folder, the systems as files, and
a firmware that starts as its documentation says."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.app.updates.file import SYSTEM, UpdateContents, part_of, write_update
from companion.app.updates.install import UpdatedBox
from companion.app.updates.systems import (
    CARD,
    CONTENTS,
    PARTITIONS,
    Systems,
    TrialSteps,
    end_trial,
    find_systems,
)
from companion.club.box.keys import KeyPair
from companion.games.game import RULES
from companion.record.rows import FORMAT, Step
from tests.record.play import play, scored
from tests.sample_games import RACE_RULES

KEYS = KeyPair.from_private(bytes(range(32)))
BOARD = "raspberrypi,3-model-b"
CONFIG = "# how it starts\nos_prefix=a/\nkernel=vmlinuz\nhdmi_group=1\n"
LINE = f"console=tty0 root=PARTUUID={CARD}-02 ro quiet\n"


class FakeCard:
    """A card with version 0.2.0 as system A, and a record."""

    def __init__(self, folder: Path, room: int = 1 << 20) -> None:
        self.folder, self.fat = folder, folder / "fat"
        self.disks = folder / "disks"
        self.fat.mkdir(parents=True)
        self.disks.mkdir()
        for number in ("2", "3", "4"):
            (self.disks / f"{CARD}-0{number}").write_bytes(b"\0" * room)
        (self.fat / "config.txt").write_text(CONFIG)
        (self.fat / "wifi.txt").write_text("name = Our home\n")
        files = self.files("0.2.0")
        made = self.contents("0.2.0", files)
        (self.fat / "a").mkdir()
        for name in ("vmlinuz", "cmdline.txt"):
            (self.fat / "a" / name).write_bytes(files[name].read_bytes())
        (self.fat / "a" / CONTENTS).write_bytes(made.line())
        with (self.disks / f"{CARD}-02").open("r+b") as disk:
            disk.write(files[SYSTEM].read_bytes())
        self.asked, self.rebooted, self.refuses = 0, 0, ""
        self.flag, self.running = False, "a"

    def files(self, version: str) -> dict[str, Path]:
        """The files of that version's parts."""
        folder = self.folder / f"made-{version}"
        folder.mkdir(exist_ok=True)
        texts = {
            SYSTEM: f"system {version} ".encode() * 20_000,
            "vmlinuz": f"kernel {version} ".encode() * 9_000,
            "cmdline.txt": LINE.encode(),
        }
        for name, data in texts.items():
            (folder / name).write_bytes(data)
        return {name: folder / name for name in texts}

    def contents(
        self, version: str, files: dict[str, Path], record: int = FORMAT, rules: int = RULES
    ) -> UpdateContents:
        """The contents of that version, as its update lists them."""
        parts = tuple(part_of(name, path) for name, path in files.items())
        boards = (BOARD, "raspberrypi,4-model-b")
        return UpdateContents(version, 1763700000, boards, record, parts, rules)

    def update(
        self,
        version: str = "0.3.0",
        record: int = FORMAT,
        rules: int = RULES,
        keys: KeyPair = KEYS,
    ) -> Path:
        """Makes the update file of that version."""
        files, path = self.files(version), self.folder / f"{version}.update"
        write_update(path, self.contents(version, files, record, rules), files, keys.private)
        return path

    def systems(self) -> Systems:
        """Both systems, as the running one finds them."""
        line = LINE.replace("-02", f"-0{PARTITIONS[self.running]}")
        return find_systems(line, self.fat, self.disks)

    def box(
        self, version: str = "0.2.0", boards: tuple[str, ...] = (BOARD, "brcm,bcm2837")
    ) -> UpdatedBox:
        """The box that runs from this card."""
        record = self.folder / "record.db"
        folder = self.folder / "update"
        systems = self.systems()
        return UpdatedBox(
            systems, (KEYS.public,), boards, version, record, RACE_RULES, folder, self.machine
        )

    @property
    def machine(self) -> TrialSteps:
        """The steps of a trial, which this card carries out or counts."""

        def ask() -> None:
            if self.refuses:
                raise OSError(self.refuses)
            self.asked += 1
            self.flag = True

        def reboot() -> None:
            self.rebooted += 1

        @contextmanager
        def writable(_: Path) -> Iterator[None]:
            yield

        return TrialSteps(ask, reboot, writable)

    def start(self) -> str:
        """Starts the card: the firmware reads tryboot.txt if it was asked to, once, else
        config.txt. Returns the version that runs; fails if none starts."""
        name, self.flag = ("tryboot.txt" if self.flag else "config.txt"), False
        config = (self.fat / name).read_text()
        (prefix,) = [one[10:] for one in config.splitlines() if one.startswith("os_prefix=")]
        line = (self.fat / f"{prefix}cmdline.txt").read_text()
        kernel = (self.fat / f"{prefix}vmlinuz").read_bytes()
        letter = next(one for one, number in PARTITIONS.items() if f"{CARD}-0{number} " in line)
        assert prefix == f"{letter}/", "another system's kernel"
        disk = (self.disks / f"{CARD}-0{PARTITIONS[letter]}").read_bytes()
        self.running = letter
        for version in ("0.1.0", "0.2.0", "0.3.0.dev0", "0.3.0", "0.4.0"):
            files = self.files(version)
            system = files[SYSTEM].read_bytes()
            if kernel == files["vmlinuz"].read_bytes():
                assert disk[: len(system)] == system, f"{version} is torn"
                return version
        raise AssertionError("no kernel that is whole")

    def all_files(self) -> dict[str, str]:
        """The SHA-256 sum of every file of the card, by its name."""
        return {
            str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted((*self.fat.rglob("*"), *self.disks.rglob("*")))
            if path.is_file()
        }


def keep_game(card: FakeCard, *, over: bool) -> None:
    """Keeps a game in the card's record, finished or not."""
    play(
        card.folder / "record.db", *(Step((scored(turn, 20),)) for turn in range(19 if over else 5))
    )


def ended(card: FakeCard, version: str, *, well: bool = True) -> str:
    """Ends the trial of that version; returns the line for the table."""
    box = card.box(version)
    return end_trial(box.folder, box.systems, card.machine, lambda: well)
