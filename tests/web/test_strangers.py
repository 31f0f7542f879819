"""The server with hostile visitors: floods, silence and nonsense, over real sockets."""

import gc
import json
import socket
import struct
from contextlib import suppress
from threading import Event

import aiohttp
import pytest
from aiohttp import web

from companion.core.budgets import MESSAGES, PAGES_OF_TABLE
from companion.core.keys import Key
from companion.core.values import changed
from companion.web.access import security_headers
from companion.web.connection_limits import FAULT_BURST as FAULTS_AT_ONCE
from companion.web.key_pacing import KeyPace
from tests.waiting import WAIT_S, wait_until
from tests.web.site import TOKEN, Site, enter


class Line:
    """A connection without a browser."""

    def __init__(self, site: Site, *said: bytes) -> None:
        self._socket = socket.create_connection(("127.0.0.1", site.port), WAIT_S)
        self._site = site
        for one in said:
            self._socket.sendall(one)

    @classmethod
    def upgraded(cls, site: Site) -> "Line":
        """A connection that has requested the WebSocket, and has not sent its hello."""
        line = cls.upgrading(site)
        assert b" 101 " in line.hear()
        return line

    @classmethod
    def upgrading(cls, site: Site) -> "Line":
        """A connection that has requested the WebSocket, and has not read the answer."""
        return cls(
            site,
            f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nOrigin: {site.url}\r\n".encode(),
            b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n",
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        )

    def say(self, text: str) -> None:
        data = text.encode()
        self._socket.sendall(bytes((0x81, 0x80 | len(data))) + bytes(4) + data)

    def hear(self) -> bytes:
        """The next bytes; empty if the connection has ended."""
        try:
            return self._socket.recv(65536)
        except ConnectionError:
            return b""

    def hear_all(self) -> bytes:
        """All bytes until the connection ends."""
        with self._socket:
            return b"".join(iter(self.hear, b""))

    def leave(self, abruptly: bool = False) -> None:
        if abruptly:  # a reset, not an end
            gone = struct.pack("ii", 1, 0)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, gone)
        self._socket.close()


def test_a_page_that_presses_faster_than_hands_is_sent_away(site: Site) -> None:
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

    slow = KeyPace(0.02, 0.02)
    assert site.page._server
    site.page._server._keyboard._pace = slow
    site.visit(visit)
    while site.next_move() != (Key.D6, True):
        pass
    assert site.moves.qsize() <= 2, "and what the flood sent is forgotten"


def test_a_page_that_asks_too_often_is_answered_at_a_limited_rate(site: Site) -> None:
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
            assert answers <= MESSAGES.most + WAIT_S * (MESSAGES.per_s or 0)

    site.visit(visit)


def test_a_client_without_a_hello_does_not_keep_its_place(
    lan_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.server.PAGES_OF_TABLE", changed(PAGES_OF_TABLE, most=1))
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
def test_the_server_does_not_wait_forever_for_a_request(
    lan_site: Site, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr("companion.web.connection_limits.REQUEST_WITHIN_S", 0.05)
    monkeypatch.setattr("companion.web.connection_limits.ANSWER_DONE_WITHIN_S", 0.1)
    Line(lan_site, said).hear_all()


def test_the_server_waits_only_so_long_for_a_hello(
    lan_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Line.upgraded(lan_site)
    page.say(json.dumps({"n": 0, "hello": TOKEN}))
    assert page.hear().endswith(b'{"n": 0}')
    server = lan_site.page._server
    assert server
    wait_until(lambda: not server._limits._strangers)  # so its time is not limited
    monkeypatch.setattr("companion.web.connection_limits.REQUEST_WITHIN_S", 0.2)
    monkeypatch.setattr("companion.web.connection_limits.ANSWER_DONE_WITHIN_S", 0.4)
    silent = Line.upgraded(lan_site)
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
def test_every_answer_has_the_security_headers_and_hides_the_version(
    lan_site: Site, capsys: pytest.CaptureFixture[str], said: bytes
) -> None:
    answer = Line(lan_site, said).hear_all()
    head = answer.partition(b"\r\n\r\n")[0].decode().lower()
    assert head.startswith("http/1.")
    for name in security_headers("localhost"):
        assert f"\n{name.lower()}: " in head, name
    assert head.count("\nserver: companion\r") == 1
    assert b"python" not in answer.lower()
    assert b"aiohttp" not in answer.lower()
    lan_site.page.stop()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("path", ["/", "/tv", "/overlay", "/nothing"])
def test_only_the_page_that_takes_photos_may_use_the_camera(site: Site, path: str) -> None:
    answer = Line(site, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()).hear_all()
    allowed = "camera=(self)" if path == "/" else "camera=()"
    assert f"Permissions-Policy: {allowed}, microphone=(), geolocation=()\r\n" in answer.decode()


def test_a_fault_of_ours_is_logged_and_answered_with_the_usual_headers(
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


@pytest.mark.parametrize("path", ["/", "/open", "/check", "/nowhere"])
def test_a_damaged_compressed_body_is_no_fault_of_ours(
    site: Site, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Encoding: gzip\r\n"
    answer = Line(site, f"{said}Content-Length: 5\r\n\r\nxxxxx".encode()).hear_all()
    assert b" 500 " not in answer
    site.page.stop()
    assert capsys.readouterr().err == ""


def test_a_client_that_leaves_before_the_answer_is_no_fault_of_ours(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    held, done = Event(), Event()

    def hold() -> None:
        held.set()
        done.wait(WAIT_S)

    for _ in range(20):
        assert site.page._loop
        held.clear()
        done.clear()
        site.page._loop.call_soon_threadsafe(hold)
        assert held.wait(WAIT_S)
        Line.upgrading(site).leave(abruptly=True)
        done.set()
    assert b" 200 " in Line(site, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").hear_all()
    site.page.stop()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "said", ["", '{"n": 0, "hello": "wrong"}', f'{{"n": 0, "hello": "{TOKEN}"}}']
)
def test_a_client_that_leaves_during_hello_leaves_nothing_behind(
    lan_site: Site,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    said: str,
) -> None:
    monkeypatch.setattr("companion.web.server.WRONG_CODE_PAUSE_S", 0.01)
    gc.collect()
    gc.freeze()  # so what other tests left is not searched each time
    for number in range(40):
        line = Line.upgraded(lan_site)
        if said:
            line.say(said)
        line.leave(abruptly=number % 2 == 0)
    assert lan_site.page._server

    def left() -> int:
        gc.collect()
        return sum(isinstance(one, web.WebSocketResponse) for one in gc.get_objects())

    wait_until(lambda: left() == 0)
    gc.unfreeze()
    lan_site.page.stop()
    assert capsys.readouterr().err == ""
