"""A table of the club as the hub's pages, its listeners and its events get it."""

from dataclasses import dataclass
from typing import Final

from companion.core.values import Json

NEEDS_NEWER: Final = "needs a newer hub"
"""What is said of a table whose rows are of a newer program."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a box: its number, when it began by the box's own clock (None: it tells none), and
    the game as docs/telling.md has it."""

    number: int
    opened_at: float | None
    moment: Json


@dataclass(frozen=True, slots=True)
class ClubTable:
    """A table of the club as the hub has it now. `box` is the box's identity, `chain` the course
    of its rows that is shown, `row` the number of the newest of them (0: none yet). `game` is the
    number of its newest game and `moment` that game as docs/telling.md says (None: no game of the
    club's yet, or it can't be told: then `fault` says why in a line, as “needs a newer hub”).
    `heard_at`, when the box was last heard, and `grown_at`, when its newest row came, are by the
    hub's own clock, seconds since 1970 (None: never). `forked`: the organiser has to choose between
    chains of this box. `state`: member, left or away. `opened_at`: when its newest game began, by
    the box's own clock (None: it tells none), and `place` its place in an event, as “4.3.7”;
    `besides`: other games at that place, in their order."""

    club: str
    box: str
    name: str
    state: str
    chain: int
    row: int
    game: int | None
    moment: Json | None
    fault: str | None
    heard_at: float | None
    grown_at: float | None
    forked: bool
    opened_at: float | None = None
    place: str = ""
    besides: tuple[PlayedGame, ...] = ()

    def json(self, now: float) -> Json:
        """The table for another program: seconds in place of times, as /api/tables gives it."""
        return {
            "box": self.box,
            "name": self.name,
            "state": self.state,
            "row": self.row,
            "game": self.game,
            "heard_s": None if self.heard_at is None else round(max(now - self.heard_at, 0.0), 1),
            "entered_s": None if self.grown_at is None else round(max(now - self.grown_at, 0.0), 1),
            "forked": self.forked,
            "fault": self.fault,
            "moment": self.moment,
        }
