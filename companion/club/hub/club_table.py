"""A table of the club, as the hub hands it to its pages, listeners and events."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.core.values import Json
from companion.core.words import Sentence
from companion.presentation.club_words import CLUB_WORDS
from companion.presentation.language import Language
from companion.presentation.sayings import words_under

NEEDS_NEWER: Final = "needs a newer hub"
"""The `fault` of a table whose rows a newer program has written."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a box: its number, when it began by the box's own clock, in seconds since 1970
    (None: unknown), and the game as docs/telling.md describes it."""

    number: int
    opened_at: float | None
    moment: Json


@dataclass(frozen=True, slots=True)
class ClubTable:
    """A table of the club as the hub has it now. `box` is the box's identity, `chain` the number of
    the chain that is shown, `row` the number of its newest row (0: none yet). `game` is the number
    of the game on the table and `moment` that game as docs/telling.md describes it. `moment` is
    None if the club has no game of this box yet, or if the game can't be shown; in the second case
    `fault` says why in a line, as “needs a newer hub”. `heard_at` is when the box was last heard
    and `grown_at` when its newest row came, both in seconds since 1970 by the hub's own clock
    (None: never). `forked`: the organiser has to choose between chains of this box. `state`:
    member, left or away. `opened_at`: when the game began, by the box's own clock (None: unknown).
    `place`: the game's place in an event, as “4.3.7” (empty: none); `besides`: other games at that
    place, in their order. `number`: of the table, as the organiser gave it (None: none)."""

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
    number: int | None = None
    described: Json | None = field(default=None, compare=False)
    """`moment` as sentences that can be translated, with the names that players had at first."""
    called: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The players' present names, by the names that they had at first."""
    waiting: int = 0
    """How many rows are kept and not shown, since the box has not sealed them; it has sealed all
    others up to `row`."""

    def moment_in(self, language: Language) -> Json | None:
        """`moment` in `language`; None if `moment` is None."""
        if self.described is None or not language.changes:
            return self.moment
        told: Json = language.calling(self.called).translated(self.described)
        return told

    def seal_words(self) -> Sentence:
        """That the table's box has sealed what is shown of it, or what is missing."""
        if not self.row:
            return words_under(CLUB_WORDS, "club.no-rows")
        if not self.waiting:
            return words_under(CLUB_WORDS, "club.sealed")
        template = CLUB_WORDS["club.unsealed"]
        parts = {"row": self.row, "many": self.waiting}
        return Sentence.made(template, parts, "club.unsealed")

    def json(self, now: float) -> Json:
        """The table for another program, as /api/tables gives it: `heard_s` and `entered_s` are
        seconds before `now`."""
        return {
            "box": self.box,
            "name": self.name,
            "number": self.number,
            "state": self.state,
            "row": self.row,
            "game": self.game,
            "heard_s": None if self.heard_at is None else round(max(now - self.heard_at, 0.0), 1),
            "entered_s": None if self.grown_at is None else round(max(now - self.grown_at, 0.0), 1),
            "forked": self.forked,
            "fault": self.fault,
            "sealed": self.row > 0,
            "unsealed": self.waiting,
            "moment": self.moment,
        }
