"""What several rigs share: the kernel rig's guest, which is booted once, and figures to print."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rigs.cut_trial import Trial
from tests.rigs.kernel.build import TOOLS, build
from tests.rigs.kernel.guest import Guest
from tests.rigs.roots import need

collect_ignore = [] if os.environ.get("CARD_IMAGE") else ["rig_card.py"]
"""The card image takes an hour: it is tried by `make rig-card`, which names it."""


@pytest.fixture(scope="session")
def guest() -> Iterator[Guest]:
    """The guest, running."""
    need(*TOOLS)
    with Guest(build(), Path(tempfile.mkdtemp(prefix="kernel-rig-"))) as guest:
        guest.boot()
        yield guest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says how many states of cut disks were tried."""
    if Trial.tried:
        terminalreporter.write_line(f"cut: {Trial.tried:,} states, 0 lost a row without a word")


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Iterator[list[str]]:
    """Figures to print, whether the test passes or not."""
    lines: list[str] = []
    yield lines
    with capsys.disabled():
        print("", *lines, sep="\n  ")
