"""A tape as a file: presses in lines, each with short digests of what came of them, and after every
500 presses long ones.

    box ssd1306 rests
    1 2 1 OK OK 1      | 8f 03 b1 c2 --
    …
    = 500              | 0a1b2c3d4e5f6071 …

Each part (box.PARTS) has a digest, or `--` if nothing came. Short digests show where two runs of a
tape begin to differ, long ones that they don't.
"""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from os import environ
from pathlib import Path
from typing import Self

from tests.rig import Rig
from tests.tape.box import PARTS, Box, Build, Output

PLAYED = Path(__file__).parent / "played"
WINDOW = 500
"""Presses between two long digests."""
_SHORT, _LONG = 1, 8
"""Bytes of a digest."""

Digests = tuple[str, ...]
"""A digest for each part of what came."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a tape: words that are done, or (`words` empty) the long digests of the `presses`
    up to here."""

    words: tuple[str, ...]
    digests: Digests
    presses: int = 0

    def __str__(self) -> str:
        does = " ".join(self.words) if self.words else f"= {self.presses}"
        return f"{does} | {' '.join(self.digests)}"

    @classmethod
    def read(cls, text: str) -> Self:
        """The inverse of str. Raises ValueError if `text` is no line of a tape."""
        does, bar, digests = text.partition(" | ")
        if not bar or len(digests.split()) != len(PARTS):
            raise ValueError(f"“{text}” is no line of a tape")
        words = tuple(does.split())
        if words[0] == "=":
            return cls((), tuple(digests.split()), int(words[1]))
        return cls(words, tuple(digests.split()))


@dataclass(frozen=True, slots=True)
class Tape:
    """A whole tape: `lines[0]` is the second line of its file."""

    build: Build
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        return "\n".join([f"box {self.build}", *map(str, self.lines), ""])

    @classmethod
    def load(cls, path: Path) -> Self:
        """Reads a file. Raises ValueError if it is no tape."""
        first, *rest = path.read_text("utf-8").splitlines()
        if not first.startswith("box "):
            raise ValueError(f"{path}: a tape begins with “box”")
        return cls(Build.read(first.removeprefix("box ")), tuple(map(Line.read, rest)))


class Digester:
    """Short digests of each line, and long ones of all lines since the last long ones."""

    def __init__(self) -> None:
        self._long = self._begun()

    @staticmethod
    def _begun() -> dict[str, "blake2b"]:
        return {part: blake2b(digest_size=_LONG) for part in PARTS}

    def short(self, came: Output) -> Digests:
        """The short digests of a line's output."""
        for part, told in came.parts.items():
            self._long[part].update(told)
        return tuple(
            blake2b(told, digest_size=_SHORT).hexdigest() if told else "--"
            for told in (came.parts[part] for part in PARTS)
        )

    def long(self) -> Digests:
        """The long digests of the output of all lines since the last call."""
        long, self._long = self._long, self._begun()
        return tuple(long[part].hexdigest() for part in PARTS)


class Session:
    """A box, and the digests of what comes out of it, in a folder that is removed at the end."""

    def __init__(self, build: Build) -> None:
        # Where temporary files are quick: see tests/conftest.py.
        folder = environ.get("PYTEST_DEBUG_TEMPROOT")
        self._folder = tempfile.TemporaryDirectory(prefix="tape-", dir=folder)
        self.box = Box(build, Path(self._folder.name))
        self._digester = Digester()
        self.presses = 0

    def do(self, word: str) -> None:
        """Does a word."""
        self.presses += self.box.do(word)

    def end_line(self, words: tuple[str, ...]) -> tuple[Line, Output]:
        """Ends a line with these words, which have been done; returns the line and its output."""
        came = self.box.take()
        return Line(words, self._digester.short(came)), came

    def end_window(self) -> Line:
        """The long digests up to here."""
        return Line((), self._digester.long(), self.presses)

    def play(
        self, lines: tuple[Line, ...], seen: Callable[[Rig], None] = lambda _: None
    ) -> Iterator[tuple[Line, Output | None]]:
        """Does the words of these lines; yields each line with its present digests, and its output
        (None for long digests). Calls `seen` after each word."""
        for line in lines:
            if not line.words:
                yield self.end_window(), None
                continue
            for word in line.words:
                self.do(word)
                seen(self.box.rig)
            yield self.end_line(line.words)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.box.close()
        self._folder.cleanup()
