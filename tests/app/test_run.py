"""`companion run` as a program: it starts, says where the page is, stops cleanly, and gives in one
line every reason why it can't start."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import zxingcpp
from aiohttp import ClientSession
from PIL import Image

from companion.core.seats import Seats
from companion.games.entries import Dealt
from companion.record.copies.copies import beside, folders
from companion.record.rows import Opened, Setting, Step
from companion.record.store.store import Store
from companion.web.qr import text_of
from tests.bench import filled_record
from tests.catalog import GAMES
from tests.record.tampering import change_row

ROOT = Path(__file__).parents[2]
WAIT_S = 20


@contextmanager
def companion(*words: str | Path, stdout: int = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    """`companion run` with these words, as a process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "run", *map(str, words)],
        stdout=stdout,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    with companion("--virtual", "--port", "0", "--record", tmp_path / "r.db") as process:
        assert re.fullmatch(r"The table is at http://127\.0\.0\.1:\d+/\n", first_line(process))
        process.send_signal(number)
        _, errors = process.communicate(timeout=WAIT_S)
        assert (process.returncode, errors) == (0, "")
    Store.open(tmp_path / "r.db", GAMES).close()


def test_the_page_tells_what_is_kept(tmp_path: Path) -> None:
    """The program connects its parts: a page that asks about the table gets the record's newest
    moment."""
    record, seats = tmp_path / "r.db", Seats.of("Red", "Blue")
    with closing(Store.open(record, GAMES)) as store:
        store.keep(1, Opened("high-five", seats, {}))
        store.keep(1, Step((Dealt(),)))
    with companion("--virtual", "--port", "0", "--record", record) as process:
        address = first_line(process).split()[-1]
        moment = asyncio.run(_moment_told_at(address))
    assert (moment["row"], moment["hand"]) == (2, 1)


async def _moment_told_at(address: str) -> dict[str, Any]:
    origin = address.rstrip("/")
    async with ClientSession(origin) as session:
        token = (await (await session.get("/token")).json())["token"]
        async with session.ws_connect("/live", origin=origin) as page:
            await page.send_json({"n": 0, "hello": token, "wants": ["wide"]})
            while "moment" not in (told := await page.receive_json(timeout=WAIT_S)):
                pass
    moment: dict[str, Any] = told["moment"]
    return moment


def test_the_record_is_copied_beside_and_where_the_configuration_says(tmp_path: Path) -> None:
    """Rows from before there were copies are copied, too; the program ends only once all are
    copied."""
    record, elsewhere = tmp_path / "r.db", tmp_path / "other disk"
    store = Store.open(record, GAMES)
    store.keep(0, Setting("brightness", 3))
    store.close()
    config = tmp_path / "companion.toml"
    config.write_text(f'[record]\ncopies = "{elsewhere}"\n')
    words = ("--virtual", "--port", "0", "--record", record, "--config", config)
    with companion(*words) as process:
        first_line(process)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=WAIT_S)
        assert (process.returncode, errors) == (0, "")
    for place in (beside(record), elsewhere):
        (folder,) = folders(place)
        assert [link.game for link in folder.rows()] == [0]


