"""The page of a flashed card: on a phone, a network is entered and a new version is uploaded."""

import gzip
import json
import socket
import threading
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from companion.app.updates.install import ADDRESS, PARTIAL
from companion.core import regular_file
from companion.core.words import phrase, sentence_json
from companion.web import card
from tests.web.in_browser import WAIT_MS, in_every_run
from tests.web.site import CODES, TOKEN, Site

pytestmark = in_every_run

STATE = {
    "open": True,
    "joined": "",
    "networks": [["Our home", 3, True], ["Café", 1, False]],
    "why": "",
}


class FakeWifi:
    """A socket in place of the one of the box's Wi-Fi; it records its requests."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.bind(str(path))
        self._socket.listen()
        self.asked: list[dict[str, str]] = []
        self.state: dict[str, object] = dict(STATE)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                visitor, _ = self._socket.accept()
            except OSError:
                return
            with visitor:
                said = json.loads(visitor.makefile("rb").readline())
                answer: dict[str, object] = self.state
                if said.get("ask") == "join":
                    self.asked.append(said)
                    short = len(said["password"]) < 8
                    answer = {"fault": {"say": "a password has 8 to 63 letters", "parts": {}}}
                    answer = answer if short else {"joining": True}
                visitor.sendall(json.dumps(answer).encode() + b"\n")

    def close(self) -> None:
        self._socket.close()


class CardRig:
    """A page of a flashed card."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(card, "WIFI", folder / "wifi.socket")
        self.wifi, self.incoming = FakeWifi(folder / "wifi.socket"), folder / "incoming"
        self.site = Site(open_to_all=False, incoming=self.incoming)

    def close(self) -> None:
        self.site.page.stop()
        self.wifi.close()


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CardRig]:
    rig = CardRig(tmp_path, monkeypatch)
    yield rig
    rig.close()


def status(rig: CardRig, path: str, word: str, origin: str = "", body: bytes = b"{}") -> list[int]:
    found: list[int] = []

    async def visit(session: aiohttp.ClientSession) -> None:
        headers = {"Origin": origin or rig.site.url, "X-Word": word}
        async with session.post(path, data=BytesIO(body), headers=headers) as answer:
            found.append(answer.status)

    rig.site.visit(visit)
    return found


@pytest.mark.parametrize("path", ["/card/wifi", "/card/update", "/card/update-address"])
def test_only_pages_that_play_can_send_requests(rig: CardRig, path: str) -> None:
    assert status(rig, path, "wrongwrongwrongw") == [403]
    assert status(rig, path, CODES.current.watch) == [403]
    assert status(rig, path, TOKEN, "http://elsewhere.example") == [403]
    assert status(rig, path, TOKEN) == [200]
    assert rig.wifi.asked == []


def test_the_page_is_in_the_reader_s_language(rig: CardRig) -> None:
    rig.wifi.state["why"] = sentence_json(
        phrase("The password of the Wi-Fi “{name}” is wrong", name="Our home")
    )
    told: list[str] = []

    async def visit(session: aiohttp.ClientSession) -> None:
        for read in ("de", "en"):
            headers = {"Origin": rig.site.url, "X-Word": TOKEN, "Accept-Language": read}
            async with session.get("/card", headers=headers) as answer:
                told.append(await answer.text())
            ask = BytesIO(b'{"ask": "state"}')
            async with session.post("/card/wifi", data=ask, headers=headers) as answer:
                told.append((await answer.json())["why"])

    rig.site.visit(visit)
    assert 'lang="de"' in told[0] and 'lang="en"' in told[2]
    assert told[1] == "Das Passwort des WLANs „Our home“ ist falsch"
    assert told[3] == "The password of the Wi-Fi “Our home” is wrong"


def test_an_update_arrives_complete(rig: CardRig) -> None:
    body = b"table-companion update 1\n" + bytes(3_000_000)
    assert status(rig, "/card/update", TOKEN, body=body) == [200]
    (path,) = rig.incoming.iterdir()
    assert path.suffix == ".update" and path.read_bytes() == body


def test_a_compressed_upload_is_stored_as_sent(rig: CardRig) -> None:
    """A gigabyte of zeros takes a megabyte when it is compressed."""
    body, found = gzip.compress(bytes(1 << 20)), list[int]()

    async def visit(session: aiohttp.ClientSession) -> None:
        headers = {"Origin": rig.site.url, "X-Word": TOKEN, "Content-Encoding": "gzip"}
        async with session.post("/card/update", data=body, headers=headers) as answer:
            found.append(answer.status)

    rig.site.visit(visit)
    (path,) = rig.incoming.iterdir()
    assert found == [200] and path.read_bytes() == body


def test_an_address_is_stored_as_written(rig: CardRig) -> None:
    told = b'{"address": " https://club.example/new.update "}'
    assert status(rig, "/card/update-address", TOKEN, body=told) == [200]
    (path,) = rig.incoming.iterdir()
    assert path.suffix == ADDRESS and path.read_text() == "https://club.example/new.update"


