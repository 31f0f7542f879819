"""A club's tables at a glance: for each, who plays whom, the scores, whose turn it is, and a fault
or call that somebody should look at."""

from collections.abc import Iterable
from typing import Final

from companion.core.values import Json
from companion.hub.club_table import NEEDS_NEWER, ClubTable
from companion.hub.store import MEMBER

LONGEST_REST_S: Final = 3600.0
"""Seconds after its last entry for which a table is among those that a TV turns between."""


def glance_json(table: ClubTable, now: float) -> Json:
    """One table for the page of all tables, with seconds before `now` in place of times, as in
    /api/tables."""
    told = table.json(now)
    moment = told.pop("moment")
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
    the last hour; if there is none, all tables with a game that can be shown."""
    shown = [one for one in tables if one.state == MEMBER and one.moment and one.moment["game"]]
    recent = [one for one in shown if now - (one.grown_at or 0.0) < LONGEST_REST_S]
    return recent or shown
