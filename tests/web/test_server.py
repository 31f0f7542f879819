"""The server as strangers and friends meet it, over real sockets."""

import asyncio
import gc
import json
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from threading import Event
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from companion.keys import Key
from companion.threads import NamedThread
from companion.web.codes import Codes, SecretWords
from companion.web.faults import BURST as FAULTS_AT_ONCE
from companion.web.guard import Guard, headers
from companion.web.messages import MESSAGES_AT_ONCE, MESSAGES_PER_S
from companion.web.pace import Pace
from companion.web.page import Page
from companion.web.reach import listen
from tests.web.visits import Visit, visit_at

WAIT_S = 10
TOKEN = "abcdefgh23456723"
CODES = Codes(SecretWords(TOKEN))
PICTURE = bytes(range(256)) * 4


class Site:
    """A running page and what its visitors do to the keys."""

    def __init__(self, open_to_all: bool) -> None:
        listening = listen("127.0.0.1", 0)
        self.port = listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.moves: SimpleQueue[tuple[Key, bool]] = SimpleQueue()
        guard = Guard(CODES, open_to_all=open_to_all)
        self.page = Page(0.0, 0.0)
        self.spells = False
        self.letters: list[str] = []
        self.page.start(listening, guard, lambda *move: self.moves.put(move), self.type_letter)
        assert self.page.wait_until_ready(WAIT_S)

    def type_letter(self, letter: str) -> bool:
        """As a box on which a name is spelled, or none."""
        if self.spells:
            self.letters.append(letter)
        return self.spells

    def visit(self, visit: Visit) -> None:
        """Runs a visitor to its end."""
        visit_at(self.url, visit, WAIT_S)

    def next_move(self) -> tuple[Key, bool]:
        return self.moves.get(timeout=WAIT_S)

    def box(self, session: aiohttp.ClientSession, **more: Any) -> Any:
        headers = {"Origin": self.url} | more.pop("headers", {})
        return session.ws_connect("/live", headers=headers, **more)


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


@pytest.mark.parametrize(
    "path", ["/", "/box.js", "/token", "/box", "/tv", "/live", "/drawing.css", "/nowhere"]
)
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
            await session.ws_connect("/live")

    site.visit(visit)


