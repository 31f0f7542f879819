"""The pages of a club's evening in a browser: the organiser opens tables, a phone begins a game at
each, and every page is saved as a picture."""

from pathlib import Path
from typing import Any, Final

from tests.club.hub.club_site import ClubSite
from tests.waiting import WAIT_S
from tests.web.seats import deal, give_names, open_table

PICTURES: Final = Path(__file__).parents[3] / "build" / "club"
SIZES: Final = {"phone": (390, 844), "laptop": (1280, 800), "tv": (1920, 1080)}
PATIENCE_MS: Final = 1000 * WAIT_S


def open_tables(browser: Any, site: ClubSite) -> None:
    """The organiser opens two tables; a phone comes in at each and begins a game."""
    tab = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    tab.goto(f"{site.url}/organiser#{site.word('keep')}")
    for number in (1, 2):
        tab.click("#open-table .button", timeout=PATIENCE_MS)
        tab.wait_for_selector(f"#opened a.address >> nth={number - 1}", timeout=PATIENCE_MS)
        where = tab.locator("#opened a.address").nth(number - 1).get_attribute("href")
        phone = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
        phone.set_default_timeout(PATIENCE_MS)
        phone.goto(where)
        open_table(phone, 3)
        give_names(phone, ("Kim", "Lea", "Max"))
        deal(phone)
        phone.wait_for_timeout(2000)
        phone.screenshot(path=PICTURES / f"keying-{number}.png")
    tab.context.close()


PAGES: Final = (
    "/",
    "/tv",
    "/overlay",
    "/organiser",
    "/evenings",
    "/event",
    "/table",
    "/games",
    "/game",
)


def draw_all(browser: Any, site: ClubSite, when: str, pages: tuple[str, ...] = PAGES) -> None:
    """Stores a picture of each of these pages at every size; its name begins with `when`."""
    box = site.box("Table 1")
    places = {"/table": f"/table/{box}", "/games": f"/games/{box}", "/game": f"/games/{box}/1"}
    for size, (width, height) in SIZES.items():
        context = browser.new_context(viewport={"width": width, "height": height})
        tab = context.new_page()
        tab.set_default_timeout(PATIENCE_MS)
        for page in pages:
            word = site.word("keep")
            tab.goto("about:blank")
            tab.goto(f"{site.url}/#{word}")
            tab.wait_for_timeout(700)
            tab.goto(f"{site.url}{places.get(page, page)}#{word}")
            tab.wait_for_timeout(2500)
            name = page.strip("/") or "tables"
            tab.screenshot(path=PICTURES / f"{when}-{name}-{size}.png", full_page=size != "tv")
        context.close()
