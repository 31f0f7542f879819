"""The messages to a TV about a game, moment by moment, as the server would send them.

A game is played once a process, and a moment is built only when a test first needs it, so a test of
two moments in two hundred pays for two. All tests share the messages: a test that wants to change
one makes its own, as in `{**message, "fault": "…"}`.
"""

import json
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from companion.app.catalog import CATALOG
from companion.core.values import Json
from companion.record.journal import Journal
from companion.record.tally import play_tally, read_tally
from companion.table.snapshot import Snapshot
from companion.web.broadcast import Broadcast
from companion.web.files import STATIC
from tests.catalog import GAMES
from tests.games.others.players import PLAYERS, seats_of

NAMES = [
    "Maximilian",
    "Alexandra",
    "Granny_Ann",
    "Christoph",
    "Leopoldine",
    "Ferdinand",
    "Katharina",
    "Wilhelmine",
]
LINE = "hand\nMaximilian 6-6\nAlexandra 6-3"
CALLED = "hand\nBlue 6-6\nRed 6-3\nBlue draw\nBlue pass\nRed 6-1\nbogus Blue by Red"
RULED = f"{CALLED}\nBlue holds 6-5 5-4 5-2 4-4 4-2 2-2 1-1"


class GameMessages(Sequence[Json]):
    """The messages to pages after each entry, in order."""

    def __init__(self, journals: list[Journal[Any]]) -> None:
        self._journals = journals
        self._broadcast = Broadcast(STATIC, CATALOG)
        self._told: dict[int, Json] = {}

    def __len__(self) -> int:
        return len(self._journals)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[one] for one in range(len(self))[at]]
        at = range(len(self))[at]
        if at not in self._told:
            self._broadcast.update(Snapshot(1, at + 1, None, 1, b"", self._journals[at], {}))
            self._told[at] = json.loads(self._broadcast.message("wide", proof=True) or "")
        return self._told[at]


@cache
def told_game(name: str, number: int) -> Sequence[Json]:
    """The messages to pages, entry by entry, about a game of that many players with long names."""
    lines = LINE.splitlines()
    if name in PLAYERS:
        text = "\n".join(PLAYERS[name](Random(3), number))
        for seat, own in zip(seats_of(number), NAMES, strict=False):
            text = text.replace(seat, own)
        lines = text.splitlines()
    return told(name, " ".join(NAMES[:number]), lines)


def told(name: str, seats: str, lines: Sequence[str], *options: str) -> Sequence[Json]:
    """The messages to pages about a game with these lines of a tally."""
    return _told(name, seats, tuple(lines), options)


@cache
def _told(name: str, seats: str, lines: tuple[str, ...], options: tuple[str, ...]) -> GameMessages:
    header = ["tally 1", f"game {name}", f"seats {seats}", *map("option {}".format, options)]
    text = "\n".join([*header, "", *lines])
    return GameMessages([one.journal for one in play_tally(read_tally(text, GAMES), GAMES)])
