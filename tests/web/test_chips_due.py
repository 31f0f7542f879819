"""After a correction all pages show which chips go back, until somebody confirms that they were
moved."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from companion.core.values import Json
from companion.record.rows import Undo
from companion.record.store.store import Store
from companion.web.tv.picture import event_strip
from tests.catalog import GAMES
from tests.web.live import KEEPER, LiveTable, Phone, keep
from tests.web.site import WATCH

LAYS = "hand\nRed 6-6\nBlue 6-3"
BACK = ["Blue gives Red back 15"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    keep(tmp_path / "record.db", LAYS)
    table = LiveTable(tmp_path / "record.db")
    yield table
    table.close()


def due(phone: Phone) -> list[str]:
    told = phone.stands["moment"]["chips_to_move"]
    return [move["words"] for move in told["moves"]] if told else []


async def until_due(phone: Phone, moves: list[str]) -> None:
    await phone.until(lambda: due(phone) == moves)


def moved(phone: Phone) -> Json:
    row = phone.stands["moment"]["chips_to_move"]["row"]
    return {"surface": f"phone-{phone.name}", "row": row}


async def correct(phone: Phone, text: str = "Blue 6-1", at: int = 2) -> None:
    assert (await phone.keys(text, deed="change", at=at))["counted"]


def test_all_pages_show_the_chips_due_until_one_confirms(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        one = await Phone.come(table, session, "one", KEEPER)
        other = await Phone.come(table, session, "other", {"name": "seat", "seat": "Blue"})
        tv = await Phone.come(table, session, "tv", None, WATCH)
        await correct(one)
        for phone in (one, other, tv):
            await until_due(phone, BACK)
        told = one.stands["moment"]["chips_to_move"]["moves"][0]
        assert told["chips"]["said"]["words"] == "10 + 5"
        assert (await one.keys("Red draw"))["counted"]
        await one.until(lambda: one.stands["moment"]["latest"][0]["entry"] == "Red draw")
        assert due(one) == BACK, "play goes on meanwhile"
        await tv.say(moved=moved(tv))
        await other.say(moved=moved(other))
        for phone in (one, other, tv):
            await until_due(phone, [])

    table.visit(visit)
    assert len(table.entries()) == 4


def test_watchers_and_pages_with_an_older_correction_cannot_confirm(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        one = await Phone.come(table, session, "one", KEEPER)
        tv = await Phone.come(table, session, "tv", {"name": "watcher"})
        await correct(one)
        await until_due(one, BACK)
        await until_due(tv, BACK)
        await tv.say(moved=moved(tv))
        old = moved(one)
        assert (await one.keys("Red 6-4"))["counted"]
        await one.until(lambda: one.stands["moment"]["entries"] == 4)
        await correct(one, "Blue 6-2")
        both = [*BACK, "Red gives Blue back 5"]
        await until_due(one, both)
        await one.say(moved=old)
        assert (await one.keys("Blue draw"))["counted"]
        await one.until(lambda: one.stands["moment"]["latest"][0]["entry"] == "Blue draw")
        assert due(one) == both

    table.visit(visit)


def test_a_correction_that_is_taken_back_at_once_leaves_nothing_to_move(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        one = await Phone.come(table, session, "one", KEEPER)
        await correct(one)
        await until_due(one, BACK)
        assert (await one.keys("", deed="undo"))["counted"]
        await until_due(one, [])

    table.visit(visit)


def test_after_a_restart_the_chips_are_due_as_restored(tmp_path: Path) -> None:
    keep(tmp_path / "record.db", LAYS)
    with closing(Store.open(tmp_path / "record.db", GAMES, time.time)) as store:
        store.keep(1, Undo())
    table = LiveTable(tmp_path / "record.db")

    async def visit(session: aiohttp.ClientSession) -> None:
        one = await Phone.come(table, session, "one", KEEPER)
        assert due(one) == BACK
        assert one.stands["moment"]["chips_to_move"]["restored"] is True
        assert (event_strip(one.stands["moment"]) or [])[0] == "Chips moved already?"
        await one.say(moved=moved(one))
        await until_due(one, [])

    try:
        table.visit(visit)
    finally:
        table.close()
