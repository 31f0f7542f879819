"""Results of an event's round: which are impossible under the rules, which are entered
automatically, and which need the organiser.

The result comes from a finished game at the table's box, once nothing has been entered there for a
while. At a table without a box it counts once two players of different sides report the same from
their phones. Impossible and disputed results, and games that a box has changed since, are left for
the organiser to decide.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from companion.club.hub.event_desk import StoredEvent
from companion.club.hub.event_round import TableOfRound, is_over, points_by_name
from companion.club.hub.tables import ClubTable
from companion.core.errors import EntryError
from companion.core.seats import display_name
from companion.core.values import Json
from companion.core.words import composed, phrase
from companion.events.entries import EventEntry, result_of
from companion.events.event import DEFAULT_GAME, EventFormat
from companion.games.game import AnyGame, games_of_match, settle_options

SETTLED_S: Final = 20.0
"""Seconds after a table's last row for which its result is not entered yet: its players may still
undo that row."""
BY_THE_TABLES: Final = "the tables"
"""The author of results that are entered automatically."""

# ---------------------------------------------------------------- impossible results

JUDGED = ("result", "corrected")


def find_doubt(
    kept: StoredEvent,
    entries: Iterable[EventEntry],
    games: Mapping[str, AnyGame],
    now: float,
) -> str | None:
    """Returns the reason why the result in one of these entries is impossible; None if all are
    possible. Entries that aren't valid at all are left for the event to refuse."""
    for entry in entries:
        if entry.kind in JUDGED and (table := _table_of(kept, entry.fields)) is not None:
            doubt = _doubt_of(kept, table, entry.fields, games, now)
            if doubt is not None:
                return phrase("table {table}: {why}", table=table["table"], why=doubt)
    return None


def _table_of(kept: StoredEvent, fields: Json) -> Json | None:
    rounds, at = kept.course.text["rounds"], fields.get("round")
    if not isinstance(at, int) or isinstance(at, bool) or not 0 < at <= len(rounds):
        return None
    found = (one for one in rounds[at - 1]["tables"] if one["table"] == fields.get("table"))
    return next(found, None)


def _doubt_of(
    kept: StoredEvent, table: Json, fields: Json, games: Mapping[str, AnyGame], now: float
) -> str | None:
    text, points = kept.course.text, fields.get("points")
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
    ends = kept.time_up_at if fields["round"] == len(text["rounds"]) else None
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


# ---------------------------------------------------------------- automatic results


def settled_results(
    kept: StoredEvent,
    playing: Iterable[TableOfRound],
    tables: Iterable[ClubTable],
    games: Mapping[str, AnyGame],
    now: float,
) -> list[EventEntry]:
    """The results of the newest round that need no confirmation: possible results from boxes
    without new entries since their games ended, and results that both sides of a table without a
    box report. A result that somebody has undone doesn't come back."""
    quiet = {
        one.box for one in tables if one.grown_at is not None and now - one.grown_at >= SETTLED_S
    }
    entered = [entry.fields for entry in kept.course.entries if entry.kind == "result"]
    found = []
    for one in playing:
        if one.box is None:
            entry = agreed_result(kept, one.table)
        else:
            entry = one.result if one.box in quiet else None
        if entry is None or entry.fields in entered:
            continue
        if find_doubt(kept, [entry], games, now) is None:
            found.append(entry)
    return found


def reports_of(kept: StoredEvent, number: int, table: int) -> dict[str, list[float]]:
    """The points at a table in the round `number` as each player last reported them, by player."""
    return {
        entry.fields["id"]: entry.fields["points"]
        for entry in kept.course.entries_of("reported")
        if (entry.fields["round"], entry.fields["table"]) == (number, table)
    }


