"""What a TV shows besides the table: chips beside their payer and on their way, the terms of the
count, streaks and records, the podium with the best play. Less motion leaves stills."""

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.core.values import Json
from companion.presentation.drawing.race import game_over_json
from companion.presentation.moment import Moment
from companion.record.journal import Journal
from tests.presentation.test_highlights import prefixes
from tests.presentation.test_moment import at_random
from tests.web.in_browser import WAIT_MS, Viewer, stop_clock
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_table_page import DESKTOP, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture
from tests.web.test_tv import GIVE
from tests.web.told_games import GameMessages, told, told_game

FLYING, BESIDE = ".disc.flying", ".to-give .disc"
WIN = """async (panel) => {
  const script = document.querySelector("script").src;
  const { showTvWin } = await import(new URL("./tv_show.js", script));
  showTvWin(panel);
}"""
OUT = """() => [...document.querySelectorAll(".seat, .now, .count, .board, .win, .step, .to-give")]
  .map((one) => one.getBoundingClientRect())
  .filter(({ left, top, right, bottom, width }) =>
    width && (left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1)).length"""


def on_tv(view: View, **more: Any) -> Viewer:
    viewer = view(None, path="/tv", **{"viewport": DESKTOP, **more})
    viewer.tab.wait_for_selector("#welcome", timeout=WAIT_MS)
    return viewer


@pytest.fixture
def tv(view: View) -> Iterator[Viewer]:
    """A TV's page at a table without a game."""
    yield on_tv(view)


def won_game(seats: int) -> tuple[GameMessages, Journal[Any]]:
    """The messages of a whole game, and the game."""
    for seed in count():
        journal = at_random(seed)
        if len(journal.state.seats) == seats and journal.state.winners:
            return GameMessages([*prefixes(journal)]), journal
    raise AssertionError


def test_chips_fly_to_the_winner_and_stay_beside_their_payer(tv: Viewer) -> None:
    stop_clock(tv.tab)
    before, paid = told_game("high-five", 2)[-2:]
    tv.tab.evaluate(GIVE, before)
    assert tv.tab.locator(BESIDE).count() == 0
    tv.tab.evaluate(GIVE, paid)
    beside = tv.tab.locator('.seat[data-seat="Maximilian"] .to-give')
    assert beside.locator(".disc").all_inner_texts() == ["10", "5"]
    assert beside.get_attribute("data-colour") == paid["moment"]["seats"][0]["colour"]
    assert tv.tab.locator(FLYING).count() == 2
    tv.tab.clock.run_for(5_000)
    assert tv.tab.locator(FLYING).count() == 0
    tv.tab.clock.run_for(60_000)
    assert beside.locator(".disc").count() == 2, "until the next entry"
    assert tv.tab.locator(".count .term").all_inner_texts() == ["12", "3"]


def test_reduced_motion_shows_still_pictures(view: View) -> None:
    tv = on_tv(view, reduced_motion="reduce")
    for message in told_game("high-five", 2):
        tv.tab.evaluate(GIVE, message)
    assert tv.tab.locator(FLYING).count() == 0
    assert tv.tab.locator(BESIDE).count() == 2
    messages, journal = won_game(2)
    tv.tab.evaluate(GIVE, messages[-1])
    panel = game_over_json(Moment(CATALOG, journal, 1, 1), {}, 1, replay=True)
    tv.tab.evaluate(WIN, panel)
    frame = "document.querySelector('.film').innerHTML"
    last = tv.tab.evaluate(frame)
    moving = "() => document.getAnimations().filter((one) => one instanceof CSSAnimation).length"
    assert tv.tab.evaluate(moving) == 0
    assert tv.tab.locator(".falling").count() == 0
    tv.tab.wait_for_timeout(1_500)
    assert tv.tab.evaluate(frame) == last, "the best play stands still"


def test_streaks_and_records_are_shown_and_go_with_the_next_entry(tv: Viewer) -> None:
    messages, _ = won_game(2)
    moments = [message["moment"] for message in messages]
    at = next(
        place
        for place, moment in enumerate(moments)
        if moment["highlights"] and moment["highlights"]["said"] and not moment["finished"]
    )
    tv.tab.evaluate(GIVE, messages[at])
    said = [one["words"] for one in moments[at]["highlights"]["said"]]
    assert tv.tab.locator("#highlights li").all_inner_texts()[: len(said)] == said
    plain = next(m for m in messages if not m["moment"]["highlights"])
    tv.tab.evaluate(GIVE, plain)
    assert tv.tab.locator("#highlights li").count() == 0


CALLED = ["hand lead Red", "Red 5-5"]


def test_nothing_of_a_count_is_shown_before_it_is_called(tv: Viewer) -> None:
    uncalled, called = told("all-fives", "Red Blue", [*CALLED, "Red called"], "set W")[-2:]
    tv.tab.evaluate(GIVE, uncalled)
    assert not tv.tab.locator("#count").is_visible()
    assert tv.tab.locator("#highlights li, .to-give, .term").count() == 0
    tv.tab.evaluate(GIVE, called)
    assert tv.tab.locator("#number").inner_text() == "10"


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (1080, 1920)], ids=str)
def test_the_win_has_a_podium_the_best_play_the_race_and_the_evening(
    view: View, size: tuple[int, int]
) -> None:
    tv = on_tv(view, viewport={"width": size[0], "height": size[1]})
    for seats in (2, 4):
        messages, journal = won_game(seats)
        tv.tab.evaluate(GIVE, messages[-1])
        panel: Json = game_over_json(
            Moment(CATALOG, journal, 1, 1), {"Anna": 2, "Ben": 1}, 3, replay=True
        )
        tv.tab.evaluate(WIN, json.loads(json.dumps(panel)))
        first = tv.tab.locator('.step[data-place="1"] .who').all_inner_texts()
        assert first == [str(seat) for seat in journal.state.winners]
        assert tv.tab.locator(".step").count() == seats
        assert tv.tab.locator(".film svg, .win .chart svg").count() == 2
        assert tv.tab.get_by_text("Play again").count() == 1
        assert tv.tab.locator(".win .one").all_inner_texts() == ["Anna\n2", "Ben\n1"]
        assert not tv.tab.locator(".seat").first.is_visible()
        assert tv.tab.evaluate(OUT) == 0
        tv.tab.evaluate(GIVE, messages[0])
        assert (
            tv.tab.locator(".seat").first.is_visible() and not tv.tab.locator("#win").is_visible()
        )


def test_chips_rain_once_at_the_win(tv: Viewer) -> None:
    stop_clock(tv.tab)
    messages, _ = won_game(2)
    for message in messages[-2:]:
        tv.tab.evaluate(GIVE, message)
    assert tv.tab.locator(".falling").count() > 20
    tv.tab.clock.run_for(10_000)
    assert tv.tab.locator(".falling").count() == 0
    tv.tab.evaluate(GIVE, messages[-1])
    assert tv.tab.locator(".falling").count() == 0


def test_sounds_are_off_until_somebody_turns_them_on(tv: Viewer) -> None:
    key = tv.tab.get_by_role("button", name="Sounds")
    assert key.get_attribute("aria-pressed") == "false"
    key.click()
    assert key.get_attribute("aria-pressed") == "true"
    tv.tab.reload()
    tv.until_state("connected")
    assert tv.tab.get_by_role("button", name="Sounds").get_attribute("aria-pressed") == "true"
    assert tv.complaints == []
