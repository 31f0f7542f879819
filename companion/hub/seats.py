"""Gives an event's seats to the club's boxes: those of each table to the box that has its number.

The box asks its players “Round 3, table 7 … OK: begin” (console/screens/given_seats.py). It gets
the seats when a round is drawn or seats change, and again when it connects, until a game there is
found or the result is entered.
"""

from collections.abc import Iterable

from companion.core.club import GivenSeats
from companion.core.values import Json
from companion.events.event import DEFAULT_GAME
from companion.hub.club_table import ClubTable
from companion.hub.event_desk import KeptEvent
from companion.hub.results import tables_of_round
from companion.hub.store import MEMBER


def box_of(number: int, tables: Iterable[ClubTable]) -> str | None:
    """The member that has that number; None: there is none."""
    return next((one.box for one in tables if one.state == MEMBER and one.number == number), None)


def seats_to_give(kept: KeptEvent, tables: Iterable[ClubTable]) -> dict[str, Json]:
    """The seats for each box that has a table of the newest round still to begin, or at which
    people other than those of its table play."""
    known = [*tables]
    waiting = {one.table: one for one in tables_of_round(kept, known)}
    newest = kept.course.round
    if newest is None:
        return {}
    names = {one["id"]: str(one["name"]) for one in kept.course.text["players"]}
    found = {}
    for table in newest["tables"]:
        one = waiting.get(table["table"])
        if one is None or (one.box is not None and not one.others):
            continue
        box = one.box or box_of(table["table"], known)
        if box is not None:
            given = GivenSeats(
                kept.number,
                len(kept.course.text["rounds"]),
                table["table"],
                str(kept.course.text.get("game", DEFAULT_GAME)),
                tuple(names[one] for one in table["seats"]),
                tuple(kept.course.text.get("options", {}).items()),
            )
            found[box] = given.as_json
    return found
