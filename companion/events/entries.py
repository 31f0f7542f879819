"""The entries of an event: their kinds, and how each changes the event's text.

The first entry sets the game and the format. Each later one records something that happened: a
player came, a round was drawn, a result or a correction was entered. An event is kept as a list of
entries, from which `EventCourse` computes its text anew; any program can score that again
(docs/events.md).

Nothing is ever overwritten: `undo` names an entry that no longer counts, and may itself be undone.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from companion.core.club import LONGEST_CALL
from companion.core.values import Json, dataclass
from companion.core.words import case_folded, known_spelling
from companion.events.draw import NextRound
from companion.events.event import (
    GAME_LOST,
    KNOCKOUT_FORMATS,
    LASTS,
    PENALTIES,
    ClubEvent,
    EventError,
    EventFormat,
)
from companion.events.reading import (
    MAX_NUMBER,
    MOST_ROUNDS,
    NEWEST,
    VERSION,
    amount_of,
    category_of,
    choice_of,
    flag_of,
    keys_of,
    late_points_of,
    list_of,
    number_of,
    number_of_boards,
    object_of,
    parse_json,
    penalty_rules_of,
    planned_of,
    read_event,
    refuse_value,
    text_of,
)

LONGEST_MIN: Final = 600
"""The longest time on a round's clock, in minutes."""
CALL_MIN: Final = 3
"""The minutes for which a call is shown by default."""
TEXT_SETTINGS: Final = ("name", "game", "options", "format", "seats", "points", "seed")
"""Keys of the first entry that are also in the event's text."""
CHANGEABLE: Final = ("planned", "late", "penalty", "fee", "prizes")
"""What an entry `set` changes, and the first entry may set. `planned`: the number of rounds;
`late`: the match points for each round that a latecomer has missed; `penalty`: how penalties count;
the text has these. `fee`: the entry fee; `prizes`: how many places get a certificate."""
CHANGEABLE_IN_TEXT: Final = CHANGEABLE[:3]
EVENING_SETTINGS: Final = ("event", "period", "phones", "games", "fee", "prizes")
"""Keys of the first entry that are not in the event's text. `event`: 2 if results from the tables'
boxes count without a tap; `period`: for how many minutes a result may be corrected once its round
is complete (default: without limit); `phones`: whether phones are used; `games`: how many games
make a match at a table, if the game's rules have no matches (default: 1)."""
MOST_FEE: Final = 100_000
MOST_PRIZES: Final = 99
WALKOVER_FORMATS: Final = (*KNOCKOUT_FORMATS, EventFormat.ROUND_ROBIN)
"""The formats in which a player wins if the opponent doesn't come."""
MATCH_LENGTHS: Final = (1, 3, 5)
"""The possible numbers of games in a match; the player who wins most of them wins it."""
KEYS: Final = {
    "began": ((*TEXT_SETTINGS, *EVENING_SETTINGS, *CHANGEABLE_IN_TEXT), ("format",)),
    "set": (CHANGEABLE, ()),
    "listed": (("id", "name", "rating"), ("id", "name")),
    "came": (("id", "name", "rating"), ("id", "name")),
    "named": (("id", "name"), ("id", "name")),
    "left": (("id", "after"), ("id",)),
    "returned": (("id",), ("id",)),
    "late": (("id",), ("id",)),
    "paid": (("id",), ("id",)),
    "category": (("id", "name"), ("id", "name")),
    "phone": (("id",), ("id",)),
    "partners": (("ids",), ("ids",)),
    "wish": (("apart", "table", "player", "closed", "for"), ()),
    "aside": (("box", "game"), ("box", "game")),
    "seating": (("rounds",), ("rounds",)),
    "teams": (("teams", "boards"), ("teams",)),
    "proposed": (("round", "tables", "bye", "method", "seed", "moved"), ("round", "tables")),
    "drawn": (("round", "tables", "bye", "method", "seed", "moved"), ("round", "tables")),
    "reseated": (("round", "tables"), ("round", "tables")),
    "absent": (("round", "table", "id"),) * 2,
    "reported": (("round", "table", "points", "id"),) * 2,
    "call": (("round", "table", "id"),) * 2,
    "helped": (("round", "table"),) * 2,
    "result": (("round", "table", "points", "box", "game"), ("round", "table", "points")),
    "corrected": (("round", "table", "points", "by", "why"),) * 2,
    "reopened": (("round", "why"), ("round", "why")),
    "penalty": (("round", "id", "kind", "by", "why"), ("round", "id", "kind")),
    "announced": (("text", "minutes"), ("text",)),
    "break": (("round", "minutes"), ("round", "minutes")),
    "clock": (("round", "minutes", "table"), ("round", "minutes")),
    "undo": (("entry",), ("entry",)),
}
"""For each kind of entry, its allowed keys and its required ones."""