@pytest.mark.parametrize(
    "address",
    [
        *("", "new.update", "file:///etc/shadow", "https://a b", 7, "https://club.example"),
        *("http://127.0.0.1:8080/x.update", "http://localhost/x.update", "http://[::1]/x.update"),
        *("https://b\u00fccher.example/x", "https://\ud800.example/x"),
        *("http://192.168.1.1/reboot?now", "http://a:b@club.example/x", "http://169.254.1.1/x"),
    ],
)
def test_an_invalid_address_is_not_stored(rig: CardRig, address: object) -> None:
    body = json.dumps({"address": address}).encode()
    assert status(rig, "/card/update-address", TOKEN, body=body) == [200]
    assert not rig.incoming.exists()


def test_an_incomplete_update_from_an_earlier_run_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is left from an upload that a power cut ended. The box's page opens while a stick, in
    since the start, is bringing another update."""
    (tmp_path / "incoming").mkdir()
    for name in ("0123456789abcdef.part", f"0.3.0.update{PARTIAL}", "0.4.0.update"):
        (tmp_path / "incoming" / name).write_bytes(b"half")
    rig = CardRig(tmp_path, monkeypatch)
    try:
        left = sorted(path.name for path in rig.incoming.iterdir())
        assert left == [f"0.3.0.update{PARTIAL}", "0.4.0.update"], "a stick's is on its way"
    finally:
        rig.close()


def test_an_update_that_does_not_fit_on_the_disk_is_refused(
    rig: CardRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regular_file, "RESERVED_BYTES", 1 << 60)
    assert status(rig, "/card/update", TOKEN) == [200]
    assert not [*rig.incoming.iterdir()]


def test_an_upload_ends_once_other_uploads_have_filled_the_disk(
    rig: CardRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of several uploads at the same time fits by itself."""
    fits_at_first = iter([1 << 30])
    monkeypatch.setattr(card, "room_in", lambda _: next(fits_at_first))
    monkeypatch.setattr(regular_file, "RESERVED_BYTES", 1 << 60)
    assert status(rig, "/card/update", TOKEN, body=bytes(1000)) == [200]
    assert not [*rig.incoming.iterdir()]


@pytest.mark.parametrize("path", ["/card/wifi", "/card/update-address"])
@pytest.mark.parametrize(
    "body", [b"[]", b"null", b"[" * 4096, b'{"a":' * 800, b"9" * 4096, b"\xff"]
)
def test_anything_but_a_json_object_is_refused(rig: CardRig, path: str, body: bytes) -> None:
    assert status(rig, path, TOKEN, body=body) == [200]
    assert rig.wifi.asked == [] and not rig.incoming.exists()


def test_a_box_without_a_flashed_card_has_no_such_page(site: Site) -> None:
    found: list[int] = []

    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.get("/card") as answer:
            found.append(answer.status)

    site.visit(visit)
    assert found == [404]


def test_a_phone_joins_a_network_and_uploads_a_version(
    rig: CardRig, browser: Any, tmp_path: Path
) -> None:
    tab = browser.new_page(viewport={"width": 360, "height": 640})
    tab.goto(f"{rig.site.url}/#{TOKEN}")
    tab.click("#to-card", timeout=WAIT_MS)
    tab.wait_for_selector("text=the box has opened its own", timeout=WAIT_MS)
    tab.click("text=Our home")
    tab.fill("#password", "short")
    tab.click("text=Join it")
    tab.wait_for_selector("text=8 to 63 letters", timeout=WAIT_MS)
    tab.fill("#password", "secret words")
    tab.screenshot(path=str(tmp_path / "card.png"), full_page=True)
    tab.click("text=Join it")
    tab.wait_for_selector("text=The box is joining “Our home”", timeout=WAIT_MS)
    home = {"ask": "join", "name": "Our home", "password": "secret words", "hidden": False}
    assert rig.wifi.asked[-1] == home
    tab.click("text=Another Wi-Fi")
    tab.fill("#name", "Anna's phone ")
    tab.fill("#password", "twelve words")
    tab.screenshot(path=str(tmp_path / "another.png"), full_page=True)
    tab.click("text=Join it")
    tab.wait_for_selector("text=The box is joining “Anna's phone”", timeout=WAIT_MS)
    phone = {"ask": "join", "name": "Anna's phone", "password": "twelve words", "hidden": True}
    assert rig.wifi.asked[-1] == phone
    wide = tab.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360
    why = phrase("The password of the Wi-Fi “{name}” is wrong", name="Our home")
    rig.wifi.state["why"] = sentence_json(why)
    tab.wait_for_selector("text=is wrong", timeout=WAIT_MS)
    (tmp_path / "0.3.0.update").write_bytes(b"table-companion update 1\n")
    tab.set_input_files("#file", str(tmp_path / "0.3.0.update"))
    tab.wait_for_selector("text=The box has it", timeout=WAIT_MS)
    (path,) = rig.incoming.iterdir()
    assert path.suffix == ".update"
    path.unlink()
    tab.fill("#address", "club.example")
    tab.click("text=Load it")
    tab.wait_for_selector("text=Write an address as", timeout=WAIT_MS)
    tab.fill("#address", "https://club.example/new.update")
    tab.screenshot(path=str(tmp_path / "address.png"), full_page=True)
    tab.click("text=Load it")
    tab.wait_for_selector("text=The box is loading it", timeout=WAIT_MS)
    (path,) = rig.incoming.iterdir()
    assert path.suffix == ADDRESS
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    tab.close()
