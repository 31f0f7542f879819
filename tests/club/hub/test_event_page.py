"""An event in a real browser: an evening is run entirely with the page."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.club.hub.club_site import ClubSite, club_site
from tests.club.hub.test_event_api import Visitor
from tests.club.hub.test_pages_browser import TV
from tests.club.hub.test_pages_browser import opened as opened  # noqa: PLC0414  # a fixture
from tests.events.playing import is_seated_once
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_accessible import violations
from tests.web.test_table_page import PHONE

Open = Callable[..., Any]
NAMES = ["Anna", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ines"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClubSite]:
    with club_site(tmp_path_factory.mktemp("club")) as made:
        made.join("Table 1")
        yield made


def begun(opened: Open, name: str, **more: Any) -> Any:
    """The organiser's page of a new event, to which all of NAMES have come."""
    tab = opened("/event", "keep", **more)
    tab.fill("#new input >> nth=0", name)
    tab.click("#new button")
    tab.wait_for_selector("#check-in:not([hidden])", timeout=WAIT_MS)
    tab.fill("#check-in textarea", "\n".join(f"{one}, of the club" for one in NAMES[:-1]))
    tab.click("#check-in button.act")
    tab.wait_for_selector("#people li:nth-child(8)", timeout=WAIT_MS)
    tab.fill("#check-in input", NAMES[-1])
    tab.press("#check-in input", "Enter")
    tab.wait_for_selector("#people li:nth-child(9)", timeout=WAIT_MS)
    return tab


def draw(tab: Any, number: int) -> None:
    tab.click(".draw")
    tab.wait_for_selector(f'#where:text-is("Round {number}")', timeout=WAIT_MS)


def enter(tab: Any, table: int, *points: int) -> None:
    """Types the result of a table."""
    box = f".seat-table:nth-child({table})"
    tab.click(f"{box} .act")
    for seat, each in enumerate(points):
        tab.fill(f"{box} input >> nth={seat}", str(each))
    tab.click(f"{box} form .button")
    tab.wait_for_selector(f"{box} .won", timeout=WAIT_MS)


def correct(tab: Any, table: int, second: str, why: str) -> None:
    """Corrects the points of the second of three players at a table, with the reason `why`."""
    box = f".seat-table:nth-child({table})"
    tab.click(f"{box} .act")
    tab.fill(f"{box} input >> nth=1", second)
    tab.fill(f"{box} input >> nth=3", why)
    tab.fill(f"{box} input >> nth=4", "Kim")
    tab.click(f"{box} form .button")
    tab.wait_for_selector(f"{box} >> text=corrected by Kim", timeout=WAIT_MS)


def event_of(site: ClubSite, tab: Any) -> Any:
    number = tab.url.rpartition("/")[2]
    return Visitor(site.hub, "watch").ask(f"/api/events/{number}")[1]


def test_an_evening_is_run_with_only_the_page(site: ClubSite, opened: Open) -> None:
    tab = begun(opened, "Friday fives")
    for number in (1, 2):
        draw(tab, number)
        assert "1, 2, 3" in tab.inner_text("#round-acts")
        for table in (1, 2, 3):
            enter(tab, table, 150, 40 + 5 * table, 20)
    found = event_of(site, tab)
    assert found["played"] == 2
    for each in found["event"]["rounds"]:
        is_seated_once(found["event"], each)
    assert tab.locator("#standings tbody tr").count() == 9
    first = tab.inner_text("#standings tbody tr:first-child th")
    ids = {one["id"]: one["name"] for one in found["event"]["players"]}
    assert first == ids[found["standings"][0]["player"]]
    # Somebody corrects a result, and then finds that it was right.
    box = ".seat-table:nth-child(1)"
    correct(tab, 1, "145", "a count was left out")
    tab.click("#history li:first-child .act")
    tab.click("#history li:first-child .act.careful")
    tab.wait_for_selector(f"{box} >> text=corrected by Kim", state="detached", timeout=WAIT_MS)
    assert event_of(site, tab)["standings"] == found["standings"]
    # A result of the round before is corrected, which the standings say.
    tab.select_option("#older select", "1")
    tab.wait_for_selector("#round-title >> text=Round 1", timeout=WAIT_MS)
    assert tab.locator(".draw").count() == 0
    assert tab.inner_text("#corrections") == ""
    correct(tab, 1, "140", "two were mixed up")
    tab.wait_for_selector("#corrections >> text=/^Round 1, table 1: 150-45-20 is now 150-140-20/",
                          timeout=WAIT_MS)  # fmt: skip
    assert event_of(site, tab)["standings"] != found["standings"]
    tab.select_option("#older select", "2")
    tab.wait_for_selector(".draw", timeout=WAIT_MS)
    # Ben leaves, and the next round is drawn without him.
    tab.click('#people .act:text-is("Ben")')
    tab.click('#people .act.careful:text-is("Ben leaves")')
    tab.wait_for_selector("#people .gone", timeout=WAIT_MS)
    draw(tab, 3)
    assert "Ben" not in tab.inner_text("#tables")


