"""A phone types the address of a hub: the box connects only to a hub in the network."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from companion.app.catalog import CATALOG
from companion.app.club import BoxClub
from companion.club.box import hub_connection
from companion.club.box.hub_connection import ClubError, HubConnection, join, socket_address
from companion.club.box.keys import KeyPair
from companion.club.box.membership import Membership
from companion.core.club import Club, ClubRequest, ClubRequestKind, ClubStep
from companion.record.store.store import Store
from companion.table.events import FromClub
from tests.waiting import wait_until


@asynccontextmanager
async def server(asked: list[str], to: str = "") -> AsyncIterator[str]:
    """A server on this machine that records its requests, and redirects to `to`."""

    async def answer(request: web.Request) -> web.Response:
        asked.append(request.path_qs)
        return web.Response(status=302, headers={"Location": to}) if to else web.Response()

    app = web.Application()
    app.router.add_get("/{anything:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield str(runner.addresses[0][1])
    finally:
        await runner.cleanup()


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "127.1", "2130706433", "[::ffff:7f00:1]"]
)
def test_addresses_on_the_box_itself_are_not_contacted(host: str) -> None:
    async def go() -> list[str]:
        asked: list[str] = []
        async with server(asked) as port:
            with pytest.raises(ClubError, match="can't be reached"):
                await join(f"{host}:{port}", KeyPair.generate(), "Kitchen", limited=True)
            assert asked == []
            # At the box itself, or by a command, a hub on the same machine is as good as any.
            with pytest.raises(ClubError):
                await join(f"127.0.0.1:{port}", KeyPair.generate(), "Kitchen")
        return asked

    assert asyncio.run(go()) == ["/club"]


def test_no_redirect_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_host: str) -> bool:
        return False  # as if this machine were another one in the network

    monkeypatch.setattr(hub_connection, "is_unreachable_for_phones", none)

    async def go() -> tuple[list[str], list[str]]:
        first: list[str] = []
        second: list[str] = []
        async with server(second) as there, server(first, f"http://127.0.0.1:{there}/x") as port:
            with pytest.raises(ClubError):
                await join(f"127.0.0.1:{port}", KeyPair.generate(), "Kitchen", limited=True)
            with pytest.raises(ClubError):
                await join(f"127.0.0.1:{port}", KeyPair.generate(), "Kitchen")
        return first, second

    assert asyncio.run(go()) == (["/club", "/club"], ["/x"])


def test_a_forbidden_address_typed_on_a_phone_is_reported(tmp_path: Path) -> None:
    told = list[FromClub]()
    with Store.open(tmp_path / "record.db", CATALOG.rules) as store:
        club = BoxClub(store, CATALOG.rules, told.append)
        club.start()
        for address in ("http://127.0.0.1:1/admin?x=", "127.0.0.1:1"):
            asked = len(told)
            club.ask(ClubRequest(ClubRequestKind.JOIN, address, by_phone=True))
            wait_until(lambda asked=asked: len(told) > asked + 1 and bool(_why(told)))  # type: ignore[misc]
        assert _why(told) == "127.0.0.1:1 is the box itself: type that at the box"
        club.stop()


def _why(told: list[FromClub]) -> str:
    last = told[-1]
    return last.why if isinstance(last, Club) and last.step is ClubStep.NONE else ""


def test_a_limited_membership_also_limits_further_hubs(tmp_path: Path) -> None:
    keys, record = KeyPair.generate(), tmp_path / "record.db"
    typed = Membership(keys, keys.public, "Club", "hub.example", "Kitchen", is_limited=True)
    typed.save(record)
    assert Membership.load(record) == typed
    assert typed.at_address("hub.example").is_limited and typed.at_address("10.0.0.7").is_limited
    at_box = Membership(keys, keys.public, "Club", "192.168.1.20:8070", "Kitchen")
    assert not at_box.at_address("192.168.1.20:8070").is_limited
    assert at_box.at_address("127.0.0.1:22").is_limited
    here = Membership(keys, keys.public, "Club", "127.0.0.1:8070", "Kitchen")
    assert not here.at_address("127.0.0.1:8071").is_limited

    async def go() -> Any:
        with pytest.raises(ClubError, match="can't be reached"):
            async with HubConnection.open(at_box.at_address("127.0.0.1:22")):
                pass

    asyncio.run(go())


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("192.168.1.20", "ws://192.168.1.20:8070/club"),
        (" 192.168.1.20:80 ", "ws://192.168.1.20:80/club"),
        ("2001:db8::7", "ws://[2001:db8::7]:8070/club"),
        ("[2001:db8::7]", "ws://[2001:db8::7]:8070/club"),
        ("[2001:db8::7]:80", "ws://[2001:db8::7]:80/club"),
        ("https://club.example/", "wss://club.example/club"),
        ("http://[2001:db8::7]:8080", "ws://[2001:db8::7]:8080/club"),
    ],
)
def test_an_ipv6_address_gets_the_default_port(typed: str, asked: str) -> None:
    assert socket_address(typed) == asked
