"""What a hub serves besides its connections: pages, games, evenings and a stream's overlay."""

import re

import aiohttp
from aiohttp.test_utils import make_mocked_request

from companion.club.hub.page_responses import HUB_STATIC, reason_page
from companion.web.files import STATIC
from tests.club.hub.club_site import ClubSite
from tests.club.hub.live_page import site as site  # noqa: PLC0414  # a fixture
from tests.web.visits import visit_at

NO_BOXES = ("?table=nobody", "?table=0123456789abcde", "?table=0123456789abcdeg")
"""Addresses with invalid box ids: a word, one digit too few, a letter that is no digit."""


def test_the_stream_overlay_is_the_table_s_own(site: ClubSite) -> None:
    box, found = site.box("Kitchen"), dict[str, str]()

    async def visit(session: aiohttp.ClientSession) -> None:
        for asked in (f"?table={box}&layout=side", "", *NO_BOXES):
            async with session.get(f"/overlay{asked}") as answer:
                assert answer.status == 200
                found[asked] = await answer.text()
        for path in ("/overlay.js", "/overlay.css"):
            async with session.get(path) as answer:
                assert answer.status == 200, path

    visit_at(site.url, visit)
    feeds = [re.search(r'<body data-live="([^"]+)" class="overlay"', one) for one in found.values()]
    assert [one and one[1] for one in feeds] == [
        f"/live/{box}",
        *["/live/tv"] * (1 + len(NO_BOXES)),
    ]


def test_a_table_s_pages_include_the_hub_s_parts(site: ClubSite) -> None:
    box, found = site.box("Kitchen"), dict[str, str]()

    async def visit(session: aiohttp.ClientSession) -> None:
        for path in (f"/table/{box}", "/tv", f"/tv?table={box}", "/event"):
            async with session.get(path) as answer:
                assert answer.status == 200
                found[path] = await answer.text()
                for file in re.findall(r'(?:href|src)="(/at/[^"]+)"', found[path]):
                    async with session.get(file) as there:
                        assert there.status == 200, file

    visit_at(site.url, visit)
    table, tv, one_tv, events = found.values()
    assert f'<body data-live="/live/{box}"' in table and '<p id="seal"' in table
    assert f'href="/games/{box}"' in table and f'href="/tv?table={box}"' in table
    assert "app.webmanifest" not in table, "a phone's home screen gets the hub, not one table"
    assert '<body data-live="/live/tv"' in tv and "event_board.js" in tv
    assert f'<body data-live="/live/{box}"' in one_tv
    assert '<option value="high-five">' in events
    assert all("{{" not in one and "<!-- part" not in one for one in found.values())


def test_every_part_of_a_page_exists() -> None:
    parts = {"table_seal_part.html", "tv_head_part.html", "overlay_head_part.html"}
    for folder in (STATIC, HUB_STATIC):
        for page in folder.glob("*.html"):
            for name in re.findall(r"<!-- part: ([a-z_]+\.html) -->", page.read_text("utf-8")):
                assert (HUB_STATIC / name).is_file(), (page, name)
                assert name in parts or folder is HUB_STATIC or (STATIC / name).is_file(), (
                    page,
                    name,
                )


def test_games_need_an_access_code(site: ClubSite) -> None:
    box = site.box("Kitchen")

    async def visit(session: aiohttp.ClientSession) -> None:
        for path in (f"/games/{box}", f"/games/{box}/1"):
            async with session.get(path) as answer:
                assert answer.status == 403
                assert "Anna" not in await answer.text()
        session.cookie_jar.update_cookies({"word": site.word("watch")})
        async with session.get(f"/games/{box}") as answer:
            one = rf'<a href="/games/{box}/1">1( · \d\d:\d\d)? · High Five: Anna, Ben</a>'
            assert re.search(one, await answer.text())
        async with session.get(f"/games/{box}/1") as answer:
            assert answer.status == 200
            text = await answer.text()
            assert "Anna lays 6-6" in text
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        for path in (f"/games/{box}/7", f"/games/{'0' * 16}"):
            async with session.get(path) as answer:
                assert answer.status == 404

    async def run(_session: aiohttp.ClientSession) -> None:
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(site.url, cookie_jar=jar) as session:
            await visit(session)

    visit_at(site.url, run)


def test_every_file_that_a_page_loads_is_served(site: ClubSite) -> None:
    from tests.web.test_broadcast import load

    async def visit(session: aiohttp.ClientSession) -> None:
        for page in ("/", "/organiser", "/tv", f"/table/{site.box('Kitchen')}"):
            assert len(await load(session, page)) > 5

    visit_at(site.url, visit)


def test_a_scanned_code_leads_to_the_tables(site: ClubSite) -> None:
    word = site.word("watch")

    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.get(f"/{word.upper()}", allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (302, f"/#{word}")

    visit_at(site.url, visit)


def test_players_and_evenings_need_an_access_code(site: ClubSite) -> None:
    async def run(_session: aiohttp.ClientSession) -> None:
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(site.url, cookie_jar=jar) as session:
            async with session.get("/evenings") as answer:
                assert answer.status == 403
                assert "people of the club" in await answer.text()
            jar.update_cookies({"word": site.word("watch")})
            text = ""
            while "Anna" not in text:
                async with session.get("/evenings") as answer:
                    assert answer.status == 200
                    text = await answer.text()

    visit_at(site.url, run)


def test_a_reason_page_has_its_language_and_direction() -> None:
    response = reason_page(make_mocked_request("GET", "/games"), 404, "club.nothing")
    assert isinstance(response.body, bytes)
    assert b'<html lang="en" dir="ltr">' in response.body
    assert response.status == 404
