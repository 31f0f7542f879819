"""On a phone that makes entries, everything needed for a turn fits on one screen, in every game."""

from pathlib import Path
from typing import Any

import pytest

from tests.web.in_browser import Site, Viewer, until_drawn, until_taps_count
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep

PHONES = ((360, 640), (390, 844), (430, 932))
"""Width and height of phones in pixels, from the smallest to the largest."""
SMALL = {"width": 360, "height": 640}
LINE = "hand lead {0}\n{0} 5-5\n{1} 5-0"
DOMINO = "hand lead {0}\n{0} 6-6\n{1} 6-0"
TURNS = {
    "high-five": (range(2, 5), LINE),
    "five-up": (range(2, 5), LINE),
    "all-fives": (range(2, 5), LINE),
    "fives-and-threes": (range(2, 5), LINE),
    "domino": (range(2, 5), DOMINO),
    "high-fives": (range(2, 9), "hand lead {0}\ntableau 5-5 5-6 5-7 5-8 5-9"),
    "highrise": (range(2, 5), "hand lead {0}\n{0} draw"),
    "high-five-tiles": (range(2, 5), "hand lead {0}\n{0} row pair laid 3"),
}
NAMES = ("Anna", "Ben", "Cleo", "Wilhelmina", "Edwin", "Fanny", "Gus", "Hanna")
NEEDED = ("#seats", "#asked", "#board svg", "#picker, #rows", "#acts", "#take-back")


def bottom(viewer: Viewer, what: str) -> float:
    """The lower edge of the lowest of these elements, in pixels; 0 if none is visible."""
    found: float = viewer.tab.evaluate(
        "what => Math.max(0, ...[...document.querySelectorAll(what)].map("
        "one => one.getBoundingClientRect().bottom))",
        what,
    )
    return found


@pytest.mark.sampled(1, of="size")
@pytest.mark.parametrize("size", PHONES, ids=str)
@pytest.mark.parametrize("name", TURNS)
def test_everything_a_turn_needs_is_above_the_fold(
    browser: Any, tmp_path: Path, name: str, size: tuple[int, int]
) -> None:
    players, text = TURNS[name]
    for number in {players[0], players[-1]}:
        seats = NAMES[:number]
        record = tmp_path / f"{number}.db"
        keep(record, text.format(*seats), " ".join(seats), name=name)
        site = Site(record)
        viewer = Viewer(browser, site, path="/", viewport={"width": size[0], "height": size[1]})
        viewer.tab.wait_for_selector("#keyed:not([hidden])")
        viewer.tab.wait_for_selector("#asked:not(:empty)")
        for what in NEEDED:
            assert bottom(viewer, what) <= size[1], f"{what} of {number}"
        assert viewer.tab.evaluate("document.documentElement.scrollWidth") <= size[0]
        viewer.context.close()
        site.close()


LAPTOPS = ((1024, 768), (1280, 720), (1366, 768), (1920, 1080))
LEAST_TILE = 56
"""The least length of a tile in the picker, in pixels: as on the smallest phone."""


@pytest.mark.sampled(1, of="size")
@pytest.mark.parametrize("size", LAPTOPS, ids=str)
@pytest.mark.parametrize("name", ["high-five", "highrise"])
def test_the_tiles_to_pick_are_large_on_a_laptop(
    browser: Any, tmp_path: Path, name: str, size: tuple[int, int]
) -> None:
    seats = NAMES[:2]
    keep(tmp_path / "record.db", TURNS[name][1].format(*seats), " ".join(seats), name=name)
    site = Site(tmp_path / "record.db")
    viewer = Viewer(browser, site, path="/", viewport={"width": size[0], "height": size[1]})
    viewer.tab.wait_for_selector("#keyed:not([hidden])")
    boxes = [one.bounding_box() for one in viewer.tab.locator("#tiles .tile svg").all()]
    assert min(max(box["width"], box["height"]) for box in boxes) >= LEAST_TILE
    for what in NEEDED:
        assert bottom(viewer, what) <= size[1], what
    assert viewer.tab.evaluate("document.documentElement.scrollWidth") <= size[0]
    viewer.context.close()
    site.close()


