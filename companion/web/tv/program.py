"""The program that keeps a TV's picture up to date: `companion tv`.

It runs in a separate process, so slow drawing delays only the TV. If several moments arrive while
one is being drawn, only the newest is drawn next. It fetches the data from the table's page on the
same machine, as a browser would, and keeps trying while the page can't be reached.
"""

import asyncio
import fcntl
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import urlsplit

import aiohttp
from PIL import Image, ImageChops

from companion.console.frame import HEIGHT, WIDTH
from companion.core.typed_address import OWN_WIFI_FILE
from companion.core.values import Json
from companion.devices.display.framebuffer import (
    CONSOLE,
    FramebufferError,
    Geometry,
    KernelPixels,
    Pixels,
)
from companion.presentation.page_words import PAGE_WORDS
from companion.web.address import (
    HTTP,
    network_address,
    page_url,
    qr_rows,
    qr_rows_of_text,
    read_own_wifi,
)
from companion.web.own_names import other_name
from companion.web.tv.picture import (
    PhoneInvitation,
    ShownClock,
    break_words,
    call_lines,
    clock_area,
    draw_table,
    shape_of,
    usable_area,
    with_calls,
    with_clock,
)
from companion.web.tv.sitting import draw_sitting
from companion.web.viewer import BOX, SEATS

# ---------------------------------------------------------------- feed
# Fetches the data for a TV from the table's page on the same machine, as a browser would, and keeps
# trying while the page can't be reached.


RETRY_S: Final = 2.0
INVITATION_LOOK_S: Final = 5.0
"""Seconds between two checks whether the address or the access code has changed."""
HEARTBEAT_S: Final = 20.0
WIN: Final[Json] = {"name": "win", "replay": True}
"""The panel that is requested once a game is over."""


class TvReceiver(Protocol):
    """A receiver of what the page shows."""

    def wanted_drawings(self) -> list[str]:
        """The drawings and messages that the receiver needs, by the names with which a page
        requests them."""

    def show_moment(self, message: Json) -> None:
        """Receives the newest moment."""

    def show_box(self, data: bytes) -> None:
        """Receives a picture of the box's display."""

    def set_invitation(self, address: str, code: str, other_name: str) -> None:
        """Receives the address at which phones find the table, and their access code; both are
        empty if phones have no access. `other_name`: the box's name in the network if that isn't
        its usual one, which another machine has."""

    def set_words(self, words: Mapping[str, str]) -> None:
        """Receives the words of the table's language, by their keys."""

    def set_clock(self, left_s: int | None) -> None:
        """Receives the seconds left of the club's event round; None if no clock runs."""

    def set_calls(self, calls: Json) -> None:
        """Receives the calls and the break that the club's organiser shows on every TV (`announced`
        of web/club.py)."""

    def show_win(self, panel: Json) -> None:
        """Receives the panel “win” about a game that is over."""

    def set_sitting(self, sitting: Json | None) -> None:
        """Receives the seats that people have taken before a game; None if nobody is sitting down
        any more."""

    def show_digits(self, address: str, digits: str) -> None:
        """Receives the digits that let phones in at that address; both are empty if there are
        none."""

    def show_unreachable(self) -> None:
        """Called when the page can't be reached."""


