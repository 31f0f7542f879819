"""A tape is a test of its own, and a file: so tapes run side by side."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tape.compare import Differs, compare
from tests.tape.reach import load


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "TapeFile | None":
    """Files that end in .tape."""
    return TapeFile.from_parent(parent, path=file_path) if file_path.suffix == ".tape" else None


class TapeFile(pytest.File):
    """One tape."""

    def collect(self) -> Iterator["Played"]:
        """It is played."""
        yield Played.from_parent(self, name="played")


class Played(pytest.Item):
    """Everything comes as it is written there, and it reaches what reach.txt names it for."""

    def runtest(self) -> None:
        """Plays it."""
        reached = compare(self.path)
        promised = {name for name, tape in load().items() if tape == self.path.stem}
        missing = sorted(promised - reached.times.keys())
        if missing:
            raise Differs(f"{self.path}: not reached any more: {', '.join(missing)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What differs, and no more."""
        if isinstance(excinfo.value, Differs):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it is."""
        return self.path, 0, self.path.stem
