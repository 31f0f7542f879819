"""The connections of a hub's pages, without a browser: who may see what, and what comes."""

import asyncio
import contextlib
import json
import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp.test_utils import make_mocked_request

from companion.club.line import ClubError, ClubLine
from companion.club.membership import Membership
from companion.core.clock import BREAK_S
from companion.core.values import Json
from companion.hub.again import say_why
from companion.hub.database import Database
from companion.presentation.moment import FORMAT
from companion.web.messages import NOT_ALLOWED
from tests.hub.club_site import ClubSite, club_site
from tests.web.visits import visit_at

WAIT_S = 20.0
LAYS = "hand\nAnna 6-6\nBen 6-3"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClubSite]:
    with club_site(tmp_path_factory.mktemp("club")) as made:
        made.join("Kitchen")
        made.play("Kitchen", LAYS, "Anna Ben")
        yield made


class Page:
    """A page of the hub; `heard` keeps all that it hears."""

    def __init__(self, ws: Any) -> None:
        self._ws = ws
        self.hello: Json = {}
        self.heard: list[Json] = []
        self.closed: int | None = None

    async def until(self, seen: Callable[[Json], object]) -> Json:
        """Listens until a message comes of which `seen` is true, and gives it; {} if the hub hangs
        up."""
        while True:
            message = await self._ws.receive()
            if message.type is not aiohttp.WSMsgType.TEXT:
                self.closed = self._ws.close_code
                return {}
            found: Json = json.loads(message.data)
            self.heard.append(found)
            if seen(found):
                return found

    async def say(self, **more: object) -> None:
        await self._ws.send_json({"n": len(self.heard) + 1, **more})


Look = Callable[[Page], Awaitable[None]]


def look(site: ClubSite, path: str, word: str, visit: Look, wants: tuple[str, ...] = ()) -> Page:
    """Opens the page at `path`, says hello with that word, and then runs `visit`."""
    made: list[Page] = []

    async def run(session: aiohttp.ClientSession) -> None:
        headers = {"Origin": site.url}
        async with session.ws_connect(path, headers=headers) as ws:
            page = Page(ws)
            made.append(page)
            await ws.send_json({"n": 0, "hello": word, "wants": [*wants]})
            page.hello = await page.until(lambda found: found.get("n") == 0)
            if page.hello:
                await visit(page)

    visit_at(site.url, run, WAIT_S)
    return made[0]


async def nothing(_page: Page) -> None:
    """A visit that says hello alone."""


@pytest.mark.parametrize(
    ("kind", "role"), [("watch", "viewer"), ("play", "judge"), ("keep", "organiser")]
)
def test_each_word_lets_in_as_what_it_was_handed_out_for(
    site: ClubSite, kind: str, role: str
) -> None:
    hello = look(site, "/live", site.word(kind), nothing).hello
    assert hello == {"n": 0, "access": "watch", "role": role}


@pytest.mark.parametrize("path", ["/live", "/live/tv", "/live/organiser", "/live/" + "0" * 16])
def test_nobody_sees_anything_without_a_word(site: ClubSite, path: str) -> None:
    page = look(site, path, "abcdefgh23456723", nothing)
    assert (page.heard, page.closed) == ([], NOT_ALLOWED)


def test_a_table_lies_over_a_stream_s_picture_as_at_its_box(site: ClubSite) -> None:
    box, found = site.box("Kitchen"), dict[str, str]()

    async def visit(session: aiohttp.ClientSession) -> None:
        for asked in (f"?table={box}&layout=side", "", "?table=nobody"):
            async with session.get(f"/overlay{asked}") as answer:
                assert answer.status == 200
                found[asked] = await answer.text()
        for path in ("/overlay.js", "/overlay.css"):
            async with session.get(path) as answer:
                assert answer.status == 200, path

    visit_at(site.url, visit, WAIT_S)
    feeds = [re.search(r'<body data-live="([^"]+)" class="overlay"', one) for one in found.values()]
    assert [one and one[1] for one in feeds] == [f"/live/{box}", "/live/tv", "/live/tv"]


def test_no_other_site_s_page_may_look(site: ClubSite) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        for headers in ({}, {"Origin": "http://evil.example"}):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await session.ws_connect("/live", headers=headers)
            assert refused.value.status == 403

    visit_at(site.url, visit, WAIT_S)


def test_a_word_that_is_typed_lets_in(site: ClubSite) -> None:
    word = site.word("watch")

    async def visit(session: aiohttp.ClientSession) -> None:
        for typed, given in ((f" {word[:8].upper()} {word[8:]}", word), ("0815", None)):
            async with session.ws_connect("/live", headers={"Origin": site.url}) as ws:
                await ws.send_json({"n": 0, "digits": typed, "for": "watch"})
                answer = await ws.receive()
                told = json.loads(answer.data) if answer.type is aiohttp.WSMsgType.TEXT else {}
                assert told.get("word") == given

    visit_at(site.url, visit, WAIT_S)


def test_all_tables_are_told_and_then_what_is_new(site: ClubSite) -> None:
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
    from companion.hub.glance import sides_of

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


def test_a_table_is_told_as_its_own_page_is_told(site: ClubSite) -> None:
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


def test_no_page_keys_anything_or_asks_for_the_box_s_own(site: ClubSite) -> None:
    async def visit(page: Page) -> None:
        await page.say(propose={"text": "Anna 6-4"})
        await page.until(lambda one: "n" in one)
        await page.say(panel={"name": "new"})
        await page.until(lambda one: "panel" in one)

    page = look(site, f"/live/{site.box('Kitchen')}", site.word("keep"), visit)
    assert page.closed == 4400


