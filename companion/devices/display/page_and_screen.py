"""Two displays as one: the page, which always takes a picture, and a screen that may be missing."""

import sys

from companion.devices.display.panel import Panel
from companion.devices.display.screen_saver import PanelFrame


class PageAndScreen:
    """Shows each picture on both. The first time that the screen fails, standard error gets one
    line. The screen is tried again with each renewal of the picture; the page goes on meanwhile."""

    def __init__(self, page: Panel, screen: Panel) -> None:
        self._page, self._screen = page, screen
        self._works = self._told = False
        self._renewal = -1

    def open(self) -> None:
        """Opens the page; raises what the page raises. The screen is opened by `show`."""
        self._page.open()

    def show(self, picture: PanelFrame) -> None:
        """Shows the picture on the page, and on the screen if there is one."""
        self._page.show(picture)
        try:
            if not self._works and picture.renewal != self._renewal:
                self._renewal = picture.renewal
                self._screen.open()
                self._works = True
            if self._works:
                self._screen.show(picture)
        except OSError as error:
            self._works = False
            self._screen.close()
            if not self._told:
                self._told = True
                print(
                    f"No picture on HDMI ({error}); the page has it.", file=sys.stderr, flush=True
                )

    def close(self) -> None:
        """Closes both."""
        self._screen.close()
        self._works = False
        self._page.close()
