"""The server as strangers and friends meet it, over real sockets."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from queue import SimpleQueue
from typing import Any

import aiohttp
import pytest

from companion.keys import Key
from companion.web.guard import Guard
from companion.web.page import Page, listen

WAIT_S = 10
TOKEN = "abcdefgh23456723"
PICTURE = bytes(range(256)) * 4


class Site:
    """A running page and what its visitors do to the keys."""

    def __init__(self, open_to_all: bool) -> None:
        listening = listen("127.0.0.1", 0)
        self.port = listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.moves: SimpleQueue[tuple[Key, bool]] = SimpleQueue()
        guard = Guard(TOKEN, open_to_all=open_to_all)
        self.page = Page(listening, guard, lambda *move: self.moves.put(move), 0.0, 0.0)
        self.page.start()
        assert self.page.wait_until_ready(WAIT_S)

    def visit(self, visit: Callable[[aiohttp.ClientSession], Awaitable[None]]) -> None:
        """Runs a visitor to its end."""

        async def run() -> None:
            async with aiohttp.ClientSession(self.url) as session:
                await asyncio.wait_for(visit(session), WAIT_S)

        asyncio.run(run())

    def next_move(self) -> tuple[Key, bool]:
        return self.moves.get(timeout=WAIT_S)

    def box(self, session: aiohttp.ClientSession, **more: Any) -> Any:
        headers = {"Origin": self.url} | more.pop("headers", {})
        return session.ws_connect("/box", headers=headers, **more)


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site(open_to_all=False)
    yield site
    site.page.stop()


@pytest.fixture
def lan_site() -> Iterator[Site]:
    site = Site(open_to_all=True)
    yield site
    site.page.stop()


async def enter(ws: Any) -> None:
    await ws.send_json({"n": 0, "hello": TOKEN})
    assert await ws.receive_json() == {"n": 0}


def test_the_page_and_its_files(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        for path in ("/", "/box.css", "/box.js", "/wire.js", "/icon.svg"):
            async with session.get(path) as answer:
                assert answer.status == 200
                assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Server"] == "companion"

    site.visit(visit)


def test_nothing_else_is_served(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        for path in ("/server.py", "/static/index.html", "/../guard.py", "/%2e%2e/guard.py"):
            async with session.get(path) as answer:
                assert answer.status == 404
                assert "Content-Security-Policy" in answer.headers
        async with session.post("/") as answer:
            assert answer.status == 405

    site.visit(visit)


@pytest.mark.parametrize("path", ["/", "/box.js", "/token", "/box", "/nowhere"])
def test_a_foreign_host_gets_nothing(site: Site, path: str) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.get(path, headers={"Host": "evil.example"}) as answer:
            assert answer.status == 403
            assert (await answer.text()).count("\n") == 1
            assert "evil" not in str(answer.headers)

    site.visit(visit)


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "null", ""])
def test_a_page_from_elsewhere_may_not_connect(site: Site, origin: str) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await site.box(session, headers={"Origin": origin})
        assert refused.value.status == 403

    site.visit(visit)


def test_no_origin_no_connection(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect("/box")

    site.visit(visit)


def test_the_token_is_told_on_this_machine_only(site: Site, lan_site: Site) -> None:
    async def here(session: aiohttp.ClientSession) -> None:
        async with session.get("/token") as answer:
            assert await answer.json() == {"token": TOKEN}
        async with session.get("/token", headers={"Sec-Fetch-Site": "cross-site"}) as answer:
            assert answer.status == 403

    async def there(session: aiohttp.ClientSession) -> None:
        async with session.get("/token") as answer:
            assert answer.status == 404

    site.visit(here)
    lan_site.visit(there)


@pytest.mark.parametrize("hello", ["", "abcdefgh23456724", None, 5])
def test_without_the_token_nothing_can_be_pressed(lan_site: Site, hello: object) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        lan_site.page.publish(PICTURE)
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


def test_a_finger_is_lifted_when_its_page_goes(site: Site) -> None:
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
        "[" * 200,
        b"\x00\x01",
    ],
)
def test_a_malformed_message_ends_that_connection_only(site: Site, message: str | bytes) -> None:
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


def test_a_message_longer_than_any_of_ours_ends_the_connection(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as ws:
            await enter(ws)
            await ws.send_str("x" * 100_000)
            await ws.receive()
            assert ws.close_code == aiohttp.WSCloseCode.MESSAGE_TOO_BIG

    site.visit(visit)


def test_pictures_reach_every_page_and_a_late_one_gets_the_last(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        site.page.publish(PICTURE)
        async with site.box(session) as one, site.box(session) as two:
            await enter(one)
            assert await one.receive_bytes() == PICTURE
            await enter(two)
            assert await two.receive_bytes() == PICTURE
            site.page.publish(PICTURE[::-1])
            assert await one.receive_bytes() == PICTURE[::-1]
            assert await two.receive_bytes() == PICTURE[::-1]

    site.visit(visit)


def test_a_page_too_many_is_turned_away(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.server.MOST_PAGES", 1)

    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as one, site.box(session) as two:
            await enter(one)
            await two.receive()
            assert two.close_code == 4429

    site.visit(visit)


def test_the_end_is_told_to_the_pages(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as ws:
            await enter(ws)
            stopping = asyncio.get_running_loop().run_in_executor(None, site.page.stop, WAIT_S)
            await ws.receive()
            assert ws.close_code in (1000, 1001)  # older servers say the first
            await stopping

    site.visit(visit)


def test_a_taken_port_is_an_error_at_once(site: Site) -> None:
    with pytest.raises(OSError, match="in use"):
        listen("127.0.0.1", site.port)
