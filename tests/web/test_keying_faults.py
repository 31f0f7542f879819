"""No phone can disturb the others with its entries: a thousand send proposals at once, one never
reads, a proposal comes in pieces, truncated, or in another phone's name. Real sockets, real
records."""

import asyncio
import base64
import json
import os
import struct
from contextlib import suppress

import aiohttp
import pytest

from companion.core.keys import Key, Press
from companion.core.values import Json
from tests.web.live import BEGUN, KEEPER, LiveTable, Phone
from tests.web.site import TOKEN

CROWD = 1000


class RawPage:
    """A page that writes its own frames, in pieces of any size, and reads only if the test wants it
    to."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def come(cls, table: LiveTable) -> "RawPage":
        port = int(table.url.rsplit(":", 1)[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        asked = (
            f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {table.url}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n"
        )
        writer.write(asked.encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in answer
        return cls(reader, writer)

    def say(self, said: Json, pieces: int = 1) -> None:
        """Sends one message in that many frames."""
        data = json.dumps(said).encode()
        size = -(-len(data) // pieces)
        parts = [data[at : at + size] for at in range(0, len(data), size)]
        for number, part in enumerate(parts):
            self.writer.write(_frame(part, first=number == 0, last=number == len(parts) - 1))

    async def drip(self, said: Json) -> None:
        """Sends one message, a byte at a time."""
        for byte in _frame(json.dumps(said).encode(), first=True, last=True):
            self.writer.write(bytes([byte]))
            await self.writer.drain()

    async def close(self) -> None:
        """Ends the connection without a closing handshake."""
        self.writer.transport.abort()
        with suppress(ConnectionError):
            await self.writer.wait_closed()


def _frame(data: bytes, *, first: bool, last: bool) -> bytes:
    """A frame of RFC 6455, 5.2, masked like all that clients send."""
    head = bytes([(0x80 if last else 0) | (1 if first else 0)])
    size = (
        bytes([0x80 | len(data)]) if len(data) < 126 else struct.pack("!BH", 0x80 | 126, len(data))
    )
    mask = os.urandom(4)
    return head + size + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))


HELLO = {"n": 0, "hello": TOKEN, "wants": ["wide"]}


def test_a_proposal_in_pieces_counts_once(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        other = await Phone.come(table, session, "other", None)
        raw = await RawPage.come(table)
        raw.say(HELLO)
        raw.say({"n": 1, "role": KEEPER})
        proposal = Phone.proposal(other, "Red draw", surface="phone-raw")
        raw.say({"n": 2, "propose": proposal}, pieces=7)
        await other.until(lambda: other.stands["moment"]["entries"] == 4)
        await raw.drip({"n": 3, "propose": proposal})
        again = Phone.proposal(other, "Red draw", surface="phone-raw", number=2)
        await raw.drip({"n": 4, "propose": again})
        await other.until(lambda: other.stands["moment"]["entries"] == 5)
        await raw.close()

    table.visit(visit)
    assert table.entries() == [*BEGUN.split("\n"), "Red draw", "Red draw"]


@pytest.mark.parametrize("frames", [0, 1, 5])
def test_a_proposal_that_is_cut_off_does_not_count(table: LiveTable, frames: int) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        raw = await RawPage.come(table)
        raw.say(HELLO)
        proposal = Phone.proposal(anna, "Red 6-4", surface="phone-raw")
        data = json.dumps({"n": 1, "propose": proposal}).encode()
        for number in range(frames):
            part = data[number * 20 : number * 20 + 20]
            raw.writer.write(_frame(part, first=number == 0, last=False))
        raw.writer.write(_frame(data[frames * 20 :], first=frames == 0, last=True)[:30])
        await raw.close()
        assert (await anna.keys("Red draw"))["counted"]

    table.visit(visit)
    assert table.entries() == [*BEGUN.split("\n"), "Red draw"]


def test_a_page_that_never_reads_does_not_delay_others(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        deaf = [await RawPage.come(table) for _ in range(5)]
        for raw in deaf:
            raw.say(HELLO)
            raw.say({"n": 1, "role": KEEPER})
            raw.reader._transport.pause_reading()  # type: ignore[attr-defined]
        anna = await Phone.come(table, session, "anna", KEEPER)
        other = await Phone.come(table, session, "other", None)
        for entries in range(4, 12):
            assert (await anna.keys("Red draw"))["counted"]
            for phone in (anna, other):
                await _until_entries(phone, entries)
        for raw in deaf:
            await raw.close()

    table.visit(visit)


async def _until_entries(phone: Phone, number: int) -> None:
    await phone.until(lambda: bool(phone.stands["moment"]["entries"] == number))


def test_a_thousand_simultaneous_proposals_do_not_block_the_box_and_a_phone(
    table: LiveTable,
) -> None:
    """A phone for which there is no room is turned away; the others are refused with a reason."""

    async def propose(session: aiohttp.ClientSession, number: int, seen: Json) -> str:
        try:
            ws = await session.ws_connect("/live", headers={"Origin": table.url})
        except (aiohttp.ClientError, OSError):
            return "turned away"
        named = {"surface": f"phone-crowd{number}", "number": 1, **seen}
        try:
            await ws.send_json({"n": 0, "hello": TOKEN})
            await ws.send_json({"n": 1, "role": KEEPER})
            await ws.send_json({"n": 2, "propose": {**named, "text": "Blue 5-5"}})
            while True:
                heard = await ws.receive()
                if heard.type is not aiohttp.WSMsgType.TEXT:
                    return "turned away"
                if "answer" in heard.json():
                    assert heard.json()["answer"]["counted"] is False
                    return "refused"
        except (aiohttp.ClientError, OSError):
            return "turned away"
        finally:
            await ws.close()

    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        seen = {name: anna.stands["keys"][name] for name in ("run", "game", "tip")}
        async with aiohttp.ClientSession(table.url, connector=_many()) as crowd:
            asked = [asyncio.create_task(propose(crowd, each, seen)) for each in range(CROWD)]
            answer = await anna.keys("Red draw")
            assert answer["counted"], "before the crowd is through"
            for key in (Key.D6, Key.D5, Key.OK):
                table.table.events.put(Press(key))
            await anna.until(lambda: anna.stands["moment"]["entries"] == 5)
            became = await asyncio.gather(*asked)
        assert {"refused", "turned away"} >= {*became}
        assert "refused" in became

    table.visit(visit)
    assert table.entries() == [*BEGUN.split("\n"), "Red draw", "Red 6-5"]


def _many() -> aiohttp.TCPConnector:
    return aiohttp.TCPConnector(limit=0)


def test_a_page_that_uses_another_phone_s_name_is_closed(table: LiveTable) -> None:
    """A message that claims to be another surface's, with its number, makes no second entry."""

    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        proposal = anna.proposal("Red draw")
        assert (await anna.asks(propose=proposal))["counted"]
        mallory = await Phone.come(table, session, "mallory", KEEPER)
        await mallory.until(lambda: mallory.stands["moment"]["entries"] == 4)
        await mallory.say(propose={**proposal, "text": "Red 6-4"})
        while (await mallory._ws.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert mallory._ws.close_code == 4400

    table.visit(visit)
    assert table.entries() == [*BEGUN.split("\n"), "Red draw"]


@pytest.mark.parametrize(
    ("where", "headers"),
    [
        ("/live", {"Origin": "http://evil.example"}),
        ("/live", {}),
        ("/live", {"Origin": "http://127.0.0.1:1", "Host": "evil.example"}),
        ("/catalog.js", {"Host": "evil.example"}),
        ("/drawing.css", {"Host": "evil.example"}),
        ("/tv", {"Host": "evil.example:80"}),
        ("/token", {"Host": "evil.example"}),
        ("/token", {"Sec-Fetch-Site": "cross-site"}),
    ],
    ids=str,
)
def test_no_route_answers_a_page_of_another_site(
    table: LiveTable, where: str, headers: dict[str, str]
) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        upgrade = {"Upgrade": "websocket", "Connection": "Upgrade"} if where == "/live" else {}
        async with session.get(where, headers={**upgrade, **headers}) as answer:
            assert answer.status == 403
            assert TOKEN not in await answer.text()

    table.visit(visit)
