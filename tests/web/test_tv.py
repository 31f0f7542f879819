"""The TV's page: readable from four metres in every game, with nothing to press, and unchanged
after a night. The tests give its script moments as the server would send them."""

from collections.abc import Iterator

import pytest

from companion.core.club import Club, ClubStep, HallCalls
from tests.web.in_browser import WAIT_MS, Viewer, stop_clock
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_table_page import DESKTOP, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture
from tests.web.told_games import NAMES, RULED, told, told_game

SMALLEST = 20
"""The least height of a letter in pixels on 1080 lines: twelve millimetres if the picture is 65 cm
high."""
GIVE = """async (message) => {
  const { onMoment } = await import(document.querySelector("script").src);
  onMoment(message);
}"""
SPREAD = """() => {
  const all = (what) => [...document.querySelectorAll(what)];
  const boxes = all(".seat, .now, .board").map((one) => one.getBoundingClientRect());
  const out = boxes.filter(({ left, top, right, bottom }) =>
    left < 0 || top < 0 || right > innerWidth || bottom > innerHeight);
  const meets = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const over = boxes.filter((a, i) => boxes.some((b, j) => i !== j && meets(a, b)));
  const spilt = all(".seat, .now").filter((one) =>
    one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1);
  const cut = all(".who").filter((one) => one.scrollWidth > one.clientWidth);
  const read = all(".name, .score, .more, .asked, #number, #where");
  const sizes = read.filter((one) => one.innerText).map((one) =>
    parseFloat(getComputedStyle(one).fontSize));
  return {
    out: out.length,
    over: over.length,
    spilt: spilt.map((one) => [one.className, one.scrollWidth, one.scrollHeight]),
    cut: cut.map((one) => one.innerText),
    small: Math.min(...sizes),
  };
}"""
UNSTYLED = """() => [...document.querySelectorAll(".drawing rect, .drawing circle")]
  .filter((one) => getComputedStyle(one).fill === "rgb(0, 0, 0)" && !one.matches(".shade"))
  .map((one) => one.outerHTML)"""


@pytest.fixture
def tv(view: View) -> Iterator[Viewer]:
    """A TV's page at a table without a game."""
    viewer = view(None, path="/tv", viewport=DESKTOP)
    viewer.tab.wait_for_selector("#welcome", timeout=WAIT_MS)
    yield viewer


GAMES_AND_SEATS = [
    *[("high-five", 2), ("high-five", 4), ("five-up", 3), ("high-five-tiles", 4)],
    *[("high-fives", 2), ("high-fives", 5), ("high-fives", 8), ("highrise", 4)],
]


