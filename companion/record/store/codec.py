"""A row as one line of JSON, and back: the name and the fields of each kind of row on the disk.

`{"v": 2, "kind": "step", "entries": ["Red 5-6"]}`: entries are kept as their tally text, the one
representation that they have. Rows are never rewritten: a row of an older version is upgraded on
reading, one version at a time, by UPGRADES. A row of a newer version is refused, never skipped:
without it, the game would be a different one.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.core.values import Json
from companion.games.game import RULES, AnyGame, Entry, parse_entry
from companion.record.rows import (
    Amend,
    Forgotten,
    Gap,
    Hidden,
    Lost,
    Opened,
    OtherPeople,
    Redo,
    Renamed,
    Reseat,
    Rewind,
    Row,
    Setting,
    Step,
    Undo,
)
from companion.record.store.database import NewerError

# ---------------------------------------------------------------- kinds of rows


@dataclass(frozen=True, slots=True)
class EntryParser:
    """Reads a game's entries: knows the game and all names that its seats have had (an OtherPeople
    row may have changed them). It can be made only from the game's first row."""

    game: AnyGame
    seats: Seats

    @classmethod
    def of(cls, opened: Opened, catalog: Mapping[str, AnyGame]) -> "EntryParser":
        """The parser of a game, from its first row. Raises EntryError if the game isn't in the
        catalog."""
        if opened.game not in catalog:
            raise EntryError(
                "{game} is not a game here: {catalog}", game=opened.game, catalog=", ".join(catalog)
            )
        return cls(catalog[opened.game], opened.seats)

    def after(self, row: Row) -> "EntryParser":
        """The parser for the entries after this row."""
        if not isinstance(row, OtherPeople):
            return self
        return EntryParser(self.game, Seats.of(*dict.fromkeys((*self.seats, *row.seats))))

    def parse(self, texts: list[str]) -> tuple[Entry, ...]:
        """Reads entries; raises EntryError."""
        return tuple(parse_entry(text, self.game, self.seats) for text in texts)


def _write_opened(row: Opened) -> Json:
    row_json: Json = {
        "game": row.game,
        "seats": list(row.seats),
        "options": dict(row.options),
        "rules": row.rules,
    }
    if row.after is not None:
        row_json["after"] = row.after
    if row.evening is not None:
        row_json["evening"] = row.evening
    if row.words:
        row_json["words"] = [list(pair) for pair in row.words]
    return row_json


def _read_opened(found: Json, _table: EntryParser | None) -> Opened:
    rules = read_number(found["rules"])
    if rules > RULES:
        raise NewerError(f"game by the rules of version {rules}")
    return Opened(
        read_text(found["game"]),
        _read_seats(found["seats"]),
        {read_text(name): _read_value(value) for name, value in found["options"].items()},
        _read_number_or_none(found.get("after")),
        tuple((read_text(word), read_text(rest)) for word, rest in found.get("words", ())),
        rules,
        _read_number_or_none(found.get("evening")),
    )


def _write_step(row: Step) -> Json:
    return {"entries": _entry_texts(row.entries), **({"joined": True} if row.joined else {})}


def _read_step(found: Json, parser: EntryParser | None) -> Step:
    return Step(_read_entries(found, parser), bool(found.get("joined", False)))


def _write_amend(row: Amend) -> Json:
    put_in = {"insert": True} if row.insert else {}
    moved = {"later_turns": row.later_turns} if row.later_turns else {}
    stay = {"calls_stay": True} if row.calls_stay else {}
    return {"at": row.at, "entries": _entry_texts(row.entries), **put_in, **moved, **stay}


def _read_amend(found: Json, parser: EntryParser | None) -> Amend:
    at, entries = read_number(found["at"]), _read_entries(found, parser)
    return Amend(
        at,
        entries,
        bool(found.get("insert", False)),
        read_number(found.get("later_turns", 0)),
        bool(found.get("calls_stay", False)),
    )


