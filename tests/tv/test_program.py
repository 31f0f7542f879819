"""The program that keeps a TV's picture up to date, at a real page with a real table."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest
import zxingcpp
from PIL import Image, ImageChops

from companion.core.club import Club, ClubStep, RoundClock
from companion.devices.display.fake_framebuffer import FakeScreen
from companion.devices.display.framebuffer import Geometry
from companion.tv import feed
from companion.tv.browser import link_to_tv
from companion.tv.program import Tv
from companion.tv.style import palette
from tests.tv.letters import needs_letters
from tests.web.live import LiveTable, Phone, keep
from tests.web.visits import LOCAL

pytestmark = needs_letters
SIZE = (640, 360)
WITHIN_S = 60.0
ABSENT = "there is no /dev/fb0: plug a screen into HDMI, best before the power"
KEEPER = {"name": "scorekeeper"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    keep(tmp_path / "record.db", "hand\nRed 6-6")
    table = LiveTable(tmp_path / "record.db")
    yield table
    with suppress(RuntimeError):
        table.close()


class Screen:
    """A screen on HDMI, and what is seen on it."""

    def __init__(self, size: tuple[int, int] = SIZE) -> None:
        self.size = size
        self.fake = FakeScreen(Geometry(*size, 32, 4 * size[0]))
        self.fake.memory[:] = bytes(len(self.fake.memory))

    def seen(self) -> Image.Image:
        return Image.frombytes("RGB", self.size, bytes(self.fake.memory), "raw", "BGRX")

    async def until_other(self, before: Image.Image) -> Image.Image:
        """Waits until another picture than `before` is seen and stays; gives it."""
        async with asyncio.timeout(WITHIN_S):
            while not ImageChops.difference(before, self.seen()).getbbox():
                await asyncio.sleep(0.02)
            now = before
            while ImageChops.difference(now, self.seen()).getbbox():
                now = self.seen()
                await asyncio.sleep(0.3)
        return now


def test_an_entry_is_seen(table: LiveTable) -> None:
    screen = Screen()

    async def look(session: aiohttp.ClientSession) -> None:
        tv = asyncio.ensure_future(Tv(table.url, LOCAL.secret, screen.fake.open).run())
        first = await screen.until_other(screen.seen())
        anna = await Phone.come(table, session, "anna", KEEPER)
        await anna.keys("Blue 6-3")
        await anna.until(lambda: anna.stands["moment"]["entries"] == 3)
        second = await screen.until_other(first)
        changed = ImageChops.difference(first, second).getbbox()
        assert changed and changed[2] > SIZE[0] * 0.6, "the line, not a score alone"
        assert (await anna.keys("Red 3-5"))["counted"]
        await screen.until_other(second)
        tv.cancel()

    table.visit(look, WITHIN_S)


def test_a_screen_that_is_plugged_in_late_shows_the_table(
    table: LiveTable, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Screen()
    screen.fake.absent = True

    async def look(_: aiohttp.ClientSession) -> None:
        tv = asyncio.ensure_future(Tv(table.url, LOCAL.secret, screen.fake.open).run())
        await asyncio.sleep(0.5)
        assert not screen.fake.writes
        screen.fake.absent = False
        await screen.until_other(screen.seen())
        tv.cancel()

    table.visit(look, WITHIN_S)
    told = capsys.readouterr().err
    assert told == f"No picture on the TV: {ABSENT}\n"


def test_what_it_has_asked_ends_before_its_connections_do(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, closed = Screen(), list[bool]()

    async def asks_long(_: object, session: aiohttp.ClientSession) -> tuple[str, str]:
        try:
            await asyncio.sleep(WITHIN_S)
        finally:
            await asyncio.sleep(0.1)
            closed.append(session.closed)
        return "", ""

    monkeypatch.setattr(feed.PageFeed, "_way_in", asks_long)

    async def look(_: aiohttp.ClientSession) -> None:
        tv = asyncio.ensure_future(Tv(table.url, LOCAL.secret, screen.fake.open).run())
        await screen.until_other(screen.seen())
        tv.cancel()
        await asyncio.gather(tv, return_exceptions=True)
        assert closed == [False]

    table.visit(look, WITHIN_S)


def test_a_tv_waits_for_a_table_that_is_not_there_yet() -> None:
    screen = Screen()

    async def look() -> None:
        tv = asyncio.ensure_future(Tv("http://127.0.0.1:9", LOCAL.secret, screen.fake.open).run())
        seen = await screen.until_other(screen.seen())
        assert len(seen.getcolors(SIZE[0] * SIZE[1]) or ()) > 5
        tv.cancel()

    asyncio.run(look())


def test_the_code_leads_to_where_the_table_is_now(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The box is in no network at first; then the network comes late, goes and comes again."""
    screen = Screen((1280, 720))
    port = table.url.rpartition(":")[2]
    at = ["192.0.2.1"]
    monkeypatch.setattr(feed, "LOOK_S", 0.1)
    monkeypatch.setattr(feed, "network_address", lambda: at[0])

    async def look(session: aiohttp.ClientSession) -> None:
        async with session.get("/token") as answer:
            word = (await answer.json())["token"]
        tv = asyncio.ensure_future(Tv(table.url, LOCAL.secret, screen.fake.open).run())
        seen = await screen.until_other(screen.seen())
        assert codes_on(seen) == []
        for host in ("127.0.0.1", "192.0.2.1", "127.0.0.1"):
            at[0] = host
            seen = await screen.until_other(seen)
            leads = [f"http://{host}:{port}/{word}"] if host == "127.0.0.1" else []
            assert codes_on(seen) == leads, "a dead code leads nowhere"
        tv.cancel()

    table.visit(look, 2 * WITHIN_S)


