"""The panels beside the moment in a real browser: a game is begun, chips are counted, a forgotten
turn is put in."""

from typing import Any

import pytest

from companion.core.languages import OWN_NAMES
from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.seats import NAME, deal, give_names, open_table, set_players
from tests.web.test_keying_page import TOUCH, ok, phone, tap, until_entries
from tests.web.test_table_page import LAYS, PHONE, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

VIEWS = ("chips", "race", "rules", "new", "games", "help")


def opened(viewer: Viewer, name: str) -> None:
    tap(viewer, f'nav [data-panel="{name}"]')
    viewer.tab.wait_for_selector("#panel h2", timeout=WAIT_MS)


def test_the_first_game_is_begun_on_a_phone_with_names_typed(view: View) -> None:
    viewer = view(None, **TOUCH)
    open_table(viewer.tab, 3)
    give_names(viewer.tab, ("Zoë", "Old Tom"))
    viewer.tab.fill(NAME, "Pass")
    viewer.tab.wait_for_selector(".naming >> text=is a word of the tally", timeout=WAIT_MS)
    assert viewer.tab.locator(".naming svg").count() == 1
    viewer.tab.press(NAME, "Enter")
    assert viewer.tab.input_value(NAME) == "Pass", "it doesn't sit down"
    viewer.tab.fill(NAME, "Cleo")
    viewer.tab.wait_for_selector('.name-of input[aria-invalid="true"]', state="detached")
    deal(viewer.tab)  # with the name that was typed last
    viewer.tab.wait_for_selector("#seats >> text=Old Tom", timeout=WAIT_MS)
    assert viewer.tab.locator(".seat .who").all_inner_texts() == ["Zoë", "Old Tom", "Cleo"]
    viewer.until_answered()
    opened(viewer, "new")
    tap(viewer, "text=The same from the start")
    ok(viewer)
    viewer.tab.wait_for_selector("#answer[data-counted=true]", timeout=WAIT_MS)


def test_players_level_in_a_match_play_on_without_the_others(view: View) -> None:
    text = "hand lead Cleo\nCleo points 35\nCleo points 35\nCleo points 30"
    words = (("match", "5 of 5"), ("match-won", "2 2 0"))
    options = {"name": "all-fives", "match": 5, "target": 100, "words": words}
    viewer = view(text, seats="Anna Ben Cleo", options=options, **TOUCH)
    viewer.tab.select_option("#who", "seat Cleo", force=True)
    opened(viewer, "new")
    asked = viewer.tab.inner_text("#asked")
    assert asked.startswith("Anna and Ben are level"), "the game's winner reads it, too"
    tap(viewer, "#panel >> text=Only Anna, Ben play on")
    ok(viewer)
    viewer.tab.wait_for_selector("#where >> text=Match: extra game 1", timeout=WAIT_MS)
    assert viewer.tab.locator(".seat .who").all_inner_texts() == ["Anna", "Ben"]


def test_a_character_missing_from_the_display_is_reported_and_shown_as_a_question_mark(
    view: View,
) -> None:
    viewer = view(None, **TOUCH)
    open_table(viewer.tab)
    shown = []
    told = "The box's display has no 山: it shows ? there."
    for name, line in (("Li 山", told), ("Li ?", "")):
        viewer.tab.fill(NAME, name)
        viewer.tab.wait_for_function(
            """(line) => document.querySelector(".naming svg")
              && document.querySelector(".naming .notice").textContent === line""",
            arg=line,
            timeout=WAIT_MS,
        )
        shown.append(viewer.tab.locator(".naming svg").first.inner_html())
    assert shown[0] == shown[1]


def test_chips_are_counted_and_the_record_is_corrected(view: View) -> None:
    viewer = phone(view)
    opened(viewer, "chips")
    tap(viewer, "#panel .holding:first-child >> text=Count")
    for place, number in enumerate(("9", "8")):
        viewer.tab.locator("#panel .asks:visible input").nth(place).fill(number)
    assert viewer.tab.inner_text("#panel .sum:visible") == "130 counted, 135 recorded"
    tap(viewer, "text=Correct the record")
    viewer.tab.wait_for_selector("#meaning >> text=Red pays Blue 5", timeout=WAIT_MS)
    ok(viewer)
    until_entries(viewer, 5)