class PageFeed:
    """Passes the messages of the table's page to the `listener`. `page`: its address, such as
    http://127.0.0.1:8080; `secret`: the machine's, with which its programs get access."""

    def __init__(self, page: str, secret: str, listener: TvReceiver) -> None:
        self._page, self._listener = page.rstrip("/"), listener
        self._shown = {"Authorization": f"Bearer {secret}"}
        self._version = ""
        """The version of the page from which the words were fetched last."""

    async def run(self) -> None:
        """Listens to the page until it is cancelled; if the connection breaks, tries again after
        RETRY_S."""
        timeout = aiohttp.ClientTimeout(total=10)
        async with aiohttp.ClientSession(timeout=timeout) as session:
            watching = asyncio.ensure_future(self._watch_address(session))
            try:
                while True:
                    with suppress(aiohttp.ClientError, OSError, ValueError, TimeoutError):
                        await self._listen(session)
                    self._listener.show_unreachable()
                    await asyncio.sleep(RETRY_S)
            finally:
                watching.cancel()
                await asyncio.gather(watching, return_exceptions=True)

    async def _listen(self, session: aiohttp.ClientSession) -> None:
        word = await self._word(session)
        async with session.ws_connect(
            f"{self._page}/live", heartbeat=HEARTBEAT_S, origin=self._page
        ) as page:
            wants, asked = self._listener.wanted_drawings(), None
            await page.send_json({"n": 0, "hello": word, "follows": True, "wants": wants})
            async for message in page:
                if message.type is aiohttp.WSMsgType.BINARY:
                    self._listener.show_box(message.data)
                elif message.type is aiohttp.WSMsgType.TEXT:
                    said = json.loads(message.data)
                    if "moment" in said:
                        if said.get("version") != self._version:
                            await self._learn_words(session, said.get("version"))
                        self._listener.show_moment(said)
                        moment = said["moment"]
                        over = moment["row"] if moment and moment["finished"] else None
                        if over is not None and over != asked:
                            await page.send_json({"n": 1, "panel": WIN})
                        asked = over
                    if said.get("panel", {}).get("name") == WIN["name"]:
                        self._listener.show_win(said["panel"])
                    if "sitting" in said:
                        self._listener.set_sitting(said["sitting"])
                    if "invite" in said:
                        way = said["invite"] or {"address": "", "digits": ""}
                        self._listener.show_digits(way["address"], way["digits"])
                    if "club" in said:
                        club = said["club"] or {}
                        self._listener.set_clock(club.get("left_s"))
                        self._listener.set_calls(club.get("announced") or {})

    async def _learn_words(self, session: aiohttp.ClientSession, version: object) -> None:
        """Fetches the page's words, which depend on its language, and passes them on. Raises
        aiohttp.ClientError or ValueError."""
        async with session.get(f"{self._page}/catalog.js") as answer:
            answer.raise_for_status()
            text = await answer.text()
        self._listener.set_words(json.loads(text.removeprefix("export default ").rstrip("; \n")))
        self._version = str(version)

    async def _word(self, session: aiohttp.ClientSession) -> str:
        """Fetches the access code for phones. Raises aiohttp.ClientError."""
        async with session.get(f"{self._page}/token", headers=self._shown) as answer:
            answer.raise_for_status()
            return str((await answer.json())["token"])

    async def _watch_address(self, session: aiohttp.ClientSession) -> None:
        """Passes on the address at which phones find the table, their access code and the box's
        other name, whenever these have changed; empty texts if phones can't reach it."""
        known: tuple[str, str, str] | None = None
        while True:
            now = "", "", ""
            with suppress(aiohttp.ClientError, OSError, ValueError, TimeoutError):
                now = await self._read_invitation(session)
            if now != known:
                known = now
                self._listener.set_invitation(*now)
            await asyncio.sleep(INVITATION_LOOK_S)

    async def _read_invitation(self, session: aiohttp.ClientSession) -> tuple[str, str, str]:
        address = network_address()
        where = page_url(address, urlsplit(self._page).port or HTTP)
        async with session.get(f"{where}/icon.svg") as answer:
            answer.raise_for_status()
        other = await asyncio.to_thread(other_name, address)
        return where, await self._word(session), other


def invitation(address: str, code: str, other_name: str, caption: str) -> PhoneInvitation:
    """The invitation for phones: a QR code for `address` with the access code `code`, the
    `caption`, and the box's `other_name` if it has one. Empty if there is no address."""
    shown = f"{address}  {other_name}" if other_name else address
    return PhoneInvitation(shown, qr_rows(address, code), caption) if address else PhoneInvitation()


# ---------------------------------------------------------------- screen
# A picture of the whole screen in the kernel's framebuffer. Only lines that have changed are
# written.


