"""Reads an event's text (docs/events.md), and an organiser's list of people: names, one on each
line, or a CSV table. Each error is one line that gives the place in the text and, for an unknown
key or player, the nearest known one."""

import csv
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, Final, NoReturn, TypeVar

from companion.core.errors import Refusal
from companion.core.json_text import ENTRIES
from companion.core.values import Json
from companion.core.words import composed, is_visible_text, listed, phrase
from companion.events.event import (
    DEFAULT_GAME,
    GAME_LOST,
    LASTS,
    PENALTIES,
    USUAL_POINTS,
    ClubEvent,
    Correction,
    Entrant,
    EventError,
    EventFormat,
    EventPenalty,
    EventRound,
    EventTable,
    PenaltyRules,
    Points,
    Team,
    Wish,
)
from companion.events.teams import matches_of

T = TypeVar("T")
MAX_POINTS_OFF = 1000
"""The most match points that a penalty takes off."""
MAX_NUMBER = 10**9
"""The largest number allowed in a result."""


# ---------------------------------------------------------------- single values Each function
# returns a value of the right type, or raises EventError with a line that gives the place of the
# value (`where`) and what is wrong with it.


def parse_json(text: str) -> object:
    """The value of a JSON text, with exact numbers: int or Fraction. Raises EventError if it is not
    JSON, repeats a key, or has too long a number."""
    try:
        return json.loads(
            text.removeprefix("\ufeff"),
            object_pairs_hook=_dict_of_unique_keys,
            parse_float=_parse_decimal,
            parse_int=_parse_int,
            parse_constant=_refuse_constant,
        )
    except Refusal:
        raise
    except json.JSONDecodeError as error:
        raise EventError(
            "this is not JSON: line {line}, column {column}: {reason}",
            line=error.lineno, column=error.colno, reason=error.msg.lower(),
        ) from error  # fmt: skip
    except RecursionError as error:
        raise EventError("this is nested too deeply to be an event") from error


def value_fault(where: str, what: str, /, **parts: object) -> EventError:
    """The error “`where` `what`” about the value at `where`. `parts` fill the placeholders in
    `what`."""
    return EventError("{where} {what}", where=where, what=phrase(what, **parts))


def refuse_value(where: str, what: str, /, **parts: object) -> NoReturn:
    """Raises the EventError of `value_fault`."""
    raise value_fault(where, what, **parts)


def keys_of(
    where: str, value: object, known: Iterable[str], needed: Iterable[str]
) -> dict[str, Any]:
    """The value as a dictionary. Raises EventError if it isn't an object with all `needed` and only
    `known` keys."""
    data = object_of(where, value)
    names = list(known)
    for key in data:
        if key not in names:
            near = get_close_matches(key, names, 1) or get_close_matches(key.lower(), names, 1, 0.3)
            near = near or [min(names)]
            refuse_value(
                where, "has no key {key}; did you mean {near}?", key=_shorten(key), near=near[0]
            )
    for key in needed:
        if key not in data:
            refuse_value(where, "lacks its key {key}", key=key)
    return data


def object_of(where: str, value: object) -> dict[str, Any]:
    """The value as a dictionary; any keys are allowed."""
    if not isinstance(value, dict):
        refuse_value(where, "must be an object in {{ }}, not {value}", value=_shorten(value))
    return value


def list_of(where: str, value: object, read: Callable[[str, Any], T]) -> list[T]:
    """The values of a list, each read by `read(where, value)`."""
    if not isinstance(value, list):
        refuse_value(where, "must be a list in [ ], not {value}", value=_shorten(value))
    return [read(f"{where} {place}", one) for place, one in enumerate(value, start=1)]


def text_of(where: str, value: object) -> str:
    """The value as a text of printable characters."""
    if not isinstance(value, str):
        refuse_value(where, "must be a text in quotes, not {value}", value=_shorten(value))
    if not is_visible_text(value):
        refuse_value(where, "has an invisible character: {value}", value=_shorten(value))
    return value


