"""The box's clips over HTTP: only for clients with an access code, and only of words that the table
has spoken."""

from collections.abc import Callable, Iterator
from pathlib import Path

import aiohttp
import pytest

from companion.core.values import Json
from companion.devices import voice as box_voice
from companion.devices.voice import Clips, read_clip
from tests.waiting import WAIT_S, until
from tests.web.live import LiveTable, keep
from tests.web.site import TOKEN, WATCH, Site

BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The folder for the clips that the box makes."""
    return tmp_path / "voice"


@pytest.fixture
def table(tmp_path: Path, made: Path) -> Iterator[LiveTable]:
    keep(tmp_path / "record.db", "hand\nAnna 6-6\nBen 6-3", "Anna Ben")
    live = LiveTable(tmp_path / "record.db", clips=lambda name: Clips(name, made))
    yield live
    live.close()


async def told(table: LiveTable, session: aiohttp.ClientSession, *wants: str) -> Json:
    """The first message for a page's voice."""
    origin = {"Origin": table.url}
    async with session.ws_connect(f"{table.url}/live", headers=origin) as page:
        await page.send_json({"n": 0, "hello": TOKEN, "wants": [*wants]})
        while "voice" not in (heard := await page.receive_json(timeout=WAIT_S)):
            pass
        voice: Json = heard["voice"]
        return voice


async def status(session: aiohttp.ClientSession, path: str, word: str = TOKEN) -> int:
    async with session.get(path, headers={"Authorization": f"Bearer {word}"}) as answer:
        return answer.status


def test_a_page_gets_the_list_of_clips_and_each_clip(table: LiveTable, made: Path) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        voice = await told(table, session, "voice-counts", "clips")
        assert voice["newest"] == [["anna.wav", "pays.wav", "ben.wav", "15.wav"]]
        assert voice["answers"]["last"] == ["ben.wav", "lays.wav", "six.wav", "three.wav"]
        assert voice["answers"]["since"]["Ben"] == [["nothing_since_your_last_turn.wav"]]
        async with session.get("/clips/en", headers=BEARER) as answer:
            assert await answer.json() == {"speaks": True}
        for name in (*voice["newest"][0], "lays.wav"):
            async with session.get(f"/clips/en/{name}", headers=BEARER) as answer:
                assert answer.status == 200 and answer.content_type == "audio/wav"
                assert read_clip(await answer.read()).seconds > 0.1
        assert (made / "en" / "anna.wav").is_file()

    table.visit(visit)


def test_phrases_and_names_are_made_once_a_language_is_heard(
    table: LiveTable, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A program of the lowest priority would wait for ever while all processors run tests.
    monkeypatch.setattr(box_voice, "LOWEST_PRIORITY", ())

    async def see(session: aiohttp.ClientSession) -> None:
        async with session.ws_connect("/live", headers={"Origin": table.url}) as page:
            wants = ["wide", "voice-table", "clips"]
            await page.send_json({"n": 0, "hello": TOKEN, "wants": wants})
            while "moment" not in (await page.receive_json(timeout=WAIT_S)):
                pass
            await page.send_json({"n": 1})
            while "voice" not in (heard := await page.receive_json(timeout=WAIT_S)):
                if heard.get("n") == 1:
                    return
        raise AssertionError("the table is silent")

    async def hear(session: aiohttp.ClientSession) -> None:
        await told(table, session, "voice-counts", "clips")
        kept = [made / "en" / f"{name}.wav" for name in ("ben", "100", "bogus")]
        await until(lambda: all(one.exists() for one in kept))

    table.visit(see)
    assert not made.exists()
    table.visit(hear)


def test_clients_cannot_make_the_box_say_arbitrary_words(table: LiveTable, made: Path) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        await told(table, session, "voice-everything", "clips")
        for path in ("en/hello.wav", "es/anna.wav", "en/..%2F..%2Frecord.db", "xx/anna.wav"):
            assert await status(session, f"/clips/{path}") == 404, path
        assert not (made / "en" / "hello.wav").exists()

    table.visit(visit)


def test_clients_without_access_get_no_clips(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        await told(table, session, "voice-counts", "clips")
        for path in ("/clips/en", "/clips/en/anna.wav"):
            assert await status(session, path, WATCH) == 200
            assert await status(session, path, "wrongwrongwrong2") == 403
            async with session.get(path) as answer:
                assert answer.status == 403

    table.visit(visit)


def test_without_espeak_and_without_clips_the_box_says_that_it_has_none(
    tmp_path: Path, made: Path
) -> None:
    record = tmp_path / "record.db"
    keep(record, "hand", "Anna Ben")
    none: Callable[[str], Clips] = lambda name: Clips(name, made, None, "no-espeak")  # noqa: E731
    live = LiveTable(record, clips=none)

    async def visit(session: aiohttp.ClientSession) -> None:
        await told(live, session, "voice-counts", "clips")
        async with session.get("/clips/en", headers=BEARER) as answer:
            assert await answer.json() == {"speaks": False}
        assert await status(session, "/clips/en/anna.wav") == 404

    live.visit(visit)
    live.close()


def test_a_server_without_clips_reports_that_it_does_not_speak(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.get("/clips/en", headers=BEARER) as answer:
            assert await answer.json() == {"speaks": False}

    site.visit(visit)
