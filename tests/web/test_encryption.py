"""HTTPS served by the box itself, with a configured certificate."""

import ssl
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from cryptography import x509

from companion.app.catalog import CATALOG
from companion.core.errors import SetupError
from companion.core.keys import Key
from companion.core.typed_address import EVERYWHERE
from companion.web.access import AccessCodes, AccessRules, Codes
from companion.web.address import PageAddress, listen
from companion.web.certificates import Certificate
from companion.web.page import Page
from tests.starting import certificate, companion, first_line
from tests.waiting import WAIT_S
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as browsers
from tests.web.visits import LOCAL, visit_at

WORD = "abcdefgh23456723"
NAMES = frozenset({"table.localhost"})


class EncryptedSite:
    """A page that also serves HTTPS."""

    def __init__(self, place: Path) -> None:
        self.place, self.told = place, list[str]()
        self.files = certificate(place)
        self.certificate = Certificate(*self.files, self.told.append)
        plain, secure = listen(EVERYWHERE, 0), listen(EVERYWHERE, 0)
        self.plain = f"http://127.0.0.1:{plain.getsockname()[1]}"
        self.port = secure.getsockname()[1]
        rules = AccessRules(Codes(AccessCodes(WORD)), True, NAMES, local=LOCAL)
        self.page = Page(0.0, 0.0)
        encrypted = secure, self.certificate.context
        self.page.start(plain, rules, nothing, games=CATALOG, encrypted=encrypted)
        assert self.page.wait_until_ready(WAIT_S)

    @property
    def serial(self) -> int:
        """The serial number of the certificate that a new connection gets."""
        anything = ssl.create_default_context()
        anything.check_hostname, anything.verify_mode = False, ssl.CERT_NONE
        asked = HTTPSConnection("127.0.0.1", self.port, timeout=WAIT_S, context=anything)
        with closing(asked):
            asked.connect()
            shown: bytes | None = asked.sock.getpeercert(binary_form=True)
            asked.request("GET", "/icon.svg")
            assert asked.getresponse().status == 200
        assert shown
        return x509.load_der_x509_certificate(shown).serial_number

    def renew(self) -> int:
        """Writes another certificate; returns its serial number."""
        own, _ = certificate(self.place)
        return x509.load_pem_x509_certificate(own.read_bytes()).serial_number


def nothing(_key: Key, _down: bool) -> None:
    """Takes a key's movement."""


@pytest.fixture
def encrypted(tmp_path: Path) -> Iterator[EncryptedSite]:
    made = EncryptedSite(tmp_path)
    yield made
    made.page.stop()


def test_a_client_that_trusts_the_certificate_plays_over_https(encrypted: EncryptedSite) -> None:
    trusting = ssl.create_default_context(cafile=encrypted.files[0])
    url = f"https://localhost:{encrypted.port}"

    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.get(f"{url}/", ssl=trusting) as answer:
            assert answer.status == 200
        headers = {"Origin": url}
        async with session.ws_connect(f"{url}/live", headers=headers, ssl=trusting) as page:
            await page.send_json({"n": 0, "hello": WORD})
            assert (await page.receive_json())["n"] == 0
        with pytest.raises(aiohttp.ClientConnectorCertificateError):
            await session.get(f"{url}/")
        async with session.get(f"{encrypted.plain}/") as answer:
            assert answer.status == 200, "the page without encryption stays"
        with pytest.raises(aiohttp.ClientError):
            await session.get(f"http://localhost:{encrypted.port}/")

    visit_at(encrypted.plain, visit)


def test_a_renewed_certificate_is_used_for_new_connections(encrypted: EncryptedSite) -> None:
    first = encrypted.serial
    assert encrypted.serial == first
    second = encrypted.renew()
    assert encrypted.serial == second != first
    assert encrypted.told == []


def test_an_unusable_certificate_leaves_the_former_one_in_use(encrypted: EncryptedSite) -> None:
    first = encrypted.serial
    encrypted.files[1].write_text("no key\n")
    assert [encrypted.serial, encrypted.serial] == [first, first]
    (line,) = encrypted.told
    assert line.endswith("can't be used (they don't fit)")
    encrypted.files[1].unlink()
    assert encrypted.serial == first
    assert encrypted.renew() == encrypted.serial


@pytest.mark.parametrize("lacks", ["own.pem", "key.pem"])
def test_a_missing_file_is_named(tmp_path: Path, lacks: str) -> None:
    files = certificate(tmp_path)
    (tmp_path / lacks).unlink()
    with pytest.raises(SetupError, match=r"own\.pem .* can't be used \(No such file"):
        Certificate(*files, print)


def test_the_https_address_is_printed() -> None:
    words = AccessCodes(WORD, "to-watch")
    rules = AccessRules(Codes(words), True, frozenset({"table.example"}))
    page = PageAddress("192.0.2.7", 8055, rules, 8443)
    assert page.lines[1] == f"Encrypted, it is at https://table.example:8443/#{WORD}"
    assert page.service_line.endswith(" or https://table.example:8443/")
    nameless = PageAddress("2001:db8::7", 8055, AccessRules(Codes(words), True), 443)
    assert nameless.lines[1] == f"Encrypted, it is at https://[2001:db8::7]/#{WORD}"


def test_the_program_uses_the_configured_certificate(tmp_path: Path) -> None:
    own, key = certificate(tmp_path)
    config = tmp_path / "companion.toml"
    words = ("--virtual", "--lan", "--config", config, "--record", tmp_path / "r.db")
    said = f'[web]\nport = 0\nnames = "localhost"\ncertificate = "{own}"\nencrypted_port = 0\n'
    config.write_text(f'{said}key = "{key}"\n')
    with companion(*words) as process:
        first_line(process)
        assert first_line(process).startswith("Encrypted, it is at https://localhost:")
    config.write_text(f'{said}key = "{tmp_path / "missing"}"\n')
    with companion(*words) as process:
        assert first_line(process).startswith("The table is at http://")
        assert first_line(process).startswith("For a TV")
        assert process.stderr
        assert process.stderr.readline().startswith("The page is not encrypted: the certificate ")


@browsers
def test_a_browser_has_the_features_of_encrypted_pages(
    browser: Any, encrypted: EncryptedSite
) -> None:
    with closing(browser.trusting(encrypted.files[0])) as trusting:
        tab = trusting.new_page()
        complaints = list[str]()
        tab.on("console", lambda message: complaints.append(message.text))
        tab.goto(f"https://table.localhost:{encrypted.port}/#{WORD}")
        tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
        assert tab.evaluate("isSecureContext && 'wakeLock' in navigator")
        assert tab.evaluate("document.featurePolicy.allowsFeature('camera')")
        assert complaints == []
