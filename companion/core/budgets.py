"""The budgets: how many messages and requests are accepted from one address, one member of a club,
one page, and all clients together.

Clients that are not let in yet are counted by address: an IPv4 address, or an IPv6 network
(web/connection_limits.py). From then on each box and each page is counted separately, because sixty
phones behind one router share an address. A limit delays only the sender who has reached it.

Every message and every request has its budget here; tests/core/test_budgets.py checks them all.
`Spending` and `PageSpending` count how much of its budgets each sender has spent, and which senders
are at a limit.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Final

from companion.core.clock import Clock
from companion.core.values import Json, dataclass
from companion.core.words import Sentence, mark


class LimitScope(Enum):
    """The scope of a limit: whether each address, member or page is counted separately, or all
    clients together."""

    ADDRESS = "address"
    """An address whose client is not let in yet."""
    MEMBER = "member"
    """A box at its club's hub, or a club at its federation's."""
    PAGE = "page"
    """One page of a browser."""
    ALL = "all"
    """All clients of a server together."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit for each client of the scope `per`. Without `per_s`, at most `most` may exist at the
    same time. With `per_s` it is a rate: `most` at once, then `per_s` more each second. `sentence`:
    the sentence for the organiser about a client at the limit (empty for none)."""

    name: str
    per: LimitScope
    most: int
    per_s: float | None = None
    sentence: str = ""


# ---------------------------------------------------------------- connections

NEW_CONNECTIONS: Final = Limit("strangers", LimitScope.ALL, 256)
"""Connections from clients that are not let in yet."""
NEW_CONNECTIONS_OF_ADDRESS: Final = Limit(
    "strangers of an address",
    LimitScope.ADDRESS,
    128,
    sentence=mark("{who} opens too many connections"),
)
"""Connections from one address before it is let in: a phone opens six at once to load the page, and
sixty phones may share a router."""
REQUESTS: Final = Limit(
    "requests", LimitScope.ADDRESS, 8192, 256.0, mark("{who} sends too many requests")
)
"""Requests from one address: sixty phones load some eighty files each."""
HUB_READS: Final = Limit(
    "readings", LimitScope.ADDRESS, 60, 2.0, mark("{who} sends too many requests")
)
"""Requests that read a hub's database without an access code."""
CHANGE_REQUESTS: Final = Limit(
    "sendings", LimitScope.ADDRESS, 512, 8.0, mark("{who} sends too many requests")
)
"""Requests that change something."""
REQUEST_BODY: Final = Limit("bytes sent", LimitScope.PAGE, 1 << 20)
"""The size in bytes of a request body that is read as a whole."""
UPDATE: Final = Limit("bytes of an update", LimitScope.PAGE, 1 << 30)
PAGES_BEING_MADE: Final = Limit("pages being made", LimitScope.ALL, 8)
"""Pages of players and evenings that may be generated at the same time."""
LISTENERS: Final = Limit("listeners", LimitScope.ALL, 8)
"""Listeners to a table's stream of events."""

# ---------------------------------------------------------------- pages

