"""`companion replay`: a tally is scored."""

import sys
from pathlib import Path
from typing import BinaryIO

from companion.app.catalog import Catalog
from companion.commands.printing import WELL, cant, print_json, say
from companion.commands.replay import NOTHING, game_json, replay, replay_lines
from companion.core.errors import EntryError
from companion.presentation.refusals import worded
from companion.record.tally import LONGEST, read_tally
from companion.record.tally_header import TallyError


def replay_file(name: str, games: Catalog, *, as_json: bool) -> int:
    """Scores a tally; `-` is standard input."""
    shown = "standard input" if name == "-" else name
    try:
        if name == "-":
            text = _read_text(sys.stdin.buffer)
        else:
            with Path(name).open("rb") as file:
                text = _read_text(file)
        tally = read_tally(text, games.rules)
    except OSError as error:
        return _refused(f"{shown}: {(error.strerror or str(error)).lower()}", as_json)
    except TallyError as error:
        return _refused(f"{shown}:{worded(error)}", as_json)
    journal, lines, stopped = replay(tally, games.rules)
    if as_json:
        print_json(game_json(games, journal, lines))
    else:
        say(replay_lines(games, journal, lines))
    if stopped:
        sys.stdout.flush()
        return cant(f"{shown}:{worded(stopped)}")
    return WELL


def _refused(message: str, as_json: bool) -> int:
    if as_json:
        print_json(NOTHING)
        sys.stdout.flush()
    return cant(message)


MOST_BYTES = 4 * LONGEST + 1
"""A line of more bytes has too many characters for a tally."""


def _read_text(file: BinaryIO) -> str:
    """The text up to the first line that is far too long, and the beginning of that line."""
    lines: list[bytes] = []
    while line := file.readline(MOST_BYTES + 1):
        if len(line) > MOST_BYTES:
            return _decoded(b"".join(lines)) + line.decode(errors="replace")
        lines.append(line)
    return _decoded(b"".join(lines))


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wrong = EntryError("this is not UTF-8 text: save the file as UTF-8")
        raise TallyError(line, wrong) from error
