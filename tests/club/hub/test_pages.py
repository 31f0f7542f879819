"""The connections of a hub's pages, without a browser: access, and messages."""

import asyncio
import contextlib
import json
from pathlib import Path

import aiohttp
import pytest

from companion.club.hub.database import Database
from companion.core.clock import BREAK_S
from companion.presentation.moment import FORMAT
from companion.web.viewer import NOT_ALLOWED
from tests.club.hub.club_site import ClubSite, club_site
from tests.club.hub.live_page import LAYS, Page, look, nothing
from tests.club.hub.live_page import site as site  # noqa: PLC0414  # a fixture
from tests.web.visits import visit_at


@pytest.mark.parametrize(
    ("kind", "role"), [("watch", "viewer"), ("play", "judge"), ("keep", "organiser")]
)
def test_each_access_code_gives_its_own_role(site: ClubSite, kind: str, role: str) -> None:
    hello = look(site, "/live", site.word(kind), nothing).hello
    assert hello == {"n": 0, "access": "watch", "role": role}


@pytest.mark.parametrize("path", ["/live", "/live/tv", "/live/organiser", "/live/" + "0" * 16])
def test_nothing_is_shown_without_an_access_code(site: ClubSite, path: str) -> None:
    page = look(site, path, "abcdefgh23456723", nothing)
    assert (page.heard, page.closed) == ([], NOT_ALLOWED)


def test_another_site_s_page_is_refused(site: ClubSite) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        for headers in ({}, {"Origin": "http://evil.example"}):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await session.ws_connect("/live", headers=headers)
            assert refused.value.status == 403

    visit_at(site.url, visit)


def test_a_typed_access_code_gives_access(site: ClubSite) -> None:
    word = site.word("watch")

    async def visit(session: aiohttp.ClientSession) -> None:
        for typed, given in ((f" {word[:8].upper()} {word[8:]}", word), ("0815", None)):
            async with session.ws_connect("/live", headers={"Origin": site.url}) as ws:
                await ws.send_json({"n": 0, "digits": typed, "for": "watch"})
                answer = await ws.receive()
                told = json.loads(answer.data) if answer.type is aiohttp.WSMsgType.TEXT else {}
                assert told.get("word") == given

    visit_at(site.url, visit)


def test_all_tables_are_sent_then_only_changes(site: ClubSite) -> None:
    site.join("Attic")

    async def visit(page: Page) -> None:
        found = await page.until(lambda one: one.get("tables"))
        while {one["name"] for one in found["tables"]} < {"Kitchen", "Attic"}:
            found["tables"] += (await page.until(lambda one: one.get("tables")))["tables"]
        kitchen = next(one for one in found["tables"] if one["name"] == "Kitchen")
        assert (kitchen["title"], kitchen["asked"]) == ("High Five", "Anna's turn")
        assert [(side["players"][0]["shown"], side["score"]) for side in kitchen["sides"]] == [
            ("Anna", 0), ("Ben", 15),
        ]  # fmt: skip
        assert "moment" not in kitchen
        pushing = asyncio.to_thread(site.play, "Attic", LAYS, "Anna Ben")
        new, _ = await asyncio.gather(
            page.until(lambda one: one.get("tables") and one["tables"][0]["title"]), pushing
        )
        assert {one["name"] for one in new["tables"]} == {"Attic"}

    assert look(site, "/live", site.word("watch"), visit).hello


def test_partners_have_one_score(site: ClubSite) -> None:
    from companion.club.hub.live import sides_of

    seats = [
        {"seat": name, "shown": name, "colour": None, "sign": "", "to_move": False,
         "score": score, "to_win": 1, "won": False}
        for name, score in (("Anna", 10), ("Ben", 5), ("Cleo", 10), ("Dan", 5))
    ]  # fmt: skip
    sides = sides_of({"seats": seats, "sides": [["Anna", "Cleo"], ["Ben", "Dan"]]})
    assert [[one["shown"] for one in side["players"]] for side in sides] == [
        ["Anna", "Cleo"], ["Ben", "Dan"],
    ]  # fmt: skip
    assert [side["score"] for side in sides] == [10, 5]


