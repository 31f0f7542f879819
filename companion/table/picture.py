"""What is seen of the table: drawn where something has changed, told where people see it."""

import traceback
from collections.abc import Callable

from companion.console.console import Console
from companion.console.fault import stuck_show
from companion.console.screen import View
from companion.console.show import Show
from companion.core.phones import PageWish
from companion.devices.display.screen_saver import Look
from companion.table.outlook import Parts, differ
from companion.table.surfaces import Surfaces


class TablePicture:
    """The picture that stands there now. `surfaces` are told of it."""

    def __init__(self, surfaces: Surfaces) -> None:
        self._surfaces = surfaces
        self._drawn: tuple[Show, tuple[object, ...]] | None = None
        """The newest, and all that can change of what it is made of."""
        self._told: Show | None = None
        self._look: Look | None = None
        self.stuck = False
        """No screen can be drawn."""

    def draw(self, console: Console, parts: Parts, view: Callable[[], View[object]]) -> Console:
        """Draws it where it is made of other objects than the last; gives the console that could be
        drawn."""
        if self._drawn is None or differ(self._drawn[1], (console, *parts)):
            console, show = self._of(console, view)
            self._drawn = show, (console, *parts)
        return console

    def _of(self, console: Console, view: Callable[[], View[object]]) -> tuple[Console, Show]:
        """What is to be seen. Where a fault of a screen forbids that: the screen that the game
        itself calls for; where that fails, too, the way out."""
        for each in (console, Console.start()):
            try:
                show = each.show(view())
            except Exception:
                traceback.print_exc()
            else:
                self.stuck = False
                return each, show
        self.stuck = True
        return console, stuck_show()

    def publish(self, look: Look, wish: PageWish | None) -> None:
        """Tells what people see otherwise than before, and how it is to look; and the page what
        somebody has just wanted of it, and whether digits are shown, and so hold."""
        before, shown = self._told, self._shown
        if look != self._look:
            self._look = look
            self._surfaces.look(look)
        if before is not shown and (before is None or _seen(before) != _seen(shown)):
            self._surfaces.show(shown)
        if wish:
            self._surfaces.wish(wish)
        if shown.inviting != (before is not None and before.inviting):
            self._surfaces.wish(PageWish.SHOW if shown.inviting else PageWish.HIDE)
        self._told = shown

    @property
    def _shown(self) -> Show:
        assert self._drawn is not None, "it is drawn before it is published"
        return self._drawn[0]

    @property
    def pending(self) -> bool:
        """Whether keys were pressed of which the meaning is still open."""
        return self._shown.pending

    def forget(self) -> None:
        """Something else was shown meanwhile."""
        self._drawn = self._told = None


def _seen(show: Show) -> tuple[object, ...]:
    """What people see of it."""
    return show.frame, show.lights, show.claiming
