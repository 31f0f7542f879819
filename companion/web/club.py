"""Shows the club on the pages: whether the box has joined it and reaches it, and what players may
request. A page that plays may send one of these:

    "club": {"wish": "look"}                                 look for clubs in the network
    "club": {"wish": "join", "address": "192.168.1.20:8070"}
    "club": {"wish": "leave"}                                leave, or give up joining
    "club": {"wish": "begin", "address": "4.3.7"}            the people in these given seats play

Every page gets the state of the club whenever it changes:

    {"club": {"step": "joined", "name": "Friday Fives", "sign": "reached", "short": "Club",
              "reached": true, "called": "This box is Kitchen, table 7.", "found": [],
              "digits": "", "why": "", "mark": "3f2a", "waiting": 0,
              "left_s": 1500,
              "announced": {"texts": ["Table 7 needs a player"], "round": 3, "left_s": 120},
              "given": {"place": "4.3.7", "said": "Round 3, table 7",
                                        "names": ["Anna", "Ben"], "others": false,
                                        "clockwise": true}}}

`left_s`: seconds that the round still has, null without a clock. `announced`: what every TV shows
above the table: calls, and how long it is until a round after a break; no calls while the hub can't
be reached, since it couldn't take them down. Pages that only watch get a club's
state only once it is joined.
"""

from collections.abc import Callable
from time import monotonic

from companion.core.clock import Clock
from companion.core.club import (
    LONGEST_ADDRESS,
    Club,
    ClubRequest,
    ClubRequestKind,
    ClubStep,
    GivenSeats,
)
from companion.core.seats import display_name
from companion.core.values import Json
from companion.core.words import phrase
from companion.presentation.game import PresentedGames
from companion.web.viewer import Viewer


class PageClub:
    """The state of the club for all pages of a server. Requests are passed to `ask`, which puts
    them on the table's queue."""

    def __init__(
        self, ask: Callable[[ClubRequest], None], games: PresentedGames, clock: Clock = monotonic
    ) -> None:
        self._ask, self._games, self._clock = ask, games, clock
        self._club: Club | None = None
        self._told_at = 0.0

    def update(self, club: Club, *viewers: Viewer) -> None:
        """Receives a new state of the club, and sends it to the pages of these viewers."""
        self._club, self._told_at = club, self._clock()
        for viewer in viewers:
            self.greet(viewer)

    def greet(self, viewer: Viewer) -> None:
        """Sends a page the state of the club, if it is known."""
        if self._club is not None:
            since = self._clock() - self._told_at
            told = club_json(self._club, self._games, plays=viewer.plays, since_s=since)
            viewer.send({"club": told})

    def handle_message(self, viewer: Viewer, message: Json) -> None:
        """Passes on a request to the club in a page's message, if the page may play. Raises
        ValueError if it can't be parsed."""
        if "club" not in message or not viewer.plays:
            return
        asked = message["club"]
        address = asked.get("address", "") if isinstance(asked, dict) else None
        if not isinstance(address, str) or len(address) > LONGEST_ADDRESS:
            raise ValueError("there is no such club")
        wish = ClubRequestKind(asked.get("wish"))
        self._ask(ClubRequest(wish, address.strip(), by_phone=wish is ClubRequestKind.JOIN))


def club_json(
    club: Club, games: PresentedGames, *, plays: bool, since_s: float = 0.0
) -> Json | None:
    """The state of the club as pages get it, `since_s` seconds after the table reported it. None if
    the page only watches and no club is joined."""
    if not plays and club.step is not ClubStep.JOINED:
        return None
    return {
        "step": club.step.value,
        "name": club.name,
        "sign": club.sign if club.name else "",
        "short": club.short_sign,
        "reached": club.reached,
        "called": club.called.sentence if club.called else "",
        "found": [{"name": one.name, "address": one.address} for one in club.found if plays],
        "digits": club.digits if plays else "",
        "why": club.why,
        "mark": club.mark if plays else "",
        "waiting": club.waiting,
        "left_s": None if club.left_s is None else max(0, round(club.left_s - since_s)),
        "announced": _calls_json(club, since_s),
        "given": _given_json(club.given, games, others=club.others)
        if club.given and plays
        else None,
    }


def _calls_json(club: Club, since_s: float) -> Json:
    """The calls and the break, `since_s` seconds after the table reported the state. While the hub
    can't be reached, a break is shown only until it is over."""
    calls = club.calls
    left = None if calls.left_s is None else max(0, round(calls.left_s - since_s))
    goes_on = club.reached or bool(left)
    return {
        "texts": [*calls.texts] if club.reached else [],
        "round": calls.round if goes_on else None,
        "left_s": left if goes_on else None,
    }


def _given_json(given: GivenSeats, games: PresentedGames, *, others: bool) -> Json:
    """The seats that the club gives this table, for a page that may confirm that these people play.
    `others`: whether the present game has other players."""
    title = phrase("Round {round}, table {table}", round=given.round, table=given.table)
    names = [display_name(one) for one in given.seats]
    clockwise = given.game not in games or games[given.game].rules.clockwise
    sit = {"names": names, "others": others, "clockwise": clockwise}
    return {"place": given.place, "said": title, **sit}
