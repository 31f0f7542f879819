"""What the table tells systemd; a table that hangs tells it nothing, so the watchdog ends it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import F_DUPFD, fcntl
from pathlib import Path
from urllib.request import urlopen

import pytest

from companion.app.run import SWITCH_OFF
from companion.app.systemd import Systemd, passed_socket
from companion.table.events import Pulse
from tests.rig import Rig

ROOT = Path(__file__).parents[2]
WAIT_S = 20
EVERY_S = 0.1
"""How often the processes here should feed the watchdog, in seconds."""
QUIET_S = 10 * EVERY_S
UNIT = (ROOT / "systemd" / "companion.service").read_text()
LAST_WORDS = "PYTHONFAULTHANDLER=1"
"""Has a process that the watchdog ends say where it was."""

SERVICE = """
import sys
from pathlib import Path
from gpiozero.pins.mock import MockFactory
from companion.app import hardware
from companion.app import run
from companion.devices.board_file import load_board
from companion.devices.display.fake_oled import FakeOled
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
sys.exit(run.run(run.Asked(hardware="board", port=0), CATALOG, Path(sys.argv[1])))
"""
UNPLUGGED = "glass.unplug()"
HANGING = """
from threading import Event
LumaPanel.show = lambda *_: Event().wait()
"""
STUCK = """
from threading import Event, Timer
from companion.console.console import Console
from companion.core.keys import Key
Console.press = lambda *_: Event().wait()
Timer(1.0, lambda: factories[0].pin(keys.pins[Key.OK]).drive_low()).start()
"""


class Ear:
    """The socket on which systemd would listen."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.address)
        self._socket.settimeout(WAIT_S)

    def hear(self) -> str:
        return self._socket.recv(4096).decode()

    def hear_until(self, line: str) -> list[str]:
        """All that is heard before that line."""
        heard = []
        while (one := self.hear()) != line:
            heard.append(one)
        return heard

    def hear_until_quiet(self) -> list[str]:
        """All that is heard until there is silence for QUIET_S seconds, in which the watchdog would
        have been fed ten times."""
        self._socket.settimeout(QUIET_S)
        heard: list[str] = []
        with suppress(TimeoutError):
            while len(heard) < 1000:
                heard.append(self.hear())
        return heard

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[Ear]:
    ear = Ear(tmp_path)
    yield ear
    ear.close()


@contextmanager
def service(ear: Ear, tmp_path: Path, trouble: str = "") -> Iterator[subprocess.Popen[str]]:
    """The table as a service, on mock pins and a model of a panel. `trouble`: code that goes wrong
    in it."""
    told = {"NOTIFY_SOCKET": ear.address, "WATCHDOG_USEC": str(int(3e6 * EVERY_S))}
    told |= dict([LAST_WORDS.split("=")])
    process = subprocess.Popen(
        [sys.executable, "-c", SERVICE.format(trouble=trouble), str(tmp_path / "r.db")],
        env=os.environ | told,
        cwd=ROOT,
        text=True,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.serial
def test_from_ready_to_the_end(ear: Ear, tmp_path: Path) -> None:
    with service(ear, tmp_path) as process:
        record = tmp_path / "r.db"
        opened, reached = ear.hear_until("READY=1")
        assert opened == f"STATUS=The table is open; its record is {record}."
        at = r"STATUS=The table is at http://[\w.-]+:\d+/; its record is (.*)\."
        assert (found := re.fullmatch(at, reached))
        assert found[1] == str(record)
        assert record.exists()
        assert [ear.hear() for _ in range(3)] == ["WATCHDOG=1"] * 3
        process.send_signal(signal.SIGTERM)
        assert set(ear.hear_until("STOPPING=1")) <= {"WATCHDOG=1"}
        assert process.wait(WAIT_S) == 0


@pytest.mark.serial
def test_an_unplugged_display_is_told_and_the_watchdog_fed(ear: Ear, tmp_path: Path) -> None:
    with service(ear, tmp_path, UNPLUGGED):
        heard = [ear.hear() for _ in range(30)]
        assert any(line.startswith("STATUS=The display does not answer") for line in heard)
        assert heard[-20:].count("WATCHDOG=1") >= 19


@pytest.mark.serial
def test_a_display_that_hangs_does_not_hold_up_the_end(ear: Ear, tmp_path: Path) -> None:
    with service(ear, tmp_path, HANGING) as process:
        ear.hear_until("WATCHDOG=1")
        process.send_signal(signal.SIGTERM)
        ear.hear_until("STOPPING=1")
        told = time.monotonic()
        assert process.wait(WAIT_S) == 0
        assert time.monotonic() - told < 2


@pytest.mark.serial
def test_a_loop_that_stands_still_is_not_fed(ear: Ear, tmp_path: Path) -> None:
    with service(ear, tmp_path, STUCK) as process:
        ear.hear_until("READY=1")
        fed = ear.hear_until_quiet()
        assert len(fed) >= 3
        assert set(fed) == {"WATCHDOG=1"}
        assert process.poll() is None
        process.send_signal(signal.SIGABRT)  # what the watchdog does
        _, told = process.communicate(timeout=WAIT_S)
        assert "table/box.py" in told and "in press" in told


AS_A_COMMAND = """
import atexit, sys
from companion.__main__ import main
atexit.register(print, "taken apart", flush=True)
sys.argv[1:] = ["run", "--virtual", "--port", "0", "--record", sys.argv[1]]
sys.exit(main())
"""


def test_the_table_ends_without_taking_python_apart(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", AS_A_COMMAND, str(tmp_path / "r.db")],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
    )
    assert process.stdout
    while "table is at" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGTERM)
    told, _ = process.communicate(timeout=WAIT_S)
    assert process.returncode == 0
    assert "taken apart" not in told


