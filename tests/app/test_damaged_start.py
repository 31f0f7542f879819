"""`companion run` with a damaged record: the first picture appears before the record is salvaged,
and damage that the start didn't read is repaired while the table runs."""

import os
import signal
import socket
from contextlib import closing
from pathlib import Path

from companion.core.seats import Seats
from companion.games.entries import HandDealt
from companion.record.rows import GameOpened, Step
from companion.record.store.store import Store
from tests.bench import filled_record
from tests.catalog import GAMES
from tests.record.tampering import change_row
from tests.starting import companion, first_line, python
from tests.waiting import WAIT_S, wait_until

DAMAGED = """
import sys
from pathlib import Path
from companion.app import run
from companion.app import systemd
from companion.devices.display.display_thread import Oled
from companion.app.catalog import CATALOG
from companion.record.store import store as store_module

real, show = store_module.replace_damaged, Oled.show

def replace(*words):
    print("salvage", flush=True)
    try:
        return real(*words)
    finally:
        print("salvaged", flush=True)

def shown(self, frame):
    print("picture", flush=True)
    show(self, frame)

vars(store_module)["replace_damaged"] = replace
vars(systemd)["KEEP_ALIVE_S"] = float(sys.argv[2])
Oled.show = shown
options = run.RunOptions(hardware="virtual", record=Path(sys.argv[1]), port=0)
sys.exit(run.run(options, CATALOG, Path()))
"""
SALVAGE_TAKES = 20
"""How often, at least, the watchdog must be fed while a record of MANY_ROWS rows is salvaged. Here
the program tries that every hundredth of a second instead of every five seconds."""
MANY_ROWS = 20_000


def test_a_picture_is_shown_before_a_record_is_salvaged(tmp_path: Path) -> None:
    record, address = tmp_path / "r.db", str(tmp_path / "notify")
    filled_record(record, MANY_ROWS // 2)
    change_row(record, MANY_ROWS, "row = replace(row, 'bench', 'bunch')")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(address)
        fed = 0
        environment = {**os.environ, "NOTIFY_SOCKET": address}
        with python(record, "0.01", code=DAMAGED, env=environment) as process:
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


def test_damage_found_after_the_start_is_repaired_while_the_table_runs(
    tmp_path: Path,
) -> None:
    record = tmp_path / "r.db"
    with closing(Store.open(record, GAMES)) as store:
        for game in range(1, 30):
            store.keep(game, GameOpened("high-five", Seats.of("Red", "Blue"), {}))
            store.keep(game, Step((HandDealt(),)))
    data = bytearray(record.read_bytes())
    data[data.index(b'"hand"') + 2] ^= 1
    record.write_bytes(data)
    with companion("--virtual", "--port", "0", "--record", record) as process:
        first_line(process)
        assert process.stderr
        assert process.stderr.readline().startswith("The record is damaged: row ")
        wait_until(Path(f"{record}.damaged-1").exists)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=WAIT_S)
        assert process.returncode == 0
    with closing(Store.open(record, GAMES)) as store:
        assert store.loss_marks() == ()  # what was lost came from the text copy
        assert store.last_row() == 58