@dataclass(frozen=True, slots=True)
class EventEntry:
    """An entry: its `kind`, one of KEYS, and `fields`, a JSON object with the keys of that kind."""

    kind: str
    fields: Json

    @property
    def as_text(self) -> str:
        """The entry as stored: one line of JSON."""
        return json.dumps({self.kind: self.fields}, ensure_ascii=False, separators=(",", ":"))


def read_entry(text: str) -> EventEntry:
    """Reads an entry that `as_text` wrote. Raises EventError if its kind is unknown or its keys are
    wrong."""
    data = object_of("an entry", parse_json(text))
    if len(data) != 1:
        refuse_value("an entry", 'must have exactly one key, as in {{"came": …}}')
    kind, fields = next(iter(data.items()))
    if kind not in KEYS:
        keys_of("an entry", data, KEYS, ())
    allowed, needed = KEYS[kind]
    keys_of(kind, fields, allowed, needed)
    return EventEntry(kind, json.loads(text)[kind])


def with_composed_name(entry: EventEntry, players: list[Json]) -> EventEntry:
    """The entry with its player's name, if it has one, in composed form (NFC). `players`: those in
    the event so far. Raises EventError if another player has that name, even in another
    encoding."""
    if entry.kind not in ("listed", "came", "named") or not isinstance(entry.fields["name"], str):
        return entry
    own = [str(one["name"]) for one in players if one["id"] == entry.fields["id"]]
    name = known_spelling(entry.fields["name"], own)
    others = {case_folded(str(one["name"])) for one in players if one["id"] != entry.fields["id"]}
    if case_folded(name) in others:
        raise _name_taken_error(name)
    return EventEntry(entry.kind, {**entry.fields, "name": name})


def drawn_entry(drawn: NextRound) -> EventEntry:
    """The entry for a round as it was drawn."""
    found = drawn.as_json
    return EventEntry("drawn", {key: found[key] for key in ("round", "tables", "bye", "method")})


def result_of(table: Json) -> list[Any] | None:
    """The game points of a table in the event's text, by seat, after any correction; None if there
    are none yet."""
    corrected = table.get("corrected")
    found: list[Any] | None = corrected["points"] if corrected else table.get("points")
    return found


# ---------------------------------------------------------------- how each kind changes the text


def _apply_began(text: Json, fields: Json) -> None:
    if "format" in text:
        raise EventError("this event has already begun")
    if "period" in fields:
        number_of("the minutes for corrections", fields["period"], 1, LONGEST_MIN)
    if not isinstance(fields.get("phones", True), bool):
        refuse_value("phones", "must be true or false")
    if fields.get("games", 1) not in MATCH_LENGTHS or isinstance(fields.get("games"), bool):
        refuse_value("the games of a match", "must be 1, 3 or 5")
    number_of("event", fields.get("event", VERSION), VERSION, NEWEST)
    text.update({key: value for key, value in fields.items() if key in TEXT_SETTINGS})
    _apply_set(text, {key: value for key, value in fields.items() if key in CHANGEABLE})