def test_a_table_s_message_equals_that_of_its_own_page(site: ClubSite) -> None:
    box = site.box("Kitchen")

    async def visit(page: Page) -> None:
        found = await page.until(lambda one: one.get("moment"))
        assert found["table"] == {"box": box, "name": "Kitchen"}
        assert found["moment"]["telling"] == FORMAT
        assert found["drawing"].startswith("<svg")
        await page.say(panel={"name": "race"})
        race = await page.until(lambda one: "panel" in one)
        assert race["panel"]["drawing"].startswith("<svg")
        await page.say(panel={"name": "rules"})
        rules = await page.until(lambda one: "panel" in one)
        assert "settings" not in rules["panel"]
        saying = asyncio.to_thread(site.say, "Kitchen", "Anna 6-4", "Anna Ben")
        new, _ = await asyncio.gather(page.until(lambda one: "moment" in one), saying)
        assert new["moment"]["latest"][0]["entry"] == "Anna 6-4"

    assert look(site, f"/live/{box}", site.word("watch"), visit, ("wide",)).hello


@pytest.mark.parametrize("said", [{"propose": {"text": "Anna 6-4"}}, {"panel": {"name": "new"}}])
def test_hub_pages_can_neither_enter_anything_nor_see_the_box(
    site: ClubSite, said: dict[str, object]
) -> None:
    async def visit(page: Page) -> None:
        await page.say(**said)
        await page.until(lambda one: "n" in one or "panel" in one)

    page = look(site, f"/live/{site.box('Kitchen')}", site.word("keep"), visit)
    assert page.closed == 4400


def test_a_tv_names_the_table_that_it_shows(site: ClubSite) -> None:
    async def visit(page: Page) -> None:
        turn = await page.until(lambda one: "turn" in one)
        assert turn["turn"]["number"] == 1
        assert (await page.until(lambda one: "moment" in one))["moment"]["game"]

    assert look(site, "/live/tv", site.word("watch"), visit, ("wide",)).hello


def test_a_judge_s_code_ends_with_the_evening(tmp_path: Path) -> None:
    with club_site(tmp_path) as site:
        site.join("Kitchen")
        site.play("Kitchen", LAYS, "Anna Ben")
        judge, watch = site.word("play"), site.word("watch")
        assert look(site, "/live", judge, nothing).hello["role"] == "judge"
        site.hub.kill()
        opened = Database.from_address(site.hub.data / "hub.db")
        with opened.writing() as db:
            db.exec_driver_sql(f"UPDATE chains SET grown_at = grown_at - {BREAK_S + 1}")
        opened.close()
        site.hub.start()
        site.url = f"http://{site.hub.address}"

        async def told(page: Page) -> None:
            await page.until(lambda one: one.get("tables"))

        look(site, "/live", watch, told)
        assert look(site, "/live", judge, nothing).closed == NOT_ALLOWED
        assert look(site, "/live", site.word("play"), nothing).hello["role"] == "judge"
        assert look(site, "/live", watch, nothing).hello["role"] == "viewer"


def test_a_table_s_page_shows_that_its_box_is_silent(site: ClubSite) -> None:
    box = site.box("Kitchen")
    with (
        contextlib.closing(Database.from_address(site.hub.data / "hub.db")) as database,
        database.writing() as db,
    ):
        db.exec_driver_sql(f"UPDATE boxes SET heard_at = heard_at - 300 WHERE box = '{box}'")
        db.exec_driver_sql(f"UPDATE chains SET grown_at = grown_at - 300 WHERE box = '{box}'")

    async def visit(page: Page) -> None:
        # The hub may still have said how long it was until a moment ago.
        await page.until(lambda one: one.get("silent") == "no contact for 5 min")

    assert look(site, f"/live/{box}", site.word("watch"), visit, ("wide",)).hello