def choice_of(where: str, value: object, known: list[str]) -> str:
    """The value as a text that is one of `known`."""
    text = text_of(where, value)
    if text not in known:
        near = get_close_matches(text, known, 1)
        if near:
            refuse_value(
                where, "is not {value}; did you mean {near}?", value=_shorten(text), near=near[0]
            )
        refuse_value(
            where, "is not {value}; it is one of {known}", value=_shorten(text), known=listed(known)
        )
    return text


def amount_of(where: str, value: object) -> Fraction:
    """The value as an exact number, whole or not, from −MAX_NUMBER to MAX_NUMBER."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        refuse_value(where, "must be a number, not {value}", value=_shorten(value))
    if not -MAX_NUMBER <= value <= MAX_NUMBER:
        refuse_value(
            where, "must be between {least} and {most}", least=-MAX_NUMBER, most=MAX_NUMBER
        )
    return Fraction(value)


def number_of(where: str, value: object, least: int, most: int) -> int:
    """The value as a whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        what = "must be a whole number from {least} to {most}, not {value}"
        refuse_value(where, what, least=least, most=most, value=_shorten(value))
    return value


def flag_of(where: str, value: object) -> bool:
    """The value as true or false."""
    if not isinstance(value, bool):
        refuse_value(where, "must be true or false")
    return value


def late_points_of(value: object) -> Fraction:
    """The match points for each round that a latecomer has missed."""
    points = amount_of("late", value)
    if points < 0:
        refuse_value("late", "must be 0 or more match points")
    return points


def number_of_boards(value: object) -> int:
    """The number of boards of a match between two teams."""
    return number_of("boards", value, 1, MOST_BOARDS)


def planned_of(value: object) -> int:
    """The number of planned rounds."""
    return number_of("planned", value, 1, MOST_ROUNDS)


def penalty_rules_of(value: object) -> PenaltyRules:
    """The rules for penalties from `{"warning": 0, "points": 1, "game": true}`; without rules, from
    None, penalties are only listed."""
    if value is None:
        return PenaltyRules({})
    data = keys_of("penalty", value, PENALTIES, ())
    off = dict[str, Fraction]()
    for kind in PENALTIES[:2]:
        if kind in data:
            where = f"penalty {kind}"
            off[kind] = amount_of(where, data[kind])
            if not 0 <= off[kind] <= MAX_POINTS_OFF:
                refuse_value(
                    where, "must be between {least} and {most}", least=0, most=MAX_POINTS_OFF
                )
    return PenaltyRules(off, flag_of("penalty game", data.get(GAME_LOST, False)))


def category_of(where: str, value: object) -> str:
    """The value as the name of a category; empty if none."""
    text = text_of(where, value)
    if len(text) > LONGEST_CATEGORY:
        refuse_value(where, "must have at most {most} characters", most=LONGEST_CATEGORY)
    return text


def check_once(where: str, ids: Iterable[str]) -> None:
    """Raises EventError if an id occurs twice."""
    seen = set[str]()
    for one in ids:
        if one in seen:
            refuse_value(where, "names {id} twice", id=one)
        seen.add(one)


def _shorten(value: object) -> str:
    """The value shortened to one line."""
    text = value if isinstance(value, str) and is_visible_text(value) else repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


# ---------------------------------------------------------------- JSON as events have it


def _dict_of_unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict[str, Any]()
    for key, value in pairs:
        if key in found:
            raise EventError("the key {key} appears twice in one object", key=_shorten(key))
        found[key] = value
    return found


def _parse_int(text: str) -> int:
    if len(text) > 20:
        raise EventError("{text} has too many digits", text=_shorten(text))
    return int(text)


def _parse_decimal(text: str) -> Fraction:
    _, _, exponent = text.lower().partition("e")
    if len(text) > 40 or (exponent and abs(int(exponent)) > 20):
        raise EventError("{text} has too many digits", text=_shorten(text))
    return Fraction(text)