COLLECTED = {
    "high-fives": (
        range(2, 9),
        ("15-5", "15-6", "15-7", "15-8", "15-9"),
        "Key the 5 face-up tiles",
    ),
    "highrise": (
        range(2, 5),
        ("4-1", "3-1", "6-2", "W-0", "4-3", "5-5", "0-0", "2-1"),
        "Key the 8 basement tiles",
    ),
}
"""Numbers of players, the tiles entered before the first turn, and the headline that asks for them.
"""


@pytest.mark.sampled(1, of="size")
@pytest.mark.parametrize("size", [SMALL, {"width": 320, "height": 568}], ids=str)
@pytest.mark.parametrize("name", COLLECTED)
def test_tiles_keyed_before_the_first_turn_fit_on_one_screen(
    browser: Any, tmp_path: Path, name: str, size: dict[str, int]
) -> None:
    """Checks the phones of the first two seats, while the tiles are entered."""
    players, tiles, headline = COLLECTED[name]
    seats = NAMES[: players[-1]]
    keep(tmp_path / "dealt.db", f"hand lead {seats[0]}", " ".join(seats), name=name)
    site = Site(tmp_path / "dealt.db")
    whose = seats[0], seats[1]
    phones = [Viewer(browser, site, path="/", viewport=size) for _ in whose]
    for phone, seat in zip(phones, whose, strict=True):
        phone.tab.select_option("#who", f"seat {seat}")
    for phone in phones:
        phone.tab.wait_for_selector("#picker", state="visible")
        assert phone.tab.inner_text("#asked") == headline
        if name == "high-fives":
            phone.tab.click('[data-half="15"]')
        for tile in tiles:
            phone.tab.click(f'#tiles [data-tile="{tile}"]')
        for what in ("#asked", "#holds", "#take-back", "#acts"):
            assert bottom(phone, what) <= size["height"], what
    phones[1].tab.click("#holds")
    phones[1].tab.click('#ok:not([aria-disabled="true"])')
    for phone, said in zip(phones, ("Your turn, Anna", "Anna's turn"), strict=True):
        phone.tab.wait_for_selector(f'#asked >> text="{said}"')
        phone.context.close()
    site.close()


def test_a_player_who_is_called_bogus_keys_the_holding_on_one_screen(
    browser: Any, tmp_path: Path
) -> None:
    text = "hand lead Anna\nAnna 5-5\nBen draw\nBen pass\nCleo 5-0\nbogus Ben by Anna"
    keep(tmp_path / "called.db", text, "Anna Ben Cleo")
    site = Site(tmp_path / "called.db")
    for seat, headline in (
        ("Ben", "You are called bogus: key what you hold"),
        ("Anna", "Ben is called bogus: what does Ben hold?"),
    ):
        phone = Viewer(browser, site, path="/", viewport=SMALL)
        phone.tab.select_option("#who", f"seat {seat}")
        phone.tab.wait_for_selector(f'#asked >> text="{headline}"')
        for what in ("#verdict", "#evidence", "#asked", "#picker", "#holds", "#acts", "#take-back"):
            assert 0 < bottom(phone, what) <= SMALL["height"], what
        phone.context.close()
    site.close()


ENDED = "hand lead Anna\nAnna 5-5\nblocked"
HEADLINES = [
    ("all-fives", "hand lead Anna", ["You lead, Anna", "Anna leads", "Anna leads"]),
    ("high-five", "hand lead Anna", ["The highest double leads"] * 3),
    ("high-five", f"{ENDED[:-8]}", ["Ben's turn", "Your turn, Ben", "Ben's turn"]),
    ("high-five", ENDED, [f"Key what you hold, {seat}" for seat in NAMES[:3]]),
    ("high-five", f"{ENDED}\nAnna pips 3", ["What does Ben hold?", "Key what you hold, Ben"]),
    ("high-five-tiles", "hand lead Ben", ["Ben's turn", "Your turn, Ben", "Ben's turn"]),
    ("highrise", "hand lead Anna", ["Key the 8 basement tiles"] * 3),
    ("high-fives", "hand lead Anna", ["Key the 5 face-up tiles"] * 3),
]
"""The headline of each phone, in turn order."""


