"""A newer firmware over the keypad's own cable, on an emulated Pico: the box's own code brings the
firmware there, and whenever the power goes, the keypad starts afterwards."""

import os
from itertools import product
from pathlib import Path

import pytest

from companion.devices.keypads import renewal
from companion.devices.keypads.renewal import Prompt, firmware_here, write_and_mark
from tests.rigs.pico.board import Pico
from tests.rigs.pico.image import FIRMWARE, file_system, micropython_uf2
from tests.rigs.rig_pico import STEP_S, WITHIN_S, Seat
from tests.rigs.roots import need
from tests.rigs.seat_host import Host, give_to_blue
from tests.sampling import Draw

OLD_MAIN = b"""
from seat_keypad.board import run
try:
    run()
except KeyboardInterrupt:
    print("stopped")
"""
"""The parts of version 1.0.0's main.py that matter here."""
PATIENCE_S = 600.0
"""Seconds of our clock to wait; fewer go by on the Pico's."""
CUTS = 6
"""How many of the places for a power cut a sample tries."""


class PowerCut(Exception):
    """The power was cut."""


def old_keypad() -> dict[str, bytes]:
    """The files on a keypad with firmware 1.0.0, whose columns are wired the other way round."""
    messages = (FIRMWARE / "seat_keypad" / "messages.py").read_text()
    here = firmware_here()
    assert here
    told = ", ".join(map(str, here.version))
    return {
        "main.py": OLD_MAIN,
        "seat_keypad/messages.py": messages.replace(f"({told})", "(1, 0, 0)").encode(),
        "keypad.json": b'{"columns": [9, 8, 7, 6]}',
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    need("mmdebstrap")
    return tmp_path


def version(host: Host) -> str:
    """The firmware's version on the keypad that is plugged in."""
    assert host.keypad
    return ".".join(map(str, host.keypad.hello.firmware))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("dragged", [False, True])
def test_the_box_updates_a_keypads_firmware(
    folder: Path, monkeypatch: pytest.MonkeyPatch, dragged: bool
) -> None:
    """One keypad was made by hand; one has the release's file, with an older firmware than the box:
    here the box has 9.0.0."""
    here = firmware_here()
    assert here
    monkeypatch.setattr(renewal, "PROMPT_S", PATIENCE_S)
    monkeypatch.setattr(renewal, "ANSWER_S", PATIENCE_S)
    if dragged:
        messages = here.package["messages.py"].decode()
        changed = messages.replace(f"FIRMWARE = {here.version}", "FIRMWARE = (9, 0, 0)").encode()
        newer = renewal.Firmware((9, 0, 0), here.main, {**here.package, "messages.py": changed})
        monkeypatch.setattr(renewal, "firmware_here", lambda: newer)
    seat = Seat(folder, dragged=dragged, files=None if dragged else old_keypad()).arrive()
    before = version(seat.host)
    told: list[tuple[str, str]] = []
    seat.host.keypads.renew(lambda serial, why: told.append((serial, why)))
    assert seat.host.keypad
    serial = seat.host.keypad.serial
    seat.until(lambda: told, within_s=PATIENCE_S)
    assert told == [(serial, "")]
    seat.until(lambda: seat.host.keypad and version(seat.host) != before).wait(0.3)
    assert version(seat.host) == ("9.0.0" if dragged else here.version_text)
    seat.pico.reset()
    seat.wait(1.0).arrive().key("61K").until(lambda: seat.host.taken == 3)
    assert version(seat.host) == ("9.0.0" if dragged else here.version_text), "it stays"
    assert seat.typed == ("61K" if dragged else "5D0"), "and so does keypad.json"
    seat.close()


class Cable:
    """The host's end of a Pico's cable: the Pico runs while the host waits. After `lasts` lines of
    the host, and `moment_s` seconds into the next one, the power goes."""

    def __init__(self, pico: Pico, lasts: int, moment_s: float) -> None:
        self.pico, self.lines = pico, 0
        self._lasts, self._moment_s = lasts, moment_s
        self._port = os.open(pico.port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self.prompt = Prompt(self._write, self._read)

    def _write(self, data: bytes) -> None:
        self.lines += data.endswith(renewal.END)
        while data:
            try:
                data = data[os.write(self._port, data) :]
            except BlockingIOError:
                self.pico.run(STEP_S)
        if self.lines > self._lasts:
            self.pico.run(self._moment_s)
            self.pico.reset()
            raise PowerCut

    def _read(self) -> bytes:
        self.pico.run(STEP_S)
        try:
            return os.read(self._port, 4096)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        os.close(self._port)


def renew_until(folder: Path, lasts: int, moment_s: float) -> tuple[int, str]:
    """Renews the firmware, cutting the power as Cable does. Returns how many lines the host sent,
    and the firmware's version with which the keypad starts then."""
    here = firmware_here()
    assert here
    pico = Pico(micropython_uf2(), file_system(folder / "files.img", old_keypad()))
    pico.run(0.5)
    cable = Cable(pico, lasts, moment_s)
    cable.prompt.enter(PATIENCE_S)
    try:
        write_and_mark(cable.prompt, here)
        pico.reset()
    except PowerCut:
        pass
    cable.close()
    record = folder / "record.db"
    record.unlink(missing_ok=True)
    give_to_blue(record, "ff" * 8)
    host = Host(record, pico.port, lambda: 1000 + pico.now)
    until = pico.now + WITHIN_S
    while not host.keypad:
        assert pico.now < until, b"".join(said for _, said in pico.said)[-2000:]
        pico.run(STEP_S)
        host.turn()
    found = version(host)
    host.close()
    pico.close()
    return cable.lines, found


def test_the_keypad_starts_after_a_power_cut_at_any_step(
    folder: Path, monkeypatch: pytest.MonkeyPatch, draw: Draw[tuple[int, float]]
) -> None:
    monkeypatch.setattr(renewal, "ANSWER_S", PATIENCE_S)
    here = firmware_here()
    assert here
    lines, found = renew_until(folder, 10_000, 0.0)
    assert found == here.version_text
    early = [1, 2, 3, lines // 3, lines // 2]
    places = [*product((*early, *range(lines - 6, lines)), (0.0005, 0.01))]
    for lasts, moment_s in draw(places, CUTS):
        _, found = renew_until(folder, lasts, moment_s)
        assert found in {"1.0.0", here.version_text}, (lasts, moment_s)
        assert lasts > lines - 2 or found == "1.0.0"