def test_a_tv_says_which_of_the_tables_it_shows(site: ClubSite) -> None:
    async def visit(page: Page) -> None:
        turn = await page.until(lambda one: "turn" in one)
        assert turn["turn"]["number"] == 1
        assert (await page.until(lambda one: "moment" in one))["moment"]["game"]

    assert look(site, "/live/tv", site.word("watch"), visit, ("wide",)).hello


def test_only_the_organiser_is_told_who_asks_to_join_and_says_yes(site: ClubSite) -> None:
    digits = site.ask("Terrace")

    async def watching(page: Page) -> None:
        await page.say(accept=digits)
        await page.until(lambda one: "n" in one)

    for kind in ("watch", "play"):
        seen = look(site, "/live/organiser", site.word(kind), watching)
        assert digits not in str(seen.heard)
        assert site.word("play") not in str(seen.heard)

    async def organising(page: Page) -> None:
        found = await page.until(lambda one: "organiser" in one)
        assert [(one["name"], one["digits"]) for one in found["organiser"]["joining"]] == [
            ("Terrace", digits)
        ]
        assert {one["role"] for one in found["organiser"]["codes"]} == {"viewer", "judge"}
        await page.say(accept="000000")
        assert not (await page.until(lambda one: "answer" in one))["answer"]["done"]
        await page.say(accept=digits)
        answer = await page.until(lambda one: "answer" in one)
        assert answer["answer"] == {"said": "Terrace is a member now", "done": True}
        found = await page.until(lambda one: "organiser" in one)
        assert found["organiser"]["joining"] == []
        box = site.box("Terrace")
        await page.say(sendAway=box)
        await page.until(lambda one: "answer" in one)
        found = await page.until(lambda one: "organiser" in one)
        assert {"away"} == {
            one["state"] for one in found["organiser"]["members"] if one["box"] == box
        }

    assert look(site, "/live/organiser", site.word("keep"), organising).hello


def test_a_box_that_is_sent_away_is_told_at_once(site: ClubSite) -> None:
    box = site.join("Cellar")
    membership = Membership.load(site.record("Cellar"))
    assert membership is not None

    async def organising(page: Page) -> None:
        async with ClubLine.open(membership) as line:
            await page.until(
                lambda one: any(
                    member["box"] == box and member["connected"]
                    for member in one.get("organiser", {}).get("members", ())
                )
            )
            await page.say(sendAway=box)
            with pytest.raises(ClubError) as refused:
                await line.hear_until(asyncio.create_task(asyncio.sleep(WAIT_S)))
            assert refused.value.code == "sent-away"

    assert look(site, "/live/organiser", site.word("keep"), organising).hello


def test_games_are_for_who_has_a_word(site: ClubSite) -> None:
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

    visit_at(site.url, run, WAIT_S)


def test_every_page_loads_only_what_is_served(site: ClubSite) -> None:
    from tests.web.test_broadcast import load

    async def visit(session: aiohttp.ClientSession) -> None:
        for page in ("/", "/organiser", "/tv", f"/table/{site.box('Kitchen')}"):
            assert len(await load(session, page)) > 5

    visit_at(site.url, visit, WAIT_S)


def test_a_code_that_is_scanned_leads_to_the_tables(site: ClubSite) -> None:
    word = site.word("watch")

    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.get(f"/{word.upper()}", allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (302, f"/#{word}")

    visit_at(site.url, visit, WAIT_S)


def test_a_judge_s_word_ends_with_the_evening(tmp_path: Path) -> None:
    with club_site(tmp_path) as site:
        site.join("Kitchen")
        site.play("Kitchen", LAYS, "Anna Ben")
        judge, watch = site.word("play"), site.word("watch")
        assert look(site, "/live", judge, nothing).hello["role"] == "judge"
        site.hub.kill()
        opened = Database.at(site.hub.data / "hub.db")
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


def test_new_words_end_the_old_ones_at_once(tmp_path: Path) -> None:
    with club_site(tmp_path) as site:
        watch = site.word("watch")

        async def organising(page: Page) -> None:
            await page.until(lambda one: "organiser" in one)
            await page.say(newCodes=True)
            assert len((await page.until(lambda one: "word" in one))["word"]) == 16
            assert (await page.until(lambda one: "answer" in one))["answer"]["done"]

        async def both(watching: Page) -> None:
            word = site.word("keep")
            await asyncio.gather(
                asyncio.to_thread(look, site, "/live/organiser", word, organising),
                watching.until(lambda _: False),
            )

        assert look(site, "/live", watch, both).closed == NOT_ALLOWED
        assert site.word("watch") != watch


def test_a_table_that_is_not_heard_is_said_to_be_on_its_own_page(site: ClubSite) -> None:
    box = site.box("Kitchen")
    with (
        contextlib.closing(Database.at(site.hub.data / "hub.db")) as database,
        database.writing() as db,
    ):
        db.exec_driver_sql(f"UPDATE boxes SET heard_at = heard_at - 300 WHERE box = '{box}'")
        db.exec_driver_sql(f"UPDATE chains SET grown_at = grown_at - 300 WHERE box = '{box}'")

    async def visit(page: Page) -> None:
        # The hub may still have said how long it was until a moment ago.
        await page.until(lambda one: one.get("silent") == "not heard for 5 min")

    assert look(site, f"/live/{box}", site.word("watch"), visit, ("wide",)).hello


def test_players_and_evenings_are_for_who_has_a_word(site: ClubSite) -> None:
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

    visit_at(site.url, run, 60.0)


def test_a_page_that_says_why_there_is_nothing_has_its_language_and_direction() -> None:
    response = say_why(make_mocked_request("GET", "/games"), 404, "club.nothing")
    assert isinstance(response.body, bytes)
    assert b'<html lang="en" dir="ltr">' in response.body
    assert response.status == 404
