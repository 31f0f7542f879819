"""An event of many people on the organiser's phone: short pages with a search."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from companion.core.values import Json
from tests.club.hub.club_site import ClubSite, club_site
from tests.club.hub.test_event_page import in_event, step
from tests.club.hub.test_pages_browser import opened as opened  # noqa: PLC0414  # a fixture
from tests.waiting import wait_until
from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_table_page import PHONE

Open = Callable[..., Any]
LONGEST_PX: Final = 3000


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ClubSite]:
    with club_site(tmp_path) as made:
        yield made


def page_of(opened: Open, path: str, **more: Any) -> Any:
    """The organiser's page of the event at `path` of the API."""
    return opened(path.removeprefix("/api").replace("events", "event"), "keep", **more)


def is_short(tab: Any) -> None:
    """Checks that the page is short, as wide as the phone, and accessible."""
    assert tab.evaluate("document.documentElement.scrollHeight") <= LONGEST_PX
    assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert violations(tab) == []


def numbers(tab: Any, place: str) -> list[str]:
    """The headings of the tables shown at `place`."""
    found = tab.locator(f"{place} .seat-table h3").all_inner_texts()
    return [one.split("\n")[0] for one in found]


def results_of(kept: Json, *without: int) -> list[Json]:
    """The entries with a result for each table of the newest round, without those tables."""
    return [
        {"result": {"round": len(kept["event"]["rounds"]), "table": one["table"],
                    "points": [150, *(20 + 5 * seat for seat, _ in enumerate(one["seats"][1:]))]}}
        for one in kept["event"]["rounds"][-1]["tables"] if one["table"] not in without
    ]  # fmt: skip


def test_a_phone_lists_fifty_six_people_on_short_pages(site: ClubSite, opened: Open) -> None:
    organiser, path, kept = in_event(site, 56, name="Large", format="tables")
    tab = page_of(opened, path, viewport=PHONE)
    tab.wait_for_selector("#rows .row", timeout=WAIT_MS)
    assert tab.locator("#rows .row").count() == 24
    is_short(tab)
    tab.fill("#find", "wilhelmina 56")
    assert tab.locator("#rows .row").count() == 1
    tab.fill("#find", "")
    tab.click('#more-rows:text-is("Show 32 more")')
    assert tab.locator("#rows .row").count() == 56
    # The draft: two people of tables that are not shown together change places.
    step(tab, "draw")
    tab.click("#next-key")
    tab.wait_for_selector("#drawn-tables .seat-table", timeout=WAIT_MS)
    assert numbers(tab, "#drawn-tables") == [f"Table {number}" for number in range(1, 5)]
    is_short(tab)
    first = tab.inner_text(".seat-key .player >> nth=0")
    tab.click(".seat-key >> nth=0")
    tab.fill("#find-drawn", "14")
    assert "Table 14" in numbers(tab, "#drawn-tables")
    last = tab.inner_text('.seat-table:has-text("Table 14") .seat-key .player >> nth=0')
    tab.fill("#find-drawn", last.upper())
    tab.click(f'.seat-key:has(.player:text-is("{last}"))')
    tab.wait_for_selector(f'.seat-key:has(.player:text-is("{last}")) >> nth=0', timeout=WAIT_MS)
    tab.fill("#find-drawn", "")
    wait_until(lambda: tab.inner_text(".seat-key .player >> nth=0") == last)
    assert first not in tab.locator("#drawn-tables .player").all_inner_texts()
    tab.click('#more-drawn:text-is("Show 10 more")')
    assert len(numbers(tab, "#drawn-tables")) == 14
    tab.click('#next-key:text-is("Publish round 1")')
    # The results: open tables come first, and others are found.
    tab.wait_for_selector("#tables .seat-table", timeout=WAIT_MS)
    is_short(tab)
    kept = organiser.ask(path)[1]
    assert (
        organiser.ask(path, {"after": kept["after"], "entries": results_of(kept, 9, 12)})[0] == 200
    )
    tab.wait_for_selector("#tables .won", timeout=WAIT_MS)
    assert numbers(tab, "#tables") == [
        "Table 9",
        "Table 12",
        "Table 1",
        "Table 2",
        "Table 3",
    ]
    tab.fill("#find-table", last)
    assert first not in tab.inner_text("#tables") and last in tab.inner_text("#tables")
    # The page stays current while the search is open.
    kept = organiser.ask(path)[1]
    tab.fill("#find-table", "9")
    assert (
        organiser.ask(path, {"after": kept["after"], "entries": results_of(kept, 12)[8:9]})[0]
        == 200
    )
    tab.wait_for_selector('#tables .seat-table[data-table="9"] .won', timeout=WAIT_MS)
    tab.fill("#find-table", "")
    tab.click('#more-tables:text-is("Show 9 more")')
    assert len(numbers(tab, "#tables")) == 14
    assert violations(tab) == []


