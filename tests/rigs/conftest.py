"""Fixtures that several rigs share: the kernel rig's guest, which each process boots once, the
package and a Debian to install it on, and figures to print. Also decides which rigs run side by
side."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.changed import BY_NAME_ALONE
from tests.rigs.cut_trial import Trial
from tests.rigs.kernel.build import TOOLS, build
from tests.rigs.kernel.guest import Guest
from tests.rigs.machine import Machine
from tests.rigs.package import DEBIANS, LATER, debian_machine, debs, table_of
from tests.rigs.roots import need

# Some rigs run only if they are named. The card image takes an hour: `make rig-card`. The box's
# own Wi-Fi needs a guest that has booted completely, for which the rig is too impatient on a slow
# machine: `make rig NAME=own_wifi`. An update is cut at each of its writes: `make rig NAME=update`.
# The kiosk's browser takes minutes each time that it starts in emulation: `make rig NAME=kiosk`.
# Proxies need Caddy, networks avahi and dnsmasq, browsers Firefox and WebKitGTK: `make rig
# NAME=proxies`, `NAME=networks`, `NAME=browsers`.
collect_ignore = [
    f"rig_{name}.py"
    for name in BY_NAME_ALONE
    if not any(f"rig_{name}.py" in argument for argument in sys.argv)
]

LONGEST_FIRST = (
    *("kernel", "kernel-system", "pico", "suite-trixie", "suite-bookworm"),
    *("service-trixie", "service-bookworm", "cut_worse", "board"),
)
"""Groups of rigs that start first: if one started last, it would run on one processor while the
others have nothing to do."""


def group_of(nodeid: str) -> str:
    """The group of a test; tests of one group run one after the other. One group is the kernel with
    keys and display, in one guest; one all else that a kernel does, in another guest; one each
    Debian machine of the service and suite rigs; and each other file is one."""
    path, _, test = nodeid.partition("::")
    rig = Path(path).stem.removeprefix("rig_")
    if rig.startswith("kernel_") or rig in ("stick", "own_wifi"):
        return "kernel-system"
    if rig in ("service", "suite"):
        return f"{rig}-trixie" if "[trixie" in test else f"{rig}-bookworm"
    return rig


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the tests of LONGEST_FIRST first."""
    order = {group: place for place, group in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: order.get(group_of(item.nodeid), len(order)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A scheduler that runs groups side by side."""
    from xdist.scheduler import LoadScopeScheduling

    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = group_of
    return scheduler


@pytest.fixture(scope="session")
def guest() -> Iterator[Guest]:
    """The kernel rig's guest, running."""
    need(*TOOLS)
    with Guest(build(), Path(tempfile.mkdtemp(prefix="kernel-rig-"))) as guest:
        guest.boot()
        yield guest


@pytest.fixture(scope="module")
def packages() -> list[Path]:
    """The table's package as it is now, and a later version of it."""
    need("mmdebstrap", "systemd-nspawn", "nsenter", "dpkg-buildpackage", "dh", "dh_python3")
    return [table_of(debs()), table_of(debs(LATER))]


@pytest.fixture(scope="module", params=DEBIANS)
def machine(
    request: pytest.FixtureRequest, packages: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Machine]:
    """Each Debian (DEBIANS), booted, with what the package depends on."""
    with debian_machine(request.param, packages, tmp_path_factory.mktemp("machines")) as machine:
        yield machine


class ReportedFigures:
    """Figures that the rigs report, in any process; they are shown at the end."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.states = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keeps the figures that a test reported, once per test."""
        if report.when == "teardown":
            told = [str(text) for name, text in report.user_properties if name == "told"]
            self.lines += [report.nodeid, *(f"  {line}" for line in told)] if told else []
            tried = [text for name, text in report.user_properties if name == "tried"]
            self.states += sum(int(str(one)) for one in tried)

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """Shows the reported figures, and the number of states of cut disks that were tried."""
        for line in self.lines:
            terminalreporter.write_line(line)
        if self.states:
            said = f"cut: {self.states:,} states, 0 lost a row without a word"
            terminalreporter.write_line(said)


def pytest_configure(config: pytest.Config) -> None:
    """Registers Told."""
    config.pluginmanager.register(ReportedFigures())


@pytest.fixture(autouse=True)
def _states(request: pytest.FixtureRequest) -> Iterator[None]:
    """Counts the states of cut disks that a test tries."""
    before = Trial.tried
    yield
    if Trial.tried > before:
        request.node.user_properties.append(("tried", Trial.tried - before))


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """A list for figures to show at the end, whether the test passes or not."""
    lines: list[str] = []
    yield lines
    request.node.user_properties.extend(("told", line) for line in lines)
