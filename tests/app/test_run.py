"""`companion run` as a program: it starts, says where the page is, and stops cleanly."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import zxingcpp
from aiohttp import ClientSession
from PIL import Image

from companion.core.seats import Seats
from companion.games.entries import HandDealt
from companion.record.copies.text_copy import copies_folder, folders
from companion.record.rows import GameOpened, Setting, Step
from companion.record.store.store import Store
from companion.web.address import qr_text
from tests.catalog import GAMES
from tests.starting import ROOT, companion, first_line, open_link, python
from tests.waiting import WAIT_S


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_table_stops_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    with companion("--virtual", "--port", "0", "--record", tmp_path / "r.db") as process:
        link = r"The table is at http://127\.0\.0\.1:\d+/open/[a-z2-7]{16}\n"
        assert re.fullmatch(link, first_line(process))
        process.send_signal(number)
        _, errors = process.communicate(timeout=WAIT_S)
        assert (process.returncode, errors) == (0, "")
    Store.open(tmp_path / "r.db", GAMES).close()


def test_the_page_states_what_is_stored(tmp_path: Path) -> None:
    """The program connects its parts: a page that requests the table's state gets the record's
    newest moment."""
    record, seats = tmp_path / "r.db", Seats.of("Red", "Blue")
    with closing(Store.open(record, GAMES)) as store:
        store.keep(1, GameOpened("high-five", seats, {}))
        store.keep(1, Step((HandDealt(),)))
    with companion("--virtual", "--port", "0", "--record", record) as process:
        moment = asyncio.run(_moment_told_at(*open_link(first_line(process).split()[-1])))
    assert (moment["row"], moment["hand"]) == (2, 1)


async def _moment_told_at(origin: str, cookie: str | None) -> dict[str, Any]:
    async with ClientSession(origin, headers={"Cookie": cookie or ""}) as session:
        token = (await (await session.get("/token")).json())["token"]
        async with session.ws_connect("/live", origin=origin) as page:
            await page.send_json({"n": 0, "hello": token, "wants": ["wide"]})
            while "moment" not in (told := await page.receive_json(timeout=WAIT_S)):
                pass
    moment: dict[str, Any] = told["moment"]
    return moment


def test_the_record_is_copied_beside_itself_and_to_configured_folders(tmp_path: Path) -> None:
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
    for place in (copies_folder(record), elsewhere):
        (folder,) = folders(place)
        assert [link.game for link in folder.rows()] == [0]


def test_the_running_table_reports_its_keypads(tmp_path: Path) -> None:
    record = tmp_path / "r.db"
    asking = [sys.executable, "-m", "companion", "keypads", "--json", "--record", str(record)]
    with companion("--virtual", "--port", "0", "--record", record) as process:
        first_line(process)
        assert (tmp_path / "r.db.keypads").is_socket()
        told = subprocess.run(asking, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (told.returncode, told.stdout, told.stderr) == (0, "[]\n", "")


def test_the_address_for_the_network_has_a_token(tmp_path: Path) -> None:
    with companion("--virtual", "--lan", "--port", "0", "--record", tmp_path / "r.db") as process:
        assert re.fullmatch(
            r"The table is at http://[\w.-]+:\d+/#[a-z2-7]{16}\n", first_line(process)
        )


def test_a_qr_code_is_printed_in_a_terminal(tmp_path: Path) -> None:
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
    assert code.text == qr_text(*address[0])
    assert "In the same Wi-Fi, not its guest network." in seen


ON_FAKES = """
import sys, time
from pathlib import Path
from companion.app import hardware
from companion.app import run
from companion.devices.board import load_board
from companion.console.screen_saver import goodbye
from tests.fake_gpio import FakeGpio
from tests.fake_oled import FakeOled
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
status = run.run(run.RunOptions(hardware="board", port=0), CATALOG, Path(sys.argv[1]))
free = not any(gpio.is_taken(line) for line in range(28))
print(status, glass.seen == goodbye().pixels, glass.contrast > 0, free)
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("board", ["keys-16", "keypad-4x4", "waveshare-1.3-hat"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_last_picture_shows_that_unplugging_is_safe(
    tmp_path: Path, number: signal.Signals, board: str
) -> None:
    with python(tmp_path / "r.db", board, code=ON_FAKES, stderr=None) as process:
        # How to reach the page is told by another thread, before it or into the same line.
        assert any("shown" in line for line in iter(lambda: first_line(process), ""))
        process.send_signal(number)
        told, _ = process.communicate(timeout=WAIT_S)
    assert told.splitlines()[-1] == "0 True True True"


def test_the_page_is_loaded_after_the_first_picture() -> None:
    code = "import companion.app.run, sys; sys.exit('aiohttp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