def test_a_headline_tells_each_phone_what_to_do_now(browser: Any, tmp_path: Path) -> None:
    for number, (name, text, headlines) in enumerate(HEADLINES):
        record = tmp_path / f"{number}.db"
        keep(record, text, "Anna Ben Cleo", name=name)
        site = Site(record)
        viewer = Viewer(browser, site, path="/", viewport=SMALL)
        for seat, headline in zip(NAMES, headlines, strict=False):
            viewer.tab.select_option("#who", f"seat {seat}")
            viewer.tab.wait_for_selector(f'#asked >> text="{headline}"')
        viewer.context.close()
        site.close()


def test_one_large_key_starts_another_game(browser: Any, tmp_path: Path) -> None:
    ends = "blocked\nAnna pips 3\nBen pips 160"
    text = f"hand lead Anna\nAnna 5-5\n{ends}\nhand lead Anna\nAnna 5-5\n{ends}"
    keep(tmp_path / "won.db", text, "Anna Ben", name="five-up")
    site = Site(tmp_path / "won.db")
    viewer = Viewer(browser, site, path="/", viewport={"width": 360, "height": 640})
    again = viewer.tab.locator("#again")
    again.wait_for(state="visible")
    viewer.tab.locator("#win svg").wait_for(state="visible")
    for seat, headline in (("Ben", "Anna won"), ("Anna", "You won, Anna")):
        viewer.tab.select_option("#who", f"seat {seat}", force=True)
        viewer.tab.wait_for_selector(f'#asked >> text="{headline}"')
    until_taps_count(viewer.tab)
    for what in ("#asked", "#win", "#again"):
        assert bottom(viewer, what) <= 640, what
    best = viewer.tab.inner_text("#win .best").split("\n")
    assert best == ["Best count", "10", "Anna lays 5-5"]
    assert not viewer.tab.locator("#board").is_visible()
    assert viewer.tab.get_attribute("#evening-end", "href") == "/evenings/1"
    again.click()
    viewer.tab.wait_for_selector("#meaning >> text=Five Up")
    viewer.tab.locator("#ok").click()
    again.wait_for(state="hidden")
    assert not viewer.tab.locator("#win").is_visible()
    assert viewer.tab.inner_text("#asked") == "Deal the first hand: 7 tiles each"
    viewer.context.close()
    site.close()


LONG = "Wilhelminamaximilianabel"
"""A name as long as a page allows, in one word."""
BROKEN = """name => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), broken = [];
  while (walker.nextNode()) {
    const { data } = walker.currentNode, range = new Range();
    for (let at = data.indexOf(name); at >= 0; at = data.indexOf(name, at + 1)) {
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + name.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push(data);
    }
  }
  return broken;
}"""


@pytest.mark.sampled(1)
@pytest.mark.parametrize("place", [("/", 320, 568), ("/", 390, 844), ("/tv", 1920, 1080)], ids=str)
def test_a_long_name_is_never_broken_inside_a_word(
    browser: Any, tmp_path: Path, place: tuple[str, int, int]
) -> None:
    path, width, height = place
    seats = (LONG, "Ben", "Cleo", "Dora")
    keep(tmp_path / "long.db", f"hand lead {LONG}\n{LONG} 5-5\nBen 5-0", " ".join(seats))
    site = Site(tmp_path / "long.db")
    viewer = Viewer(browser, site, path=path, viewport={"width": width, "height": height})
    viewer.tab.wait_for_selector("#asked:not(:empty)")
    viewer.tab.wait_for_selector(f".seat .who >> text={LONG}")
    assert viewer.tab.evaluate(BROKEN, LONG) == []
    assert viewer.tab.evaluate("document.documentElement.scrollWidth") <= width
    viewer.context.close()
    site.close()


