"""A row as one line of JSON, and back.

`{"v": 1, "kind": "step", "entries": ["Red 5-6"]}`: entries stand as their tally text, the one
representation that they have. Rows are never rewritten: a row of an older version is upgraded on
reading, one version at a time, by UPGRADES.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import EntryError
from companion.games.game import (
    AnyGame,
    Entry,
    parse_entry,
)
from companion.record.rows import Amend, Opened, Redo, Reseat, Rewind, Row, Setting, Step, Undo
from companion.seats import Seats

Json = dict[str, Any]

UPGRADES: tuple[Callable[[Json], Json], ...] = ()
"""UPGRADES[n] turns a row of version n + 1 into one of version n + 2."""


class NewerError(EntryError):
    """The row was written by a newer companion than this one."""


@dataclass(frozen=True, slots=True)
class Table:
    """What reading entries takes: the game and who plays it. None before the game's first row."""

    game: AnyGame
    seats: Seats

    @classmethod
    def of(cls, opened: Opened, catalog: Mapping[str, AnyGame]) -> "Table":
        """Raises EntryError where the game isn't known here."""
        if opened.game not in catalog:
            raise EntryError(f"{opened.game} is not a game here: {', '.join(catalog)}")
        return cls(catalog[opened.game], opened.seats)

    def entries(self, texts: list[str]) -> tuple[Entry, ...]:
        """Reads entries; raises EntryError."""
        return tuple(parse_entry(text, self.game, self.seats) for text in texts)


def encode_row(row: Row) -> str:
    """The row as one line of JSON."""
    kind = type(row).__name__.lower()
    return json.dumps({"v": len(UPGRADES) + 1, "kind": kind, **_fields(row)}, ensure_ascii=False)


def _fields(row: Row) -> Json:
    match row:
        case Opened():
            after = {} if row.after is None else {"after": row.after}
            words = {"words": [list(pair) for pair in row.words]} if row.words else {}
            options = dict(row.options)
            return {
                "game": row.game,
                "seats": list(row.seats),
                "options": options,
                **after,
                **words,
            }
        case Step():
            return {"entries": _texts(row.entries), **({"joined": True} if row.joined else {})}
        case Amend():
            put_in = {"insert": True} if row.insert else {}
            return {"at": row.at, "entries": _texts(row.entries), **put_in}
        case Rewind():
            return {"to": row.to}
        case Reseat():
            return {"seats": list(row.seats)}
        case Setting():
            return {"name": row.name, "value": row.value}
    return {}


def _texts(entries: tuple[Entry, ...]) -> list[str]:
    return [str(entry) for entry in entries]


def decode_row(text: str, table: Table | None = None) -> Row:
    """Reads a row; `table` is that of the game's first row. EntryError: can't be read, NewerError:
    a newer companion wrote it."""
    try:
        found = json.loads(text)
        version = found["v"]
        if version > len(UPGRADES) + 1:
            raise NewerError(
                f"row of version {version}: a newer companion wrote it; update this one"
            )
        for upgrade in UPGRADES[version - 1 :]:
            found = upgrade(found)
        return _row(found, table)
    except EntryError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as wrong:
        raise EntryError(f"not a row of the record: {shorten(text)}") from wrong


def shorten(text: str) -> str:
    """The first part of it, for a message of one line."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"


def _row(found: Json, table: Table | None) -> Row:
    kind = found["kind"]
    if kind == "opened":
        options = {_text(name): _value(value) for name, value in found["options"].items()}
        words = tuple((_text(word), _text(rest)) for word, rest in found.get("words", ()))
        after = None if found.get("after") is None else _number(found["after"])
        return Opened(_text(found["game"]), _seats(found["seats"]), options, after, words)
    if kind in ("step", "amend"):
        if table is None:
            raise EntryError("an entry of a game whose first row is missing")
        entries = table.entries([_text(entry) for entry in found["entries"]])
        if kind == "step":
            return Step(entries, bool(found.get("joined", False)))
        return Amend(_number(found["at"]), entries, bool(found.get("insert", False)))
    if kind == "undo":
        return Undo()
    if kind == "redo":
        return Redo()
    if kind == "rewind":
        return Rewind(_number(found["to"]))
    if kind == "reseat":
        return Reseat(_seats(found["seats"]))
    if kind == "setting":
        return Setting(_text(found["name"]), _value(found["value"]))
    raise NewerError(
        f"row of kind “{kind}”, unknown here: a newer companion wrote it; update this one"
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(value)
    return value


def _value(value: object) -> int | str:
    return value if isinstance(value, str) else _number(value)


def _seats(names: object) -> Seats:
    if not isinstance(names, list):
        raise TypeError(names)
    return Seats.of(*(_text(name) for name in names))
