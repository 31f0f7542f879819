"""Every page and panel of a table is accessible: in light, dark, forced colours and with less
motion, by its names, and by keyboard (accessibility.py). The pages are those of the server's
requests, so that a new one can't be forgotten."""

import re
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from companion.core.box_page import CheckActions
from companion.core.budgets import TABLE_REQUESTS
from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.record.rows import GameOpened, Step
from companion.record.store.store import Store
from companion.web.address import listen
from companion.web.certificates import (
    AUTHORITY,
    CERTIFICATE,
    CERTIFICATE_KEY,
    Certificate,
    make_certificate,
)
from companion.web.files import STATIC
from tests.catalog import GAMES
from tests.screens.club_scenes import COMPARING
from tests.web.accessibility import faults, violations
from tests.web.in_browser import WAIT_MS, Site, Viewer
from tests.web.test_card_page import FakeWifi
from tests.web.test_certificates import NAMES, NOW
from tests.web.test_check_page import TOLD
from tests.web.test_past_page import usual_evening

PHONE: Final = {"width": 390, "height": 844}
TEXT: Final = "hand\nRed 6-6\nBlue 6-3\nRed 6-4"
HELP: Final = STATIC.parent / "help"
CHAPTERS: Final = sorted(
    str(path.relative_to(HELP).with_suffix("")) for path in HELP.rglob("*.html")
)

PAGES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "/": (("/", "#keyed:not([hidden])"),),
    "/tv": (("/tv", "#board svg"),),
    "/overlay": (("/overlay", "#board svg"),),
    "/box": (("/box", '[data-state="connected"]'),),
    "/card": (("/card#sesame", "#networks button"),),
    "/check": (("/check#sesame", "#parts dt"),),
    "/trust": (("/trust", "h1"),),
    "/wifi": (("/wifi", "h1"),),
    "/wifi/stay": (("/wifi/stay", "h1"),),
    "/evenings": (("/evenings", "section"), ("/evenings?ratings=1", "section")),
    "/evenings/{more}": (
        ("/evenings/1", "section"),
        ("/evenings/player?name=Ada", "section"),
        ("/evenings/game/2?entry=9", "html[data-state=shown]"),
        ("/evenings/nothing", "h1"),
    ),
    "/help/{page}": (("/help/manual", "h1"), ("/help/high-five", "h1"), ("/help/es/box", "h1")),
}
"""For each form of a page's path: the pages that are tried, each with what shows that it is
there."""
NO_PAGES: Final = {
    **dict.fromkeys(("/{name}", "/at/{version}/{language}/{name}"), "styles, scripts, pictures"),
    **dict.fromkeys(("/help/{folder}/{name}", "/tv-code/{name}", "/check/{name}.png"), "pictures"),
    **dict.fromkeys(("/catalog.js", "/watch.js"), "scripts"),
    **dict.fromkeys(("/drawing.css", "/evenings.css", "/watch.css"), "styles"),
    **dict.fromkeys(("/app.webmanifest", "/trust/authority.crt"), "files for the phone"),
    **dict.fromkeys(("/clips/{language}", "/clips/{language}/{name}"), "sounds"),
    **dict.fromkeys(("/token", "/way-in", "/live", "/stream"), "for scripts and programs"),
    **dict.fromkeys(("/{word}", "/TV/{name}", "/open/{ticket}{page}", "/go"), "lead to a page"),
}
"""Other forms of paths, and what they are."""
PANELS: Final = sorted(
    set(re.findall(r'data-panel="(\w+)"', (STATIC / "table.html").read_text("utf-8")))
)


def test_the_tests_cover_every_page_of_a_table() -> None:
    forms = {path for method, path in TABLE_REQUESTS if method == "GET"}
    assert forms == {*PAGES} | {*NO_PAGES}
    assert not {*PAGES} & {*NO_PAGES}


def begin_game(path: Path) -> None:
    """Adds a game that is being played now."""
    rules, seats = GAMES["high-five"], Seats.of("Red", "Blue")
    with closing(Store.open(path, GAMES, time.time)) as store:
        number = store.next_game_number()
        store.keep(number, GameOpened("high-five", seats, {}))
        for line in TEXT.splitlines():
            store.keep(number, Step((parse_entry(line, rules, seats),)))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The page of a flashed card with everything that a page can have, and other evenings."""
    folder = tmp_path_factory.mktemp("every")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("companion.web.card.WIFI", folder / "wifi.socket")
        patch.setattr("companion.web.captive_portal.OWN_WIFI", "127.0.0.1")
        (folder / "own-wifi").write_text('["Table 3F2A", "abcd-efgh", "WIFI:…", 1]')
        wifi = FakeWifi(folder / "wifi.socket")
        make_certificate(folder, NAMES, NOW)
        usual_evening(folder / "record.db")
        begin_game(folder / "record.db")
        secure = listen("127.0.0.1", 0)
        certificate = Certificate(folder / CERTIFICATE, folder / CERTIFICATE_KEY, print)
        made = Site(
            folder / "record.db",
            incoming=folder / "incoming",
            check=CheckActions(lambda: TOLD, list),
            encrypted=(secure, certificate.context),
            authority=folder / AUTHORITY,
        )
        made.table.events.put(COMPARING)
        yield made
        made.close()
        wifi.close()


@pytest.fixture(scope="module")
def viewer(browser: Any, site: Site) -> Iterator[Viewer]:
    """A phone that may do everything."""
    viewer = Viewer(browser, site, path="/", viewport=PHONE)
    yield viewer
    viewer.context.close()


def opened(viewer: Viewer, path: str, shown: str) -> Any:
    """The page at that path in a new tab, once what is `shown` is there."""
    tab = viewer.context.new_page()
    tab.goto(viewer.site.url + path)
    tab.wait_for_selector(shown, timeout=WAIT_MS, state="attached")
    return tab


@pytest.mark.browser
@pytest.mark.parametrize(("path", "shown"), [one for each in PAGES.values() for one in each])
def test_every_page_is_accessible(viewer: Viewer, path: str, shown: str) -> None:
    tab = opened(viewer, path, shown)
    assert faults(tab) == []
    tab.close()


@pytest.mark.browser
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_chapter_of_the_help_is_accessible(viewer: Viewer, chapter: str) -> None:
    tab = opened(viewer, f"/help/{chapter}", "h1")
    assert violations(tab) == []
    tab.close()


@pytest.mark.browser
@pytest.mark.parametrize("name", PANELS)
def test_every_panel_is_accessible(viewer: Viewer, name: str) -> None:
    tab = opened(viewer, "/", "#keyed:not([hidden])")
    tab.click(f'nav [data-panel="{name}"]')
    tab.wait_for_selector("#panel h2", timeout=WAIT_MS)
    assert faults(tab) == []
    tab.close()
