"""A club's tables at a glance: for each, who plays whom, the scores, whose turn it is, and a fault
or call that somebody should look at."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from companion.club.hub.club_table import NEEDS_NEWER, ClubTable
from companion.club.hub.server import Hub
from companion.club.hub.store import MEMBER
from companion.core.values import Json
from companion.presentation.language import ENGLISH, Language
from companion.web.broadcast import Versions

SAME_FOR_S: Final = 1.0
"""For how many seconds a message may be sent again unchanged, though it tells how long ago things
happened."""
LONGEST_REST_S: Final = 3600.0
"""For how many seconds after its last entry a TV still turns to a table."""


def glance_json(table: ClubTable, moment: Json | None, now: float) -> Json:
    """One table for the page of all tables. As in /api/tables, seconds before `now` stand in place
    of times. `moment`: the game on the table, in the page's language (None: there is none)."""
    told = table.json(now)
    del told["moment"]
    newer = table.fault == NEEDS_NEWER
    found = {**told, "fault": "newer" if newer else table.fault}
    if moment is None or moment["game"] is None:
        return {**found, "title": None, "sides": []}
    claim = moment["claim"]
    waits = claim is not None and claim["open"]
    return {
        **found,
        "title": moment["game"]["title"],
        "where": moment["where"] and moment["where"]["words"],
        "sides": sides_of(moment),
        "asked": moment["asked"]["words"],
        "claim": claim["charge"]["words"] if waits else None,
        "finished": moment["finished"],
    }


def sides_of(moment: Json) -> list[Json]:
    """The sides of a game, each with its players and score: partners together, any other seat
    alone."""
    seats = {seat["seat"]: seat for seat in moment["seats"]}
    together = [[seats[name] for name in side] for side in moment["sides"]]
    together = together or [[seat] for seat in seats.values()]
    return [
        {
            "players": [
                {name: one[name] for name in ("shown", "colour", "sign", "to_move")} for one in side
            ],
            "score": side[0]["score"],
            "to_win": side[0]["to_win"],
            "won": side[0]["won"],
        }
        for side in together
    ]


def in_sight(tables: Iterable[ClubTable], now: float) -> list[ClubTable]:
    """The tables that a TV turns between: those with a game that can be shown and an entry within
    the last hour. If there is no such table, all tables with a game that can be shown."""
    shown = [one for one in tables if one.state == MEMBER and one.moment and one.moment["game"]]
    recent = [one for one in shown if now - (one.grown_at or 0.0) < LONGEST_REST_S]
    return recent or shown


class Glances:
    """All tables at a glance, as messages for pages. A message has what is new since a `number`
    that the page got before."""

    def __init__(self, hub: Hub, version: Versions) -> None:
        self._hub, self._version = hub, version
        self._known: dict[str, ClubTable] = {}
        self._changed: dict[str, int] = {}
        self._gone: dict[str, int] = {}
        """The boxes that are no longer shown, each with the number at which they went."""
        self._heard: dict[str, int] = {}
        self._texts: dict[tuple[int, str], tuple[float, str]] = {}
        """The messages, each with the time when it was made, by the number since which they tell
        what is new, and the name of their language."""
        self.number = 0
        """Goes up by one each time that the tables were read anew."""

    def go_on(self) -> None:
        """Notes what has changed at the hub's tables."""
        self.number += 1
        self._texts = {}
        tables = self._hub.tables.now()
        for box in self._known.keys() - {one.box for one in tables}:
            del self._known[box]
            self._changed.pop(box, None)
            self._heard.pop(box, None)
            self._gone[box] = self.number
        for table in tables:
            self._gone.pop(table.box, None)
            before = self._known.get(table.box)
            if before is None or replace(before, heard_at=table.heard_at) != table:
                self._changed[table.box] = self.number
            if before is None or before.heard_at != table.heard_at:
                self._heard[table.box] = self.number
            self._known[table.box] = table

    def message(self, since: int, language: Language = ENGLISH) -> str:
        """The message with everything that has changed since `number` was `since`; -1: all
        tables."""
        kind = since, language.name
        at, text = self._texts.get(kind, (0.0, ""))
        if not text or time.monotonic() - at > SAME_FOR_S:
            text = self._message(since, language)
            self._texts[kind] = time.monotonic(), text
        return text

    def _message(self, since: int, language: Language) -> str:
        now, known = self._hub.clock(), self._known
        tables = [
            glance_json(known[box], known[box].moment_in(language), now)
            for box, at in self._changed.items()
            if at > since
        ]
        heard = {
            box: round(max(now - (known[box].heard_at or 0.0), 0.0), 1)
            for box, at in self._heard.items()
            if at > since and self._changed[box] <= since
        }
        told = {
            "version": self._version(language), "club": self._hub.name, "tables": tables,
            "heard": heard, "gone": [box for box, at in self._gone.items() if at > since >= 0],
        }  # fmt: skip
        return language.json(told)


class GlanceFeed:
    """Feeds a page that shows all tables."""

    def __init__(self, glances: Glances, language: Language = ENGLISH) -> None:
        self._glances, self._language, self._sent = glances, language, -1

    def news(self) -> Iterator[str]:
        """What is new since this page last got a message."""
        if self._sent != self._glances.number:
            before, self._sent = self._sent, self._glances.number
            yield self._glances.message(before, self._language)

    def hear(self, said: Json) -> None:
        """Ignores the message: this page asks nothing."""