def _apply_set(text: Json, fields: Json) -> None:
    """Changes the number of rounds and the latecomers' points; checks the fee and the number of
    prizes, which aren't part of the text."""
    if fields.get("fee") is not None and not 0 <= amount_of(
        "the fee", _to_fraction(fields["fee"])
    ) <= (MOST_FEE):
        refuse_value("the fee", "must be between {least} and {most}", least=0, most=MOST_FEE)
    if fields.get("prizes") is not None:
        number_of("the prizes", fields["prizes"], 0, MOST_PRIZES)
    if fields.get("planned") is not None:
        planned_of(fields["planned"])
    if fields.get("late") is not None:
        late_points_of(_to_fraction(fields["late"]))
    if fields.get("penalty") is not None:
        rules = object_of("penalty", fields["penalty"])
        penalty_rules_of({key: _to_fraction(value) for key, value in rules.items()})
    for key in {*CHANGEABLE_IN_TEXT} & fields.keys():
        if fields[key] is not None:
            _mark_version_2(text)[key] = fields[key]
        else:
            text.pop(key, None)


def _mark_version_2(text: Json) -> Json:
    """Marks the text as version 2, because something that only this version has is about to be
    added."""
    text["event"] = NEWEST
    return text


def _to_fraction(value: object) -> object:
    """The value as `amount_of` needs it: a float becomes an exact Fraction, anything else is
    unchanged."""
    return Fraction(str(value)) if isinstance(value, float) else value


def _apply_listed(text: Json, fields: Json) -> None:
    """Adds an expected player, who is not here yet."""
    _check_new_player(text, fields)
    text["players"].append({"rating": None, **fields})
    text["out"].append(fields["id"])


def _apply_came(text: Json, fields: Json) -> None:
    """Adds a player who is here: a new or an expected one."""
    new = {"rating": None, **fields}
    for one in text["players"]:
        if fields["id"] in text["out"] and {key: one.get(key) for key in new} == new:
            text["out"].remove(fields["id"])
            return
    _check_new_player(text, fields)
    text["players"].append(new)


def _check_new_player(text: Json, fields: Json) -> None:
    if any(one["id"] == fields["id"] for one in text["players"]):
        raise EventError("{name} has already checked in", name=str(fields["name"]))
    _check_name(text, str(fields["name"]))


def _check_name(text: Json, name: str, but: object = None) -> None:
    """Raises EventError if a player other than `but` already has this name: people can only tell
    players apart by name."""
    known = (str(one["name"]).casefold() for one in text["players"] if one["id"] != but)
    if name.casefold() in known:
        raise _name_taken_error(name)


def _name_taken_error(name: str) -> EventError:
    return EventError(
        "another {name} has already checked in: add a letter, as in {name} B", name=name
    )


def _apply_named(text: Json, fields: Json) -> None:
    """Corrects a player's misspelt name."""
    name = text_of("a name", fields["name"]).strip()
    if not name:
        raise EventError("a name must not be empty")
    _player_name(text, fields["id"])
    _check_name(text, name, but=fields["id"])
    for one in text["players"]:
        if one["id"] == fields["id"]:
            one["name"] = name


def _apply_left(text: Json, fields: Json) -> None:
    """Takes a player out of the event from the next round on or, with `after`, after that round."""
    who = _find_player(text, fields["id"])
    if fields.get("after") is not None:
        number_of("the last round", fields["after"], len(text["rounds"]), MOST_ROUNDS)
        _mark_version_2(text)
        who["until"] = fields["after"]
        return
    if fields["id"] in text["out"]:
        raise EventError("{name} has already left", name=who["name"])
    text["out"].append(fields["id"])


def _apply_returned(text: Json, fields: Json) -> None:
    who = _find_player(text, fields["id"])
    if who.pop("until", None) is not None and fields["id"] not in text["out"]:
        return
    if fields["id"] not in text["out"]:
        raise EventError("{name} is here", name=who["name"])
    text["out"].remove(fields["id"])


