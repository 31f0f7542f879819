"""Tables that the hub opens itself: phones key there, and the hub shows them. They start again with
the hub, and one that outlived the hub is found."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.club.hub.club_site import ClubSite, club_site
from tests.club.hub.test_pages_browser import opened as opened  # noqa: PLC0414  # a fixture
from tests.waiting import wait_until
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.seats import deal, give_names, open_table
from tests.web.test_table_page import PHONE

Open = Callable[..., Any]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ClubSite]:
    with club_site(tmp_path) as made:
        yield made
    for table in tmp_path.rglob("table.json"):  # the hub was killed, they were not
        with suppress(ProcessLookupError, TypeError):
            os.kill(json.loads(table.read_text())["process"], signal.SIGKILL)


def address(tab: Any) -> str:
    """The address where phones key at the opened table."""
    tab.wait_for_selector("#opened a.address", timeout=WAIT_MS)
    found: str = tab.get_attribute("#opened a.address", "href")
    return found


def process(site: ClubSite) -> int | None:
    (path,) = site.hub.data.glob("tables/1/table.json")
    found: int | None = json.loads(path.read_text())["process"]
    return found


def begin(browser: Any, where: str) -> Any:
    """Lets a phone come in at the address `where` and begin a game of three; returns its page."""
    phone = browser.new_context(viewport=PHONE).new_page()
    phone.goto(where)
    phone.wait_for_selector(".welcome [data-panel=new]", timeout=WAIT_MS)
    open_table(phone, 3)
    give_names(phone, ("Anna", "Ben", "Cleo"))
    deal(phone)
    return phone


def test_a_club_needs_only_a_laptop_and_phones(site: ClubSite, opened: Open, browser: Any) -> None:
    tab = opened("/organiser", "keep")
    tab.click("#open-table .button")
    where = address(tab)
    assert tab.inner_text("#opened h3") == "Table 1"
    phone = begin(browser, where)
    all_tables = opened("/", "watch")
    card = '.card:has(.called:text-is("Table 1"))'
    all_tables.wait_for_selector(f'{card} .who:text-is("Cleo")', timeout=WAIT_MS)
    tab.click("#opened >> text=Close this table")
    tab.click("#opened >> text=Yes")
    tab.wait_for_selector("#opened h3", state="detached", timeout=WAIT_MS)
    wait_until(lambda: not list(site.hub.data.glob("tables/*/table.json")))
    phone.context.close()


def test_opened_tables_restart_with_the_hub(site: ClubSite, opened: Open) -> None:
    tab = opened("/organiser", "keep")
    tab.click("#open-table .button")
    where, first = address(tab), process(site)
    site.hub.kill()  # as a power cut of the hub's alone
    site.hub.start()
    tab.wait_for_selector('body[data-state="connected"]', timeout=WAIT_MS)
    assert address(tab) == where
    assert process(site) == first, "it was found where it runs"
    assert first is not None
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: process(site) not in (None, first))
    assert address(tab) == where
