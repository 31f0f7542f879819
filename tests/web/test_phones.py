"""How phones are let in, over real sockets: opening the network, keeping a phone for other
evenings, new codes, and the end of the evening."""

import ipaddress
import re
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import aiohttp
import pytest

from companion.core.box_page import PageRequest, Phones
from companion.core.clock import BREAK_S
from companion.record.store.store import Store
from companion.web.address import network_address, qr_text
from companion.web.viewer import NOT_ALLOWED
from tests.catalog import GAMES
from tests.waiting import WAIT_S, until
from tests.web.live import KEEPER, LiveTable, Phone, keep
from tests.web.site import KEEP, TOKEN, WATCH
from tests.web.test_invitation import enter, told, typed

LAYS = "hand\nRed 6-4"


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[LiveTable]:
    """A table that only this machine can reach."""
    keep(tmp_path / "record.db", LAYS)
    table = LiveTable(tmp_path / "record.db")
    yield table
    table.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    keep(tmp_path / "record.db", LAYS)
    table = LiveTable(tmp_path / "record.db", lan=True)
    yield table
    table.close()


def in_a_network() -> bool:
    """Whether this machine has an address that others can reach."""
    with suppress(ValueError):
        return bool(ipaddress.ip_address(network_address()))
    return False


def reached(host: str, port: int) -> bool:
    """Whether something listens at that port."""
    try:
        socket.create_connection((host, port), WAIT_S).close()
    except OSError:
        return False
    return True


async def sent_away(ws: Any) -> int | None:
    """Waits for the end of a connection; returns its close code."""
    async for _ in ws:
        pass
    code: int | None = ws.close_code
    return code


# ---------------------------------------------------------------- opening


def test_phones_are_let_in_from_the_running_program(alone: LiveTable) -> None:
    port, here = int(alone.url.rpartition(":")[2]), network_address()

    async def visit(session: aiohttp.ClientSession) -> None:
        assert not reached(here, port)
        async with session.get("/", headers={"Host": f"{here}:{port}"}) as answer:
            assert answer.status == 403
        ws = await enter(alone, session, TOKEN)
        await ws.send_json({"n": 1, "invite": True})
        invite = await told(ws, "invite")
        assert invite["address"] == f"http://{here}:{port}/"
        if not in_a_network():
            return  # the machine has only its name, by which nobody finds it
        async with aiohttp.ClientSession(f"http://{here}:{port}") as other:
            async with other.get("/") as answer:
                assert answer.status == 200
            async with other.get("/token") as answer:
                assert answer.status == 404
            assert await typed_at(f"http://{here}:{port}", other, invite["digits"]) == TOKEN
        await ws.send_json({"n": 2})  # who was there stays
        assert await told(ws, "n") in (1, 2)

    alone.visit(visit)


async def typed_at(url: str, session: aiohttp.ClientSession, digits: str) -> Any:
    async with session.ws_connect("/live", headers={"Origin": url}) as ws:
        await ws.send_json({"n": 0, "digits": digits})
        return (await ws.receive_json())["word"]


def test_a_port_in_use_is_reported_and_the_page_goes_on(alone: LiveTable) -> None:
    port = int(alone.url.rpartition(":")[2])

    async def visit(session: aiohttp.ClientSession) -> None:
        with socket.create_server(("127.0.0.2", port)):
            ws = await enter(alone, session, TOKEN)
            await ws.send_json({"n": 1, "invite": True})
            heard = await ws.receive_json()
            while "invite" not in heard:
                heard = await ws.receive_json()
            assert heard == {
                "invite": None,
                "why": "The page can't be opened to the network (Address already in use).",
            }
        await (await enter(alone, session, TOKEN)).close()
        await ws.send_json({"n": 2, "invite": True})
        assert (await told(ws, "invite"))["digits"]

    alone.visit(visit)


