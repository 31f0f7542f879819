"""MicroPython's unix port as Debian 13 has it, and the firmware on it, at a pseudo terminal."""

import os
import subprocess
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.rigs.roots import debian_root, unpack
from tests.rigs.seat_host import LAYOUT

ON_DEVICE = Path(__file__).parent / "on_device"
FIRMWARE = Path(__file__).parents[3] / "firmware"


class MicroPython:
    """The interpreter, unpacked into a folder; it uses its own libraries, not the system's. It
    finds the firmware, and a stand-in for the Pico's `machine`."""

    def __init__(self, folder: Path) -> None:
        root = unpack(debian_root("trixie", ["micropython"], variant="extract"), folder)
        loader = next(root.glob("usr/lib/*/ld-linux-*.so.*"))
        micropython = root / "usr/bin/micropython"
        self.command = [str(loader), "--library-path", str(loader.parent), str(micropython)]
        path = f"{ON_DEVICE}:{FIRMWARE}:.frozen"
        self.environment = {**os.environ, "MICROPYPATH": path}

    def run(self, script: str, *arguments: str, cwd: Path) -> str:
        """Runs a script of `on_device`; returns what it prints. If it fails, raises AssertionError
        with its output on stderr."""
        done = subprocess.run(
            [*self.command, str(ON_DEVICE / script), *arguments],
            env=self.environment, cwd=cwd, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


class UnixKeypad:
    """The firmware, started in `folder`, where its settings are; the host finds it at `port`. All
    bytes on the line, in either direction, go through `damage`."""

    def __init__(self, micropython: MicroPython, folder: Path) -> None:
        self._micropython, self.folder = micropython, folder
        self.damage: Callable[[bytes], bytes] = bytes
        self.said = bytearray()
        """All that the firmware said, undamaged."""
        folder.mkdir(exist_ok=True)
        (folder / "contacts").write_bytes(bytes(2))
        self._contacts = os.open(folder / "contacts", os.O_WRONLY)
        self._inner, self._firmware_end = _line()
        self._outer, self._host_end = _line()
        self.port = os.ttyname(self._host_end)
        self._process = self._start()

    def press(self, letters: str) -> None:
        """Closes the contacts of these keys, and opens those of all others."""
        closed = sum(1 << LAYOUT.index(letter) for letter in letters)
        os.pwrite(self._contacts, closed.to_bytes(2, "little"), 0)

    @property
    def looks(self) -> int:
        """The number of milliseconds in which the firmware has looked at its keys since its
        start."""
        return int.from_bytes((self.folder / "looks").read_bytes(), "little")

    @property
    def light(self) -> tuple[int, ...]:
        """The duties of red, green and blue, 0 to 65535; () while they are being changed."""
        path = self.folder / "light"
        duties = path.read_text().split() if path.exists() else ()
        return tuple(map(int, duties))

    @property
    def fault(self) -> str:
        """The firmware's report of its own failure; empty if there is none."""
        path = self.folder / "fault.txt"
        return path.read_text() if path.exists() else ""

    def carry(self) -> None:
        """Passes on the bytes that are on the line, in both directions."""
        os.write(self._inner, self.damage(_waiting(self._outer)))
        said = _waiting(self._inner)
        self.said += said
        os.write(self._outer, self.damage(said))

    def reset(self) -> None:
        """Starts the firmware anew; the line stays."""
        self._end()
        self._process = self._start()

    def close(self) -> None:
        """Ends the firmware and closes the line."""
        self._end()
        for end in (self._inner, self._firmware_end, self._outer, self._host_end, self._contacts):
            os.close(end)

    def _start(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [*self._micropython.command, str(FIRMWARE / "main.py")],
            stdin=self._firmware_end, stdout=self._firmware_end, stderr=self._firmware_end,
            env=self._micropython.environment, cwd=self.folder,
        )  # fmt: skip

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()


def _line() -> tuple[int, int]:
    """A pseudo terminal that passes bytes unchanged: our end, and the other."""
    ours, other = os.openpty()
    tty.setraw(other)
    os.set_blocking(ours, False)
    return ours, other


def _waiting(end: int) -> bytes:
    with suppress(BlockingIOError):
        return os.read(end, 4096)
    return b""
