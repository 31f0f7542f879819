"""The club on the pages: all show it, and players may request changes; with a real server and
loop."""

from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest

from companion.app.catalog import CATALOG
from companion.core.club import Club, ClubRequest, ClubRequestKind, HallCalls
from companion.core.values import Json
from tests.screens.club_scenes import AWAY, COMPARING, FOUND
from tests.waiting import wait_until
from tests.web.live import LiveTable, Phone, keep
from tests.web.panels import looks
from tests.web.site import WATCH


@pytest.fixture
def table(tmp_path: Path) -> LiveTable:
    keep(tmp_path / "record.db", "hand\nRed 6-6")
    return LiveTable(tmp_path / "record.db", lan=True)


def test_every_page_sees_the_club_and_players_send_requests(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", None)
        watching = await Phone.come(table, session, "tv", None, WATCH)
        assert anna.club is None
        table.table.events.put(FOUND)
        await anna.until(lambda: anna.club is not None)
        assert anna.club is not None
        assert [one["name"] for one in anna.club["found"]] == ["Friday Fives", "Ship Inn"]
        await anna.say(club={"wish": "join", "address": " 192.168.1.20:8070 "})
        table.table.events.put(COMPARING)
        await anna.until(lambda: anna.club is not None and anna.club["digits"] == "071429")
        await watching.say(club={"wish": "leave"})
        await looks(watching, "chips")
        assert watching.club is None
        table.table.events.put(AWAY)
        await watching.until(lambda: watching.club is not None)
        assert watching.club is not None
        assert watching.club["sign"] == "last contact 14 minutes ago"
        late = await Phone.come(table, session, "ben", None)
        await late.until(lambda: late.club is not None)
        assert late.club is not None
        assert late.club["waiting"] == 37
        await anna.say(club={"wish": "leave"})
        table.table.events.put(Club())
        await anna.until(lambda: anna.club is not None and anna.club["step"] == "none")

    try:
        table.visit(visit)
        wait_until(lambda: len(table.club) == 2)
        assert table.club == [
            ClubRequest(ClubRequestKind.JOIN, "192.168.1.20:8070", by_phone=True),
            ClubRequest(ClubRequestKind.LEAVE),
        ]
    finally:
        table.close()


@pytest.mark.parametrize("wrong", ["leave", {"wish": "sing"}, {"wish": "join", "address": 7}, {}])
def test_an_invalid_request_ends_the_visit(table: LiveTable, wrong: object) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", None)
        await anna.say(club=wrong)
        with pytest.raises(TypeError):  # it is closed
            await anna.until(lambda: False)

    try:
        table.visit(visit)
        assert table.club == []
    finally:
        table.close()


def test_only_players_see_digits_and_addresses() -> None:
    from companion.web.club import club_json

    assert club_json(COMPARING, CATALOG, plays=False) is None
    told = club_json(replace(AWAY, found=FOUND.found), CATALOG, plays=False)
    assert told is not None
    assert (told["found"], told["digits"]) == ([], "")


def test_without_the_hub_calls_end_but_a_break_goes_on_until_it_is_over() -> None:
    from companion.web.club import club_json

    calls = HallCalls(("Prizes at nine",), 3, 60)
    joined = replace(AWAY, reached=True, calls=calls)

    def seen(club: Club, since_s: float) -> Json:
        told = club_json(club, CATALOG, plays=False, since_s=since_s)
        assert told is not None
        found: Json = told["announced"]
        return found

    assert seen(joined, 2.0) == {"texts": ["Prizes at nine"], "round": 3, "left_s": 58}
    assert seen(joined, 70.0) == {"texts": ["Prizes at nine"], "round": 3, "left_s": 0}
    away = replace(joined, reached=False)
    assert seen(away, 2.0) == {"texts": [], "round": 3, "left_s": 58}
    assert seen(away, 70.0) == {"texts": [], "round": None, "left_s": None}
