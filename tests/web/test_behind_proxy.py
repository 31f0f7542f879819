"""The table behind a reverse proxy on the same machine: with nginx's default configuration, which
hides that requests are passed on, and with that of docs/hub-proxy.md."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from companion.core.box_page import CheckActions
from companion.core.budgets import GUESSES
from companion.web.server import Server
from tests.starting import documented, free_port, nginx, proxy
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as browsers
from tests.web.site import TOKEN, Site
from tests.web.visits import COOKIE, LOCAL, visit_at

GIVEN = {
    **{"language": "de", "folder": "phone", "more": "1", "ticket": "a" * 16, "word": "b" * 16},
    "version": "0" * 12,
}
"""Values for the variable parts of a route."""
BEARER = {"Authorization": f"Bearer {LOCAL.secret}"}
FORWARDED = {"X-Forwarded-For": "192.0.2.1"}
STRANGER = {
    # Files, and where a code leads: they say nothing of the table.
    **{"/": 200, "/box": 200, "/tv": 200, "/overlay": 200, "/card": 200, "/check": 200},
    **{"/wifi": 404, "/wifi/stay": 404, "/go": 302},  # the sheet of the own Wi-Fi, only there
    **{"/drawing.css": 200, "/catalog.js": 200, "/app.webmanifest": 200},
    **{"/{name}": 200, "/at/{version}/{language}/{name}": 200},
    **{"/evenings.css": 200, "/watch.css": 200, "/watch.js": 200},
    **{"/help/{page}": 404, "/help/{folder}/{name}": 404, "/check/{name}.png": 404},
    **{"/{word}": 302, "/TV/{name}": 302, "/tv-code/{name}": 200, "/open/{ticket}{page}": 303},
    # Everything else needs a code, or this machine's secret.
    **{"/token": 404, "/way-in": 404, "POST /open": 404, "/stream": 403, "/live": 403},
    **{"/evenings": 403, "/evenings/{more}": 403},
    **{"/clips/{language}": 403, "/clips/{language}/{name}": 403},
    **{"POST /card/wifi": 403, "POST /card/update": 403, "POST /card/update-address": 403},
    **{"POST /check": 403, "POST /check/picture": 403, "POST /check/keypads": 403},
}
"""The status for a client without a code at each route."""
NAMES = {
    "/TV/{name}": "A" * 16,
    "/tv-code/{name}": "a" * 16,
    "/check/{name}.png": "0" * 16,
    "/clips/{language}/{name}": "1.wav",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A page with all routes that exist."""
    check = CheckActions(lambda: {"parts": {}}, lambda: None)
    site = Site(True, tmp_path_factory.mktemp("incoming"), check)
    yield site
    site.page.stop()