def codes_on(seen: Image.Image) -> list[str]:
    return [code.text.lower() for code in zxingcpp.read_barcodes(seen.convert("L"))]


def test_the_display_of_a_box_without_one_is_shown_only_where_it_is_asked_for(
    table: LiveTable,
) -> None:
    pictures = []

    async def look(_: aiohttp.ClientSession) -> None:
        for with_box in (False, True):
            screen = Screen()
            tv = Tv(table.url, LOCAL.secret, screen.fake.open, with_box=with_box)
            running = asyncio.ensure_future(tv.run())
            first = await screen.until_other(screen.seen())
            if with_box:
                table.page.publish(lambda: b"\xff" * 1025)
                first = await screen.until_other(first)
            pictures.append(first)
            running.cancel()

    table.visit(look, WITHIN_S)
    assert ImageChops.difference(*pictures).getbbox()


def test_the_clock_of_the_round_runs_to_its_end_and_is_gone_with_it(table: LiveTable) -> None:
    """The clock stands at the right upper corner; the picture there is different at each second."""
    screen = Screen()

    async def look(_: aiohttp.ClientSession) -> None:
        tv = asyncio.ensure_future(Tv(table.url, LOCAL.secret, screen.fake.open).run())
        without = corner(await screen.until_other(screen.seen())).tobytes()
        put = table.table.events.put
        put(Club(ClubStep.JOINED, "Fives", reached=True))
        put(RoundClock(3.0))
        seconds = set[bytes]()
        async with asyncio.timeout(WITHIN_S):
            while not says_time_is_up(up := screen.seen()):
                seconds.add(corner(up).tobytes())
                await asyncio.sleep(0.02)
        assert len(seconds) > 2, "seconds went by"
        put(RoundClock(None))
        async with asyncio.timeout(WITHIN_S):
            while corner(screen.seen()).tobytes() != without:
                await asyncio.sleep(0.02)
        tv.cancel()

    table.visit(look, WITHIN_S)


def says_time_is_up(seen: Image.Image) -> bool:
    """Whether the corner has the colour of an alarm."""
    return palette()["alarm"] in {one for _, one in corner(seen).getcolors(10**5) or ()}


def corner(seen: Image.Image) -> Image.Image:
    """The part of the picture in which the clock stands."""
    return seen.crop((SIZE[0] // 2, 0, SIZE[0], SIZE[1] // 8))


def test_a_browser_on_the_tv_is_let_in_by_a_link_of_its_own(table: LiveTable) -> None:
    """The command line of the browser, which everybody on the machine reads, has no secret."""

    async def look(_: aiohttp.ClientSession) -> None:
        async with aiohttp.ClientSession() as session:
            link = await link_to_tv(table.url, LOCAL.secret, session)
            assert LOCAL.secret not in link and LOCAL.cookie not in link
            async with session.get(link, allow_redirects=False) as answer:
                assert (answer.status, answer.headers["Location"]) == (303, "/tv")
                assert answer.cookies[LOCAL.cookie_name].value == LOCAL.cookie

    table.visit(look)