def test_a_code_leads_to_the_table_with_its_access_code(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        path = qr_text("http://here", TOKEN).removeprefix("http://HERE")
        assert path == f"/{TOKEN.upper()}"
        async with session.get(path, allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (302, f"/#{TOKEN}")
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        for other in (f"/{TOKEN}1", f"/{TOKEN[:-1]}", f"/{TOKEN[:-1]}0"):
            async with session.get(other) as answer:
                assert answer.status == 404

    table.visit(visit)


# ---------------------------------------------------------------- keeping, new codes


def test_a_phone_gets_the_keep_code_and_gives_it_back(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        ws = await enter(table, session, TOKEN)
        await ws.send_json({"n": 1, "keep": True})
        assert await ws.receive_json() in ({"n": 1}, {"word": KEEP, "kept": True})
        await ws.send_json({"n": 2, "keep": False})
        assert await told(ws, "word") in (KEEP, TOKEN)
        again = await session.ws_connect("/live", headers={"Origin": table.url})
        await again.send_json({"n": 0, "hello": KEEP, "wants": []})
        assert await again.receive_json() == {"n": 0, "kept": True}

    table.visit(visit)


def test_new_codes_end_all_codes_except_the_requester_s(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        asks = await enter(table, session, TOKEN)
        others = [await enter(table, session, word) for word in (TOKEN, WATCH, KEEP)]
        await asks.send_json({"n": 1, "newCodes": True})
        word = await told(asks, "word")
        assert [await sent_away(ws) for ws in others] == [NOT_ALLOWED] * 3
        await asks.send_json({"n": 2})
        assert await told(asks, "n") in (1, 2)
        for old in (TOKEN, WATCH, KEEP):
            ws = await session.ws_connect("/live", headers={"Origin": table.url})
            await ws.send_json({"n": 0, "hello": old, "wants": ["wide"]})
            assert await sent_away(ws) == NOT_ALLOWED
        await (await enter(table, session, word)).close()
        async with session.get("/token") as answer:
            assert (await answer.json())["token"] == word

    table.visit(visit)


def test_nothing_from_a_page_that_is_sent_away_counts(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        asks = await enter(table, session, TOKEN)
        other = await enter(table, session, TOKEN)
        await asks.send_json({"n": 1, "newCodes": True})
        await told(asks, "word")
        with suppress(ConnectionError):  # it is closed at once, or soon
            for number in range(50):
                await other.send_json({"n": number, "key": "5", "down": True})
        await sent_away(other)

    table.visit(visit)
    assert table.moves == []


# ---------------------------------------------------------------- the box


def test_the_box_shows_an_invitation_and_requests_new_codes(alone: LiveTable) -> None:
    heard = alone.phones

    async def visit(session: aiohttp.ClientSession) -> None:
        port, here = int(alone.url.rpartition(":")[2]), network_address()
        page = alone.page
        page.ask(PageRequest.SHOW)
        assert await newest(heard, lambda phones: True) == Phones(open=False)
        page.ask(PageRequest.OPEN)
        phones = await newest(heard, lambda phones: bool(phones.digits))
        assert phones.address == f"http://{here}:{port}"
        assert re.fullmatch(r"\d{4}", phones.digits)
        assert await typed(alone, session, digits=phones.digits) == TOKEN
        page.ask(PageRequest.NEW_CODES)
        renewed = await newest(heard, lambda one: one.code not in ((), phones.code))
        assert renewed.digits == phones.digits
        assert await typed(alone, session, digits=phones.digits) not in (None, TOKEN)
        page.ask(PageRequest.HIDE)
        assert (await newest(heard, lambda one: not one.digits)).code == ()
        assert await typed(alone, session, digits=phones.digits) is None

    alone.visit(visit)


async def newest(heard: "SimpleQueue[Phones]", fits: Any) -> Phones:
    """The first message to the box that `fits`."""
    while True:
        await until(lambda: not heard.empty())
        if fits(one := heard.get()):
            return one


# ---------------------------------------------------------------- the evening


def test_an_evening_that_is_over_is_hidden_from_watchers(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    keep(path, LAYS, at=time.time() - BREAK_S - 60)
    table = LiveTable(path, lan=True)

    async def visit(session: aiohttp.ClientSession) -> None:
        refused = await session.ws_connect("/live", headers={"Origin": table.url})
        await refused.send_json({"n": 0, "hello": TOKEN, "wants": ["wide"]})
        assert await sent_away(refused) == NOT_ALLOWED, "the word was for that evening"
        watcher = await session.ws_connect("/live", headers={"Origin": table.url})
        await watcher.send_json({"n": 0, "hello": WATCH, "wants": ["box", "wide"]})
        assert (await told(watcher, "moment"))["game"] is None
        await watcher.send_json({"n": 1, "preview": {"id": 1, "text": "Blue draw"}})
        assert (await told(watcher, "preview"))["refused"]["key"] == "asks.game"
        player = await session.ws_connect("/live", headers={"Origin": table.url})
        await player.send_json({"n": 0, "hello": KEEP, "wants": ["wide"]})
        assert (await told(player, "moment"))["game"] is not None

    try:
        table.visit(visit)
    finally:
        table.close()


def test_watchers_see_the_evening_that_is_played(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        watcher = await session.ws_connect("/live", headers={"Origin": table.url})
        await watcher.send_json({"n": 0, "hello": WATCH, "wants": ["wide"]})
        assert (await told(watcher, "moment"))["game"] is not None

    table.visit(visit)


def test_the_newest_row_of_a_game_is_known_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    keep(path, LAYS, at=1_760_000_000.0)
    with Store.open(path, GAMES) as store:
        assert store.last_game_row() == (store.last_row(), 1_760_000_000.0)
    with Store.open(tmp_path / "empty.db", GAMES) as store:
        assert store.last_game_row() == (0, None)


@pytest.mark.parametrize("plays_first", [True, False])
def test_a_clock_that_the_network_sets_late_sends_nobody_away(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch, plays_first: bool
) -> None:
    """The box starts with last week's time; two phones come, one of which may already make an
    entry, and the third comes after the clock was set."""
    idle = table.page._access_rules.codes._idle

    async def visit(_: aiohttp.ClientSession) -> None:
        async with aiohttp.ClientSession(table.url) as session:  # none of this machine's own
            anna = await Phone.come(table, session, "anna", KEEPER)
            ben = await Phone.come(table, session, "ben", None)
            if plays_first:
                assert (await anna.keys("Red 6-6"))["counted"]
            monkeypatch.setattr(idle, "_wall", lambda: time.time() + 7 * 24 * 3600)
            await Phone.come(table, session, "cleo", None)
            for there in (anna, ben):
                await there.preview("Blue draw")
                await there.leave()

    table.visit(visit)