PAGES_OF_TABLE: Final = Limit("pages", LimitScope.ALL, 32)
PAGES_OF_HUB: Final = Limit(
    "pages of a hub", LimitScope.ALL, 256, sentence=mark("Too many pages are open")
)
PAGES_OF_PHONE: Final = Limit("pages of a phone", LimitScope.PAGE, 8)
MESSAGE: Final = Limit("bytes of a message", LimitScope.PAGE, 1024)
"""The size of a message in bytes: enough for a holding of many tiles and the other fields."""
MESSAGES: Final = Limit("messages", LimitScope.PAGE, 256, 64.0)
"""Messages from one page: more than a person sends."""
UNANSWERED: Final = Limit("unanswered", LimitScope.PAGE, 8)
"""Proposals and inquiries that may wait for the loop's answer."""
SURFACES: Final = Limit("surfaces", LimitScope.PAGE, 4)
"""Surfaces for which a page makes proposals: its own, and those that still waited for an answer
when the page was reloaded."""
KEY_MOVEMENTS: Final = Limit("movements of keys", LimitScope.PAGE, 64)
"""Key movements: as many as a person makes while a page waits for its connection."""
ENTRIES: Final = Limit("entries", LimitScope.PAGE, 128, 16.0)
INQUIRIES: Final = Limit("inquiries", LimitScope.PAGE, 64, 4.0)
PREVIEWS: Final = Limit("previews", LimitScope.PAGE, 256, 32.0)
PANELS: Final = Limit("panels", LimitScope.PAGE, 128, 8.0)
ROLES: Final = Limit("roles", LimitScope.PAGE, 64, 2.0)
PAGE_SETTINGS: Final = Limit("wishes", LimitScope.PAGE, 32, 0.5)
"""Requests of a page about the club, the network, or the access codes."""
ORGANISER_ACTIONS: Final = Limit("deeds", LimitScope.PAGE, 64, 4.0)
"""Actions of an organiser's page."""
GUESSES: Final = Limit("guesses", LimitScope.ADDRESS, 5)
"""Guesses at the four digits that a table shows, as long as these digits are valid."""
ALL_GUESSES: Final = Limit("all guesses", LimitScope.ALL, 20)
TVS: Final = Limit("TVs", LimitScope.ALL, 8)
"""TVs that were let in and have not fetched their access code yet."""

# ---------------------------------------------------------------- boxes and clubs at a hub

JOIN_REQUESTS: Final = Limit(
    "joinings", LimitScope.ADDRESS, 30, 1 / 20, mark("{who} sends too many requests to join")
)
WAITING_OF_ADDRESS: Final = Limit(
    "waiting of an address",
    LimitScope.ADDRESS,
    30,
    sentence=mark("{who} sends too many requests to join"),
)
WAITING: Final = Limit(
    "waiting", LimitScope.ALL, 90, sentence=mark("{who} sends too many requests to join")
)
"""Boxes that wait for the organiser's confirmation. One more replaces the oldest one from the
address with the most waiting boxes."""
ORGANISER_LINES: Final = Limit(
    "remarks", LimitScope.ADDRESS, 20, 1 / 10, mark("{who} keeps sending invalid requests")
)
"""Lines on the organiser's page that are caused by clients without access."""
BOX_CONNECTIONS: Final = Limit(
    "lines", LimitScope.MEMBER, 4, sentence=mark("{who} opens too many connections")
)
"""Connections of one box; a further one closes the oldest."""
HUB_MESSAGES: Final = Limit(
    "hub messages", LimitScope.MEMBER, 2048, 64.0, mark("{who} sends too many messages")
)
"""Messages of a box; one that sends more has to wait, and no message is lost."""
HUB_MESSAGE: Final = Limit("bytes of a hub message", LimitScope.MEMBER, 1 << 20)
BATCH: Final = Limit("rows of a batch", LimitScope.MEMBER, 500)
ROW_COUNT_REQUESTS: Final = Limit("places", LimitScope.MEMBER, 64)
"""Requests in which a box asks how many of its rows the hub has."""
CHANGES: Final = Limit("changes", LimitScope.ALL, 256)
"""Database changes that may wait to be written."""
FORKS: Final = Limit("forks", LimitScope.MEMBER, 8, sentence=mark("{who} has too many records"))
"""Chains of one box that the organiser has to choose from."""
CHAINS: Final = Limit("chains", LimitScope.MEMBER, 64, sentence=mark("{who} has too many records"))
"""Chains of one box, including those that were set aside."""
TABLES: Final = Limit("tables", LimitScope.MEMBER, 64, 1 / 60, mark("{who} opens too many tables"))
"""New boxes that a club brings to its federation: a whole club at once, then one a minute."""
ALL_TABLES: Final = Limit(
    "all tables", LimitScope.MEMBER, 500, sentence=mark("{who} opens too many tables")
)
OPENED_TABLES: Final = Limit("tables of the hub", LimitScope.ALL, 60)
"""Tables opened by a hub; each is a process of some 60 MB."""

