"""Every page of a hub is accessible: in light, dark, forced colours and with less motion, by its
names, and by keyboard (tests/web/accessibility.py). The pages are those of the server's requests,
so that a new one can't be forgotten."""

from collections.abc import Iterator
from typing import Any, Final

import pytest

from companion.core.budgets import HUB_REQUESTS
from tests.club.hub.club_site import ClubSite, club_site
from tests.club.hub.test_event_api import NAMES, Visitor
from tests.web.accessibility import faults
from tests.web.in_browser import WAIT_MS

PHONE: Final = {"width": 390, "height": 844}
PLAYED: Final = "hand\nAnna 6-6\nBen 6-3"
CALLED: Final = "hand\nZoe 6-6\nKim draw\nbogus Kim by Zoe"
STEPS: Final = ("people", "tables", "draw", "results", "standings")
PAGES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "/": (("/", ".card"),),
    "/tv": (("/tv", "#board svg"),),
    "/overlay": (("/overlay", "#board svg"),),
    "/organiser": (("/organiser", ".qr"),),
    "/judge": (("/judge", ".call"),),
    "/table/{box}": (("/table/BOX", "#board svg"),),
    "/games/{box}": (("/games/BOX", ".games a"),),
    "/games/{box}/{game}": (("/games/BOX/1", "#slider"),),
    "/event": (("/event", "#listed:not([hidden])"),),
    "/event/{number}": tuple((f"/event/1 {step}", f"[data-to={step}]") for step in STEPS),
    "/event/{number}/tv": (("/event/1/tv", "#board li, #board .where"),),
    "/event/{number}/here": (("/event/1/here", "#others .act, #people .act"),),
    "/event/{number}/mine": (("/event/1/mine MINE", ".table-number"),),
    "/event/{number}/{kind}": tuple(
        (f"/event/1/{kind}", "section")
        for kind in ("list", "cards", "pairings", "slips", "standings", "certificates", "door")
    ),
    "/event/league": (("/event/league?of=1", "table"),),
    "/season": (("/season", "table"),),
    "/evenings": (("/evenings", "h1"),),
    "/evenings/{more}": (("/evenings/1", "h1"), ("/evenings/player?name=Anna", "h1")),
}
"""For each form of a page's path: the pages that are tried, each with what shows that it is there.
A word behind the path is the step of an event, or MINE for one player's link."""
NO_PAGES: Final = {
    **dict.fromkeys(("/{name}", "/at/{version}/{language}/{name}"), "styles, scripts, pictures"),
    **dict.fromkeys(("/catalog.js", "/watch.js"), "scripts"),
    **dict.fromkeys(("/drawing.css", "/evenings.css", "/watch.css", "/event_paper.css"), "styles"),
    **dict.fromkeys(("/help/{page}", "/help/{folder}/{name}"), "tried at a table"),
    **dict.fromkeys(("/club", "/live", "/live/{what}", "/healthz", "/metrics"), "for programs"),
    "/{word}": "leads to a page",
}
"""Other forms of paths, and what they are; those below /api are for scripts."""


def test_every_page_of_a_hub_is_listed_for_testing() -> None:
    forms = {path for method, path in HUB_REQUESTS if method == "GET"}
    assert {one for one in forms if not one.startswith("/api/")} == {*PAGES} | {*NO_PAGES}
    assert not {*PAGES} & {*NO_PAGES}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClubSite]:
    with club_site(tmp_path_factory.mktemp("club")) as made:
        for name in ("Table 1", "Table 2"):
            made.join(name)
        made.play("Table 1", PLAYED, "Anna Ben")
        made.play("Table 2", CALLED, "Zoe Kim")
        yield made


@pytest.fixture(scope="module")
def mine(site: ClubSite) -> str:
    """An event with a round that is being played, and one player's link to “My evening”."""
    organiser = Visitor(site.hub, "keep")
    settings = {"event": 2, "name": "Friday fives", "format": "tables", "seed": "friday"}
    assert organiser.ask("/api/events", settings)[0] == 201
    came = [{"came": {"id": name.lower(), "name": name}} for name in (*NAMES, "Eve", "Finn")]
    assert organiser.ask("/api/events/1", {"after": 1, "entries": came})[0] == 200
    _, kept = Visitor(site.hub, "watch").ask("/api/events/1/here", {"id": "anna"})
    after = organiser.ask("/api/events/1")[1]["after"]
    assert organiser.ask("/api/events/1", {"after": after, "draw": True})[0] == 200
    boards = [[3, 1], [1, 3], [3, 0]]
    divisions = [
        {"name": "Fridays", "events": [1]},
        {"name": "Teams", "fixtures": [{"home": "Ship", "away": "Crown", "boards": boards}]},
    ]
    season = {"season": 1, "name": "Winter", "points": [10, 7, 5, 4], "divisions": divisions}
    assert organiser.ask("/api/season", season)[0] == 200
    word: str = kept["mine"]
    return word


@pytest.fixture(scope="module")
def context(browser: Any, site: ClubSite) -> Iterator[Any]:
    """A browser with the organiser's access code."""
    context = browser.new_context(viewport=PHONE)
    tab = context.new_page()
    tab.goto(f"{site.url}/#{site.word('keep')}")
    tab.wait_for_selector('body[data-state="connected"]', timeout=WAIT_MS)
    yield context
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize(("place", "shown"), [one for each in PAGES.values() for one in each])
def test_every_page_is_accessible(
    context: Any, site: ClubSite, mine: str, place: str, shown: str
) -> None:
    path, _, step = place.partition(" ")
    tab = context.new_page()
    word = f"#{mine}" if step == "MINE" else ""
    url = site.url + path.replace("BOX", site.box("Table 1"))
    while "refresh" in context.request.get(url).headers:
        pass  # the page's figures are still being counted
    tab.goto(url + word)
    if step and not word:
        tab.click(f"[data-to={step}]", timeout=WAIT_MS)
    tab.wait_for_selector(shown, timeout=WAIT_MS, state="attached")
    assert faults(tab) == []
    tab.close()


@pytest.mark.browser
def test_a_page_without_an_access_code_is_accessible(browser: Any, site: ClubSite) -> None:
    for path in ("/", "/organiser", "/judge", "/event"):
        tab = browser.new_page(viewport=PHONE)
        tab.goto(site.url + path)
        tab.wait_for_selector("form", timeout=WAIT_MS)
        assert (path, faults(tab)) == (path, [])
        tab.context.close()