# include/uapi/linux/kd.h
SET_MODE: Final = 0x4B3A
TEXT, GRAPHICS = 0, 1


class TvScreen:
    """A screen that pictures of its size are shown on. It is opened again for each picture, so that
    it may be plugged in late or change its size."""

    def __init__(self, open_pixels: Callable[[], Pixels]) -> None:
        self._open_pixels = open_pixels
        self._shown: tuple[Geometry, list[bytes]] | None = None

    @property
    def size(self) -> tuple[int, int]:
        """The screen's width and height in pixels. Raises FramebufferError if there is no screen,
        or none that can be drawn on."""
        pixels = self._open_pixels()
        try:
            geometry = pixels.geometry
        finally:
            pixels.close()
        _ = geometry.scale
        return geometry.width, geometry.height

    def show(self, picture: Image.Image) -> None:
        """Shows the picture; writes only lines that differ from those on the screen. Raises
        OSError, also if the screen has another size by now."""
        pixels = self._open_pixels()
        try:
            geometry = pixels.geometry
            if (geometry.width, geometry.height) != picture.size:
                raise FramebufferError("the screen has another size now")
            lines = framebuffer_lines(picture, geometry.bits)
            shown, self._shown = self._shown, None
            before = shown[1] if shown and shown[0] == geometry else [b""] * len(lines)
            for at, (old, new) in enumerate(zip(before, lines, strict=True)):
                if old != new:
                    pixels.write(geometry.first + at * geometry.stride, new)
            self._shown = geometry, lines
        finally:
            pixels.close()

    def forget(self) -> None:
        """Makes the next `show` write all lines, as something else may have drawn on the screen."""
        self._shown = None


def framebuffer_lines(picture: Image.Image, bits: int) -> list[bytes]:
    """The picture's lines as bytes for a framebuffer with `bits` per pixel: 16 (5 red, 6 green, 5
    blue), or 24 or 32 with blue as the first byte."""
    data = (
        _rgb565(picture) if bits == 16 else picture.tobytes("raw", "BGRX" if bits == 32 else "BGR")
    )
    wide = picture.width * bits // 8
    return [data[at : at + wide] for at in range(0, len(data), wide)]


def _rgb565(picture: Image.Image) -> bytes:
    red, green, blue = picture.split()
    low = ImageChops.add(
        green.point([(value & 0x1C) << 3 for value in range(256)]),
        blue.point([value >> 3 for value in range(256)]),
    )
    high = ImageChops.add(
        red.point([value & 0xF8 for value in range(256)]),
        green.point([value >> 5 for value in range(256)]),
    )
    return Image.merge("LA", (low, high)).tobytes()


class TextConsole:
    """Puts the text console on the same screen into graphics mode, so that no cursor and no prompt
    is drawn over the picture. Does nothing if the program isn't allowed to."""

    def __init__(self) -> None:
        self._file: int | None = None

    def __enter__(self) -> "TextConsole":
        with suppress(OSError):
            self._file = os.open(CONSOLE, os.O_RDWR | os.O_CLOEXEC | os.O_NOCTTY)
            fcntl.ioctl(self._file, SET_MODE, GRAPHICS)
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):
                fcntl.ioctl(self._file, SET_MODE, TEXT)
            os.close(self._file)
            self._file = None


# ---------------------------------------------------------------- own wifi
# Shows the Wi-Fi that a flashed card opens if it finds no known network: first a QR code for
# joining it; once a phone has joined, the table's QR code with the Wi-Fi's name and password.


OWN_WIFI_PATH = Path("/run/companion-card") / OWN_WIFI_FILE


