"""Rows as JSON: one table of cases for writing and for reading."""

import json
import re
from dataclasses import replace

import pytest

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.games.game import RULES, AnyGame
from companion.record import rows
from companion.record.rows import (
    COMMON_FIELDS,
    FORMAT,
    ROW_KINDS,
    UPGRADES,
    Amend,
    EntryParser,
    GameOpened,
    Gap,
    NamesForgotten,
    PeopleReplaced,
    PlayerHidden,
    PlayerRenamed,
    Redo,
    Reseat,
    Rewind,
    Row,
    RowsLost,
    Setting,
    Step,
    Undo,
    agreed_by,
    decode_row,
    encode_row,
    keyed_by,
)
from companion.record.store.database import NewerError
from tests.catalog import GAMES
from tests.sample_games import RACE_RULES, Scored

SEATS = Seats.of("Red", "Åsa_B")
TABLE = EntryParser(RACE_RULES["race"], SEATS)
ENTRY = Scored(Seat("Åsa_B"), 7)

CASES: list[tuple[Row, str]] = [
    (
        GameOpened("race", SEATS, {"goal": 50}),
        '{"v": 3, "kind": "opened", "game": "race", "seats": ["Red", "Åsa_B"],'
        ' "options": {"goal": 50}, "rules": 3}',
    ),
    (
        GameOpened("race", SEATS, {"goal": 50}, 12, (("date", "2026-11-20"),), 1),
        '{"v": 3, "kind": "opened", "game": "race", "seats": ["Red", "Åsa_B"],'
        ' "options": {"goal": 50}, "rules": 1, "after": 12, "words": [["date", "2026-11-20"]]}',
    ),
    (
        GameOpened("race", SEATS, {"goal": 50}, evening=11),
        '{"v": 3, "kind": "opened", "game": "race", "seats": ["Red", "Åsa_B"],'
        ' "options": {"goal": 50}, "rules": 3, "evening": 11}',
    ),
    (PlayerRenamed("Ana", "Åsa_B"), '{"v": 3, "kind": "renamed", "name": "Ana", "to": "Åsa_B"}'),
    (NamesForgotten(("Player_1",)), '{"v": 3, "kind": "forgotten", "players": ["Player_1"]}'),
    (PlayerHidden("Ana"), '{"v": 3, "kind": "hidden", "name": "Ana", "hidden": true}'),
    (Step((ENTRY,)), '{"v": 3, "kind": "step", "entries": ["Åsa_B scores 7"]}'),
    (
        Step((ENTRY,), True),
        '{"v": 3, "kind": "step", "entries": ["Åsa_B scores 7"], "joined": true}',
    ),
    (Undo(), '{"v": 3, "kind": "undo"}'),
    (Redo(), '{"v": 3, "kind": "redo"}'),
    (Amend(3, ()), '{"v": 3, "kind": "amend", "at": 3, "entries": []}'),
    (
        Amend(3, (ENTRY,), True),
        '{"v": 3, "kind": "amend", "at": 3, "entries": ["Åsa_B scores 7"], "insert": true}',
    ),
    (
        Amend(3, (), later_turns=-1),
        '{"v": 3, "kind": "amend", "at": 3, "entries": [], "later_turns": -1}',
    ),
    (Rewind(0), '{"v": 3, "kind": "rewind", "to": 0}'),
    (Reseat(SEATS), '{"v": 3, "kind": "reseat", "seats": ["Red", "Åsa_B"]}'),
    (PeopleReplaced(SEATS), '{"v": 3, "kind": "people", "seats": ["Red", "Åsa_B"]}'),
    (Setting("entry", "ends"), '{"v": 3, "kind": "setting", "name": "entry", "value": "ends"}'),
    (
        RowsLost((Gap(84, 120, (3, 4)), Gap(374, None, ())), "record.db.damaged-1"),
        '{"v": 3, "kind": "lost", "gaps": [{"first": 84, "last": 120, "games": [3, 4]},'
        ' {"first": 374, "last": null, "games": []}], "kept": "record.db.damaged-1"}',
    ),
    (Setting("contrast", 40), '{"v": 3, "kind": "setting", "name": "contrast", "value": 40}'),
]


@pytest.mark.parametrize(("row", "text"), CASES)
def test_rows_are_written_and_read_back(row: Row, text: str) -> None:
    assert encode_row(row) == text
    assert decode_row(text, TABLE) == row


