"""A certificate authority of the box's own, and the page that installs it on a phone."""

import hashlib
import ssl
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from companion.app.catalog import CATALOG
from companion.commands.cli import main
from companion.core.errors import SetupError
from companion.core.keys import Key
from companion.web import certificates
from companion.web.access import AccessRules
from companion.web.address import listen
from companion.web.certificates import (
    AUTHORITY,
    CERTIFICATE,
    CERTIFICATE_KEY,
    Certificate,
    make_certificate,
)
from companion.web.page import Page
from tests.waiting import WAIT_S
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as browsers
from tests.web.site import CODES
from tests.web.visits import LOCAL, visit_at

NOW = datetime.now(UTC).replace(microsecond=0)
NAMES = ("table.local", "192.168.1.7", "localhost", "127.0.0.1")


def test_files_are_made_once_and_renewed_in_time(tmp_path: Path) -> None:
    made = make_certificate(tmp_path, NAMES, NOW)
    assert made.certificate and made.authority and made.ends == NOW + certificates.VALID_FOR
    files = {path.name: path for path in tmp_path.iterdir()}
    assert len(files) == 4
    for name in (CERTIFICATE_KEY, certificates.AUTHORITY_KEY):
        assert files[name].stat().st_mode & 0o777 == 0o600
    before = {name: path.read_bytes() for name, path in files.items()}
    again = make_certificate(tmp_path, reversed(NAMES), NOW + timedelta(days=336))
    assert not again.certificate and again.ends == made.ends
    assert {name: path.read_bytes() for name, path in files.items()} == before
    later = make_certificate(tmp_path, NAMES, NOW + timedelta(days=338))
    moved = make_certificate(tmp_path, ("table.local", "10.0.0.5", "fd00::7"), NOW)
    assert later.certificate and moved.certificate
    assert files[AUTHORITY].read_bytes() == before[AUTHORITY], "phones need no other one"
    assert {made.fingerprint, again.fingerprint, later.fingerprint} == {moved.fingerprint}


@pytest.mark.parametrize("name", ["club.example", "203.0.113.9", "notlocal"])
def test_an_authority_is_for_home_networks_and_its_own_names(tmp_path: Path, name: str) -> None:
    make_certificate(tmp_path / "without", NAMES, NOW)
    with pytest.raises(SetupError, match=f"the authority was made without {name}"):
        make_certificate(tmp_path / "without", (*NAMES, name), NOW)
    assert make_certificate(tmp_path / "with", (*NAMES, name), NOW).certificate


def test_an_expired_authority_is_reported(tmp_path: Path) -> None:
    make_certificate(tmp_path, NAMES, NOW - certificates.AUTHORITY_VALID_FOR)
    with pytest.raises(SetupError, match="the authority has ended: remove the files in"):
        make_certificate(tmp_path, NAMES, NOW)


def test_an_authority_without_its_key_is_reported(tmp_path: Path) -> None:
    make_certificate(tmp_path, NAMES, NOW)
    (tmp_path / certificates.AUTHORITY_KEY).unlink()
    with pytest.raises(SetupError, match="is missing: copy it there again, or remove the files in"):
        make_certificate(tmp_path, NAMES, NOW)


def test_an_invalid_name_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certificate", str(tmp_path), "--name", "http://a"]) == 2
    assert "write a name as table.example" in capsys.readouterr().err


def test_the_command_says_what_to_configure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["certificate", str(tmp_path), "--name", "table.example"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert f'key = "{tmp_path / CERTIFICATE_KEY}"' in told
    digest = certificates.fingerprint(tmp_path / AUTHORITY)
    assert told[-1] == f"The authority's SHA-256 is {digest}"
    assert main(["certificate", str(tmp_path), "--name", "table.example"]) == 0
    assert capsys.readouterr().out.startswith("The certificate stays, and holds until ")


class TrustedSite:
    """A page that speaks HTTPS with a certificate of this folder."""

    def __init__(self, folder: Path, own: Path | None) -> None:
        certificate = Certificate(folder / CERTIFICATE, folder / CERTIFICATE_KEY, print)
        plain, secure = listen("127.0.0.1", 0), listen("127.0.0.1", 0)
        self.plain = f"http://127.0.0.1:{plain.getsockname()[1]}"
        self.port = secure.getsockname()[1]
        self.page = Page(0.0, 0.0)
        encrypted = secure, certificate.context
        rules = AccessRules(CODES, True, local=LOCAL)
        self.page.start(plain, rules, nothing, games=CATALOG, encrypted=encrypted, authority=own)
        assert self.page.wait_until_ready(WAIT_S)


def nothing(_key: Key, _down: bool) -> None:
    """Takes a key's movement."""


def shakes_hands(trusted: TrustedSite, file: Path) -> None:
    context = ssl.create_default_context(cafile=file)
    with closing(
        HTTPSConnection("localhost", trusted.port, timeout=WAIT_S, context=context)
    ) as asked:
        asked.request("GET", "/icon.svg")
        assert asked.getresponse().status == 200


def test_a_browser_with_the_authority_trusts_the_page(tmp_path: Path) -> None:
    make_certificate(tmp_path, NAMES, NOW)
    trusted = TrustedSite(tmp_path, tmp_path / AUTHORITY)
    shakes_hands(trusted, tmp_path / AUTHORITY)
    got = dict[str, Any]()

    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.get("/trust") as answer:
            got["page"] = await answer.text()
        async with session.get("/trust/authority.crt") as answer:
            got["type"], got["file"] = answer.content_type, await answer.read()

    visit_at(trusted.plain, visit)
    assert got["type"] == "application/x-x509-ca-cert"
    assert got["file"] == ssl.PEM_cert_to_DER_cert((tmp_path / AUTHORITY).read_text())
    digest = hashlib.sha256(got["file"]).hexdigest().upper()
    assert digest in got["page"].replace(":<wbr>", "")
    assert f'href="https://127.0.0.1:{trusted.port}/"' in got["page"]
    trusted.page.stop()


def test_a_stolen_key_is_useless_for_other_sites(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser refuses a certificate for anything that the authority may not certify."""
    make_certificate(tmp_path, NAMES, NOW)
    monkeypatch.setattr(certificates, "_check_permitted", lambda *_: None)
    make_certificate(tmp_path, ("bank.example", "localhost"), NOW)
    trusted = TrustedSite(tmp_path, None)
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        shakes_hands(trusted, tmp_path / AUTHORITY)
    trusted.page.stop()


def test_without_an_authority_there_is_no_such_page(tmp_path: Path) -> None:
    make_certificate(tmp_path, NAMES, NOW)
    trusted, found = TrustedSite(tmp_path, None), list[int]()

    async def visit(session: aiohttp.ClientSession) -> None:
        for path in ("/trust", "/trust/authority.crt"):
            async with session.get(path) as answer:
                found.append(answer.status)

    visit_at(trusted.plain, visit)
    assert found == [404, 404]
    trusted.page.stop()


@browsers
def test_the_page_opens_before_the_authority_is_installed(browser: Any, tmp_path: Path) -> None:
    make_certificate(tmp_path, NAMES, NOW)
    trusted = TrustedSite(tmp_path, tmp_path / AUTHORITY)
    with closing(browser.new_context(ignore_https_errors=True)) as context:
        tab = context.new_page()
        tab.goto(f"https://localhost:{trusted.port}/trust")
        tab.wait_for_selector("text=iPhone and iPad", timeout=WAIT_MS)
    trusted.page.stop()