def _refuse_constant(text: str) -> NoReturn:
    raise EventError("{text} is not a number", text=text)


# ---------------------------------------------------------------- an event's text
VERSION = 1
"""The version of a text without the additions of version 2."""
NEWEST = 2
FORMATS = [one.value for one in EventFormat]

EVENT_KEYS = (
    *("event", "name", "game", "options", "format", "seats", "points", "players", "pairs"),
    *("out", "wishes", "rounds", "seed"),
)
ROUND_KEYS = ("tables", "bye")
SEATING_KEYS = ("round", *ROUND_KEYS)
TABLE_KEYS = ("table", "seats", "points", "corrected")
PLAYER_KEYS = ("id", "name", "rating")
WISH_KEYS = ("apart", "table", "player", "closed")
TEAM_KEYS = ("name", "people")
VERSION_2_KEYS = {
    EVENT_KEYS: (
        *("late", "planned", "penalty", "penalties", "withheld", "seating", "teams", "boards"),
    ),
    PLAYER_KEYS: ("late", "until", "category"),
    ROUND_KEYS: ("seed", "moved"),
    WISH_KEYS: ("for",),
}
"""For the object with these version 1 keys, the keys that version 2 adds."""
MOST_ROUNDS = 999
LONGEST_CATEGORY = 40
LONGEST_TEAM = 40
MOST_BOARDS = 100


def read_event(text: str) -> ClubEvent:
    """The event in this text. Raises EventError, which gives the fault and its place."""
    data = object_of("the event", parse_json(text))
    version = data.get("event", VERSION)
    known = known_keys(EVENT_KEYS, version)
    data = keys_of("the event", data, known, ("event", "format", "players"))
    if isinstance(version, bool) or version not in (VERSION, NEWEST):
        refuse_value(
            "event",
            "must be 1 or 2, the version of this text, not {value}",
            value=str(version)[:20],
        )
    event = _EventReader(data, version).event()
    for number in range(1, len(event.rounds) + 1) if event.teams else ():
        matches_of(event, number)  # raises EventError if it isn't a match between teams
    return event


def known_keys(keys: tuple[str, ...], version: object) -> tuple[str, ...]:
    """The allowed keys of an object in a text of this version; `keys`: those of version 1."""
    return (*keys, *VERSION_2_KEYS[keys]) if version == NEWEST else keys


