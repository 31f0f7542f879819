"""The messages of the table to systemd; a table that hangs sends none, so the watchdog ends it."""

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.app.run import RESTART_STATUS, SWITCH_OFF_STATUS
from companion.app.systemd import Systemd
from companion.table.events import Watchdog
from tests.app.notify_socket import EVERY_S, Ear
from tests.app.notify_socket import ear as ear  # noqa: PLC0414  # a fixture
from tests.rig import Rig
from tests.starting import python
from tests.waiting import WAIT_S

ROOT = Path(__file__).parents[2]
UNIT = (ROOT / "systemd" / "companion.service").read_text()
LAST_WORDS = "PYTHONFAULTHANDLER=1"
"""Has a process that the watchdog ends say where it was."""

SERVICE = """
import sys
from pathlib import Path
from gpiozero.pins.mock import MockFactory
from companion.app import hardware
from companion.app import run
from companion.devices.board import load_board
from tests.fake_oled import FakeOled
from companion.devices.display.panel import LumaPanel
from companion.app.catalog import CATALOG

glass, keys = FakeOled(), load_board("keys-16").keys
factories = []

def board(*_):
    factories.append(MockFactory())
    panel = LumaPanel("ssd1306", glass.open)
    return hardware.Hardware(keys, factories[0], panel)

hardware.board_hardware = board
{trouble}
sys.exit(run.run(run.RunOptions(hardware="board", port=0), CATALOG, Path(sys.argv[1])))
"""
UNPLUGGED = "glass.unplug()"
HANGING = """
from threading import Event
LumaPanel.show = lambda *_: Event().wait()
"""
STUCK = """
from threading import Event, Thread
from companion.console.console import Console
from companion.core.keys import Key

def press(*_):
    print("it is stuck", file=sys.stderr, flush=True)
    Event().wait()

def push():
    sys.stdin.readline()
    factories[0].pin(keys.pins[Key.OK]).drive_low()

Console.press = press
Thread(target=push, daemon=True).start()
"""
"""The loop stands still after a line on the standard input."""


@contextmanager
def service(ear: Ear, tmp_path: Path, trouble: str = "") -> Iterator[subprocess.Popen[str]]:
    """The table as a service, on mock pins and a model of a panel. `trouble`: code that goes wrong
    in it."""
    told = {"NOTIFY_SOCKET": ear.address, "WATCHDOG_USEC": str(int(3e6 * EVERY_S))}
    told |= dict([LAST_WORDS.split("=")])
    code = SERVICE.format(trouble=trouble)
    env, stdin = os.environ | told, subprocess.PIPE
    with python(tmp_path / "r.db", code=code, env=env, stdin=stdin, stdout=None) as process:
        yield process


@pytest.mark.serial
def test_systemd_is_notified_from_ready_to_stopping(ear: Ear, tmp_path: Path) -> None:
    with service(ear, tmp_path) as process:
        record = tmp_path / "r.db"
        opened, reached = ear.receive_until("READY=1")
        assert opened == f"STATUS=The table is open; its record is {record}."
        at = r"STATUS=The table is at http://[\w.-]+:\d+/; its record is (.*)\."
        assert (found := re.fullmatch(at, reached))
        assert found[1] == str(record)
        assert record.exists()
        assert [ear.hear() for _ in range(3)] == ["WATCHDOG=1"] * 3
        process.send_signal(signal.SIGTERM)
        assert set(ear.receive_until("STOPPING=1")) <= {"WATCHDOG=1"}
        assert process.wait(WAIT_S) == 0


@pytest.mark.serial
def test_an_unplugged_display_is_reported_and_the_watchdog_still_fed(
    ear: Ear, tmp_path: Path
) -> None:
    with service(ear, tmp_path, UNPLUGGED):
        heard = [ear.hear() for _ in range(30)]
        assert any(line.startswith("STATUS=The display does not answer") for line in heard)
        assert heard[-20:].count("WATCHDOG=1") >= 19


@pytest.mark.serial
def test_a_hanging_display_does_not_keep_the_table_from_stopping(ear: Ear, tmp_path: Path) -> None:
    with service(ear, tmp_path, HANGING) as process:
        ear.receive_until("WATCHDOG=1")
        process.send_signal(signal.SIGTERM)
        ear.receive_until("STOPPING=1")
        assert process.wait(WAIT_S) == 0


@pytest.mark.serial
def test_a_blocked_loop_does_not_feed_the_watchdog(ear: Ear, tmp_path: Path) -> None:
    with service(ear, tmp_path, STUCK) as process:
        ear.receive_until("READY=1")
        assert [ear.hear() for _ in range(3)] == ["WATCHDOG=1"] * 3
        assert process.stdin and process.stderr
        process.stdin.write("\n")
        process.stdin.flush()
        assert "it is stuck\n" in iter(process.stderr.readline, "")
        assert set(ear.hear_until_quiet()) <= {"WATCHDOG=1"}
        assert process.poll() is None
        process.send_signal(signal.SIGABRT)  # what the watchdog does
        _, told = process.communicate(timeout=WAIT_S)
        assert "table/loop.py" in told and "in press" in told


