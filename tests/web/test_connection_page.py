"""A page that gets no messages, wakes up, or meets a newer program: in a real browser, whose clock
the tests move."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.in_browser import WAIT_MS, Site, Viewer, let_in
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.test_evening import until
from tests.web.test_table_page import LAYS, PHONE

CLOCK = """
let now = 1000000, timers = [];
performance.now = () => now;
Date.now = () => 1800000000000 + now;
window.setInterval = (act, every) => timers.push({ act, every, at: now + every });
window.pass = (ms) => {
  for (const until = now + ms; now < until;) {
    now += 50;
    for (const timer of timers) if (now >= timer.at) { timer.at += timer.every; timer.act(); }
  }
};
window.made = window.heard = 0;
const Real = window.WebSocket;
window.WebSocket = class extends Real {
  constructor(...more) {
    super(...more);
    window.made += 1;
    this.addEventListener("message", () => { window.heard += 1; });
  }
};
"""
"""Makes time pass only when a test moves it, and counts the connections that are made
and the messages that have arrived."""
HUSHED = "WebSocket.prototype.send = () => {}"
"""Drops everything that the page sends, so that no answer comes, as when the Wi-Fi is gone."""

WAKES = """(name) => new Promise((done) => {
  document.hidden = false;
  const woke = performance.now(), asked = document.getElementById("asked");
  const look = () => asked.textContent === "Your turn, Blue" && done(performance.now() - woke);
  const all = { childList: true, characterData: true, subtree: true };
  new MutationObserver(look).observe(document.body, all);
  setTimeout(() => done(99999), 30000);
  look();  // it may have heard that the network is there again
  const shown = name === "pageshow";
  (shown ? window : document).dispatchEvent(
    shown ? new PageTransitionEvent(name, { persisted: true }) : new Event(name));
})"""
"""Wakes the page; returns the milliseconds until it shows whose turn it is."""


class Phone(Viewer):
    """A phone whose clock stands still until the test moves it."""

    def __init__(self, browser: Any, site: Site) -> None:
        self.site = site
        self.complaints = []
        self.context = browser.new_context(viewport=PHONE)
        let_in(self.context, site.port)
        self.tab = self.context.new_page()
        self.tab.add_init_script(CLOCK)
        self.tab.goto(f"http://127.0.0.1:{site.port}/")
        self.until_state("connected")
        self.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)

    def passes(self, seconds: float) -> None:
        self.tab.evaluate(f"pass({1000 * seconds})")

    @property
    def state(self) -> str:
        return str(self.tab.evaluate("document.body.dataset.state"))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    keep(tmp_path / "record.db", LAYS)
    site = Site(tmp_path / "record.db")
    yield site
    site.close()


@pytest.fixture
def phone(browser: Any, site: Site) -> Iterator[Phone]:
    phone = Phone(browser, site)
    yield phone
    phone.context.close()


def test_after_three_seconds_of_silence_the_page_turns_grey(phone: Phone) -> None:
    phone.tab.evaluate(HUSHED)
    phone.tab.evaluate("() => { window.fetch = () => new Promise(() => {}); }")
    phone.passes(1)
    assert phone.state == "connected", "nobody has had the time to answer yet"
    phone.passes(2)
    assert phone.state == "lost"
    assert "Not connected since " in phone.tab.inner_text("#link")
    key = phone.tab.locator(".act.draw")
    assert key.get_attribute("aria-disabled") == "true"
    grey = "getComputedStyle(document.querySelector('.sheet')).filter"
    assert "grayscale" in phone.tab.evaluate(grey)


def test_a_phone_that_wakes_reconnects_at_once(phone: Phone) -> None:
    assert phone.tab.evaluate("made") == 1
    phone.tab.evaluate("Object.defineProperty(document, 'hidden', {value: true, writable: true})")
    phone.passes(600)
    assert phone.tab.evaluate("made") == 1, "it sleeps"
    phone.tab.evaluate(
        "document.hidden = false; document.dispatchEvent(new Event('visibilitychange'))"
    )
    until(phone, lambda: phone.tab.evaluate("made") == 2, "it waited")
    phone.until_state("connected")


def test_a_phone_whose_connection_died_in_a_short_sleep_reconnects_within_a_second(
    phone: Phone,
) -> None:
    """After two seconds it doesn't reconnect on its own, as it does after a real sleep."""
    phone.tab.evaluate(HUSHED)
    phone.tab.evaluate("Object.defineProperty(document, 'hidden', {value: true, writable: true})")
    phone.passes(2)
    phone.tab.evaluate(
        "document.hidden = false; document.dispatchEvent(new Event('visibilitychange'))"
    )
    phone.passes(0.2)
    assert phone.tab.evaluate("made") == 1, "nobody has had the time to answer yet"
    phone.passes(0.5)
    until(phone, lambda: phone.tab.evaluate("made") == 2, "it waited")