@pytest.mark.parametrize(("row", "text"), CASES)
def test_any_row_may_name_the_seat_of_its_phone(row: Row, text: str) -> None:
    by_asa = f'{text[:-1]}, "keyed_by": "Åsa_B"}}'
    assert encode_row(row, Seat("Åsa_B")) == by_asa
    assert decode_row(by_asa, TABLE) == row
    assert (keyed_by(by_asa), keyed_by(text)) == (Seat("Åsa_B"), None)


@pytest.mark.parametrize("agreed", [(), ("Åsa_B",), ("Åsa_B", "Bo")], ids=str)
def test_a_row_may_name_the_seats_that_agreed(agreed: tuple[str, ...]) -> None:
    seats = tuple(map(Seat, agreed))
    text = encode_row(Undo(), Seat("Bo"), seats)
    assert json.loads(text)["agreed_by"] == [*agreed]
    assert (decode_row(text, TABLE), keyed_by(text), agreed_by(text)) == (Undo(), "Bo", seats)
    assert agreed_by(encode_row(Undo())) is None


@pytest.mark.parametrize(("row", "text"), CASES)
def test_rows_of_the_first_format_are_read(row: Row, text: str) -> None:
    """These rows don't name the version of the rules, which means version 1. An evening was then a
    series of rematches."""
    old = re.sub(', "(rules|evening)": [0-9]+', "", text.replace('{"v": 3', '{"v": 1'))
    read = decode_row(old, TABLE)
    was = replace(row, rules=1, evening=row.after) if isinstance(row, GameOpened) else row
    assert read == (replace(was, calls_stay=True) if isinstance(was, Amend) else was)


@pytest.mark.parametrize(("row", "text"), CASES)
def test_rows_of_the_second_format_are_read(row: Row, text: str) -> None:
    """In that format a change left the turn numbers of later calls unchanged, and still does."""
    read = decode_row(text.replace('{"v": 3', '{"v": 2'), TABLE)
    was = replace(row, calls_stay=True) if isinstance(row, Amend) else row
    assert read == was
    assert decode_row(encode_row(read), TABLE) == read


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
        ('{"v": 1, "kind": "step", "entries": ["Red jumps"]}', "“jumps” is not an action"),
        ('{"v": 1, "kind": "step", "entries": [7]}', "not a row of the record"),
        ('{"v": 1, "kind": "reseat", "seats": ["Red"]}', "not a row of the record"),
        ('{"v": 1, "kind": "reseat", "seats": "Red"}', "not a row of the record"),
        ('{"v": 2, "kind": "undo", "keyed_by": 7}', "not a row of the record"),
        ('{"v": 3, "kind": "undo", "agreed_by": [7]}', "not a row of the record"),
        ("[" * 10_000, "not a row of the record"),
        ('{"v": 1, "kind": "reseat", "seats": [' + '"A", ' * 30_000 + '"B"]}', "not a row"),
    ],
)
def test_unreadable_rows_are_refused(text: str, message: str) -> None:
    with pytest.raises(EntryError, match=message) as raised:
        decode_row(text, TABLE)
    assert "\n" not in str(raised.value)


def test_a_row_with_as_many_seats_as_fit_is_read_at_once() -> None:
    """Comparing each name with each other took half a minute."""
    names = [f"A{at}" for at in range(25_000)]
    row = decode_row(json.dumps({"v": 1, "kind": "reseat", "seats": names}), TABLE)
    assert isinstance(row, Reseat) and [*row.seats] == names


@pytest.mark.parametrize(
    "text",
    [
        '{"v": 4, "kind": "undo"}',
        '{"v": 2, "kind": "castle"}',
        '{"v": 2, "kind": "undo", "twice": true}',
        '{"v": 2, "kind": "opened", "game": "race", "seats": ["Red", "Blue"],'
        ' "options": {}, "rules": 4}',
    ],
)
def test_a_newer_companion_is_named_as_the_cause(text: str) -> None:
    with pytest.raises(NewerError, match="a newer companion wrote it; update this one") as raised:
        decode_row(text)
    assert "\n" not in str(raised.value)