def test_without_systemd_nothing_is_told() -> None:
    alone = Systemd({})
    alone.ready()
    assert (alone.listens, alone.feed_every_s) == (False, None)


def test_somebody_elses_watchdog_is_not_fed(ear: Ear) -> None:
    told = {"NOTIFY_SOCKET": ear.address, "WATCHDOG_USEC": "30000000"}
    mine, other = Systemd(told), Systemd(told | {"WATCHDOG_PID": "1"})
    assert (mine.feed_every_s, other.feed_every_s) == (10, None)
    mine.status("One\nsentence.")
    assert ear.hear() == "STATUS=One sentence."
    mine.close()
    other.close()


def test_a_name_without_a_file() -> None:
    name = f"table-companion-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(f"\0{name}")
        line = Systemd({"NOTIFY_SOCKET": f"@{name}"})
        line.feed()
        assert ear.recv(99) == b"WATCHDOG=1"
        line.close()


def test_a_systemd_that_is_gone_stops_nothing(ear: Ear) -> None:
    line = Systemd({"NOTIFY_SOCKET": ear.address})
    ear.close()
    line.feed()
    line.close()


# ---------------------------------------------------------------- where systemd listens for us


def test_the_socket_that_systemd_passes_is_taken_once() -> None:
    other, end = socket.socketpair()
    with socket.create_server(("127.0.0.1", 0)) as listening, other, end:
        # High above what this process has open: there the numbers of two are neighbours.
        first = fcntl(other.fileno(), F_DUPFD, 700)
        assert fcntl(listening.fileno(), F_DUPFD, first + 1) == first + 1
        told = {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "2", "LISTEN_FDNAMES": "a:b"}
        found = passed_socket(told, first)
        assert found is not None
        assert told == {}, "programs that we start are not told"
        assert found.getsockname() == listening.getsockname()
        assert not os.get_inheritable(found.fileno())
        with pytest.raises(OSError, match="Bad file"):
            os.fstat(first)
        found.close()


@pytest.mark.parametrize(
    "told",
    [{}, {"LISTEN_FDS": "1"}, {"LISTEN_PID": "1", "LISTEN_FDS": "1"}, {"LISTEN_PID": "x"}],
)
def test_what_is_not_for_us_is_left_alone(told: dict[str, str]) -> None:
    assert passed_socket(dict(told)) is None


