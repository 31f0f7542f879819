"""Looks at results before they are entered: one that the rules of its game can't give is entered
only once somebody has said that it is as it was played."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from companion.core.errors import EntryError
from companion.core.values import Json
from companion.core.words import phrase
from companion.events.entries import EventEntry
from companion.events.event import DEFAULT_GAME, EventFormat
from companion.games.game import AnyGame, games_of_match, settle_options
from companion.hub.event_desk import KeptEvent

JUDGED = ("result", "corrected")


def doubt_of(
    kept: KeptEvent,
    entries: Iterable[EventEntry],
    games: Mapping[str, AnyGame],
    now: float,
) -> str | None:
    """The reason why one of these entries has a result that can't be; None: there is none. What
    can't be entered at all is left to the event."""
    for entry in entries:
        if entry.kind in JUDGED and (table := _table_of(kept, entry.said)) is not None:
            doubt = _doubt_of(kept, table, entry.said, games, now)
            if doubt is not None:
                return phrase("table {table}: {why}", table=table["table"], why=doubt)
    return None


def _table_of(kept: KeptEvent, said: Json) -> Json | None:
    rounds, at = kept.course.text["rounds"], said.get("round")
    if not isinstance(at, int) or isinstance(at, bool) or not 0 < at <= len(rounds):
        return None
    found = (one for one in rounds[at - 1]["tables"] if one["table"] == said.get("table"))
    return next(found, None)


def _doubt_of(
    kept: KeptEvent, table: Json, said: Json, games: Mapping[str, AnyGame], now: float
) -> str | None:
    text, points = kept.course.text, said.get("points")
    rules = games.get(str(text.get("game", DEFAULT_GAME)))
    seats = len(table["seats"])
    fits = isinstance(points, list) and len(points) == seats
    if rules is None or not fits or not all(_is_number(one) for one in points or ()):
        return None
    scores = [Fraction(str(one)) for one in points or ()]
    if text["format"] == EventFormat.PARTNERS and seats == 4:
        if scores[0] != scores[2] or scores[1] != scores[3]:
            return phrase("partners have the same points")
        scores = scores[:2]
    ends = kept.time_up_at if said["round"] == len(text["rounds"]) else None
    time_left = ends is not None and now < ends
    if kept.games > 1:
        return games_of_match(scores, kept.games, time_left=time_left)
    try:
        given = {name: str(value) for name, value in text.get("options", {}).items()}
        options = settle_options(rules, seats, given)
    except EntryError:
        return None
    return rules.doubt(scores, options, time_left)


def _is_number(one: object) -> bool:
    return isinstance(one, int | float) and not isinstance(one, bool) and abs(one) < 1e15
