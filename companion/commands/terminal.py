"""Prints the output of commands, and defines their exit statuses.

A game's text comes from files and from other people's keyboards. A character that would move the
cursor, clear the screen or reverse the writing direction is never printed: its code, such as
`\\x1b`, is printed instead."""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.core.words import END_OF_ISOLATE, ISOLATE

if TYPE_CHECKING:
    from companion.record.repair.verify import Progress

CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
ISOLATED_OR_CONTROL = re.compile(
    f"(?P<isolated>{ISOLATE}(?:(?!{CONTROLS.pattern}).)+{END_OF_ISOLATE})|{CONTROLS.pattern}"
)


def escape_controls(line: str) -> str:
    """Returns the line with each control character replaced by its code, as in `\\x1b` or
    `\\u202e`. The marks around an isolated part (core/words.py) stay."""
    return ISOLATED_OR_CONTROL.sub(_escape_match, line)


def _escape_match(found: re.Match[str]) -> str:
    if found["isolated"]:
        return found["isolated"]
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def json_text(value: object) -> str:
    """Returns the value as JSON, with control characters escaped, as in `\\u001b`."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return "\n".join(
        CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", line) for line in text.split("\n")
    )


# ---------------------------------------------------------------- output and exit statuses


SUCCESS, PROBLEM, FAILURE = 0, 1, 2
"""Exit statuses: success; something is wrong, or was not found; the command can't be carried
out."""


def print_error(message: str) -> None:
    """Prints an error on stderr."""
    print(escape_controls(message), file=sys.stderr)


def fail(message: str) -> int:
    """Prints on stderr why the command can't be carried out; returns the exit status FAILURE."""
    print_error(message)
    return FAILURE


def print_lines(lines: Iterable[str]) -> None:
    """Prints lines; a text with line breaks is printed as several."""
    for line in lines:
        print("\n".join(map(escape_controls, line.split("\n"))))


def print_json(value: object) -> None:
    print(json_text(value))


@contextmanager
def show_progress(quiet: bool = False) -> Iterator["Progress"]:
    """Provides a `with` block with a function that shows the progress, 0 to 1, on the terminal; the
    progress is removed from the terminal at the end."""
    shown = ""

    def show(done: float) -> None:
        nonlocal shown
        if not quiet and sys.stderr.isatty() and (text := f"{done:.0%}") != shown:
            shown = text
            print(f"\r{text} of the record", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