# ---------------------------------------------------------------- every message and request

Budget = tuple[Limit, ...]
_MESSAGE_BUDGET: Final[Budget] = (MESSAGES, MESSAGE)

TABLE_MESSAGES: Final[Mapping[str, Budget]] = {
    # the first message
    "hello": (NEW_CONNECTIONS, MESSAGE, PAGES_OF_TABLE, PAGES_OF_PHONE),
    "device": _MESSAGE_BUDGET,
    "follows": _MESSAGE_BUDGET,
    "digits": (NEW_CONNECTIONS, MESSAGE, GUESSES, ALL_GUESSES),
    "for": (NEW_CONNECTIONS, MESSAGE),
    "waits": (NEW_CONNECTIONS, MESSAGE, TVS),
    # all later ones
    "n": _MESSAGE_BUDGET,
    "wants": (*_MESSAGE_BUDGET, PANELS),
    "key": (*_MESSAGE_BUDGET, KEY_MOVEMENTS),
    "down": (*_MESSAGE_BUDGET, KEY_MOVEMENTS),
    "letter": _MESSAGE_BUDGET,
    "role": (*_MESSAGE_BUDGET, ROLES),
    "panel": (*_MESSAGE_BUDGET, PANELS),
    "preview": (*_MESSAGE_BUDGET, PREVIEWS),
    "propose": (*_MESSAGE_BUDGET, ENTRIES, UNANSWERED, SURFACES),
    "became": (*_MESSAGE_BUDGET, INQUIRIES, UNANSWERED, SURFACES),
    "decline": (*_MESSAGE_BUDGET, ENTRIES),
    "moved": (*_MESSAGE_BUDGET, ENTRIES, SURFACES),
    "example": (*_MESSAGE_BUDGET, PANELS),
    "club": (*_MESSAGE_BUDGET, PAGE_SETTINGS),
    "invite": (*_MESSAGE_BUDGET, PAGE_SETTINGS),
    "keep": (*_MESSAGE_BUDGET, PAGE_SETTINGS),
    "letIn": (*_MESSAGE_BUDGET, PAGE_SETTINGS, TVS),
    "newCodes": (*_MESSAGE_BUDGET, PAGE_SETTINGS),
    "sitting": (*_MESSAGE_BUDGET, PANELS),
    "sit": (*_MESSAGE_BUDGET, PAGE_SETTINGS),
}
"""The messages that a table's pages send (web/server.py), by their keys."""

HUB_PAGE_MESSAGES: Final[Mapping[str, Budget]] = {
    "hello": (NEW_CONNECTIONS, MESSAGE, PAGES_OF_HUB),
    "device": _MESSAGE_BUDGET,
    "follows": _MESSAGE_BUDGET,
    "digits": (NEW_CONNECTIONS, MESSAGE),
    "n": _MESSAGE_BUDGET,
    "wants": (*_MESSAGE_BUDGET, PANELS),
    "panel": (*_MESSAGE_BUDGET, PANELS),
    "accept": (*_MESSAGE_BUDGET, ORGANISER_ACTIONS),
    "decline": (*_MESSAGE_BUDGET, ORGANISER_ACTIONS),
    "as": (*_MESSAGE_BUDGET, ORGANISER_ACTIONS),
    "retire": (*_MESSAGE_BUDGET, ORGANISER_ACTIONS),
    "throwOut": (*_MESSAGE_BUDGET, ORGANISER_ACTIONS),
    "call": (*_MESSAGE_BUDGET, ORGANISER_ACTIONS),
    "choose": (*_MESSAGE_BUDGET, ORGANISER_ACTIONS),
    "newCodes": (*_MESSAGE_BUDGET, ORGANISER_ACTIONS),
    "openTable": (*_MESSAGE_BUDGET, ORGANISER_ACTIONS, OPENED_TABLES),
    "closeTable": (*_MESSAGE_BUDGET, ORGANISER_ACTIONS),
    "same": (*_MESSAGE_BUDGET, ORGANISER_ACTIONS),
    "hide": (*_MESSAGE_BUDGET, ORGANISER_ACTIONS),
    "takeBack": (*_MESSAGE_BUDGET, ORGANISER_ACTIONS),
}
"""The messages that a hub's pages send (club/hub/live.py), by their keys."""

