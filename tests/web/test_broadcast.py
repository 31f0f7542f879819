"""The table's pages over real sockets: the moment is built once for each row, and never sent to
strangers."""

import asyncio
import json
import re
from collections.abc import Iterable
from threading import Event
from typing import Any
from urllib.parse import urljoin

import aiohttp
import pytest

from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.presentation.moment import describe
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Step
from companion.table import snapshot as snapshot_module
from companion.table.snapshot import Snapshot
from companion.web.files import CACHE_FOR_EVER, FILES, KINDS, PHOTO, STATIC
from tests.catalog import GAMES
from tests.waiting import WAIT_S
from tests.web.site import PICTURE, TOKEN, Site, enter

LARGEST_PAGE = 120_000
"""The most bytes over the wire for a whole page and its first moment."""
MOST_REQUESTS = 20
"""The most requests for a whole page, besides its WebSocket."""
LARGEST_RELOAD = 5_000
"""The most bytes over the wire for a page that a browser has already."""


def stands(text: str = "hand\nRed 6-6\nBlue 6-3", row: int = 7) -> Snapshot:
    """A snapshot of the table after these entries."""
    journal = Journal.begin(GameOpened("high-five", Seats.of("Red", "Blue"), {}), GAMES)
    for line in text.splitlines():
        entry = parse_entry(line, journal.game, journal.opened.seats)
        journal = journal.fold(Step((entry,)))
    return Snapshot(1, row, None, 1, b"", journal, {})


async def look(ws: Any, *wants: object) -> None:
    await ws.send_json({"n": 0, "hello": TOKEN, "wants": list(wants)})
    assert await ws.receive_json() == {"n": 0}


