"""Requests that a page made while its connection was gone are answered once it is back: a page
never waits for an answer that can't come."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.in_browser import WAIT_MS, Site, Viewer, let_in
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.test_pairing_page import from_elsewhere
from tests.web.test_table_page import LAYS, PHONE

HUSHED = "() => { window.said = WebSocket.prototype.send; WebSocket.prototype.send = () => {}; }"
"""Drops the page's messages, though the connection looks open."""
HEARD = "() => { WebSocket.prototype.send = said; }"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    keep(tmp_path / "record.db", LAYS)
    site = Site(tmp_path / "record.db")
    yield site
    site.close()


@pytest.fixture
def phone(browser: Any, site: Site) -> Iterator[Viewer]:
    phone = Viewer(browser, site, path="/", viewport=PHONE)
    phone.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    yield phone
    phone.context.close()


def without_network(phone: Viewer, act: Callable[[], None]) -> None:
    """Does something while the phone knows that it has no connection."""
    phone.context.set_offline(True)
    phone.tab.evaluate("dispatchEvent(new Event('hashchange'))")
    phone.until_state("lost")
    act()
    phone.context.set_offline(False)
    phone.until_state("connected")


def unheard(phone: Viewer, act: Callable[[], None]) -> None:
    """Does something while the connection is dead and the phone hasn't noticed."""
    phone.tab.evaluate(HUSHED)
    act()
    phone.until_state("lost")
    phone.tab.evaluate(HEARD)
    phone.until_state("connected")


GONE = pytest.mark.parametrize("gone", [without_network, unheard])


@GONE
@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["new", "chips", "race", "rules", "games", "help"])
def test_a_panel_arrives_once_the_connection_is_back(
    phone: Viewer, gone: Callable[[Viewer, Callable[[], None]], None], name: str
) -> None:
    gone(phone, phone.tab.locator(f"[data-panel={name}]:visible").first.click)
    phone.tab.wait_for_selector("#panel h2", timeout=WAIT_MS)


def test_a_panel_closed_meanwhile_stays_closed(phone: Viewer) -> None:
    key = phone.tab.locator("[data-panel=rules]:visible").first

    def open_and_close() -> None:
        key.click()
        key.click()

    without_network(phone, open_and_close)
    phone.tab.click("[data-panel=race]:visible")
    phone.tab.wait_for_selector("#panel svg", timeout=WAIT_MS)
    assert phone.tab.locator("#panel form").count() == 0


@GONE
def test_older_entries_arrive_after_a_lost_connection(
    browser: Any, tmp_path: Path, gone: Callable[[Viewer, Callable[[], None]], None]
) -> None:
    moved = ["chips Red 5 agreed", "chips Red -5 agreed"] * 13
    keep(tmp_path / "long.db", "\n".join(["hand", "Blue 6-6", *moved]))
    site = Site(tmp_path / "long.db")
    phone = Viewer(browser, site, path="/", viewport=PHONE)
    phone.tab.wait_for_selector("#older:visible", timeout=WAIT_MS)
    before = phone.tab.locator("#entries li").count()
    gone(phone, lambda: phone.tab.click("#older"))
    phone.tab.wait_for_function(
        "(before) => document.querySelectorAll('#entries li').length > before",
        arg=before,
        timeout=WAIT_MS,
    )
    phone.context.close()
    site.close()


def test_a_page_without_a_connection_does_not_blame_the_code(browser: Any, site: Site) -> None:
    tab = from_elsewhere(browser, site, "/")
    tab.context.set_offline(True)
    tab.fill("#code", "0815")
    tab.click("#door button")
    tab.wait_for_selector("#link >> text=No connection", timeout=WAIT_MS)
    tab.context.set_offline(False)
    tab.click("#door button")
    tab.wait_for_selector("#link >> text=That code is wrong", timeout=WAIT_MS)
    tab.context.close()


LOSES_FIRST = """
const say = WebSocket.prototype.send;
window.lost = 0;
WebSocket.prototype.send = function (text) {
  if (text.includes('"name":"win"') && !window.lost++) return undefined;
  return say.call(this, text);
};
"""
"""A script that loses the page's first question for the win."""


def test_the_winner_is_shown_after_the_next_connection(browser: Any, tmp_path: Path) -> None:
    ends = "blocked\nAnna pips 3\nBen pips 160"
    text = f"hand lead Anna\nAnna 5-5\n{ends}\nhand lead Anna\nAnna 5-5\n{ends}"
    keep(tmp_path / "won.db", text, "Anna Ben", name="five-up")
    site = Site(tmp_path / "won.db")
    context = browser.new_context(viewport=PHONE)
    let_in(context, site.port)
    context.add_init_script(LOSES_FIRST)
    tab = context.new_page()
    tab.goto(f"http://127.0.0.1:{site.port}/")
    tab.wait_for_selector("#win svg", timeout=WAIT_MS)
    assert tab.evaluate("lost") == 2
    context.close()
    site.close()
