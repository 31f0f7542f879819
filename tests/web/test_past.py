"""Pages of other evenings, requested over a socket: who may read them, the process that makes them,
and what is shown until they are ready."""

import asyncio
import gc
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from companion.core.budgets import PAGES_BEING_MADE
from companion.web import past
from companion.web.access import Codes
from companion.web.past import PageMaker, PageResult
from tests.players.evening_kept import record
from tests.waiting import WAIT_S
from tests.web.site import CODES, KEEP, TOKEN, WATCH, Site
from tests.web.visits import COOKIE

STUCK = """
import os, sys, time
from pathlib import Path
started_by = os.getppid()
for line in sys.stdin:
    sys.stdout.write('{"done": 0.4}\\n'); sys.stdout.flush()
    while not Path(sys.argv[1]).exists():
        if os.getppid() != started_by: sys.exit()
        time.sleep(0.01)
    sys.stdout.write('{"status": 200, "length": 4}\\nmade'); sys.stdout.flush()
"""
"""A program that makes a page only once a file exists; it ends with the process that started it."""


class PastSite(Site):
    """A page that the whole network can reach, with pages of past evenings."""

    def __init__(self, past: Sequence[str]) -> None:
        super().__init__(open_to_all=True, past=past, codes=Codes(CODES.current))

    def ask(
        self, path: str, word: str | None = None, **headers: str
    ) -> tuple[int, str, dict[str, str]]:
        """Requests a page as a phone does that uses the box's IP address; returns the status, page
        and headers."""

        async def run() -> tuple[int, str, dict[str, str]]:
            headers.setdefault("Host", f"192.168.1.7:{self.port}")
            if word:
                headers["Cookie"] = f"word={word}"
            async with aiohttp.ClientSession() as session:
                where = f"http://127.0.0.1:{self.port}{path}"
                async with session.get(where, headers=headers) as answer:
                    return answer.status, await answer.text(), dict(answer.headers)

        return asyncio.run(asyncio.wait_for(run(), WAIT_S))

    def until_made(self, path: str, word: str) -> str:
        """Requests a page repeatedly, as it does itself, until it is made; returns it."""
        while True:
            status, page, headers = self.ask(path, word)
            if "Refresh" not in headers:
                assert status == 200
                return page


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PastSite]:
    path = record(tmp_path_factory.mktemp("past") / "record.db")
    site = PastSite(command(path))
    yield site
    site.page.stop()


def command(path: Path) -> tuple[str, ...]:
    return sys.executable, "-m", "companion.app.past", "pages", str(path)


@pytest.mark.parametrize("word", [TOKEN, KEEP])
def test_players_can_read_old_evenings(site: PastSite, word: str) -> None:
    assert "8 November" in site.until_made("/evenings", word)
    assert "Ada" in site.until_made("/evenings/1", word)


@pytest.mark.parametrize("word", [None, WATCH, "wrong", "ä" * 20])
@pytest.mark.parametrize("path", ["/evenings", "/evenings/1", "/evenings/game/1", "/evenings/x"])
def test_other_visitors_cannot_read_old_evenings(
    site: PastSite, path: str, word: str | None
) -> None:
    status, page, _ = site.ask(path, word and word.encode().decode("latin-1"))
    assert status == 403
    assert "Ada" not in page and "connect to the table" in page


def test_this_machine_s_own_browser_needs_no_access_code(site: PastSite) -> None:
    here = f"127.0.0.1:{site.port}"
    assert site.ask("/evenings", Host=here, **COOKIE)[0] == 200
    assert site.ask("/evenings", **COOKIE)[0] == 403, "by the network's address it is anybody's"
    assert site.ask("/evenings", Host=here)[0] == 403, "a proxy here asks so for anybody"


def test_other_sites_cannot_bring_visitors_here(site: PastSite) -> None:
    for host in (f"127.0.0.1:{site.port}", f"192.168.1.7:{site.port}"):
        for other in ("cross-site", "same-site"):
            status, _, _ = site.ask("/evenings", TOKEN, **{"Sec-Fetch-Site": other, "Host": host})
            assert status == 403


def test_a_page_has_the_same_strict_policy_as_all_others(site: PastSite) -> None:
    site.until_made("/evenings", TOKEN)
    _, _, headers = site.ask("/evenings", TOKEN)
    assert "script-src 'self'; style-src 'self'" in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "no-store"
    page = site.until_made("/evenings/player?name=Ada", TOKEN)
    assert "<script" not in page and "style=" not in page


def test_a_missing_page_is_explained(site: PastSite) -> None:
    site.until_made("/evenings", TOKEN)
    for path in ("/evenings/77", "/evenings/player?name=%3Cb%3E", "/evenings/no/such"):
        status, page, _ = site.ask(path, TOKEN)
        assert (status, "nothing of that kind" in page) == (404, True), path


def test_access_ends_with_new_codes(tmp_path: Path) -> None:
    site = PastSite(command(record(tmp_path / "record.db")))
    try:
        site.until_made("/evenings", TOKEN)
        site.page._access_rules.codes.renew()
        assert site.ask("/evenings", TOKEN)[0] == 403
    finally:
        site.page.stop()