class _EventReader:
    """Reads the values of the event's keys: players first, because other values refer to their
    ids."""

    def __init__(self, data: Mapping[str, Any], version: int) -> None:
        self.data, self._version = data, version
        each = list_of("players", data["players"], self._read_player)
        self.players = tuple(each)
        self.ids = {one.id for one in each}
        check_once("players", [one.id for one in each])
        if not each:
            refuse_value("players", "lists no players")
        self.penalty_rules = penalty_rules_of(data.get("penalty"))
        self.penalties = tuple(list_of("penalties", data.get("penalties", []), self._read_penalty))

    def event(self) -> ClubEvent:
        data = self.data
        kind = choice_of("format", data["format"], FORMATS)
        form = EventFormat(kind)
        two = form not in (EventFormat.TABLES, EventFormat.PARTNERS)
        seats = number_of("seats", data.get("seats", 2 if two else 4), 2, 4)
        if two and seats != 2:
            refuse_value("seats", "must be 2 where the format is {format}", format=kind)
        if form is EventFormat.PARTNERS and seats != 4:
            refuse_value("seats", "must be 4 where the format is {format}", format=kind)
        pairs = self._read_pairs(data.get("pairs", []))
        if pairs and form is not EventFormat.PARTNERS:
            refuse_value("pairs", "is only for the format partners")
        teams = self._read_teams(data.get("teams", []))
        if teams and form is EventFormat.TABLES:
            refuse_value("teams", "is not for the format {format}", format=kind)
        if teams and pairs:
            refuse_value("pairs", "can't be given beside teams: partners follow each other there")
        return ClubEvent(
            name=text_of("name", data.get("name", "")),
            game=text_of("game", data.get("game", DEFAULT_GAME)),
            options=object_of("options", data.get("options", {})),
            format=form,
            seats=seats,
            points=_read_points(data.get("points", {})),
            players=self.players,
            pairs=pairs,
            out=frozenset(self._read_ids("out", data.get("out", []))),
            wishes=tuple(list_of("wishes", data.get("wishes", []), self._read_wish)),
            rounds=self._read_rounds(data.get("rounds", [])),
            seed=text_of("seed", data.get("seed", "")),
            late=None if data.get("late") is None else late_points_of(data["late"]),
            planned=None if data.get("planned") is None else planned_of(data["planned"]),
            penalties=self.penalties,
            penalty_rules=self.penalty_rules,
            withheld=number_of("withheld", data.get("withheld", 0), 0, ENTRIES.stop),
            seating=self._read_seating(data.get("seating", [])),
            teams=teams,
            boards=None if data.get("boards") is None else number_of_boards(data["boards"]),
        )

    # ------------------------------------------------------------ players

    def _read_player(self, where: str, value: object) -> Entrant:
        data = keys_of(where, value, known_keys(PLAYER_KEYS, self._version), ("id", "name"))
        who = text_of(f"{where} id", data["id"])
        name = text_of(f"{where} name", data["name"])
        if not who or not name:
            refuse_value(where, "needs an id and a name that are not empty")
        rating, until = data.get("rating"), data.get("until")
        return Entrant(
            who,
            name,
            None if rating is None else amount_of(f"{where} rating", rating),
            flag_of(f"{where} late", data.get("late", False)),
            None if until is None else number_of(f"{where} until", until, 0, MOST_ROUNDS),
            category_of(f"{where} category", data.get("category", "")),
        )

    def _read_id(self, where: str, value: object) -> str:
        text = text_of(where, value)
        if text not in self.ids:
            near = get_close_matches(text, self.ids, 1)
            if near:
                refuse_value(
                    where,
                    "names an unknown player: {id}; did you mean {near}?",
                    id=text,
                    near=near[0],
                )
            refuse_value(where, "names an unknown player: {id}; add it to players", id=text)
        return text

    def _read_ids(self, where: str, value: object) -> tuple[str, ...]:
        found = list_of(where, value, self._read_id)
        check_once(where, found)
        return tuple(found)

    def _read_pairs(self, value: object) -> tuple[tuple[str, str], ...]:
        def read_pair(where: str, one: object) -> tuple[str, str]:
            found = self._read_ids(where, one)
            if len(found) != 2:
                refuse_value(where, "must be two players")
            return found[0], found[1]

        pairs = list_of("pairs", value, read_pair)
        check_once("pairs", [one for pair in pairs for one in pair])
        return tuple(pairs)

    def _read_teams(self, value: object) -> tuple[Team, ...]:
        def read_team(where: str, one: object) -> Team:
            data = keys_of(where, one, TEAM_KEYS, TEAM_KEYS)
            name = text_of(f"{where} name", data["name"])
            if not 0 < len(name) <= LONGEST_TEAM:
                refuse_value(
                    f"{where} name", "must have from 1 to {most} characters", most=LONGEST_TEAM
                )
            people = self._read_ids(f"{where} people", data["people"])
            if not people:
                refuse_value(where, "needs people")
            return Team(name, people)

        teams = list_of("teams", value, read_team)
        check_once("teams", [one.name for one in teams])
        check_once("teams", [one for team in teams for one in team.people])
        return tuple(teams)

    def _read_wish(self, where: str, value: object) -> Wish:
        data = keys_of(where, value, known_keys(WISH_KEYS, self._version), ())
        if data.keys() in ({"apart"}, {"apart", "for"}):
            apart = self._read_ids(f"{where} apart", data["apart"])
            if len(apart) < 2:
                refuse_value(where, "must name two or more players to keep apart")
            lasts = choice_of(f"{where} for", data.get("for", LASTS[0]), [*LASTS])
            return Wish(apart=apart, lasts=lasts)
        if data.keys() == {"closed"}:
            return Wish(closed=number_of(f"{where} closed", data["closed"], 1, MAX_NUMBER))
        if data.keys() == {"table", "player"}:
            table = number_of(f"{where} table", data["table"], 1, MAX_NUMBER)
            return Wish(table=table, player=self._read_id(f"{where} player", data["player"]))
        raise value_fault(where, 'must have "apart", "closed", or "table" and "player"')

    def _read_penalty(self, where: str, value: object) -> EventPenalty:
        needed = ("player", "round", "kind")
        data = keys_of(where, value, (*needed, "by", "why"), needed)
        return EventPenalty(
            self._read_id(f"{where} player", data["player"]),
            number_of(f"{where} round", data["round"], 1, MOST_ROUNDS),
            choice_of(f"{where} kind", data["kind"], [*PENALTIES]),
            text_of(f"{where} by", data.get("by", "")),
            text_of(f"{where} why", data.get("why", "")),
        )

    # ------------------------------------------------------------ rounds

    def _read_rounds(self, value: object) -> tuple[EventRound, ...]:
        found = list_of("rounds", value, self._read_round)
        if not self.penalty_rules.loses_game:
            return tuple(found)
        lost = [(one.round, one.player) for one in self.penalties if one.kind == GAME_LOST]
        return tuple(
            replace(each, tables=tuple(
                replace(table, lost=frozenset(seat for seat in table.seats if (at, seat) in lost))
                for table in each.tables
            ))
            for at, each in enumerate(found, start=1)
        )  # fmt: skip

    def _read_seating(self, value: object) -> dict[int, EventRound]:
        def read_given(where: str, one: object) -> tuple[int, EventRound]:
            data = keys_of(where, one, SEATING_KEYS, SEATING_KEYS[:2])
            number = number_of(f"{where} round", data.pop("round"), 1, MOST_ROUNDS)
            where = f"the seating of round {number}"
            found = self._read_round(where, data)
            if any(table.result is not None for table in found.tables):
                refuse_value(where, "can't have results")
            return number, found

        found = list_of("seating", value, read_given)
        check_once("seating", [str(number) for number, _ in found])
        return dict(found)

    def _read_round(self, where: str, value: object) -> EventRound:
        where = where.replace("rounds", "round")
        data = keys_of(where, value, known_keys(ROUND_KEYS, self._version), ("tables",))
        tables = list_of(
            f"{where} tables", data["tables"], lambda _, one: self._read_table(where, one)
        )
        bye = self._read_ids(f"{where} bye", data.get("bye", []))
        for number, many in Counter(table.number for table in tables).items():
            if many > 1:
                refuse_value(
                    where, "has table {table} twice: keep the result that counts", table=number
                )
        check_once(where, [*bye, *(seat for table in tables for seat in table.seats)])
        seed, moved = data.get("seed"), data.get("moved", False)
        return EventRound(
            tuple(tables),
            bye,
            None if seed is None else text_of(f"{where} seed", seed),
            flag_of(f"{where} moved", moved),
        )

    def _read_table(self, where: str, value: object) -> EventTable:
        data = keys_of(f"{where}, a table", value, TABLE_KEYS, ("table", "seats"))
        number = number_of(f"{where}, a table's number", data["table"], 1, MAX_NUMBER)
        where = f"{where}, table {number}"
        seats = self._read_ids(f"{where} seats", data["seats"])
        if len(seats) == 1:
            refuse_value(where, "has one player: two to four sit at a table")
        if not 2 <= len(seats) <= 4:
            refuse_value(where, "has {seats} players: two to four sit at a table", seats=len(seats))
        points = data.get("points")
        return EventTable(
            number,
            seats,
            None if points is None else _read_result(f"{where} points", points, len(seats)),
            _read_correction(where, data.get("corrected"), len(seats)),
        )