def test_keypads_are_asked_of_the_table_that_runs(tmp_path: Path) -> None:
    record = tmp_path / "r.db"
    asking = [sys.executable, "-m", "companion", "keypads", "--json", "--record", str(record)]
    with companion("--virtual", "--port", "0", "--record", record) as process:
        first_line(process)
        assert (tmp_path / "r.db.keypads").is_socket()
        told = subprocess.run(asking, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (told.returncode, told.stdout, told.stderr) == (0, "[]\n", "")


def test_open_to_the_network_the_address_has_a_token(tmp_path: Path) -> None:
    with companion("--virtual", "--lan", "--port", "0", "--record", tmp_path / "r.db") as process:
        assert re.fullmatch(
            r"The table is at http://[\w.-]+:\d+/#[a-z2-7]{16}\n", first_line(process)
        )


def test_in_a_terminal_the_code_is_printed_too(tmp_path: Path) -> None:
    """The QR code is read from a picture of the terminal: two rows of modules a line, one module a
    column."""
    ours, theirs = os.openpty()
    words = ("--virtual", "--lan", "--port", "0", "--record", tmp_path / "r.db")
    with companion(*words, stdout=theirs) as process:
        os.close(theirs)
        seen = ""
        while "guest network" not in seen:
            seen += os.read(ours, 4096).decode()
        process.send_signal(signal.SIGTERM)
    os.close(ours)
    address = re.findall(r"^The table is at (http://\S+)/#(\w{16})\r$", seen, re.MULTILINE)
    drawn = [line[8:-5] for line in seen.split("\r\n") if line.startswith("\x1b[97;40m")]
    picture = Image.new("L", (len(drawn[0]), 2 * len(drawn)))
    for row, line in enumerate(drawn):
        for column, sign in enumerate(line):
            picture.putpixel((column, 2 * row), 255 * (sign in "█▀"))
            picture.putpixel((column, 2 * row + 1), 255 * (sign in "█▄"))
    enlarged = picture.resize((picture.width * 8, picture.height * 8), 0)
    (code,) = zxingcpp.read_barcodes(enlarged)
    assert code.text == text_of(*address[0])
    assert "In the same Wi-Fi, not its guest network." in seen


def test_a_second_one_is_told_so(tmp_path: Path) -> None:
    words = ("--virtual", "--port", "0", "--record", tmp_path / "r.db")
    with companion(*words) as first:
        first_line(first)
        with companion(*words) as second:
            _, errors = second.communicate(timeout=WAIT_S)
            assert second.returncode == 2
            assert errors == (
                f"companion run: the record is in use by another companion run (pid {first.pid})\n"
            )


def test_a_port_that_is_taken(tmp_path: Path) -> None:
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
def test_what_is_wrong_is_one_line(words: list[str], says: str) -> None:
    with companion(*words) as process:
        _, errors = process.communicate(timeout=WAIT_S)
    assert process.returncode == 2
    assert re.fullmatch(rf"companion run: {says}\n", errors)


@pytest.mark.skipif(Path("/proc/device-tree/model").exists(), reason="this is a board")
def test_without_a_board_its_keys_cannot_be_reached(tmp_path: Path) -> None:
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
def test_a_board_that_cannot_be_is_one_line(tmp_path: Path, board: str, says: str) -> None:
    config = tmp_path / "c.toml"
    config.write_text(f"[box]\nboard = {board}\n")
    words = ("--board", "--config", config, "--record", tmp_path / "r.db")
    with companion(*words) as process:
        _, errors = process.communicate(timeout=WAIT_S)
    assert process.returncode == 2
    assert re.fullmatch(rf"companion run: {config}.*{says}\n", errors)


ON_FAKES = """
import sys, time
from pathlib import Path
from companion.app import hardware
from companion.app import run
from companion.devices.board_file import load_board
from companion.devices.display.screen_saver import goodbye
from companion.devices.gpio.fake_gpio import FakeGpio
from companion.devices.display.fake_oled import FakeOled
from companion.devices.display.panel import LumaPanel
from companion.devices.gpio.pins import open_pins
from companion.app.catalog import CATALOG

glass, gpio = FakeOled(), FakeGpio(time.monotonic)

class Panel(LumaPanel):
    def show(self, picture):
        super().show(picture)
        print("shown", flush=True)

keys = load_board(sys.argv[2]).keys
hardware.board_hardware = lambda *_: hardware.Hardware(
    keys, open_pins("kernel", gpio), Panel("ssd1306", glass.open)
)
status = run.run(run.Asked(hardware="board", port=0), CATALOG, Path(sys.argv[1]))
free = not any(gpio.is_taken(line) for line in range(28))
print(status, glass.seen == goodbye().pixels, glass.contrast > 0, free)
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("board", ["keys-16", "keypad-4x4", "waveshare-1.3-hat"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_at_the_end_the_display_says_that_it_is_safe_to_unplug(
    tmp_path: Path, number: signal.Signals, board: str
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", ON_FAKES, str(tmp_path / "r.db"), board],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        text=True,
    )
    try:
        # How to reach the page is told by another thread, before it or into the same line.
        assert any("shown" in line for line in iter(lambda: first_line(process), ""))
        process.send_signal(number)
        told, _ = process.communicate(timeout=WAIT_S)
    finally:
        process.kill()
        process.communicate()
    assert told.splitlines()[-1] == "0 True True True"


TAKEN = """
import sys, time
from pathlib import Path
from companion.app import hardware
from companion.app import run
from companion.devices.board_file import load_board
from companion.devices.gpio.fake_gpio import FakeGpio
from companion.devices.gpio.gpio_chip import find_chip
from companion.devices.display.fake_oled import FakeOled
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
status = run.run(run.Asked(hardware="board", port=0), CATALOG, Path(sys.argv[1]))
print(status, glass.seen == drawn)
"""


def test_a_board_that_another_program_has_is_one_line_and_its_display_stays_as_it_is(
    tmp_path: Path,
) -> None:
    words = [sys.executable, "-c", TAKEN, str(tmp_path / "r.db"), "4", "21"]
    ran = subprocess.run(words, capture_output=True, cwd=ROOT, text=True, check=True)
    assert ran.stderr.count("\n") == 1
    assert ran.stderr.startswith(
        "companion run: the keys can't be reached: another program has GPIO 4, "
    )
    assert ran.stdout == "2 True\n"


def test_the_page_is_loaded_after_the_first_picture() -> None:
    code = "import companion.app.run, sys; sys.exit('aiohttp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


DAMAGED = """
import sys
from pathlib import Path
from companion.app import run
from companion.app import systemd
from companion.devices.display.oled import Oled
from companion.app.catalog import CATALOG
from companion.record.repair import opening

real, show = opening.replace_damaged, Oled.show

def replace(*words):
    print("salvage", flush=True)
    try:
        return real(*words)
    finally:
        print("salvaged", flush=True)

def shown(self, frame):
    print("picture", flush=True)
    show(self, frame)

vars(opening)["replace_damaged"] = replace
vars(systemd)["KEPT_ALIVE_S"] = float(sys.argv[2])
Oled.show = shown
sys.exit(run.run(run.Asked(hardware="virtual", record=Path(sys.argv[1]), port=0), CATALOG, Path()))
"""
SALVAGE_TAKES = 20
"""How often, at least, the watchdog must be fed while a record of MANY_ROWS rows is salvaged. Here
the program tries that every hundredth of a second instead of every five seconds."""
MANY_ROWS = 20_000


def test_the_first_picture_comes_before_a_salvage_which_is_kept_alive(tmp_path: Path) -> None:
    record, address = tmp_path / "r.db", str(tmp_path / "notify")
    filled_record(record, MANY_ROWS // 2)
    change_row(record, MANY_ROWS, "row = replace(row, 'bench', 'bunch')")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(address)
        process = subprocess.Popen(
            [sys.executable, "-c", DAMAGED, str(record), "0.01"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            text=True,
            env={**os.environ, "NOTIFY_SOCKET": address},
        )
        fed = 0
        with process:
            systemd.settimeout(WAIT_S)
            while not (told := systemd.recv(1000).decode()).startswith("READY=1"):
                fed += told.startswith("WATCHDOG=1\nEXTEND_TIMEOUT_USEC=")
            process.send_signal(signal.SIGTERM)
            out, errors = process.communicate(timeout=WAIT_S)
    assert fed >= SALVAGE_TAKES
    lines = [line for line in out.splitlines() if line in ("picture", "salvage", "salvaged")]
    assert lines[:3] == ["picture", "salvage", "salvaged"]
    lost = MANY_ROWS  # the last one
    assert errors == (
        f"The record was damaged: kept as r.db.damaged-1; {lost - 1} of {lost} rows are readable: "
        f"row {lost} is lost\n"
    )


def test_damage_that_the_start_did_not_meet_is_mended_while_the_table_is_open(
    tmp_path: Path,
) -> None:
    record = tmp_path / "r.db"
    with closing(Store.open(record, GAMES)) as store:
        for game in range(1, 30):
            store.keep(game, Opened("high-five", Seats.of("Red", "Blue"), {}))
            store.keep(game, Step((Dealt(),)))
    data = bytearray(record.read_bytes())
    data[data.index(b'"hand"') + 2] ^= 1
    record.write_bytes(data)
    with companion("--virtual", "--port", "0", "--record", record) as process:
        first_line(process)
        assert process.stderr
        assert process.stderr.readline().startswith("The record is damaged: row ")
        until = time.monotonic() + WAIT_S
        while not Path(f"{record}.damaged-1").exists() and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=WAIT_S)
        assert process.returncode == 0
    with closing(Store.open(record, GAMES)) as store:
        assert [gap.first for _, lost in store.marks() for gap in lost.gaps] != []
        assert store.last_row() == 59
