"""Reads an event's text. Each error is one line that names the place in the text; for an unknown
key or player it also names the nearest known one."""

from collections.abc import Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

from companion.events.event import (
    DEFAULT_GAME,
    USUAL_POINTS,
    ClubEvent,
    Correction,
    Entrant,
    EventFormat,
    EventRound,
    EventTable,
    Points,
    Wish,
)
from companion.events.json_values import (
    MOST,
    amount_of,
    check_once,
    keys_of,
    list_of,
    number_of,
    object_of,
    parse_json,
    refuse_value,
    text_of,
    value_fault,
    word_of,
)

VERSION = 1
FORMATS = [one.value for one in EventFormat]

EVENT_KEYS = (
    *("event", "name", "game", "options", "format", "seats", "points", "players", "pairs"),
    *("out", "wishes", "rounds", "seed"),
)
TABLE_KEYS = ("table", "seats", "points", "corrected")
WISH_KEYS = ("apart", "table", "player", "closed")


def read_event(text: str) -> ClubEvent:
    """The event that the text says. Raises EventError, which names what is wrong and its place."""
    told = parse_json(text)
    told = keys_of("the event", told, EVENT_KEYS, ("event", "format", "players"))
    if told["event"] != VERSION:
        refuse_value(
            "event",
            "must be 1, the version of this text, not {value}",
            value=str(told["event"])[:20],
        )
    return _Reading(told).event()


