"""Shared parts of the tests of commands: how a command is run, and the game that is played."""

from collections.abc import Callable

from companion.core.seats import Seats

SEATS = Seats.of("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
EIGHT = f"tally 1\ngame race\nseats {' '.join(SEATS)}\noption goal 50\n"

Run = Callable[..., tuple[int, str, str]]
"""Runs a command with these words; gives its exit status, stdout and stderr."""

READING = (["games"], ["show", "1"], ["export", "1"], ["verify"])
"""The commands that read a record."""
