"""The step “tables” of the organiser's page: games that are still open at the boxes from an earlier
day are ended or kept."""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from companion.app.catalog import CATALOG
from companion.app.club import BoxClub
from companion.core.club import GivenSeats
from companion.core.seats import Seats
from companion.core.values import Json
from companion.record.rows import GameOpened
from companion.record.store.store import Store
from companion.table.events import FromClub
from tests.club.hub.club_site import ClubSite, entries
from tests.club.hub.test_event_api import Visitor
from tests.club.hub.test_event_page import in_event, step
from tests.club.hub.test_event_page_long import numbers, page_of
from tests.club.hub.test_event_page_long import site as site  # noqa: PLC0414  # a fixture
from tests.club.hub.test_pages_browser import opened as opened  # noqa: PLC0414  # a fixture
from tests.waiting import wait_until
from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_table_page import PHONE

Open = Callable[..., Any]
DAY_S: Final = 86400


def begin_old_game(site: ClubSite, name: str, number: int, began: float) -> Store:
    """A new box of the club at whose table a game began then, by the box's clock; returns its
    record, open."""
    site.join(name)
    Visitor(site.hub, "keep").ask(f"/api/boxes/{site.box(name)}", {"name": name, "number": number})
    store = Store.open(site.record(name), CATALOG.rules, lambda: began)
    store.keep(1, GameOpened("high-five", Seats.of("Ida", "Ole"), {}))
    for game, row in entries("hand\nIda 6-6\nOle 6-3", "Ida Ole", "high-five", 1):
        store.keep(game, row)
    return store


def test_the_page_ends_or_keeps_a_game_of_an_earlier_day_at_a_connected_box(
    site: ClubSite, opened: Open
) -> None:
    boxes = dict[int, list[FromClub]]()
    running = list[tuple[BoxClub, Store]]()
    began = time.time() - 3 * DAY_S
    day = f"{datetime.fromtimestamp(began):%A}"
    for number in (7, 8):
        store = begin_old_game(site, f"Box {number}", number, began)
        boxes[number] = []
        running.append((BoxClub(store, CATALOG.rules, boxes[number].append), store))
        running[-1][0].start()
    try:
        _, path, _ = in_event(site, 8, name="Old games", format="tables")
        tab = page_of(opened, path, viewport=PHONE)
        step(tab, "tables")
        row = '#box-rows .box:has-text("Table {}")'.format
        for number in (7, 8):
            tab.wait_for_selector(f"{row(number)} >> text=/^A game from {day} ..:.. is open: Ida/",
                                  timeout=WAIT_MS)  # fmt: skip
            assert "not connected" not in tab.inner_text(row(number))
        assert violations(tab) == []
        tab.click(f'{row(7)} .button:text-is("End it")')
        tab.wait_for_selector(f"{row(7)} >> text=/^ready; put aside: Ida/", timeout=WAIT_MS)
        tab.click(f'{row(8)} .act:text-is("Keep it, don’t use this table")')
        tab.wait_for_selector(f"{row(8)} >> text=not used", timeout=WAIT_MS)
        kept = event_with_seats_at(site, path, 7)
        assert [one["table"] for one in kept["event"]["rounds"][0]["tables"]] == [1, 7]
        wait_until(lambda: any(isinstance(one, GivenSeats) for one in boxes[7]))
        given = next(one for one in boxes[7] if isinstance(one, GivenSeats))
        assert (given.table, given.instead_of) == (7, 1)
        assert not any(isinstance(one, GivenSeats) for one in boxes[8])
    finally:
        for club, store in running:
            club.stop()
            store.close()


def event_with_seats_at(site: ClubSite, path: str, table: int) -> Json:
    """Draws the round of eight people at table 1 and at `table`; returns the event."""
    organiser = Visitor(site.hub, "keep")
    lines = [", ".join(f"Wilhelmina {one}" for one in range(at, at + 4)) for at in (1, 5)]
    seating = f"1: {lines[0]}\n{table}: {lines[1]}"
    after = organiser.ask(path)[1]["after"]
    status, kept = organiser.ask(path, {"after": after, "propose": True, "seating": seating})
    assert status == 200, kept
    found: Json
    status, found = organiser.ask(path, {"after": kept["after"], "publish": True})
    assert status == 200, found
    return found


def test_the_page_names_an_old_game_at_a_box_without_contact(site: ClubSite, opened: Open) -> None:
    began = time.time() - 30 * DAY_S
    begin_old_game(site, "Box 7", 7, began).close()
    site.push("Box 7")
    _, path, kept = in_event(site, 4, name="Away", format="tables")
    tab = page_of(opened, path, viewport=PHONE)
    away = [{**one, "heard": False} for one in kept["boxes"]]
    tab.route(f"**{path}", lambda it: it.fulfill(json={**kept, "boxes": away}))
    step(tab, "tables")
    row = "#box-rows .box"
    tab.wait_for_selector(f"{row} >> text=not connected", timeout=WAIT_MS)
    day = datetime.fromtimestamp(began)
    assert f"A game from {day:%B} {day.day}" in tab.inner_text(f"{row} .alert")
    assert tab.locator(f"{row} .acts button").count() == 2
    assert violations(tab) == []


def test_the_organiser_sees_a_dispute_at_a_table_of_the_round(site: ClubSite, opened: Open) -> None:
    site.join("Table 61")
    organiser = Visitor(site.hub, "keep")
    _, made = organiser.ask("/api/events", {"name": "Call", "format": "tables", "seed": "x"})
    path = f"/api/events/{made['number']}"
    names = ("Ida", "Ole", "Pia", "Rob", "Sue", "Tim", "Uwe", "Vic")
    came = [{"came": {"id": one.lower(), "name": one}} for one in names]
    _, kept = organiser.ask(path, {"after": 1, "entries": came})
    _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
    table = kept["event"]["rounds"][0]["tables"][1]
    seats = [one.title() for one in table["seats"]]
    one, other = seats[:2]
    called = f"hand lead {one}\n{one} 6-6\n{other} draw\nbogus {other} by {one}"
    site.play("Table 61", called, " ".join(seats))
    tab = page_of(opened, path, viewport=PHONE)
    step(tab, "results")
    tab.wait_for_selector('#tables .alert a:text-is("waits for a judge")', timeout=WAIT_MS)
    assert numbers(tab, "#tables")[0] == f"Table {table['table']}"
    assert violations(tab) == []
    tab.click("#tables .alert a")
    tab.wait_for_selector(f".call >> text={one} calls {other} bogus", timeout=WAIT_MS)