_BOX_BUDGET: Final[Budget] = (HUB_MESSAGES, HUB_MESSAGE, BOX_CONNECTIONS)

BOX_MESSAGES: Final[Mapping[str, Budget]] = {
    "join": (
        NEW_CONNECTIONS_OF_ADDRESS,
        JOIN_REQUESTS,
        WAITING_OF_ADDRESS,
        WAITING,
        ORGANISER_LINES,
        HUB_MESSAGE,
    ),
    "name": _BOX_BUDGET,
    "where": (*_BOX_BUDGET, ROW_COUNT_REQUESTS),
    "rows": (*_BOX_BUDGET, BATCH, CHANGES, FORKS, CHAINS),
    "open": (*_BOX_BUDGET, BATCH, CHANGES),
    "give": (*_BOX_BUDGET, BATCH),
    "leave": (*_BOX_BUDGET, CHANGES),
    # a club at its federation's hub
    "box": (*_BOX_BUDGET, CHANGES, TABLES, ALL_TABLES),
    "chain": (*_BOX_BUDGET, BATCH, CHANGES, FORKS, CHAINS),
    "opens": (*_BOX_BUDGET, BATCH, CHANGES),
    "boxes": _BOX_BUDGET,
    "rows-of": (*_BOX_BUDGET, BATCH),
}
"""The messages that a box or a club sends to a hub (docs/hub.md), by their keys."""

_READ_BUDGET: Final[Budget] = (NEW_CONNECTIONS, NEW_CONNECTIONS_OF_ADDRESS, REQUESTS)
_CHANGE_BUDGET: Final[Budget] = (*_READ_BUDGET, CHANGE_REQUESTS, REQUEST_BODY)

Requests = Mapping[tuple[str, str], Budget]


def _requests_with_budget(budget: Budget, method: str, paths: str) -> Requests:
    return {(method, path): budget for path in paths.split()}


_FILE_REQUESTS: Final[Requests] = _requests_with_budget(
    _READ_BUDGET,
    "GET",
    "/ /tv /overlay /catalog.js /drawing.css /evenings.css /watch.css /watch.js /help/{page} "
    "/help/{folder}/{name} /at/{version}/{language}/{name} /{name} /{word}",
)
"""Requests for files that come with the program, open to everybody."""

TABLE_REQUESTS: Final[Requests] = {
    **_FILE_REQUESTS,
    **_requests_with_budget(
        _READ_BUDGET,
        "GET",
        "/app.webmanifest /box /card /check /check/{name}.png /clips/{language}",
    ),
    **_requests_with_budget(
        _READ_BUDGET, "GET", "/clips/{language}/{name} /token /tv-code/{name} /TV/{name} /way-in"
    ),
    **_requests_with_budget((*_READ_BUDGET, PAGES_OF_TABLE, PAGES_OF_PHONE), "GET", "/live"),
    **_requests_with_budget((*_READ_BUDGET, LISTENERS), "GET", "/stream"),
    **_requests_with_budget((*_READ_BUDGET, PAGES_BEING_MADE), "GET", "/evenings /evenings/{more}"),
    **_requests_with_budget(
        _READ_BUDGET, "GET", "/open/{ticket}{page} /trust /trust/authority.crt"
    ),
    **_requests_with_budget(_READ_BUDGET, "GET", "/go /wifi /wifi/stay"),
    **_requests_with_budget(_CHANGE_BUDGET, "POST", "/open /card/update-address /card/wifi"),
    **_requests_with_budget(_CHANGE_BUDGET, "POST", "/check /check/keypads /check/picture"),
    **_requests_with_budget((*_READ_BUDGET, CHANGE_REQUESTS, UPDATE), "POST", "/card/update"),
}
"""The requests to a table's server, by method and path pattern."""