def _undecided_reports(kept: StoredEvent, number: int, table: int) -> dict[str, list[float]]:
    """The reports that `reports_of` returns, except contradictory ones that somebody has settled by
    entering the result."""
    found = dict[str, list[float]]()
    for at, _, entry in kept.entries_of("reported", "result"):
        if (entry.fields["round"], entry.fields["table"]) != (number, table):
            continue
        if entry.kind == "reported":
            found[entry.fields["id"]] = entry.fields["points"]
        elif kept.entered[at - 1][1] != BY_THE_TABLES and len({*map(tuple, found.values())}) > 1:
            found.clear()
    return found


def agreed_result(kept: StoredEvent, number: int) -> EventEntry | None:
    """The result of a table of the newest round that players of two sides report and no player
    contradicts; None if there is no such result."""
    rounds = len(kept.course.text["rounds"])
    table = next(one for one in kept.course.text["rounds"][-1]["tables"] if one["table"] == number)
    reports = reports_of(kept, rounds, number)
    seats = [table["seats"].index(one) for one in reports if one in table["seats"]]
    partners = kept.course.text["format"] == EventFormat.PARTNERS and len(table["seats"]) == 4
    told = [*reports.values()]
    if len({at % 2 if partners else at for at in seats}) < 2 or any(one != told[0] for one in told):
        return None
    return EventEntry("result", {"round": rounds, "table": number, "points": told[0]})


# ---------------------------------------------------------------- disputed results


def disputed_results(
    kept: StoredEvent,
    playing: Sequence[TableOfRound],
    tables: Iterable[ClubTable],
    games: Mapping[str, AnyGame],
    now: float,
) -> Iterator[Json]:
    """Yields the decisions for the organiser, table by table: the reason `why` as a sentence, the
    points that count `now` (None if there are none yet), and the `points` that a box or a player
    reports instead."""
    number = len(kept.course.text["rounds"])
    if not number:
        return
    by_box = {one.box: one for one in tables}
    for one in playing:
        doubt = find_doubt(kept, [one.result], games, now) if one.result else None
        if one.result and doubt is not None:
            yield _disputed_json(number, one.table, None, one.result.fields["points"], doubt)
    results = {
        (entry.fields["round"], entry.fields["table"]): entry.fields
        for entry in kept.course.entries_of("result")
    }
    names = {one["id"]: str(one["name"]) for one in kept.course.text["players"]}
    for at, each in enumerate(kept.course.text["rounds"], start=1):
        for table in each["tables"]:
            counted, fields = result_of(table), results.get((at, table["table"]))
            box = by_box.get(str(fields.get("box"))) if fields else None
            if fields and box and not table["corrected"]:
                changed = _changed_points(box, fields, [names[one] for one in table["seats"]])
                if kept.games == 1 and changed is not None:
                    why = phrase("table {table}: its box has something else now",
                                 table=table["table"])  # fmt: skip
                    yield _disputed_json(at, table["table"], counted, changed, why)
            if table["corrected"]:
                continue
            reports = _undecided_reports(kept, at, table["table"])
            for who, points in reports.items():
                if counted is not None and points != counted:
                    why = phrase("table {table}: {name} reports something else",
                                 table=table["table"], name=names[who])  # fmt: skip
                    yield _disputed_json(at, table["table"], counted, points, why)
            different = [*{tuple(one): one for one in reports.values()}.values()]
            if counted is None and len(different) > 1:
                why = phrase("table {table}: the players report different results",
                             table=table["table"])  # fmt: skip
                for points in different:
                    yield _disputed_json(at, table["table"], None, points, why)


def _disputed_json(
    number: int, table: int, counted: Sequence[float] | None, points: Sequence[float], why: str
) -> Json:
    return {"round": number, "table": table, "now": counted, "points": points, "why": why}


def _changed_points(table: ClubTable, fields: Json, names: Sequence[str]) -> list[int] | None:
    """The present points of a game that its box has changed since its result was entered; None if
    it hasn't, or if another or an unfinished game is on the table."""
    if table.moment is None or table.game != fields.get("game") or not is_over(table.moment):
        return None
    points = points_by_name(table.moment)
    found = [points.get(composed(display_name(one)).casefold()) for one in names]
    known = [one for one in found if one is not None]
    return known if len(known) == len(names) and known != fields["points"] else None