def test_partners_are_listed_below_each_other_with_one_score(browser: Any, tmp_path: Path) -> None:
    seats = "Anna Ben Cleo Dan"
    keep(tmp_path / "pairs.db", "hand lead Anna\nAnna 5-5", seats, name="all-fives", partners="on")
    site = Site(tmp_path / "pairs.db")
    viewer = Viewer(browser, site, path="/", viewport={"width": 360, "height": 640})
    viewer.tab.wait_for_selector(".partners .seat >> text=Anna")
    scores = viewer.tab.locator(".seat .score")
    assert scores.all_inner_texts() == ["10", "0"]
    assert viewer.tab.title().startswith("Anna & Cleo 10, Ben & Dan 0")
    left = "all => all.map((one) => Math.round(one.getBoundingClientRect().left))"
    anna, cleo, ben, dan = viewer.tab.locator(".seat .who").evaluate_all(left)
    assert abs(anna - cleo) < 10 and abs(ben - dan) < 10
    assert not viewer.tab.locator(".seat .us-or-them:visible").count(), "it is nobody's phone"
    for seat, heads in (("Anna", ["Us", "Them"]), ("Dan", ["Them", "Us"])):
        viewer.tab.select_option("#who", f"seat {seat}")
        viewer.tab.wait_for_selector(f".seat >> nth=0 >> text={heads[0]}")
        assert viewer.tab.locator(".seat .us-or-them").all_inner_texts() == heads
        above = viewer.tab.locator(".seat .us-or-them").evaluate_all(left)
        beside = viewer.tab.locator(".seat .who").evaluate_all(left)
        assert above[0] > beside[0] + 50, "the heading takes no line of its own"
    assert bottom(viewer, "#acts") <= 640
    viewer.context.close()
    site.close()


def laid_in(phone: Viewer, *first: str) -> int:
    """Plays by taps: those in `first`, then on answers and OK as asked. Gives the number of
    taps."""
    for tap in first:
        phone.tab.tap(tap)
    phone.tab.wait_for_selector('#ok:not([aria-disabled="true"]):visible, #choices .choice:visible')
    taps = len(first)
    while phone.tab.locator("#choices .choice").count() and not phone.tab.is_visible("#ok"):
        until_taps_count(phone.tab)
        phone.tab.tap("#choices .choice:not(.back) >> nth=0")
        taps += 1
        until_taps_count(phone.tab)
    if phone.tab.is_visible("#ok"):
        phone.tab.tap('#ok:not([aria-disabled="true"])')
        taps += 1
    phone.tab.wait_for_selector("#doing", state="hidden")
    return taps


MOVER = ".seats:not(.partners) .seat.to-move .who, .partners .name.moves .who"
FITS = '#tiles [data-stands="fits"] >> nth=0'
LAYS = {
    "high-five": (4, LINE, (FITS,)),
    "five-up": (2, LINE, (FITS,)),
    "all-fives": (3, LINE, (FITS,)),
    "fives-and-threes": (4, LINE, (FITS,)),
    "domino": (4, DOMINO, (FITS,)),
    "high-fives": (8, TURNS["high-fives"][1], ('[data-half][data-stands="fits"] >> nth=0', FITS)),
    "highrise": (
        *(4, "hand lead {0}\nbasement 4-1 3-1 6-2 W-0 4-3 5-5 0-0 2-1"),
        (FITS,),
    ),
    "high-five-tiles": (3, "hand lead {0}", (".row >> nth=2",)),
}
"""For each game: the number of players, the entries before, and the taps for a play until the page
asks something."""
MOST_TAPS = 2.2
"""The most taps for a play, averaged over all games."""


def test_a_play_takes_two_taps_and_no_scrolling_in_every_game(browser: Any, tmp_path: Path) -> None:
    """One phone acts for each seat in turn, so each play is entered on the phone of the seat to
    move."""
    taps = dict[str, list[int]]()
    for name, (players, text, first) in LAYS.items():
        seats = NAMES[:players]
        record = tmp_path / f"{name}.db"
        keep(record, text.format(*seats), " ".join(seats), name=name)
        site = Site(record)
        phone = Viewer(browser, site, path="/", viewport=SMALL, has_touch=True, is_mobile=True)
        for turn in range(5):
            mover = phone.tab.locator(MOVER).first.inner_text()
            phone.tab.select_option("#who", f"seat {mover}")
            phone.tab.wait_for_selector("body.your-turn")
            until_drawn(phone.tab)
            below = [what for what in NEEDED if bottom(phone, what) > SMALL["height"]]
            assert below == [], f"{name}, turn {turn}"
            taps.setdefault(name, []).append(laid_in(phone, *first))
            assert phone.tab.evaluate("scrollY") == 0, f"{name}, turn {turn}"
            assert bottom(phone, "#doing") <= SMALL["height"]
            phone.tab.locator(MOVER).filter(has_not_text=mover).first.wait_for()
        phone.context.close()
        site.close()
    lays = [number for each in taps.values() for number in each]
    assert sum(lays) / len(lays) <= MOST_TAPS, taps