AS_A_COMMAND = """
import atexit, sys
from companion.__main__ import main
atexit.register(print, "taken apart", flush=True)
sys.argv[1:] = ["run", "--virtual", "--port", "0", "--record", sys.argv[1]]
sys.exit(main())
"""


def test_the_table_exits_without_pythons_cleanup(tmp_path: Path) -> None:
    with python(tmp_path / "r.db", code=AS_A_COMMAND, stderr=None) as process:
        assert process.stdout
        while "table is at" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGTERM)
        told, _ = process.communicate(timeout=WAIT_S)
    assert process.returncode == 0
    assert "taken apart" not in told


def test_without_systemd_nothing_is_reported() -> None:
    alone = Systemd({})
    alone.ready()
    assert (alone.listens, alone.feed_every_s) == (False, None)


def test_a_watchdog_for_another_process_is_not_fed(ear: Ear) -> None:
    told = {"NOTIFY_SOCKET": ear.address, "WATCHDOG_USEC": "30000000"}
    mine, other = Systemd(told), Systemd(told | {"WATCHDOG_PID": "1"})
    assert (mine.feed_every_s, other.feed_every_s) == (10, None)
    mine.status("One\nsentence.")
    assert ear.hear() == "STATUS=One sentence."
    mine.close()
    other.close()


def test_an_abstract_socket_address_works() -> None:
    name = f"table-companion-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(f"\0{name}")
        line = Systemd({"NOTIFY_SOCKET": f"@{name}"})
        line.feed()
        assert ear.recv(99) == b"WATCHDOG=1"
        line.close()


def test_messages_to_a_missing_systemd_are_ignored(ear: Ear) -> None:
    line = Systemd({"NOTIFY_SOCKET": ear.address})
    ear.close()
    line.feed()
    line.close()


# ---------------------------------------------------------------- the loop, by a clock of ours


def test_an_idle_loop_wakes_only_to_feed_the_watchdog(tmp_path: Path) -> None:
    beats: list[float] = []
    with Rig(tmp_path / "r.db", pulse=Watchdog(10.0, lambda: beats.append(rig.now))) as rig:
        start = rig.now
        rig.wait(3600)
        assert beats == [start + 10.0 * number for number in range(361)]
        assert rig.table.wake_after_s() == 10


def test_the_watchdog_is_not_fed_while_the_record_hangs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    beats: list[float] = []
    with Rig(tmp_path / "r.db", pulse=Watchdog(10.0, lambda: beats.append(rig.now))) as rig:
        rig.wait(60)
        before = len(beats)
        rig.store._db.close()
        rig.wait(60)
        assert (before, len(beats)) == (7, 7)
    assert "can't be read" in capsys.readouterr().err


def test_switching_off_with_a_key_ends_the_loop_and_is_reported(tmp_path: Path) -> None:
    with Rig(tmp_path / "r.db", switches_off=True).press("1 2 1 OK OK 1") as rig:
        rig.hold("MENU")
        assert not rig.table.switched_off
        rig.touch("OK", True)
        rig.now += 0.01
        assert not rig.table.run_once(0)
        assert rig.table.switched_off


def test_the_systemd_unit_has_the_special_exit_statuses() -> None:
    assert f"SuccessExitStatus={SWITCH_OFF_STATUS} {RESTART_STATUS}\n" in UNIT
    assert f"RestartForceExitStatus={RESTART_STATUS}\n" in UNIT
    assert f"exited:{SWITCH_OFF_STATUS} ]" in UNIT


def test_the_systemd_unit_makes_crashes_write_a_traceback() -> None:
    assert f"\nEnvironment={LAST_WORDS}\n" in UNIT


@pytest.mark.parametrize("is_link", [True, False], ids=["a link", "nothing"])
def test_only_a_new_folder_on_a_stick_is_given_to_the_table(tmp_path: Path, is_link: bool) -> None:
    """Root runs the script, and a link on the stick may lead to any file."""
    programs, stick, given = tmp_path / "bin", tmp_path / "stick", tmp_path / "given"
    programs.mkdir()
    stick.mkdir()
    (stick / "table-companion.txt").touch()
    (ours := tmp_path / "ours").touch()
    if is_link:
        (stick / "table-companion").symlink_to(ours)
    said = {"blkid": "echo ext4", "mount": "", "setpriv": "", "chown": f'echo "$@" >> {given}'}
    for name, does in said.items():
        (programs / name).write_text(f"#!/bin/sh\n{does}\n")
        (programs / name).chmod(0o755)
    script = ROOT / "systemd" / "libexec" / "companion-stick"
    path = f"{programs}:{os.environ['PATH']}"
    subprocess.run(["sh", script, "/dev/none", stick], env={"PATH": path}, check=True)
    told = given.read_text() if given.exists() else ""
    assert told == ("" if is_link else f"-h companion:companion {stick}/table-companion\n")
    assert (stick / "table-companion").is_dir() != is_link
