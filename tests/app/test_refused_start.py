"""Every reason why `companion run` can't start is given in one line."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.starting import ROOT, companion, first_line
from tests.waiting import WAIT_S


def test_a_second_table_on_one_record_is_refused(tmp_path: Path) -> None:
    words = ("--virtual", "--port", "0", "--record", tmp_path / "r.db")
    with companion(*words) as first:
        first_line(first)
        with companion(*words) as second:
            _, errors = second.communicate(timeout=WAIT_S)
            assert second.returncode == 2
            assert errors == (
                f"companion run: the record is in use by another companion run (pid {first.pid})\n"
            )


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = ("--virtual", "--port", str(port), "--record", tmp_path / "r.db")
        with companion(*words) as process:
            _, errors = process.communicate(timeout=WAIT_S)
        assert process.returncode == 2
        assert errors == (
            f"companion run: the page can't listen on 127.0.0.1:{port} "
            f"(Address already in use): try --port {port + 1}\n"
        )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--config", "/nowhere.toml"], r"/nowhere\.toml can't be read: No such file or directory"),
        (["--port", "70000"], r"argument --port: 70000 is not a port: 1 to 65535.*"),
        (["--virtual", "--board"], r"argument --board: not allowed with argument --virtual.*"),
        (
            ["--virtual", "--record", "/proc/x/r.db"],
            r"the record /proc/x/r\.db can't be written: .*",
        ),
    ],
)
def test_a_configuration_mistake_is_reported_in_one_line(words: list[str], says: str) -> None:
    with companion(*words) as process:
        _, errors = process.communicate(timeout=WAIT_S)
    assert process.returncode == 2
    assert re.fullmatch(rf"companion run: {says}\n", errors)


@pytest.mark.skipif(Path("/proc/device-tree/model").exists(), reason="this is a board")
def test_running_without_a_board_reports_unreachable_keys(tmp_path: Path) -> None:
    with companion("--board", "--record", tmp_path / "r.db") as process:
        _, errors = process.communicate(timeout=WAIT_S)
    assert process.returncode == 2
    assert errors.splitlines()[-1].startswith(
        "companion run: the keys can't be reached: there is no "
    )
    assert errors.endswith("(companion run --virtual needs none)\n")


@pytest.mark.parametrize(
    ("board", "says"),
    [
        ('"keys16"', r"\[box\] board: 'keys16' is not known; did you mean keys-16\? .*"),
        ('"keys-16"\n[display]\nbus = 0\ninterface = "spi"', r".*GPIO 24 belongs to .*"),
    ],
)
def test_a_board_that_cannot_be_used_is_reported_in_one_line(
    tmp_path: Path, board: str, says: str
) -> None:
    config = tmp_path / "c.toml"
    config.write_text(f"[box]\nboard = {board}\n")
    words = ("--board", "--config", config, "--record", tmp_path / "r.db")
    with companion(*words) as process:
        _, errors = process.communicate(timeout=WAIT_S)
    assert process.returncode == 2
    assert re.fullmatch(rf"companion run: {config}.*{says}\n", errors)


TAKEN = """
import sys, time
from pathlib import Path
from companion.app import hardware
from companion.app import run
from companion.devices.board import load_board
from tests.fake_gpio import FakeGpio
from companion.devices.gpio.gpio_chip import find_chip
from tests.fake_oled import FakeOled
from companion.devices.display.panel import LumaPanel
from companion.devices.gpio.pins import open_pins
from companion.app.catalog import CATALOG

glass, gpio, board = FakeOled(), FakeGpio(time.monotonic), load_board("keys-16")
other = find_chip(gpio).lines([int(line) for line in sys.argv[2:]], 8)
hardware.board_hardware = lambda *_: hardware.Hardware(
    board.keys, open_pins("kernel", gpio), LumaPanel("ssd1306", glass.open),
    buzzer=board.buzzer,
)
drawn = glass.seen
status = run.run(run.RunOptions(hardware="board", port=0), CATALOG, Path(sys.argv[1]))
print(status, glass.seen == drawn)
"""


def test_a_board_in_use_is_reported_and_its_display_unchanged(
    tmp_path: Path,
) -> None:
    words = [sys.executable, "-c", TAKEN, str(tmp_path / "r.db"), "4", "21"]
    ran = subprocess.run(words, capture_output=True, cwd=ROOT, text=True, check=True)
    assert ran.stderr.count("\n") == 1
    assert ran.stderr.startswith(
        "companion run: the keys can't be reached: another program has GPIO 4, "
    )
    assert ran.stdout == "2 True\n"
