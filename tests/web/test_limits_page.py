"""The messages for people who are refused because of a limit."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from companion.core.budgets import NEW_CONNECTIONS_OF_ADDRESS, PAGES_OF_TABLE, REQUESTS
from companion.core.values import changed
from companion.web import connection_limits
from tests.web.in_browser import WAIT_MS, Site, let_in
from tests.web.in_browser import pytestmark as browsers
from tests.web.live import LiveTable


@pytest.fixture
def no_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives this machine's own address the limits of all others."""
    monkeypatch.setattr(connection_limits, "is_loopback", lambda _: False)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    with closing(LiveTable(tmp_path / "record.db", lan=True)) as table:
        yield table


@pytest.mark.usefixtures("no_loopback")
def test_a_refused_connection_gets_an_explanation(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = changed(NEW_CONNECTIONS_OF_ADDRESS, most=2)
    monkeypatch.setattr(connection_limits, "NEW_CONNECTIONS_OF_ADDRESS", limit)

    async def visit(session: aiohttp.ClientSession) -> None:
        origin = {"Origin": table.url}
        async with session.ws_connect("/live", headers=origin) as one:
            async with session.ws_connect("/live", headers=origin):
                for path in ("/", "/nowhere"):
                    async with session.get(path) as answer:
                        assert (answer.status, answer.content_type) == (429, "text/html")
                        assert answer.headers["X-Frame-Options"] == "DENY"
                        assert "Too many connections come from your network" in await answer.text()
            async with session.get("/") as answer:
                assert answer.status == 200, "one of them has gone"
            # Who is let in counts no more by the address that it shares with others.
            await one.send_json({"n": 0, "hello": table.words.play})
            assert (await one.receive_json())["n"] == 0
            async with session.ws_connect("/live", headers=origin), session.get("/") as answer:
                assert answer.status == 200

    table.visit(visit)


@pytest.mark.usefixtures("no_loopback")
def test_connections_beyond_the_explained_ones_are_cut(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = changed(NEW_CONNECTIONS_OF_ADDRESS, most=1)
    monkeypatch.setattr(connection_limits, "NEW_CONNECTIONS_OF_ADDRESS", limit)
    monkeypatch.setattr(connection_limits, "MOST_REFUSED", 0)

    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.ws_connect("/live", headers={"Origin": table.url}):
            with pytest.raises(aiohttp.ClientError):
                await session.get("/")

    table.visit(visit)


def test_behind_a_proxy_one_visitor_s_connections_do_not_shut_others_out(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = changed(NEW_CONNECTIONS_OF_ADDRESS, most=2)
    monkeypatch.setattr(connection_limits, "NEW_CONNECTIONS_OF_ADDRESS", limit)
    flood, phone = {"X-Forwarded-For": "198.51.100.1"}, {"X-Forwarded-For": "198.51.100.2"}

    async def visit(session: aiohttp.ClientSession) -> None:
        origin = {"Origin": table.url, **flood}
        async with (
            session.ws_connect("/live", headers=origin),
            session.ws_connect("/live", headers=origin),
        ):
            for headers, status in ((flood, 429), (phone, 200)):
                async with session.get("/", headers=headers) as answer:
                    assert answer.status == status

    table.visit(visit)


@pytest.mark.usefixtures("no_loopback")
def test_a_limit_of_requests_is_explained_in_the_reader_s_language(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = changed(REQUESTS, most=0, per_s=0.0)
    monkeypatch.setattr(connection_limits, "rates_of", lambda *_: [spent])

    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.get("/", headers={"Accept-Language": "de"}) as answer:
            assert answer.status == 429
            assert "Aus deinem Netz kommen zu viele Anfragen" in await answer.text()

    table.visit(visit)


@browsers
def test_a_page_refused_for_the_limit_says_so(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.server.PAGES_OF_TABLE", changed(PAGES_OF_TABLE, most=1))
    with closing(Site(tmp_path / "record.db")) as site:
        context = browser.new_context(viewport={"width": 360, "height": 640})
        let_in(context, site.port)
        first, second = context.new_page(), context.new_page()
        first.goto(f"{site.url}/")
        first.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
        second.goto(f"{site.url}/")
        second.wait_for_selector('[data-state="lost"]', timeout=WAIT_MS)
        assert second.inner_text("#link").startswith("Too many pages are open here.")
        first.close()
        second.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
        assert second.inner_text("#link") == ""
        context.close()
