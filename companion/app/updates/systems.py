"""The two systems of a card: where they are, which one is running and which one starts, and the
trial of a new one.

The first partition, FAT, has what the firmware reads: `config.txt` with a line `os_prefix=a/` or
`os_prefix=b/`, and for each system a folder `a` or `b` with its kernel and its command line. The
second partition is system A, the third system B, the fourth the record. `tryboot.txt` is config.txt
with the other letter; on request the firmware reads it once in place of config.txt. Sources:
Raspberry Pi documentation, “config.txt”, os_prefix, and “Fail-safe OS updates (tryboot)”."""

import json
import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from companion.app.updates.file import UpdateContents, UpdateError, read_contents
from companion.core.regular_file import read_private, write_private
from companion.core.values import dataclass
from companion.core.words import phrase

CONFIG, TRIAL_CONFIG, CONTENTS = "config.txt", "tryboot.txt", "contents"
COMMAND_LINE = "cmdline.txt"
PARTITIONS = {"a": "2", "b": "3"}
CARD = "434f4d50"
"""The disk identifier of the card, from which the kernel names its partitions
(systemd/image/inputs.py)."""
FAT = Path("/boot/firmware")
DISKS = Path("/dev/disk/by-partuuid")
FOLDER = Path("/data/update")
"""The folder for the updates' own files."""
_PREFIX = re.compile(rb"^os_prefix=([ab])/[ \t]*\r?$", re.MULTILINE)
_ROOT = re.compile(rf"\broot=PARTUUID={CARD}-0([23])\b")


@dataclass(frozen=True, slots=True)
class Systems:
    """The systems of one card. `fat`: where its first partition is mounted; `disks`: the device of
    each system's partition, by letter; `running`: the letter of the running system."""

    fat: Path
    disks: dict[str, Path]
    running: str

    @property
    def other(self) -> str:
        """The letter of the system that isn't running."""
        return "b" if self.running == "a" else "a"

    def folder(self, letter: str) -> Path:
        """Returns the folder with a system's files for the firmware."""
        return self.fat / letter

    def chosen(self) -> str:
        """Returns the letter of the system that starts next. Raises UpdateError or OSError."""
        return _find_letter(self._config().read_bytes())[1]

    def choose(self, letter: str) -> None:
        """Selects the system that starts next. Only one letter changes, so only one sector of the
        card is written: a power failure leaves the old choice or the new one. Raises UpdateError or
        OSError."""
        at, now = _find_letter(self._config().read_bytes())
        if now == letter:
            return
        with self._config().open("r+b", buffering=0) as file:
            file.seek(at)
            file.write(letter.encode())
            os.fsync(file.fileno())

    def trial_config(self) -> bytes:
        """Returns the text of config.txt, changed to select the other system. Raises UpdateError or
        OSError."""
        config = self._config().read_bytes()
        at, _ = _find_letter(config)
        return config[:at] + self.other.encode() + config[at + 1 :]

    def contents(self, letter: str) -> UpdateContents | None:
        """Returns the contents of the update from which a system was written; None if it wasn't
        written completely."""
        try:
            return read_contents((self.folder(letter) / CONTENTS).read_bytes())
        except (OSError, UpdateError):
            return None

    def command_line(self, text: str) -> str:
        """Returns the kernel's command line `text`, changed to mount the other system."""
        return _ROOT.sub(f"root=PARTUUID={CARD}-0{PARTITIONS[self.other]}", text)

    def _config(self) -> Path:
        return self.fat / CONFIG


def _find_letter(config: bytes) -> tuple[int, str]:
    """Returns the position of the letter in config.txt, and the letter. Raises UpdateError."""
    found = [*_PREFIX.finditer(config)]
    if len(found) != 1:
        raise UpdateError("config.txt has no line os_prefix=a/ or os_prefix=b/: put it back")
    return found[0].start(1), found[0][1].decode()


def find_systems(command_line: str | None = None, fat: Path = FAT, disks: Path = DISKS) -> Systems:
    """Returns the systems of this card. Raises UpdateError if it has room for only one, or is not
    one of our cards."""
    arguments = Path("/proc/cmdline").read_text() if command_line is None else command_line
    found = _ROOT.search(arguments)
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
    """Returns the names that the device tree gives this board; none if there is no device tree."""
    try:
        return tuple(tree.read_text(encoding="ascii").strip("\0").split("\0"))
    except (OSError, ValueError):
        return ()


@contextmanager
def writable(folder: Path) -> Iterator[None]:
    """Makes the card's FAT partition writable during a `with` block; otherwise it is read-only. At
    the end everything written is on the card. Raises OSError."""
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


# ---------------------------------------------------------------- trial
# A new system is started once, and kept if the table is well for a minute.
#
# If not, the box is restarted; since nothing has chosen the new system, the old one starts and
# reports that. The same happens after a kernel that never gets so far, a power cut, or a reset by
# the hardware's watchdog.


