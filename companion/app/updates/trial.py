"""The trial of a new system: it is started once, and kept if the table is well for a minute.

If not, the box is restarted; since nothing has chosen the new system, the old one starts and says
so. The same happens after a kernel that never gets so far, a power cut, or a reset by the
hardware's watchdog.
"""

import json
import subprocess
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from companion.app.updates.file import UpdateError
from companion.app.updates.systems import Systems, writable
from companion.core.regular_file import read_private, write_private
from companion.core.values import dataclass
from companion.core.words import phrase

TRYING = "trying"
"""The file in the updates' folder that says that a trial was begun."""
FAILED = "failed"
"""The file of the versions that did not start well: a stick doesn't bring them again by itself."""
WELL_S, PATIENCE_S, LOOKS_S = 60.0, 300.0, 5.0
"""Seconds: for how long the table has to be well without a break, within what time, and how often
it is looked at."""
LONGEST = 1000
MODULE = Path("/usr/share/companion-card/companion_tryboot.ko")
"""A kernel module that asks the firmware when it is loaded (systemd/image/tryboot)."""
PAGE = Path("/run/companion/page")


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial: the letter of the system that is tried, its version, and the version that comes back
    if it fails."""

    system: str
    version: str
    before: str


@dataclass(frozen=True, slots=True)
class TrialSteps:
    """What a trial does with the machine; tests replace each: `ask_firmware` to read tryboot.txt
    once, `reboot`, `writable` to write the FAT partition."""

    ask_firmware: Callable[[], None]
    reboot: Callable[[], None]
    writable: Callable[[Path], AbstractContextManager[None]] = writable


def begin_trial(folder: Path, trial: Trial, machine: TrialSteps) -> None:
    """Starts the other system once. Raises UpdateError if the firmware can't be asked to; then all
    is as it was."""
    folder.mkdir(parents=True, exist_ok=True)
    told = [trial.system, trial.version, trial.before]
    write_private(folder / TRYING, json.dumps(told))
    try:
        machine.ask_firmware()
    except OSError as error:
        (folder / TRYING).unlink()
        raise UpdateError(
            "This Raspberry Pi can't try a new system: {why}", why=str(error)
        ) from error
    machine.reboot()


def trial_begun(folder: Path) -> Trial | None:
    """The trial that was begun and has not ended; None: there is none."""
    with suppress(OSError, ValueError):
        match json.loads(read_private(folder / TRYING, LONGEST)):
            case [str() as system, str() as version, str() as before]:
                return Trial(system, version, before)
    return None


def failed_versions(folder: Path) -> frozenset[str]:
    """The versions that did not start well on this card."""
    with suppress(OSError, ValueError):
        return frozenset((folder / FAILED).read_text(encoding="ascii").split())
    return frozenset()


def end_trial(
    folder: Path, systems: Systems, machine: TrialSteps, is_well: Callable[[], bool]
) -> str:
    """Ends a trial after a start: keeps the tried system if it runs and is well, reboots if it
    isn't well. Returns the line for the table to show; empty: none. Raises OSError and
    UpdateError."""
    trial = trial_begun(folder)
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
    """Whether the table is open and well for a minute on end, within PATIENCE_S. `state`: gives
    whether its service is active, and how often it was restarted; a change of either begins the
    minute anew."""
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
    """The service's state and the number of its restarts; the state is “no page” if its page should
    be there and doesn't answer."""
    command = ["systemctl", "show", "companion", "-p", "ActiveState", "-p", "NRestarts"]
    told = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    # By name: systemd prints the properties in an order of its own.
    said = dict(line.split("=", 1) for line in told.splitlines())
    state, restarts = said.get("ActiveState", ""), said.get("NRestarts", "")
    return ("no page" if state == "active" and not _page_answers() else state, restarts)


def _page_answers() -> bool:
    """Whether the table's page answers; True also if it has none."""
    from urllib.request import urlopen

    with suppress(OSError, ValueError):
        address = dict(line.split("=", 1) for line in PAGE.read_text().splitlines())["PAGE"]
        with urlopen(f"{address}/tv", timeout=LOOKS_S) as answer:
            return bool(answer.status == 200)
    return not PAGE.exists()


def ask_firmware() -> None:
    """Makes the firmware read tryboot.txt at the next start, once. Raises OSError."""
    subprocess.run(["rmmod", MODULE.stem], check=False, capture_output=True)
    command = ["insmod", str(MODULE)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise OSError(said[-1] if said else "its firmware doesn't answer")


def reboot() -> None:
    """Restarts the box."""
    subprocess.run(["systemctl", "--no-block", "reboot"], check=True)


CARD = TrialSteps(ask_firmware, reboot)
"""The steps on a real card."""
