"""Settings for all tests: none depends on the speed of the machine or of its disk.

`make test` runs the files in parallel, and afterwards the tests marked `serial`, one by one: those
about the clock, or with a port or a name that only one test can have. Mark one so:

    @pytest.mark.serial
    def test_...

or a whole file by `pytestmark = pytest.mark.serial`. `make test` tries only a sample of repeated
cases, browsers, languages and sizes (sampling.py).
"""

import gc
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import browser as pages
from tests import sampling
from tests.manual.renew import renew

MEMORY = "/dev/shm"
ROOM = 1 << 29
"""Bytes that must be free in memory: far more than the files of all tests need."""

# A property takes as long as it takes: a busy machine is no counterexample. It tries the same
# examples each time, and none that an earlier run has left: chance fails no test.
settings.register_profile(
    "unhurried",
    settings(),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("unhurried")

SEARCHES = 20_000, 20, 20
"""When Python looks for garbage (gc.set_threshold): thirty times less often than by default."""
draw = sampling.draw
browser = pages.browser
pytest_runtest_teardown = pages.pytest_runtest_teardown


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option --sample."""
    sampling.add_option(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Puts temporary files into memory if there is room: the tests keep thousands of rows, and a
    disk takes milliseconds for each. (The rigs test what a disk does.) Decides what the run tries,
    and makes the pages of the help if they are missing."""
    if _is_roomy(MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)
    sampling.begin(config)
    if not hasattr(config, "workerinput"):
        renew()


@pytest.hookimpl(hookwrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Stops the search for garbage while tests are collected: with ten thousand tests it takes a
    third of the time. The tests aren't frozen afterwards, as Debian 13's Hypothesis asks the
    collector who holds a generator of random numbers; but it searches seldom, as that takes a tenth
    of the time of all tests."""
    gc.disable()
    _import_share(session.config)
    yield
    gc.enable()
    gc.set_threshold(*SEARCHES)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts files that need a browser first: they take longest, and if they started last, one
    processor would run them while the others have nothing to do."""
    long = {item.path for item in items if item.get_closest_marker("browser")}
    items.sort(key=lambda item: item.path not in long)


@pytest.fixture
def in_berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sets the time zone to that of Berlin, with its summer time."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def _import_share(config: pytest.Config) -> None:
    """Lets each of several processes that run all tests import its share of the files first. In a
    new clone pytest has to compile them, which takes two thirds of collecting them: each process
    would compile all, as all collect in the same order."""
    process = getattr(config, "workerinput", None)
    if process is None or [*map(Path, config.args)] != [Path("tests")]:
        return
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    for path in files[int(process["workerid"][2:]) :: process["workercount"]]:
        name = ".".join(path.relative_to(config.rootpath).with_suffix("").parts)
        with suppress(Exception, pytest.skip.Exception):  # collecting it reports that
            import_module(name)


def _is_roomy(folder: str) -> bool:
    if not os.access(folder, os.W_OK):
        return False
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize > ROOM
