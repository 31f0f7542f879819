"""Evenings that were kept stay as they are: every version reads the same from every record file
that was ever written."""

import json
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.commands.replay import game_json, replay
from companion.core.values import Json
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.record.tally import format_tally, read_tally
from tests.catalog import GAMES
from tests.kept.snapshot import snapshot
from tests.sampling import Draw

HERE = Path(__file__).parent
RECORDS = sorted(path.parent for path in HERE.glob("format-*/*/record.db"))

FEWER = "Fewer tiles than were counted weaken no proof any more (rules 2): the ruling stands."
RETURNED = "A pass after a tile went back is bogus like a draw (rules 2): the ruling stands."
COUNTED = "By count, too, what is proven stays so (rules 2): the ruling stands."
BY_PLACE = "The games won of a match went with the place when the turn order was changed."
WORDED = "The sentence was edited; it means the same."
SOONER = "What had become provable by several lays at once was told late, or never."

EXPLAINED: dict[str, str] = {
    "format-1/changed: games 2 undo": WORDED,
    "format-1/changed: games 3 undo": WORDED,
    "format-1/games: games 11 shown entries 8 notices 0 text": WORDED,
    "format-1/salvaged: findings 52": WORDED,
    "format-1/salvaged: games 0 faults 52": WORDED,
    "format-1/games: games 55 shown entries 9 notices": FEWER,
    "format-1/games: games 56 shown entries 6 notices": RETURNED,
    "format-1/games: games 57 shown entries 7 notices": RETURNED,
    "format-1/games: games 59 shown entries 15 notices": COUNTED,
    "format-1/games: games 61 shown entries 15 notices": COUNTED,
    "format-1/games: games 68 shown entries 40 notices": SOONER,
    "format-1/games: games 68 shown entries 42 notices": SOONER,
    "format-1/games: games 71 shown entries 10 notices": SOONER,
    "format-1/salvaged: games 2 shown entries 17 notices": COUNTED,
    "format-3/matches: games 1 words 1 1": BY_PLACE,
    "format-3/matches: games 3 words 1 1": BY_PLACE,
    "format-3/matches: games 6 words 1 1": BY_PLACE,
    "format-3/matches: games 7 words 2 1": BY_PLACE,
    "format-3/matches: games 8 words 2 1": BY_PLACE,
    "format-3/matches: games 10 words 1 1": BY_PLACE,
}
"""Where this version reads something else than the one that wrote the record, and why: by record
and place, as in `format-1/games: games 12 shown entries 4 notices`. A score, a payment, a ruling or
whose turn it is never stands here: these stay as they were told."""

NEVER = ("scores", "stock", "payments", "points", "ruling", "winner", "finished", "next_lead")


def differences(then: Any, now: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The places at which `now` differs from `then`. Keys that only `now` has are no difference."""
    if isinstance(then, dict) and isinstance(now, dict):
        for name, value in then.items():
            yield from differences(value, now.get(name), (*place, name))
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for at, (old, new) in enumerate(zip(then, now, strict=True)):
            yield from differences(old, new, (*place, str(at)))
    elif then != now:
        yield place


@cache
def now(record: Path) -> Json:
    """The record's snapshot as this version makes it."""
    return snapshot(record / "record.db")


def named(record: Path) -> str:
    return str(record.relative_to(HERE))


@pytest.mark.parametrize("record", RECORDS, ids=named)
def test_a_kept_record_is_read_as_before(record: Path) -> None:
    then = json.loads((record / "expected.json").read_text("utf-8"))
    found = {f"{named(record)}: {' '.join(place)}" for place in differences(then, now(record))}
    explained = {place for place in EXPLAINED if place.startswith(f"{named(record)}: ")}
    assert found == explained


def test_no_explained_difference_concerns_a_score() -> None:
    assert not [place for place in EXPLAINED if set(place.split()) & set(NEVER)]


@pytest.mark.parametrize("record", RECORDS, ids=named)
def test_an_exported_kept_game_replays_to_the_same_state(record: Path, draw: Draw[int]) -> None:
    shown = {game["number"]: game.get("shown") for game in now(record)["games"]}
    with Reader.open(record / "record.db", GAMES) as reader:
        for number in draw([*reader.game_numbers()], 12):
            if number and (journal := reader.game(number)):
                again, _, stopped = replay(read_tally(format_tally(journal), GAMES), GAMES)
                assert stopped is None
                assert game_json(CATALOG, again) == shown[number]


@pytest.mark.parametrize("record", RECORDS, ids=named)
def test_opening_a_kept_record_adds_no_row(record: Path, tmp_path: Path) -> None:
    """A start on the record reports at most lost rows of the last game, and adds no row."""
    copy = tmp_path / "record.db"
    for file in record.glob("record.db*"):
        shutil.copyfile(file, tmp_path / file.name)
    then = json.loads((record / "expected.json").read_text("utf-8"))
    with Reader.open(record / "record.db", GAMES) as reader:
        rows = reader.query("SELECT * FROM record ORDER BY seq")
    last = [game for game in then["games"] if game["number"] == then["last_game"]]
    store = Store.open(copy, GAMES)
    assert len(store.messages) == min(1, len(last[0]["faults"]))
    assert store.game_with_doubts(then["last_game"])[1] == last[0]["faults"]
    assert store.query("SELECT * FROM record ORDER BY seq") == rows
    store.close()


def test_the_kept_records_have_all_kinds_of_rows() -> None:
    kinds = set()
    for record in RECORDS:
        with Reader.open(record / "record.db", GAMES) as reader:
            kinds |= {
                json.loads(text)["kind"] for (text,) in reader.query("SELECT row FROM record")
            }
    assert kinds == {
        "opened", "step", "undo", "redo", "amend", "rewind", "reseat", "setting",
    }  # fmt: skip