HUB_REQUESTS: Final[Requests] = {
    **_FILE_REQUESTS,
    **_requests_with_budget(
        (*_READ_BUDGET, NEW_CONNECTIONS_OF_ADDRESS, BOX_CONNECTIONS), "GET", "/club"
    ),
    **_requests_with_budget((*_READ_BUDGET, PAGES_OF_HUB), "GET", "/live /live/{what}"),
    **_requests_with_budget((*_READ_BUDGET, HUB_READS), "GET", "/healthz /metrics"),
    **_requests_with_budget((*_READ_BUDGET, PAGES_BEING_MADE), "GET", "/evenings /evenings/{more}"),
    **_requests_with_budget(
        _READ_BUDGET, "GET", "/organiser /judge /table/{box} /games/{box} /games/{box}/{game}"
    ),
    **_requests_with_budget(
        _READ_BUDGET, "GET", "/event /event/league /event/{number} /event/{number}/here"
    ),
    **_requests_with_budget(
        _READ_BUDGET, "GET", "/event/{number}/tv /event/{number}/{kind} /event_paper.css"
    ),
    **_requests_with_budget(
        _READ_BUDGET, "GET", "/api/tables /api/limits /api/calls /api/events /api/events/names"
    ),
    **_requests_with_budget(
        _READ_BUDGET, "GET", "/api/events/{number} /api/events/{number}/text /season /api/season"
    ),
    **_requests_with_budget(
        _READ_BUDGET, "GET", "/api/events/{number}/bracket /api/events/{number}/mine"
    ),
    **_requests_with_budget(_READ_BUDGET, "GET", "/event/{number}/mine"),
    **_requests_with_budget(
        _CHANGE_BUDGET, "POST", "/api/boxes/{box} /api/calls/{box} /api/events /api/events/{number}"
    ),
    **_requests_with_budget(
        _CHANGE_BUDGET, "POST", "/api/events/{number}/here /api/events/{number}/people"
    ),
    **_requests_with_budget(_CHANGE_BUDGET, "POST", "/api/events/{number}/mine /api/season"),
}
"""The requests to a hub, by method and path pattern."""


def budget_of(requests: Requests, method: str, path: str | None) -> Budget:
    """The budget of a request. `path`: its path pattern; None if it matches none. A request that is
    not listed has the budget for changes if it is a POST, otherwise the budget for reading."""
    method = "GET" if method in ("HEAD", "OPTIONS") else method
    return requests.get((method, path or ""), _CHANGE_BUDGET if method == "POST" else _READ_BUDGET)


def rates_of(budget: Iterable[Limit], *per: LimitScope) -> tuple[Limit, ...]:
    """Returns those limits of the budget that are rates with one of these scopes."""
    return tuple(one for one in budget if one.per_s is not None and one.per in per)


# ---------------------------------------------------------------- rate limit
# A limit on a client's messages: a burst at once, and from then on a fixed rate.


class RateLimit:
    """Limits the rate of bytes, messages or lines: `burst` at once, then `per_s` each second. `now`
    is in monotonic seconds."""

    def __init__(self, burst: float, per_s: float, now: float) -> None:
        self._burst, self._per_s = burst, per_s
        self._left, self._at = burst, now

    def left(self, now: float) -> int:
        """Returns how many are allowed now; negative if too many were spent."""
        self._left = min(self._left + (now - self._at) * self._per_s, self._burst)
        self._at = now
        return int(self._left)

    def spend(self, count: int = 1) -> None:
        """Counts `count` units as spent, even if fewer were left."""
        self._left -= count


# ---------------------------------------------------------------- spending

MAX_SENDERS: Final = 4096
"""How many senders are counted at a time; the one that has been idle longest is forgotten first."""
MAX_AT_LIMIT: Final = 64


