"""A box is moved to another network between two hands: what its display and the phones show. One
network is this machine's IPv4, the other its IPv6."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.core.box_page import PageRequest, Phones
from companion.core.typed_address import EVERYWHERE
from companion.web import address
from companion.web import phones as pairing
from companion.web.address import qr_rows
from tests.waiting import WAIT_S
from tests.web.in_browser import WAIT_MS, Site
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.test_table_page import LAYS, PHONE


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    keep(tmp_path / "record.db", LAYS)
    with closing(Site(tmp_path / "record.db", lan=True, host=EVERYWHERE)) as site:
        yield site


def shown_at_the_box(site: Site) -> Phones:
    """The address and code for phones, as the box's screen shows them right after it was opened."""
    while not site.phones.empty():
        site.phones.get()
    site.page.ask(PageRequest.SHOW)
    ends = time.monotonic() + WAIT_S
    while time.monotonic() < ends:
        phones = site.phones.get(timeout=WAIT_S)
        if phones.code:
            site.page.ask(PageRequest.HIDE)
            return phones
    raise AssertionError("the box shows no code")


def test_phones_return_to_the_same_hand_with_the_new_code(
    browser: Any, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = ["127.0.0.1"]
    for module in (address, pairing):
        monkeypatch.setattr(module, "network_address", lambda: at[0])
    phones = shown_at_the_box(site)
    assert phones.address == f"http://127.0.0.1:{site.port}"
    context = browser.new_context(viewport=PHONE)
    tab = context.new_page()
    tab.goto(f"{phones.address}/#{site.words.play}")
    tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    tab.wait_for_selector("#seats li", timeout=WAIT_MS)
    scores = tab.inner_text("#seats")

    at[0] = "::1"  # the box is in another network, and the phone is still in the old one
    context.set_offline(True)
    tab.wait_for_selector('[data-state="lost"]', timeout=WAIT_MS)
    assert "Not connected since" in tab.inner_text("#link")
    assert tab.inner_text("#seats") == scores, "the score stays to be read"

    phones = shown_at_the_box(site)
    assert phones.address == f"http://[::1]:{site.port}"
    assert phones.code == qr_rows(phones.address, site.words.play), "the evening's word still holds"
    context.set_offline(False)  # the phone has followed, and scans the code
    tab.goto(f"{phones.address}/#{site.words.play}")
    tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    tab.wait_for_selector("#seats li", timeout=WAIT_MS)
    assert tab.inner_text("#seats") == scores
    assert tab.url == f"{phones.address}/", "no word stays in the address bar"
    context.close()
