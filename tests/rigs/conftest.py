"""What several rigs share: the kernel rig's guest, which each process boots once, the package and a
Debian to install it on, and figures to print; and which rigs run side by side."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.rigs.cut_trial import Trial
from tests.rigs.kernel.build import TOOLS, build
from tests.rigs.kernel.guest import Guest
from tests.rigs.machine import Machine
from tests.rigs.package import DEBIANS, LATER, debian_machine, debs, table_of
from tests.rigs.roots import need

BY_NAME_ALONE = (
    "rig_card.py",
    "rig_card_fresh.py",
    "rig_kiosk.py",
    "rig_own_wifi.py",
    "rig_update.py",
)
"""The card image takes an hour: `make rig-card` names it. The box's own Wi-Fi wants a guest that
has booted whole, for which the rig is too impatient on a slow machine, and an update is cut at each
of its writes: `make rig NAME=own_wifi` and `make rig NAME=update` name them. The kiosk's browser
takes minutes each time that it starts in emulation: `make rig NAME=kiosk`."""
collect_ignore = [
    name for name in BY_NAME_ALONE if not any(name in argument for argument in sys.argv)
]

LONGEST_FIRST = (
    *("kernel", "kernel-system", "pico", "suite-trixie", "suite-bookworm"),
    *("service-trixie", "service-bookworm", "cut_worse", "board"),
)
"""Groups of rigs: begun last, these would leave one processor alone with them."""


def group_of(nodeid: str) -> str:
    """What runs one after the other: what a kernel does with keys and display in one guest, what it
    does with all else in another, what is tried in a Debian machine, else a file."""
    path, _, test = nodeid.partition("::")
    rig = Path(path).stem.removeprefix("rig_")
    if rig.startswith("kernel_") or rig in ("stick", "own_wifi"):
        return "kernel-system"
    if rig in ("service", "suite"):
        return f"{rig}-trixie" if "[trixie" in test else f"{rig}-bookworm"
    return rig


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first."""
    order = {group: place for place, group in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: order.get(group_of(item.nodeid), len(order)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Groups go side by side."""
    from xdist.scheduler import LoadScopeScheduling

    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = group_of
    return scheduler


@pytest.fixture(scope="session")
def guest() -> Iterator[Guest]:
    """The guest, running."""
    need(*TOOLS)
    with Guest(build(), Path(tempfile.mkdtemp(prefix="kernel-rig-"))) as guest:
        guest.boot()
        yield guest


@pytest.fixture(scope="module")
def packages() -> list[Path]:
    """The table's package as it is, and a later version of it."""
    need("mmdebstrap", "systemd-nspawn", "nsenter", "dpkg-buildpackage", "dh", "dh_python3")
    return [table_of(debs()), table_of(debs(LATER))]


@pytest.fixture(scope="module", params=DEBIANS)
def machine(
    request: pytest.FixtureRequest, packages: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Machine]:
    """Each Debian, booted, that has what the package depends on."""
    with debian_machine(request.param, packages, tmp_path_factory.mktemp("machines")) as machine:
        yield machine


class Told:
    """What the rigs tell besides: in any process, and shown at the end."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.states = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keeps what a test told, once."""
        if report.when == "teardown":
            told = [str(text) for name, text in report.user_properties if name == "told"]
            self.lines += [report.nodeid, *(f"  {line}" for line in told)] if told else []
            tried = [text for name, text in report.user_properties if name == "tried"]
            self.states += sum(int(str(one)) for one in tried)

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """Says it, and how many states of cut disks were tried."""
        for line in self.lines:
            terminalreporter.write_line(line)
        if self.states:
            said = f"cut: {self.states:,} states, 0 lost a row without a word"
            terminalreporter.write_line(said)


def pytest_configure(config: pytest.Config) -> None:
    """Listens."""
    config.pluginmanager.register(Told())


@pytest.fixture(autouse=True)
def _states(request: pytest.FixtureRequest) -> Iterator[None]:
    """Counts the states of cut disks."""
    before = Trial.tried
    yield
    if Trial.tried > before:
        request.node.user_properties.append(("tried", Trial.tried - before))


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Figures to show at the end, whether the test passes or not."""
    lines: list[str] = []
    yield lines
    request.node.user_properties.extend(("told", line) for line in lines)
