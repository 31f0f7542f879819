"""Each tape is a test file of its own with one test, so tapes run side by side. A sample plays some
tapes of each surface."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tape.casts import CASTS
from tests.tape.compare import Differs, compare
from tests.tape.reach import load
from tests.tape.record import Cast

SAMPLED = {"keys": 1, "stick": 1, "pads": 1}
"""How many tapes of each surface a sample plays. The tape of the race, which is short, is always
played."""


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "TapeFile | None":
    """Collects files that end in .tape."""
    return TapeFile.from_parent(parent, path=file_path) if file_path.suffix == ".tape" else None


class TapeFile(pytest.File):
    """The file of one tape."""

    def collect(self) -> Iterator["Played"]:
        """Yields the tape's only test, marked for samples unless it is the race."""
        played = Played.from_parent(self, name="played")
        for cast in CASTS:
            if cast.name == self.path.stem and not cast.build.race:
                pressed = surface(cast)
                name = f"tests/tape/played, on {pressed}"
                played.add_marker(pytest.mark.sampled(SAMPLED[pressed], property=name))
        yield played


def surface(cast: Cast) -> str:
    """The keys that the players of a tape use: “pads”, “stick” or “keys”."""
    return "pads" if cast.manner.pads else "stick" if cast.board else "keys"


class Played(pytest.Item):
    """Tests that the output equals that on the tape, and that the tape reaches the names for which
    reach.txt lists it."""

    def runtest(self) -> None:
        """Plays the tape. Raises Differs."""
        reached = compare(self.path)
        promised = {name for name, tape in load().items() if tape == self.path.stem}
        missing = sorted(promised - reached.times.keys())
        if missing:
            raise Differs(f"{self.path}: not reached any more: {', '.join(missing)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The message of a Differs alone; pytest's own report for anything else."""
        if isinstance(excinfo.value, Differs):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The tape's path and name, for pytest."""
        return self.path, 0, self.path.stem