def _write_lost(row: Lost) -> Json:
    gaps = [{"first": gap.first, "last": gap.last, "games": [*gap.games]} for gap in row.gaps]
    return {"gaps": gaps, "kept": row.kept}


def _read_lost(found: Json, _table: EntryParser | None) -> Lost:
    def gap(value: Json) -> Gap:
        last = None if value["last"] is None else read_number(value["last"])
        return Gap(read_number(value["first"]), last, tuple(map(read_number, value["games"])))

    return Lost(tuple(map(gap, found["gaps"])), read_text(found["kept"]))


@dataclass(frozen=True, slots=True)
class RowKind:
    """A kind of row: its name on the disk, the fields that it may have there, and how it is written
    and read."""

    name: str
    row: type[Row]
    fields: tuple[str, ...]
    write: Callable[[Any], Json]
    read: Callable[[Json, EntryParser | None], Row]


ROW_KINDS = (
    RowKind("opened", Opened, ("game", "seats", "options", "rules", "after", "evening", "words"),
         _write_opened, _read_opened),
    RowKind("step", Step, ("entries", "joined"), _write_step, _read_step),
    RowKind("undo", Undo, (), lambda _: {}, lambda _, __: Undo()),
    RowKind("redo", Redo, (), lambda _: {}, lambda _, __: Redo()),
    RowKind("amend", Amend, ("at", "entries", "insert", "later_turns", "calls_stay"),
         _write_amend, _read_amend),
    RowKind("rewind", Rewind, ("to",), lambda row: {"to": row.to},
         lambda found, _: Rewind(read_number(found["to"]))),
    RowKind("reseat", Reseat, ("seats",), lambda row: {"seats": list(row.seats)},
         lambda found, _: Reseat(_read_seats(found["seats"]))),
    RowKind("people", OtherPeople, ("seats",), lambda row: {"seats": list(row.seats)},
         lambda found, _: OtherPeople(_read_seats(found["seats"]))),
    RowKind("setting", Setting, ("name", "value"),
         lambda row: {"name": row.name, "value": row.value},
         lambda found, _: Setting(read_text(found["name"]), _read_value(found["value"]))),
    RowKind("renamed", Renamed, ("name", "to"), lambda row: {"name": row.name, "to": row.to},
         lambda found, _: Renamed(read_text(found["name"]), read_text(found["to"]))),
    RowKind("hidden", Hidden, ("name", "hidden"),
         lambda row: {"name": row.name, "hidden": row.hidden},
         lambda found, _: Hidden(read_text(found["name"]), _read_bool(found["hidden"]))),
    RowKind("forgotten", Forgotten, ("players",), lambda row: {"players": list(row.players)},
         lambda found, _: Forgotten(tuple(map(read_text, found["players"])))),
    RowKind("lost", Lost, ("gaps", "kept"), _write_lost, _read_lost),
)  # fmt: skip
"""Every kind of row, with the names and fields that are on people's disks. No name and no field is
ever renamed; a release that adds one raises FORMAT."""


# ---------------------------------------------------------------- fields


def _read_entries(found: Json, parser: EntryParser | None) -> tuple[Entry, ...]:
    if parser is None:
        raise EntryError("an entry of a game whose first row is missing")
    return parser.parse([read_text(entry) for entry in found["entries"]])


def _entry_texts(entries: tuple[Entry, ...]) -> list[str]:
    return [str(entry) for entry in entries]


def read_text(value: object) -> str:
    """The text of a field; raises TypeError if `value` is not text."""
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def read_number(value: object) -> int:
    """The whole number of a field; raises TypeError if `value` is not one."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(value)
    return value


def _read_number_or_none(value: object) -> int | None:
    return None if value is None else read_number(value)


def _read_bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _read_value(value: object) -> int | str:
    return value if isinstance(value, str) else read_number(value)


def _read_seats(names: object) -> Seats:
    if not isinstance(names, list):
        raise TypeError(names)
    return Seats.of(*(read_text(name) for name in names))


# ---------------------------------------------------------------- versions


FORMAT = 3
"""The version of the format, in every row. A release that writes something which the release before
can't read raises it: a kind or a field of a row, a game, an option, a word of an entry.

