"""Checks 40 people in through real pages: python -m tests.club.hub.check_in

One organiser at a laptop and two helpers with phones share the people who come through the door in
any order. Each finds a name by its first letters and ticks it. Then the organiser draws and
publishes the first round, while one player's phone waits for its table. Prints the taps and keys,
and the seconds: those that people would need for them, and those that the pages took. The exit
status is 1 if somebody is missing or a goal isn't met: 3 minutes to check in, 30 seconds from the
draw until the phone shows the seat.
"""

import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.browser import chromium
from tests.club.hub.club_site import ClubSite, club_site
from tests.club.hub.test_event_api import Visitor
from tests.web.in_browser import WAIT_MS

PEOPLE: Final = 40
LETTERS: Final = 3
"""How many letters of a name somebody types to find it."""
SIZES: Final = {"organiser": (1280, 800), "helper 1": (360, 640), "helper 2": (360, 640)}
TAP_S: Final = 1.1
KEY_S: Final = 0.28
THINK_S: Final = 1.35
"""Seconds to point at something and tap it, to press a key, and to decide what to do next
(keystroke-level model of Card, Moran and Newell)."""
CHECK_IN_S, SEATED_S = 180.0, 30.0
FIRST: Final = ("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ines", "Jon")
LAST: Final = ("Moor", "Reed", "Stone", "Vale")


class CheckInHelper:
    """A helper who checks people in on a page of the event."""

    def __init__(self, browser: Any, site: ClubSite, number: int, size: tuple[int, int]) -> None:
        width, height = size
        viewport = {"width": width, "height": height}
        self.tab = browser.new_context(viewport=viewport).new_page()
        self.tab.goto(f"{site.url}/event/{number}#{site.word('keep')}")
        self.tab.wait_for_selector("#rows .row", timeout=WAIT_MS)
        self.taps = self.keys = self.people = 0
        self.waited = 0.0

    def check_in(self, name: str) -> None:
        """Finds a name by the letters with which it begins, and ticks it."""
        began = time.monotonic()
        self.tab.fill("#find", name[:LETTERS])
        row = f'#rows .row:has(.player:text-is("{name}"))'
        self.tab.click(f"{row} .tick", timeout=WAIT_MS)
        self.tab.wait_for_selector(f'{row} .tick[aria-checked="true"]', timeout=WAIT_MS)
        self.waited += time.monotonic() - began
        self.taps += 2  # into the field, which has the last letters selected, and on the name
        self.keys += LETTERS
        self.people += 1

    @property
    def by_hand_s(self) -> float:
        """The seconds that a person needs for these taps and keys."""
        return self.taps * TAP_S + self.keys * KEY_S + self.people * THINK_S


def until_seated(door: CheckInHelper, phone: Any) -> float:
    """Draws and publishes the first round; returns the seconds until a phone shows its table."""
    began = time.monotonic()
    door.tab.click("[data-to=draw]")
    door.tab.click('#next-key:text-is("Draw round 1")', timeout=WAIT_MS)
    door.tab.click('#next-key:text-is("Publish round 1")', timeout=WAIT_MS)
    phone.wait_for_selector("main >> text=/Table [0-9]+/", timeout=WAIT_MS)
    return time.monotonic() - began


def main(seed: int = 1) -> int:
    names = [f"{last} {first}" for first in FIRST for last in LAST]
    with (
        TemporaryDirectory(prefix="door-") as folder,
        club_site(Path(folder)) as site,
        chromium() as browser,
    ):
        organiser = Visitor(site.hub, "keep")
        settings = {
            "event": 2,
            "name": "Door",
            "format": "tables",
            "seed": "door",
            "planned": 5,
        }
        number = organiser.ask("/api/events", settings)[1]["number"]
        path = f"/api/events/{number}"
        people = {"after": 1, "text": "\n".join(names), "kind": "listed"}
        assert organiser.ask(f"{path}/people", people)[0] == 200
        doors = [CheckInHelper(browser, site, number, size) for size in SIZES.values()]
        Random(seed).shuffle(names)
        for at, name in enumerate(names):
            doors[at % len(doors)].check_in(name)
        players = organiser.ask(path)[1]["event"]["players"]
        code = Visitor(site.hub, "watch").ask(f"{path}/here", {"id": players[0]["id"]})[1]["mine"]
        phone = browser.new_context(viewport={"width": 360, "height": 640}).new_page()
        phone.goto(f"{site.url}/event/{number}/mine#{code}")
        phone.wait_for_selector("#place", state="attached", timeout=WAIT_MS)
        seated_s = until_seated(doors[0], phone)
        event = organiser.ask(path)[1]["event"]
    taps, keys = (sum(getattr(one, kind) for one in doors) for kind in ("taps", "keys"))
    by_hand = max(one.by_hand_s for one in doors)
    pages = max(one.waited for one in doors)
    seats = [one for table in event["rounds"][0]["tables"] for one in table["seats"]]
    print(f"{PEOPLE} people by {len(doors)}: {taps} taps and {keys} keys, {by_hand:.0f} s by hand; "
          f"the pages took {pages:.0f} s, or {max(one.waited / one.people for one in doors):.2f} s "
          f"each; 3 taps and {seated_s:.1f} s from the draw to a phone's table")  # fmt: skip
    whole = len({*seats}) == PEOPLE and not event.get("out")
    return 0 if whole and by_hand + pages <= CHECK_IN_S and seated_s <= SEATED_S else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
