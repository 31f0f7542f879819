"""Plays a tape and compares what comes of it with what is written there."""

import io
from collections import Counter
from contextlib import redirect_stderr
from pathlib import Path

from companion.console.frame import Frame
from tests.tape.box import PARTS, Output
from tests.tape.reach import ReachedNames
from tests.tape.tape import Line, Session, Tape

SHOWN = 24
"""How many lines of a tape are shown before the first difference."""
_BLOCKS = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}


class Differs(AssertionError):
    """The output differs from that on the tape; the message says where and how."""


def compare(path: Path) -> ReachedNames:
    """Plays a tape; returns the names that it reaches. Raises Differs at the first line whose
    output differs, or at which the box reports a fault."""
    tape, reached, complaints = Tape.load(path), ReachedNames(), io.StringIO()
    with Session(tape.build) as session, redirect_stderr(complaints):
        for number, (line, came) in enumerate(session.play(tape.lines, reached.screen), 2):
            written = tape.lines[number - 2]
            if line.digests != written.digests:
                raise Differs(difference(path, tape, number, line, came))
            if complaints.getvalue():
                raise Differs(f"{path.name}:{number}: the box told:\n{complaints.getvalue()}")
            if came:
                reached.rows(came, tape.build.games)
    return reached


def digest(path: Path) -> tuple[Tape, Counter[str], ReachedNames]:
    """Plays a tape; returns it with today's digests, the number of lines at which each part differs
    from the old tape, and the names that it reaches."""
    tape, reached, parts = Tape.load(path), ReachedNames(), Counter[str]()
    lines = list[Line]()
    with Session(tape.build) as session:
        for line, came in session.play(tape.lines, reached.screen):
            both = zip(PARTS, tape.lines[len(lines)].digests, line.digests, strict=True)
            parts.update(part for part, old, new in both if came and old != new)
            lines.append(line)
            if came:
                reached.rows(came, tape.build.games)
    return Tape(tape.build, tuple(lines)), parts, reached


def difference(path: Path, tape: Tape, number: int, line: Line, came: Output | None) -> str:
    """A report of the line where the program differs from the tape: both digests of each part, the
    preceding lines, and the present output."""
    written = tape.lines[number - 2]
    digests = zip(PARTS, written.digests, line.digests, strict=True)
    parts = [
        f"  {part:8} {old:16}  {new:16} {'' if old == new else 'differs'}".rstrip()
        for part, old, new in digests
    ]
    before = [" ".join(old.words) for old in tape.lines[: number - 2] if old.words]
    left = [f"  … ({len(before) - SHOWN} lines before)"] if len(before) > SHOWN else []
    return "\n".join(
        [
            f"{path}:{number}: something else comes than is written",
            f"  {'':8} {'written':16}  {'now':16}",
            *parts,
            "what led there:",
            *left,
            *(f"  {keys}" for keys in before[-SHOWN:]),
            f"→ {' '.join(line.words)}",
            *(describe(came) if came else ()),
            "What came before the program was changed is told by the same command there:",
            f"  python -m tests.tape show {path.stem} {number}",
        ]
    )


def show(path: Path, first: int, last: int) -> None:
    """Prints the output of the lines `first` to `last` of a tape, word by word."""
    tape = Tape.load(path)
    with Session(tape.build) as session:
        for number, line in enumerate(tape.lines[: last - 1], 2):
            for word in line.words:
                session.do(word)
                if number >= first:
                    came = session.box.take()
                    print(f"{path.name}:{number}: {word}", *describe(came), *wire(came), sep="\n")
            if number < first:
                session.box.take()


def describe(came: Output) -> list[str]:
    """The output as lines for people: rows, answers, lights and the last picture."""
    rows, lights, answers = (
        came.parts[part].decode().splitlines() for part in ("rows", "lights", "answers")
    )
    pixels = came.parts["frames"][-1024:]
    return [
        *(f"  row      {row}" for row in rows),
        *(f"  answer   {answer}" for answer in answers),
        *(f"  lights   {light}" for light in lights[-1:]),
        *(f"  {row}" for row in (picture(Frame(bytes(pixels))) if pixels else ())),
    ]


def wire(came: Output) -> list[str]:
    """The bytes that went over the display's wire, as lines in hexadecimal."""
    sent = bytes(came.parts["wire"])
    return [f"  wire     {sent[at : at + 32].hex(' ')}" for at in range(0, len(sent), 32)]


def picture(frame: Frame) -> list[str]:
    """The frame as text, two rows of pixels in a line."""
    rows = frame.rows()
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(_BLOCKS[a + b] for a, b in zip(*pair, strict=True)).rstrip() for pair in pairs]