TRYING = "trying"
"""The file in the updates' folder that marks a trial that was begun."""
FAILED = "failed"
"""The file with the versions that did not start well, which a stick doesn't install again
automatically."""
WELL_S, PATIENCE_S, LOOKS_S = 60.0, 300.0, 5.0
"""Seconds for which the table has to work well without a break, within which it has to, and between
checks."""
LONGEST_TRIAL_FILE = 1000
TRYBOOT_MODULE = Path("/usr/share/companion-card/companion_tryboot.ko")
"""A kernel module that, when loaded, requests tryboot from the firmware (systemd/image/tryboot)."""
PAGE_FILE = Path("/run/companion/page")


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial: the letter of the system being tried, its version, and the version to return to if
    it fails."""

    system: str
    version: str
    before: str


@dataclass(frozen=True, slots=True)
class TrialSteps:
    """The steps of a trial that affect the machine, replaceable in tests: `request_tryboot` makes
    the firmware read tryboot.txt at the next start only, `reboot` restarts, and `writable` makes
    the FAT partition writable."""

    request_tryboot: Callable[[], None]
    reboot: Callable[[], None]
    writable: Callable[[Path], AbstractContextManager[None]] = writable


def begin_trial(folder: Path, trial: Trial, machine: TrialSteps) -> None:
    """Restarts the box into the other system, once. Raises UpdateError if the firmware doesn't take
    the request; nothing has changed then."""
    folder.mkdir(parents=True, exist_ok=True)
    fields = [trial.system, trial.version, trial.before]
    write_private(folder / TRYING, json.dumps(fields))
    try:
        machine.request_tryboot()
    except OSError as error:
        (folder / TRYING).unlink()
        raise UpdateError(
            "This Raspberry Pi can't try a new system: {why}", why=str(error)
        ) from error
    machine.reboot()


def pending_trial(folder: Path) -> Trial | None:
    """Returns the trial that has begun and not ended yet; None if there is none."""
    with suppress(OSError, ValueError):
        match json.loads(read_private(folder / TRYING, LONGEST_TRIAL_FILE)):
            case [str() as system, str() as version, str() as before]:
                return Trial(system, version, before)
    return None


def failed_versions(folder: Path) -> frozenset[str]:
    """Returns the versions that have failed their trial on this card."""
    with suppress(OSError, ValueError):
        return frozenset((folder / FAILED).read_text(encoding="ascii").split())
    return frozenset()


def end_trial(
    folder: Path, systems: Systems, machine: TrialSteps, is_well: Callable[[], bool]
) -> str:
    """Ends a trial after a start. If the tried system is running, keeps it if the table works well,
    and otherwise reboots into the old one. If the old one is running, notes that the trial failed.
    Returns the line for the table to show; empty for none. Raises OSError or UpdateError."""
    trial = pending_trial(folder)
    if trial is None:
        return ""
    if systems.running != trial.system:
        known = {*failed_versions(folder), trial.version}
        (folder / FAILED).write_text(" ".join(sorted(known)), encoding="ascii")
        (folder / TRYING).unlink()
        return phrase(
            "Version {version} did not start well: {before} is back",
            version=trial.version,
            before=trial.before,
        )
    if systems.chosen() != trial.system:
        if not is_well():
            machine.reboot()
            return ""
        with machine.writable(systems.fat):
            systems.choose(trial.system)
    (folder / TRYING).unlink()
    return phrase(
        "Version {version} runs now, in place of {before}",
        version=trial.version,
        before=trial.before,
    )


# ---------------------------------------------------------------- on the card


def table_is_well(
    state: Callable[[], tuple[str, str]],
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> bool:
    """Waits until the table has run for a whole minute without problems; returns False if that
    doesn't happen within PATIENCE_S seconds. `state` returns the state of the table's service and
    how often it was restarted; a change of either restarts the minute."""
    latest, since, before = clock() + PATIENCE_S, clock(), state()
    while clock() < latest:
        sleep(LOOKS_S)
        now = state()
        if now != before or now[0] != "active":
            since, before = clock(), now
        elif clock() - since >= WELL_S:
            return True
    return False


def state_of_table() -> tuple[str, str]:
    """Returns the service's state and the number of its restarts. The state is “no page” if the
    table's page should answer and doesn't."""
    command = ["systemctl", "show", "companion", "-p", "ActiveState", "-p", "NRestarts"]
    output = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    # By name: systemd prints the properties in an order of its own.
    properties = dict(line.split("=", 1) for line in output.splitlines())
    state, restarts = properties.get("ActiveState", ""), properties.get("NRestarts", "")
    return ("no page" if state == "active" and not _page_answers() else state, restarts)


def _page_answers() -> bool:
    """Returns whether the table's page answers; also True if the table has no page."""
    from urllib.request import urlopen

    with suppress(OSError, ValueError):
        address = dict(line.split("=", 1) for line in PAGE_FILE.read_text().splitlines())["PAGE"]
        with urlopen(f"{address}/tv", timeout=LOOKS_S) as answer:
            return bool(answer.status == 200)
    return not PAGE_FILE.exists()


def request_tryboot() -> None:
    """Makes the firmware read tryboot.txt at the next start only. Raises OSError."""
    subprocess.run(["rmmod", TRYBOOT_MODULE.stem], check=False, capture_output=True)
    command = ["insmod", str(TRYBOOT_MODULE)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        errors = done.stderr.strip().splitlines()
        raise OSError(errors[-1] if errors else "its firmware doesn't answer")


def reboot() -> None:
    subprocess.run(["systemctl", "--no-block", "reboot"], check=True)


CARD_STEPS = TrialSteps(request_tryboot, reboot)
"""The steps on a real card."""
