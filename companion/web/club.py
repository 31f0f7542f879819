"""The club on the pages: how the box stands with it, and what who plays asks of it.

    "club": {"wish": "look"}                                 look for clubs in the network
    "club": {"wish": "join", "address": "192.168.1.20:8070"}
    "club": {"wish": "leave"}                                leave, or give up joining

What is new is told to every page, unasked:

    {"club": {"step": "joined", "name": "Friday Fives", "sign": "reached", "short": "Club",
              "reached": true, "found": [], "digits": "", "why": "", "waiting": 0}}

Who only watches is told of a club that was joined, and how that stands.
"""

from collections.abc import Callable
from typing import Final

from companion.core.club import Club, ClubRequest, ClubStep, ClubWish
from companion.core.values import Json
from companion.web.viewer import Viewer

LONGEST_ADDRESS: Final = 200


class PageClub:
    """The club for all pages of a server. `ask` puts a request on the table's queue."""

    def __init__(self, ask: Callable[[ClubRequest], None]) -> None:
        self._ask = ask
        self._club: Club | None = None

    def tell(self, club: Club, *viewers: Viewer) -> None:
        """Takes how it stands from now on."""
        self._club = club
        for viewer in viewers:
            self.greet(viewer)

    def greet(self, viewer: Viewer) -> None:
        """Tells a page how it stands, if there is a club at all."""
        if self._club is not None:
            viewer.send({"club": club_json(self._club, plays=viewer.plays)})

    def hear(self, viewer: Viewer, said: Json) -> None:
        """Takes what a page of somebody who plays asks, if it asks anything. Raises ValueError."""
        if "club" not in said or not viewer.plays:
            return
        asked = said["club"]
        address = asked.get("address", "") if isinstance(asked, dict) else None
        if not isinstance(address, str) or len(address) > LONGEST_ADDRESS:
            raise ValueError("there is no such club")
        self._ask(ClubRequest(ClubWish(asked.get("wish")), address.strip()))


def club_json(club: Club, *, plays: bool) -> Json | None:
    """What a page is told of it; None: there is nothing for who only watches."""
    if not plays and club.step is not ClubStep.JOINED:
        return None
    return {
        "step": club.step.value,
        "name": club.name,
        "sign": club.sign if club.name else "",
        "short": club.short_sign,
        "reached": club.reached,
        "found": [{"name": one.name, "address": one.address} for one in club.found if plays],
        "digits": club.digits if plays else "",
        "why": club.why,
        "waiting": club.waiting,
    }