@dataclass(slots=True)
class LimitReached:
    """A limit that a client has reached. `whom`: the client's address or member; `times`: how often
    the limit was reached; `at`: when it was last reached, in seconds since 1970."""

    limit: Limit
    whom: str
    times: int
    at: float

    def as_json(self, who: str) -> Json:
        """The JSON for the organiser's page and /api/limits. `who`: the client's name for
        people."""
        limit = self.limit
        return {
            "limit": limit.name,
            "per": limit.per.value,
            "most": limit.most,
            "per_s": limit.per_s,
            "who": who,
            "box": self.whom if limit.per is LimitScope.MEMBER else None,
            "said": Sentence.made(limit.sentence, {"who": who}),
            "times": self.times,
            "at": self.at,
        }


class Spending:
    """Counts rates for a whole server. `clock` returns monotonic seconds, `wall` seconds since
    1970."""

    def __init__(self, clock: Clock = time.monotonic, wall: Clock = time.time) -> None:
        self._clock, self._wall = clock, wall
        self._spent: OrderedDict[tuple[str, str], RateLimit] = OrderedDict()
        self._at_limit: OrderedDict[tuple[str, str], LimitReached] = OrderedDict()

    def _rate(self, limit: Limit, whom: str) -> RateLimit:
        assert limit.per_s is not None, f"{limit.name} is no rate"
        key = limit.name, whom
        found = self._spent.get(key)
        if found is None:
            found = self._spent[key] = RateLimit(limit.most, limit.per_s, self._clock())
            if len(self._spent) > MAX_SENDERS:
                self._spent.popitem(last=False)
        self._spent.move_to_end(key)
        return found

    def spend(self, limit: Limit, whom: str) -> bool:
        """Spends one unit. Returns False, and spends nothing, if `whom` is at the limit."""
        rate = self._rate(limit, whom)
        if rate.left(self._clock()) < 1:
            self.note(limit, whom)
            return False
        rate.spend()
        return True

    def wait_s(self, limit: Limit, whom: str) -> float:
        """Spends one unit and returns how many seconds the caller has to wait before using it."""
        rate = self._rate(limit, whom)
        missing = 1 - rate.left(self._clock())
        rate.spend()
        if missing <= 0:
            return 0.0
        self.note(limit, whom)
        return missing / (limit.per_s or 1.0)

    def note(self, limit: Limit, whom: str) -> None:
        """Notes that `whom` has reached the limit."""
        key = limit.sentence or limit.name, whom
        found = self._at_limit.setdefault(key, LimitReached(limit, whom, 0, 0.0))
        found.times, found.at = found.times + 1, self._wall()
        self._at_limit.move_to_end(key)
        if len(self._at_limit) > MAX_AT_LIMIT:
            self._at_limit.popitem(last=False)

    def at_limit(self, called: Callable[[str], str], within_s: float) -> list[Json]:
        """Returns the clients that reached a limit within the last `within_s` seconds, the latest
        first. `called` returns the name of a member."""
        since = self._wall() - within_s
        return [
            one.as_json(called(one.whom) if one.limit.per is LimitScope.MEMBER else one.whom)
            for one in reversed(self._at_limit.values())
            if one.at >= since and one.limit.sentence
        ]


class PageSpending:
    """Counts the messages of one page. `budgets`: the budget for each kind of message, by its
    key."""

    def __init__(self, budgets: Mapping[str, Budget], clock: Clock) -> None:
        self._budgets, self._clock = budgets, clock
        self._spent: dict[str, RateLimit] = {}

    def spend(self, said: Json) -> bool:
        """Spends the budgets of all keys in the message; returns False if one is used up. Raises
        ValueError if part of the message has no budget, which our own pages never send."""
        limits: dict[str, Limit] = {}
        for key in said:
            if (budget := self._budgets.get(key)) is None:
                raise ValueError("that is no message of a page")
            limits |= {one.name: one for one in rates_of(budget, LimitScope.PAGE)}
        enough = True
        for one in limits.values():
            enough &= self._spend(one)
        return enough

    def _spend(self, limit: Limit) -> bool:
        now = self._clock()
        rate = self._spent.get(limit.name)
        if rate is None:
            rate = self._spent[limit.name] = RateLimit(limit.most, limit.per_s or 0.0, now)
        enough = rate.left(now) >= 1
        rate.spend()
        return enough