def _read_correction(where: str, value: object, seats: int) -> Correction | None:
    if value is None:
        return None
    where = f"{where} corrected"
    data = keys_of(where, value, ("points", "by", "why"), ("points", "by", "why"))
    points = _read_result(f"{where} points", data["points"], seats)
    return Correction(
        points, text_of(f"{where} by", data["by"]), text_of(f"{where} why", data["why"])
    )


def _read_result(where: str, value: object, seats: int) -> tuple[Fraction, ...]:
    found = tuple(list_of(where, value, amount_of))
    if len(found) != seats:
        refuse_value(where, "must have {seats} numbers, one for each seat", seats=seats)
    return found


def _read_points(value: object) -> Points:
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


# ---------------------------------------------------------------- lists of people
#
#     Anna                          name,rating
#     Ben                           Anna,1650
#     Cleo Smith                    "Smith, Cleo",1500
#
# An id is made from the name, so that a person who comes to several evenings of a league keeps it.


LONGEST_NAME: Final = 40
LONGEST_RATING: Final = 40
MOST_PEOPLE: Final = 2000
NAME_HEADINGS: Final = frozenset({"name", "player", "names", "players", "who"})
RATING_HEADINGS: Final = frozenset({"rating", "elo", "strength"})


def read_people(text: str, taken: Iterable[str]) -> list[Json]:
    """The people in the organiser's list, as the `players` of an event's text. `taken`: ids already
    in use. Raises EventError if there is no name, or a name or a rating is invalid."""
    rows = [row for row in _split_rows(text) if any(row)]
    heads = [cell.casefold() for cell in rows[0]] if rows else []
    at_name = next((at for at, head in enumerate(heads) if head in NAME_HEADINGS), None)
    at_rating = next((at for at, head in enumerate(heads) if head in RATING_HEADINGS), None)
    if at_name is not None:
        rows = rows[1:]
    if len(rows) > MOST_PEOPLE:
        raise EventError("more than {most} people at once", most=MOST_PEOPLE)
    found, taken = list[Json](), {*taken}
    for row in rows:
        name = row[at_name or 0] if len(row) > (at_name or 0) else ""
        if not name:
            continue
        if len(name) > LONGEST_NAME:
            raise EventError("“{name}…” is too long for a name", name=name[:20])
        one: Json = {"id": id_of(name, taken), "name": name}
        if at_rating is not None and len(row) > at_rating and row[at_rating]:
            one["rating"] = _read_rating(name, row[at_rating])
        taken.add(one["id"])
        found.append(one)
    if not found:
        raise EventError("there are no names: write one per line")
    return found