@contextmanager
def socket_service(
    ear: Ear, folder: Path, listening: socket.socket, *words: str
) -> Iterator[list[str]]:
    """`companion run` as a service to which that socket is passed. Gives what systemd was told."""
    code = (
        "import os, sys; os.dup2(int(sys.argv[1]), 3); "
        "os.environ['LISTEN_PID'] = str(os.getpid()); os.environ['LISTEN_FDS'] = '1'; "
        "from companion.__main__ import main; "
        "sys.argv[1:] = ['run', '--virtual', *sys.argv[2:]]; sys.exit(main())"
    )
    told = {"NOTIFY_SOCKET": ear.address, "RUNTIME_DIRECTORY": str(folder)}
    words = (str(listening.fileno()), "--record", str(folder / "r.db"), *words)
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        env=os.environ | told,
        cwd=ROOT,
        pass_fds=[listening.fileno()],
        stdout=subprocess.DEVNULL,
    )
    try:
        yield ear.hear_until("READY=1")
    finally:
        process.terminate()
        process.wait(WAIT_S)


def test_the_page_listens_where_systemd_does(ear: Ear, tmp_path: Path) -> None:
    """The service listens on a socket that was passed to it, for this machine's browser, too."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with socket_service(ear, tmp_path, listening) as heard:
            assert f"http://127.0.0.1:{port}/" in heard[-1]
            told = (tmp_path / "page").read_text().splitlines()
            assert told[0] == f"PAGE=http://127.0.0.1:{port}"
            assert told[1].startswith("TV_SHOWS=")
            with urlopen(f"http://127.0.0.1:{port}/token", timeout=WAIT_S) as answer:
                word = json.load(answer)["token"]
            assert word not in "".join(heard), "anybody may read what systemd is told"
        comes_through(listening)


def test_a_page_that_nobody_opened_leaves_systemd_listening(ear: Ear, tmp_path: Path) -> None:
    """If the program shut the socket down, systemd would take that for a failure."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        with socket_service(ear, tmp_path, listening):
            pass
        comes_through(listening)


def test_where_the_page_is_elsewhere_nobody_waits(ear: Ear, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        with socket_service(ear, tmp_path, listening, "--port", "0") as heard:
            assert f":{listening.getsockname()[1]}/" not in heard[-1]
            for _ in range(3):
                with socket.create_connection(listening.getsockname(), WAIT_S) as visitor:
                    visitor.settimeout(WAIT_S)
                    assert visitor.recv(1) == b""
        comes_through(listening)


def comes_through(listening: socket.socket) -> None:
    """Fails unless `listening` accepts a new connection."""
    with socket.create_connection(listening.getsockname(), WAIT_S):
        listening.settimeout(WAIT_S)
        listening.accept()[0].close()


# ---------------------------------------------------------------- the loop, by a clock of ours


def test_an_idle_loop_beats_in_time_and_wakes_for_nothing_else(tmp_path: Path) -> None:
    beats: list[float] = []
    with Rig(tmp_path / "r.db", pulse=Pulse(10.0, lambda: beats.append(rig.now))) as rig:
        start = rig.now
        rig.wait(3600)
        assert beats == [start + 10.0 * number for number in range(361)]
        assert rig.table.patience() == 10


def test_a_record_that_does_not_answer_stops_the_beat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    beats: list[float] = []
    with Rig(tmp_path / "r.db", pulse=Pulse(10.0, lambda: beats.append(rig.now))) as rig:
        rig.wait(60)
        before = len(beats)
        rig.store._db.close()
        rig.wait(60)
        assert (before, len(beats)) == (7, 7)
    assert "can't be read" in capsys.readouterr().err


def test_switched_off_by_a_key_the_loop_ends_and_says_so(tmp_path: Path) -> None:
    with Rig(tmp_path / "r.db", switches_off=True).press("1 2 1 OK OK 1") as rig:
        rig.hold("MENU")
        assert not rig.table.switched_off
        rig.touch("OK", True)
        rig.now += 0.01
        assert not rig.table.turn(0)
        assert rig.table.switched_off


def test_the_unit_knows_the_status_that_switches_off() -> None:
    assert f"SuccessExitStatus={SWITCH_OFF}\n" in UNIT
    assert f"exited:{SWITCH_OFF} ]" in UNIT


def test_the_unit_asks_for_last_words() -> None:
    assert f"\nEnvironment={LAST_WORDS}\n" in UNIT
