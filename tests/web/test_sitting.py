"""Sitting down: phones take the seats of a game that another phone is about to begin."""

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from companion.core.seats import COLOURS
from companion.core.values import Json
from companion.web.viewer import MALFORMED
from tests.waiting import WAIT_S
from tests.web.live import LiveTable
from tests.web.site import WATCH

SITTING: Json = {
    "game": "High Five",
    "seats": ["Anna", ""],
    "colours": ["Red", "Blue"],
    "names": ["Anna", "Ben"],
    "clockwise": True,
}
WRONG: list[Json] = [
    {"sitting": {"game": "High Five", "seats": ["Anna"]}},
    {"sitting": {**SITTING, "seats": ["A"] * 9, "colours": ["Red"] * 9}},
    {"sitting": {**SITTING, "seats": ["A" * 25, ""]}},
    {"sitting": {**SITTING, "seats": [1, ""]}},
    {"sitting": {**SITTING, "colours": ["Red"]}},
    {"sitting": {**SITTING, "colours": ["Red", "Mauve"]}},
    {"sitting": {**SITTING, "clockwise": 1}},
    {"sitting": {**SITTING, "game": "H" * 41}},
    {"sitting": {**SITTING, "more": 1}},
    {"sitting": "Anna"},
    {"sit": {"place": -1, "name": "Ben"}},
    {"sit": {"place": True, "name": "Ben"}},
    {"sit": {"place": 1, "name": " "}},
    {"sit": {"place": 1, "name": "B" * 25}},
    {"sit": {"place": 1, "name": "Ben", "colour": "Mauve"}},
    {"sit": {"place": 1, "name": "Ben", "more": 1}},
    {"sit": {"place": 1, "name": "Ben", "me": 1}},
    {"sit": {"place": 1, "name": "Ben", "was": None}},
    {"sit": {"place": 1, "name": "Ben", "was": "B" * 25}},
    {"sit": None},
]


class Page:
    """A page that only receives who sits down."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket, self._number = socket, 0

    @classmethod
    async def come(
        cls,
        table: LiveTable,
        session: aiohttp.ClientSession,
        word: str,
        wants: tuple[str, ...] = (),
    ) -> "Page":
        page = cls(await session.ws_connect("/live", headers={"Origin": table.url}))
        await page._socket.send_json({"n": 0, "hello": word, "wants": [*wants]})
        await page.hears("n")
        return page

    async def say(self, **said: Any) -> None:
        self._number += 1
        await self._socket.send_json({"n": self._number, **said})

    async def hears(self, key: str) -> Any:
        """The next message under this key."""
        while True:
            message = await asyncio.wait_for(self._socket.receive(), WAIT_S)
            if message.type is not aiohttp.WSMsgType.TEXT:
                return message.data
            told = message.json()
            if key in told:
                return told[key]

    async def leave(self) -> None:
        await self._socket.close()


@pytest.fixture
def table(tmp_path: Path) -> Any:
    table = LiveTable(tmp_path / "record.db", lan=True)
    yield table
    table.close()


def test_all_players_see_who_sits_down_and_the_first_page_decides(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        starter, early = [await Page.come(table, session, table.words.play) for _ in range(2)]
        await starter.say(sitting=SITTING)
        late = await Page.come(table, session, table.words.play)
        told = await early.hears("sitting")
        assert [one["name"] for one in told.pop("palette")] == list(COLOURS)
        assert told == SITTING
        told = await late.hears("sitting")
        assert told["seats"] == ["Anna", ""]
        for wish in (
            {"place": 1, "name": "Ben"},
            {"place": None, "name": "Ben"},
            {"place": 1, "name": "Ben", "colour": "Green"},
        ):
            await late.say(sit=wish)
            assert await starter.hears("sit") == wish
        await early.say(sitting=None)  # it isn't the one that sets the table
        filled = {**SITTING, "seats": ["Anna", "Ben"]}
        await starter.say(sitting=filled)
        for page in (early, late):
            assert (await page.hears("sitting"))["seats"] == ["Anna", "Ben"]
        await starter.leave()
        assert await early.hears("sitting") is await late.hears("sitting") is None

    table.visit(visit)


def test_a_name_at_the_table_is_for_another_phone_only_if_it_confirms(table: LiveTable) -> None:
    """A page of an older version sends no `me`, and gets the seat as before."""

    async def visit(session: aiohttp.ClientSession) -> None:
        starter, ben, other = [await Page.come(table, session, table.words.play) for _ in range(3)]
        await starter.say(sitting=SITTING)
        await starter.hears("n")
        first = {"place": None, "name": "Ben", "me": False}
        await ben.say(sit=first)
        assert await starter.hears("sit") == first
        await other.say(sit=first)  # before the first page has shown the seat
        assert await other.hears("taken") == "Ben"
        await other.say(sit={**first, "name": "Anna"})  # typed on the first page
        assert await other.hears("taken") == "Anna"
        for page, wish in (
            (ben, {**first, "place": 1}),
            (ben, {**first, "name": "Benno", "was": "Ben"}),
            (other, first),
            (other, {**first, "name": "Anna", "me": True}),
            (other, {"place": None, "name": "Anna"}),
        ):
            await page.say(sit=wish)
            assert await starter.hears("sit") == wish

    table.visit(visit)


def test_a_watching_page_gets_no_names(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        starter = await Page.come(table, session, table.words.play)
        watcher = await Page.come(table, session, WATCH)
        await starter.say(sitting=SITTING)
        await starter.hears("n")
        await watcher.say()
        assert await watcher.hears("n") == 1
        await watcher.say(sit={"place": 1, "name": "Ben"})
        await watcher.hears("n")
        await starter.say()
        assert await starter.hears("n") == 2, "it heard of no wish"

    table.visit(visit)


def test_a_tv_shows_who_sits_down_and_the_way_in_but_no_other_names(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        starter = await Page.come(table, session, table.words.play)
        early = await Page.come(table, session, WATCH, ("wide", "seats"))
        await starter.say(sitting=SITTING)
        late = await Page.come(table, session, WATCH, ("wide", "seats"))
        known = {key: SITTING[key] for key in SITTING if key != "names"}
        for tv in (early, late):
            assert await tv.hears("sitting") == known
            assert len((await tv.hears("invite"))["digits"]) == 4
        await starter.leave()
        assert await early.hears("sitting") is None

    table.visit(visit)


@pytest.mark.parametrize("said", WRONG, ids=str)
def test_an_invalid_message_ends_the_connection(table: LiveTable, said: Json) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        page = await Page.come(table, session, table.words.play)
        await page.say(**said)
        assert await page.hears("never") == MALFORMED

    table.visit(visit)
