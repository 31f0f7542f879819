"""The example evening on a page without a game: it is complete, follows the rules, and is never
recorded."""

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from companion.app.catalog import CATALOG
from companion.presentation.drawing.svg import Paper
from companion.record.store.reader import Reader
from companion.record.tally import format_tally
from companion.web import viewer
from tests.catalog import GAMES
from tests.presentation.test_moment import VALID
from tests.waiting import WAIT_S
from tests.web.in_browser import WAIT_MS
from tests.web.live import LiveTable, Phone, keep
from tests.web.site import TOKEN
from tests.web.test_table_page import PHONE, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

WIDE = Paper(16, 9)
EXAMPLE = viewer.Example(CATALOG)


def moments() -> list[dict[str, Any]]:
    last = EXAMPLE.moment(1, WIDE)["last"]
    return [EXAMPLE.moment(number, WIDE) for number in range(1, last + 1)]


def test_the_example_is_a_whole_game_with_everything_an_evening_has() -> None:
    told = [one["moment"] for one in moments()]
    for number, moment in enumerate(told, start=1):
        VALID.validate(moment)
        assert moment["entry"] == moment["entries"] == number
        assert moment["number"] is moment["row"] is None
        notices = {notice["key"] for notice in moment["latest"][0]["notices"]}
        assert notices <= {"notice.bogus-proven"}
    assert told[-1]["finished"]
    assert told[-1]["winners"] == ["Ben"]
    why = {payment["for"]["key"] for moment in told for payment in moment["latest"][0]["payments"]}
    assert why == {"for.count", "for.out", "for.bogus"}
    assert any(moment["claim"] for moment in told)


def test_every_moment_of_the_example_has_a_drawing_and_words() -> None:
    for one in moments():
        assert one["drawing"].startswith('<svg class="drawing" role="img"')
        assert "<title>The line of play: " in one["drawing"]


@pytest.fixture
def table(tmp_path: Path) -> Any:
    table = LiveTable(tmp_path / "record.db")
    yield table
    table.close()


def test_a_page_gets_the_example_moment_by_moment_and_nothing_is_recorded(table: LiveTable) -> None:
    before = {path: path.read_bytes() for path in table.path.parent.iterdir()}
    heard = list[dict[str, Any]]()

    async def visit(session: aiohttp.ClientSession) -> None:
        ws = await session.ws_connect("/live", headers={"Origin": table.url})
        await ws.send_json({"n": 0, "hello": TOKEN, "wants": ["square"]})
        while "moment" not in await ws.receive_json():
            pass  # a page asks once it has seen that there is no game
        for number in (1, 2, 62):
            await ws.send_json({"n": number, "example": number})
        while len(heard) < 3:
            message = await ws.receive_json()
            if "example" in message:
                heard.append(message["example"])

    table.visit(visit)
    assert [one["moment"]["entry"] for one in heard] == [1, 2, 62]
    assert heard[-1]["last"] == 62
    assert {path: path.read_bytes() for path in table.path.parent.iterdir()} == before
    with Reader.open(table.path, GAMES) as record:
        assert record.last_game() is None


@pytest.mark.parametrize("number", [0, -1, 63, 1.5, True, "1", None, {}])
def test_an_invalid_moment_of_the_example_ends_the_connection(
    table: LiveTable, number: object
) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        ws = await session.ws_connect("/live", headers={"Origin": table.url})
        await ws.send_json({"n": 0, "hello": TOKEN, "wants": ["square"]})
        await ws.send_json({"n": 1, "example": number})
        while (await ws.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert ws.close_code == 4400

    table.visit(visit)


def test_there_is_no_example_while_a_game_is_on_the_table(tmp_path: Path) -> None:
    keep(tmp_path / "record.db", "hand")
    table = LiveTable(tmp_path / "record.db")

    async def visit(session: aiohttp.ClientSession) -> None:
        phone = await Phone.come(table, session, "a", None)
        await phone.say(example=1)
        answered = await asyncio.wait_for(phone._ws.receive_json(), WAIT_S)
        assert answered == {"n": 1}

    try:
        table.visit(visit)
    finally:
        table.close()


def test_the_packaged_tally_is_one_that_the_program_writes() -> None:
    written = format_tally(EXAMPLE._journals[-1])
    entries = [line for line in viewer.TALLY.read_text().splitlines() if line and line[0] != "#"]
    assert entries[3:] == written.strip().splitlines()[-62:]


@pytest.mark.browser
@pytest.mark.smoke
def test_the_example_plays_until_it_is_closed(view: View) -> None:
    tab = view(None, viewport=PHONE).tab
    tab.get_by_role("button", name="Watch a demonstration").click()
    tab.get_by_role("region", name="Example").get_by_text("Nothing of it is recorded").wait_for()
    for said in ("A hand is dealt; ", "Anna lays double six, count 12; Ben's turn"):
        tab.wait_for_function(
            "(said) => document.querySelector('#sentence').textContent.startsWith(said)",
            arg=said,
            timeout=WAIT_MS,
        )
    assert tab.locator(".score").all_inner_texts() == ["0", "0"]
    assert not tab.locator("#keying").is_visible()
    assert tab.locator("#seats").bounding_box()["width"] > 300
    assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth")
    tab.get_by_role("button", name="Stop the demo").click()
    assert tab.get_by_role("heading", name="Who's playing?").is_visible()
    assert tab.locator(".seat").count() == 0
    assert tab.get_by_role("button", name="Watch a demonstration").evaluate(
        "(key) => key === document.activeElement"
    )


@pytest.mark.browser
def test_the_example_makes_way_for_a_game(view: View) -> None:
    phone, box = view(None, viewport=PHONE), view(None, path="/box")
    phone.tab.get_by_role("button", name="Watch a demonstration").click()
    phone.tab.wait_for_selector(".seat", timeout=WAIT_MS)
    for key in ("1", "2", "1", "Enter"):
        box.tab.keyboard.press(key)
    phone.tab.wait_for_selector(".who:text-is('Red')", timeout=WAIT_MS)
    phone.tab.get_by_role("region", name="Example").wait_for(state="hidden", timeout=WAIT_MS)
    assert phone.tab.inner_text("#asked") != ""
    assert phone.tab.locator(".who").all_inner_texts() == ["Red", "Blue"]
