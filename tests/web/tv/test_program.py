"""The program that keeps a TV's picture up to date, with a real page and a real table."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest
import zxingcpp
from PIL import Image, ImageChops

from companion.console.frame import HEIGHT, WIDTH
from companion.core.club import Club, ClubStep, HallCalls, RoundClock
from companion.devices.display.framebuffer import Geometry
from companion.web.tv import program
from companion.web.tv.browser import link_to_tv
from companion.web.tv.drawing import palette
from companion.web.tv.picture import call_lines
from companion.web.tv.program import Tv
from tests.fake_framebuffer import FakeScreen
from tests.waiting import WAIT_S, until
from tests.web.live import LiveTable, Phone, keep
from tests.web.test_sitting import SITTING, Page
from tests.web.tv.letters import needs_letters
from tests.web.visits import LOCAL

pytestmark = needs_letters
SIZE = (640, 360)
FACE = (241, 234, 216)
"""The colour of a tile's face, as tokens.css says."""
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
    """A screen on HDMI, and the pictures on it."""

    def __init__(self, size: tuple[int, int] = SIZE) -> None:
        self.size = size
        self.fake = FakeScreen(Geometry(*size, 32, 4 * size[0]))
        self.fake.memory[:] = bytes(len(self.fake.memory))

    def seen(self) -> Image.Image:
        return Image.frombytes("RGB", self.size, bytes(self.fake.memory), "raw", "BGRX")

    async def until(self, so: Callable[[Image.Image], object]) -> Image.Image:
        """Waits until a picture is shown for which `so` is true; returns it."""
        looked_at = b""

        def seen() -> bool:
            nonlocal looked_at
            if looked_at == (now := bytes(self.fake.memory)):
                return False
            looked_at = now
            return bool(so(self.seen()))

        await until(seen)
        return Image.frombytes("RGB", self.size, looked_at, "raw", "BGRX")

    async def until_other(self, before: Image.Image) -> Image.Image:
        """Waits until a picture other than `before` is shown; returns it."""
        return await self.until(lambda now: ImageChops.difference(before, now).getbbox())


def lit(seen: Image.Image) -> int:
    """The number of pixels that are as bright as a lit one of the box's display."""
    return sum(many for many, one in seen.getcolors(10**6) or () if one == (255, 255, 255))


def has_tiles(seen: Image.Image) -> bool:
    """Whether the picture shows the line of play, and so a table."""
    return FACE in {one for _, one in seen.getcolors(10**6) or ()}


def test_an_entry_appears_on_the_screen(table: LiveTable) -> None:
    screen = Screen()

    async def look(session: aiohttp.ClientSession) -> None:
        tv = asyncio.ensure_future(Tv(table.url, LOCAL.secret, screen.fake.open).run())
        first = await screen.until(has_tiles)
        anna = await Phone.come(table, session, "anna", KEEPER)
        await anna.keys("Blue 6-3")
        await anna.until(lambda: anna.stands["moment"]["entries"] == 3)

        def line_has_changed(now: Image.Image) -> bool:
            """Whether the line has changed, and not only a score."""
            changed = ImageChops.difference(first, now).getbbox()
            return changed is not None and changed[2] > SIZE[0] * 0.6

        second = await screen.until(line_has_changed)
        assert (await anna.keys("Red 3-5"))["counted"]
        await screen.until_other(second)
        tv.cancel()

    table.visit(look)


def test_the_screen_shows_who_sits_down_and_the_digits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path / "record.db", "hand\nRed 6-6")
    table, screen = LiveTable(tmp_path / "record.db", lan=True), Screen((1280, 720))
    shown = list[tuple[str, str]]()
    show_digits = Tv.show_digits

    def digits_came(tv: Tv, address: str, digits: str) -> None:
        shown.append((address, digits))
        show_digits(tv, address, digits)

    monkeypatch.setattr(Tv, "show_digits", digits_came)

    def has_seats(now: Image.Image) -> bool:
        return palette()["felt"] in {one for _, one in now.getcolors(10**6) or ()}

    async def look(session: aiohttp.ClientSession) -> None:
        tv = asyncio.ensure_future(Tv(table.url, LOCAL.secret, screen.fake.open).run())
        await screen.until(has_tiles)
        starter = await Page.come(table, session, table.words.play)
        await starter.say(sitting=SITTING)
        first = await screen.until(lambda now: has_seats(now) and not has_tiles(now))
        await until(lambda: shown and len(shown[-1][1]) == 4)
        await starter.say(sitting={**SITTING, "seats": ["Anna", "Ben"]})
        await screen.until_other(first)
        await starter.leave()
        await screen.until(has_tiles)
        tv.cancel()

    table.visit(look)
    table.close()


