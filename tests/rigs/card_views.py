"""The rig's views of the emulated Raspberry Pi (card.py): its page, by a program that runs there,
and QEMU's display."""

import subprocess
import threading
from pathlib import Path
from typing import Self

from companion.console.frame import Frame
from companion.core.keys import Key
from tests.rigs.at_the_page import rows

AT_THE_PAGE = Path(__file__).with_name("at_the_page.py")
WIDTH, HEIGHT, LEFT = 96, 8, 20
"""The part of the display that QEMU's chip shows: pixels of the top line of the first picture, from
column LEFT on. It is another chip, which takes commands only after the byte 80h, and of the data
after 40h no more than one line. Luma sends 00h before commands, which real chips take as well."""
MAGNIFIED = 4


class Page:
    """The box's page, shown by `command`: presses keys, and has the newest picture."""

    def __init__(self, command: list[str]) -> None:
        self._running = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.rows: list[str] = []
        """The newest picture as text art; empty if none has come yet."""
        self.words = ""
        threading.Thread(target=self._look, daemon=True).start()

    def shows(self, frame: Frame) -> bool:
        """Whether the newest picture is `frame`."""
        return self.rows == frame.rows()

    def _look(self) -> None:
        for line in self._running.stdout or ():
            picture, _, words = line.rstrip("\n").partition(" ")
            self.rows, self.words = rows(bytes.fromhex(picture)), words

    @property
    def is_open(self) -> bool:
        """Whether the program that shows the page still runs."""
        return self._running.poll() is None

    def press(self, key: Key) -> None:
        """Presses a key of the page."""
        assert self._running.stdin is not None
        print(key.value, file=self._running.stdin, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._running.kill()
        self._running.communicate()


def lit_in(ppm: bytes) -> list[str]:
    """A picture of QEMU's display as text art. `ppm`: a PPM file in which each pixel is
    MAGNIFIED."""
    kind, width, _, depth, pixels = ppm.split(maxsplit=4)
    assert (kind, depth) == (b"P6", b"255")
    across = 3 * int(width)
    return [
        "".join("#" if pixels[MAGNIFIED * (y * across + 3 * x)] else "." for x in range(WIDTH))
        for y in range(HEIGHT)
    ]


def visible_rows(rows: list[str]) -> list[str]:
    """The part of a picture, as text art, that can be seen on QEMU's display."""
    return [row[LEFT : LEFT + WIDTH] for row in rows[:HEIGHT]]
