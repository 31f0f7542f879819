"""The invitation on a phone, and the digits typed at the bare address, in a real browser."""

import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import zxingcpp
from PIL import Image

from companion.core.languages import OWN_NAMES
from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS, Site, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.seats import deal, give_names, open_table
from tests.web.test_table_page import LAYS, PHONE


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    keep(tmp_path / "record.db", LAYS)
    site = Site(tmp_path / "record.db", lan=True)
    yield site
    site.close()


def invited(browser: Any, site: Site) -> tuple[Viewer, str]:
    """The page of a playing phone that shows its invitation, and the digits on it."""
    host = Viewer(browser, site, path="/", viewport=PHONE)
    host.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    host.tab.click("#invite")
    return host, host.tab.inner_text("#invitation .digits")


def read_code(tab: Any, place: str) -> str:
    """The text of the QR code in that place, read as a phone's camera would: it waits until nothing
    on the page moves."""
    ends = time.monotonic() + WAIT_MS / 1000
    while time.monotonic() < ends:
        seen = Image.open(BytesIO(tab.locator(place).screenshot()))
        for code in zxingcpp.read_barcodes(seen.convert("L")):
            return str(code.text)
    raise AssertionError(f"no code can be read at {place}")


def from_elsewhere(browser: Any, site: Site, path: str) -> Any:
    """A page in a browser without access."""
    tab = browser.new_context(viewport=PHONE).new_page()
    tab.goto(f"http://127.0.0.1:{site.port}{path}")
    tab.wait_for_selector('[data-state="refused"]', timeout=WAIT_MS)
    return tab


def test_digits_that_a_phone_shows_let_another_play(browser: Any, site: Site) -> None:
    host, digits = invited(browser, site)
    address = host.tab.inner_text("#invitation .large")
    assert read_code(host.tab, "#invitation .qr") == f"{address}SESAME"
    assert violations(host.tab) == []
    guest = from_elsewhere(browser, site, "/")
    assert violations(guest) == []
    guest.fill("#code", digits)
    guest.click("#door button")
    guest.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    assert not guest.locator("#door").is_visible()
    guest.wait_for_selector("#coming", timeout=WAIT_MS)
    host.context.close()
    guest.context.close()


