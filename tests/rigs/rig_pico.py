"""The firmware's own files on an emulated Raspberry Pi Pico, with MicroPython built for it.

Keys are pressed through its GPIO, its light is watched at its pins, and the box's table, record and
link talk to it through its USB serial port. All times are emulated: the machine's load doesn't
matter.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.keys import Press
from companion.devices.link.events import KeypadArrived
from companion.devices.link.messages import LightState, SetLight
from tests.rigs.package import SAME_BYTES
from tests.rigs.pico.board import Pico
from tests.rigs.pico.image import (
    FILES_AT,
    FIRMWARE,
    addresses,
    build,
    file_system,
    firmware_files,
    keypad_uf2,
    micropython_uf2,
)
from tests.rigs.roots import need
from tests.rigs.seat_host import LAYOUT, LETTERS, START, Host, give_to_blue

ON_DEVICE = Path(__file__).parent / "pico" / "on_device"

STEP_S = 0.002
"""Seconds that the Pico runs before the host looks at the port again."""
DOWN_S, UP_S = 0.015, 0.04
WITHIN_S = 15.0
SERIAL = "ff" * 8
"""The serial number of the emulated flash."""


class Seat:
    """The emulated keypad, which is Blue's, and its host, in emulated time. Blue is to lay.
    `dragged`: the release's single file was dragged onto the Pico, whose file system has `files`
    (None if it never had one). `fault`: a file of `on_device` that changes the firmware."""

    def __init__(
        self,
        folder: Path,
        fault: str = "",
        *,
        dragged: bool = False,
        files: dict[str, bytes] | None = None,
    ) -> None:
        image = None
        if not dragged or files:
            files = files or {}
            if fault:
                changed = (ON_DEVICE / fault).read_text() + (FIRMWARE / "main.py").read_text()
                files["main.py"] = changed.encode()
            image = file_system(folder / "files.img", files)
        self.pico = Pico(keypad_uf2() if dragged else micropython_uf2(), image)
        record = folder / "record.db"
        give_to_blue(record, SERIAL)
        self.host = Host(record, self.pico.port, lambda: 1000 + self.pico.now)
        self.host.rig.press(START)

    def turn(self, seconds: float = STEP_S) -> None:
        self.pico.run(seconds)
        self.host.turn()

    def wait(self, seconds: float) -> "Seat":
        until = self.pico.now + seconds
        while (left := until - self.pico.now) > 0:
            self.turn(min(left, STEP_S))
        return self

    def until(self, true: Callable[[], object], within_s: float = WITHIN_S) -> "Seat":
        until = self.pico.now + within_s
        while not true():
            assert self.pico.now < until, b"".join(said for _, said in self.pico.said)[-2000:]
            self.turn()
        return self

    def arrive(self) -> "Seat":
        """Waits until the host has the keypad, and the light has been set."""
        return self.until(lambda: self.host.keypad).wait(0.2)

    def key(self, letters: str) -> "Seat":
        """Presses keys one after the other."""
        for letter in letters:
            self.pico.press(letter)
            self.wait(DOWN_S)
            self.pico.release(letter)
            self.wait(UP_S)
        return self

    @property
    def typed(self) -> str:
        """The letters of the keys that the table got, in brackets if the key was held."""
        letters = {key: letter for letter, key in LETTERS.items()}
        return "".join(
            f"({letters[one.key]})" if one.held else letters[one.key]
            for one in self.host.heard
            if isinstance(one, Press)
        )

    def close(self) -> None:
        self.host.close()
        self.pico.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    need("mmdebstrap")
    return tmp_path


@pytest.fixture
def seat(folder: Path) -> Iterator[Seat]:
    seat = Seat(folder)
    yield seat.arrive()
    seat.close()


def test_keyed_entries_are_recorded_and_acknowledged(seat: Seat) -> None:
    seat.key("61K").until(lambda: seat.host.taken == 3)
    assert seat.host.rig.entries[-1] == "Blue 6-1"
    assert seat.host.committed() == 3


def test_the_release_file_turns_a_bare_pico_into_a_keypad(folder: Path) -> None:
    seat = Seat(folder, dragged=True)
    seat.arrive().key("61K").until(lambda: seat.host.taken == 3)
    assert seat.host.rig.entries[-1] == "Blue 6-1"
    seat.close()


def test_a_newer_release_file_keeps_the_keypads_settings(folder: Path) -> None:
    """The keypad was made by hand before; its columns are wired the other way round."""
    turned = {"keypad.json": b'{"columns": [9, 8, 7, 6]}', "seat_keypad/board.py": b"old"}
    seat = Seat(folder, dragged=True, files=turned).arrive()
    assert min(addresses(keypad_uf2())) < max(addresses(keypad_uf2())) < FILES_AT
    seat.key("341").until(lambda: seat.host.taken == 3)
    assert seat.typed == "2PD"
    seat.close()


@SAME_BYTES
def test_the_release_file_is_reproducible(folder: Path) -> None:
    """The file is built once more, in another system, with nothing built there before."""
    build(folder, {"again": firmware_files()})
    assert (folder / "again.uf2").read_bytes() == keypad_uf2().read_bytes()


def test_every_matrix_key_is_recognised(seat: Seat) -> None:
    seat.key(LAYOUT).until(lambda: seat.host.taken == 16)
    assert seat.typed == LAYOUT


def test_bounces_count_as_one_press_and_a_held_key_is_reported_once(seat: Seat) -> None:
    for bounce in (0.0005, 0.002, 0.001, 0.0025):
        seat.pico.press("5")
        seat.wait(bounce)
        seat.pico.release("5")
        seat.wait(bounce)
    seat.pico.press("5")
    seat.wait(3.0)
    for bounce in (0.002, 0.01, 0.005):
        seat.pico.release("5")
        seat.wait(bounce)
        seat.pico.press("5")
        seat.wait(bounce)
    seat.pico.release("5")
    seat.wait(0.1)
    assert seat.typed == "5(5)"


def test_heavy_traffic_loses_no_press(seat: Seat) -> None:
    digits = "0123456789" * 3
    for digit in digits:
        assert seat.host.keypad
        assert seat.host.keypad.link
        seat.host.keypad.link.send(*[SetLight(LightState.TURN)] * 30)
        seat.turn()
        seat.pico.press(digit)
        seat.wait(0.009)
        seat.pico.release(digit)
        seat.wait(0.06)
    seat.until(lambda: seat.host.taken == len(digits))
    assert seat.typed == digits


def test_overlapping_keys_work_and_a_third_makes_no_ghost(seat: Seat) -> None:
    for step in ("1", "12", "125"):
        seat.pico.press(step)
        seat.wait(0.05)
    # The rectangle's fourth corner, 4, reads as closed, too; 5 is in doubt until it is gone.
    assert seat.typed == "12"
    seat.pico.release("1")
    seat.wait(0.05)
    assert seat.typed == "125"


def test_the_light_shows_the_turn_and_then_the_seat(seat: Seat) -> None:
    assert seat.pico.light() == pytest.approx((0, 0, 1), abs=0.01)
    seat.key("61K").until(lambda: seat.host.taken == 3).wait(0.2)
    assert seat.pico.light() == pytest.approx((0, 0, 15 / 255), abs=0.01)


def test_a_reset_keypad_continues_with_a_new_boot_id(seat: Seat) -> None:
    boot = seat.host.boot
    seat.key("6").until(lambda: seat.host.taken == 1)
    seat.pico.reset()
    seat.until(lambda: seat.host.boot != boot)
    assert KeypadArrived(SERIAL, True, True, 0) in seat.host.heard
    seat.arrive().key("1K").until(lambda: seat.host.taken == 2)
    assert seat.host.rig.entries[-1] == "Blue 6-1"


def test_the_watchdog_restarts_a_hanging_keypad(folder: Path) -> None:
    seat = Seat(folder, "hanging.py").arrive()
    boot, hung_at = seat.host.boot, seat.pico.now
    seat.key("6!").until(lambda: seat.host.boot != boot)
    assert 4 < seat.pico.now - hung_at < 8
    seat.arrive().key("1K").until(lambda: seat.host.taken == 2)
    assert seat.typed.replace("!", "") == "61K"
    seat.close()


def test_the_keypad_works_without_allocating_memory(folder: Path) -> None:
    seat = Seat(folder, "locked.py").arrive().wait(4.1)
    keypad = seat.host.keypad
    assert keypad
    free = keypad.figures.free
    digits = "0123456789" * 4
    seat.key(digits).until(lambda: seat.host.taken == len(digits)).wait(4.1)
    assert seat.typed == digits
    assert keypad.figures.free == free > 100_000
    seat.close()


def test_the_readmes_three_commands_install_the_program(folder: Path) -> None:
    commands = re.findall("^mpremote .*", (FIRMWARE / "README.md").read_text(), re.MULTILINE)
    assert len(commands) == 3
    pico = Pico(micropython_uf2(), None)
    pico.run(1)
    for command in commands:
        mpremote = f"{sys.executable} -m mpremote connect {pico.port}"
        working = subprocess.Popen(
            command.replace("mpremote", mpremote, 1),
            shell=True, cwd=FIRMWARE.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        while working.poll() is None:
            pico.run(0.005)
        said, _ = working.communicate()
        assert working.returncode == 0, said.decode()
    host = Host(folder / "record.db", pico.port, lambda: 1000 + pico.now)
    until = pico.now + WITHIN_S
    while not host.keypad:
        assert pico.now < until
        pico.run(STEP_S)
        host.turn()
    host.close()
    pico.close()
