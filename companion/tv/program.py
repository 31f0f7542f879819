"""The program that keeps a TV's picture up to date: `companion tv`.

It runs beside the table, never in it: what it draws late is late on the TV alone. Of several
moments that come while one is drawn the newest is drawn next.
"""

import asyncio
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from PIL import Image

from companion.console.frame import HEIGHT, WIDTH
from companion.core.values import Json
from companion.devices.display.framebuffer import KernelPixels, Pixels
from companion.presentation.page_words import PAGE_WORDS
from companion.tv.feed import PageFeed, invitation
from companion.tv.own_wifi import through_own_wifi
from companion.tv.picture import draw_table, shape_of
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
                    await asyncio.wait_for(self._changed.wait(), LOOK_S)
                if size is None:
                    self._screen.forget()
        finally:
            feed.cancel()

    async def _draw(self) -> tuple[int, int] | None:
        """Draws the newest moment; gives the screen's size, None where there is none."""
        try:
            self._size = size = self._screen.size
            table = invitation(*self._way_in, self._words["tv.scan"])
            way_in = through_own_wifi(table, words=self._words)
            picture = draw_table(self._message, size, way_in, self._box)
            self._screen.show(picture)
        except OSError as error:
            self._say(f"No picture on the TV: {error}")
            return None
        self._said = ""
        return size

    def _say(self, line: str) -> None:
        if line != self._said:
            self._said = line
            print(line, file=sys.stderr, flush=True)

    # ------------------------------------------------------------ what the page says

    def wants(self) -> list[str]:
        """What is to be drawn, as a page asks for it."""
        shape = shape_of(self._size or (16, 9))
        return [BOX, shape] if self._with_box else [shape]

    def tell(self, message: Json) -> None:
        """Takes the newest moment."""
        self._message = message
        self._changed.set()

    def see(self, data: bytes) -> None:
        """Takes a picture of the box's display."""
        if self._with_box and len(data) > BOX_BYTES:
            self._box = Image.frombytes("1", (WIDTH, HEIGHT), data[:BOX_BYTES])
            self._changed.set()

    def invite(self, where: str, word: str) -> None:
        """Takes how phones come in from now on."""
        self._way_in = where, word
        self._changed.set()

    def speak(self, words: Mapping[str, str]) -> None:
        """Takes the words of the language that the table speaks, by their keys."""
        self._words = {**PAGE_WORDS, **words}
        self._changed.set()

    def lose(self) -> None:
        """The table's page can't be reached."""
        self._message = {**self._message, "fault": self._words["tv.waiting"]}
        self._changed.set()


def show_table(page: str, *, with_box: bool = False) -> int:
    """Shows the table on this machine's screen until somebody ends it."""
    with TextConsole(), suppress(KeyboardInterrupt):
        asyncio.run(Tv(page, with_box=with_box).run())
    return 0