def test_an_impossible_result_needs_confirmation(site: ClubSite, opened: Open) -> None:
    tab = begun(opened, "What can't be")
    draw(tab, 1)
    box = ".seat-table:nth-child(1)"
    tab.click(f"{box} .act")
    for seat, each in enumerate(("1500", "15", "20")):
        tab.fill(f"{box} input >> nth={seat}", each)
    tab.click(f"{box} form .button")
    tab.wait_for_selector("#answer >> text=table 1: 1500 is more than 150: as entered?",
                          timeout=WAIT_MS)  # fmt: skip
    assert event_of(site, tab)["event"]["rounds"][0]["tables"][0]["points"] is None
    # It was a slip: what was typed is still there.
    tab.click('#answer .act:text-is("Cancel")')
    assert tab.inner_text("#answer") == ""
    tab.fill(f"{box} input >> nth=0", "150")
    tab.click(f"{box} form .button")
    tab.wait_for_selector(f"{box} .won", timeout=WAIT_MS)
    # A correction is looked at, too, and entered once somebody says that it was so.
    tab.click(f"{box} .act")
    tab.fill(f"{box} input >> nth=1", "150")
    tab.fill(f"{box} input >> nth=3", "both had won")
    tab.fill(f"{box} input >> nth=4", "Kim")
    tab.click(f"{box} form .button")
    tab.wait_for_selector("#answer >> text=only one can win, and 2 have 150", timeout=WAIT_MS)
    tab.click('#answer .act:text-is("As entered")')
    tab.wait_for_selector(f"{box} >> text=corrected by Kim", timeout=WAIT_MS)
    assert tab.inner_text("#answer") == ""


def test_two_organisers_never_undo_each_other_unnoticed(site: ClubSite, opened: Open) -> None:
    tab = begun(opened, "Two of us")
    other = opened(f"/event/{tab.url.rpartition('/')[2]}", "keep")
    other.wait_for_selector("#people li:nth-child(9)", timeout=WAIT_MS)
    path = f"/api/events/{tab.url.rpartition('/')[2]}"
    gone = "internetdisconnected"
    other.route(
        f"**{path}", lambda it: it.abort(gone) if it.request.method == "GET" else it.fallback()
    )
    late = {"after": 10, "entries": [{"came": {"id": "p10", "name": "Zoe"}}]}
    assert Visitor(site.hub, "keep").ask(path, late)[0] == 200
    tab.wait_for_selector('#people >> text="Zoe"', timeout=WAIT_MS)
    other.click(".draw")  # what it shows is old, and it doesn't know
    other.wait_for_selector("#answer >> text=Somebody else was faster", timeout=WAIT_MS)
    assert event_of(site, tab)["event"]["rounds"] == []
    other.unroute(f"**{path}")
    other.wait_for_selector('#people >> text="Zoe"', timeout=WAIT_MS)
    draw(other, 1)
    tab.wait_for_selector('#where:text-is("Round 1")', timeout=WAIT_MS)


def test_a_viewer_sees_everything_and_may_enter_nothing(site: ClubSite, opened: Open) -> None:
    tab = begun(opened, "To watch")
    tab.fill("#check-in textarea", "Zoe")
    tab.click("#check-in >> text=Expect all")
    tab.wait_for_selector("#expected li", timeout=WAIT_MS)
    draw(tab, 1)
    watching = opened(f"/event/{tab.url.rpartition('/')[2]}", "watch", viewport=PHONE)
    watching.wait_for_selector(".seat-table", timeout=WAIT_MS)
    assert not watching.is_visible("#check-in")
    assert watching.locator("main button:visible").count() == 0
    assert watching.inner_text("#expected li") == "Zoe"
    assert watching.locator(".gone").count() == 0  # who hasn't come yet has not left
    assert watching.is_hidden("#paper >> text=Code for the door")
    assert tab.is_visible("#paper >> text=Code for the door")
    assert not watching.evaluate("document.documentElement.scrollWidth > innerWidth")
    judge = opened(f"/event/{tab.url.rpartition('/')[2]}", "play", viewport=PHONE)
    judge.wait_for_selector(".seat-table .act", timeout=WAIT_MS)
    enter(judge, 1, 150, 20, 10)
    watching.wait_for_selector(".seat-table .won", timeout=WAIT_MS)


def test_papers_need_an_access_code(site: ClubSite, opened: Open) -> None:
    tab = begun(opened, "On paper")
    draw(tab, 1)
    for kind in ("cards", "pairings", "standings", "certificates"):
        at = f"{tab.url}/{kind}"
        page = tab.context.new_page()
        assert page.goto(at).status == 200
        assert page.locator("section").count() >= 1
        styled = page.evaluate("getComputedStyle(document.body).color")
        assert styled == "rgb(0, 0, 0)"
        page.close()
    stranger = tab.context.browser.new_context().new_page()
    assert stranger.goto(f"{tab.url}/cards").status == 403
    stranger.context.close()


