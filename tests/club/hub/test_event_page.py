"""An event in a real browser: an evening is run entirely with the page."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.club.hub.club_site import ClubSite, club_site
from tests.club.hub.test_event_api import Visitor
from tests.club.hub.test_event_draft import paper
from tests.club.hub.test_pages_browser import TV
from tests.club.hub.test_pages_browser import opened as opened  # noqa: PLC0414  # a fixture
from tests.events.playing import is_seated_once
from tests.waiting import wait_until
from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_table_page import PHONE

Open = Callable[..., Any]
NAMES = ["Anna", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ines"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClubSite]:
    with club_site(tmp_path_factory.mktemp("club")) as made:
        made.join("Table 1")
        yield made


def begun(opened: Open, name: str, *, kind: str = "", **more: Any) -> Any:
    """The organiser's page of a new event, to which all of NAMES have come. `kind`: its format, if
    not the usual one."""
    tab = opened("/event", "keep", **more)
    tab.fill("#new input >> nth=0", name)
    if kind:
        tab.select_option(f'#new select:has(option[value="{kind}"])', kind)
    tab.click("#new button")
    tab.wait_for_selector("#check-in:not([hidden])", timeout=WAIT_MS)
    paste(tab, "\n".join(f"{one}, of the club" for one in NAMES[:-1]), "Check in all")
    tab.wait_for_selector("#rows .row:nth-child(8)", timeout=WAIT_MS)
    tab.fill("#find", NAMES[-1])
    tab.press("#find", "Enter")
    tab.wait_for_selector("#rows .row:nth-child(9)", timeout=WAIT_MS)
    return tab


def paste(tab: Any, text: str, key: str) -> None:
    """Pastes many names, and taps the key that says whether they are here."""
    if tab.get_attribute("#more-people", "open") is None:
        tab.click("#more-people summary")
    tab.fill("#many textarea", text)
    tab.click(f'#many .act:text-is("{key}")')


def step(tab: Any, name: str) -> None:
    tab.click(f"[data-to={name}]", timeout=WAIT_MS)


def draw(tab: Any, number: int) -> None:
    """Draws a draft of the round, and publishes it."""
    step(tab, "draw")
    if tab.inner_text("#next-key") == f"Draw round {number}":
        tab.click("#next-key")
    tab.click(f'#next-key:text-is("Publish round {number}")', timeout=WAIT_MS)
    tab.wait_for_selector(f'#where:text-is("Round {number}")', timeout=WAIT_MS)
    tab.wait_for_selector("#tables .seat-table", timeout=WAIT_MS)


def table_at(tab: Any, place: int) -> str:
    """The selector of a table of the round that is shown: the first, the second … by number."""
    numbers = sorted(int(one.get_attribute("data-table")) for one in tab.query_selector_all(
        "#tables .seat-table"))  # fmt: skip
    return f'.seat-table[data-table="{numbers[place - 1]}"]'


def enter(tab: Any, table: int, *points: int) -> None:
    """Types the result of a table."""
    box = table_at(tab, table)
    tab.click(f"{box} .act")
    for seat, each in enumerate(points):
        tab.fill(f"{box} input >> nth={seat}", str(each))
    tab.click(f"{box} form .button")
    tab.wait_for_selector(f"{box} .won", timeout=WAIT_MS)


def correct(tab: Any, table: int, second: str, why: str) -> None:
    """Corrects the points of the second of three players at a table, with the reason `why`."""
    box = table_at(tab, table)
    tab.click(f"{box} .act")
    tab.fill(f"{box} input >> nth=1", second)
    tab.fill(f"{box} input >> nth=3", why)
    tab.fill(f"{box} input >> nth=4", "Kim")
    tab.click(f"{box} form .button")
    tab.wait_for_selector(f"{box} .moves li", timeout=WAIT_MS)
    tab.click(f'{box} .button:text-is("Correct it so")')
    tab.wait_for_selector(f"{box} >> text=corrected by Kim", timeout=WAIT_MS)


def event_of(site: ClubSite, tab: Any) -> Any:
    number = tab.url.rpartition("/")[2]
    return Visitor(site.hub, "watch").ask(f"/api/events/{number}")[1]


def test_an_evening_can_be_run_with_only_the_page(site: ClubSite, opened: Open) -> None:
    tab = begun(opened, "Friday fives")
    for number in (1, 2):
        draw(tab, number)
        assert "Results are missing" in tab.inner_text("#round-acts")
        for table in (1, 2, 3):
            enter(tab, table, 150, 40 + 5 * table, 20)
    found = event_of(site, tab)
    assert found["played"] == 2
    for each in found["event"]["rounds"]:
        is_seated_once(found["event"], each)
    assert tab.locator("#standings tbody tr").count() == 9
    step(tab, "standings")
    first = tab.inner_text("#standings tbody tr:first-child th")
    step(tab, "results")
    ids = {one["id"]: one["name"] for one in found["event"]["players"]}
    assert first == ids[found["standings"][0]["player"]]
    # Somebody corrects a result, and then finds that it was right.
    box = table_at(tab, 1)
    correct(tab, 1, "145", "a count was left out")
    tab.click("#told summary")
    tab.click("#history li:first-child .act")
    tab.click("#history li:first-child .act.careful")
    tab.wait_for_selector(f"{box} >> text=corrected by Kim", state="detached", timeout=WAIT_MS)
    assert event_of(site, tab)["standings"] == found["standings"]
    # A result of the round before is corrected, which the standings say.
    tab.select_option("#older select", "1")
    tab.wait_for_selector("#round-title >> text=Round 1", timeout=WAIT_MS)
    assert tab.locator("#corrections li").count() == 0
    correct(tab, 1, "140", "two were mixed up")
    step(tab, "standings")
    tab.wait_for_selector("#corrections >> text=/^Round 1, table 1: 150-45-20 is now 150-140-20/",
                          timeout=WAIT_MS)  # fmt: skip
    assert event_of(site, tab)["standings"] != found["standings"]
    # Ben leaves, and the next round is drawn without him.
    step(tab, "people")
    tab.click('.row .tick:has-text("Ben")')
    tab.wait_for_selector('.row .tick[aria-checked="false"]:has-text("Ben")', timeout=WAIT_MS)
    step(tab, "results")
    tab.select_option("#older select", "2")
    draw(tab, 3)
    assert "Ben" not in tab.inner_text("#tables")


def test_an_impossible_result_needs_confirmation(site: ClubSite, opened: Open) -> None:
    tab = begun(opened, "What can't be")
    draw(tab, 1)
    box, number = table_at(tab, 1), table_at(tab, 1).split('"')[1]
    tab.click(f"{box} .act")
    for seat, each in enumerate(("1500", "15", "20")):
        tab.fill(f"{box} input >> nth={seat}", each)
    tab.click(f"{box} form .button")
    tab.wait_for_selector(f"#answer >> text=table {number}: 1500 is more than 150: as entered?",
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
    tab.wait_for_selector(f"{box} .moves li", timeout=WAIT_MS)
    tab.click(f"{box} form .button")
    tab.wait_for_selector("#answer >> text=only one can win, and 2 have 150", timeout=WAIT_MS)
    tab.click('#answer .act:text-is("As entered")')
    tab.wait_for_selector(f"{box} >> text=corrected by Kim", timeout=WAIT_MS)
    assert tab.inner_text("#answer") == ""


def test_two_organisers_never_undo_each_other_s_entries_unnoticed(
    site: ClubSite, opened: Open
) -> None:
    tab = begun(opened, "Two of us")
    other = opened(f"/event/{tab.url.rpartition('/')[2]}", "keep")
    other.wait_for_selector("#rows .row:nth-child(9)", timeout=WAIT_MS)
    step(other, "draw")
    path = f"/api/events/{tab.url.rpartition('/')[2]}"
    gone = "internetdisconnected"
    other.route(
        f"**{path}", lambda it: it.abort(gone) if it.request.method == "GET" else it.fallback()
    )
    late = {"after": 10, "entries": [{"came": {"id": "p10", "name": "Zoe"}}]}
    assert Visitor(site.hub, "keep").ask(path, late)[0] == 200
    tab.wait_for_selector('#people >> text="Zoe"', timeout=WAIT_MS)
    other.click("#next-key")  # what it shows is old, and it doesn't know
    other.wait_for_selector("#answer >> text=Somebody else was faster", timeout=WAIT_MS)
    assert event_of(site, tab)["event"]["rounds"] == []
    other.unroute(f"**{path}")
    other.wait_for_selector('#people >> text="Zoe"', timeout=WAIT_MS, state="attached")
    draw(other, 1)
    tab.wait_for_selector('#where:text-is("Round 1")', timeout=WAIT_MS)


def test_the_focus_stays_at_its_table_when_another_one_reports(
    site: ClubSite, opened: Open
) -> None:
    tab = begun(opened, "By keyboard")
    draw(tab, 1)
    penalty = tab.locator(f'{table_at(tab, 2)} .act:text-is("Penalty")')
    penalty.focus()
    before = penalty.element_handle()
    found = event_of(site, tab)
    played = found["event"]["rounds"][0]["tables"][0]
    result = {"round": 1, "table": played["table"], "points": [50] * len(played["seats"])}
    path = f"/api/events/{found['number']}"
    status, answer = Visitor(site.hub, "keep").ask(
        path, {"after": found["after"], "entries": [{"result": result}]}
    )
    assert status == 200, answer
    wait_until(lambda: not before.evaluate("(one) => one.isConnected"))
    assert penalty.evaluate("(one) => one === document.activeElement")


def test_a_viewer_sees_everything_and_may_enter_nothing(site: ClubSite, opened: Open) -> None:
    tab = begun(opened, "To watch")
    paste(tab, "Zoe", "Add all as expected")
    tab.wait_for_selector('.filter:text-is("Expected 1")', timeout=WAIT_MS)
    draw(tab, 1)
    watching = opened(f"/event/{tab.url.rpartition('/')[2]}", "watch", viewport=PHONE)
    watching.wait_for_selector(".seat-table", timeout=WAIT_MS)
    assert watching.locator("main button:visible").count() == 0
    assert watching.locator(".step").count() == 3
    step(watching, "people")
    assert not watching.is_visible("#check-in")
    assert watching.locator("main button:visible:not(.filter):not([disabled])").count() == 0
    assert watching.inner_text("#rows .row") == "Zoe"
    assert watching.is_hidden("#paper >> text=Code for the door")
    assert tab.is_visible("#paper >> text=Code for the door")
    assert not watching.evaluate("document.documentElement.scrollWidth > innerWidth")
    judge = opened(f"/event/{tab.url.rpartition('/')[2]}", "play", viewport=PHONE)
    judge.wait_for_selector(".seat-table .act", timeout=WAIT_MS)
    enter(judge, 1, 150, 20, 10)
    step(watching, "results")
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
    tab.click("#round-acts >> text=Start the clock")
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


def test_sixty_names_rotate_in_readable_pages(site: ClubSite, opened: Open) -> None:
    names = [f"Wilhelmina {number}" for number in range(1, 61)]
    organiser = Visitor(site.hub, "keep")
    _, made = organiser.ask("/api/events", {"name": "Hall", "format": "tables", "seed": "x"})
    path = f"/api/events/{made['number']}"
    came = [{"came": {"id": f"p{at}", "name": name}} for at, name in enumerate(names)]
    organiser.ask(path, {"after": 1, "entries": came})
    assert organiser.ask(path, {"after": 61, "draw": True})[0] == 200
    board = opened(f"/event/{made['number']}/tv", "watch", viewport=TV)
    seen = list[str]()
    for where in ("Round 1: your table 1/2", "Round 1: your table 2/2", "Round 1"):
        board.wait_for_selector(f'#board .where:text-is("{where}")', timeout=WAIT_MS)
        board.evaluate("new Promise(requestAnimationFrame)")
        board.evaluate("new Promise(requestAnimationFrame)")
        lines = board.evaluate(
            "[...document.querySelectorAll('#board li')].map((one) => [one.querySelector('.player')"
            ".textContent, parseFloat(getComputedStyle(one).fontSize), one.getBoundingClientRect()"
            ".bottom, one.querySelector('.player').scrollWidth - one.querySelector('.player')"
            ".clientWidth])"
        )
        assert min(size for _, size, _, _ in lines) >= 40
        assert max(bottom for _, _, bottom, _ in lines) <= TV["height"]
        assert max(cut for _, _, _, cut in lines) <= 0
        seen += [name for name, _, _, _ in lines]
    assert seen[:60] == names
    assert len(seen[60:]) == 15 and seen[60].count(",") == 3


def test_thirty_two_long_names_are_not_cut_on_the_board(site: ClubSite, opened: Open) -> None:
    names = [f"Wilhelmina van den Oudenhove {number}" for number in range(1, 33)]
    organiser = Visitor(site.hub, "keep")
    _, made = organiser.ask("/api/events", {"name": "Long", "format": "tables", "seed": "x"})
    path = f"/api/events/{made['number']}"
    came = [{"came": {"id": f"p{at}", "name": name}} for at, name in enumerate(names)]
    organiser.ask(path, {"after": 1, "entries": came})
    board = opened(f"/event/{made['number']}/tv", "watch", viewport=TV)
    board.wait_for_selector("#board .where >> text=Who is here (32)", timeout=WAIT_MS)
    wait_until(
        lambda: (
            board.evaluate(
                "Math.max(...[...document.querySelectorAll('#board .player')].map((one) =>"
                " one.scrollWidth - one.clientWidth))"
            )
            <= 0
        )
    )
    size = board.evaluate("parseFloat(getComputedStyle(document.querySelector('li')).fontSize)")
    assert size >= 40


@pytest.mark.sampled(1)
@pytest.mark.parametrize("viewport", [PHONE, {"width": 320, "height": 568}], ids=str)
def test_the_page_is_accessible(site: ClubSite, opened: Open, viewport: dict[str, int]) -> None:
    tab = begun(opened, "Maximiliane-Wilhelmina van den Oudenhoven's evening", viewport=viewport)
    tab.click(".row:nth-child(2) .dots")
    draw(tab, 1)
    enter(tab, 1, 150, 20, 10)
    for name in ("people", "tables", "draw", "results", "standings"):
        step(tab, name)
        assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth"), name
        assert violations(tab) == [], name


def test_expected_people_check_in_by_phone_or_at_the_desk(site: ClubSite, opened: Open) -> None:
    tab = begun(opened, "At the door")
    paste(tab, "name,rating\nZoe,1500\nYann,", "Add all as expected")
    tab.click('.filter:text-is("Expected 2")', timeout=WAIT_MS)
    phone = opened(f"/event/{tab.url.rpartition('/')[2]}/here", "watch", viewport=PHONE)
    phone.click('#people >> text="Zoe"', timeout=WAIT_MS)
    phone.click("#people >> text=Yes, I am Zoe")
    phone.wait_for_selector("#sits >> text=You are checked in", timeout=WAIT_MS)
    assert not violations(phone)
    tab.click('.filter:text-is("Expected 1")', timeout=WAIT_MS)
    tab.click('.row .tick:has-text("Yann")')
    tab.click('.row:has([aria-checked="true"]:has-text("Yann")) .dots', timeout=WAIT_MS)
    tab.fill(".tray input[maxlength] >> nth=0", "Jan")
    tab.click(".tray form:last-child .act")
    tab.wait_for_selector('#people >> text="Jan"', timeout=WAIT_MS)
    assert event_of(site, tab)["event"]["out"] == []
    # The phone was closed: the link brings its page back, also after the word was forgotten.
    link = phone.url
    assert "#" in link
    again = phone.context.browser.new_context(viewport=PHONE).new_page()
    again.goto(link)
    again.wait_for_selector("#where >> text=Zoe", timeout=WAIT_MS)
    again.context.close()


def test_a_draft_is_changed_by_dragging_and_by_tapping(site: ClubSite, opened: Open) -> None:
    tab = begun(opened, "By hand")
    step(tab, "draw")
    tab.click("#next-key")
    tab.wait_for_selector(".seat-key >> nth=8", timeout=WAIT_MS)
    name = ".seat-key .player >> nth={}".format
    first, fourth = tab.inner_text(name(0)), tab.inner_text(name(3))
    tab.click(name(0))
    tab.wait_for_selector(f"#draft >> text=Who changes places with {first}?", timeout=WAIT_MS)
    tab.click(name(3))
    wait_until(lambda: tab.inner_text(name(0)) == fourth)
    assert tab.inner_text(name(3)) == first
    one, other = (tab.locator(".seat-key").nth(at).bounding_box() for at in (0, 4))
    fifth = tab.inner_text(name(4))
    tab.mouse.move(one["x"] + 30, one["y"] + 15)
    tab.mouse.down()
    tab.mouse.move(other["x"] + 30, other["y"] + 15, steps=4)
    tab.mouse.up()
    wait_until(lambda: tab.inner_text(name(0)) == fifth)
    found = event_of(site, tab)
    assert found["event"]["rounds"] == []  # nobody else sees it
    draw(tab, 1)
    drawn = event_of(site, tab)["event"]["rounds"][0]
    assert drawn["moved"] is True
    names = {one["id"]: one["name"] for one in found["event"]["players"]}
    assert names[drawn["tables"][0]["seats"][0]] == fifth


def test_a_knock_out_match_has_a_result_if_neither_player_came(opened: Open) -> None:
    tab = begun(opened, "Cup", kind="knockout")
    draw(tab, 1)
    box = table_at(tab, 1)
    tab.click(f"{box} .dots")
    tab.click(f'{box} .act:text-is("Did not come")')
    tab.click(f'{box} .act:text-is("Neither came")')
    tab.wait_for_selector(f'{box} .points:text-is("0") >> nth=1', timeout=WAIT_MS)
    assert tab.locator(f"{box} .points").all_inner_texts() == ["0", "0"]


def test_an_absent_player_and_a_result_from_two_phones_are_shown(
    site: ClubSite, opened: Open
) -> None:
    tab = begun(opened, "Three phones")
    number = tab.url.rpartition("/")[2]
    draw(tab, 1)
    box = table_at(tab, 2)
    names = tab.locator(f"{box} .player").all_inner_texts()
    gone, *others = (one.lstrip("●■▲◆") for one in names)
    tab.click(f"{box} .dots")
    tab.click(f'{box} .act:text-is("Did not come")')
    tab.click(f'{box} .act:text-is("{gone}")')
    tab.wait_for_selector(f"{box} li >> nth=2", state="detached", timeout=WAIT_MS)
    for at, name in enumerate(others):
        phone = opened(f"/event/{number}/here", "watch", viewport=PHONE)
        phone.click("#here-already summary", timeout=WAIT_MS)
        phone.click(f'#others .act:text-is("{name}")')
        phone.click(f"#others >> text=Yes, I am {name}")
        phone.wait_for_selector(".table-number", timeout=WAIT_MS)
        if at == 0:
            assert not violations(phone)
            phone.fill(".scores input >> nth=0", "150")
            phone.fill(".scores input >> nth=1", "35")
            phone.click("#result .button")
            phone.wait_for_selector("text=Another player has to confirm it", timeout=WAIT_MS)
        else:
            phone.wait_for_selector("text=Is this right?", timeout=WAIT_MS)
            phone.click("#result .button")
    tab.wait_for_selector(f"{box} .won", timeout=WAIT_MS)
    assert tab.locator(f"{box} .points").all_inner_texts() == ["150", "35"]


def test_a_judge_sees_holdings_and_needs_a_name_to_rule(site: ClubSite, opened: Open) -> None:
    text = "hand\nIda 6-6\nOle pass\nbogus Ole by Ida\nOle pips 31"
    site.play("Table 1", text, "Ida Ole")
    judge = opened("/judge", "play", viewport=PHONE)
    judge.wait_for_selector(".call >> text=Ole holds 31 pips", timeout=WAIT_MS)
    keys = judge.locator(".call .act").all_inner_texts()
    assert keys == ["Ole’s pass was right", "Ole could have played"]
    assert judge.locator(".call .proof svg").count() == 1
    assert not violations(judge)
    organiser = opened("/judge", "keep")
    organiser.wait_for_selector(".call", timeout=WAIT_MS)
    assert "31 pips" not in organiser.inner_text(".call")
    judge.click(".call .act")
    judge.click(".call .act.careful")
    judge.wait_for_selector("#answer >> text=Enter your name first", timeout=WAIT_MS)
    judge.fill("#name", "Carla")
    judge.click(".call .act")
    judge.click(".call .act.careful")
    judge.wait_for_selector("#answer:not(:empty)", timeout=WAIT_MS)


def in_event(site: ClubSite, people: int, **settings: Any) -> tuple[Visitor, str, Any]:
    """The organiser, and the path and the state of a new event in which so many people are."""
    organiser = Visitor(site.hub, "keep")
    _, made = organiser.ask("/api/events", {"seed": "x", **settings})
    path = f"/api/events/{made['number']}"
    names = [f"Wilhelmina {number}" for number in range(1, people + 1)]
    came = [{"came": {"id": f"p{at}", "name": name}} for at, name in enumerate(names)]
    return organiser, path, organiser.ask(path, {"after": 1, "entries": came})[1]


def test_a_bracket_is_shown_on_the_page_and_on_the_tv(site: ClubSite, opened: Open) -> None:
    organiser, path, kept = in_event(site, 27, name="Cup", format="knockout")
    _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
    tab = opened(path.removeprefix("/api").replace("events", "event"), "watch", viewport=PHONE)
    step(tab, "standings")
    tab.wait_for_selector("#bracket svg", timeout=WAIT_MS)
    assert tab.locator("#bracket rect").count() == 31
    assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert violations(tab) == []
    board = opened(f"/event/{kept['number']}/tv", "watch", viewport=TV)
    for where in ("Bracket 1/3", "Bracket 2/3", "Bracket 3/3"):
        board.wait_for_selector(f'#board .where:text-is("{where}")', timeout=4 * WAIT_MS)
        size, cut = board.evaluate(
            "(() => { const drawn = document.querySelector('.bracket-page svg');"
            " const all = [...drawn.querySelectorAll('text')].map((one) =>"
            " one.getBoundingClientRect());"
            " return [parseFloat(getComputedStyle(drawn).fontSize) * drawn.getScreenCTM().a,"
            " Math.max(...all.map((one) => Math.max(one.bottom - innerHeight,"
            " one.right - innerWidth, -one.left, -one.top)))]; })()"
        )
        assert size >= 40
        assert cut <= 0
    results = [
        {"result": {"round": 1, "table": one["table"], "points": [150, 20]}}
        for one in kept["event"]["rounds"][0]["tables"]
    ]
    assert organiser.ask(path, {"after": kept["after"], "entries": results})[0] == 200
    tab.wait_for_selector('#bracket text[font-weight="700"]', timeout=WAIT_MS)


def test_a_call_is_shown_at_once_on_the_board_without_hiding_names(
    site: ClubSite, opened: Open
) -> None:
    organiser, path, kept = in_event(site, 40, name="Hall", format="tables")
    organiser.ask(path, {"after": kept["after"], "draw": True})
    tab = opened(f"/event/{kept['number']}", "keep", viewport=PHONE)
    board = opened(f"/event/{kept['number']}/tv", "watch", viewport=TV)
    board.wait_for_selector("#board .where >> text=Round 1: your table", timeout=WAIT_MS)
    step(tab, "results")
    tab.fill("#find-table", "7")
    tab.click('.seat-table[data-table="7"] .dots')
    tab.click('.seat-table[data-table="7"] .act:text-is("Needs a player")')
    board.wait_for_selector(".look-here >> text=Table 7 needs a player", timeout=WAIT_MS)
    tab.fill("#announce input", "Please stop for a moment")
    tab.click("#announce .act >> nth=0")
    board.wait_for_selector(".look-here >> text=Please stop for a moment", timeout=WAIT_MS)
    board.wait_for_selector("#board .player", timeout=WAIT_MS)
    covered, bottom = board.evaluate(
        "[document.querySelector('.look-here').getBoundingClientRect().bottom"
        " - document.querySelector('#board h1').getBoundingClientRect().top, Math.max(..."
        "[...document.querySelectorAll('#board li')].map((one) =>"
        " one.getBoundingClientRect().bottom))]"
    )
    assert covered <= 0 and bottom <= TV["height"]
    assert violations(tab) == []
    for _ in range(2):
        tab.click('#announced .act:text-is("Take it down") >> nth=0')
    board.wait_for_selector(".look-here", state="hidden", timeout=WAIT_MS)


def test_the_break_counts_down_until_the_next_round(site: ClubSite, opened: Open) -> None:
    _, _, kept = in_event(site, 8, name="Break", format="tables")
    tab = opened(f"/event/{kept['number']}", "keep")
    tab.fill("#break input", "5")
    tab.click("#break .act")
    tab.wait_for_selector("#clock >> text=/^Round 1 in (5:00|4:5.)$/", timeout=WAIT_MS)
    board = opened(f"/event/{kept['number']}/tv", "watch", viewport=TV)
    board.wait_for_selector("#board .clock >> text=/^Round 1 in 4:[345].$/", timeout=WAIT_MS)
    draw(tab, 1)
    board.wait_for_selector("#board .clock", state="hidden", timeout=WAIT_MS)


def test_a_penalty_takes_two_taps_for_the_organiser_and_for_a_judge(
    site: ClubSite, opened: Open
) -> None:
    organiser, path, kept = in_event(site, 8, name="Strict", format="tables")
    rules = {"set": {"penalty": {"points": 1, "game": True}}}
    _, kept = organiser.ask(path, {"after": kept["after"], "entries": [rules]})
    _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
    seats = {one["table"]: one["seats"] for one in kept["event"]["rounds"][0]["tables"]}
    names = {one["id"]: one["name"] for one in kept["event"]["players"]}
    tab = opened(f"/event/{kept['number']}", "keep", viewport=PHONE)
    step(tab, "results")
    box = table_at(tab, 1)
    tab.click(f'{box} .act:text-is("Penalty")')
    assert violations(tab) == []
    tab.select_option(f"{box} .reason select", label="Slow play")
    tab.click(f'{box} [aria-label="Warning: {names[seats[1][0]]}"]')
    tab.wait_for_selector(f'{box} .act:text-is("Penalty")', timeout=WAIT_MS)
    judge = opened("/judge", "play", viewport=PHONE)
    part = judge.locator("#penalties .part", has_text="Strict")
    part.locator('.act:text-is("Table 2")').click(timeout=WAIT_MS)
    assert not violations(judge)
    judge.click(f'#penalties [aria-label="Game lost: {names[seats[2][3]]}"]')
    judge.wait_for_selector("#answer >> text=The penalty is entered", timeout=WAIT_MS)
    found = organiser.ask(path)[1]["event"]["penalties"]
    assert [(one["player"], one["kind"], one.get("why")) for one in found] == [
        (seats[1][0], "warning", "slow-play"), (seats[2][3], "game", None),
    ]  # fmt: skip
    step(tab, "standings")
    tab.wait_for_selector(f"#corrections >> text=Round 1: {names[seats[2][3]]}: Game lost",
                          timeout=WAIT_MS)  # fmt: skip
    warning = f"Round 1: {names[seats[1][0]]}: Warning · Slow play"
    assert f"{warning} · not counted" in tab.inner_text("#corrections")
    assert warning in str(paper(site.hub, "keep", f"{path}/standings"))


def test_the_organiser_fills_in_a_season(site: ClubSite, opened: Open) -> None:
    organiser, _, kept = in_event(site, 4, name="Monday one", format="tables")
    in_event(site, 4, name="Monday two", format="tables")
    tab = opened("/event", "keep", viewport=PHONE)
    tab.wait_for_selector("#season .button", timeout=WAIT_MS)

    def fill(label: str, value: str) -> None:
        tab.fill(f'#season label:has-text("{label}") >> :is(input, textarea)', value)

    def save() -> None:
        tab.evaluate("document.querySelector('#answer').textContent = ''")
        tab.click("#season .button")
        tab.wait_for_selector("#answer >> text=The season is saved", timeout=WAIT_MS)
        tab.wait_for_selector('#season select option:text-is("Winter")', state="attached")

    fill("Name", "Winter")
    fill("Evenings that count", "5")
    fill("Points by place", "10 8, 6.5")
    fill("Division", "Mondays")
    tab.check(f'#season input[value="{kept["number"]}"]')
    assert violations(tab) == []
    save()
    tab.select_option("#season select", "Winter")
    assert tab.is_checked(f'#season input[value="{kept["number"]}"]')
    fill("Division", "First division")
    fill("Fixtures", "Ship; Crown; 2026-11-02; 3:1 2:2\nCrown; Ship")
    save()
    found = organiser.ask("/api/season")[1]["seasons"]
    assert found == [{
        "season": 1, "name": "Winter", "best": 5, "points": [10, 8, 6.5],
        "divisions": [
            {"name": "Mondays", "events": [kept["number"]]},
            {"name": "First division", "fixtures": [
                {"home": "Ship", "away": "Crown", "date": "2026-11-02",
                 "boards": [[3, 1], [2, 2]]},
                {"home": "Crown", "away": "Ship"},
            ]},
        ],
    }]  # fmt: skip
    viewer = opened("/event", "watch", viewport=PHONE)
    viewer.wait_for_selector("#events a", timeout=WAIT_MS)
    assert viewer.is_hidden("#seasons")


def test_the_organiser_gives_the_seats_by_tapping_names_or_as_text(
    site: ClubSite, opened: Open
) -> None:
    tab = begun(opened, "Given seats", viewport=PHONE)
    step(tab, "draw")
    tab.click("#own-seats summary")
    tab.wait_for_selector("#seats-names .act:nth-child(9)", timeout=WAIT_MS)
    for name in reversed(NAMES):
        tab.click(f'#seats-names .act:text-is("{name}")')
    assert tab.input_value("#seats-text") == ("Ines, Hana, Gus, Finn\nEve, Dan, Cleo, Ben\nAnna")
    tab.click("#seats button:text-is('Make this the draft')")
    tab.wait_for_selector('#answer[data-done="false"]', timeout=WAIT_MS)
    assert "has one player" in tab.inner_text("#answer")
    assert tab.input_value("#seats-text") != ""  # what was written stays
    rounds = "61: Ines, Hana, Gus\n62: Finn, Eve, Dan\n63: Cleo, Ben, Anna"
    tab.fill("#seats-text", rounds)
    tab.click('#seats-names .act:text-is("+ Round 2")')
    tab.click('#seats-names .act:text-is("Anna")')
    tab.fill("#seats-text", f"{tab.input_value('#seats-text')}, Ben, Cleo\nDan, Eve, Finn\n"
             "Gus, Hana, Ines")  # fmt: skip
    assert violations(tab) == []
    tab.click("#seats button:text-is('Make this the draft')")
    tab.wait_for_selector("#drawn-tables .seat-table:nth-child(3)", timeout=WAIT_MS)
    assert "seats that you gave" in tab.inner_text("#draft")
    draw(tab, 1)
    tables = event_of(site, tab)["event"]["rounds"][0]["tables"]
    assert [(one["table"], one["seats"]) for one in tables] == [
        (61, ["ines", "hana", "gus"]),
        (62, ["finn", "eve", "dan"]),
        (63, ["cleo", "ben", "anna"]),
    ]
    for table in (1, 2, 3):
        enter(tab, table, 150, 45, 20)
    step(tab, "draw")
    tab.click('#next-key:text-is("Draw round 2")', timeout=WAIT_MS)
    tab.wait_for_selector('#draft .act:text-is("Draw by lot instead")', timeout=WAIT_MS)
    assert tab.inner_text("#drawn-tables .seat-table:first-child .player >> nth=0") == "Anna"
    tab.click('#draft .act:text-is("Draw by lot instead")')
    tab.wait_for_selector('#draft .act:text-is("Draw again")', timeout=WAIT_MS)


def team_lines(*names: str) -> str:
    """Teams of two of the people of `in_event`, as the organiser writes them."""
    pairs = (f"Wilhelmina {at * 2 + 1}, Wilhelmina {at * 2 + 2}" for at in range(len(names)))
    return "\n".join(f"{name}: {pair}" for name, pair in zip(names, pairs, strict=True))


def test_teams_play_board_by_board(site: ClubSite, opened: Open) -> None:
    organiser, path, _ = in_event(site, 6, name="League night", format="round-robin")
    tab = opened(path.removeprefix("/api").replace("events", "event"), "keep", viewport=PHONE)
    tab.click("#more-teams summary")
    tab.fill(
        "#teams-text", "Ship Inn: Wilhelmina 1, Wilhelmina 2\nCrown: Wilhelmina 3, Wilhelmine 4"
    )
    tab.click("#teams-form .act")
    tab.wait_for_selector('#answer[data-done="false"]', timeout=WAIT_MS)
    assert "did you mean Wilhelmina 4" in tab.inner_text("#answer")
    teams = team_lines("Ship Inn", "Crown", "Bell")
    tab.fill("#teams-text", teams)
    tab.click("#teams-form .act")
    tab.wait_for_selector('#rows .tag:text-is("Crown")', timeout=WAIT_MS)
    assert violations(tab) == []
    step(tab, "draw")
    tab.click("#next-key")
    tab.wait_for_selector("#drawn-tables .seat-table:nth-child(2)", timeout=WAIT_MS)
    kept = organiser.ask(path)[1]
    assert kept["teams_text"] == teams
    draft = kept["draft"]
    team = {one: each["name"] for each in kept["event"]["teams"] for one in each["people"]}
    (home, away), (bye,) = (
        list(dict.fromkeys(team[one] for one in seats))
        for seats in (draft["tables"][0]["seats"], draft["bye"])
    )
    assert f"{home} – {away}" in tab.inner_text("#drawn-tables .seat-table")
    # Two people of different matches can't change places: a team has one match in a round.
    swapped = [{**one, "seats": [*one["seats"]]} for one in draft["tables"]]
    swapped[0]["seats"][0], other = draft["bye"][0], swapped[0]["seats"][0]
    said = {"round": 1, "tables": swapped, "bye": [other, draft["bye"][1]]}
    status, answer = organiser.ask(path, {"after": kept["after"], "entries": [{"proposed": said}]})
    assert status == 422 and "a team has one match in a round" in answer["error"]
    draw(tab, 1)
    for at, points in ((1, (150, 90)), (2, (40, 150))):
        enter(tab, at, *points)
    tab.wait_for_selector('#matches .over >> text="2–0"', timeout=WAIT_MS)
    assert violations(tab) == []
    step(tab, "standings")
    rows = [row.split("\t") for row in tab.inner_text("#team-standings tbody").split("\n")]
    found = [[cell for cell in row if cell] for row in rows]
    assert [row[:3] for row in found] == [
        ["1", home, "2"], ["2", bye, "2"], ["3", away, "0"]
    ]  # fmt: skip
    assert found[0][3:] == ["1", "1", "0", "0", "2–0", "300–130"]
    assert violations(tab) == []
    viewer = Visitor(site.hub, "watch")
    assert viewer.ask(path)[1]["matches"][0] == [
        {"home": home, "away": away, "won": [2, 0], "over": True}
    ]
    assert viewer.ask(path, {"after": kept["after"], "teams": ""})[0] == 403
    assert "teams_text" not in viewer.ask(path)[1]
    sheet = str(paper(site.hub, "keep", f"{path}/standings"))
    assert "300–130" in sheet and home in sheet
    check_season_of_teams(site, opened, kept["number"])


def check_season_of_teams(site: ClubSite, opened: Open, number: int) -> None:
    """Checks that the matches of the event count in a season, and that the form shows it."""
    organiser = Visitor(site.hub, "keep")
    division = {"name": "One", "matches": [number]}
    season = {"season": 2, "name": "Teams", "divisions": [division]}
    assert organiser.ask("/api/season", season)[0] == 200
    page = str(paper(site.hub, "keep", "/season"))
    assert "150–90, 150–40" in page and "League night" in page
    tab = opened("/event", "keep", viewport=PHONE)
    tab.wait_for_selector("#season .button", timeout=WAIT_MS)
    tab.select_option("#season select", "Teams")
    assert tab.is_checked('#season label:has-text("matches of teams") input')
    assert tab.is_checked(f'#season input[value="{number}"]')
    tab.click("#season .button")
    tab.wait_for_selector("#answer >> text=The season is saved", timeout=WAIT_MS)
    assert season in organiser.ask("/api/season")[1]["seasons"]


def test_the_board_shows_matches_and_teams(site: ClubSite, opened: Open) -> None:
    organiser, path, kept = in_event(site, 8, name="League night", format="swiss")
    teams = team_lines("Ship Inn", "Crown", "Bell", "Swan")
    _, kept = organiser.ask(path, {"after": kept["after"], "teams": teams, "boards": 2})
    _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
    results = [
        {"result": {"round": 1, "table": one["table"], "points": [150, 40]}}
        for one in kept["event"]["rounds"][0]["tables"]
    ]
    assert organiser.ask(path, {"after": kept["after"], "entries": results})[0] == 200
    board = opened(path.removeprefix("/api").replace("events", "event") + "/tv", "watch",
                   viewport=TV)  # fmt: skip
    for shown in ("1–1", "Ship Inn", "Wilhelmina 8"):
        board.wait_for_selector(f'#board >> text="{shown}"', timeout=40_000)
