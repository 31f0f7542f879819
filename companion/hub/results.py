"""Results of an event that the club's tables have, to be entered by one tap.

A game belongs to a table of the round if the box was given those seats, or if its players are
called as those who sit there. One that
ended before the round was drawn is none of it, nor one that has given a result already; a table
whose clock was never set tells no time, so only the names speak for it.
"""

from collections.abc import Iterable

from companion.core.clock import CLOCK_SET
from companion.core.values import Json, dataclass
from companion.events.entries import EventEntry, result_of
from companion.hub.event_desk import KeptEvent
from companion.hub.tables import ClubTable


@dataclass(frozen=True, slots=True)
class TableOfRound:
    """A table of the newest round and the box at which it plays (None: not found). `result`: the
    entry that its game comes to, once it is over; `stands`: what it would come to now, while it is
    played; `moment`: the game, as docs/telling.md has it; `others`: other people play there than
    sit there by the draw."""

    table: int
    box: str | None
    result: EventEntry | None
    moment: Json | None
    stands: EventEntry | None = None
    others: bool = False


def tables_of_round(kept: KeptEvent, tables: Iterable[ClubTable]) -> list[TableOfRound]:
    """The tables of the newest round that have no result yet."""
    newest = kept.course.round
    if newest is None:
        return []
    names = {one["id"]: str(one["name"]) for one in kept.course.text["players"]}
    drawn_at = _drawn_at(kept)
    used = {
        (entry.said.get("box"), entry.said.get("game"))
        for entry, counts in zip(kept.course.entries, kept.course.counts, strict=True)
        if counts and entry.kind == "result"
    }
    playing = {
        _who(table.moment): table
        for table in tables
        if table.moment is not None
        and (table.box, table.game) not in used
        and (table.opened_at is None or not CLOCK_SET <= table.opened_at < drawn_at)
    }
    begun = {table.place: table for table in playing.values() if table.place}
    found = []
    for table in newest["tables"]:
        if result_of(table) is None:
            place = f"{kept.number}.{len(kept.course.text['rounds'])}.{table['table']}"
            who = frozenset(names[one].casefold() for one in table["seats"])
            found.append(_of_round(kept, table, begun.get(place, playing.get(who)), names))
    return found


def _of_round(
    kept: KeptEvent, table: Json, box: ClubTable | None, names: dict[str, str]
) -> TableOfRound:
    number = table["table"]
    if box is None or box.moment is None:
        return TableOfRound(number, None, None, None)
    who = [names[one].casefold() for one in table["seats"]]
    if _who(box.moment) != frozenset(who):
        return TableOfRound(number, box.box, None, box.moment, others=True)
    found = points_by_name(box.moment)
    said: Json = {
        "round": len(kept.course.text["rounds"]),
        "table": number,
        "points": [found[one] for one in who],
        "box": box.box,
        "game": box.game,
    }
    entry, over = EventEntry("result", said), is_over(box.moment)
    return TableOfRound(
        number, box.box, entry if over else None, box.moment, None if over else entry
    )


def is_over(moment: Json) -> bool:
    """Whether a table has its result: its game is over, or its match is decided."""
    match = moment.get("match")
    return bool(moment["finished"] and (match is None or match["decided"]))


def points_by_name(moment: Json) -> dict[str, int]:
    """What each seat has, by its name in small letters: points, or of a match the games won."""
    of_match = moment.get("match") is not None
    found = {}
    for seat in moment["seats"]:
        won = seat["labels"].get("games") if of_match else None
        games = 0 if won is None else int(won.get("games", 1))
        found[str(seat["shown"]).casefold()] = games if of_match else seat["score"]
    return found


def _who(moment: Json) -> frozenset[str]:
    return frozenset(str(seat["shown"]).casefold() for seat in moment["seats"])


def _drawn_at(kept: KeptEvent) -> float:
    """When the newest round was drawn, by the hub's clock."""
    drawn = [
        at
        for (at, _), entry, counts in zip(
            kept.entered, kept.course.entries, kept.course.counts, strict=True
        )
        if counts and entry.kind == "drawn"
    ]
    return drawn[-1] if drawn else 0.0