def test_a_screen_plugged_in_late_shows_the_table(
    table: LiveTable, capsys: pytest.CaptureFixture[str]
) -> None:
    screen, told = Screen(), list[str]()
    screen.fake.absent = True

    async def look(_: aiohttp.ClientSession) -> None:
        tv = asyncio.ensure_future(Tv(table.url, LOCAL.secret, screen.fake.open).run())

        def is_told() -> bool:
            told.append(capsys.readouterr().err)
            return bool(told[-1])

        await until(is_told)
        assert not screen.fake.writes
        screen.fake.absent = False
        await screen.until(has_tiles)
        tv.cancel()

    table.visit(look)
    assert "".join((*told, capsys.readouterr().err)) == f"No picture on the TV: {ABSENT}\n"


def test_requests_end_before_their_connections_are_closed(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, closed = Screen(), list[bool]()

    async def asks_long(_: object, session: aiohttp.ClientSession) -> tuple[str, str]:
        try:
            await asyncio.sleep(WAIT_S)
        finally:
            await asyncio.sleep(0)
            closed.append(session.closed)
        return "", ""

    monkeypatch.setattr(program.PageFeed, "_read_invitation", asks_long)

    async def look(_: aiohttp.ClientSession) -> None:
        tv = asyncio.ensure_future(Tv(table.url, LOCAL.secret, screen.fake.open).run())
        await screen.until_other(screen.seen())
        tv.cancel()
        await asyncio.gather(tv, return_exceptions=True)
        assert closed == [False]

    table.visit(look)


def test_the_program_ends_even_if_something_changes_at_that_moment() -> None:
    """asyncio.wait_for of Python 3.11 forgets a cancellation that comes with a result."""
    screen = Screen()

    async def look() -> None:
        tv = Tv("http://127.0.0.1:9", LOCAL.secret, screen.fake.open)
        running = asyncio.ensure_future(tv.run())
        await screen.until_other(screen.seen())
        tv.show_moment({})
        running.cancel()
        done, _ = await asyncio.wait({running}, timeout=WAIT_S)
        assert done

    asyncio.run(look())


def test_a_tv_waits_for_a_table_that_is_not_there_yet() -> None:
    screen = Screen()

    async def look() -> None:
        tv = asyncio.ensure_future(Tv("http://127.0.0.1:9", LOCAL.secret, screen.fake.open).run())
        await screen.until(lambda seen: len(seen.getcolors(SIZE[0] * SIZE[1]) or ()) > 5)
        tv.cancel()

    asyncio.run(look())


def test_the_code_leads_to_the_table_s_present_address(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The box is in no network at first; then the network comes up late, disappears and comes
    back."""
    screen = Screen((1280, 720))
    port = table.url.rpartition(":")[2]
    at = ["192.0.2.1"]
    monkeypatch.setattr(program, "INVITATION_LOOK_S", 0.1)
    monkeypatch.setattr(program, "network_address", lambda: at[0])

    async def look(session: aiohttp.ClientSession) -> None:
        async with session.get("/token") as answer:
            word = (await answer.json())["token"]
        tv = asyncio.ensure_future(Tv(table.url, LOCAL.secret, screen.fake.open).run())
        assert codes_on(await screen.until(has_tiles)) == []
        for host in ("127.0.0.1", "192.0.2.1", "127.0.0.1"):
            at[0] = host
            # A dead code leads nowhere.
            leads = [f"http://{host}:{port}/{word}"] if host == "127.0.0.1" else []
            await screen.until(lambda seen, leads=leads: codes_on(seen) == leads)  # type: ignore[misc]
        tv.cancel()

    table.visit(look)


def codes_on(seen: Image.Image) -> list[str]:
    return [code.text.lower() for code in zxingcpp.read_barcodes(seen.convert("L"))]


def test_the_tv_shows_the_box_s_display_only_on_request(table: LiveTable) -> None:

    async def look(session: aiohttp.ClientSession) -> None:
        without, beside = Screen(), Screen()
        shown = {False: without, True: beside}
        running = [
            asyncio.ensure_future(
                Tv(table.url, LOCAL.secret, screen.fake.open, with_box=with_box).run()
            )
            for with_box, screen in shown.items()
        ]
        first = [await screen.until(has_tiles) for screen in shown.values()]
        table.page.publish(lambda: b"\xff" * 1025)
        table_beside = await beside.until_other(first[1])
        anna = await Phone.come(table, session, "anna", KEEPER)
        await anna.keys("Blue 6-3")
        later = await without.until_other(first[0])
        assert lit(table_beside) >= HEIGHT * WIDTH > lit(later)
        for one in running:
            one.cancel()

    table.visit(look)


def test_the_round_s_clock_runs_to_its_end_and_disappears(table: LiveTable) -> None:
    """The clock is in the upper right corner, where the picture differs every second."""
    screen = Screen()

    async def look(_: aiohttp.ClientSession) -> None:
        tv = asyncio.ensure_future(Tv(table.url, LOCAL.secret, screen.fake.open).run())
        without = corner(await screen.until(has_tiles)).tobytes()
        put = table.table.events.put
        put(Club(ClubStep.JOINED, "Fives", reached=True))
        put(RoundClock(3.0))
        seconds = set[bytes]()

        def is_over(seen: Image.Image) -> bool:
            seconds.add(corner(seen).tobytes())
            return says_time_is_up(seen)

        await screen.until(is_over)
        assert len(seconds) > 3, "seconds went by"
        put(RoundClock(None))
        await screen.until(lambda seen: corner(seen).tobytes() == without)
        tv.cancel()

    table.visit(look)


def test_calls_are_above_the_whole_table_until_they_are_taken_down(table: LiveTable) -> None:
    screen = Screen()

    async def look(_: aiohttp.ClientSession) -> None:
        tv = asyncio.ensure_future(Tv(table.url, LOCAL.secret, screen.fake.open).run())
        without = await screen.until(has_tiles)
        put = table.table.events.put
        put(Club(ClubStep.JOINED, "Fives", reached=True))
        put(HallCalls(("Table 7 needs a player",), 2, 3.0))
        called = await screen.until(lambda seen: has_band(seen, 2) and has_tiles(seen))
        await screen.until(lambda seen: has_band(seen, 2) and seen.tobytes() != called.tobytes())
        put(HallCalls(("Table 7 needs a player",)))
        await screen.until(lambda seen: has_band(seen, 1) and not has_band(seen, 2))
        put(HallCalls())
        await screen.until(lambda seen: seen.tobytes() == without.tobytes())
        tv.cancel()

    table.visit(look)


def has_band(seen: Image.Image, lines: int) -> bool:
    """Whether the picture has a bright band at its upper edge, high enough for so many calls."""
    middle = call_lines(["call"] * lines, seen.size)[1] - 2
    return {seen.getpixel((2, y)) for y in (0, middle)} == {palette()["text"]}


def says_time_is_up(seen: Image.Image) -> bool:
    """Whether the corner has the colour of an alarm."""
    return palette()["alarm"] in {one for _, one in corner(seen).getcolors(10**5) or ()}


def corner(seen: Image.Image) -> Image.Image:
    """The part of the picture with the clock."""
    return seen.crop((SIZE[0] // 2, 0, SIZE[0], SIZE[1] // 8))


def test_a_browser_on_the_tv_gets_a_link_of_its_own(table: LiveTable) -> None:
    """The command line of the browser, which everybody on the machine can read, has no secret."""

    async def look(_: aiohttp.ClientSession) -> None:
        async with aiohttp.ClientSession() as session:
            link = await link_to_tv(table.url, LOCAL.secret, session)
            assert LOCAL.secret not in link and LOCAL.cookie not in link
            async with session.get(link, allow_redirects=False) as answer:
                assert (answer.status, answer.headers["Location"]) == (303, "/tv")
                assert answer.cookies[LOCAL.cookie_name].value == LOCAL.cookie

    table.visit(look)
