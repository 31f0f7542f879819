"""`companion keypads`: the state of a running table's keypads."""

import json
import socket
from pathlib import Path
from threading import Event, Thread

import pytest

from companion.app.notice_socket import NoticeSocket
from companion.devices.keypads import renewal, seat_keypads
from tests.commands.running import Run
from tests.waiting import WAIT_S


def answers(socket_path: Path, told: list[dict[str, object]]) -> Thread:
    """Answers like a running table, once."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(socket_path))
    listening.listen()

    def answer() -> None:
        with listening, listening.accept()[0] as asking:
            asking.sendall(json.dumps(told).encode())

    thread = Thread(target=answer)
    thread.start()
    return thread


HEARD: dict[str, object] = {
    "keypad": "e6614103e7452d2f",
    "port": "/dev/ttyACM0",
    "here": True,
    "seat": 2,
    "firmware": "1.0.3",
    "protocol": "1.0",
    "fits": True,
    "round_trip_ms": 1.25,
    "round_trip_max_ms": 2.0,
    "presses": 120,
    "lost": 0,
    "resent": 2,
    "repeated": 1,
    "errors": 1,
    "errors_there": 3,
    "free": 180000,
}
FOREIGN = {**HEARD, "fits": False, "protocol": "2.0", "seat": None, "round_trip_ms": None}
SILENT = {"keypad": None, "port": "/dev/ttyACM1", "here": False, "fits": False}


@pytest.mark.parametrize(
    ("told", "status", "line"),
    [
        ([], 0, "No keypad is plugged in."),
        (
            [HEARD],
            0,
            "e6614103e7452d2f  seat 2  /dev/ttyACM0  firmware 1.0.3, protocol 1.0  1.2 ms  "
            "120 presses, 2 resent, 0 lost, 1+3 errors",
        ),
        (
            [FOREIGN],
            1,
            "e6614103e7452d2f  no seat  /dev/ttyACM0  firmware 1.0.3, protocol 2.0 "
            "does not fit this box  no answer yet  120 presses, 2 resent, 0 lost, 1+3 errors",
        ),
        ([SILENT], 1, "/dev/ttyACM1: nothing answers: put the firmware on this Pico"),
    ],
)
def test_keypads_are_listed_with_the_running_tables_data(
    run: Run, tmp_path: Path, told: list[dict[str, object]], status: int, line: str
) -> None:
    for as_json in (False, True):
        path = tmp_path / ("json" if as_json else "text")
        thread = answers(Path(f"{path}.keypads"), told)
        found, out, err = run("keypads", "--record", path, *(["--json"] if as_json else []))
        thread.join()
        assert (found, err) == (status, "")
        assert json.loads(out) == told if as_json else out == f"{line}\n"


def test_keypads_get_the_firmware_that_the_box_has(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keypads that have that firmware are left alone; a keypad that can't be written is
    reported."""
    given: list[str] = []

    def install(device: str, firmware: renewal.Firmware) -> None:
        given.append(device)
        if device == "/dev/ttyACM1":
            raise renewal.RenewalError("another program is on this Pico")

    newest = {**HEARD, "port": "/dev/ttyACM2", "firmware": "99.0.0"}
    monkeypatch.setattr(renewal, "install", install)
    monkeypatch.setattr(seat_keypads, "scan_keypads", lambda *_: [HEARD, SILENT, newest])
    found, out, err = run("keypads", "--update", "--record", tmp_path / "r.db")
    here = renewal.firmware_here()
    assert here
    assert (found, given) == (1, ["/dev/ttyACM0", "/dev/ttyACM1"])
    assert out.splitlines() == [
        f"e6614103e7452d2f gets firmware {here.version_text} …",
        f"/dev/ttyACM1 gets firmware {here.version_text} …",
        "e6614103e7452d2f has firmware 99.0.0",
    ]
    assert "another program" in err


def test_a_running_table_is_asked_to_update_its_keypads(run: Run, tmp_path: Path) -> None:
    asked = Event()
    notices = NoticeSocket(tmp_path / "r.db", lambda _: None, lambda _: None, asked.set)
    try:
        found, out, _ = run("keypads", "--update", "--record", tmp_path / "r.db")
        assert (found, out.count("running table")) == (0, 1)
        assert asked.wait(WAIT_S)
    finally:
        notices.close()
