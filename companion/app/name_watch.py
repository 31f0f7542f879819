"""Notices when the network calls this box by another name than its own, because another machine had
the name first: `table-2.local`."""

from collections.abc import Callable
from threading import Event
from typing import Final

from companion.core.threads import NamedThread
from companion.core.words import phrase
from companion.web.own_names import announced_name, usual_name

LOOK_S: Final = 60.0
"""Seconds between two looks: a box is moved to another network, or another box comes."""
FIRST_LOOK_S: Final = 5.0
"""Seconds to the first look: by then avahi has tried whether the name is free."""


class NameWatch:
    """Calls `tell` with a line whenever the box's name in the network has become another one."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell, self._name = tell, usual_name()
        self._end = Event()
        self._thread = NamedThread("own name", self._run)

    def start(self) -> None:
        """Begins to look."""
        self._thread.start()

    def close(self) -> None:
        """Ends the looking, and waits for it."""
        self._end.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        wait_s = FIRST_LOOK_S
        while not self._end.wait(wait_s):
            self._look()
            wait_s = LOOK_S

    def _look(self) -> None:
        from companion.web.address import network_address  # which would be loaded before the start

        name = announced_name(network_address())
        if not name or name == self._name:
            return
        self._name = name
        if name == usual_name():
            self._tell(phrase("This box is at {name} again", name=name))
        else:
            self._tell(
                phrase(
                    "Another device is called {usual}, so this box is at {name}",
                    usual=usual_name(),
                    name=name,
                )
            )