class _Reading:
    """Reads the values of the event's keys, the players first, because the others name them by
    id."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        self.told = told
        each = list_of("players", told["players"], _player)
        self.players = tuple(each)
        self.ids = {one.id for one in each}
        check_once("players", [one.id for one in each])
        if not each:
            refuse_value("players", "lists nobody")

    def event(self) -> ClubEvent:
        told = self.told
        kind = word_of("format", told["format"], FORMATS)
        form = EventFormat(kind)
        two = form not in (EventFormat.TABLES, EventFormat.PARTNERS)
        seats = number_of("seats", told.get("seats", 2 if two else 4), 2, 4)
        if two and seats != 2:
            refuse_value("seats", "must be 2 where the format is {format}", format=kind)
        if form is EventFormat.PARTNERS and seats != 4:
            refuse_value("seats", "must be 4 where the format is {format}", format=kind)
        pairs = self._pairs(told.get("pairs", []))
        if pairs and form is not EventFormat.PARTNERS:
            refuse_value("pairs", "stands only where the format is partners")
        return ClubEvent(
            name=text_of("name", told.get("name", "")),
            game=text_of("game", told.get("game", DEFAULT_GAME)),
            options=object_of("options", told.get("options", {})),
            format=form,
            seats=seats,
            points=_points(told.get("points", {})),
            players=self.players,
            pairs=pairs,
            out=frozenset(self._ids("out", told.get("out", []))),
            wishes=tuple(list_of("wishes", told.get("wishes", []), self._wish)),
            rounds=tuple(list_of("rounds", told.get("rounds", []), self._round)),
            seed=text_of("seed", told.get("seed", "")),
        )

    # ------------------------------------------------------------ players

    def _id(self, where: str, value: object) -> str:
        text = text_of(where, value)
        if text not in self.ids:
            near = get_close_matches(text, self.ids, 1)
            if near:
                refuse_value(
                    where, "names no player: {id}; did you mean {near}?", id=text, near=near[0]
                )
            refuse_value(where, "names no player: {id}; add it to players", id=text)
        return text

    def _ids(self, where: str, value: object) -> tuple[str, ...]:
        found = list_of(where, value, self._id)
        check_once(where, found)
        return tuple(found)

    def _pairs(self, value: object) -> tuple[tuple[str, str], ...]:
        def pair(where: str, one: object) -> tuple[str, str]:
            found = self._ids(where, one)
            if len(found) != 2:
                refuse_value(where, "must be two players")
            return found[0], found[1]

        pairs = list_of("pairs", value, pair)
        check_once("pairs", [one for pair in pairs for one in pair])
        return tuple(pairs)

    def _wish(self, where: str, value: object) -> Wish:
        told = keys_of(where, value, WISH_KEYS, ())
        if told.keys() == {"apart"}:
            apart = self._ids(f"{where} apart", told["apart"])
            if len(apart) < 2:
                refuse_value(where, "must name two players or more that are to sit apart")
            return Wish(apart=apart)
        if told.keys() == {"closed"}:
            return Wish(closed=number_of(f"{where} closed", told["closed"], 1, MOST))
        if told.keys() == {"table", "player"}:
            table = number_of(f"{where} table", told["table"], 1, MOST)
            return Wish(table=table, player=self._id(f"{where} player", told["player"]))
        raise value_fault(where, 'must have "apart", "closed", or "table" and "player"')

    # ------------------------------------------------------------ rounds

    def _round(self, where: str, value: object) -> EventRound:
        where = where.replace("rounds", "round")
        told = keys_of(where, value, ("tables", "bye"), ("tables",))
        tables = list_of(f"{where} tables", told["tables"], lambda _, one: self._table(where, one))
        bye = self._ids(f"{where} bye", told.get("bye", []))
        numbers = [table.number for table in tables]
        for number in numbers:
            if numbers.count(number) > 1:
                refuse_value(
                    where, "has table {table} twice: keep the result that counts", table=number
                )
        check_once(where, [*bye, *(seat for table in tables for seat in table.seats)])
        return EventRound(tuple(tables), bye)

    def _table(self, where: str, value: object) -> EventTable:
        told = keys_of(f"{where}, a table", value, TABLE_KEYS, ("table", "seats"))
        number = number_of(f"{where}, a table's number", told["table"], 1, MOST)
        where = f"{where}, table {number}"
        seats = self._ids(f"{where} seats", told["seats"])
        if not 2 <= len(seats) <= 4:
            refuse_value(where, "has {seats} players: two to four sit at a table", seats=len(seats))
        points = told.get("points")
        return EventTable(
            number,
            seats,
            None if points is None else _result(f"{where} points", points, len(seats)),
            _corrected(where, told.get("corrected"), len(seats)),
        )


def _player(where: str, value: object) -> Entrant:
    told = keys_of(where, value, ("id", "name", "rating"), ("id", "name"))
    who = text_of(f"{where} id", told["id"])
    name = text_of(f"{where} name", told["name"])
    if not who or not name:
        refuse_value(where, "needs an id and a name that are not empty")
    rating = told.get("rating")
    return Entrant(who, name, None if rating is None else amount_of(f"{where} rating", rating))


def _corrected(where: str, value: object, seats: int) -> Correction | None:
    if value is None:
        return None
    where = f"{where} corrected"
    told = keys_of(where, value, ("points", "by", "why"), ("points", "by", "why"))
    points = _result(f"{where} points", told["points"], seats)
    return Correction(
        points, text_of(f"{where} by", told["by"]), text_of(f"{where} why", told["why"])
    )


def _result(where: str, value: object, seats: int) -> tuple[Fraction, ...]:
    found = tuple(list_of(where, value, amount_of))
    if len(found) != seats:
        refuse_value(where, "must have {seats} numbers, one for each seat", seats=seats)
    return found


def _points(value: object) -> Points:
    found = dict(USUAL_POINTS)
    for seats, each in keys_of("points", value, ("4", "3", "2"), ()).items():
        where = f"points of {seats}"
        by_place = tuple(list_of(where, each, amount_of))
        if len(by_place) != int(seats):
            refuse_value(where, "must have {seats} numbers, one for each place", seats=seats)
        if list(by_place) != sorted(by_place, reverse=True):
            refuse_value(where, "must not rise from one place to the next")
        found[int(seats)] = by_place
    return found
