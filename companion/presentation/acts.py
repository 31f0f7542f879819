"""Entries that take one key, as buttons of a page and as items of a menu."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from companion.core.errors import RuleError
from companion.core.seats import Seat
from companion.core.values import Json
from companion.games.entry import Dealt, Entry
from companion.games.game import AnyGame, AnyState
from companion.games.penalties import Called, Ruled
from companion.presentation.sayings import say

MAIN = frozenset({
    "called", "out", "forgot-draw", "draw", "draw-of", "pass", "pass-of", "return", "deal",
    "deal-lead", "rule-bogus", "rule-clear", "one-tile", "one-tile-of", "left-uncounted",
})  # fmt: skip
"""Names of acts that pages show beside the tiles; the others are behind “More ways”."""
CAREFUL = frozenset({
    "out", "forgot-draw", "out-early", "out-first", "return", "redeal", "blocked", "misdraw",
    "bogus", "rule-bogus", "rule-clear", "next-hand", "one-tile", "one-tile-of", "finish",
    "left-uncounted", "not-called", "muggins", "wrong-count", "time-up",
})  # fmt: skip
"""Names of acts that people may regret: on a page they wait for OK."""


class Act(NamedTuple):
    """An entry that takes one key or tap. `name`: says what it does; its words are `key.NAME` in
    sayings.py. `at`: the entry is put in before the one at that place; None: it is entered now.
    `most`: how many tiles may be drawn by the counts; if 0, the draw waits for OK, since the counts
    may be wrong; None: it is no draw. `reopens`: the hand is over, and goes on with this entry."""

    name: str
    entry: Entry
    at: int | None = None
    most: int | None = None
    reopens: bool = False

    @property
    def seats(self) -> Mapping[str, Seat | None]:
        """The seats that the entry is about: `seat`, and for a call also `by`, the caller."""
        match self.entry:
            case Called(accused=accused, by=by):
                return {"seat": accused, "by": by}
            case Ruled(accused=accused):
                return {"seat": accused}
            case Dealt(lead=lead) if lead:
                return {"seat": lead}
        said_by = self.entry.said_by
        return {} if said_by is None else {"seat": said_by}

    @property
    def seat(self) -> Seat | None:
        """The seat that the entry is mainly about; None if there is none."""
        return self.seats.get("seat")

    def json(self) -> Json:
        """The JSON for pages."""
        return {
            "name": self.name,
            "entry": str(self.entry),
            "label": say(f"key.{self.name}", **self.seats),
            "main": self.name in MAIN and not self.reopens,
            "careful": self.name in CAREFUL or self.most == 0 or self.reopens,
            "deed": "enter" if self.at is None else "insert",
            "at": self.at or 0,
            "most": None if self.reopens else self.most,
            **self.seats,
        }


def taken(game: AnyGame, state: AnyState, acts: Iterable[Act]) -> Iterator[Act]:
    """The acts that the rules take now."""
    return (
        act for act in acts if type(act.entry) in game.entries and is_taken(game, state, act.entry)
    )


def is_taken(game: AnyGame, state: AnyState, entry: Entry) -> bool:
    """Whether the rules take an entry."""
    with suppress(RuleError):
        game.apply(state, entry)
        return True
    return False


def deals(state: AnyState, *, lead_is_open: bool) -> Iterator[Act]:
    """The acts that deal the next hand; with `lead_is_open` also one for each seat that may lead
    it."""
    yield Act("deal", Dealt())
    if lead_is_open:
        yield from (Act("deal-lead", Dealt(seat)) for seat in state.seats)
