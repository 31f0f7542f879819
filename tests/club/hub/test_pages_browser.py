"""The hub's pages in a real browser, with a real hub and tables that push."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.club.hub.club_site import ClubSite, club_site
from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_table_page import DESKTOP, PHONE

LAYS = "hand\nAnna 6-6\nBen 6-3"
PARTNERS = "hand lead Mia\nMia 5-5\nJon 5-0"
CALLED = "hand\nZoe 6-6\nKim draw\nbogus Kim by Zoe"
TV = {"width": 1920, "height": 1080}
MEANT = ("ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_RE", "409 (Conflict)", "422 (Unp")
"""Browser complaints that are expected when a test cuts the network, kills the hub, lets two
people enter something at once, or enters what is refused."""
Open = Callable[..., Any]


def meant(said: str) -> bool:
    """Whether this complaint is caused on purpose by a test."""
    return any(one in said for one in MEANT)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClubSite]:
    with club_site(tmp_path_factory.mktemp("club")) as made:
        for name in ("Table 1", "Table 2", "Table 10", "Attic"):
            made.join(name)
        made.play("Table 1", LAYS, "Anna Ben")
        made.play("Table 2", CALLED, "Zoe Kim")
        made.play("Table 10", PARTNERS, "Mia Jon Ada Leo", "all-fives", partners="on")
        yield made


@pytest.fixture
def opened(site: ClubSite, browser: Any) -> Iterator[Open]:
    """Opens pages of the hub, with the access code of a `kind` or without one. Fails at the end if
    a browser has complained."""
    contexts, complaints = [], []

    def open_page(path: str, kind: str = "", **more: Any) -> Any:
        contexts.append(browser.new_context(**{"viewport": DESKTOP, **more}))
        tab = contexts[-1].new_page()
        tab.on("console", lambda said: complaints.append(said.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.goto(f"{site.url}{path}" + (f"#{site.word(kind)}" if kind else ""))
        refused = not kind or (path == "/organiser" and kind != "keep")
        state = "refused" if refused else "connected"
        tab.wait_for_selector(f'body[data-state="{state}"]', timeout=WAIT_MS)
        return tab

    yield open_page
    for context in contexts:
        context.close()
    assert [said for said in complaints if not meant(said)] == []


def card(name: str) -> str:
    return f'.card:has(.called:text-is("{name}"))'


def test_the_page_of_all_tables_updates_itself(site: ClubSite, opened: Open) -> None:
    tab = opened("/", "watch")
    tab.wait_for_selector(f"{card('Table 10')} .points", timeout=WAIT_MS)
    names = tab.locator(".card .called").all_inner_texts()
    assert [one for one in names if one.startswith("Table")] == ["Table 1", "Table 2", "Table 10"]
    assert tab.inner_text("h1") == "Friday Fives"
    assert site.word("watch") not in tab.url
    kitchen = tab.locator(card("Table 1"))
    assert kitchen.locator(".points").all_inner_texts() == ["0", "15"]
    assert kitchen.locator(".side.to-move .who").all_inner_texts() == ["Anna"]
    assert "Anna's turn" in kitchen.inner_text()
    assert kitchen.locator(".age").inner_text().endswith(("ago", "now"))
    assert "waits for a judge" in tab.inner_text(card("Table 2"))
    assert tab.inner_text("#attention span") == "Look here:"
    assert tab.locator("#attention a").all_inner_texts() == ["Table 2"]
    assert "no game yet" in tab.inner_text(card("Attic"))
    site.say("Table 1", "Anna 6-4", "Anna Ben")
    tab.wait_for_selector(f'{card("Table 1")} .side.to-move .who:text-is("Ben")', timeout=WAIT_MS)
    assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_partners_are_on_one_side_with_one_score(opened: Open) -> None:
    tab = opened("/", "watch")
    table = tab.locator(card("Table 10"))
    table.locator(".side").first.wait_for(timeout=WAIT_MS)
    sides = [one.locator(".who").all_inner_texts() for one in table.locator(".side").all()]
    assert sides == [["Mia", "Ada"], ["Jon", "Leo"]]
    assert table.locator(".points").all_inner_texts() == ["10", "10"]


FEDERATION = """
const parse = JSON.parse;
JSON.parse = (text) => {
  const told = parse(text), first = told?.tables?.find((one) => one.sides.length);
  if (first) told.tables = Array.from({ length: 100 }, (_, at) => {
    const number = at + 1, of = number % 2 ? "Crown" : "Ship Inn";
    return { ...first, box: String(number), name: `${of}: Table ${number}`, of };
  });
  return told;
};
"""
"""Makes a page show a hundred tables of two clubs, instead of the hub's own."""