def _apply_late(text: Json, fields: Json) -> None:
    """Marks a player as late, which gives points for the rounds before the first one that they
    play."""
    who = _find_player(text, fields["id"])
    if who.get("late"):
        raise EventError("{name} is late already", name=who["name"])
    _mark_version_2(text)
    who["late"] = True


def _apply_category(text: Json, fields: Json) -> None:
    who, name = _find_player(text, fields["id"]), category_of("a category", fields["name"]).strip()
    if name:
        _mark_version_2(text)
        who["category"] = name
    else:
        who.pop("category", None)


def _check_player(text: Json, fields: Json) -> None:
    """Checks an entry that names a player and doesn't change the text."""
    _find_player(text, fields["id"])


def _apply_partners(text: Json, fields: Json) -> None:
    ids = list_of("partners", fields["ids"], text_of)
    if len(ids) != 2:
        refuse_value("partners", "must be two players")
    old = [pair for pair in text.get("pairs", []) if not {*pair} & {*ids}]
    text["pairs"] = [*old, ids]


def _apply_wish(text: Json, fields: Json) -> None:
    if "for" in fields:
        _mark_version_2(text)
    text["wishes"] = [*text.get("wishes", []), fields]


def _check_aside(_text: Json, fields: Json) -> None:
    """Checks the entry that puts a box's unfinished game aside for this evening."""
    text_of("a box", fields["box"])
    number_of("a game", fields["game"], 1, MAX_NUMBER)


def _apply_seating(text: Json, fields: Json) -> None:
    """Replaces the seats that the organiser gives for rounds to come."""
    rounds = list_of("rounds", fields["rounds"], object_of)
    text.pop("seating", None)
    if rounds:
        _mark_version_2(text)["seating"] = rounds


def _apply_teams(text: Json, fields: Json) -> None:
    """Replaces the teams."""
    teams = list_of("teams", fields["teams"], object_of)
    text.pop("teams", None)
    text.pop("boards", None)
    if teams:
        _mark_version_2(text)["teams"] = teams
        if fields.get("boards") is not None:
            text["boards"] = number_of_boards(fields["boards"])


def _check_proposed(text: Json, fields: Json) -> None:
    """Checks that a draft of the next round could be drawn. It is added to the text only when it is
    drawn."""
    after = {**text, "rounds": [*text["rounds"]]}
    _apply_drawn(after, fields)
    if after["players"]:
        read_event(json.dumps(after))


def _apply_drawn(text: Json, fields: Json) -> None:
    number = number_of("the round", fields["round"], 1, MAX_NUMBER)
    moved = flag_of("moved", fields.get("moved", False))
    if number != len(text["rounds"]) + 1:
        raise EventError("round {round} has already been drawn", round=number)
    if text["rounds"]:
        for table in text["rounds"][-1]["tables"]:
            if result_of(table) is None:
                raise EventError(
                    "table {table} has no result yet: enter it before the next round is drawn",
                    table=table["table"],
                )
    tables = [
        {**one, "points": None, "corrected": None}
        for one in list_of("tables", fields["tables"], _read_table)
    ]
    each: Json = {"tables": tables, "bye": list_of("bye", fields.get("bye", []), text_of)}
    if fields.get("seed") is not None:
        each["seed"] = text_of("seed", fields["seed"])
    if moved:
        each["moved"] = True
    if len(each) > 2:
        _mark_version_2(text)
    text["rounds"].append(each)
    # A wish to sit apart is for one round unless it has another duration; a wish for a table stays.
    text["wishes"] = [
        one for one in text.get("wishes", []) if "apart" not in one or one.get("for") in LASTS[1:]
    ]


