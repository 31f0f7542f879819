"""The server with well-behaved visitors, over real sockets."""

import asyncio
from threading import Event

import aiohttp
import pytest

from companion.app.catalog import CATALOG
from companion.core.budgets import PAGES_OF_PHONE, PAGES_OF_TABLE
from companion.core.keys import Key
from companion.core.threads import NamedThread
from companion.core.values import changed
from companion.web.access import AccessRules
from companion.web.address import listen
from companion.web.page import Page
from tests.waiting import WAIT_S
from tests.web.site import CODES, PICTURE, TOKEN, Site, enter


def test_the_page_and_its_files_are_served(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        for path in ("/", "/box.css", "/box.js", "/connection.js", "/icon.svg"):
            async with session.get(path) as answer:
                assert answer.status == 200
                assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Server"] == "companion"

    site.visit(visit)


def test_nothing_else_is_served(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        for path in ("/server.py", "/static/index.html", "/../access.py", "/%2e%2e/access.py"):
            async with session.get(path) as answer:
                assert answer.status == 404
                assert "Content-Security-Policy" in answer.headers
        async with session.post("/") as answer:
            assert answer.status == 405

    site.visit(visit)


@pytest.mark.parametrize(
    "path", ["/", "/box.js", "/token", "/box", "/tv", "/live", "/drawing.css", "/nowhere"]
)
def test_a_foreign_host_gets_nothing(site: Site, path: str) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.get(path, headers={"Host": "evil.example"}) as answer:
            assert answer.status == 403
            assert (await answer.text()).count("<p>") == 1
            assert "evil" not in str(answer.headers)

    site.visit(visit)


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "null", ""])
def test_a_page_from_elsewhere_may_not_connect(site: Site, origin: str) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await site.box(session, headers={"Origin": origin})
        assert refused.value.status == 403

    site.visit(visit)


