"""The reader as a command, run by the node that drives the tests' browsers: what it prints, with
which status it ends, and that it leaves nothing behind."""

import json
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.photos.camera import take
from tests.photos.make import clear_photo
from tests.photos.measure import READER
from tests.web.in_browser import in_every_run

pytestmark = in_every_run

WAIT_S: Final = 120
LINE: Final = ((1, 3), (3, 6), (6, 6))


def read(*asked: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs the command with these arguments."""
    from playwright._impl._driver import compute_driver_executable

    node, _ = compute_driver_executable()
    return subprocess.run(
        [node, READER, *asked], capture_output=True, text=True, timeout=WAIT_S, check=False
    )


def browsers() -> set[str]:
    """The profiles of all running browsers that such commands have started."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_text().split("\0")
        except OSError:  # it is over
            continue
        found |= {
            word for word in words if word.startswith("--user-data-dir=") and "photo-" in word
        }
    return found


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    made = clear_photo(LINE)
    taken, _ = take(made.placed, made.look, made.how, made.seed)
    taken.save(tmp_path / "line.jpg", "JPEG", quality=88)
    return tmp_path / "line.jpg"


def test_each_photo_is_a_line_of_json_and_no_browser_stays(photo: Path) -> None:
    before = browsers()
    ran = read(photo, photo, "--json")
    assert ran.returncode == 0, ran.stderr
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [one["photo"] for one in told] == [str(photo)] * 2
    for one in told:
        assert {tile["tile"] for tile in one["tiles"] if not tile["asks"]} == {"3-1", "6-3", "6-6"}
        assert one["refused"] is None
    assert browsers() <= before


def test_without_json_it_says_the_tiles_in_plain_lines(photo: Path) -> None:
    ran = read(photo)
    assert ran.returncode == 0, ran.stderr
    assert [line.split()[0] for line in ran.stdout.splitlines()[1:]] == ["3-1", "6-3", "6-6"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ([], "usage: node read.mjs PHOTO... [--json]"),
        (["--jsn", "line.jpg"], "usage: node read.mjs PHOTO... [--json]"),
        (["nowhere.jpg"], "nowhere.jpg is not there"),
    ],
)
def test_wrong_arguments_are_refused_in_a_line(asked: list[str], said: str) -> None:
    ran = read(*asked)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", f"{said}\n")
