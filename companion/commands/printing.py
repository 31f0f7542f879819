"""What all commands print, and the status that they end with."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.commands.terminal import printed, printed_json

if TYPE_CHECKING:
    from companion.record.repair.whole import Progress

WELL, FOUND, CANT = 0, 1, 2
"""Nothing to say; something was found; it can't be done."""


def complain(message: str) -> None:
    """Says on stderr what is wrong."""
    print(printed(message), file=sys.stderr)


def cant(message: str) -> int:
    """Says on stderr why it can't be done, and gives the status."""
    complain(message)
    return CANT


def say(lines: Iterable[str]) -> None:
    """Prints lines; what a line breaks into stays lines."""
    for line in lines:
        print("\n".join(map(printed, line.split("\n"))))


def print_json(value: object) -> None:
    """Prints a value as JSON."""
    print(printed_json(value))


@contextmanager
def progress_shown(quiet: bool = False) -> Iterator["Progress"]:
    """Shows on the terminal how much is done, and takes it away again."""
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