1: 0.1.0, before its release. 2: a game's first row has the version of its rules, and the game
before it on the same evening; a change may move the later turns of its hand to other seats; `lost`
has the rows that a damaged record lost; any row may name the seat whose phone made it; `renamed`
and `hidden` identify players, and an undo or redo of the box itself takes that back; `forgotten`:
names were taken out of the record. 3: a change takes later calls along with the draws and passes
that they name; a row that makes or changes a ruling of the table may have the seats that agreed to
it; All Fives; a score without its play, in games with a line of play; `people` names other people
for the seats of a game.
"""

COMMON_FIELDS = ("v", "kind", "keyed_by", "agreed_by")
"""Fields that a row of every kind may have."""


def _from_format_1(row: Json) -> Json:
    """Adds the version of the rules, and the game before it on the same evening: an evening was
    then a series of rematches."""
    if row["kind"] != "opened":
        return row
    return {**row, "rules": 1, "evening": row.get("after")}


def _from_format_2(row: Json) -> Json:
    """Marks changes as made under format 2, which left the numbers of later calls as they were."""
    return {**row, "calls_stay": True} if row["kind"] == "amend" else row


UPGRADES: tuple[Callable[[Json], Json], ...] = (_from_format_1, _from_format_2)
"""UPGRADES[n] turns a row of version n + 1 into one of version n + 2."""

_KIND_BY_NAME = {kind.name: kind for kind in ROW_KINDS}
_KIND_BY_ROW = {kind.row: kind for kind in ROW_KINDS}


def encode_row(
    row: Row, keyed_by: Seat | None = None, agreed_by: tuple[Seat, ...] | None = None
) -> str:
    """The row as one line of JSON; `keyed_by`: the seat whose phone made it; `agreed_by`: who
    agreed to it, as in KeptRow."""
    kind = _KIND_BY_ROW[type(row)]
    row_json = {"v": FORMAT, "kind": kind.name, **kind.write(row)}
    if keyed_by is not None:
        row_json["keyed_by"] = keyed_by
    if agreed_by is not None:
        row_json["agreed_by"] = [*agreed_by]
    return json.dumps(row_json, ensure_ascii=False)


def keyed_by(text: str) -> Seat | None:
    """The seat whose phone made a readable row; None if the row has none."""
    seat = json.loads(text).get("keyed_by") if '"keyed_by"' in text else None
    return None if seat is None else Seat(seat)


def agreed_by(text: str) -> tuple[Seat, ...] | None:
    """The seats that agreed to a readable row, as in KeptRow; None if the row has none."""
    seats = json.loads(text).get("agreed_by") if '"agreed_by"' in text else None
    return None if seats is None else tuple(map(Seat, seats))


def decode_row(text: str, parser: EntryParser | None = None) -> Row:
    """Reads a row; `parser`: that of its game after the rows before it. Raises EntryError if the
    row can't be read, NewerError if a newer companion wrote it."""
    try:
        return _read_row(json.loads(text), parser)
    except EntryError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as wrong:
        raise EntryError("not a row of the record: {text}", text=shorten(text)) from wrong


def _read_row(found: Json, parser: EntryParser | None) -> Row:
    version = read_number(found["v"])
    if version > FORMAT:
        raise NewerError(f"row of version {version}")
    if version < 1:
        raise ValueError(version)
    for upgrade in UPGRADES[version - 1 :]:
        found = upgrade(found)
    kind = _KIND_BY_NAME.get(read_text(found["kind"]))
    if kind is None:
        raise NewerError(f"row of kind “{found['kind']}”, unknown here")
    for field in found:
        if field not in (*COMMON_FIELDS, *kind.fields):
            raise NewerError(f"{kind.name} row with “{field}”, unknown here")
    read_text(found.get("keyed_by", ""))
    for seat in found.get("agreed_by", []):
        read_text(seat)
    return kind.read(found, parser)


def shorten(text: str) -> str:
    """The beginning of a text, for a one-line message."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"
