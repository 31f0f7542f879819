"""The stream of events over HTTP: each is sent as it happens, only to clients with an access
code."""

import json
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from companion.core.budgets import LISTENERS
from companion.core.values import Json
from companion.web import stream
from tests.presentation.test_stream_events import names
from tests.waiting import WAIT_S
from tests.web.live import LiveTable, Phone, keep
from tests.web.site import TOKEN, WATCH, Site
from tests.web.test_broadcast import stands

GAME = "hand\nRed 6-6"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    keep(tmp_path / "record.db", GAME)
    live = LiveTable(tmp_path / "record.db")
    yield live
    live.close()


async def heard(answer: aiohttp.ClientResponse, until: str) -> list[Json]:
    """The events up to the first of the kind `until`."""
    told = list[Json]()
    while not told or told[-1]["event"] != until:
        line = (await answer.content.readuntil(b"\n")).decode().rstrip("\n")
        if line.startswith("data: "):
            told.append(json.loads(line.removeprefix("data: ")))
    return told


def test_players_and_watchers_get_a_play(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        phone = await Phone.come(table, session, "phone", {"name": "scorekeeper"})
        bearer_token = {"Authorization": f"Bearer {WATCH}"}
        async with (
            session.get("/stream", params={"word": TOKEN}) as playing,
            session.get("/stream", headers=bearer_token) as watching,
        ):
            assert playing.content_type == "text/event-stream"
            for listener in (playing, watching):
                assert names(await heard(listener, "table")) == ["table"]
            await phone.keys("Blue 6-3")
            for listener in (playing, watching):
                told = await heard(listener, "table")
                assert names(told) == ["entry", "score", "turn", "table"]
                assert told[0]["said"] == "Blue lays 6-3"

    table.visit(visit)


@pytest.mark.parametrize("word", ["", "wrongwrongwrong2"])
def test_strangers_get_no_events(site: Site, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setattr(stream, "WRONG_CODE_PAUSE_S", 0.0)

    async def visit(session: aiohttp.ClientSession) -> None:
        site.page.update(stands())
        async with session.get("/stream", params={"word": word}) as answer:
            assert answer.status == 403
            assert "6-3" not in await answer.text()

    site.visit(visit)


def test_other_sites_get_no_events_even_if_this_machine_needs_no_code(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "WRONG_CODE_PAUSE_S", 0.0)

    async def visit(session: aiohttp.ClientSession) -> None:
        site.page.update(stands())
        async with session.get("/stream", headers={"Sec-Fetch-Site": "cross-site"}) as answer:
            assert answer.status == 403
        async with session.get("/stream") as answer:
            assert answer.status == 200
            assert "Access-Control-Allow-Origin" not in answer.headers
            assert names(await heard(answer, "table")) == ["table"]

    site.visit(visit)


def test_eight_can_listen_and_a_ninth_once_one_has_left(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are no events meanwhile, and no sign of life is due during a visit: the place becomes
    free only because a listener has left."""

    async def visit(session: aiohttp.ClientSession) -> None:
        site.page.update(stands())
        listeners = [await session.get("/stream") for _ in range(LISTENERS.most)]
        for listener in listeners:
            await heard(listener, "table")
        async with session.get("/stream") as ninth:
            assert ninth.status == 503
        listeners[3].close()
        while True:
            async with session.get("/stream") as ninth:
                if ninth.status == 200:
                    break
        for listener in listeners:
            listener.close()

    monkeypatch.setattr(stream, "SIGN_OF_LIFE_S", 2.0 * WAIT_S)
    site.visit(visit)


def test_a_stream_without_events_sends_signs_of_life(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "SIGN_OF_LIFE_S", 0.01)

    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.get("/stream") as answer:
            await answer.content.readuntil(stream.SIGN_OF_LIFE)

    site.visit(visit)


def test_new_codes_end_the_streams_of_the_old_ones(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        phone = await Phone.come(table, session, "phone", {"name": "scorekeeper"})
        async with session.get("/stream", params={"word": WATCH}) as watching:
            await heard(watching, "table")
            await phone.say(newCodes=True)
            while await watching.content.readany():
                pass

    table.visit(visit)
