"""Installs new firmware on a seat keypad over its USB cable, because its BOOTSEL button is inside
the case.

The box uses MicroPython's prompt, which Ctrl-C starts once the keypad has been sent nothing for ten
seconds (firmware/PROTOCOL.md, “A newer firmware”). The new firmware is written beside the running
one, read back, and activated by renaming one file. The keypad starts it once, and keeps it if it
hears the box. So the keypad starts with either the old or the new firmware, even if the power fails
during the installation."""

import ast
import hashlib
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from companion.core.errors import ReportedError
from companion.core.values import dataclass
from companion.devices.keypads.usb_ports import PORT_ERRORS, port_problem

FIRMWARE: Final = Path(__file__).parents[3] / "firmware"
"""The folders with the box's own copy of the firmware: beside the program, in the source and in the
Debian package."""
PACKAGE: Final = "seat_keypad"
PROMPT_S = 45.0
"""Seconds that a keypad may take to show its prompt, including ten in which nothing is sent to
it."""
ANSWER_S = 20.0
"""Seconds that the keypad may take for one line sent to it; writing erases flash memory."""
LOOK_S: Final = 0.5
PIECE: Final = 512
"""The most bytes of a file in one line sent to the keypad."""
RAW_PROMPT: Final = b"raw REPL; CTRL-B to exit\r\n>"
ATTENTION: Final = b"\r\x03\x03\x01"
END: Final = b"\x04"

_VERSION = re.compile(r"^FIRMWARE = \((\d+), (\d+), (\d+)\)$", re.MULTILINE)
_FACTS = """
import os, sys
def lines(name):
    try:
        with open(name) as file:
            return file.read().split()
    except OSError:
        return []
os.chdir("/")
was, sys.path[:] = sys.path[:], [".frozen"]
try:
    import main
    frozen = main.BASE
except (ImportError, AttributeError):
    frozen = ""
sys.path[:] = was
words = lines("main.py")
own = words[words.index("BASE") + 2].strip('"') if "BASE" in words else ""
print((os.listdir(), frozen or own, lines("current")))
"""
"""Python code that prints what is on the keypad: its files; the version of the firmware/main.py
that it starts with ("" if there is none, or it is too old to use folders); and the words in
`current`, of which the first is the folder that it starts."""
_PREPARE_FOLDER = """
for folder in ({into!r}, {into!r} + "/seat_keypad"):
    try:
        os.mkdir(folder)
    except OSError:
        pass
for name in os.listdir(folder):
    os.remove(folder + "/" + name)
"""
_DIGEST = """
import binascii, hashlib
def digest(name):
    found = hashlib.sha256()
    with open(name, "rb") as file:
        while True:
            piece = file.read(512)
            if not piece:
                return binascii.hexlify(found.digest()).decode()
            found.update(piece)
"""


class RenewalError(ReportedError):
    """New firmware can't be installed on a keypad. The error's one-line message includes the
    reason. The keypad starts as before."""


@dataclass(frozen=True, slots=True)
class Firmware:
    """Firmware for a keypad: its version, the content of firmware/main.py, and the content of each
    file of its package by name."""

    version: tuple[int, int, int]
    main: bytes
    package: Mapping[str, bytes]

    @property
    def version_text(self) -> str:
        """The version as text for people."""
        return ".".join(map(str, self.version))


def firmware_here(folder: Path = FIRMWARE) -> Firmware | None:
    """Returns the box's own copy of the keypads' firmware; None if it has none."""
    try:
        package = {path.name: path.read_bytes() for path in (folder / PACKAGE).glob("*.py")}
        main = (folder / "main.py").read_bytes()
    except OSError:
        return None
    found = _VERSION.search(package.get("messages.py", b"").decode())
    if not found:
        return None
    major, minor, patch = map(int, found.groups())
    return Firmware((major, minor, patch), main, package)


def install(device: str, firmware: Firmware) -> None:
    """Writes firmware to the keypad on port `device`, which nothing else may have open, and starts
    it. Raises RenewalError; then the keypad starts as before."""
    with _open_prompt(device) as prompt:
        write_and_mark(prompt, firmware)
        prompt.leave()