def test_three_phones_and_a_tv_play_without_scrolling_at_two_taps_a_play(
    browser: Any, tmp_path: Path
) -> None:
    seats = NAMES[:3]
    keep(tmp_path / "evening.db", f"hand lead {seats[0]}\n{seats[0]} 5-5", " ".join(seats))
    site = Site(tmp_path / "evening.db")
    tv = Viewer(browser, site, path="/tv", viewport={"width": 1920, "height": 1080})
    phones = []
    for seat, (width, height) in zip(seats, PHONES, strict=True):
        size = {"width": width, "height": height}
        phone = Viewer(browser, site, path="/", viewport=size, has_touch=True, is_mobile=True)
        phone.tab.select_option("#who", f"seat {seat}")
        phones.append((phone, height))
    taps = list[int]()
    for turn in range(9):
        phone, height = phones[(turn + 1) % 3]
        phone.tab.wait_for_selector("body.your-turn")
        until_drawn(phone.tab)
        below = [what for what in NEEDED if bottom(phone, what) > height]
        assert below == [], f"turn {turn}"
        taps.append(laid_in(phone, FITS))
        assert phone.tab.evaluate("scrollY") == 0, f"turn {turn}"
        assert tv.tab.evaluate("document.documentElement.scrollHeight") <= 1080
    assert set(taps) == {2}, taps
    for viewer in (tv, *(phone for phone, _ in phones)):
        viewer.context.close()
    site.close()


DIGITS = {
    "ends": (("Open ends", 4.5), "55 055 01 013 0134 6134 6234 62344"),
    "count": (("Count", 3), "10 10 1 4 8 14 15 19"),
}
"""For each way to enter a play: its key, the most taps for a play on average, and the digits for
the plays of PLAYED."""
PLAYED = ["5-5", "5-0", "5-1", "5-3", "5-4", "6-0", "2-1", "4-4"]


@pytest.mark.parametrize("way", DIGITS)
def test_a_play_by_digits_takes_few_taps_and_a_second_ok_does_nothing(
    browser: Any, tmp_path: Path, way: str
) -> None:
    """Once their way is chosen, which a phone remembers, the digits are on the first screen. Each
    entry needs its OK."""
    (name, most), digits = DIGITS[way]
    keep(tmp_path / "digits.db", "hand lead Anna", "Anna Ben")
    site = Site(tmp_path / "digits.db")
    phone = Viewer(browser, site, path="/", viewport=SMALL, has_touch=True, is_mobile=True)
    phone.tab.wait_for_selector("#picker", state="visible")
    phone.tab.tap("#more-ways summary")
    phone.tab.tap(f'#play-by >> text="{name}"')
    taps = 0
    for number, typed in enumerate(digits.split(), 1):
        phone.tab.wait_for_selector("#quick .digit:not([aria-disabled=true])")
        for digit in typed:
            phone.tab.tap(f'#quick .digit >> text="{digit}"')
            taps += 1
        phone.tab.wait_for_selector('#ok:not([aria-disabled="true"]):visible, #choices .choice')
        until_taps_count(phone.tab)
        while phone.tab.locator("#choices .choice").count() and not phone.tab.is_visible("#ok"):
            phone.tab.tap("#choices .choice:not(.back) >> nth=0")
            taps += 1
            until_taps_count(phone.tab)
        box = phone.tab.locator("#ok").bounding_box()
        assert box is not None and box["y"] + box["height"] <= SMALL["height"]
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        phone.tab.touchscreen.tap(x, y)
        taps += 1
        phone.tab.wait_for_selector("#doing", state="hidden")
        phone.tab.touchscreen.tap(x, y)
        phone.until_answered()
        entries = phone.tab.locator("#entries [data-at]").count()
        assert entries == number + 1
        assert not phone.tab.locator(".enlarged").count()
        assert not phone.tab.is_visible("#doing")
    assert taps / len(digits.split()) <= most
    phone.context.close()
    site.close()
