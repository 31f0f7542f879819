"""The hub behind a reverse proxy, with the very configuration that docs/hub-proxy.md has."""

import asyncio
import os
import re
import ssl
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, WSServerHandshakeError

from companion.club.membership import Membership
from tests.certificate import certificate
from tests.hub.club_site import ClubSite, club_site
from tests.hub.test_event_api import begun
from tests.nginx import documented, free_port, nginx, proxy
from tests.web.below_path import Walk, behind_nginx
from tests.web.in_browser import WAIT_MS

HAND = "hand\nAnna 6-6\nBen 6-3"


def configured(place: Path, hub: int, port: int) -> str:
    """The hub's documented configuration, with our names, ports and files."""
    own, private = certificate(place)
    return documented(
        0,
        {
            "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
            "server_name club.example": "server_name localhost",
            "/etc/letsencrypt/live/club.example/fullchain.pem": str(own),
            "/etc/letsencrypt/live/club.example/privkey.pem": str(private),
            "http://127.0.0.1:8070": f"http://127.0.0.1:{hub}",
        },
    )


class Behind:
    """A hub behind nginx."""

    def __init__(self, site: ClubSite, port: int, own: Path) -> None:
        self.site, self.url, self.own = site, f"https://localhost:{port}", own

    @property
    def trusting(self) -> ssl.SSLContext:
        """Settings for TLS that trust our certificate and no other."""
        return ssl.create_default_context(cafile=self.own)

    def companion(self, *words: str, trusts: bool = True) -> "subprocess.CompletedProcess[str]":
        """Runs `companion hub …` as on a machine that trusts our certificate, or doesn't."""
        env = {**os.environ, **({"SSL_CERT_FILE": str(self.own)} if trusts else {})}
        command = [sys.executable, "-m", "companion", "hub", *words]
        return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    nginx()
    place, port = tmp_path_factory.mktemp("proxy"), free_port()
    with club_site(place) as site, proxy(place, configured(place, site.hub.port, port), port):
        yield Behind(site, port, place / "own.pem")


def test_a_box_joins_by_https_and_pushes(behind: Behind) -> None:
    site = behind.site
    site.ask("Table 1")  # makes the record
    record = ("--record", str(site.record("Table 1")))
    unknown = behind.companion("join", behind.url, *record, trusts=False)
    assert unknown.returncode != 0
    assert "can't be reached" in unknown.stderr
    asked = behind.companion("join", behind.url, *record, "--name", "Table 1")
    digits = asked.stdout.strip()
    assert re.fullmatch(r"\d{6}", digits), asked.stderr
    accepted = behind.companion("accept", digits, "--data", str(site.hub.data))
    assert accepted.returncode == 0, accepted.stderr
    mine = Membership.load(site.record("Table 1"))
    assert mine is not None
    assert mine.address == behind.url
    assert behind.companion("push", *record, "--once").returncode == 0


async def looked(behind: Behind) -> tuple[dict[str, Any], list[str]]:
    """What a viewer is told of the tables, and the statuses with which a page from elsewhere and an
    event of 3 MB are refused."""
    refused = []
    async with ClientSession(behind.url) as client:
        more: dict[str, Any] = {"ssl": behind.trusting}
        word = behind.site.word("watch")
        bearer = {"Authorization": f"Bearer {word}"}
        async with client.get("/api/tables", headers=bearer, **more) as found:
            told: dict[str, Any] = await found.json()
            assert (
                f"wss://{behind.url.removeprefix('https://')}"
                in (found.headers["Content-Security-Policy"])
            )
        async with client.get("/api/tables", **more) as found:
            assert found.status == 401
        try:
            other = {"Origin": "https://elsewhere.example"}
            await client.ws_connect("/live", headers=other, **more)
        except WSServerHandshakeError as error:
            refused.append(str(error.status))
        async with client.post("/api/events", data=BytesIO(b"x" * (3 << 20)), **more) as found:
            refused.append(str(found.status))
        own = {"Origin": behind.url}
        async with client.ws_connect("/live", headers=own, **more) as page:
            await page.send_json({"n": 0, "hello": word, "wants": []})
            assert (await page.receive_json())["role"] == "viewer"
    return told, refused


def test_only_the_proxy_s_own_pages_may_look_and_nothing_large_comes_in(behind: Behind) -> None:
    told, refused = asyncio.run(looked(behind))
    assert told["club"] == "Friday Fives"
    assert refused == ["403", "413"]


@pytest.mark.browser
def test_a_browser_sees_the_tables_and_what_comes(behind: Behind, browser: Any) -> None:
    behind.site.join("Table 2")
    context = browser.new_context(ignore_https_errors=True)
    complaints: list[str] = []
    try:
        tab = context.new_page()
        tab.on("console", lambda said: complaints.append(said.text))
        tab.goto(f"{behind.url}/#{behind.site.word('watch')}")
        tab.wait_for_selector('body[data-state="connected"]', timeout=WAIT_MS)
        behind.site.play("Table 2", HAND, "Anna Ben")
        tab.wait_for_selector('.card:has(.called:text-is("Table 2")) .points', timeout=WAIT_MS)
        tab.goto(f"{behind.url}/evenings")
        tab.wait_for_selector("h1", timeout=WAIT_MS)
        assert complaints == []
    finally:
        context.close()


@pytest.fixture
def below(behind: Behind, tmp_path: Path) -> Iterator[str]:
    """The address of a site that has the hub below its path /hub, behind nginx with the
    documented configuration."""
    with behind_nginx(tmp_path, f"http://127.0.0.1:{behind.site.hub.port}", "/hub") as url:
        yield url


@pytest.mark.browser
def test_all_pages_of_a_hub_work_below_a_path(behind: Behind, browser: Any, below: str) -> None:
    box = behind.site.join("Table 3")
    behind.site.play("Table 3", HAND, "Anna Ben")
    _, kept = begun(behind.site.hub)
    walk = Walk(browser, behind.site.word("keep"), below, "/hub")
    event = f"event/{kept['number']}"
    connected = ("", f"table/{box}", "organiser", "tv", "event", event, f"{event}/tv")
    papers = [f"{event}/{kind}" for kind in ("cards", "pairings", "standings", "text")]
    others = (f"games/{box}", "evenings", "judge", f"{event}/here", "event/league?of=1")
    walk.everywhere((*connected, *others, *papers), connected)
    walk.tab.goto(f"{below}/hub/organiser")
    walk.tab.wait_for_selector("#codes a, #codes .address, #codes p", timeout=WAIT_MS)
    assert f"{below}/hub/#" in walk.tab.inner_text("#codes")
    assert walk.wrong == []
    walk.context.close()


@pytest.mark.parametrize("address", ["https://club.example/ä", "https://club.example/a/../b"])
def test_a_hub_is_told_when_its_path_is_none(tmp_path: Path, address: str) -> None:
    command = [sys.executable, "-m", "companion", "hub", "run", "--data", str(tmp_path / "club")]
    ran = subprocess.run(
        [*command, "--address", address], capture_output=True, text=True, check=False
    )
    assert ran.returncode != 0
    assert "--address: write a path as /table" in ran.stderr