def test_a_federation_s_hundred_tables_fit_a_short_page_and_are_filtered_by_club(
    site: ClubSite, browser: Any
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 640})
    context.add_init_script(FEDERATION)
    tab = context.new_page()
    tab.goto(f"{site.url}/#{site.word('watch')}")
    tab.wait_for_selector(card("Crown: Table 1"), timeout=WAIT_MS)
    assert tab.evaluate("document.documentElement.scrollHeight") <= 3000
    assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert tab.locator("#of option").all_inner_texts() == ["All clubs", "Crown", "Ship Inn"]
    tab.select_option("#of", "Ship Inn")
    names = tab.locator(".card .called").all_inner_texts()
    assert names[:2] == ["Ship Inn: Table 2", "Ship Inn: Table 4"] and len(names) == 8
    tab.fill("#find", "98")
    assert tab.locator(".card .called").all_inner_texts() == ["Ship Inn: Table 98"]
    context.close()


def test_a_page_without_an_access_code_shows_only_the_field_for_one(
    site: ClubSite, opened: Open
) -> None:
    tab = opened("/")
    assert tab.locator(".card").count() == 0
    assert "organiser" in tab.inner_text("#link")
    tab.fill("#code", "wrong word")
    tab.click("#door button")
    tab.wait_for_selector("#link:has-text('not an access code of this club')", timeout=WAIT_MS)
    word = site.word("watch").upper()
    tab.fill("#code", f"{word[:4]} {word[4:]}")
    tab.click("#door button")
    tab.wait_for_selector(".card", timeout=WAIT_MS)
    tab.reload()
    tab.wait_for_selector(".card", timeout=WAIT_MS)


def test_a_tap_on_a_card_opens_the_table_s_own_page(site: ClubSite, opened: Open) -> None:
    tab = opened("/", "watch")
    tab.click(f"{card('Table 1')} a")
    tab.wait_for_selector("#board svg", timeout=WAIT_MS)
    assert tab.inner_text("#title") == "Table 1: High Five"
    assert tab.inner_text("#seal") == "Sealed by its box"
    assert tab.locator("#entries .said").count() > 2
    assert not tab.locator("#keying").is_visible()
    assert not tab.locator(".box").is_visible()
    assert not tab.locator("#phones").is_visible()
    tab.click('[data-panel="race"]')
    tab.wait_for_selector("#panel .chart svg", timeout=WAIT_MS)
    tab.click('[data-panel="rules"]')
    tab.wait_for_selector("#panel .rules", timeout=WAIT_MS)
    assert tab.locator("#panel select").count() == 0
    tab.click('.ways a[href^="/games/"]')
    tab.click(".games a >> nth=0")
    tab.wait_for_selector("#slider", timeout=WAIT_MS)
    tab.click('.ways a[href="/"]')
    tab.wait_for_selector(".card", timeout=WAIT_MS)


def test_a_page_shows_a_lost_connection_and_reconnects(opened: Open) -> None:
    tab = opened("/", "watch")
    tab.wait_for_selector(".card", timeout=WAIT_MS)
    tab.context.set_offline(True)
    tab.evaluate("dispatchEvent(new Event('online'))")
    tab.wait_for_selector('body[data-state="lost"]', timeout=WAIT_MS)
    tab.context.set_offline(False)
    tab.wait_for_selector('body[data-state="connected"]', timeout=WAIT_MS)