LINES = """(one) => {
  const text = document.createRange();
  text.selectNodeContents(one);
  return new Set([...text.getClientRects()].map(({ top }) => top)).size;
}"""
"""On how many lines an element's text is."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", OWN_NAMES)
def test_no_word_is_cut_beside_the_digits(browser: Any, site: Site, language: str) -> None:
    for width in (320, 360, 412):
        context = browser.new_context(
            viewport={"width": width, "height": 640}, locale=language, has_touch=True
        )
        guest = context.new_page()
        guest.goto(f"http://127.0.0.1:{site.port}/")
        guest.wait_for_selector("#code:focus", timeout=WAIT_MS)
        assert guest.eval_on_selector("#door button", LINES) == 1
        assert guest.evaluate("document.documentElement.scrollWidth") <= width
        context.close()


def test_digits_typed_on_a_tv_only_let_it_watch(browser: Any, site: Site) -> None:
    host, digits = invited(browser, site)
    tv = from_elsewhere(browser, site, "/tv")
    tv.fill("#code", "x")
    tv.click("#door button")
    tv.wait_for_selector("#link >> text=That code is wrong", timeout=WAIT_MS)
    tv.fill("#code", digits)
    tv.click("#door button")
    tv.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    tv.goto(tv.url.replace("/tv", "/"))
    tv.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    tv.wait_for_selector(".seat", timeout=WAIT_MS)
    assert not tv.locator("#keying").is_visible()
    host.context.close()
    tv.context.close()


def guest_at(browser: Any, site: Site, path: str) -> Any:
    """A page in a browser without access of its own, at an address that has the access code."""
    tab = browser.new_context(viewport=PHONE).new_page()
    tab.goto(f"http://127.0.0.1:{site.port}{path}")
    tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    return tab


def test_the_access_code_leaves_the_address_and_survives_a_reload(browser: Any, site: Site) -> None:
    here = f"http://127.0.0.1:{site.port}/"
    tab = guest_at(browser, site, "/#sesame")
    assert tab.url == here
    tab.reload()
    tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    assert tab.url == here
    other = tab.context.new_page()
    other.goto(f"{here}tv")
    other.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    tab.context.close()
    coded = guest_at(browser, site, "/#to-watch")
    assert coded.url == here
    assert not coded.locator("#phones").is_visible()
    coded.context.close()


def test_new_codes_send_everybody_away_except_the_requester(browser: Any, site: Site) -> None:
    host, _ = invited(browser, site)
    guest = guest_at(browser, site, "/#sesame")
    guest.check("#keep-phone")
    guest.wait_for_function("() => localStorage.word === '\"to-keep\"'", timeout=WAIT_MS)
    guest.reload()
    guest.wait_for_selector("#keep-phone:checked", timeout=WAIT_MS)
    before = host.tab.get_attribute("#invitation svg path:last-of-type", "d")
    host.tab.click("#new-codes button")
    host.tab.click("#new-codes button >> text=Yes, new codes")
    guest.wait_for_selector("#link >> text=Connect this page again", timeout=WAIT_MS)
    assert guest.locator("#door").is_visible()
    assert guest.evaluate("localStorage.word ?? sessionStorage.word ?? null") is None
    host.tab.wait_for_function(
        "(before) => document.querySelector('#invitation svg path:last-of-type')"
        "?.getAttribute('d') !== before",
        arg=before,
        timeout=WAIT_MS,
    )
    guest.fill("#code", host.tab.inner_text("#invitation .digits"))
    guest.click("#door button")
    guest.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    host.context.close()
    guest.context.close()


def test_the_first_phone_begins_a_game_and_then_everybody_gives_a_name(
    browser: Any, tmp_path: Path
) -> None:
    """The names are large keys, also on the first phone; a phone remembers the one that was
    tapped."""
    site = Site(tmp_path / "new.db", lan=True)
    first = guest_at(browser, site, "/#sesame")
    open_table(first)
    assert first.locator("#panel .place .who").all_inner_texts() == ["Free seat"] * 2
    first.click(".known button >> text=Red")
    give_names(first, ("Zoë",))
    deal(first)
    guest = guest_at(browser, site, "/#sesame")
    for tab in (first, guest):
        tab.wait_for_selector("#coming", timeout=WAIT_MS)
        assert tab.locator("#names .who").all_inner_texts() == ["Red", "Zoë"]
        assert not tab.locator("#keyed").is_visible()
        for key in tab.locator("#names button").all():
            box = key.bounding_box()
            assert min(box["width"], box["height"]) >= 60
            assert box["y"] + box["height"] <= PHONE["height"]
    assert violations(guest) == []
    first.click("#names >> text=Zoë")
    guest.wait_for_selector("#names >> text=already has a phone", timeout=WAIT_MS)
    guest.click("#names >> text=Just watch")
    first.wait_for_selector("#keyed", timeout=WAIT_MS)
    guest.wait_for_selector("#coming", state="hidden", timeout=WAIT_MS)
    assert not guest.locator("#keyed").is_visible()
    first.reload()
    first.wait_for_selector("#keyed", timeout=WAIT_MS)
    assert first.input_value("#who") == "seat Zoë"
    guest.select_option("#who", "seat Zoë")
    guest.wait_for_selector("#answer >> text=Zoë already has a phone", timeout=WAIT_MS)
    guest.click("#take-over")
    first.wait_for_selector("#answer >> text=Another phone is Zoë's now", timeout=WAIT_MS)
    guest.wait_for_selector("#keyed", timeout=WAIT_MS)
    assert guest.inner_text("#answer") == "", "it has the seat now"
    first.context.close()
    guest.context.close()
    site.close()


def test_a_tv_shows_a_code_that_a_phone_scans_to_let_it_in(browser: Any, site: Site) -> None:
    """The phone is asked first, and the TV only watches."""
    tv = from_elsewhere(browser, site, "/tv")
    tv.wait_for_selector("#tv-code img", timeout=WAIT_MS)
    assert tv.locator("#door").is_visible(), "digits do, too"
    code = read_code(tv, "#tv-code img")
    asked = code[code.index("/TV/") :]
    stranger = from_elsewhere(browser, site, asked)
    assert not stranger.locator("#let-in").is_visible(), "who is not in lets nobody in"
    phone = Viewer(browser, site, path=asked, viewport=PHONE)
    phone.tab.wait_for_selector("#let-in", timeout=WAIT_MS)
    assert violations(phone.tab) == []
    assert tv.locator("#tv-code").is_visible(), "nobody has said yes yet"
    phone.tab.click("#let-in-yes")
    tv.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    tv.wait_for_selector("#tv-code", state="hidden", timeout=WAIT_MS)
    assert tv.evaluate("JSON.parse(sessionStorage.word)") == "to-watch"
    assert not phone.tab.locator("#let-in").is_visible()
    assert phone.tab.url == f"http://127.0.0.1:{site.port}/"
    for tab in (tv, stranger, phone):
        tab.context.close()
