"""The browser on a TV is watched: one that hangs doesn't count as showing the table."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from companion.web.tv.browser import page_answers, watch_browser
from tests.chromium import CHROMIUM
from tests.waiting import WAIT_S, until

pytestmark = pytest.mark.browser

if not os.environ.get("CI") and CHROMIUM is None:
    pytest.skip("chromium is not installed", allow_module_level=True)


def command(folder: Path, address: str = "") -> list[str]:
    page = folder / "page.html"
    page.write_text("<title>the table</title>")
    keep = [f"--user-data-dir={folder}", "--remote-debugging-port=0"]
    return [
        str(CHROMIUM),
        "--headless",
        "--no-sandbox",
        "--no-first-run",
        *keep,
        address or page.as_uri(),
    ]


@pytest.fixture(autouse=True)
def nothing_stays(tmp_path: Path) -> Iterator[None]:
    """Kills the rest of the browser: if the system starts it with a script, only the script has
    ended."""
    yield
    for number in processes(tmp_path):
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def renderers(folder: Path) -> list[int]:
    """The processes that draw pages for the browser with that profile."""
    return [one for one, words in processes(folder).items() if b"--type=renderer" in words]


def processes(folder: Path) -> dict[int, bytes]:
    """The processes of the browser with that profile, and the command line of each."""
    above, words = dict[int, int](), dict[int, bytes]()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            number = int(process.name)
            words[number] = (process / "cmdline").read_bytes()
            above[number] = int((process / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    mine = {one for one, said in words.items() if str(folder).encode() in said}
    for _ in range(4):
        mine |= {one for one, parent in above.items() if parent in mine}
    return {one: words[one] for one in mine if one in words}


def test_a_hanging_browser_is_noticed(tmp_path: Path) -> None:
    lived = 0

    def lives() -> None:
        nonlocal lived
        lived += 1

    async def until_lived(more: int) -> None:
        await until(lambda: lived >= more)

    async def watch(session: aiohttp.ClientSession) -> None:
        async def answers() -> bool:
            return await page_answers(tmp_path, session)

        watching = asyncio.ensure_future(watch_browser(command(tmp_path), answers, lives, 0.2))
        await until_lived(2)
        stopped = renderers(tmp_path)
        for process in stopped:
            os.kill(process, signal.SIGSTOP)
        assert stopped and not await answers()
        before = lived
        for process in stopped:
            os.kill(process, signal.SIGCONT)
        await until_lived(before + 1)
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)

    async def in_a_session() -> None:
        async with aiohttp.ClientSession() as session:
            await watch(session)

    asyncio.run(in_a_session())


@pytest.mark.parametrize("address", ["about:blank", "http://127.0.0.1:9/tv"])
def test_a_page_of_the_browser_itself_is_not_an_answer(tmp_path: Path, address: str) -> None:
    """An example is the page that it shows while the table doesn't answer."""

    async def watch(session: aiohttp.ClientSession) -> None:
        running = await asyncio.create_subprocess_exec(*command(tmp_path, address))
        place = tmp_path / "DevToolsActivePort"
        await until(lambda: place.exists() and place.read_text())
        listed, shown = f"http://127.0.0.1:{place.read_text().split()[0]}/json/list", list[str]()
        async with asyncio.timeout(WAIT_S):
            while address not in shown:
                async with session.get(listed) as told:
                    shown = [one["url"] for one in await told.json()]
        for _ in range(10):
            assert not await page_answers(tmp_path, session)
        running.terminate()
        await running.wait()

    async def in_a_session() -> None:
        async with aiohttp.ClientSession() as session:
            await watch(session)

    asyncio.run(in_a_session())
