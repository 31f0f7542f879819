"""The sign-in sheet that phones show in the Wi-Fi of a flashed card, using the requests of their
operating systems. Names, DNS and a network of their own: tests/rigs/rig_networks.py."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from companion.web import captive_portal, card
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as browsers
from tests.web.site import TOKEN, Site

PROBES = (
    ("connectivitycheck.gstatic.com", "/generate_204", 204, ""),
    ("www.google.com", "/gen_204", 204, ""),
    ("captive.apple.com", "/hotspot-detect.html", 200, "<TITLE>Success</TITLE>"),
    ("www.apple.com", "/library/test/success.html", 200, "<TITLE>Success</TITLE>"),
    ("www.msftconnecttest.com", "/connecttest.txt", 200, "Microsoft Connect Test"),
    ("detectportal.firefox.com", "/canonical.html", 200, "support.mozilla.org"),
    ("detectportal.firefox.com", "/success.txt", 200, "success"),
    ("nmcheck.gnome.org", "/check_network_status.txt", 200, "NetworkManager is online"),
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A page of a flashed card whose own Wi-Fi is open, at the address 127.0.0.1."""
    monkeypatch.setattr(captive_portal, "OWN_WIFI", "127.0.0.1")
    monkeypatch.setattr(card, "WIFI", tmp_path / "wifi.socket")
    open_wifi(tmp_path)
    site = Site(open_to_all=True, incoming=tmp_path / "incoming")
    yield site
    site.page.stop()


def open_wifi(folder: Path, password: str = "abcd-efgh") -> None:
    (folder / "own-wifi").write_text(json.dumps(["Table 3F2A", password, "WIFI:…", 1]))


def get(site: Site, path: str, host: str = "") -> tuple[int, str, str]:
    """The status of an answer, where it sends the phone, and its text."""
    found = []

    async def visit(session: aiohttp.ClientSession) -> None:
        named = {"Host": host} if host else {}
        async with session.get(path, headers=named, allow_redirects=False) as answer:
            found.append((answer.status, answer.headers.get("Location", ""), await answer.text()))

    site.visit(visit)
    return found[0]


@pytest.mark.parametrize(("host", "path", "status", "text"), PROBES)
def test_a_phone_is_shown_the_sheet_until_stay_is_tapped(
    site: Site, host: str, path: str, status: int, text: str
) -> None:
    assert get(site, path, host)[:2] == (302, "http://127.0.0.1/wifi")
    assert "127.0.0.1/go" in get(site, "/wifi")[2]
    assert get(site, "/wifi/stay")[:2] == (302, "/wifi")
    said = get(site, path, host)
    assert said[:2] == (status, "") and text in said[2]
    assert get(site, "/any", "news.example")[:2] == (302, "http://127.0.0.1/wifi")


def test_only_the_browser_gets_the_access_code_and_not_the_sheet(site: Site) -> None:
    assert get(site, "/go")[:2] == (302, f"/#{TOKEN}")
    get(site, "/wifi/stay")
    for page in ("/wifi", "/wifi/stay"):
        assert TOKEN not in "".join(get(site, page)[1:])


def test_a_wifi_without_a_password_does_not_give_the_access_code(
    site: Site, tmp_path: Path
) -> None:
    open_wifi(tmp_path, "")
    assert get(site, "/generate_204", "www.google.com")[0] == 302
    assert get(site, "/go")[:2] == (302, "/")


@pytest.mark.parametrize("wrong", ["", "[]", "{}", '["a"', "null"])
def test_in_any_other_network_there_is_no_sheet(site: Site, tmp_path: Path, wrong: str) -> None:
    (tmp_path / "own-wifi").write_text(wrong)
    if not wrong:
        (tmp_path / "own-wifi").unlink()
    assert get(site, "/generate_204", "www.google.com")[0] == 403
    assert get(site, "/wifi")[0] == get(site, "/wifi/stay")[0] == 404
    assert get(site, "/go")[:2] == (302, "/")


def test_clients_from_another_network_are_refused(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(captive_portal, "OWN_WIFI", "192.168.44.1")
    assert get(site, "/generate_204", "www.google.com")[0] == 403
    assert get(site, "/go")[:2] == (302, "/")


def test_a_phone_sees_the_sheet_again_on_another_evening(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(captive_portal, "BREAK_S", 0.0)
    get(site, "/wifi/stay")
    assert get(site, "/generate_204", "www.google.com")[0] == 302


@browsers
def test_the_sheet_fits_a_small_phone(site: Site, browser: Any) -> None:
    page = browser.new_page(viewport={"width": 320, "height": 480})
    page.goto(f"{site.url}/wifi", timeout=WAIT_MS)
    page.get_by_role("link", name="Stay on this Wi-Fi").click(timeout=WAIT_MS)
    link = page.get_by_role("link", name="Open the table")
    assert link.bounding_box(timeout=WAIT_MS)["y"] < 240
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.close()