@pytest.mark.parametrize("event", ["visibilitychange", "pageshow"])
def test_a_phone_that_wakes_shows_its_turn_within_a_second(
    browser: Any, site: Site, event: str
) -> None:
    """Its connection was gone, and meanwhile somebody played a tile."""
    slept, other = (Viewer(browser, site, path="/", viewport=PHONE) for _ in range(2))
    slept.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    slept.tab.select_option("#who", "seat Blue")
    slept.tab.wait_for_selector("#asked >> text=Red's turn", timeout=WAIT_MS)
    slept.tab.evaluate("Object.defineProperty(document, 'hidden', {value: true, writable: true})")
    slept.context.set_offline(True)
    slept.tab.evaluate("dispatchEvent(new Event('hashchange'))")
    slept.until_state("lost")
    other.tab.click('[data-tile="6-4"]')
    other.tab.click('#ok:not([aria-disabled="true"])')
    other.tab.wait_for_selector("#asked >> text=Blue's turn", timeout=WAIT_MS)
    slept.tab.wait_for_timeout(1500)  # so that tries to connect follow each other at leisure
    slept.context.set_offline(False)
    took_ms = slept.tab.evaluate(WAKES, event)
    assert took_ms < 1000
    for viewer in (slept, other):
        viewer.context.close()


def test_looking_away_for_a_moment_keeps_the_connection(phone: Phone) -> None:
    phone.passes(0.5)
    heard = phone.tab.evaluate("heard")
    phone.tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(phone, lambda: phone.tab.evaluate("heard") > heard, "the table didn't answer")
    phone.passes(0.5)
    assert (phone.tab.evaluate("made"), phone.state) == (1, "connected")


def test_a_page_of_another_version_reloads_once(browser: Any, site: Site) -> None:
    viewer = Viewer(browser, site, path="/", viewport=PHONE)
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    viewer.tab.evaluate("document.body.dataset.old = ''")
    server = site.page._server
    assert server is not None
    broadcast = server._shown._broadcast
    broadcast.version = lambda _: "of the next program"
    assert server._shown._broadcast.snapshot is not None
    site.page.update(server._shown._broadcast.snapshot)
    viewer.tab.wait_for_selector("body:not([data-old])", timeout=WAIT_MS)
    viewer.until_state("connected")
    viewer.tab.evaluate("document.body.dataset.old = ''")
    site.page.update(server._shown._broadcast.snapshot)
    viewer.tab.evaluate("dispatchEvent(new Event('hashchange'))")
    viewer.until_state("connected")
    viewer.tab.wait_for_selector("body[data-old] #entries li", timeout=WAIT_MS)
    viewer.context.close()


def test_a_tile_tapped_without_a_connection_stays_chosen(phone: Phone) -> None:
    """Once the connection is back, the page asks what the tile would mean, and OK plays it."""
    phone.tab.evaluate(
        "() => { window.found = fetch; window.fetch = () => new Promise(() => {}); }"
    )
    phone.tab.evaluate("dispatchEvent(new Event('hashchange'))")
    phone.until_state("lost")
    name = phone.tab.locator('#tiles [data-stands="fits"]').first.get_attribute("data-tile")
    tile = phone.tab.locator(f'#tiles [data-tile="{name}"]')
    tile.click()
    assert tile.get_attribute("aria-pressed") == "true"
    assert phone.tab.inner_text("#answer") == f"No connection: {name} stays chosen until it is back"
    phone.tab.evaluate("() => { window.fetch = found; dispatchEvent(new Event('hashchange')); }")
    phone.until_state("connected")
    phone.tab.wait_for_selector(f"#meaning >> text=lays {name}", timeout=WAIT_MS)
    assert tile.get_attribute("aria-pressed") == "true"
    phone.passes(1)
    phone.tab.click("#ok")
    until(phone, lambda: tile.get_attribute("data-stands") == "laid", "it was never laid")
