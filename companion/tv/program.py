"""The program that keeps a TV's picture up to date: `companion tv`.

It runs beside the table, never in it: what it draws late is late on the TV alone. Of several
moments that come while one is drawn the newest is drawn next.
"""

import asyncio
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from PIL import Image

from companion.console.frame import HEIGHT, WIDTH
from companion.core.values import Json
from companion.devices.display.framebuffer import KernelPixels, Pixels
from companion.presentation.page_words import PAGE_WORDS
from companion.tv.clock import ShownClock, clock_area, with_clock
from companion.tv.feed import PageFeed, invitation
from companion.tv.own_wifi import through_own_wifi
from companion.tv.picture import WayIn, draw_table, drawn_on, shape_of
from companion.tv.screen import TextConsole, TvScreen
from companion.web.viewer import BOX

LOOK_S: Final = 2.0
"""How often a screen is looked for that isn't there, or has another size."""
BOX_BYTES: Final = WIDTH * HEIGHT // 8


class Tv:
    """A TV's picture of the table whose page this is. `with_box`: the box has no display of its
    own, so this is its display, too."""

    def __init__(
        self,
        page: str,
        open_pixels: Callable[[], Pixels] = KernelPixels,
        *,
        with_box: bool = False,
    ) -> None:
        self._screen, self._with_box = TvScreen(open_pixels), with_box
        self._message: Json = {}
        self._box: Image.Image | None = None
        self._way_in, self._words = ("", ""), PAGE_WORDS
        self._size: tuple[int, int] | None = None
        self._ends: float | None = None
        """When the time of the round is up, by this machine's clock."""
        self._table: tuple[tuple[tuple[int, int], WayIn], Image.Image] | None = None
        """The picture without the clock, with the size and the way in that it was drawn for; None:
        something is new since."""
        self._changed = asyncio.Event()
        self._said = ""
        self._feed = PageFeed(page, self)

    async def run(self) -> None:
        """Shows the table until it is cancelled."""
        feed = asyncio.ensure_future(self._feed.run())
        try:
            while True:
                self._changed.clear()
                size = await self._draw()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), self._look_s())
                if size is None:
                    self._screen.forget()
        finally:
            feed.cancel()

    async def _draw(self) -> tuple[int, int] | None:
        """Draws the newest moment; gives the screen's size, None where there is none."""
        try:
            self._size = size = self._screen.size
            picture = self._drawn(size)
            if (left := self._left_s()) is not None:
                place = clock_area(drawn_on(size), min(size))
                picture = with_clock(picture, place, ShownClock(round(left)), self._words)
            self._screen.show(picture)
        except OSError as error:
            line = f"No picture on the TV: {error}"
            if line != self._said:
                self._said = line
                print(line, file=sys.stderr, flush=True)
            return None
        self._said = ""
        return size

    def _drawn(self, size: tuple[int, int]) -> Image.Image:
        """The table as it stands, drawn anew only where something has changed."""
        table = invitation(*self._way_in, self._words["tv.scan"])
        shown = size, through_own_wifi(table, words=self._words)
        if self._table is None or self._table[0] != shown:
            timed = self._ends is not None
            self._table = shown, draw_table(self._message, *shown, self._box, timed=timed)
        return self._table[1]

    def _left_s(self) -> float | None:
        """Seconds that the round still has; None: no clock runs."""
        return None if self._ends is None else max(0.0, self._ends - time.monotonic())

    def _look_s(self) -> float:
        """When to look again: while a clock runs, as it comes to another second."""
        left = self._left_s()
        return (left - 0.5) % 1.0 + 0.02 if left else LOOK_S

    def _draw_anew(self) -> None:
        self._table = None
        self._changed.set()

    # ------------------------------------------------------------ what the page says

    def wants(self) -> list[str]:
        """What is to be drawn, as a page asks for it."""
        shape = shape_of(self._size or (16, 9))
        return [BOX, shape] if self._with_box else [shape]

    def tell(self, message: Json) -> None:
        """Takes the newest moment."""
        self._message = message
        self._draw_anew()

    def see(self, data: bytes) -> None:
        """Takes a picture of the box's display."""
        if self._with_box and len(data) > BOX_BYTES:
            self._box = Image.frombytes("1", (WIDTH, HEIGHT), data[:BOX_BYTES])
            self._draw_anew()

    def invite(self, where: str, word: str) -> None:
        """Takes how phones come in from now on."""
        self._way_in = where, word
        self._draw_anew()

    def speak(self, words: Mapping[str, str]) -> None:
        """Takes the words of the language that the table speaks, by their keys."""
        self._words = {**PAGE_WORDS, **words}
        self._draw_anew()

    def time(self, left_s: int | None) -> None:
        """Takes how many seconds the round of the club's event still has; None: no clock runs."""
        self._ends = None if left_s is None else time.monotonic() + left_s
        self._draw_anew()

    def lose(self) -> None:
        """The table's page can't be reached."""
        self._message = {**self._message, "fault": self._words["tv.waiting"]}
        self._draw_anew()


def show_table(page: str, *, with_box: bool = False) -> int:
    """Shows the table on this machine's screen until somebody ends it."""
    with TextConsole(), suppress(KeyboardInterrupt):
        asyncio.run(Tv(page, with_box=with_box).run())
    return 0