def test_invalid_websocket_requests_are_refused_without_a_fault(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.get("/live", headers={"Origin": site.url}) as answer:
            assert answer.status == 400

    site.visit(visit)


def test_without_an_origin_there_is_no_connection(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect("/live")

    site.visit(visit)


def test_only_this_machine_gets_the_token(site: Site, lan_site: Site) -> None:
    async def here(session: aiohttp.ClientSession) -> None:
        async with session.get("/token") as answer:
            assert await answer.json() == {"token": TOKEN}
        async with session.get("/token", headers={"Sec-Fetch-Site": "cross-site"}) as answer:
            assert answer.status == 403

    async def as_from_the_network(session: aiohttp.ClientSession) -> None:
        async with session.get("/token", headers={"Host": "192.0.2.7:8055"}) as answer:
            assert answer.status == 404

    site.visit(here)
    lan_site.visit(here)  # the browser on the box's own HDMI
    lan_site.visit(as_from_the_network)


@pytest.mark.parametrize("hello", ["", "abcdefgh23456724", None, 5])
def test_without_the_token_no_key_can_be_pressed(lan_site: Site, hello: object) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        lan_site.page.publish(lambda: PICTURE)
        async with lan_site.box(session) as ws:
            await ws.send_json({"n": 0, "hello": hello})
            await ws.send_json({"n": 1, "key": "5", "down": True})
            message = await ws.receive()
            assert message.type is aiohttp.WSMsgType.CLOSE
            assert ws.close_code == 4401
        assert lan_site.moves.empty()

    lan_site.visit(visit)


def test_a_key_goes_down_and_up_and_each_message_is_answered(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as ws:
            await enter(ws)
            await ws.send_json({"n": 1, "key": "BACK", "down": True})
            await ws.send_json({"n": 2, "key": "BACK", "down": False})
            await ws.send_json({"n": 3})
            assert [await ws.receive_json() for _ in range(3)] == [{"n": 1}, {"n": 2}, {"n": 3}]

    site.visit(visit)
    assert [site.next_move(), site.next_move()] == [(Key.BACK, True), (Key.BACK, False)]


@pytest.mark.parametrize("spells", [False, True])
def test_a_letter_is_typed_into_a_name_and_otherwise_acts_as_its_key(
    site: Site, spells: bool
) -> None:
    site.spells = spells

    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as ws:
            await enter(ws)
            await ws.send_json({"n": 1, "key": "DRAW", "down": True, "letter": "d"})
            await ws.send_json({"n": 2, "letter": "å"})
            await ws.send_json({"n": 3, "key": "DRAW", "down": False})
            await ws.send_json({"n": 4, "key": "OK", "down": True})
            assert [(await ws.receive_json())["n"] for _ in range(4)] == [1, 2, 3, 4]

    site.visit(visit)
    assert site.letters == (["d", "å"] if spells else [])
    if not spells:
        assert [site.next_move(), site.next_move()] == [(Key.DRAW, True), (Key.DRAW, False)]
    assert site.next_move() == (Key.OK, True)


def test_a_key_is_released_when_its_page_leaves(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as ws:
            await enter(ws)
            await ws.send_json({"n": 1, "key": "BACK", "down": True})
            await ws.receive_json()

    site.visit(visit)
    assert [site.next_move(), site.next_move()] == [(Key.BACK, True), (Key.BACK, False)]


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{",
        "7",
        "[]",
        "{}",
        '{"n": "1"}',
        '{"n": 1, "key": "X", "down": true}',
        '{"n": 1, "key": "5"}',
        '{"n": 1, "key": "5", "down": 1}',
        '{"n": 1, "key": ["5"], "down": true}',
        '{"n": 1, "letter": 5}',
        '{"n": 1, "letter": ""}',
        '{"n": 1, "letter": "ab"}',
        '{"n": 1, "letter": ["a"]}',
        "[" * 200,
        "[" * 1020,
        b"\x00\x01",
    ],
)
def test_a_malformed_message_ends_only_that_connection(site: Site, message: str | bytes) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as other, site.box(session) as ws:
            await enter(other)
            await enter(ws)
            await (ws.send_str(message) if isinstance(message, str) else ws.send_bytes(message))
            await ws.receive()
            assert ws.close_code == 4400
            await other.send_json({"n": 1})
            assert await other.receive_json() == {"n": 1}

    site.visit(visit)
    assert site.moves.empty()


def test_a_message_that_is_too_long_ends_the_connection(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as ws:
            await enter(ws)
            await ws.send_str("x" * 100_000)
            await ws.receive()
            assert ws.close_code == aiohttp.WSCloseCode.MESSAGE_TOO_BIG

    site.visit(visit)


def test_pictures_reach_every_page_and_a_late_page_gets_the_last(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        site.page.publish(lambda: PICTURE)
        async with site.box(session) as one, site.box(session) as two:
            await enter(one)
            assert await one.receive_bytes() == PICTURE
            await enter(two)
            assert await two.receive_bytes() == PICTURE
            site.page.publish(lambda: PICTURE[::-1])
            assert await one.receive_bytes() == PICTURE[::-1]
            assert await two.receive_bytes() == PICTURE[::-1]

    site.visit(visit)


def test_a_page_over_the_limit_is_turned_away(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.server.PAGES_OF_TABLE", changed(PAGES_OF_TABLE, most=1))

    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as one, site.box(session) as two:
            await enter(one)
            await two.send_json({"n": 0, "hello": TOKEN})
            await two.receive()
            assert two.close_code == 4429

    site.visit(visit)


def test_one_phone_has_a_limit_of_pages_and_another_still_connects(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        for number in range(PAGES_OF_PHONE.most + 2):
            page = await session.ws_connect("/live", headers={"Origin": site.url})
            device = "mine" if number <= PAGES_OF_PHONE.most else "another"
            await page.send_json({"n": 0, "hello": TOKEN, "device": device})
            heard = await page.receive()
            assert (heard.type is aiohttp.WSMsgType.TEXT) is (number != PAGES_OF_PHONE.most)

    site.visit(visit)


def test_a_message_without_a_budget_is_refused(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as page:
            await enter(page)
            await page.send_json({"n": 1, "sing": True})
            while (await page.receive()).type is not aiohttp.WSMsgType.CLOSE:
                pass
            assert page.close_code == 4400

    site.visit(visit)


def test_pages_are_notified_when_the_program_ends(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as ws:
            await enter(ws)
            stopping = asyncio.get_running_loop().run_in_executor(None, site.page.stop, WAIT_S)
            await ws.receive()
            assert ws.close_code in (1000, 1001)  # older servers say the first
            await stopping

    site.visit(visit)


def test_the_end_does_not_wait_for_a_page_that_is_loading() -> None:
    page = Page(0.0, 0.0)
    loading = Event()

    def load_slowly() -> None:
        loading.wait(WAIT_S)
        page._run()

    page._thread = NamedThread("page", load_slowly)
    page.start(listen("127.0.0.1", 0), AccessRules(CODES), lambda *_: None, games=CATALOG)
    page.stop(wait_s=100.0)
    loading.set()
    page._thread.join(WAIT_S)
    assert not page._thread.is_alive()


def test_a_server_loaded_on_demand_shows_the_newest_picture() -> None:
    page, listening = Page(0.0, 0.0), listen("127.0.0.1", 0)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    page.publish(lambda: bytes(1024))
    page.start(listening, AccessRules(CODES), lambda *_: None, waits=True, games=CATALOG)
    page.publish(lambda: PICTURE)
    assert not page.wait_until_ready(0.1)

    async def visit() -> None:
        async with (
            aiohttp.ClientSession(url) as session,
            session.ws_connect("/live", headers={"Origin": url}) as ws,
        ):
            await enter(ws)
            assert await ws.receive_bytes() == PICTURE

    asyncio.run(asyncio.wait_for(visit(), WAIT_S))
    assert page.wait_until_ready(0.0)
    page.stop()


def test_an_unvisited_page_ends_at_once() -> None:
    page = Page(0.0, 0.0)
    page.start(
        listen("127.0.0.1", 0), AccessRules(CODES), lambda *_: None, waits=True, games=CATALOG
    )
    page.stop()
    page._thread.join(WAIT_S)
    assert not page._thread.is_alive()
    Page(0.0, 0.0).stop()


def test_a_taken_port_is_an_error_at_once(site: Site) -> None:
    with pytest.raises(OSError, match="in use"):
        listen("127.0.0.1", site.port)
