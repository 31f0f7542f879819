"""The panels beside the moment, over real sockets and a real record."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from jsonschema import Draft202012Validator

from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.record.rows import GameOpened, Step
from companion.record.store.store import Store
from companion.web.panels import PANELS, UNFINISHED_GAMES
from tests.catalog import GAMES
from tests.web.live import KEEPER, LiveTable, Phone, keep
from tests.web.panels import DOCS, SCHEMA, VALID, looks
from tests.web.panels import table as table  # noqa: PLC0414  # a fixture
from tests.web.site import WATCH


def test_a_win_is_shown_with_the_best_turn_and_the_evening(tmp_path: Path) -> None:
    """The best turn is shown only once the game is won."""
    ends = "blocked\nAnna pips 3\nBen pips 60"
    hand = f"hand lead Anna\nAnna 5-5\nBen 5-0\nAnna 0-0\n{ends}\n"
    won = "hand lead Anna\nAnna 5-5"
    record = tmp_path / "record.db"
    game, order = GAMES["five-up"], Seats.of("Anna", "Ben")
    with closing(Store.open(record, GAMES)) as store:
        for number, text in ((1, hand * 3 + won), (2, hand * 3 + "hand lead Anna")):
            store.keep(number, GameOpened("five-up", order, {}, evening=number - 1 or None))
            for line in text.splitlines():
                store.keep(number, Step((parse_entry(line, game, order),)))
    table = LiveTable(record)

    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        assert set(await looks(anna, "win")) == {"name", "row"}
        assert (await anna.keys("Anna 5-5"))["counted"]
        await anna.until(lambda: anna.stands["moment"]["finished"])
        told = await looks(anna, "win")
        assert told["drawing"].startswith("<svg")
        assert (told["best"]["points"], told["best"]["at"]) == (10, 2)
        assert told["best"]["why"]["parts"]["count"] == 10
        assert told["best"]["said"]["words"] == "Anna lays 5-5"
        assert told["games"] == 2
        assert told["evening"] == [{"shown": "Anna", "won": 2}, {"shown": "Ben", "won": 0}]

    table.visit(visit)
    table.close()


def test_chips_are_shown_by_holder_with_the_audits(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        red, blue = (await looks(anna, "chips"))["seats"]
        assert red["own"]["said"]["words"] == "red 135: 9×10 + 9×5"
        assert blue["won"]["said"]["words"] == "red 15: 10 + 5"
        assert (red["pays"], red["won_from"]) == ("Blue", "Blue")
        assert red["audit"] == {
            "at": 7,
            "agrees": False,
            "said": {
                "key": "chips.audit-differs",
                "parts": {"counted": 140, "recorded": 135},
                "words": "Counted 140, but the record said 135",
            },
        }
        assert blue["audit"] is None

    table.visit(visit)


def test_a_correction_of_chips_on_the_page_is_an_ordinary_entry(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        red, _ = (await looks(anna, "chips"))["seats"]
        assert (await anna.keys(f"{red['written']['chips']} 5 agreed"))["counted"]
        await anna.until(lambda: anna.stands["moment"]["entries"] == 8)
        told = await anna.preview(f"{red['written']['audit']} 125 10x9+5x7")
        assert told["told"][0]["notices"][0]["words"] == "Red counted 125, the record says 130"
        red, _ = (await looks(anna, "chips"))["seats"]
        assert red["points"] == 130

    table.visit(visit)


def test_the_race_is_drawn_with_a_stepped_line_for_each_seat(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", None)
        told = await looks(anna, "race")
        assert told["drawing"].count('class="stair"') == 2
        assert "Points at the end: Red 0, Blue 15" in told["drawing"]
        assert told["hands"] == [
            {"said": told["hands"][0]["said"], "scores": [0, 15]},
        ]
        assert told["hands"][0]["said"]["words"] == "Hand 1"

    table.visit(visit)


def test_house_rules_and_settings_are_shown(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        told = await looks(anna, "rules")
        assert told["rules"][0]["said"]["words"] == "Tiles each: 7"
        assert told["rules"][0]["usual"]
        assert (told["may_reseat"], told["may_end"]) == (False, True)
        bogus = next(one for one in told["settings"] if one["name"] == "tell-bogus")
        assert bogus["value"] == "off"
        assert (await anna.keys("tell-bogus mark", deed="set"))["counted"]
        await anna.until(lambda: anna.stands["moment"]["row"] > told["row"])
        told = await looks(anna, "rules")
        assert "mark" in [one["value"] for one in told["settings"]]

    table.visit(visit)


def test_older_entries_are_sent_on_request(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    keep(path, "\n".join(["hand", "Red 6-6", *["Blue draw"] * 8, "Blue 6-3"]))
    table = LiveTable(path)

    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", None)
        older = await looks(anna, "older", before=5)
        assert [one["at"] for one in older["entries"]] == [4, 3, 2, 1]
        assert older["entries"][-1]["said"]["words"] == "A hand is dealt"
        assert (await looks(anna, "older", before=1))["entries"] == []

    try:
        table.visit(visit)
    finally:
        table.close()


def test_a_watcher_sees_panels_but_cannot_begin_a_game(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        guest = await Phone.come(table, session, "guest", None, WATCH)
        assert (await looks(guest, "chips"))["seats"]
        for deed, text in (("open", "game high-five\nseats A B"), ("set", "sound off")):
            answer = await guest.keys(text, deed=deed)
            assert not answer["counted"]
            assert answer["said"]["key"] == "answer.only-watching"

    table.visit(visit)


def test_a_watcher_does_not_see_who_played_on_earlier_evenings(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    keep(path, "hand", "Anna Ben")
    table = LiveTable(path)

    async def visit(session: aiohttp.ClientSession) -> None:
        player = await Phone.come(table, session, "player", None)
        assert (await looks(player, "new"))["names"] == ["Anna", "Ben"]
        guest = await Phone.come(table, session, "guest", None, WATCH)
        seen = await looks(guest, "new")
        assert (seen["names"], seen["renamed"]) == ([], [])

    try:
        table.visit(visit)
    finally:
        table.close()


@pytest.mark.parametrize(
    "asked",
    [
        "chips",
        {"name": "record"},
        {"name": "new", "game": "chess"},
        {"name": "new", "players": "3"},
        {"name": "older", "before": True},
        {"name": "spelled", "names": "Anna"},
        {"name": "spelled", "names": ["A"] * 9},
        {"name": "spelled", "names": [1]},
    ],
)
def test_an_invalid_request_ends_the_connection(table: LiveTable, asked: Any) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", None)
        await anna.say(panel=asked)
        with pytest.raises((TypeError, aiohttp.ClientError)):
            await anna.until(lambda: False)

    table.visit(visit)


GAMES_ON_TABLE = {
    "five-up": "hand\nRed 6-6\nBlue 6-3",
    "high-fives": "hand lead Red\ntableau 0-1 1-2 7-7 8-9 10-15",
    "highrise": "hand lead Red\nRed 6-5 level 1",
    "high-five-tiles": "hand lead Red\nRed row pair laid 3",
}


@pytest.mark.parametrize("name", [*GAMES_ON_TABLE, None])
def test_every_answer_matches_its_schema_in_every_game(tmp_path: Path, name: str | None) -> None:
    path = tmp_path / "record.db"
    if name:
        keep(path, GAMES_ON_TABLE[name], name=name)
    table = LiveTable(path)

    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        asked: dict[str, dict[str, object]] = {
            "older": {"before": 2},
            "spelled": {"names": ["Zoë"]},
        }
        for panel in (*PANELS, UNFINISHED_GAMES):  # looks() checks it
            told = await looks(anna, panel, **asked.get(panel, {}))
            only_named = told.keys() == {"name", "row"}
            needs = {
                "chips": False,
                "win": False,
                "race": name is not None,
                "older": name is not None,
            }
            assert only_named != needs.get(panel, True), panel

    try:
        table.visit(visit)
    finally:
        table.close()


def test_the_schema_agrees_with_that_of_a_moment() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    moment = json.loads((DOCS / "telling.schema.json").read_text("utf-8"))["$defs"]
    for name in ("said", "pieces", "payment"):
        assert SCHEMA["$defs"][name] == moment[name]
    entry = moment["entry"]["properties"]
    assert SCHEMA["$defs"]["entry"]["properties"] == {
        name: value for name, value in entry.items() if name != "star"
    }
    assert {one["$ref"] for one in SCHEMA["oneOf"]} == {
        f"#/$defs/{name}_panel" for name in (*PANELS, UNFINISHED_GAMES)
    }


def test_a_field_missing_from_an_answer_is_found(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        told = await looks(anna, "chips")
        del told["seats"][0]["audit"]
        assert not VALID.is_valid(told)
        assert not VALID.is_valid({**await looks(anna, "race"), "more": 1})

    table.visit(visit)