def test_a_page_shows_its_progress_while_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "WITHOUT_PROGRESS_S", 0.05)
    site = PastSite((sys.executable, "-c", STUCK, str(tmp_path / "go")))
    try:
        page = ""
        while "40 %" not in page:
            status, page, headers = site.ask("/evenings", TOKEN)
            assert (status, headers["Refresh"]) == (200, "1")
        assert "<progress" in page
        (tmp_path / "go").touch()
        assert site.until_made("/evenings", TOKEN) == "made"
    finally:
        site.page.stop()


def test_there_is_a_limit_of_waiting_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "WITHOUT_PROGRESS_S", 0.01)
    site = PastSite((sys.executable, "-c", STUCK, str(tmp_path / "go")))
    try:
        found = [site.ask(f"/evenings/{n}", TOKEN)[0] for n in range(PAGES_BEING_MADE.most + 1)]
        assert found == [200] * PAGES_BEING_MADE.most + [503]
    finally:
        site.page.stop()


def test_a_page_that_is_still_being_made_is_given_up_when_the_server_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(past, "WITHOUT_PROGRESS_S", 0.01)
    site = PastSite((sys.executable, "-c", STUCK, str(tmp_path / "go")))
    assert [site.ask(f"/evenings/{n}", TOKEN)[0] for n in range(3)] == [200] * 3
    assert site.page._server
    maker = site.page._server._past._maker
    assert maker._process
    site.page.stop(WAIT_S)
    assert maker._process is None, "it would go on without anybody who reads its pages"
    del maker
    gc.collect()
    assert capsys.readouterr().err == ""


# ---------------------------------------------------------------- the process


def with_maker(command: Sequence[str], use: Callable[[PageMaker], Awaitable[None]]) -> None:
    @asynccontextmanager
    async def made() -> AsyncIterator[PageMaker]:
        maker = PageMaker(command)
        try:
            yield maker
        finally:
            await maker.close()

    async def run() -> None:
        async with made() as maker:
            await use(maker)

    asyncio.run(asyncio.wait_for(run(), WAIT_S))


def test_making_a_page_gives_way_to_the_table_and_is_not_starved(tmp_path: Path) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)

    async def use(maker: PageMaker) -> None:
        assert (await maker.make("/evenings", {})).status == 200
        process = maker._process
        assert process is not None
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(own + 10, 19)

    with_maker(command(record(tmp_path / "record.db")), use)


def test_a_dead_process_is_restarted(tmp_path: Path) -> None:
    path = record(tmp_path / "record.db")

    async def use(maker: PageMaker) -> None:
        assert (await maker.make("/evenings", {})).status == 200
        process = maker._process
        assert process is not None
        process.kill()
        await process.wait()
        made = await maker.make("/evenings/1", {})
        assert made.status == 200 and b"Ada" in made.html

    with_maker(command(path), use)


def test_nothing_is_made_or_left_waiting_after_closing(tmp_path: Path) -> None:
    async def run() -> None:
        maker = PageMaker((sys.executable, "-c", STUCK, str(tmp_path / "go")))
        await maker.close()
        assert (await maker.make("/evenings", {})).status == 503
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


def test_a_process_that_dies_at_work_is_a_fault_and_is_replaced(tmp_path: Path) -> None:
    crash = "import sys; sys.stdin.readline()"

    async def use(maker: PageMaker) -> None:
        assert await maker.make("/evenings", {}) == PageResult(500)
        assert await maker.make("/evenings", {}) == PageResult(500)

    with_maker((sys.executable, "-c", crash), use)
    with_maker((str(tmp_path / "no such program"),), use)


def test_an_unreadable_record_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    path.write_bytes(b"no record at all" * 400)

    async def use(maker: PageMaker) -> None:
        assert (await maker.make("/evenings", {})).status == 500
        path.unlink()
        record(path)
        assert (await maker.make("/evenings", {})).status == 200

    with_maker(command(path), use)


def test_the_process_ends_after_a_time_without_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "IDLE_S", 0.0)

    async def use(maker: PageMaker) -> None:
        assert (await maker.make("/evenings", {})).status == 200
        process = maker._process
        assert process is not None
        assert await process.wait() != 0
        assert maker._idle is not None
        await maker._idle
        assert maker._process is None

    with_maker(command(record(tmp_path / "record.db")), use)


def test_the_process_leaves_no_task_behind() -> None:
    async def use(maker: PageMaker) -> None:
        before = asyncio.all_tasks()
        assert (await maker.make("/evenings", {})).status == 500
        await maker.close()
        assert asyncio.all_tasks() == before

    with_maker(("false",), use)


def test_a_page_requested_just_before_closing_leaves_no_task_behind() -> None:
    async def use(maker: PageMaker) -> None:
        before = asyncio.all_tasks()
        making = asyncio.create_task(maker.make("/evenings", {}))
        await asyncio.sleep(0)
        await maker.close()  # its process is still being started
        assert (await making).status == 500
        assert asyncio.all_tasks() == before

    with_maker(("false",), use)