@pytest.fixture(scope="module")
def default(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a proxy with nginx's default settings."""
    nginx()
    port = free_port()
    where = f"listen 127.0.0.1:{port}; location / {{ proxy_pass {site.url}; }}"
    with proxy(tmp_path_factory.mktemp("default"), f"server {{ {where} }}", port):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def behind(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a proxy with the documented settings, but for TLS."""
    nginx()
    port = free_port()
    ours = {
        "listen 8443 ssl": f"listen 127.0.0.1:{port}",
        "    ssl_certificate     /etc/ssl/table.pem;\n": "",
        "    ssl_certificate_key /etc/ssl/table.key;\n": "",
        "http://127.0.0.1:8055": site.url,
    }
    with proxy(tmp_path_factory.mktemp("behind"), documented(1, ours), port):
        yield f"http://127.0.0.1:{port}"


def routes(site: Site) -> dict[str, str]:
    """A path of each route of the page, by the route's method (unless it is GET) and form."""
    server = site.page._server
    assert isinstance(server, Server)
    found = {}
    for route in server.app().router.routes():
        assert route.resource
        info = route.resource.get_info()
        form = info.get("formatter") or info["path"]
        name = form if route.method == "GET" else f"{route.method} {form}"
        if route.method != "HEAD":
            page = "/tv" if "ticket" in form else "nowhere"
            given = {**GIVEN, "page": page, "name": NAMES.get(form, "connection.js")}
            found[name] = form.format_map(given)
    return found


def statuses(site: Site, url: str, **headers: str) -> dict[str, int]:
    """The status of each route's answer to a client with these headers. Fails if an answer has a
    code, the secret or a cookie in it."""
    found: dict[str, int] = {}

    async def visit(_: aiohttp.ClientSession) -> None:
        async with aiohttp.ClientSession(url, headers=headers) as stranger:
            for name, path in routes(site).items():
                method = name.partition(" ")[0] if " " in name else "GET"
                async with stranger.request(method, path, allow_redirects=False) as answer:
                    text = str(answer.headers) + (await answer.read()).decode("latin-1")
                    found[name] = answer.status
                assert "Set-Cookie" not in answer.headers, name
                for secret in (TOKEN, LOCAL.secret, LOCAL.cookie):
                    assert secret not in text, name

    visit_at(url, visit)
    return found


def test_clients_through_a_proxy_are_strangers_at_every_route(site: Site, default: str) -> None:
    assert statuses(site, default) == STRANGER


def test_a_forwarded_request_never_counts_as_local(site: Site, behind: str) -> None:
    """The cookie and the secret only work on this machine, never through a proxy."""
    stranger = {**STRANGER, "/open/{ticket}{page}": 404}
    assert statuses(site, behind) == stranger
    assert statuses(site, behind, **COOKIE) == stranger
    assert statuses(site, behind, **BEARER) == stranger
    assert statuses(site, site.url, **COOKIE, **FORWARDED) == stranger
    assert statuses(site, site.url, Host="192.0.2.7", **COOKIE) == stranger


def test_a_loopback_client_without_a_proxy_is_a_stranger_too(site: Site) -> None:
    assert statuses(site, site.url) == STRANGER


@pytest.mark.parametrize("hello", ["", "abcdefgh23456724", None, LOCAL.secret, LOCAL.cookie])
def test_no_stranger_gets_a_connection_through_a_proxy(
    site: Site, behind: str, hello: object
) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.ws_connect("/live", headers={"Origin": behind}) as page:
            await page.send_json({"n": 0, "hello": hello})
            message = await page.receive()
            assert message.type is aiohttp.WSMsgType.CLOSE
            assert page.close_code == 4401

    visit_at(behind, visit)
    assert site.moves.empty()


def test_with_its_code_a_phone_plays_through_the_documented_proxy(site: Site, behind: str) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.ws_connect("/live", headers={"Origin": behind}) as page:
            await page.send_json({"n": 0, "hello": TOKEN})
            assert (await page.receive_json())["n"] == 0
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect("/live", headers={"Origin": site.url})

    visit_at(behind, visit)


async def typed(session: aiohttp.ClientSession, origin: str, digits: str) -> str | None:
    """The access code for these digits; None: they are wrong."""
    async with session.ws_connect("/live", headers={"Origin": origin}) as page:
        await page.send_json({"n": 0, "digits": digits})
        message = await page.receive()
        if message.type is aiohttp.WSMsgType.CLOSE:
            return None
        word: str = message.json()["word"]
        return word


def test_guessing_through_the_proxy_does_not_use_up_others_tries(site: Site, behind: str) -> None:
    async def visit(here: aiohttp.ClientSession) -> None:
        async with site.box(here) as host, aiohttp.ClientSession(behind) as guesser:
            await host.send_json({"n": 0, "hello": TOKEN})
            await host.send_json({"n": 1, "invite": True})
            heard: dict[str, Any] = {}
            while "invite" not in heard:
                message = await host.receive()
                heard = message.json() if message.type is aiohttp.WSMsgType.TEXT else {}
            digits = heard["invite"]["digits"]
            for _ in range(GUESSES.most):
                assert await typed(guesser, behind, "x") is None
            assert await typed(guesser, behind, digits) is None, "it has had its tries"
            assert await typed(here, site.url, digits) == TOKEN

    visit_at(site.url, visit)


@browsers
def test_a_browser_behind_the_proxy_is_asked_for_the_code(
    browser: Any, behind: str, tmp_path: Path
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 780})
    tab = context.new_page()
    complaints = list[str]()
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(f"{behind}/")
    tab.wait_for_selector('[data-state="refused"]', timeout=WAIT_MS)
    assert tab.locator("#door").is_visible()
    tab.screenshot(path=tmp_path / "asked.png")
    tab.goto(f"{behind}/#{TOKEN}")
    tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    assert complaints == []
    context.close()