def test_entries_cannot_be_read_without_the_games_first_row() -> None:
    with pytest.raises(EntryError, match="first row is missing"):
        decode_row('{"v": 1, "kind": "step", "entries": ["Red scores 1"]}')
    with pytest.raises(EntryError, match="ludo is not a game here: race"):
        EntryParser.of(GameOpened("ludo", SEATS, {}), RACE_RULES)


def test_older_rows_are_upgraded_one_version_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (lambda old: {"kind": "rewind", "to": old["place"]}, lambda old: {**old, "to": 5})
    monkeypatch.setattr(rows, "UPGRADES", steps)
    monkeypatch.setattr(rows, "FORMAT", 3)
    assert decode_row('{"v": 1, "kind": "rewind", "place": 4}') == Rewind(5)
    assert decode_row('{"v": 2, "kind": "rewind", "to": 4}') == Rewind(5)
    assert decode_row('{"v": 3, "kind": "rewind", "to": 4}') == Rewind(4)
    assert encode_row(Rewind(4)) == '{"v": 3, "kind": "rewind", "to": 4}'


def test_every_kind_of_row_has_a_test_case() -> None:
    assert {type(row) for row, _ in CASES} == set(Row.__args__)
    game: AnyGame = RACE_RULES["race"]
    assert game.entries == (Scored,)


KINDS_HELD = {
    "opened": ("game", "seats", "options", "rules", "after", "evening", "words"),
    "step": ("entries", "joined"),
    "undo": (),
    "redo": (),
    "amend": ("at", "entries", "insert", "later_turns", "calls_stay"),
    "rewind": ("to",),
    "reseat": ("seats",),
    "people": ("seats",),
    "setting": ("name", "value"),
    "renamed": ("name", "to"),
    "hidden": ("name", "hidden"),
    "forgotten": ("players",),
    "lost": ("gaps", "kept"),
}
GAMES_HELD = {
    "high-five": (
        "hand redeal ends count points draw return pass misdraw out blocked holds pips bogus rule"
        " chips audit end",
        "deal leave rounding chip-set rotate-lead first-score wrong-call table-overrules",
    ),
    "five-up": (
        "hand redeal ends count points draw pass out blocked holds pips end",
        "deal leave rounding target start finish-hand first-score",
    ),
    "high-fives": ("hand tableau points left end", "deal later-deal capture"),
    "high-five-tiles": (
        "hand row tile out finish end",
        "points-high-card points-pair points-two-pairs points-three-of-a-kind points-straight"
        " points-flush points-full-house points-four-of-a-kind points-straight-flush"
        " points-royal-flush points-high-five first-turn",
    ),
    "all-fives": (
        "hand redeal ends count points draw return pass out blocked holds pips bogus rule end"
        " called not-called muggins wrong-count time",
        "set partners deal target unit finish-hand match first-score called spinner leave no-double"
        " after-block could-play could-play-ends could-play-to wrong-count rounding block block-by",
    ),
    "fives-and-threes": (
        "hand ends count points pass out blocked holds pips bogus rule end time",
        "set partners deal target exact out-on-lead last-tile hand-end lead held-playable match",
    ),
    "domino": (
        "hand ends count pass out blocked holds pips bogus rule end time",
        "set partners target lead partner-counts block-by block-tie block-counts capicua passes"
        " renuncio match",
    ),
    "highrise": ("hand basement w-w draw pass out blocked holds pips end", "target"),
}
"""Everything that a program of format 3 can read: kinds of rows with their fields, and the words
and options of each game. 0.3.0 wrote format 3, too, but games by version 2 of
the rules: what later games add, Fives and Threes and Dominó, it refuses because of their rules.
Other additions need a higher FORMAT, with a step in UPGRADES for older rows."""


def test_the_format_version_covers_every_kind_field_and_word() -> None:
    assert FORMAT == 3 == len(UPGRADES) + 1
    assert RULES == 3
    assert COMMON_FIELDS == ("v", "kind", "keyed_by", "agreed_by")
    assert {kind.name: kind.fields for kind in ROW_KINDS} == KINDS_HELD
    found = {
        name: (
            {word for entry in game.entries for word in entry.words if word},
            {option.name for option in game.options},
        )
        for name, game in GAMES.items()
    }
    assert found == {name: tuple(set(text.split()) for text in GAMES_HELD[name]) for name in found}
    assert found.keys() == GAMES_HELD.keys()