def test_everything_is_read_again_after_the_hub_was_away(tmp_path: Path, browser: Any) -> None:
    with club_site(tmp_path) as site:
        for name in ("Kitchen", "Attic"):
            site.join(name)
            site.play(name, LAYS, "Anna Ben")
        context = browser.new_context(viewport=DESKTOP)
        tab, table = context.new_page(), context.new_page()
        tab.goto(f"{site.url}/#{site.word('watch')}")
        tab.wait_for_selector(f"{card('Kitchen')} .points", timeout=WAIT_MS)
        table.goto(f"{site.url}/table/{site.box('Attic')}#{site.word('watch')}")
        table.wait_for_selector("#board svg", timeout=WAIT_MS)
        site.hub.kill()
        tab.wait_for_selector('body[data-state="lost"]', timeout=WAIT_MS)
        with closing(sqlite3.connect(site.hub.data / "hub.db")) as db, db:
            newer = '{"v": 99, "kind": "step", "entries": []}'
            mine = "box = ? AND seq = (SELECT max(seq) FROM rows WHERE box = ?)"
            db.execute(f"UPDATE rows SET row = ? WHERE {mine}", (newer, *[site.box("Attic")] * 2))
        site.hub.start()
        tab.wait_for_selector(
            f"{card('Attic')} .alert:text-is('needs a newer hub')", timeout=WAIT_MS
        )
        table.wait_for_selector("#asked:has-text('needs a newer hub')", timeout=WAIT_MS)
        assert table.inner_text("#title").startswith("Attic")
        assert tab.locator(f"{card('Kitchen')} .points").all_inner_texts() == ["0", "15"]
        site.say("Kitchen", "Anna 6-4", "Anna Ben")
        tab.wait_for_selector(
            f"{card('Kitchen')} .side.to-move .who:text-is('Ben')", timeout=WAIT_MS
        )
        context.close()


def test_a_tv_rotates_among_tables_or_shows_only_the_requested_one(
    site: ClubSite, opened: Open
) -> None:
    tab = opened("/tv", "watch", viewport=TV)
    tab.wait_for_selector("#board svg", timeout=WAIT_MS)
    assert tab.inner_text("#turn") == "Table 1 of 3"
    assert tab.inner_text("#title").startswith("Table 1: ")
    assert site.word("watch") not in tab.url
    tab = opened(f"/tv?table={site.box('Table 2')}", "watch", viewport=TV)
    tab.wait_for_selector("#claim:not([hidden])", timeout=WAIT_MS)
    assert tab.inner_text("#title").startswith("Table 2: ")


def test_a_stream_overlay_shows_the_requested_table(site: ClubSite, opened: Open) -> None:
    tab = opened(f"/overlay?table={site.box('Table 10')}", "watch", viewport=TV)
    tab.wait_for_selector(".seat", timeout=WAIT_MS)
    assert "Mia" in tab.inner_text(".table")
    assert "Zoe" not in tab.inner_text("body")
    assert tab.inner_text("#asked") == "Ada's turn"


def test_the_organiser_accepts_and_expels_a_box(site: ClubSite, opened: Open) -> None:
    digits = site.ask("Terrace")
    tab = opened("/organiser", "keep")
    tab.wait_for_selector(f".digits:text-is('{digits[:3]} {digits[3:]}')", timeout=WAIT_MS)
    assert tab.locator("#codes .qr svg").count() == 2
    tab.click("#joining .button")
    tab.wait_for_selector("#answer:has-text('Terrace is now a member')", timeout=WAIT_MS)
    line = '#members .member:has(.called:text-is("Terrace"))'
    tab.click(f"{line} button:text-is('Retire')")
    tab.click(f"{line} button:text-is('Yes')")
    tab.wait_for_selector(f"{line} .quiet:text-is('has left')", timeout=WAIT_MS)
    tab.click(f"{line} button:text-is('Throw out')")
    tab.click(f"{line} button:text-is('Yes')")
    tab.wait_for_selector(f"{line} .quiet:text-is('was thrown out')", timeout=WAIT_MS)


