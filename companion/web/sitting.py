"""Sitting down: the seats that fill up before a game begins. Belongs to the server's event loop.

The page on which somebody starts a game holds the seats, and says so whenever they change:

    "sitting": {"game": "High Five", "seats": ["Anna", ""], "names": ["Anna", "Ben"]}
    "sitting": null                         nobody sits down any more

Each other page that plays gets that, and may ask for a free seat: `"sit": {"place": 1, "name":
"Ben"}`. The first page gets it as `{"sit": …}`, and decides. Nothing of it is kept: a game that
begins says who sits where.
"""

from collections.abc import Callable, Iterable

from companion.core.json_text import SEATS, is_whole
from companion.core.values import Json
from companion.web.panels import LONGEST_NAME, MOST_NAMES, MOST_PLAYERS
from companion.web.viewer import Viewer

LONGEST_TITLE = 40


class Sitting:
    """Who sits down now. `viewers` gives all pages; `changed` is called when people begin to sit
    down, and with False when they no longer do."""

    def __init__(
        self, viewers: Callable[[], Iterable[Viewer]], changed: Callable[[bool], None]
    ) -> None:
        self._viewers, self._changed = viewers, changed
        self._starter: Viewer | None = None
        self._told: Json | None = None

    def hear(self, viewer: Viewer, said: Json) -> None:
        """Handles a message of a page that may play. Raises ValueError if it can't be
        understood."""
        if "sitting" in said:
            told = said["sitting"]
            if told is not None and not _is_sitting(told):
                raise ValueError("nobody can sit down so")
            if told is not None or viewer is self._starter:
                self._tell(viewer, told)
        if "sit" in said:
            asked = said["sit"]
            if not _is_wish(asked):
                raise ValueError("there is no such seat")
            if self._starter:
                self._starter.send({"sit": asked})

    def greet(self, viewer: Viewer) -> None:
        """Tells a page that has come who sits down."""
        if self._told is not None and viewer.plays:
            viewer.send({"sitting": self._told})

    def leave(self, viewer: Viewer) -> None:
        """Ends the sitting down if the page that has gone held the seats."""
        if viewer is self._starter:
            self._tell(viewer, None)

    def _tell(self, starter: Viewer, told: Json | None) -> None:
        sits = told is not None
        if sits != (self._told is not None):
            self._changed(sits)
        self._starter, self._told = starter if sits else None, told
        for one in self._viewers():
            if one.plays and one is not starter:
                one.send({"sitting": told})


def _is_sitting(told: object) -> bool:
    if not isinstance(told, dict) or not isinstance(told.get("game"), str):
        return False
    seats, names = told.get("seats"), told.get("names")
    return (
        told.keys() == {"game", "seats", "names"}
        and len(told["game"]) <= LONGEST_TITLE
        and _are_names(seats, MOST_NAMES)
        and _are_names(names, MOST_PLAYERS)
    )


def _are_names(names: object, most: int) -> bool:
    return isinstance(names, list) and len(names) <= most and all(map(_is_name, names))


def _is_name(name: object) -> bool:
    return isinstance(name, str) and len(name) <= LONGEST_NAME


def _is_wish(asked: object) -> bool:
    return (
        isinstance(asked, dict)
        and asked.keys() == {"place", "name"}
        and is_whole(asked["place"], SEATS)
        and _is_name(asked["name"])
        and asked["name"].strip() != ""
    )