def test_the_table_is_sent_with_its_drawing_and_without_the_box(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        site.page.publish(lambda: PICTURE)
        site.page.update(stands())
        async with site.box(session) as ws:
            await look(ws, "wide")
            told = await ws.receive_json()
            assert told["moment"]["row"] == 7
            assert told["moment"]["latest"][0]["payments"][0]["said"]["words"] == "Red pays Blue 15"
            assert told["drawing"].startswith('<svg class="drawing"')
            await ws.send_json({"n": 1})
            assert await ws.receive_json() == {"n": 1}

    site.visit(visit)


def test_each_page_gets_the_box_the_table_or_both_as_it_wants(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        site.page.publish(lambda: PICTURE)
        site.page.update(stands())
        async with site.box(session) as alone, site.box(session) as both:
            await enter(alone)
            assert await alone.receive_bytes() == PICTURE
            await alone.send_json({"n": 1})
            assert await alone.receive_json() == {"n": 1}
            await look(both, "box", "square")
            assert await both.receive_bytes() == PICTURE
            assert (await both.receive_json())["moment"]["row"] == 7

    site.visit(visit)


def test_every_row_reaches_every_viewer_in_the_shape_that_each_wants(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        site.page.update(stands("hand", 3))
        async with site.box(session) as phone, site.box(session) as tv:
            await look(phone, "square")
            await look(tv, "wide")
            for viewer in (phone, tv):
                assert (await viewer.receive_json())["moment"]["row"] == 3
            site.page.update(stands(row=5))
            square, wide = [await viewer.receive_json() for viewer in (phone, tv)]
            assert square["moment"] == wide["moment"]
            assert square["moment"]["row"] == 5
            assert square["drawing"] != wide["drawing"]
            await phone.send_json({"n": 1, "wants": ["wide"]})
            answers = [await phone.receive_json(), await phone.receive_json()]
            assert {"n": 1} in answers
            assert wide in answers

    site.visit(visit)


def test_a_moment_is_built_once_for_all_viewers_and_not_if_there_are_none(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[int]()

    def counting(moment: Any) -> Any:
        told.append(moment.row)
        return describe(moment)

    monkeypatch.setattr(snapshot_module, "describe", counting)

    async def visit(session: aiohttp.ClientSession) -> None:
        for row in range(1, 9):
            site.page.update(stands(row=row))
        async with site.box(session) as one, site.box(session) as two, site.box(session) as three:
            for viewer, shape in ((one, "wide"), (two, "wide"), (three, "square")):
                await look(viewer, shape)
                assert (await viewer.receive_json())["moment"]["row"] == 8

    site.visit(visit)
    assert told == [8]


def test_a_slow_reader_skips_to_the_newest(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as ws:
            await look(ws, "wide")
            for row in range(1, 201):
                site.page.update(stands(row=row))
            rows = [0]
            while rows[-1] < 200:
                rows.append((await ws.receive_json())["moment"]["row"])
            assert rows == sorted(set(rows))

    site.visit(visit)


@pytest.mark.parametrize(
    "wants", ["wide", None, 5, [5], ["tall-as-a-house"], [["wide"]], {"wide": 1}, ["box", None]]
)
def test_an_invalid_request_for_content_ends_only_that_connection(
    site: Site, wants: object
) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as other, site.box(session) as ws, site.box(session) as new:
            await enter(other)
            await enter(ws)
            await ws.send_json({"n": 1, "wants": wants})
            await ws.receive()
            assert ws.close_code == 4400
            await new.send_json({"n": 0, "hello": TOKEN, "wants": wants})
            await new.receive()
            assert new.close_code == 4400
            await other.send_json({"n": 1})
            assert await other.receive_json() == {"n": 1}

    site.visit(visit)


@pytest.mark.parametrize("hello", ["", "abcdefgh23456724", None])
def test_nothing_can_be_seen_without_the_token(lan_site: Site, hello: object) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        lan_site.page.publish(lambda: PICTURE)
        lan_site.page.update(stands())
        async with lan_site.box(session) as ws:
            await ws.send_json({"n": 0, "hello": hello, "wants": ["box", "wide"]})
            message = await ws.receive()
            assert message.type is aiohttp.WSMsgType.CLOSE
            assert ws.close_code == 4401

    lan_site.visit(visit)


def test_a_moment_that_cannot_be_described_leaves_the_page_alive(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_moment: Any) -> Any:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(snapshot_module, "describe", broken)

    async def visit(session: aiohttp.ClientSession) -> None:
        site.page.update(stands())
        async with site.box(session) as ws:
            await look(ws, "wide")
            assert (await ws.receive_json())["moment"] is None
            monkeypatch.undo()
            site.page.update(stands(row=8))
            assert (await ws.receive_json())["moment"]["row"] == 8

    site.visit(visit)
    assert "a fault of ours" in capsys.readouterr().err


def test_publishing_a_snapshot_does_not_block(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop hands over its snapshots while the page's thread is busy."""
    begun, go_on = Event(), Event()

    def slow(moment: Any) -> Any:
        begun.set()
        assert go_on.wait(WAIT_S)
        return describe(moment)

    monkeypatch.setattr(snapshot_module, "describe", slow)

    async def visit(session: aiohttp.ClientSession) -> None:
        site.page.update(stands(row=1))
        async with site.box(session) as ws:
            await look(ws, "wide")
            assert await asyncio.to_thread(begun.wait, WAIT_S)
            for row in range(2, 50):
                site.page.update(stands(row=row))
            go_on.set()
            assert (await ws.receive_json())["moment"]["row"] == 1
            assert (await ws.receive_json())["moment"]["row"] == 49

    site.visit(visit)


def names(loaded: Iterable[str]) -> set[str]:
    """The addresses of files outside the folders of versions; styles that belong together share
    one."""
    bare = {re.sub(r"^/at/[0-9a-f]{12}/[^/]+", "", path) for path in loaded}
    return {
        f"/{one}.css" if "+" in path else path
        for path in bare
        for one in (path[1:].removesuffix(".css").split("+") if "+" in path else [path])
    }


async def load(session: aiohttp.ClientSession, page: str, *, later: bool = False) -> dict[str, int]:
    """The bytes over the wire of all that a browser loads for a page, by address: styles, modules,
    and what these import. `later`: includes modules that are imported only when needed."""
    found: dict[str, int] = {}
    waiting = [page]
    while waiting:
        path = waiting.pop()
        async with session.get(path) as answer:
            assert answer.status == 200, path
            found[path] = int(answer.headers["Content-Length"])
            text = await answer.text()
        wants = re.findall(
            r'<link(?! rel="apple)[^>]*href="([^"]+)"|<script[^>]*src="([^"]+)"', text
        )
        imports = re.findall(r'^import [^;]*"(\.\.?/[^"]+)";', text, re.MULTILINE)
        if later:
            imports += re.findall(r'import\("(\.\.?/[^"]+)"\)', text)
        named = {urljoin(path, one) for one in (*imports, *map("".join, wants))}
        waiting += named - {*found, *waiting}
    return found


def test_a_page_and_its_first_moment_are_small(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        loaded = await load(session, "/")
        assert {"/keying.js", "/entry_keys.js", "/catalog.js", "/icon.svg"} < names(loaded)
        assert len(loaded) <= MOST_REQUESTS
        site.page.update(stands())
        async with site.box(session) as ws:
            await look(ws, "wide")
            moment = await ws.receive_str()
        assert sum(loaded.values()) + len(moment) < LARGEST_PAGE

    site.visit(visit)


def test_a_page_lists_all_its_modules_for_parallel_loading(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        for page in ("/", "/tv", "/box"):
            async with session.get(page) as answer:
                named = re.findall(r'rel="modulepreload" href="([^"]+)"', await answer.text())
            assert len(named) == len({*named})
            loaded = await load(session, page)
            assert {*named} == {path for path in loaded if path.endswith(".js")}

    site.visit(visit)


def test_a_browser_that_comes_again_loads_almost_nothing(site: Site) -> None:
    """Everything that a page links to is cached forever, and the page itself is the same until it
    changes."""

    async def visit(session: aiohttp.ClientSession) -> None:
        for language in ("en", "de"):
            reads = {"Accept-Language": language}
            async with session.get("/", headers=reads) as answer:
                text, tag = await answer.text(), answer.headers["ETag"]
                assert answer.headers["Cache-Control"] == "no-cache"
            for path in re.findall(r'(?:href|src)="(/at/[^"]+)"', text):
                async with session.get(path) as answer:
                    assert answer.headers["Cache-Control"] == CACHE_FOR_EVER, path
                assert f"/{language}/" in path
            async with session.get("/", headers={**reads, "If-None-Match": tag}) as answer:
                assert answer.status == 304
                sent = sum(len(name) + len(value) + 4 for name, value in answer.headers.items())
                assert sent + len(await answer.read()) < LARGEST_RELOAD
            async with session.get(
                "/", headers={"Accept-Language": "nl", "If-None-Match": tag}
            ) as one:
                assert one.status == 200, "another language"

    site.visit(visit)


def test_files_of_another_version_are_served_as_current_and_not_cached(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with session.get(f"/at/{'0' * 12}/en/elements.js") as answer:
            assert answer.status == 200
            assert answer.headers["Cache-Control"] == "no-store"
        for wrong in (
            "nothing.js",
            "table+nothing.css",
            "table.html",
            "../page.py",
            "photo/none.js",
        ):
            async with session.get(f"/at/{'0' * 12}/en/{wrong}") as answer:
                assert answer.status == 404, wrong

    site.visit(visit)


def test_every_file_that_a_page_loads_is_served(site: Site) -> None:
    assert {name for name, _ in FILES.values()} == {
        path.name
        for path in STATIC.iterdir()
        if path.is_file() and not path.name.endswith("_part.html")
    }

    async def visit(session: aiohttp.ClientSession) -> None:
        photo = {f"/photo/{path.name}" for path in PHOTO.iterdir() if path.suffix in KINDS}
        for path in {*FILES, *photo}:
            async with session.get(path) as answer:
                assert answer.status == 200
                assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        begun = ("/", "/tv", "/box", "/overlay", "/photo/worker.js", "/photo/page.js")
        loaded = [await load(session, page, later=True) for page in begun]
        help_page = await load(session, "/help/manual")
        assert set(help_page) == {"/help/manual", "/tokens.css", "/help.css", "/icon.svg"}
        card = await load(session, "/help/quick-card-high-five")
        looks = {"/tokens.css", "/help.css", "/card.css"}
        assert set(card) == {"/help/quick-card-high-five", "/icon.svg", *looks}
        made = {"/drawing.css", "/catalog.js", "/app.webmanifest"}
        shown = {path for found in loaded for path in names(found)}
        assert {*FILES, *made, *photo} == shown | {
            *("/help.css", "/card.css", "/photo/photo.css"),
            "/touch.png",  # only a phone that puts the page on its home screen
            *("/box_settings.css", "/box_settings.js"),  # the page of a flashed card alone
            *("/check.css", "/check_page.js"),  # the page of the check alone
            "/no_sleep.js",  # only a phone without HTTPS whose user wants it to stay on
        }

    site.visit(visit)


def test_pages_get_no_game_before_the_table_is_ready(site: Site) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        async with site.box(session) as ws:
            await look(ws, "wide")
            site.page.update(Snapshot(1, 0, None, None, b"", None, {}))
            told = json.loads(await ws.receive_str())
            assert told["drawing"] is None
            assert told["moment"]["game"] is None

    site.visit(visit)