def test_the_organiser_merges_two_spellings_and_undoes_it(site: ClubSite, opened: Open) -> None:
    tab, all_tables = opened("/organiser", "keep"), opened("/", "watch")
    tab.fill("#name", "Anna")
    tab.click("#person button[name=same]")
    assert tab.evaluate("document.activeElement.id") == "to", "as whom is still to be said"
    tab.fill("#to", "Hanna Li")
    tab.click("#person button[name=same]")
    tab.wait_for_selector("#people li:text-is('Anna counts as Hanna Li')", timeout=WAIT_MS)
    all_tables.wait_for_selector(f"{card('Table 1')} :text('Hanna Li')", timeout=WAIT_MS)
    tab.fill("#name", "Ben")
    tab.click("#person button[name=hide]")
    tab.wait_for_selector("#people li:text-is('Ben is not shown')", timeout=WAIT_MS)
    all_tables.wait_for_selector(f"{card('Table 1')}:not(:has-text('Ben'))", timeout=WAIT_MS)
    tab.click("#take-back button")
    tab.wait_for_selector("#answer:text-is('Taken back: Ben is not shown')", timeout=WAIT_MS)
    tab.click("#take-back button")
    all_tables.wait_for_selector(f"{card('Table 1')}:has-text('Ben')", timeout=WAIT_MS)
    all_tables.wait_for_selector(f"{card('Table 1')} :text('Anna')", timeout=WAIT_MS)


def test_a_viewer_s_code_does_not_open_the_organiser_s_page(site: ClubSite, opened: Open) -> None:
    tab = opened("/organiser", "watch")
    tab.wait_for_selector("#door:not([hidden])", timeout=WAIT_MS)
    assert not tab.locator("#organiser").is_visible()
    tab.fill("#code", site.word("keep"))
    tab.click("#door button")
    tab.wait_for_selector("#organiser:not([hidden]) .qr", timeout=WAIT_MS)


def test_the_organiser_chooses_between_the_records_of_a_fork(site: ClubSite, opened: Open) -> None:
    site.join("Bar")
    site.play("Bar", "hand\nUma 6-6", "Uma Vic")
    copy, record = site.record("Copy"), site.record("Bar")
    with sqlite3.connect(record) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    for beside in site.place.glob("Bar.*club*"):
        (site.place / beside.name.replace("Bar", "Copy")).write_bytes(beside.read_bytes())
    for beside in site.place.glob("Copy.*club*"):
        beside.chmod(0o600)
    site.say("Bar", "Vic 6-4", "Uma Vic")
    site.say("Copy", "Vic 6-3", "Uma Vic")
    tab = opened("/organiser", "keep")
    tab.wait_for_selector(".course", timeout=WAIT_MS)
    assert tab.locator(".course .newest li:first-child").all_inner_texts() == [
        "Vic lays 6-4",
        "Vic lays 6-3",
    ]
    all_tables = opened("/", "watch")
    all_tables.wait_for_selector(f"{card('Bar')} .alert:has-text('two records')", timeout=WAIT_MS)
    tab.click(".course >> nth=0 >> text=Continue this one")
    tab.click(".course >> nth=0 >> text=Yes")
    tab.wait_for_selector("#forked", state="hidden", timeout=WAIT_MS)
    all_tables.wait_for_selector(
        f"{card('Bar')} .alert:has-text('two records')", state="detached", timeout=WAIT_MS
    )


SIZES = {"phone": PHONE, "desktop": DESKTOP}


