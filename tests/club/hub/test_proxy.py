"""The hub over HTTPS: behind a reverse proxy that is configured exactly as in docs/hub-proxy.md,
and directly, with a certificate of its own."""

import asyncio
import os
import re
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPSConnection
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, TCPConnector, WSServerHandshakeError
from cryptography import x509

from companion.club.box.membership import Membership
from companion.commands.cli import main
from tests.club.hub.club_site import ClubSite, club_site
from tests.club.hub.test_event_api import begun
from tests.starting import certificate, documented, free_port, nginx, proxy
from tests.waiting import WAIT_S
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


class EncryptedHub:
    """A hub that is reached by HTTPS."""

    def __init__(self, site: ClubSite, port: int, own: Path) -> None:
        self.site, self.port, self.own = site, port, own
        self.url = f"https://localhost:{port}"

    @property
    def trusting(self) -> ssl.SSLContext:
        """Settings for TLS that trust our certificate and no other."""
        return ssl.create_default_context(cafile=self.own)

    def companion(self, *words: str, trusts: bool = True) -> "subprocess.CompletedProcess[str]":
        """Runs `companion hub …` on a machine that trusts our certificate, or doesn't."""
        env = {**os.environ, **({"SSL_CERT_FILE": str(self.own)} if trusts else {})}
        command = [sys.executable, "-m", "companion", "hub", *words]
        return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EncryptedHub]:
    nginx()
    place, port = tmp_path_factory.mktemp("proxy"), free_port()
    with club_site(place) as site, proxy(place, configured(place, site.hub.port, port), port):
        yield EncryptedHub(site, port, place / "own.pem")


@pytest.fixture(scope="module")
def by_itself(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EncryptedHub]:
    place, port = tmp_path_factory.mktemp("encrypted"), free_port()
    own, key = map(str, certificate(place))
    words = ("--certificate", own, "--key", key, "--encrypted-port", str(port))
    with club_site(place, *words) as site:
        yield EncryptedHub(site, port, place / "own.pem")


@pytest.fixture(params=["behind", "by_itself"])
def hub(request: pytest.FixtureRequest) -> EncryptedHub:
    """The hub, over each kind of connection in turn."""
    found: EncryptedHub = request.getfixturevalue(request.param)
    return found


def test_a_box_joins_over_https_and_pushes(hub: EncryptedHub) -> None:
    site = hub.site
    site.ask("Table 1")  # makes the record
    record = ("--record", str(site.record("Table 1")))
    unknown = hub.companion("join", hub.url, *record, trusts=False)
    assert unknown.returncode != 0
    assert "can't be reached" in unknown.stderr
    asked = hub.companion("join", hub.url, *record, "--name", "Table 1")
    digits = asked.stdout.strip()
    assert re.fullmatch(r"\d{6}", digits), asked.stderr
    accepted = hub.companion("accept", digits, "--data", str(site.hub.data))
    assert accepted.returncode == 0, accepted.stderr
    mine = Membership.load(site.record("Table 1"))
    assert mine is not None
    assert mine.address == hub.url
    assert hub.companion("push", *record, "--once").returncode == 0


async def looked(hub: EncryptedHub) -> tuple[dict[str, Any], list[str]]:
    """The tables that a viewer sees, and the statuses with which a page from elsewhere and an event
    of 3 MB are refused."""
    refused = []
    # Older versions of Python don't end an encrypted connection whose other side is gone.
    old = sys.version_info < (3, 12)
    connector = TCPConnector(enable_cleanup_closed=old)
    async with ClientSession(hub.url, connector=connector) as client:
        more: dict[str, Any] = {"ssl": hub.trusting}
        word = hub.site.word("watch")
        bearer = {"Authorization": f"Bearer {word}"}
        async with client.get("/api/tables", headers=bearer, **more) as found:
            told: dict[str, Any] = await found.json()
            assert (
                f"wss://{hub.url.removeprefix('https://')}"
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
        own = {"Origin": hub.url}
        async with client.ws_connect("/live", headers=own, **more) as page:
            await page.send_json({"n": 0, "hello": word, "wants": []})
            assert (await page.receive_json())["role"] == "viewer"
    return told, refused


def test_foreign_origins_and_large_messages_are_refused(hub: EncryptedHub) -> None:
    told, refused = asyncio.run(looked(hub))
    assert told["club"] == "Friday Fives"
    assert refused == ["403", "413"]


@pytest.mark.browser
def test_a_browser_sees_the_tables_and_their_updates(hub: EncryptedHub, browser: Any) -> None:
    hub.site.join("Table 2")
    context = browser.new_context(ignore_https_errors=True)
    complaints: list[str] = []
    try:
        tab = context.new_page()
        tab.on("console", lambda said: complaints.append(said.text))
        tab.goto(f"{hub.url}/#{hub.site.word('watch')}")
        tab.wait_for_selector('body[data-state="connected"]', timeout=WAIT_MS)
        hub.site.play("Table 2", HAND, "Anna Ben")
        tab.wait_for_selector('.card:has(.called:text-is("Table 2")) .points', timeout=WAIT_MS)
        tab.goto(f"{hub.url}/evenings")
        tab.wait_for_selector("h1", timeout=WAIT_MS)
        assert complaints == []
    finally:
        context.close()


@pytest.fixture
def below(behind: EncryptedHub, tmp_path: Path) -> Iterator[str]:
    """The address of a site that has the hub below its path /hub, behind nginx with the
    documented configuration."""
    with behind_nginx(tmp_path, f"http://127.0.0.1:{behind.site.hub.port}", "/hub") as url:
        yield url


@pytest.mark.browser
def test_all_pages_of_a_hub_work_below_a_path(
    behind: EncryptedHub, browser: Any, below: str
) -> None:
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


@pytest.mark.usefixtures("same_garbage")
@pytest.mark.parametrize("address", ["https://club.example/ä", "https://club.example/a/../b"])
def test_an_address_path_that_is_not_valid_is_refused(
    tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hub", "run", "--data", str(tmp_path / "club"), "--address", address]) == 2
    assert "--address: write a path as /table" in capsys.readouterr().err


def serial(port: int) -> int:
    """The number of the certificate with which the hub answers a new connection."""
    anything = ssl.create_default_context()
    anything.check_hostname, anything.verify_mode = False, ssl.CERT_NONE
    with closing(HTTPSConnection("127.0.0.1", port, timeout=WAIT_S, context=anything)) as asked:
        asked.connect()
        shown: bytes | None = asked.sock.getpeercert(binary_form=True)
    assert shown
    return x509.load_der_x509_certificate(shown).serial_number


def test_a_renewed_certificate_is_used_at_once(by_itself: EncryptedHub) -> None:
    before = serial(by_itself.port)
    certificate(by_itself.own.parent)
    assert serial(by_itself.port) != before


@pytest.mark.usefixtures("same_garbage")
@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--certificate", "{own}", "--key", "{missing}"], "can't be used (No such file or dir"),
        (["--certificate", "{own}"], "can't be used (they don't fit)"),
        (["--key", "{own}"], "--key and --encrypted-port need --certificate FILE"),
    ],
)
def test_an_unusable_certificate_is_reported_at_the_start(
    tmp_path: Path, more: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    own, _ = certificate(tmp_path)
    words = [word.format(own=own, missing=tmp_path / "none.pem") for word in more]
    assert main(["hub", "run", "--data", str(tmp_path / "club"), *words]) == 2
    assert told in capsys.readouterr().err