def write_and_mark(prompt: "Prompt", firmware: Firmware) -> None:
    """Writes firmware beside the version that the keypad starts now, and marks it to be tried at
    the next start. Raises RenewalError."""
    files, base, current = ast.literal_eval(prompt.run(_FACTS))
    if not base and "main.py" in files and PACKAGE not in files:
        raise RenewalError("another program is on this Pico")
    into = "b" if current[:1] == ["a"] else "a"
    prompt.run(_PREPARE_FOLDER.format(into=into) + _DIGEST)
    for name, content in sorted(firmware.package.items()):
        prompt.write(f"{into}/{PACKAGE}/{name}", content)
    if not base:
        # This program also starts the firmware that is there already, until the new one is named.
        prompt.write("main.new", firmware.main)
        prompt.run('os.rename("main.new", "main.py")')
    prompt.write("trial.new", f"{into} {base or firmware.version_text}\n".encode())
    prompt.run('os.rename("trial.new", "trial")')


@contextmanager
def _open_prompt(device: str) -> "Iterator[Prompt]":
    """Opens the prompt of the keypad on this port, as a context manager. Raises RenewalError if
    that fails; if a RenewalError is raised within the context, the keypad is restarted."""
    from serial import Serial

    try:
        with Serial(device, timeout=LOOK_S, write_timeout=ANSWER_S, exclusive=True) as port:
            prompt = Prompt(port.write, lambda: port.read(port.in_waiting or 1))
            try:
                prompt.enter(PROMPT_S)
                yield prompt
            except RenewalError:
                with suppress(*PORT_ERRORS):
                    prompt.leave()
                raise
    except PORT_ERRORS as error:
        raise RenewalError(
            "the keypad on {device} can't be written: {why}", device=device, why=port_problem(error)
        ) from error


class Prompt:
    """MicroPython's raw prompt, which runs the Python code sent to it. `read` waits a moment for
    bytes and returns those received."""

    def __init__(self, write: Callable[[bytes], object], read: Callable[[], bytes]) -> None:
        self._write, self._read = write, read

    def enter(self, patience_s: float) -> None:
        """Requests the prompt repeatedly until the keypad sends it. Raises RenewalError if it
        doesn't within `patience_s` seconds."""
        until, heard = time.monotonic() + patience_s, b""
        while time.monotonic() < until:
            self._write(ATTENTION)
            look_until = time.monotonic() + LOOK_S
            while time.monotonic() < look_until:
                heard = (heard + self._read())[-4096:]
                if heard.endswith(RAW_PROMPT):
                    return
        raise RenewalError("it doesn't give MicroPython's prompt")

    def run(self, text: str) -> str:
        """Runs this Python code on the keypad and returns what it prints. Raises RenewalError if
        the code fails, or the keypad doesn't answer."""
        self._write(text.encode("ascii") + END)
        heard, until = b"", time.monotonic() + ANSWER_S
        while not (heard.endswith(b"\x04>") and heard.count(END) >= 2):
            if time.monotonic() > until:
                raise RenewalError("it doesn't answer any more")
            heard += self._read()
        output, fault, _ = heard.removeprefix(b"OK").split(END)[-3:]
        if fault:
            raise RenewalError(
                "it says {what}", what=fault.decode(errors="replace").splitlines()[-1]
            )
        return output.decode(errors="replace").strip()

    def write(self, name: str, content: bytes) -> None:
        """Writes a file to the keypad, and reads it back. Raises RenewalError."""
        self.run(f"file = open({name!r}, 'wb')")
        for at in range(0, len(content), PIECE):
            self.run(f"file.write({content[at : at + PIECE]!r})")
        self.run("file.close()")
        if self.run(f"print(digest({name!r}))") != hashlib.sha256(content).hexdigest():
            raise RenewalError("{file} isn't there as it was written", file=name)

    def leave(self) -> None:
        """Restarts the keypad, without waiting for an answer."""
        self._write(b"import machine\nmachine.reset()" + END)
