"""The versions rig: boxes and hubs of 0.3, from the repository's history, with those of today, in
both directions. If something can't work together, the message says which program to update.
"""

import os
import re
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest

from tests.rigs.machine import until

HERE = Path(__file__).parents[2]
OLD = "a1055f57"
"""The last commit of 0.3."""
MANY = 1200
KEEPS = """
import sys
from pathlib import Path
from companion.app.catalog import CATALOG
from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.record import rows
from companion.record.rows import Setting, Step
from companion.record.store.store import Store
path, many = Path(sys.argv[1]), int(sys.argv[2])
Opened = getattr(rows, "GameOpened", None) or rows.Opened  # its name up to 0.3
store = Store.open(path, CATALOG.rules)
seats = Seats.of("Nora", "Ole")
for number in range(many):
    store.keep(0, Setting(f"flip-{number}", "on"))
store.keep(1, Opened("high-five", seats, {}))
for line in ("hand", "Nora 6-6", "Ole 6-3"):
    store.keep(1, Step((parse_entry(line, CATALOG.rules["high-five"], seats),)))
store.close()
"""


class Version:
    """The program of one version, in the folder `tree`."""

    def __init__(self, tree: Path, place: Path) -> None:
        self.tree, self.place = tree, place

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": str(self.tree)}

    def companion(self, *words: str, code: int = 0) -> tuple[str, str]:
        """The output of `companion hub …` on both streams; checks that it ends with this code."""
        done = self.run(*words)
        assert done.returncode == code, done
        return done.stdout.strip(), done.stderr.strip()

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Runs `companion hub …`."""
        return subprocess.run(
            [sys.executable, "-m", "companion", "hub", *words],
            env=self._environment(), cwd=self.place, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def keep(self, record: Path, many: int = 0) -> None:
        """Keeps a game in a record, after that many rows about the box."""
        subprocess.run(
            [sys.executable, "-c", KEEPS, str(record), str(many)],
            env=self._environment(), cwd=self.place, check=True,
        )  # fmt: skip

    @contextmanager
    def hub(self, data: Path, name: str) -> Iterator["RunningHub"]:
        """Runs a hub with its folder in `data` until the end."""
        process = subprocess.Popen(
            [sys.executable, "-m", "companion", "hub", "run", "--data", str(data), "--port", "0",
             "--quiet", "--name", name],
            env=self._environment(), cwd=self.place, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        found = RunningHub(self, data, process)
        try:
            yield found
        finally:
            process.kill()
            process.wait()
            found.reading.join()


class RunningHub:
    """A hub that runs. `lines`: what it has printed."""

    def __init__(self, version: Version, data: Path, process: "subprocess.Popen[str]") -> None:
        self.version, self.data, self.lines = version, data, list[str]()
        self._out = process.stdout
        self.reading = threading.Thread(target=self._read)
        self.reading.start()
        until(lambda: any(re.search(r":(\d+)/$", line) for line in self.lines))
        (port, *_) = [found[1] for line in self.lines if (found := re.search(r":(\d+)/$", line))]
        self.address = f"127.0.0.1:{port}"

    def _read(self) -> None:
        assert self._out is not None
        with self._out:
            self.lines += (line.strip() for line in iter(self._out.readline, ""))

    def rows(self) -> int:
        """The number of its rows if all its chains are complete; else -1."""
        done = self.version.run("verify", "--data", str(self.data))
        found = re.findall(r"(\d+) rows: well", done.stdout)
        return int(found[0]) if found else -1


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Version:
    """The program of 0.3."""
    place = tmp_path_factory.mktemp("old")
    archive = subprocess.run(
        ["git", "archive", OLD, "companion"], cwd=HERE, capture_output=True, check=False
    )
    if archive.returncode:
        pytest.skip(f"the history up to {OLD} is not here")
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as found:
        found.extractall(place, filter="data")
    return Version(place, place)


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Version:
    """The program of today."""
    return Version(HERE, tmp_path_factory.mktemp("new"))


@pytest.mark.parametrize("box_is_old", [True, False], ids=["old-box", "new-box"])
def test_a_box_joins_and_pushes(
    old: Version, new: Version, tmp_path: Path, *, box_is_old: bool
) -> None:
    box, of_hub = (old, new) if box_is_old else (new, old)
    with of_hub.hub(tmp_path / "club", "Friday Fives") as hub:
        record = tmp_path / "kitchen.db"
        old.keep(record, MANY)
        digits, _ = box.companion("join", hub.address, "--record", str(record))
        of_hub.companion("accept", digits, "--data", str(hub.data))
        box.companion("push", "--record", str(record), "--once")
        old.keep(record)
        box.companion("push", "--record", str(record), "--once")
        assert hub.rows() == MANY + 8
        box.companion("leave", "--record", str(record))


def federated(club: RunningHub, league: RunningHub, *more: str) -> None:
    digits, _ = club.version.companion("federate", league.address, "--data", str(club.data))
    league.version.companion("accept", digits, *more, "--data", str(league.data))


def joined(hub: RunningHub, record: Path, old: Version, many: int) -> None:
    old.keep(record, many)
    digits, _ = hub.version.companion("join", hub.address, "--record", str(record))
    hub.version.companion("accept", digits, "--data", str(hub.data))
    hub.version.companion("push", "--record", str(record), "--once")


def test_a_club_of_0_3_pushes_to_a_current_federation_or_must_update(
    old: Version, new: Version, tmp_path: Path
) -> None:
    club = tmp_path / "club"
    with new.hub(tmp_path / "league", "The League") as league:
        with old.hub(club, "Friday Fives") as hub:
            joined(hub, tmp_path / "kitchen.db", old, 0)
            federated(hub, league)  # by mistake: as a box
            until(lambda: any("accepted as a box" in line for line in hub.lines))
            federated(hub, league, "--club")
            until(lambda: league.rows() == 4)
            joined(hub, tmp_path / "porch.db", old, MANY)
            until(lambda: any("update the club's hub" in line for line in hub.lines))
        with new.hub(club, "Friday Fives"):
            until(lambda: league.rows() == 4 + MANY + 4)


def test_a_current_club_pushes_to_a_federation_of_0_3(
    old: Version, new: Version, tmp_path: Path
) -> None:
    with (
        old.hub(tmp_path / "league", "The League") as league,
        new.hub(tmp_path / "club", "Friday Fives") as hub,
    ):
        joined(hub, tmp_path / "kitchen.db", old, MANY)
        federated(hub, league)
        until(lambda: league.rows() == MANY + 4)
    # The federation is updated: its club stays one, and its chains are as they were.
    with new.hub(tmp_path / "league", "The League") as league:
        assert league.rows() == MANY + 4


def test_a_federation_of_0_3_restores_a_current_hub(
    old: Version, new: Version, tmp_path: Path
) -> None:
    with old.hub(tmp_path / "league", "The League") as league:
        with new.hub(tmp_path / "club", "Friday Fives") as hub:
            joined(hub, tmp_path / "kitchen.db", old, 0)
            federated(hub, league)
            until(lambda: league.rows() == 4)
        lost = tmp_path / "lost"
        lost.mkdir()
        (lost / "club.key").write_bytes((tmp_path / "club" / "club.key").read_bytes())
        digits, _ = new.companion("federate", league.address, "--data", str(lost))
        old.companion("accept", digits, "--data", str(league.data))
        out, _ = new.companion("restore", "--data", str(lost))
        assert out.startswith("4 rows came back")