def _apply_reseated(text: Json, fields: Json) -> None:
    changed = {one["table"]: one for one in list_of("tables", fields["tables"], _read_table)}
    before = [_find_table(text, fields["round"], number) for number in changed]
    seats = sorted(seat for one in changed.values() for seat in one["seats"])
    if seats != sorted(seat for one in before for seat in one["seats"]):
        raise EventError("a seat change can only swap the players of these tables")
    for table in before:
        table["seats"] = changed[table["table"]]["seats"]
        if table["points"] is not None and len(table["points"]) != len(table["seats"]):
            raise EventError(
                "table {table} has a result for a different number of players", table=table["table"]
            )


def _apply_absent(text: Json, fields: Json) -> None:
    """Takes out a drawn player who did not come; the others at the table play without them. At a
    table of two the opponent gets a bye or, in a knock-out or a round robin, wins. If the opponent
    doesn't come either, both lose their match of a knock-out."""
    table, who = (
        _find_table(text, fields["round"], fields["table"]),
        _find_player(text, fields["id"]),
    )
    if fields["round"] == len(text["rounds"]) and _won_by_absence(text, table, fields["id"]):
        table["points"] = [0, 0]
        text["out"].append(fields["id"])
        return
    if result_of(table) is not None or fields["round"] != len(text["rounds"]):
        raise EventError("table {table} has its result already", table=fields["table"])
    if fields["id"] not in table["seats"]:
        raise EventError("{name} doesn't sit at table {table}", name=who["name"],
                         table=fields["table"])  # fmt: skip
    if text["format"] == EventFormat.PARTNERS:
        raise EventError("partners play together: enter a result for this table instead")
    if fields["id"] not in text["out"]:
        text["out"].append(fields["id"])
    others = [one for one in table["seats"] if one != fields["id"]]
    newest = text["rounds"][-1]
    if len(others) > 1:
        table["seats"] = others
    elif text["format"] in WALKOVER_FORMATS:
        table["points"] = [int(one != fields["id"]) for one in table["seats"]]
    else:
        newest["tables"].remove(table)
        newest["bye"] += others


def _won_by_absence(text: Json, table: Json, who: str) -> bool:
    """Whether this player has won that table's match of a knock-out because the opponent did not
    come."""
    won = [int(one == who) for one in table["seats"]]
    others = {*table["seats"]} - {who}
    return (
        text["format"] in KNOCKOUT_FORMATS
        and table["points"] == won
        and sum(won) == 1
        and others <= {*text["out"]}
        and who not in text["out"]
    )


def _check_reported(text: Json, fields: Json) -> None:
    """Checks a result that a player reports from a phone; it counts only with a `result` entry."""
    table = _table_of_player(text, fields)
    points = list_of(
        "points", fields["points"], lambda where, one: amount_of(where, _to_fraction(one))
    )
    if len(points) != len(table["seats"]):
        refuse_value(
            "points", "must have {seats} numbers, one for each seat", seats=len(table["seats"])
        )


def _table_of_player(text: Json, fields: Json) -> Json:
    """The table in the entry; raises EventError if the entry's player doesn't sit there."""
    table, who = (
        _find_table(text, fields["round"], fields["table"]),
        _find_player(text, fields["id"]),
    )
    if fields["id"] not in table["seats"]:
        raise EventError("{name} doesn't sit at table {table}", name=who["name"],
                         table=fields["table"])  # fmt: skip
    return table


def _check_helped(text: Json, fields: Json) -> None:
    """Checks the entry for a judge's visit to a table."""
    _find_table(text, fields["round"], fields["table"])


def _apply_result(text: Json, fields: Json) -> None:
    table = _find_table(text, fields["round"], fields["table"])
    if table["points"] is not None:
        raise EventError(
            "table {table} already has a result: correct it, and give a reason",
            table=fields["table"],
        )
    table["points"] = fields["points"]


def _apply_corrected(text: Json, fields: Json) -> None:
    table = _find_table(text, fields["round"], fields["table"])
    if not str(fields["why"]).strip():
        raise EventError("give a reason for the correction")
    table["corrected"] = {key: fields[key] for key in ("points", "by", "why")}