def id_of(name: str, taken: Container[str] = ()) -> str:
    """The id for a person with this name: the name in plain lower case, a-z and 0-9, as in
    “cleo-smith”, with a number at the end if that id is `taken`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    short = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "p"
    if short not in taken:
        return short
    return next(found for at in range(2, 10**6) if (found := f"{short}-{at}") not in taken)


def _split_rows(text: str) -> Iterable[list[str]]:
    lines = text.lstrip("\ufeff").splitlines()
    between = next((sign for sign in "\t;," if any(sign in line for line in lines)), ",")
    try:
        for row in csv.reader(lines, delimiter=between, skipinitialspace=True):
            yield [composed(" ".join(cell.split())) for cell in row]
    except csv.Error:  # a field of more than 131,072 characters
        name = text.strip().lstrip('"')[:20]
        raise EventError("“{name}…” is too long for a name", name=name) from None


def _read_rating(name: str, text: str) -> int | float:
    value: Fraction | None = None
    with suppress(EventError, ValueError, ZeroDivisionError):
        if len(text) <= LONGEST_RATING:
            value = Fraction(text) if "/" in text else _parse_decimal(text)
    if value is None:
        raise EventError(
            "the rating of {name} is not a number: {text}", name=name, text=_shorten(text)
        )
    amount_of(f"the rating of {name}", value)
    return int(value) if value.denominator == 1 else float(value)
