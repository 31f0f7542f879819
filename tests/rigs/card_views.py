"""What is looked at on the emulated Raspberry Pi (card.py): its page, by a program that runs there,
and the display of QEMU."""

import subprocess
import threading
from pathlib import Path
from typing import Self

from companion.console.frame import Frame
from companion.core.keys import Key
from tests.rigs.at_the_page import rows

AT_THE_PAGE = Path(__file__).with_name("at_the_page.py")
WIDTH, HEIGHT, LEFT = 96, 8, 20
"""What QEMU's chip shows of the display: so much of the topmost line of the first picture, from
that column on. It is another chip, which takes commands after the byte 80h only, and of the data
after 40h no more than a line: luma says 00h to real ones, which take that, too."""
MAGNIFIED = 4


class Page:
    """The page that a command shows: presses keys, and has the newest picture."""

    def __init__(self, command: list[str]) -> None:
        self._running = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.rows: list[str] = []
        """The picture as text art; empty where none came yet."""
        self.words = ""
        threading.Thread(target=self._look, daemon=True).start()

    def shows(self, frame: Frame) -> bool:
        """Whether the newest picture is that."""
        return self.rows == frame.rows()

    def _look(self) -> None:
        for line in self._running.stdout or ():
            picture, _, words = line.rstrip("\n").partition(" ")
            self.rows, self.words = rows(bytes.fromhex(picture)), words

    @property
    def is_open(self) -> bool:
        """Whether it still shows what comes."""
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
    """What a picture of QEMU's display shows, as text art: a PPM file, each pixel magnified."""
    kind, width, _, depth, pixels = ppm.split(maxsplit=4)
    assert (kind, depth) == (b"P6", b"255")
    across = 3 * int(width)
    return [
        "".join("#" if pixels[MAGNIFIED * (y * across + 3 * x)] else "." for x in range(WIDTH))
        for y in range(HEIGHT)
    ]


def visible_rows(rows: list[str]) -> list[str]:
    """What of a picture, as text art, can be seen on QEMU's display."""
    return [row[LEFT : LEFT + WIDTH] for row in rows[:HEIGHT]]