def test_a_forgotten_turn_is_inserted_and_the_later_ones_move(view: View) -> None:
    viewer = phone(view, "hand\nRed 6-6\nBlue 6-3\nRed draw\nRed 3-4")
    viewer.open_entry("Blue lays 6-3")
    viewer.tab.click("#as-text summary")
    viewer.tab.fill("#written", "Blue pass")
    tap(viewer, "text=Put this before it")
    viewer.tab.wait_for_selector("#choices >> text=Move the later turns on", timeout=WAIT_MS)
    assert not viewer.tab.locator("#ok").is_visible()
    tap(viewer, "#choices >> text=Move the later turns on by one seat: all kept")
    viewer.tab.wait_for_selector("#meaning >> text=Blue gives Red back 15", timeout=WAIT_MS)
    ok(viewer)
    until_entries(viewer, 6)
    assert viewer.tab.inner_text("#entries li:first-child .said") == "Blue lays 4-3"


def test_older_entries_are_loaded_on_request(view: View) -> None:
    moved = ["chips Red 5 agreed", "chips Red -5 agreed"] * 13
    viewer = phone(view, "\n".join(["hand", "Blue 6-6", *moved]))
    until_entries(viewer, 24)
    tap(viewer, "#older")
    viewer.tab.wait_for_selector("#entries >> text=A hand is dealt", timeout=WAIT_MS)
    assert not viewer.tab.locator("#older").is_visible()
    viewer.open_entry("Blue lays 6-6")
    viewer.tab.wait_for_selector("#opened:not([hidden])", timeout=WAIT_MS)


def test_the_menu_ends_the_game_after_a_question(view: View) -> None:
    viewer = phone(view)
    tap(viewer, "nav >> text=End this game")
    viewer.tab.wait_for_selector("#meaning >> text=The game ends", timeout=WAIT_MS)
    tap(viewer, "#cancel")
    tap(viewer, "nav >> text=End this game")
    ok(viewer)
    viewer.tab.wait_for_selector("#win:not([hidden])", timeout=WAIT_MS)
    assert viewer.tab.is_hidden("#end-game")


def test_who_watches_ends_no_game(view: View) -> None:
    viewer = phone(view)
    assert viewer.tab.is_visible("#end-game")
    viewer.tab.select_option("#who", "watcher")
    viewer.tab.wait_for_selector("#end-game", state="hidden", timeout=WAIT_MS)


def test_an_unfinished_game_is_continued(view: View) -> None:
    viewer = phone(view)
    opened(viewer, "new")
    tap(viewer, "text=The same from the start")
    ok(viewer)
    viewer.tab.wait_for_selector("#answer[data-counted=true]", timeout=WAIT_MS)
    viewer.tab.wait_for_selector("#entries .said", state="detached", timeout=WAIT_MS)
    opened(viewer, "games")
    viewer.tab.locator("#panel input").nth(1).fill("The long one")
    tap(viewer, "#panel li:nth-child(2) >> text=Name it")
    viewer.tab.wait_for_selector("#panel b >> text=The long one", timeout=WAIT_MS)
    viewer.until_answered()
    tap(viewer, "#panel li:nth-child(2) >> text=Resume it")
    viewer.tab.wait_for_selector("#meaning >> text=Game 1 goes on", timeout=WAIT_MS)
    ok(viewer)
    until_entries(viewer, 3)


def test_help_opens_at_the_current_game(view: View) -> None:
    viewer = phone(view)
    opened(viewer, "help")
    links = viewer.tab.locator("#panel a").evaluate_all("found => found.map((a) => a.pathname)")
    assert links == ["/help/high-five", "/help/manual"], "there is no box"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [name for name in OWN_NAMES if name != "en"])
def test_help_has_the_first_evening_in_each_language(view: View, name: str) -> None:
    viewer = view(LAYS, **TOUCH, locale=name)
    opened(viewer, "help")
    links = viewer.tab.locator("#panel a").evaluate_all("found => found.map((a) => a.pathname)")
    pages = ("lesson", "high-five", "manual")
    assert links == [f"/help/{name}/{page}" for page in pages]
    for path in links:
        assert viewer.tab.goto(f"http://127.0.0.1:{viewer.site.port}{path}").status == 200
        assert viewer.tab.evaluate("document.documentElement.lang") == name
        broken = "() => [...document.images].filter((one) => !one.naturalWidth).length"
        assert viewer.tab.evaluate(broken) == 0
    assert viewer.complaints == []


