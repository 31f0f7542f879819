"""Rows as JSON: one table of cases for writing and for reading."""

import pytest

from companion.errors import EntryError
from companion.games.game import (
    AnyGame,
)
from companion.record import codec
from companion.record.codec import NewerError, Table, decode_row, encode_row
from companion.record.rows import Amend, Opened, Redo, Reseat, Rewind, Row, Setting, Step, Undo
from companion.seats import Seat, Seats
from tests.race import CATALOG, Scored

SEATS = Seats.of("Red", "Åsa_B")
TABLE = Table(CATALOG["race"], SEATS)
ENTRY = Scored(Seat("Åsa_B"), 7)

CASES: list[tuple[Row, str]] = [
    (
        Opened("race", SEATS, {"goal": 50}),
        '{"v": 1, "kind": "opened", "game": "race", "seats": ["Red", "Åsa_B"],'
        ' "options": {"goal": 50}}',
    ),
    (
        Opened("race", SEATS, {"goal": 50}, 12, (("date", "2026-11-20"),)),
        '{"v": 1, "kind": "opened", "game": "race", "seats": ["Red", "Åsa_B"],'
        ' "options": {"goal": 50}, "after": 12, "words": [["date", "2026-11-20"]]}',
    ),
    (Step((ENTRY,)), '{"v": 1, "kind": "step", "entries": ["Åsa_B scores 7"]}'),
    (
        Step((ENTRY,), True),
        '{"v": 1, "kind": "step", "entries": ["Åsa_B scores 7"], "joined": true}',
    ),
    (Undo(), '{"v": 1, "kind": "undo"}'),
    (Redo(), '{"v": 1, "kind": "redo"}'),
    (Amend(3, ()), '{"v": 1, "kind": "amend", "at": 3, "entries": []}'),
    (
        Amend(3, (ENTRY,), True),
        '{"v": 1, "kind": "amend", "at": 3, "entries": ["Åsa_B scores 7"], "insert": true}',
    ),
    (Rewind(0), '{"v": 1, "kind": "rewind", "to": 0}'),
    (Reseat(SEATS), '{"v": 1, "kind": "reseat", "seats": ["Red", "Åsa_B"]}'),
    (Setting("entry", "ends"), '{"v": 1, "kind": "setting", "name": "entry", "value": "ends"}'),
    (Setting("contrast", 40), '{"v": 1, "kind": "setting", "name": "contrast", "value": 40}'),
]


@pytest.mark.parametrize(("row", "text"), CASES)
def test_written_and_read(row: Row, text: str) -> None:
    assert encode_row(row) == text
    assert decode_row(text, TABLE) == row


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a row of the record: "),
        ("[1]", "not a row of the record"),
        ("{}", "not a row of the record"),
        ('{"v": 1}', "not a row of the record"),
        ('{"v": "1", "kind": "undo"}', "not a row of the record"),
        ('{"v": 1, "kind": "rewind", "to": "x"}', "not a row of the record"),
        ('{"v": 1, "kind": "rewind", "to": true}', "not a row of the record"),
        ('{"v": 1, "kind": "step", "entries": ["Red jumps"]}', "“jumps” is not something"),
        ('{"v": 1, "kind": "step", "entries": [7]}', "not a row of the record"),
        ('{"v": 1, "kind": "reseat", "seats": ["Red"]}', "not a row of the record"),
        ('{"v": 1, "kind": "reseat", "seats": "Red"}', "not a row of the record"),
        ("[" * 10_000, "not a row of the record"),
    ],
)
def test_what_cant_be_read(text: str, message: str) -> None:
    with pytest.raises(EntryError, match=message) as raised:
        decode_row(text, TABLE)
    assert "\n" not in str(raised.value)


def test_a_newer_companion_is_named_as_the_cause() -> None:
    for text in ('{"v": 2, "kind": "undo"}', '{"v": 1, "kind": "castle"}'):
        with pytest.raises(NewerError, match="a newer companion wrote it; update this one"):
            decode_row(text)


def test_entries_need_the_games_first_row() -> None:
    with pytest.raises(EntryError, match="first row is missing"):
        decode_row('{"v": 1, "kind": "step", "entries": ["Red scores 1"]}')
    with pytest.raises(EntryError, match="ludo is not a game here: race"):
        Table.of(Opened("ludo", SEATS, {}), CATALOG)


def test_older_rows_are_upgraded_one_version_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (lambda old: {**old, "to": old["place"]}, lambda old: {**old, "to": old["to"] + 1})
    monkeypatch.setattr(codec, "UPGRADES", steps)
    assert decode_row('{"v": 1, "kind": "rewind", "place": 4}') == Rewind(5)
    assert decode_row('{"v": 2, "kind": "rewind", "to": 4}') == Rewind(5)
    assert decode_row('{"v": 3, "kind": "rewind", "to": 4}') == Rewind(4)
    assert encode_row(Rewind(4)) == '{"v": 3, "kind": "rewind", "to": 4}'


def test_every_row_kind_has_a_case() -> None:
    assert {type(row) for row, _ in CASES} == set(Row.__args__)
    game: AnyGame = CATALOG["race"]
    assert game.entries == (Scored,)
