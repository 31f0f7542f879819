"""`companion check` finds the devices that are plugged into the box, also while the table runs."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from companion.app.check.bench import Finding, Grade
from companion.devices.keypads.keypad_status import status_socket_path
from companion.devices.keypads.renewal import firmware_here
from tests.app.check.person import Desk

HERE = firmware_here()
assert HERE
KEYPAD: dict[str, Any] = {
    "keypad": "e6614103e7452d2f",
    "port": "/dev/ttyACM0",
    "here": True,
    "seat": 2,
    "firmware": HERE.version_text,
    "fits": True,
    "round_trip_ms": 1.25,
}
PAD: dict[str, Any] = {
    "keypad": "pad-1", "kind": "number pad", "name": "USB Keyboard", "port": "event3", "presses": 7,
}  # fmt: skip


def one(found: list[Finding]) -> tuple[Grade, str]:
    (finding,) = found
    assert finding.remedy or finding.result in {Grade.OK, Grade.NOT_TRIED}
    return finding.result, finding.found


@contextmanager
def table(desk: Desk, told: list[dict[str, Any]]) -> Iterator[None]:
    """Starts a running table, which returns `told` to every program that requests its status."""
    desk.write("sys/fs/cgroup/system.slice/companion.service/cgroup.procs", "1\n")
    desk.bench.record.parent.mkdir(parents=True, exist_ok=True)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(status_socket_path(desk.bench.record)))
    listening.listen()

    def answer() -> None:
        while True:
            try:
                asking = listening.accept()[0]
            except OSError:
                return
            with asking:
                asking.sendall(json.dumps(told).encode())

    thread = Thread(target=answer)
    thread.start()
    yield
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    thread.join()


@pytest.mark.parametrize(
    ("changed", "result", "words"),
    [
        ({}, Grade.OK, "the keypad e6614103e7452d2f of seat 2 answers within 1 ms"),
        ({"seat": None, "round_trip_ms": None}, Grade.OK, "without a seat answers"),
        ({"firmware": "1.0.0"}, Grade.WARNING, "answers, but its firmware 1.0.0 is old"),
        ({"firmware": "0.9.0", "fits": False}, Grade.FAULT, "speaks another version"),
        ({"firmware": "99.0.0", "fits": False}, Grade.FAULT, "speaks another version"),
        ({"here": False}, Grade.WARNING, "is gone"),
        ({"keypad": None}, Grade.WARNING, "/dev/ttyACM0: a Pico that doesn't answer"),
    ],
)
def test_seat_keypads_are_checked_with_their_figures(
    tmp_path: Path, changed: dict[str, Any], result: Grade, words: str
) -> None:
    """The figures come from the running table or, without one, from the keypads themselves."""
    desk = Desk(tmp_path, keypads=[{**KEYPAD, **changed}])
    assert one(desk.find("keypads"))[0] is result
    with table(desk, [{**KEYPAD, **changed}, PAD]):
        found = one(desk.find("keypads"))
    assert found[0] is result and words in found[1]


def test_old_firmware_is_reported_with_its_remedy(tmp_path: Path) -> None:
    desk = Desk(tmp_path, keypads=[{**KEYPAD, "firmware": "0.9.0", "fits": False}])
    (found,) = desk.find("keypads")
    assert found.renews_keypads and "companion keypads --update" in found.remedy
    desk.keypads = [{**KEYPAD, "firmware": "99.0.0", "fits": False}]
    (found,) = desk.find("keypads")
    assert not found.renews_keypads and found.remedy == "bring the box up to date"


def test_a_running_table_lists_its_number_pads(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with table(desk, [KEYPAD]):
        assert one(desk.find("pads")) == (
            Grade.OK,
            "no number pad is plugged in, and none is needed",
        )
    (tmp_path / "again").mkdir()
    desk = Desk(tmp_path / "again")
    told = [PAD, {**PAD, "presses": 0}, {**PAD, "port": None}]
    with table(desk, told):
        found = desk.find("pads")
    assert [finding.result for finding in found] == [Grade.OK, Grade.NOT_TRIED, Grade.WARNING]
    assert found[0].found == "“USB Keyboard” (pad-1): 7 presses"


def test_a_running_table_that_does_not_answer_is_reported(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.write("sys/fs/cgroup/system.slice/companion.service/cgroup.procs", "1\n")
    assert one(desk.find("keypads"))[0] is Grade.NOT_TRIED
    assert one(desk.find("pads"))[0] is Grade.NOT_TRIED


def test_a_connected_tv_is_reported(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert one(desk.find("tv")) == (Grade.OK, "no screen is connected to HDMI, and none is needed")
    desk.write("sys/class/drm/card0-HDMI-A-1/status", "connected\n")
    desk.write("sys/class/drm/card0-HDMI-A-2/status", "disconnected\n")
    desk.write("sys/class/graphics/fb0/virtual_size", "1920,1080\n")
    named = "HDMI-A-1, 1920×1080 pixels: "
    assert one(desk.find("tv")) == (Grade.WARNING, named + "nothing draws the table on it")
    desk.write("sys/fs/cgroup/system.slice/companion-tv.service/cgroup.procs", "1\n")
    assert one(desk.find("tv")) == (Grade.OK, named + "the table is drawn on it")


def test_copies_on_a_stick_are_checked(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert one(desk.find("stick"))[0] is Grade.OK
    desk.write("sys/block/sda/removable", "1\n")
    desk.write("sys/block/sdb/removable", "0\n")
    result, words = one(desk.find("stick"))
    assert (result, words) == (Grade.WARNING, "nothing is copied to the USB stick sda")
    desk.write("run/companion-stick/sda1/x", "")
    assert one(desk.find("stick")) == (Grade.OK, "every game is copied to the USB stick sda")


def test_the_network_address_is_reported(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert one(desk.find("network")) == (Grade.OK, "wlan0: this box is 192.168.1.5")
    desk.network = ""
    assert one(desk.find("network"))[0] is Grade.WARNING
    desk.write("sys/class/net/wlan0/operstate", "down\n")
    result, words = one(desk.find("network"))
    assert (result, words) == (Grade.WARNING, "there is no network: no phone can connect")