def test_a_game_with_a_points_card_starts_with_the_card_s_points(view: View) -> None:
    viewer = view(None, **TOUCH)
    open_table(viewer.tab, 2, game="high-five-tiles")
    best = viewer.tab.locator(".on-card input").last
    best.fill("99")
    tap(viewer, "#panel [type=submit]")
    assert viewer.tab.locator("#doing").is_hidden(), "no card has 99 points"
    best.fill("25")
    viewer.tab.locator(".on-card input").first.fill("2")
    tap(viewer, "#panel [type=submit]")
    viewer.tab.wait_for_selector(".naming >> text=Who sits here?", timeout=WAIT_MS)
    give_names(viewer.tab, ("Ann", "Ben"))
    deal(viewer.tab)
    viewer.tab.wait_for_selector("#meaning >> text=High Five: 25", timeout=WAIT_MS)
    ok(viewer)
    viewer.tab.wait_for_selector("#answer[data-counted=true]", timeout=WAIT_MS)
    viewer.tab.wait_for_selector("#seats .seat", timeout=WAIT_MS)
    opened(viewer, "new")
    viewer.tab.wait_for_selector(".on-card input >> nth=10", timeout=WAIT_MS)
    assert [viewer.tab.locator(".on-card input").nth(at).input_value() for at in (0, 10)] == [
        "2",
        "25",
    ]


def test_partners_are_chosen_outside_the_folded_rules_and_survive_a_club_s_rules(
    view: View,
) -> None:
    viewer = view(None, **TOUCH)
    open_table(viewer.tab, game="all-fives")
    viewer.tab.wait_for_selector("#panel details select", state="attached", timeout=WAIT_MS)
    assert viewer.tab.locator("#panel form > label >> text=Partners").count() == 0, "two play"
    set_players(viewer.tab, 4)
    partners = viewer.tab.locator("#panel form > label:has-text('Partners') select")
    partners.wait_for(timeout=WAIT_MS)
    partners.select_option("on")
    viewer.tab.select_option("#panel form > label:has-text('Rules') select", "W")
    assert partners.input_value() == "on"
    give_names(viewer.tab, ("Ann", "Ben", "Cleo", "Dan"))
    deal(viewer.tab)
    viewer.tab.wait_for_selector("#meaning >> text=Rules: W, with 1 change", timeout=WAIT_MS)
    viewer.tab.wait_for_selector("#meaning >> text=Partners: yes", timeout=WAIT_MS)
    ok(viewer)
    viewer.tab.wait_for_selector("#answer[data-counted=true]", timeout=WAIT_MS)


def test_a_player_s_name_is_tapped_and_changed(view: View) -> None:
    viewer = view("hand\nAnn 6-6", seats="Ann Zoë", **TOUCH)
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    opened(viewer, "games")
    tap(viewer, "#panel .points .player >> text=Ann")
    viewer.tab.fill("#panel .field input", "Old Tom")
    tap(viewer, "#panel >> text=Rename")
    viewer.tab.wait_for_selector("#meaning >> text=games count as Old Tom's", timeout=WAIT_MS)
    ok(viewer)
    viewer.tab.wait_for_selector("#panel .points >> text=Old Tom", timeout=WAIT_MS)
    viewer.tab.wait_for_selector("#news >> text=Ann is now called Old Tom", timeout=WAIT_MS)
    viewer.until_answered()
    opened(viewer, "new")
    tap(viewer, "#panel .players >> text=Ann keeps that name")
    viewer.tab.wait_for_selector("#meaning >> text=games count as Ann's again", timeout=WAIT_MS)


def test_the_newest_answer_for_a_view_is_shown_even_if_its_module_loads_later(view: View) -> None:
    viewer = view("hand\nAnn 6-6", seats="Ann Zoë", **TOUCH)

    def late(route: Any) -> None:
        viewer.tab.wait_for_timeout(300)
        route.continue_()

    viewer.tab.route("**/panel_views.js", late)
    for _ in range(6):
        viewer.tab.reload()
        viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
        opened(viewer, "games")
        viewer.tab.wait_for_selector("#panel .points .player >> text=Ann", timeout=WAIT_MS)


@pytest.mark.sampled(1, of="scheme")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_is_accessible_and_every_button_large_enough(view: View, scheme: str) -> None:
    viewer = view("hand\nRed 6-6\nBlue 6-3", viewport=PHONE, color_scheme=scheme, has_touch=True)
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    for name in VIEWS:
        opened(viewer, name)
        if name == "chips":
            tap(viewer, "#panel .holding:first-child >> text=Count")
        if name == "new":
            viewer.tab.fill(NAME, "Zoë")
            viewer.tab.wait_for_selector(".naming svg", state="attached", timeout=WAIT_MS)
            tap(viewer, "#panel .known .last")
            tap(viewer, "#panel .place >> nth=0")
            viewer.tab.wait_for_selector("#panel .hue", timeout=WAIT_MS)
        assert violations(viewer.tab) == [], name
        assert not viewer.tab.evaluate("document.documentElement.scrollWidth > innerWidth"), name
        for key in viewer.tab.locator("#panel button:visible, .views button:visible").all():
            box = key.bounding_box()
            assert min(box["width"], box["height"]) >= 44