def test_a_draft_shows_the_tables_with_repeats_first(site: ClubSite, opened: Open) -> None:
    organiser, path, kept = in_event(site, 6, name="Again", format="swiss")
    for text in ("1 2, 3 4, 5 6", "1 3, 2 4, 5 6"):
        lines = [
            ", ".join(f"Wilhelmina {one}" for one in pair.split()) for pair in text.split(", ")
        ]
        said = {"after": kept["after"], "propose": True, "seating": "\n".join(lines)}
        status, kept = organiser.ask(path, said)
        assert status == 200, kept
        if not kept["event"]["rounds"]:
            _, kept = organiser.ask(path, {"after": kept["after"], "publish": True})
            results = {"after": kept["after"], "entries": results_of(kept)}
            _, kept = organiser.ask(path, results)
    tab = page_of(opened, path, viewport=PHONE)
    tab.wait_for_selector("#drawn-tables .seat-table", timeout=WAIT_MS)
    assert numbers(tab, "#drawn-tables") == ["Table 3", "Table 1", "Table 2"]
    alerts = tab.locator("#drawn-tables .alert").all_inner_texts()
    assert alerts == ["Wilhelmina 5, Wilhelmina 6: 2×"]
    assert tab.is_hidden("#find-drawn") and tab.is_hidden("#more-drawn")
    assert violations(tab) == []


@pytest.mark.parametrize(
    "wide, columns, highest", [(1920, 4, 2000), (1280, 3, 2000), (768, 2, 2600)]
)
def test_a_wide_page_lists_people_side_by_side(
    site: ClubSite, opened: Open, wide: int, columns: int, highest: int
) -> None:
    _, path, _ = in_event(site, 56, name="Wide", format="tables")
    tab = page_of(opened, path, viewport={"width": wide, "height": 1080})
    tab.wait_for_selector("#rows .row:nth-child(56)", timeout=WAIT_MS)
    of_name = "(one) => { const at = one.getBoundingClientRect(); return [at.top, at.bottom]; }"
    places = tab.evaluate(f"[...document.querySelectorAll('#rows .row')].map({of_name})")
    assert len([top for top, _ in places if top == places[0][0]]) == columns
    assert tab.evaluate("document.documentElement.scrollHeight") <= highest
    # The keys of one person are below the whole line, and nobody above them moves.
    tab.click("#rows .row:nth-child(1) .dots")
    tray = tab.eval_on_selector("#rows .tray", of_name)
    rows = tab.evaluate(f"[...document.querySelectorAll('#rows .row')].map({of_name})")
    assert rows[:columns] == places[:columns]
    assert places[0][1] - 2 <= tray[0] <= places[0][1] and rows[columns][0] >= tray[1] - 2
    assert violations(tab) == []


def test_a_long_name_stays_beside_its_box(site: ClubSite, opened: Open) -> None:
    organiser, path, kept = in_event(site, 2, name="Long names", format="tables")
    name = "Maximiliane-Wilhelmina van den Oudenhoven"[:40]
    came = {"came": {"id": "long", "name": name}}
    organiser.ask(path, {"after": kept["after"], "entries": [came]})
    tab = page_of(opened, path, viewport=PHONE)
    row = tab.locator(f'#rows .row:has(.player:text-is("{name}"))')
    mark, shown = (row.locator(one).bounding_box() for one in (".mark", ".player"))
    assert shown["x"] >= mark["x"] + mark["width"]