def test_the_token_is_told_on_this_machine_only(site: Site, lan_site: Site) -> None:
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
def test_without_the_token_nothing_can_be_pressed(lan_site: Site, hello: object) -> None:
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
def test_a_letter_is_one_where_a_name_is_spelled_and_else_the_key_it_stands_for(
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
        '{"n": 1, "letter": 5}',
        '{"n": 1, "letter": ""}',
        '{"n": 1, "letter": "ab"}',
        '{"n": 1, "letter": ["a"]}',
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


def test_a_page_too_many_is_turned_away(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.server.MOST_PAGES", 1)

    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as one, site.box(session) as two:
            await enter(one)
            await two.send_json({"n": 0, "hello": TOKEN})
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


def test_a_page_that_still_loads_is_not_waited_for() -> None:
    page = Page(0.0, 0.0)
    loading = Event()

    def load_slowly() -> None:
        loading.wait(WAIT_S)
        page._run()

    page._thread = NamedThread("page", load_slowly)
    page.start(listen("127.0.0.1", 0), Guard(CODES), lambda *_: None)
    page.stop(wait_s=100.0)
    loading.set()
    page._thread.join(WAIT_S)
    assert not page._thread.is_alive()


def test_a_page_that_waits_serves_when_somebody_comes_and_shows_them_the_newest() -> None:
    page, listening = Page(0.0, 0.0), listen("127.0.0.1", 0)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    page.publish(lambda: bytes(1024))
    page.start(listening, Guard(CODES), lambda *_: None, waits=True)
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


def test_a_page_to_which_nobody_came_ends_at_once() -> None:
    page = Page(0.0, 0.0)
    page.start(listen("127.0.0.1", 0), Guard(CODES), lambda *_: None, waits=True)
    page.stop()
    page._thread.join(WAIT_S)
    assert not page._thread.is_alive()
    Page(0.0, 0.0).stop()


def test_a_taken_port_is_an_error_at_once(site: Site) -> None:
    with pytest.raises(OSError, match="in use"):
        listen("127.0.0.1", site.port)


# ---------------------------------------------------------------- floods and strangers


class Line:
    """A connection without a browser."""

    def __init__(self, site: Site, *said: bytes) -> None:
        self._socket = socket.create_connection(("127.0.0.1", site.port), WAIT_S)
        self._site = site
        for one in said:
            self._socket.sendall(one)

    @classmethod
    def upgraded(cls, site: Site) -> "Line":
        """One that has asked for the keys, and has said no hello."""
        line = cls(
            site,
            f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nOrigin: {site.url}\r\n".encode(),
            b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n",
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        )
        assert b" 101 " in line.hear()
        return line

    def say(self, text: str) -> None:
        data = text.encode()
        self._socket.sendall(bytes((0x81, 0x80 | len(data))) + bytes(4) + data)

    def hear(self) -> bytes:
        """What comes next; nothing: the connection was ended."""
        try:
            return self._socket.recv(65536)
        except ConnectionError:
            return b""

    def hear_all(self) -> bytes:
        """Everything until the connection is ended."""
        with self._socket:
            return b"".join(iter(self.hear, b""))

    def leave(self, abruptly: bool = False) -> None:
        if abruptly:  # a reset, not an end
            gone = struct.pack("ii", 1, 0)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, gone)
        self._socket.close()


def test_a_page_that_presses_faster_than_hands_is_sent_away_and_the_others_stay(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as flood, site.box(session) as other:
            await enter(flood)
            await enter(other)
            with suppress(ConnectionError):
                for number in range(1, 2001):
                    await flood.send_json({"n": number, "key": "5", "down": number % 2 == 1})
            while (await flood.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
            assert flood.close_code in (4429, 1006)  # older servers don't wait till that is heard
            await other.send_json({"n": 1, "key": "6", "down": True})
            assert await other.receive_json() == {"n": 1}

    slow = Pace(0.02, 0.02)
    assert site.page._server
    site.page._server._keyboard._pace = slow
    site.visit(visit)
    while site.next_move() != (Key.D6, True):
        pass
    assert site.moves.qsize() <= 2, "and what the flood sent is forgotten"


def test_a_page_that_only_asks_is_answered_at_a_pace(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as flood:
            await enter(flood)
            with suppress(ConnectionError):
                for number in range(1, 5000):
                    await flood.send_json({"n": number})
            answers = 0
            while (await flood.receive()).type is aiohttp.WSMsgType.TEXT:
                answers += 1
            assert flood.close_code in (4429, 1006)
            assert answers <= MESSAGES_AT_ONCE + WAIT_S * MESSAGES_PER_S

    site.visit(visit)


def test_who_says_no_hello_holds_no_place(lan_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.server.MOST_PAGES", 1)
    silent = [Line.upgraded(lan_site) for _ in range(40)]

    async def visit(session: aiohttp.ClientSession) -> None:
        async with lan_site.box(session) as page:
            await enter(page)

    lan_site.visit(visit)
    for line in silent:
        line.leave()


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTT",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\nx",
    ],
)
def test_a_request_that_does_not_come_is_not_waited_for(
    lan_site: Site, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr("companion.web.door.ASK_WITHIN_S", 0.05)
    monkeypatch.setattr("companion.web.door.DONE_WITHIN_S", 0.1)
    Line(lan_site, said).hear_all()


def test_a_hello_that_does_not_come_is_not_waited_for_and_one_that_came_lets_stay(
    lan_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.door.ASK_WITHIN_S", 0.2)
    monkeypatch.setattr("companion.web.door.DONE_WITHIN_S", 0.4)
    page, silent = Line.upgraded(lan_site), Line.upgraded(lan_site)
    page.say(json.dumps({"n": 0, "hello": TOKEN}))
    assert page.hear().endswith(b'{"n": 0}')
    silent.hear_all()
    page.say('{"n": 1}')
    assert page.hear().endswith(b'{"n": 1}')
    page.leave()


MALFORMED_HTTP = [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    b"NONSENSE\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nA: " + b"x" * 20_000 + b"\r\n\r\n",
    b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: tea\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"BREW / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
]


@pytest.mark.parametrize("said", MALFORMED_HTTP)
def test_every_answer_carries_the_headers_and_names_no_version(
    lan_site: Site, capsys: pytest.CaptureFixture[str], said: bytes
) -> None:
    answer = Line(lan_site, said).hear_all()
    head = answer.partition(b"\r\n\r\n")[0].decode().lower()
    assert head.startswith("http/1.")
    for name in headers("localhost"):
        assert f"\n{name.lower()}: " in head, name
    assert head.count("\nserver: companion\r") == 1
    assert b"python" not in answer.lower()
    assert b"aiohttp" not in answer.lower()
    lan_site.page.stop()
    assert capsys.readouterr().err == ""


def test_a_fault_of_ours_is_written_down_and_told_like_all_answers(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.web.files.STATIC", None)
    request = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    answers = [Line(site, request).hear_all() for _ in range(50)]
    assert all(b" 500 " in answer and b"Server: companion" in answer for answer in answers)
    site.page.stop()
    told = capsys.readouterr().err
    assert told.count("Traceback") == FAULTS_AT_ONCE
    assert "TypeError" in told


@pytest.mark.parametrize(
    "said", ["", '{"n": 0, "hello": "wrong"}', f'{{"n": 0, "hello": "{TOKEN}"}}']
)
def test_who_leaves_during_hello_leaves_nothing_behind(
    lan_site: Site,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    said: str,
) -> None:
    monkeypatch.setattr("companion.web.server.WRONG_TOKEN_PAUSE_S", 0.01)
    for number in range(40):
        line = Line.upgraded(lan_site)
        if said:
            line.say(said)
        line.leave(abruptly=number % 2 == 0)
    assert lan_site.page._server

    def left() -> int:
        gc.collect()
        return sum(isinstance(one, web.WebSocketResponse) for one in gc.get_objects())

    until(lambda: left() == 0)
    lan_site.page.stop()
    assert capsys.readouterr().err == ""


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)