@pytest.mark.sampled(1, of="scheme")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_page_is_accessible(site: ClubSite, opened: Open, size: str, scheme: str) -> None:
    box = site.box("Table 1")
    seen = {
        "/": ("watch", ".card"),
        "/organiser": ("keep", ".qr"),
        f"/table/{box}": ("watch", "#board svg"),
        "/tv": ("watch", "#board svg"),
        f"/games/{box}": ("watch", ".games a"),
        f"/games/{box}/1": ("watch", "#slider"),
    }
    tab = opened("/", "keep", viewport=SIZES[size], color_scheme=scheme)
    for path, (_, shown) in seen.items():
        tab.goto(site.url + path)
        tab.wait_for_selector(shown, timeout=WAIT_MS)
        assert (path, violations(tab)) == (path, [])
        assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth"), path
    tab = opened("/", viewport=SIZES[size], color_scheme=scheme)
    assert violations(tab) == []


def test_many_tables_fit_a_phone_and_can_be_searched(browser: Any, tmp_path: Path) -> None:
    with club_site(tmp_path / "large") as site:
        for number in range(1, 31):
            site.join(f"Table {number}")
        for number in range(1, 10):
            seats = f"Mia Jon Ada Leo{number}"
            site.play(f"Table {number}", PARTNERS, seats, "all-fives", partners="on")
        tab = browser.new_context(viewport=PHONE).new_page()
        tab.goto(f"{site.url}/#{site.word('watch')}")
        tab.wait_for_selector(".card", timeout=WAIT_MS)
        assert tab.locator(".card").count() == 8
        assert tab.evaluate("document.documentElement.scrollHeight") <= 3000
        assert violations(tab) == []
        tab.fill("#find", "leo9")
        tab.wait_for_selector('.card >> text="Table 9"', timeout=WAIT_MS)
        assert tab.locator(".card").count() == 1
        tab.fill("#find", "table 3")
        assert tab.locator(".card").count() == 2, "Table 3 and Table 30"
        tab.fill("#find", "")
        tab.click('#more:text-is("Show 8 more")')
        assert tab.locator(".card").count() == 16
        tab.context.close()


def test_the_organiser_names_a_box_and_numbers_its_table(site: ClubSite, opened: Open) -> None:
    tab = opened("/organiser", "keep")
    line = f'.member:has(a[href="/table/{site.box("Attic")}"])'
    tab.click(f'{line} .act:text-is("Name and number")', timeout=WAIT_MS)
    for field in tab.locator(f"{line} input").all():
        box = field.bounding_box()
        assert box is not None and box["height"] >= 40, "as large as other fields"
    tab.fill(f"{line} input >> nth=0", "Attic room")
    tab.fill(f"{line} input >> nth=1", "2")
    tab.click(f"{line} [type=submit]")
    tab.wait_for_selector("#answer >> text=Table 2 is table 2: give it another number first",
                          timeout=WAIT_MS)  # fmt: skip
    tab.click(f'{line} .act:text-is("Name and number")')
    tab.fill(f"{line} input >> nth=0", "Attic room")
    tab.fill(f"{line} input >> nth=1", "12")
    tab.click(f"{line} [type=submit]")
    tab.wait_for_selector("#answer >> text=Attic room is table 12", timeout=WAIT_MS)
    tab.wait_for_selector(f'{line} >> text="Table 12"', timeout=WAIT_MS)
    assert not violations(tab)
    tab.click(f'{line} .act:text-is("Name and number")')
    tab.fill(f"{line} input >> nth=0", "Attic")
    tab.fill(f"{line} input >> nth=1", "")
    tab.click(f"{line} [type=submit]")
    tab.wait_for_selector(f'{line} >> text="Table 12"', state="detached", timeout=WAIT_MS)


def test_a_dispute_is_shown_in_full_on_every_screen(opened: Open) -> None:
    for viewport in (PHONE, DESKTOP, TV):
        tab = opened("/judge", "play", viewport=viewport)
        tab.wait_for_selector(".call .proof .lit", timeout=WAIT_MS)
        call, proof, tiles = (
            tab.locator(one).bounding_box() for one in (".call", ".proof svg", ".proof .lit")
        )
        assert call["width"] >= min(viewport["width"] - 32, 500)
        assert proof["height"] <= viewport["height"] / 2
        assert tiles["x"] >= proof["x"]
        assert tiles["x"] + tiles["width"] <= proof["x"] + proof["width"]
        assert violations(tab) == []
