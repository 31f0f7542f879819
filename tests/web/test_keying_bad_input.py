"""Invalid messages about entries: they have no effect, or end the connection."""

from contextlib import suppress

import aiohttp
import pytest

from tests.web.live import BEGUN, KEEPER, LiveTable, Phone

BAD: list[dict[str, object]] = [
    {"propose": 5},
    {"propose": {}},
    {"propose": {"surface": "phone-x", "run": 1, "number": 0, "game": 1, "tip": "", "text": ""}},
    {"propose": {"surface": "E6614", "run": 1, "number": 1, "game": 1, "tip": "", "text": ""}},
    {"propose": {"surface": "phone-x", "run": 1, "number": 1, "game": 1, "tip": "zz", "text": ""}},
    {"propose": {"surface": "phone-x", "run": 1, "number": 1, "game": 1, "tip": "", "text": 5}},
    {"propose": {"surface": "phone-x", "run": 1, "number": 1, "game": -1, "tip": "", "text": ""}},
    {
        "propose": {
            "surface": "phone-x",
            "run": 2**60,
            "number": 1,
            "game": 1,
            "tip": "",
            "text": "",
        }
    },
    {"preview": []},
    {"preview": {"id": "1", "text": ""}},
    {"preview": {"id": 1, "text": "", "deed": []}},
    {"preview": {"id": 1, "text": "", "at": True}},
    {"became": {"surface": "phone-x"}},
    {"moved": {"surface": "box", "row": 1}},
    {"moved": {"surface": "phone-X y", "row": 1}},
    {"moved": {"surface": "phone-x", "row": "1"}},
    {"role": {"name": "king"}},
    {"role": {"name": "seat", "seat": 5}},
    {"role": {"name": "seat"}},
    {"role": {"name": "seat", "seat": "\ud800"}},
    {"preview": {"id": 1, "text": "\ud800"}},
]


TOO_LARGE: list[dict[str, object]] = [
    {"n": 2**70},
    {"n": True},
    {"preview": {"id": 2**70, "text": ""}},
    {"preview": {"id": 1, "text": "", "at": 2**70}},
    {"preview": {"id": 1, "text": "", "later_turns": 2**70}},
    {"became": {"surface": "phone-x", "run": 2**70, "number": 1}},
    {"became": {"surface": "phone-x", "run": 1, "number": 2**53 - 1}},
    {"moved": {"surface": "phone-x", "row": 2**70}},
    {"decline": 2**70},
    {"panel": {"name": "older", "before": 2**70}},
    {"panel": {"name": "older", "before": -1}},
    {"panel": {"name": "new", "players": 2**70}},
    {"panel": {"name": "new", "players": 10**400}},
    {"example": 2**70},
    {"example": True},
]
"""Numbers larger than any that our pages send."""


@pytest.mark.parametrize("message", [*BAD, *TOO_LARGE], ids=str)
def test_invalid_messages_end_the_connection(table: LiveTable, message: dict[str, object]) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        ws = await session.ws_connect("/live", headers={"Origin": table.url})
        await ws.send_json({"n": 0, "hello": "abcdefgh23456723"})
        assert await ws.receive_json() == {"n": 0}
        await ws.send_json({"n": 1, **message})
        while (heard := await ws.receive()).type is aiohttp.WSMsgType.TEXT:
            assert "role" in heard.json()
        assert ws.close_code == 4400

    table.visit(visit)
    assert table.entries() == BEGUN.split("\n")


@pytest.mark.parametrize("at", [-1, 0, 99, 2**52])
@pytest.mark.parametrize("deed", ["change", "insert", "rewind"])
def test_an_impossible_place_is_refused(table: LiveTable, deed: str, at: int) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        looked = await anna.preview("nonsense", deed=deed, at=at)
        assert looked["refused"] or deed == "rewind"
        if at:
            assert not (await anna.keys("Red 6-4", deed=deed, at=at))["counted"]

    if at >= 0:
        table.visit(visit)
        assert table.entries() == BEGUN.split("\n")


def test_too_many_proposals_at_once_end_the_connection(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        ws = await session.ws_connect("/live", headers={"Origin": table.url})
        await ws.send_json({"n": 0, "hello": "abcdefgh23456723"})
        await ws.send_json({"n": 1, "role": KEEPER})
        with suppress(ConnectionError):  # it may be closed while there is more to say
            for number in range(1, 400):
                identity = {"surface": "phone-x", "run": 1, "number": number}
                await ws.send_json({"n": number + 1, "became": identity})
        while (await ws.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert ws.close_code in (4429, 1006)  # older servers don't wait till that is heard
        anna = await Phone.come(table, session, "anna", KEEPER)
        assert (await anna.keys("Red draw"))["counted"]

    table.visit(visit)