def _check_reopened(text: Json, fields: Json) -> None:
    """Checks the entry that allows the results of a round to be corrected for another `period`
    minutes."""
    if not 0 < number_of("the round", fields["round"], 1, MAX_NUMBER) <= len(text["rounds"]):
        raise EventError("round {round} has not been drawn yet", round=fields["round"])
    if not str(fields["why"]).strip():
        raise EventError("give a reason for reopening the results")


def _check_clock(text: Json, fields: Json) -> None:
    """Checks the entry that starts the round's clock, or with `table` gives one table extra
    minutes. It doesn't change the text: the time runs from when the entry was made."""
    if number_of("the round", fields["round"], 1, MAX_NUMBER) != len(text["rounds"]):
        raise EventError("only the newest round's clock can be started")
    number_of("minutes", fields["minutes"], 1, LONGEST_MIN)
    if "table" in fields:
        _find_table(text, fields["round"], fields["table"])


def _apply_penalty(text: Json, fields: Json) -> None:
    """Adds a penalty that a judge gives to a player. Raises EventError if it is a lost game and the
    player has no game in that round."""
    at = number_of("the round", fields["round"], 1, MAX_NUMBER)
    if at > len(text["rounds"]):
        raise EventError("round {round} has not been drawn yet", round=at)
    name = _player_name(text, fields["id"])
    kind = choice_of("a penalty", fields["kind"], [*PENALTIES])
    seated = (table["seats"] for table in text["rounds"][at - 1]["tables"])
    if kind == GAME_LOST and not any(fields["id"] in seats for seats in seated):
        raise EventError("{name} has no game in round {round}", name=name, round=at)
    parts: Json = {key: text_of(key, fields[key]) for key in ("by", "why") if key in fields}
    given: Json = {"player": fields["id"], "round": at, "kind": kind, **parts}
    _mark_version_2(text).setdefault("penalties", []).append(given)


def _check_announced(_text: Json, fields: Json) -> None:
    """Checks the entry for a call, which the hall's TV shows for a number of minutes."""
    text = text_of("the call", fields["text"]).strip()
    if not text or len(text) > LONGEST_CALL:
        refuse_value("the call", "must have from 1 to {most} characters", most=LONGEST_CALL)
    number_of("minutes", fields.get("minutes", CALL_MIN), 1, LONGEST_MIN)


def _check_break(text: Json, fields: Json) -> None:
    """Checks the entry for a break before the next round; its minutes count from when it was
    entered."""
    if number_of("the round", fields["round"], 1, MAX_NUMBER) != len(text["rounds"]) + 1:
        raise EventError("a break can only be before the next round")
    number_of("minutes", fields["minutes"], 1, LONGEST_MIN)


APPLY: Final = {
    "clock": _check_clock,
    "began": _apply_began,
    "set": _apply_set,
    "late": _apply_late,
    "paid": _check_player,
    "phone": _check_player,
    "category": _apply_category,
    "aside": _check_aside,
    "seating": _apply_seating,
    "teams": _apply_teams,
    "proposed": _check_proposed,
    "absent": _apply_absent,
    "reported": _check_reported,
    "call": _table_of_player,  # calls a judge to the player's own table
    "helped": _check_helped,
    "listed": _apply_listed,
    "came": _apply_came,
    "named": _apply_named,
    "left": _apply_left,
    "returned": _apply_returned,
    "partners": _apply_partners,
    "wish": _apply_wish,
    "drawn": _apply_drawn,
    "reseated": _apply_reseated,
    "result": _apply_result,
    "corrected": _apply_corrected,
    "reopened": _check_reopened,
    "penalty": _apply_penalty,
    "announced": _check_announced,
    "break": _check_break,
}
"""For each kind of entry except `undo`, the function that applies it to the event's text; raises
EventError if the entry isn't possible there."""


def _player_name(text: Json, who: object) -> str:
    return str(_find_player(text, who)["name"])