def test_every_game_is_readable_without_overlaps_or_cuts(tv: Viewer) -> None:
    """In the middle of each game, and at its end."""
    for name, number in GAMES_AND_SEATS:
        moments = told_game(name, number)
        for message in (moments[len(moments) // 2], moments[-1]):
            tv.tab.evaluate(GIVE, message)
            seen = tv.tab.evaluate(SPREAD)
            assert seen.pop("small") >= SMALLEST, (name, number)
            assert seen == {"out": 0, "over": 0, "spilt": [], "cut": []}, (name, number)
            assert tv.tab.evaluate(UNSTYLED) == [], (name, number)


def test_partners_are_shown_beside_their_score(tv: Viewer) -> None:
    lines = ["hand lead Granny_Ann", "Granny_Ann 5-5", "Christoph wrong-count", "Christoph 5-0"]
    for message in told("all-fives", " ".join(NAMES[1:5]), lines, "set W", "partners on"):
        tv.tab.evaluate(GIVE, message)
        seen = tv.tab.evaluate(SPREAD)
        assert seen.pop("small") >= SMALLEST
        assert seen == {"out": 0, "over": 0, "spilt": [], "cut": []}
    # Its count is told once the next player has acted, and scores count up.
    tv.tab.wait_for_selector('.seat:nth-of-type(2) .score:text-is("10")', timeout=WAIT_MS)
    assert tv.tab.locator(".seat .score").all_inner_texts() == ["-50", "10"]
    first, second, *_ = NAMES[1:5]
    title = tv.tab.title().replace(" ", "_")
    assert title.count("&") == 2 and title.index(first) < title.index(second), "a score a side"


def test_calls_and_a_break_are_above_the_whole_table(tv: Viewer) -> None:
    events = tv.site.table.events
    events.put(Club(ClubStep.JOINED, "Fives", reached=True))
    events.put(HallCalls(("Table 7 needs a player",), 3, 125.0))
    tv.tab.wait_for_selector(".look-here >> text=Table 7 needs a player", timeout=WAIT_MS)
    tv.tab.wait_for_selector(".look-here >> text=Round 3 in 2:0", timeout=WAIT_MS)
    tv.tab.evaluate(GIVE, told_game("high-five", 4)[-1])
    seen = tv.tab.evaluate(SPREAD)
    assert seen.pop("small") >= SMALLEST
    assert seen == {"out": 0, "over": 0, "spilt": [], "cut": []}
    covered = "document.querySelector('.look-here').getBoundingClientRect().bottom"
    top = "document.querySelector('header.top').getBoundingClientRect().top"
    assert tv.tab.evaluate(f"{covered} <= {top}")
    events.put(HallCalls())
    tv.tab.wait_for_selector(".look-here", state="hidden", timeout=WAIT_MS)


def test_the_only_control_on_the_tv_page_is_the_sounds_button(tv: Viewer) -> None:
    tv.tab.evaluate(GIVE, told_game("high-five", 2)[-1])
    for role in ("link", "textbox", "checkbox", "combobox"):
        assert tv.tab.get_by_role(role).count() == 0, role
    assert tv.tab.get_by_role("button").all_inner_texts() == ["Sounds"]
    assert tv.tab.evaluate("getComputedStyle(document.body).cursor") == "none"


def test_a_payment_is_large_while_new_and_then_the_line_is_visible(tv: Viewer) -> None:
    stop_clock(tv.tab)
    paid = tv.tab.get_by_role("region", name="Last payment")
    for message in told_game("high-five", 2):
        tv.tab.evaluate(GIVE, message)
    assert paid.get_by_text("Maximilian pays Alexandra 15").is_visible()
    assert (
        paid.locator(".pays").evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)") > 65
    )
    tv.tab.clock.run_for(6_500)
    assert not paid.is_visible()


def test_a_verdict_is_shown_with_its_reason_until_it_is_settled(tv: Viewer) -> None:
    stop_clock(tv.tab)
    claim = tv.tab.get_by_role("region", name="Bogus play")
    *_, called, ruled = told("high-five", "Red Blue", RULED.splitlines())
    tv.tab.evaluate(GIVE, called)
    tv.tab.clock.run_for(sum(STEPS_MS))
    assert claim.get_by_text("Possible: the record leaves it open").is_visible()
    assert claim.get_by_text("may have held").is_visible()
    tv.tab.clock.run_for(60_000)
    assert claim.is_visible()
    tv.tab.evaluate(GIVE, ruled)
    tv.tab.clock.run_for(sum(STEPS_MS[:4]))
    assert claim.get_by_text("Blue made a bogus play: ").is_visible()
    payment = tv.tab.get_by_role("region", name="Last payment")
    assert payment.get_by_text("Blue pays Red 50").is_visible()
    tv.tab.clock.run_for(21_000)
    assert not claim.is_visible()
    assert not payment.is_visible()


SIZES = ((1280, 720), (1920, 1080), (1080, 1920))
PROVEN = "hand\nRed 6-6\nBlue pass\nRed 6-1\nBlue 6-3\nRed 3-5\nbogus Blue by Red turn 2"
CLUB = "hand lead Red\nRed 5-5\nRed called\nBlue 5-0\nBlue called"
BESIDE = """() => {
  const cards = [...document.querySelectorAll(".beside > section, .seat, .now")];
  const boxes = cards.map((one) => one.getBoundingClientRect()).filter((box) => box.width);
  const lie = document.querySelectorAll("#board .face, #board .mark, #board .hollow");
  const line = [...lie].map((one) => one.getBoundingClientRect());
  const meets = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return {
    covered: line.filter((one) => boxes.some((card) => meets(one, card))).length,
    out: boxes.filter(({ top, bottom, right }) =>
      top < 0 || bottom > innerHeight || right > innerWidth).length,
    tiles: line.length,
    cards: boxes.length,
    high: document.querySelector("#board svg").getBoundingClientRect().height / innerHeight,
  };
}"""
STEPS_MS = (0, 3_000, 3_000, 4_000, 5_000)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_no_card_ever_covers_the_line(tv: Viewer, size: tuple[int, int]) -> None:
    """Payments, disputes and rulings are beside the line, at every step of the proof."""
    tv.tab.set_viewport_size({"width": size[0], "height": size[1]})
    stop_clock(tv.tab)
    long = "\n".join(RULED.splitlines()).replace("Red", NAMES[4]).replace("Blue", NAMES[7])
    games = [
        told("high-five", "Red Blue", PROVEN.splitlines()),
        told("high-five", f"{NAMES[4]} {NAMES[7]}", long.splitlines()),
        told("five-up", "Red Blue Green", ["hand", "Red 5-5", "Blue 5-0"]),
        told("all-fives", "Red Blue", CLUB.splitlines(), "set W"),
    ]
    cards = 0
    for messages in games:
        for message in messages:
            tv.tab.evaluate(GIVE, message)
            for wait in STEPS_MS if message["proof"] else (0,):
                tv.tab.clock.run_for(wait)
                seen = tv.tab.evaluate(BESIDE)
                assert (seen["covered"], seen["out"]) == (0, 0), message["moment"]["sentence"]
                assert seen["tiles"] or not message["moment"]["table"]["tiles"]
                assert seen["high"] > 0.25, "and the line stays large enough to read"
                cards = max(cards, seen["cards"])
    assert cards >= 2 + 1 + 2, "seats, whose turn it is, the dispute and what was paid"


def test_the_line_goes_back_to_the_disputed_turn_and_then_returns(tv: Viewer) -> None:
    tv.tab.emulate_media(reduced_motion="reduce")  # so that nothing fades while it is looked at
    stop_clock(tv.tab)
    *before, called = told("high-five", "Red Blue", PROVEN.splitlines())
    for message in before:
        tv.tab.evaluate(GIVE, message)
    tv.tab.evaluate(GIVE, called)
    board, evidence, verdict = (tv.tab.locator(one) for one in ("#board", "#evidence", "#verdict"))
    steps = []
    for wait in STEPS_MS:
        tv.tab.clock.run_for(wait)
        tiles = board.locator(".face").count() - board.locator(".lit .face").count()
        lit = board.locator(".lit").evaluate("(one) => getComputedStyle(one).opacity !== '0'")
        steps.append((tiles, lit, evidence.is_visible(), verdict.is_visible()))
    assert steps == [
        (1, False, False, False),
        (1, True, False, False),
        (1, True, True, False),
        (1, True, True, True),
        (4, True, True, True),
    ]


def test_a_page_opened_after_a_dispute_shows_the_line(view: View) -> None:
    tab = view(RULED, path="/tv", viewport=DESKTOP).tab
    assert not tab.get_by_role("region", name="Bogus play").is_visible()
    assert tab.get_by_role("img", name="The line of play").is_visible()


def test_a_long_night_leaks_no_memory(tv: Viewer) -> None:
    """After thousands of moments there are no more nodes and listeners, and no more memory is used,
    than after a few."""
    moments = [*told_game("high-fives", 4), *told("high-five", "Red Blue", RULED.splitlines())]
    tv.tab.evaluate("(moments) => { window.moments = moments; }", moments)
    devtools = tv.context.new_cdp_session(tv.tab)
    devtools.send("Performance.enable")

    def play(times: int) -> dict[str, float]:
        tv.tab.evaluate(
            """async (times) => {
              const { src } = document.querySelector("script");
              const { show } = await import(new URL("show_moment.js", src));
              for (let at = 0; at < times; at += 1) show(moments[at % moments.length]);
            }""",
            times,
        )
        devtools.send("HeapProfiler.collectGarbage")
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        return {one["name"]: one["value"] for one in metrics}

    whole = len(moments)
    before, after = play(whole * 4), play(whole * 20)
    assert whole * 20 > 2000
    assert after["JSEventListeners"] == before["JSEventListeners"]
    assert after["Nodes"] <= before["Nodes"] * 1.1
    assert after["JSHeapUsedSize"] - before["JSHeapUsedSize"] < 250_000
