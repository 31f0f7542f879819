"""Checks the layout of a table's page in every state and size of window. `python -m
tests.web.layouts FOLDER` writes a picture of each into a folder."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.core.values import dataclass
from companion.presentation.drawing.svg import HALF
from tests.browser import chromium
from tests.web.in_browser import Site, Viewer, until_drawn
from tests.web.live import keep

SIZES: Final = (
    (320, 480),
    (360, 560),
    (360, 640),
    (375, 553),
    (375, 667),
    (640, 360),
    (844, 390),
    (768, 1024),
    (820, 1180),
    (1280, 800),
)
"""Width and height of windows: phones with their browser's bars, upright and sideways, tablets and
a laptop."""
NAMES: Final = (
    *("Granny_Margareta", "Uncle_Wilhelmine", "Marie_Antoinette", "Jo"),
    *("Santiago_Ramirez", "Little_Elisabeth", "Old_Bartholomews", "Anna_Konstantine"),
)
"""Most have two words and 15 letters."""
LEAST_HALF: Final = 14
"""The least size of half a tile in the line, in pixels."""
NOTICE: Final = "Uncle Wilhelmine for Marie Antoinette: lays 6-4"


@dataclass(frozen=True, slots=True)
class State:
    """A moment of a game. `text`: its entries, with the seats' numbers; `players`: the numbers of
    seats it is tried with; `taps`: the taps on the phone of the seat to move."""

    game: str
    text: str
    players: tuple[int, ...]
    taps: tuple[str, ...] = ()
    waits: bool = False
    """Whether the phone is another seat's, whose turn it isn't."""


FIVES = "hand lead {0}\ntableau 5-5 5-6 5-7 5-8 5-9"
TILE = '#tiles [data-stands="fits"] >> nth=0'
SHORT = "hand lead {0}\n{0} 5-5\n{1} 5-0"
STATES: Final = {
    "turn": State("high-five", "LINE", (2, 3, 4)),
    "tile": State("high-five", "LINE", (2, 4), (TILE,)),
    "drawn": State("high-five", SHORT + "\n{2} draw", (3, 4)),
    "waiting": State("high-five", "LINE", (2, 3, 4), waits=True),
    "dispute": State("high-five", SHORT + "\n{2} draw\n{2} pass\nbogus {2} by {0}", (3, 4)),
    "five-up": State("five-up", "LINE", (4,), (TILE,)),
    "all-fives": State("all-fives", "LINE", (4,), (TILE,)),
    "fives-and-threes": State("fives-and-threes", SHORT, (4,), (TILE,)),
    "domino": State("domino", "hand lead {0}\n{0} 6-6\n{1} 6-0", (4,), (TILE,)),
    "high-fives": State("high-fives", FIVES, (2, 5, 8)),
    "highrise": State("highrise", "hand lead {0}\nbasement 4-1 3-1 6-2 W-0 4-3 5-5 0-0 2-1", (4,)),
    "high-five-tiles": State("high-five-tiles", "hand lead {0}\n{0} row pair laid 3", (4,)),
}
LAYS: Final = ["5-5", "5-0", "5-1", "5-3", "5-4", "0-0", "1-1", "4-4", "6-0", "6-6"]
"""The tiles of a line, in the order in which they are played."""

NEEDED: Final = (
    *("#seats", "#asked", "#paid", "#due", "#claim", "#news", "#board", "#doing", "#picker"),
    *("#halves", "#rows", "#quick", "#holds", "#acts", "#take-back", "#call", "#ok", "#answer"),
)
PARTS: Final = (
    *("#title", "#where", "#link", "#asked", "#count", "#news", "#seats", "#paid", "#claim"),
    *("#board", "#doing", "#picker", "#answer", ".at-hand"),
)
"""Parts of the page that must not overlap."""
FAULTS: Final = """({ needed, parts, least, half }) => {
  const found = [], box = (one) => one.getBoundingClientRect();
  const shown = (one) => one.getClientRects().length > 0 && one.offsetHeight !== 1
    && (one.matches("summary") || !one.closest("details:not([open])"));
  const name = (one) => one.id || one.dataset.tile || one.textContent.trim().slice(0, 20);
  for (const one of document.querySelectorAll(needed.join())) {
    const { bottom, height } = box(one);
    if (height && bottom > innerHeight + 0.5) found.push(`#${one.id} ends at ${bottom}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window");
  const keys = [...document.querySelectorAll("button, select, input, summary, a")].filter(shown)
    .filter((one) => box(one).top < innerHeight);
  for (const key of keys) {
    const { left, top, width, height } = box(key), x = left + width / 2, y = top + height / 2;
    if (y < 0 || y >= innerHeight || x >= innerWidth) continue;
    const there = document.elementFromPoint(x, y);
    if (there && !key.contains(there) && !there.contains(key)) {
      found.push(`${name(there)} is over ${name(key)}`);
    }
    if (!key.matches(".unseen") && Math.min(width, height) < 24) {
      found.push(`${name(key)} is ${width} by ${height}`);
    }
  }
  const apart = (all) => all.forEach((one, at) => all.slice(at + 1).forEach((other) => {
    const a = box(one), b = box(other);
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 1 && high > 1) found.push(`${name(one)} overlaps ${name(other)}`);
  }));
  apart(keys);
  apart([...document.querySelectorAll(parts.join())]
    .filter((one) => shown(one) && one.textContent.trim()));
  const line = document.querySelector("#board svg.drawing");
  const pixels = line && shown(line) && line.querySelector(".pips")
    ? line.getScreenCTM().a * half : least;
  if (pixels < least) found.push(`half a tile is ${pixels.toFixed(1)}`);
  return found;
}"""


def text_of(state: State, seats: tuple[str, ...]) -> str:
    """The game's entries for these seats."""
    if state.text != "LINE":
        return state.text.format(*seats)
    lays = [f"{seats[at % len(seats)]} {tile}" for at, tile in enumerate(LAYS)]
    return "\n".join([f"hand lead {seats[0]}", *lays])


@contextmanager
def opened(browser: Any, folder: Path, state: State, number: int, **more: Any) -> Iterator[Viewer]:
    """The page of the seat to move, or of a waiting seat while the mover has a phone, too."""
    seats = NAMES[:number]
    record = folder / f"{state.game}-{number}.db"
    keep(record, text_of(state, seats), " ".join(seats), name=state.game)
    site = Site(record)
    more = {"viewport": {"width": 360, "height": 560}, "path": "/", "has_touch": True} | more
    page = Viewer(browser, site, **more)
    pages = [page]
    page.tab.wait_for_selector("#keyed:not([hidden])")
    movers = page.tab.locator(".seat.to-move")
    mover = movers.first.get_attribute("data-seat") if movers.count() else seats[0]
    if state.waits:
        pages.append(Viewer(browser, site, **more))
        pages[1].tab.select_option("#who", f"seat {mover}")
        mover = next(seat for seat in seats if seat != mover)
    page.tab.select_option("#who", f"seat {mover}")
    page.tab.wait_for_selector("#keyed" if state.waits else "#picker:visible, #rows:visible")
    try:
        yield page
    finally:
        for one in pages:
            one.context.close()
        site.close()


def shown_at(page: Viewer, size: tuple[int, int], state: State) -> None:
    """Shows the state in a window of that size, with a notice."""
    page.tab.set_viewport_size({"width": size[0], "height": size[1]})
    if page.tab.is_visible("#cancel"):
        page.tab.click("#cancel")
    page.tab.evaluate("scrollTo(0, 0)")
    until_drawn(page.tab)
    for tap in state.taps:
        page.tab.tap(tap)
        page.tab.wait_for_selector("#meaning li")
    page.tab.evaluate(
        "(said) => { document.getElementById('news').textContent = said;"
        " dispatchEvent(new Event('resize')); }",
        NOTICE,
    )
    until_drawn(page.tab)


def faults(page: Viewer) -> list[str]:
    """What is wrong with the page's first screen."""
    asked = {"needed": NEEDED, "parts": PARTS, "least": LEAST_HALF, "half": HALF}
    found: list[str] = page.tab.evaluate(FAULTS, asked)
    return found


def main(folder: Path, *names: str) -> None:
    """Draws every state at every size in light, some in dark, and prints what is wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser, TemporaryDirectory() as records:
        for name, state in STATES.items():
            if names and name not in names:
                continue
            for number in state.players:
                with opened(browser, Path(records), state, number) as page:
                    for size in SIZES:
                        shown_at(page, size, state)
                        found = faults(page)
                        print(name, number, *size, found, flush=True)
                        path = folder / f"{name}-{number}-{size[0]}x{size[1]}.png"
                        page.tab.screenshot(path=path, animations="disabled")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