def _find_player(text: Json, who: object) -> Json:
    for one in text["players"]:
        if one["id"] == who:
            found: Json = one
            return found
    raise EventError("nobody with the id {id} has checked in", id=str(who))


def _find_table(text: Json, round_: object, number: object) -> Json:
    rounds = text["rounds"]
    at = number_of("the round", round_, 1, MAX_NUMBER)
    if at > len(rounds):
        raise EventError("round {round} has not been drawn yet", round=at)
    for table in rounds[at - 1]["tables"]:
        if table["table"] == number:
            found: Json = table
            return found
    raise EventError("round {round} has no table {table}", round=at, table=str(number))


def _read_table(where: str, value: object) -> Json:
    data = keys_of(where, value, ("table", "seats"), ("table", "seats"))
    return {
        "table": number_of(f"{where} table", data["table"], 1, MAX_NUMBER),
        "seats": list_of(f"{where} seats", data["seats"], text_of),
    }


# ---------------------------------------------------------------- the course of an event


class EventCourse:
    """An event's entries and the text that results from them. `text`: the event's text, as a JSON
    object; `counts`: for each entry whether it counts, False once it is undone. Raises EventError
    if an entry isn't possible after those before it."""

    def __init__(self, entries: Iterable[EventEntry]) -> None:
        self.entries = tuple(entries)
        if not self.entries or self.entries[0].kind != "began":
            raise EventError("an event must begin with the game that is played")
        self.counts = _which_count(self.entries)
        text: Json = {"event": VERSION, "name": "", "players": [], "out": [], "rounds": []}
        self.text = text
        for entry, counts in zip(self.entries, self.counts, strict=True):
            if counts and entry.kind != "undo":
                APPLY[entry.kind](text, entry.fields)

    def event(self) -> ClubEvent:
        """The event after these entries. Raises EventError if the text can't be read yet, for
        example before the first player arrives."""
        return read_event(json.dumps(self.text))

    def with_entries(self, *entries: EventEntry) -> "EventCourse":
        """The course with entries added at its end; raises EventError if they aren't possible
        there."""
        course = EventCourse((*self.entries, *entries))
        if course.text["players"]:
            course.event()
        return course

    @property
    def round(self) -> Json | None:
        """The newest round in the text; None before the first."""
        rounds = self.text["rounds"]
        return rounds[-1] if rounds else None

    def entries_of(self, *kinds: str) -> Iterator[EventEntry]:
        """The entries of these kinds that count, in order."""
        for entry, counts in zip(self.entries, self.counts, strict=True):
            if counts and entry.kind in kinds:
                yield entry

    @property
    def draft(self) -> Json | None:
        """The newest `proposed` entry for the next round; None if there is none."""
        found = None
        for entry in self.entries_of("proposed"):
            if entry.fields["round"] == len(self.text["rounds"]) + 1:
                found = entry.fields
        return found

    def setting(self, name: str) -> Any:
        """The newest value of one of CHANGEABLE; None if it isn't set."""
        value = self.entries[0].fields.get(name)
        for entry in self.entries_of("set"):
            value = entry.fields.get(name, value)
        return value

    @property
    def missing(self) -> list[int]:
        """The numbers of the tables in the newest round that have no result yet."""
        tables = self.round["tables"] if self.round else []
        return [table["table"] for table in tables if result_of(table) is None]


def _which_count(entries: Sequence[EventEntry]) -> list[bool]:
    """For each entry, whether it counts. Goes backwards from the newest: an entry doesn't count if
    one that counts undoes it. Raises EventError if an `undo` names the first entry, itself, a later
    entry or none."""
    counts = [True] * len(entries)
    for at in range(len(entries) - 1, -1, -1):
        if counts[at] and entries[at].kind == "undo":
            number = number_of("the entry that is undone", entries[at].fields["entry"], 2, at)
            counts[number - 1] = False
    return counts