def own_wifi_invitation(
    table: PhoneInvitation, path: Path = OWN_WIFI_PATH, words: Mapping[str, str] = PAGE_WORDS
) -> PhoneInvitation:
    """How phones get access, with these `words`. While the box's own Wi-Fi is open, returns the
    code for joining it or, once a phone has joined, the table's code with the Wi-Fi's name and
    password. Otherwise returns `table`."""
    if wifi := read_own_wifi(path):
        where = f"{wifi.name}  {wifi.password}"
        if wifi.guests and table.rows:
            return PhoneInvitation(f"{table.place}  ({where})", table.rows, table.caption)
        return PhoneInvitation(where, qr_rows_of_text(wifi.code), words["tv.own-wifi"])
    return table


# ---------------------------------------------------------------- program

POLL_S: Final = 2.0
"""Seconds between two checks of the screen, which may have been plugged in, unplugged, or changed
its size."""
BOX_BYTES: Final = WIDTH * HEIGHT // 8


class Tv:
    """The picture on a TV of the table whose page is at the address `page`; `secret`: the
    machine's, with which the TV gets access. `with_box`: whether the TV also shows the box's
    display, as the box has none of its own."""

    def __init__(
        self,
        page: str,
        secret: str,
        open_pixels: Callable[[], Pixels] = KernelPixels,
        *,
        with_box: bool = False,
    ) -> None:
        self._screen, self._with_box = TvScreen(open_pixels), with_box
        self._message: Json = {}
        self._win: Json = {}
        self._box: Image.Image | None = None
        self._invitation, self._words = ("", "", ""), PAGE_WORDS
        self._sitting: Json | None = None
        self._digits = "", ""
        """The address and the digits that let phones in while people sit down."""
        self._size: tuple[int, int] | None = None
        self._ends: float | None = None
        """When the time of the round is up, in monotonic seconds; None if no clock runs."""
        self._calls: Sequence[str] = ()
        self._break: tuple[int, float] | None = None
        """The round that follows a break, and when the break ends, in monotonic seconds."""
        self._table: tuple[tuple[tuple[int, int], PhoneInvitation], Image.Image] | None = None
        """The picture without the clock, with the size and the invitation that it was drawn for;
        None if something has changed since."""
        self._changed = asyncio.Event()
        self._said = ""
        self._feed = PageFeed(page, secret, self)

    async def run(self) -> None:
        """Shows the table until it is cancelled."""
        feed = asyncio.ensure_future(self._feed.run())
        try:
            while True:
                self._changed.clear()
                size = await self._draw()
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._next_check_s()):
                        await self._changed.wait()
                if size is None:
                    self._screen.forget()
        finally:
            feed.cancel()
            await asyncio.gather(feed, return_exceptions=True)

    async def _draw(self) -> tuple[int, int] | None:
        """Draws the newest moment and shows it. Returns the screen's size; None after a failure,
        which is printed once on stderr."""
        try:
            self._size = size = self._screen.size
            lines, band = call_lines(self._call_texts(), size)
            picture = self._table_picture(below := (size[0], size[1] - band))
            if (left := seconds_until(self._ends)) is not None:
                place = clock_area(usable_area(below), min(below))
                picture = with_clock(picture, place, ShownClock(round(left)), self._words)
            self._screen.show(with_calls(picture, lines, band) if lines else picture)
        except OSError as error:
            line = f"No picture on the TV: {error}"
            if line != self._said:
                self._said = line
                print(line, file=sys.stderr, flush=True)
            return None
        self._said = ""
        return size

    def _table_picture(self, size: tuple[int, int]) -> Image.Image:
        """The picture of the table as it is now, drawn again only if something has changed."""
        table = invitation(*self._invitation, self._words["tv.scan"])
        shown = size, own_wifi_invitation(table, words=self._words)
        if self._table is None or self._table[0] != shown:
            if self._sitting and shown[1] == table and table.rows and self._digits[1]:
                address, digits = self._digits
                caption = self._words["sit.type-tv"].format(address=address)
                picture = draw_sitting(
                    self._sitting, size, PhoneInvitation(digits, table.rows, caption), self._words
                )
            elif self._sitting:
                picture = draw_sitting(self._sitting, *shown, self._words)
            else:
                timed = self._ends is not None
                picture = draw_table(
                    self._message, *shown, self._box, timed=timed, win=self._win, words=self._words
                )
            self._table = shown, picture
        return self._table[1]

    def _call_texts(self) -> list[str]:
        """The lines above the table: the calls, and how long it is until the next round."""
        if self._break is None:
            return [*self._calls]
        number, ends = self._break
        return [*self._calls, break_words(number, round(seconds_until(ends) or 0), self._words)]

    def _next_check_s(self) -> float:
        """Seconds until the next check of the screen; while a clock runs, until its next second."""
        ends = [self._ends, self._break[1] if self._break else None]
        lefts = [left for one in ends if (left := seconds_until(one))]
        return min(((left - 0.5) % 1.0 + 0.02 for left in lefts), default=POLL_S)

    def _request_redraw(self) -> None:
        self._table = None
        self._changed.set()

    # ------------------------------------------------------------ messages of the page

    def wanted_drawings(self) -> list[str]:
        """The drawings and messages that the TV needs, by the names with which a page requests
        them."""
        shape = shape_of(self._size or (16, 9))
        return [*([BOX] if self._with_box else []), shape, SEATS]

    def show_moment(self, message: Json) -> None:
        """Receives the newest moment."""
        self._message = message
        moment = message.get("moment")
        if not (moment and moment["finished"]):
            self._win = {}
        self._request_redraw()

    def show_win(self, panel: Json) -> None:
        """Receives the panel that is shown when a game is over."""
        self._win = panel
        self._request_redraw()

    def show_box(self, data: bytes) -> None:
        """Receives a picture of the box's display."""
        if self._with_box and len(data) > BOX_BYTES:
            self._box = Image.frombytes("1", (WIDTH, HEIGHT), data[:BOX_BYTES])
            self._request_redraw()

    def set_invitation(self, address: str, code: str, other_name: str) -> None:
        """Receives the address at which phones find the table, their access code, and the box's
        other name."""
        self._invitation = address, code, other_name
        self._request_redraw()

    def set_words(self, words: Mapping[str, str]) -> None:
        """Receives the words of the table's language, by their keys."""
        self._words = {**PAGE_WORDS, **words}
        self._request_redraw()

    def set_clock(self, left_s: int | None) -> None:
        """Receives the seconds left of the club's event round; None if no clock runs."""
        self._ends = None if left_s is None else time.monotonic() + left_s
        self._request_redraw()

    def set_calls(self, calls: Json) -> None:
        """Receives the calls and the break that the club's organiser shows on every TV."""
        self._calls, number, left = calls.get("texts", ()), calls.get("round"), calls.get("left_s")
        self._break = None
        if number is not None and left is not None:
            self._break = number, time.monotonic() + left
        self._changed.set()

    def set_sitting(self, sitting: Json | None) -> None:
        """Receives the seats that people have taken before a game; None if nobody is sitting down
        any more."""
        self._sitting = sitting
        self._request_redraw()

    def show_digits(self, address: str, digits: str) -> None:
        """Receives the digits that let phones in at that address."""
        self._digits = address, digits
        self._request_redraw()

    def show_unreachable(self) -> None:
        """Shows on the picture that the table's page can't be reached."""
        self._sitting, self._digits, self._calls, self._break = None, ("", ""), (), None
        self._message = {**self._message, "fault": self._words["tv.waiting"]}
        self._request_redraw()


def seconds_until(end: float | None) -> float | None:
    """The seconds until `end`, in monotonic seconds, 0 if it is over; None if there is no end."""
    return None if end is None else max(0.0, end - time.monotonic())


def show_table(page: str, secret: str, *, with_box: bool = False) -> int:
    """Shows the table whose page is at the address `page` on this machine's screen, until somebody
    ends the program; the machine's `secret` gives it access. Returns its exit status."""
    with TextConsole(), suppress(KeyboardInterrupt):
        asyncio.run(Tv(page, secret, with_box=with_box).run())
    return 0
