"""A row as one line of JSON, and back.

`{"v": 2, "kind": "step", "entries": ["Red 5-6"]}`: entries are kept as their tally text, the one
representation that they have. Rows are never rewritten: a row of an older version is upgraded on
reading, one version at a time, by UPGRADES. A row of a newer version is refused, never passed over:
half understood it would be another game.
"""

import json
from collections.abc import Callable

from companion.core.errors import EntryError
from companion.core.seats import Seat
from companion.core.values import Json
from companion.record.rows import Row
from companion.record.store.faults import NewerError
from companion.record.store.row_kinds import KINDS, GameWords, read_number, read_text

FORMAT = 3
"""The version of the format, in every row. A release that writes something which the release before
can't read raises it: a kind or a field of a row, a game, an option, a word of an entry.

1: 0.1.0, before its release. 2: a game's first row says by which rules it is played, and which game
was before it on the same evening; a change may move the later turns of its hand to other seats;
`lost` says which rows a damaged record lost; any row may say whose phone made it; `renamed` and
`hidden` say who is who among the players, and an undo or redo of the box itself takes that back;
`forgotten` says that names were taken out of the record. 3: a change takes later calls along with
the draws and passes that they name; a row that makes or changes a ruling of the table may say who
agreed to it; All Fives; a score without its lay, in games with a line of play; `people` names other
people for the seats of a game.
"""

COMMON = ("v", "kind", "keyed_by", "agreed_by")
"""Fields that a row of every kind may have."""


def _from_format_1(row: Json) -> Json:
    """Adds the version of the rules, and the game before on the same evening: an evening was then a
    series of rematches."""
    if row["kind"] != "opened":
        return row
    return {**row, "rules": 1, "evening": row.get("after")}


def _from_format_2(row: Json) -> Json:
    """Marks changes: in format 2 they left the numbers of later calls as they were."""
    return {**row, "calls_stay": True} if row["kind"] == "amend" else row


UPGRADES: tuple[Callable[[Json], Json], ...] = (_from_format_1, _from_format_2)
"""UPGRADES[n] turns a row of version n + 1 into one of version n + 2."""

_NAMED = {kind.name: kind for kind in KINDS}
_OF_ROW = {kind.row: kind for kind in KINDS}


def encode_row(
    row: Row, keyed_by: Seat | None = None, agreed_by: tuple[Seat, ...] | None = None
) -> str:
    """The row as one line of JSON; `keyed_by`: the seat whose phone made it; `agreed_by`: who
    agreed to it, as in Kept."""
    kind = _OF_ROW[type(row)]
    row_json = {"v": FORMAT, "kind": kind.name, **kind.write(row)}
    if keyed_by is not None:
        row_json["keyed_by"] = keyed_by
    if agreed_by is not None:
        row_json["agreed_by"] = [*agreed_by]
    return json.dumps(row_json, ensure_ascii=False)


def keyed_by(text: str) -> Seat | None:
    """The seat whose phone made a row that can be read; None: the row doesn't say."""
    seat = json.loads(text).get("keyed_by") if '"keyed_by"' in text else None
    return None if seat is None else Seat(seat)


def agreed_by(text: str) -> tuple[Seat, ...] | None:
    """The seats that agreed to a row that can be read, as in Kept; None: the row doesn't say."""
    seats = json.loads(text).get("agreed_by") if '"agreed_by"' in text else None
    return None if seats is None else tuple(map(Seat, seats))


def decode_row(text: str, table: GameWords | None = None) -> Row:
    """Reads a row; `table`: the words of its game after the rows before it. Raises EntryError if
    the row can't be read, NewerError if a newer companion wrote it."""
    try:
        return _row(json.loads(text), table)
    except EntryError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as wrong:
        raise EntryError("not a row of the record: {text}", text=shorten(text)) from wrong


def _row(found: Json, table: GameWords | None) -> Row:
    version = read_number(found["v"])
    if version > FORMAT:
        raise NewerError(f"row of version {version}")
    if version < 1:
        raise ValueError(version)
    for upgrade in UPGRADES[version - 1 :]:
        found = upgrade(found)
    kind = _NAMED.get(read_text(found["kind"]))
    if kind is None:
        raise NewerError(f"row of kind “{found['kind']}”, unknown here")
    for field in found:
        if field not in (*COMMON, *kind.fields):
            raise NewerError(f"{kind.name} row with “{field}”, unknown here")
    read_text(found.get("keyed_by", ""))
    for seat in found.get("agreed_by", []):
        read_text(seat)
    return kind.read(found, table)


def shorten(text: str) -> str:
    """The beginning of a text, for a message of one line."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"