def test_the_clock_runs_on_every_page(opened: Open) -> None:
    tab = begun(opened, "With a clock")
    draw(tab, 1)
    tab.click("text=Start the clock")
    tab.wait_for_selector("#clock >> text=/^(30:00|29:5.) left$/", timeout=WAIT_MS)
    number = tab.url.rpartition("/")[2]
    board = opened(f"/event/{number}/tv", "watch", viewport=TV)
    board.wait_for_selector("#board .clock >> text=/^(30:00|29:[345].) left$/", timeout=WAIT_MS)


def test_the_board_can_be_read_from_far_away(site: ClubSite, opened: Open) -> None:
    names = [f"Player {number}" for number in range(1, 41)]
    organiser = Visitor(site.hub, "keep")
    _, made = organiser.ask("/api/events", {"name": "Big", "format": "tables", "seed": "x"})
    path = f"/api/events/{made['number']}"
    came = [{"came": {"id": f"p{at}", "name": name}} for at, name in enumerate(names)]
    organiser.ask(path, {"after": 1, "entries": came})
    board = opened(f"/event/{made['number']}/tv", "watch", viewport=TV)
    board.wait_for_selector("#board .where >> text=Who is here (40)", timeout=WAIT_MS)
    assert organiser.ask(path, {"after": 41, "draw": True})[0] == 200
    board.wait_for_selector("#board .where >> text=Round 1: your table", timeout=WAIT_MS)
    assert board.locator("#board li").count() == 40
    sizes = board.evaluate(
        "[...document.querySelectorAll('#board li')].map((one) => [parseFloat(getComputedStyle(one)"
        ".fontSize), one.getBoundingClientRect().bottom, one.querySelector('.player').scrollWidth"
        " - one.querySelector('.player').clientWidth])"
    )
    assert min(size for size, _, _ in sizes) >= 40
    assert max(bottom for _, bottom, _ in sizes) <= TV["height"]
    assert max(cut for _, _, cut in sizes) <= 0
    shown = board.evaluate(
        "[...document.querySelectorAll('#board .player')].map((one) => one.textContent)"
    )
    assert shown == names


@pytest.mark.sampled(1)
@pytest.mark.parametrize("viewport", [PHONE, {"width": 320, "height": 568}], ids=str)
def test_the_page_is_accessible(site: ClubSite, opened: Open, viewport: dict[str, int]) -> None:
    tab = begun(opened, "Maximiliane-Wilhelmina van den Oudenhoven's evening", viewport=viewport)
    draw(tab, 1)
    enter(tab, 1, 150, 20, 10)
    assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert violations(tab) == []


def test_expected_people_check_in_by_phone_or_at_the_desk(site: ClubSite, opened: Open) -> None:
    tab = begun(opened, "At the door")
    tab.fill("#check-in textarea", "name,rating\nZoe,1500\nYann,")
    tab.click("#check-in >> text=Expect all")
    tab.wait_for_selector("#expected li:nth-child(2)", timeout=WAIT_MS)
    phone = opened(f"/event/{tab.url.rpartition('/')[2]}/here", "watch", viewport=PHONE)
    phone.click('#people >> text="Zoe"', timeout=WAIT_MS)
    phone.click("#people >> text=Yes, I am Zoe")
    phone.wait_for_selector("#answer >> text=Welcome, Zoe", timeout=WAIT_MS)
    assert not violations(phone)
    tab.wait_for_selector('#people >> text="Zoe"', timeout=WAIT_MS)
    tab.click('#expected >> text="Yann"')
    tab.click("#expected >> text=Yann is here")
    tab.wait_for_selector('#people >> text="Yann"', timeout=WAIT_MS)
    tab.select_option("#rename select", label="Yann")
    tab.fill("#rename input", "Jan")
    tab.click("#rename button")
    tab.wait_for_selector('#people >> text="Jan"', timeout=WAIT_MS)
    assert event_of(site, tab)["event"]["out"] == []


def test_a_judge_sees_holdings_and_gives_a_name_to_rule(site: ClubSite, opened: Open) -> None:
    text = "hand\nIda 6-6\nOle pass\nbogus Ole by Ida\nOle pips 31"
    site.play("Table 1", text, "Ida Ole")
    judge = opened("/judge", "play", viewport=PHONE)
    judge.wait_for_selector(".call >> text=Ole holds 31 pips", timeout=WAIT_MS)
    assert not violations(judge)
    organiser = opened("/judge", "keep")
    organiser.wait_for_selector(".call", timeout=WAIT_MS)
    assert "31 pips" not in organiser.inner_text(".call")
    judge.click(".call .act")
    judge.click(".call .act.careful")
    judge.wait_for_selector("#answer >> text=Say first who you are", timeout=WAIT_MS)
    judge.fill("#name", "Carla")
    judge.click(".call .act")
    judge.click(".call .act.careful")
    judge.wait_for_selector("#answer:not(:empty)", timeout=WAIT_MS)
