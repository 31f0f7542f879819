"""The suite rig: the project's tests on the Python and the libraries of Debian 12 and 13.

A sample runs on one of the two: the tests that Debian's libraries may affect, and a share of the
others. The machines are containers (machine.py).
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.rigs.machine import INSIDE, SOURCE, Machine
from tests.sampling import Draw

LEFT_OUT: Sequence[str] = (
    "tests/rigs",
    "tests/test_package.py",  # about wheels, which nobody makes there
    "tests/test_words.py",  # lists for translators, by a library that nobody needs there
    "tests/club",  # a package of its own, which no machine of the rig has
    # They walk through the modules of the hub, too.
    *("tests/core/test_budgets.py", "tests/core/test_regular_file.py", "tests/test_surface.py"),
    *("tests/web/test_behind_proxy.py", "tests/web/test_below_path.py"),  # behind a real nginx
    *(
        "tests/photos",
        "tests/web/test_photo_page.py",
        "tests/web/test_photo_camera_page.py",
    ),  # in a browser, by a maker of photos that is nobody's but the tests'
    # Signed by a library that only flashed cards, clubs and makers of releases have.
    *("tests/app/updates", "tests/release", "tests/web/test_encryption.py"),
    "tests/web/test_certificates.py",
    # They want a broker, and libraries that only other programs have.
    *(f"tests/web/listeners/test_{name}.py" for name in ("box_topic", "hooks", "mqtt", "topics")),
    *("tests/app/test_listeners.py", "tests/players/test_calendar.py", "tests/test_recipes.py"),
    # Clips by a real espeak-ng.
    *("tests/devices/test_voice.py", "tests/app/test_voice.py", "tests/web/test_clips.py"),
    "tests/tape/played",  # 100,000 presses; that tapes come to the same is tried by its machinery
)
OF_TRANSLATORS = (
    "tests/test_catalogues.py::test_a_catalogue_has_exactly_the_sentences_that_people_read"
)
"""It reads the source for translators, by Babel 2.12 or later: Debian 12's stops at an f-string."""
SAME_EVERYWHERE = (
    *("console", "events", "firmware", "games", "hw", "manual", "players", "presentation"),
    *("screens", "tape"),
)
"""Folders whose tests need nothing of a system but Python: rules, screens, words, protocol. The
test files beside the folders, which are about the source, don't either."""
LIBRARIES = (
    *("aiohttp", "evdev", "gpiozero", "jsonschema", "luma", "markdown_it", "PIL", "segno"),
    *("serial", "smbus2", "spidev", "sqlite3", "subprocess", "zxingcpp"),
)
"""Libraries that Debian has in versions of its own, and its commands: a test that imports one of
these always runs."""
OF_SO_MANY = 5
"""A sample runs one in so many of the other files."""
COMPILED_ONCE = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": "/tmp/compiled"}
"""Environment for compiled files: the machine can't write to the source, so without this each
program that a test starts would compile all of it anew."""
SIDE_BY_SIDE = ("-n", str(os.cpu_count() or 1), "--dist", "loadfile")
"""Words that let all processors run tests, a file at a time."""


def is_the_same_everywhere(path: Path) -> bool:
    """Whether a test file needs nothing from Debian except its Python."""
    imports = re.compile(rf"^\s*(from|import) ({'|'.join(LIBRARIES)})\b", re.MULTILINE)
    return not imports.search(path.read_text("utf-8"))


def same_everywhere() -> list[str]:
    """The test files for which `is_the_same_everywhere`, as paths from `tests/` on."""
    tests = SOURCE / "tests"
    found = [path for name in SAME_EVERYWHERE for path in (tests / name).rglob("test_*.py")]
    found += tests.glob("test_*.py")
    return sorted(str(path.relative_to(tests)) for path in found if is_the_same_everywhere(path))


@pytest.mark.sampled(1, of="machine")
def test_the_tests_pass_with_the_systems_python_and_libraries(
    machine: Machine, request: pytest.FixtureRequest, draw: Draw[str]
) -> None:
    """A sample of the rigs tries one Debian only. All tests that its libraries may affect run
    there, some files of the others, and a separate sample of the cases that repeat a property."""
    same = same_everywhere()
    left_out = sorted({*same} - {*draw(same, len(same) // OF_SO_MANY)})
    command = ["python3", "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider"]
    # Debian's gpiozero finds its pin factories by it.
    command += ["-W", "ignore:pkg_resources is deprecated"]
    # Debian 12's Babel and the pytz that it loads are of before Python 3.11 and 3.12.
    command += ["-W", "ignore:'cgi' is deprecated", "-W", "ignore:invalid escape sequence"]
    command += [f"--ignore={name}" for name in (*LEFT_OUT, *(f"tests/{one}" for one in left_out))]
    command += ["--deselect", OF_TRANSLATORS]
    if request.config.getoption("--sample"):
        command += ["--sample"]
    env = {"HYPOTHESIS_STORAGE_DIRECTORY": "/tmp/hypothesis", "CI": "true", **COMPILED_ONCE}
    # As `make test` does it: what is marked serial runs alone. There is neither browser, mypy
    # nor openskill nor resvg.
    not_there = "not browser and not mypy and not openskill and not pictures"
    side_by_side = (*SIDE_BY_SIDE, "-m", f"not serial and {not_there}")
    for tests in (side_by_side, ("-m", "serial")):
        ran = machine.run("env", f"--chdir={INSIDE}", *command, "--durations=15", *tests, env=env)
        print(ran.stdout)
