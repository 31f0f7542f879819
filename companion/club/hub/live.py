"""Keeps the hub's open pages up to date, each by a WebSocket: /live for all tables, /live/BOX for
one, /live/tv, /live/organiser.

The messages are those of a table's pages (web/server.py). The first is `{"n": 0, "hello": WORD}`,
answered by `{"n": 0, "access": "watch", "role": "viewer"}`. Every later one is answered with its
number, so that a page notices a dead connection within seconds. A page where somebody types the
code sends `{"n": 0, "digits": "abcd …"}` instead of a hello, and gets the access code back. These
pages can't enter anything.
"""

import asyncio
import json
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from secrets import token_hex
from typing import Final, Protocol

from aiohttp import web

from companion.club.hub.organiser import OrganiserFeed
from companion.club.hub.page_responses import language_of
from companion.club.hub.server import ClubRole, Hub, visit_of
from companion.club.hub.store import MEMBER
from companion.club.hub.tables import NEEDS_NEWER, ClubTable
from companion.core.budgets import HUB_PAGE_MESSAGES, MESSAGE, PAGES_OF_HUB, PageSpending
from companion.core.json_text import PAGE, is_whole
from companion.core.values import Json
from companion.core.words import Sentence
from companion.presentation.club_words import CLUB_WORDS
from companion.presentation.language import ENGLISH, Language, with_present_names
from companion.presentation.sayings import fixed_words
from companion.record.people.people import People
from companion.web.access import WRONG_CODE_PAUSE_S, AccessRules
from companion.web.behind_proxy import prefix_of
from companion.web.broadcast import Broadcast, Versions, snapshot_of_game
from companion.web.connection_limits import has_shaken_hands
from companion.web.files import STATIC
from companion.web.key_pacing import TooFastError
from companion.web.panels import GAME_PANELS, PageGames
from companion.web.viewer import (
    CLOSE_WITHIN_S,
    MALFORMED,
    NOT_ALLOWED,
    TOO_MANY,
    Viewer,
    read_message,
    spend,
)

# ---------------------------------------------------------------- all tables at a glance

COMPACT: Final = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
MOST_TABLES: Final = 10_000
"""The most tables in one answer."""
SAME_FOR_S: Final = 1.0
"""Seconds for which a message is sent again unchanged, although the ages in it are out of date by
then."""
HIDDEN_KEYS: Final = ("moment", "sealed", "unsealed")
"""The keys of a table's JSON that the page of all tables doesn't show."""
OPTIONAL_KEYS: Final = ("forked", "fault", "claim", "to_move", "won")
"""Keys that are left out if their value is empty or false."""
LONGEST_REST_S: Final = 3600.0
"""Seconds after a table's last entry during which a TV still turns to it."""


def overview_json(table: ClubTable, moment: Json | None, now: float) -> Json:
    """Returns one table's entry for the page of all tables. Times are given as seconds before
    `now`, as in /api/tables. `moment`: the game on the table, in the page's language (None if there
    is none). There may be hundreds of tables, so a key of OPTIONAL_KEYS is left out if its value is
    empty."""
    told = {key: value for key, value in table.json(now).items() if key not in HIDDEN_KEYS}
    told["fault"] = "newer" if table.fault == NEEDS_NEWER else table.fault
    if moment is None or moment["game"] is None:
        return _without_empty({**told, "title": None, "sides": []})
    claim = moment["claim"]
    return _without_empty(
        {
            **told,
            "title": moment["game"]["title"],
            "where": moment["where"] and moment["where"]["words"],
            "sides": sides_of(moment),
            "asked": moment["asked"]["words"],
            "claim": claim["charge"]["words"] if claim is not None and claim["open"] else None,
        }
    )


def sides_of(moment: Json) -> list[Json]:
    """The sides of a game, each with its players and score: partners together, any other seat
    alone."""
    seats = {seat["seat"]: seat for seat in moment["seats"]}
    together = [[seats[name] for name in side] for side in moment["sides"]]
    together = together or [[seat] for seat in seats.values()]
    return [
        _without_empty(
            {
                "players": [
                    _without_empty(
                        {name: one[name] for name in ("shown", "colour", "sign", "to_move")}
                    )
                    for one in side
                ],
                "score": side[0]["score"],
                "won": side[0]["won"],
            }
        )
        for side in together
    ]


def _without_empty(told: Json) -> Json:
    return {key: value for key, value in told.items() if value or key not in OPTIONAL_KEYS}


def tables_for_tv(tables: Iterable[ClubTable], now: float) -> list[ClubTable]:
    """The tables that a TV turns between: those with a game that can be shown and an entry within
    the last hour. If there is no such table, all tables with a game that can be shown."""
    shown = [one for one in tables if one.state == MEMBER and one.moment and one.moment["game"]]
    recent = [one for one in shown if now - (one.grown_at or 0.0) < LONGEST_REST_S]
    return recent or shown


class Overview:
    """All tables at a glance, as messages for pages. A message has everything that is new since the
    message with an earlier `number`."""

    def __init__(self, hub: Hub, version: Versions) -> None:
        self._hub, self._version = hub, version
        self._known: dict[str, ClubTable] = {}
        self._changed: dict[str, int] = {}
        self._gone: dict[str, int] = {}
        """The boxes that are no longer shown, each with the number at which it disappeared."""
        self._heard: dict[str, int] = {}
        self._texts: dict[tuple[int, str], tuple[float, str]] = {}
        """The messages with the time when they were made, by the number since which they report
        changes and the name of their language."""
        self.number = 0
        """Increases by one whenever the tables are read again."""
        self.began = token_hex(4)
        """Distinguishes the numbers of this process from those of one before it."""

    def update(self) -> None:
        """Finds out which of the hub's tables have changed since the last call."""
        self.number += 1
        self._texts = {}
        now = self._hub.clock()
        tables = [one for one in self._hub.tables.current() if not one.is_ghost(now)]
        known = dict[str, ClubTable]()
        for box in self._known.keys() - {one.box for one in tables}:
            self._changed.pop(box, None)
            self._heard.pop(box, None)
            self._gone[box] = self.number
        for table in tables:
            self._gone.pop(table.box, None)
            before = self._known.get(table.box)
            if before is None or replace(before, heard_at=table.heard_at) != table:
                self._changed[table.box] = self.number
            if before is None or before.heard_at != table.heard_at:
                self._heard[table.box] = self.number
            known[table.box] = table
        self._known = known

    def tables_json(self, query: Mapping[str, str], language: Language) -> Json:
        """Returns the answer to /api/tables with this query. Raises ValueError if a number in it
        can't be read."""
        began, _, number = query.get("since", "").partition("-")
        since = int(number) if began == self.began else -1
        first, most = int(query.get("from", "1")), int(query.get("most", MOST_TABLES))
        if first < 1 or not 0 < most <= MOST_TABLES:
            raise ValueError("no such part of the tables")
        now = self._hub.clock()
        found = [
            one
            for one in self._hub.tables.current()
            if self._changed.get(one.box, 0) > since and not one.is_ghost(now)
        ]
        told: Json = {"club": self._hub.name, "now": f"{self.began}-{self.number}"}
        if since >= 0:
            told["gone"] = [box for box, at in self._gone.items() if at > since]
            told["heard"] = self._heard_s(since, now)
        if len(found) > first - 1 + most:
            told["next"] = first + most
        part = found[first - 1 : first - 1 + most]
        if "glance" in query:
            tables = [overview_json(one, one.moment_in(language), now) for one in part]
            translated: Json = language.translated({**told, "tables": tables})
            return translated
        return {**told, "tables": [one.json(now) for one in part]}

    def _heard_s(self, since: int, now: float) -> dict[str, float]:
        """For the boxes whose tables have not changed otherwise, the seconds since they were last
        heard."""
        return {
            box: round(max(now - (self._known[box].heard_at or 0.0), 0.0), 1)
            for box, at in self._heard.items()
            if at > since and self._changed[box] <= since
        }

    def message(self, since: int, language: Language = ENGLISH) -> str:
        """The message with everything that has changed since the number `since`; -1: everything."""
        kind = since, language.name
        at, text = self._texts.get(kind, (0.0, ""))
        if not text or time.monotonic() - at > SAME_FOR_S:
            text = self._message(since, language)
            self._texts[kind] = time.monotonic(), text
        return text

    def _message(self, since: int, language: Language) -> str:
        now, known = self._hub.clock(), self._known
        tables = [
            overview_json(known[box], known[box].moment_in(language), now)
            for box, at in self._changed.items()
            if at > since
        ]
        told = {
            "version": self._version(language), "club": self._hub.name, "tables": tables,
            "heard": self._heard_s(since, now),
            "gone": [box for box, at in self._gone.items() if at > since >= 0],
        }  # fmt: skip
        return COMPACT(language.translated(told))


class OverviewFeed:
    """Sends updates to a page that shows all tables."""

    def __init__(self, overview: Overview, language: Language = ENGLISH) -> None:
        self._overview, self._language, self._sent = overview, language, -1

    def new_messages(self) -> Iterator[str]:
        """Yields a message with the changes since the last one to this page, if there are any."""
        if self._sent != self._overview.number:
            before, self._sent = self._sent, self._overview.number
            yield self._overview.message(before, self._language)

    def handle_message(self, message: Json) -> None:
        """Ignores the message: this page never sends a request."""


# ---------------------------------------------------------------- feeds
# The messages to pages of tables: about one table, in the form that the table's own page gets, or,
# for a TV, about one table after the other.
#
# Each text is made once, in the event loop, for all pages that show the same table. A slow page
# gets only the newest text; a page that reconnects gets everything again.


TURN_S: Final = 20.0
"""How long a TV shows a table before it turns to the next."""
LONGEST_CLAIM_S: Final = 90.0
"""Seconds after the last entry during which a TV stays at a table with an open call."""
POLL_S: Final = 5.0
"""Seconds between two updates of how long a box has been silent, on the page of its table."""


class Feed(Protocol):
    """The source of the messages for one page."""

    def new_messages(self) -> Iterator[str]:
        """Returns the texts that the page has not received yet."""
        ...

    def handle_message(self, message: Json) -> None:
        """Handles a message from the page. Raises ValueError if our pages never send it."""
        ...


# ---------------------------------------------------------------- one table


class TableBroadcasts:
    """The tables that somebody watches, with the same messages as for the table's own pages."""

    def __init__(self, hub: Hub, games: PageGames, version: Versions) -> None:
        self.hub, self.games, self._version = hub, games, version
        self._shown: dict[str, tuple[ClubTable, Broadcast]] = {}
        self._no_game = Broadcast(STATIC, games, versions=version)
        self._no_game.update(snapshot_of_game(0, None, People()))

    def update(self, boxes: Iterable[str]) -> None:
        """Sends the changes at the tables of these boxes to the pages that show them."""
        now = self.tables()
        for box in self._shown.keys() - now.keys():
            del self._shown[box]  # the member was expelled
        for box in boxes:
            if box in self._shown and box in now:
                before, broadcast = self._shown[box]
                if before.moment is not now[box].moment or _table_header(before) != _table_header(
                    now[box]
                ):
                    self._show(now[box], broadcast)

    def tables(self) -> Mapping[str, ClubTable]:
        """All tables of the club, by their boxes."""
        return {one.box: one for one in self.hub.tables.current()}

    def broadcast(self, box: str) -> Broadcast | None:
        """The broadcast of a box's table, created at the first call; None if there is no such
        box."""
        if box not in self._shown and (table := self.tables().get(box)) is not None:
            broadcast = Broadcast(STATIC, self.games, versions=self._version)
            self._show(table, broadcast)
        found = self._shown.get(box)
        return found[1] if found else None

    def message(self, box: str, viewer: Viewer) -> str | None:
        """The message for a `viewer` of a box's table. If there is no such box, or its table can't
        be shown, the message explains that. None if the tables have not been read yet."""
        broadcast = self.broadcast(box)
        if broadcast is None:
            if not self.hub.tables.are_read:
                return None
            return self._fault_message(viewer, box, box, fixed_words(CLUB_WORDS, "club.no-box"))
        table = self._shown[box][0]
        if table.fault is not None:
            newer = table.fault == NEEDS_NEWER
            fault = fixed_words(CLUB_WORDS, "club.wait-newer") if newer else table.fault
            return self._fault_message(viewer, box, table.name, fault)
        return broadcast.message(viewer.shape, proof=viewer.proof, language=viewer.language)

    def silence_words(self, box: str, language: Language) -> str:
        """Says in words, in that `language`, how long a box has been silent. Empty if it was heard
        recently (ClubTable.is_heard), or never."""
        table = self.tables().get(box)
        now = self.hub.clock()
        if table is None or table.heard_at is None or table.is_heard(now):
            return ""
        seconds = now - table.heard_at
        unit, kind = next(one for one in _UNITS if seconds < 120 * one[0] or one is _UNITS[-1])
        key, number = f"club.unheard-{kind}", int(seconds // unit)
        return language.translate(Sentence.made(CLUB_WORDS[key], {"number": number}, key))

    def no_game_message(self, viewer: Viewer) -> str | None:
        """The message for a `viewer` while no table has a game; None if the viewer's page shows no
        drawing."""
        if not viewer.shape:
            return None
        return self._no_game.message(viewer.shape, language=viewer.language)

    def _fault_message(self, viewer: Viewer, box: str, name: str, fault: str) -> str:
        nothing = {"drawing": None, "moment": None, "keys": None}
        table = {"box": box, "name": name, "fault": fault}
        version = self._version(viewer.language)
        return viewer.language.json({"version": version, "table": table, **nothing})

    def _show(self, table: ClubTable, broadcast: Broadcast) -> None:
        broadcast.more = _table_header(table)
        moment = self.hub.tables.newest_moment(table.box) if table.fault is None else None
        known = self.hub.tables.people_at(table.box)
        broadcast.update(snapshot_of_game(table.row, moment, known))
        self._shown[table.box] = table, broadcast


def _table_header(table: ClubTable) -> Json:
    """The parts of a message about a table other than its game."""
    names = {"box": table.box, "name": table.name}
    return {"table": names, "sealed": table.seal_words()}


_UNITS: Final = ((1, "seconds"), (60, "minutes"), (3600, "hours"))


class TableFeed:
    """Sends updates to a page that shows one table."""

    def __init__(self, shown: TableBroadcasts, viewer: Viewer, box: str) -> None:
        self._shown, self._viewer = shown, viewer
        self.box = box
        self._sent: str | None = None
        self._silence = ""
        self._left: int | None = None
        self._answers: deque[str] = deque()

    def new_messages(self) -> Iterator[str]:
        """Yields the answers to the page's requests, and the table if it has changed."""
        while self._answers:
            yield self._answers.popleft()
        if self._viewer.shape:
            message = self._shown.message(self.box, self._viewer)
            if message and message != self._sent:
                self._sent = message
                yield message

    def refresh(self) -> None:
        """Updates how long the box has been silent and how many seconds are left of its round, and
        wakes the page if they changed."""
        silence = self._shown.silence_words(self.box, self._viewer.language)
        if silence != self._silence:
            self._silence = silence
            self._answers.append(json.dumps({"silent": silence}))
            self._viewer.news.set()
        left = self._shown.hub.round_left_s(self.box)
        if left is not None or self._left is not None:
            self._left = left
            self._answers.append(json.dumps({"left_s": left}))
            self._viewer.news.set()

    def handle_message(self, message: Json) -> None:
        """Answers a request for a panel; ignores any other message. Raises ValueError if a hub has
        no such panel."""
        if "panel" not in message:
            return
        asked = message["panel"]
        if not isinstance(asked, dict) or asked.get("name") not in GAME_PANELS:
            raise ValueError("there is nothing of that kind to be seen")
        if not is_whole(asked.get("before", 0), PAGE):
            raise ValueError("before which entry?")
        broadcast = self._shown.broadcast(self.box)
        snapshot = broadcast.snapshot if broadcast else None
        told: Json = {}
        language = self._viewer.language
        if snapshot is not None and snapshot.journal is not None:
            language = with_present_names(language, snapshot.journal, snapshot.known)
            told = GAME_PANELS[asked["name"]](snapshot, asked, self._shown.games, language) or {}
        told.pop("settings", None)  # the box's
        row = snapshot.row if snapshot else None
        self._answers.append(language.json({"panel": {"name": asked["name"], "row": row, **told}}))
        self._viewer.news.set()


class TvFeed(TableFeed):
    """Sends updates to a TV that rotates between the tables and the board of the current event."""

    def __init__(self, shown: TableBroadcasts, viewer: Viewer) -> None:
        super().__init__(shown, viewer, "")
        self._position: Json = {"number": 0, "all": 0}
        self._board: int | None = None
        """The event whose board is shown; None while a table is shown."""
        self._announced: Json = {}

    def refresh(self) -> None:
        """Does what TableFeed.refresh does, and also sends an event's calls and the time left of
        its break, if they changed."""
        super().refresh()
        announced = self._shown.hub.announced()
        if announced != self._announced:
            self._announced = announced
            self._answers.append(json.dumps({"announced": announced}))
            self._viewer.news.set()

    def show_next(self) -> None:
        """Shows the next table or the event's board, unless _should_stay_at keeps the TV here."""
        now = self._shown.hub.clock()
        tables = tables_for_tv(self._shown.hub.tables.current(), now)
        event = self._shown.hub.event_shown()
        places: list[str | int] = [one.box for one in tables]
        places += [] if event is None else [event]
        shown = self.box if self._board is None else self._board
        at = places.index(shown) if shown in places else -1
        if 0 <= at < len(tables) and _should_stay_at(tables[at], now):
            return
        at = (at + 1) % len(places) if places else -1
        found = places[at] if places else ""
        board, box = (found, self.box) if isinstance(found, int) else (None, found)
        told = {"number": at + 1, "all": len(places)}
        if (box, board, told) != (self.box, self._board, self._position):
            self.box, self._position = box, told
            more = {"board": board} if board != self._board else {}
            self._board = board
            self._answers.append(json.dumps({"turn": told, **more}))
            self.refresh()
            self._viewer.news.set()

    def new_messages(self) -> Iterator[str]:
        """The new messages of the shown table, or the message that no table can be shown."""
        if not self.box and self._board is None:
            self.show_next()
        if self.box:
            yield from super().new_messages()
            return
        while self._answers:
            yield self._answers.popleft()
        if nothing := self._shown.no_game_message(self._viewer):
            yield nothing


def _should_stay_at(table: ClubTable, now: float) -> bool:
    """Whether a TV stays at this table because a call is open there, whose outcome everybody wants
    to see."""
    claim = table.moment and table.moment["claim"]
    return bool(claim and claim["open"]) and now - (table.grown_at or 0.0) < LONGEST_CLAIM_S


# ---------------------------------------------------------------- live


class LivePages:
    """All open pages of a hub. All methods belong to its event loop."""

    def __init__(self, hub: Hub, games: PageGames, version: Versions) -> None:
        self._hub = hub
        self._rules = AccessRules(hub.codes, open_to_all=True)
        self._overview = Overview(hub, version)
        self._shown = TableBroadcasts(hub, games, version)
        self._viewers: dict[web.WebSocketResponse, Viewer] = {}
        self._closing_tasks: set[asyncio.Task[bool]] = set()
        hub.listeners.add(self._wake_pages)

    def add_to(self, app: web.Application) -> None:
        """Adds the routes of the pages."""
        app.router.add_get("/api/tables", self._send_tables)
        app.router.add_get("/live", self._serve)
        app.router.add_get("/live/{what:tv|organiser|[0-9a-f]{16}}", self._serve)
        app.on_startup.append(self._start)
        app.on_shutdown.append(self._close)

    async def _start(self, _app: web.Application) -> None:
        self._overview.update()

    async def _send_tables(self, request: web.Request) -> web.Response:
        if self._hub.role_of_request(request) is None:
            return web.json_response({"error": "this needs an access code"}, status=401)
        visit_of(request).keep_open()  # the answer may take long right after the hub's start
        await self._hub.refresh()
        language = language_of(request)
        try:
            found = self._overview.tables_json(request.query, language)
        except ValueError:
            why = f"from and most are numbers from 1 to {MOST_TABLES}"
            return web.json_response({"error": why}, status=422)
        response = web.json_response(found, dumps=COMPACT)
        response.enable_compression()
        return response

    async def _close(self, _app: web.Application) -> None:
        for page in [*self._viewers]:
            await page.close(code=1001)

    def _wake_pages(self, boxes: tuple[str, ...]) -> None:
        self._overview.update()
        self._shown.update(boxes)
        self.close_expired_pages()
        for viewer in self._viewers.values():
            viewer.news.set()

    def close_expired_pages(self) -> None:
        """Closes the pages whose access code is no longer valid."""
        for viewer in self._viewers.values():
            if not viewer.gone and self._hub.role(viewer.code) is None:
                self._close_page(viewer, NOT_ALLOWED)

    def _close_page(self, viewer: Viewer, code: int) -> None:
        viewer.gone = True
        viewer.news.set()
        goodbye = asyncio.create_task(viewer.page.close(code=code))
        self._closing_tasks.add(goodbye)
        goodbye.add_done_callback(self._closing_tasks.discard)

    # ------------------------------------------------------------ one page

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        if not self._rules.is_own_origin(request.headers.get("Origin"), request.host):
            raise web.HTTPForbidden(text="Only the hub's own pages may look.\n")
        page = web.WebSocketResponse(
            timeout=CLOSE_WITHIN_S, max_msg_size=MESSAGE.most, heartbeat=20.0, compress=False
        )
        if not await has_shaken_hands(page, request):
            return web.Response()
        try:
            if found := await self._admit(page, language_of(request)):
                visit_of(request).keep_open()
                await self._feed_page(request, *found)
        except ConnectionError:
            pass  # the page has left
        finally:
            await page.close()
        return page

    async def _admit(
        self, page: web.WebSocketResponse, language: Language
    ) -> tuple[Viewer, ClubRole] | None:
        """The viewer with the role that its access code gives. Closes the page and returns None if
        its code isn't valid or there are too many pages."""
        try:
            hello = read_message(await page.receive())
            viewer = Viewer(page, hello, language)
        except ValueError:
            await page.close(code=MALFORMED)
            return None
        word = normalise_code(hello["digits"]) if "digits" in hello else hello.get("hello")
        role = self._hub.role(word)
        if role is None:
            await asyncio.sleep(WRONG_CODE_PAUSE_S)
            await page.close(code=NOT_ALLOWED)
        elif "digits" in hello:
            await page.send_json({"n": hello["n"], "word": word})
            await page.close()
        elif not self._make_room(role):
            self._hub.spending.note(PAGES_OF_HUB, "")
            await page.close(code=TOO_MANY)
        else:
            viewer.code, viewer.plays = str(word), role is not ClubRole.VIEWER
            await page.send_json({"n": hello["n"], "access": "watch", "role": role.value})
            return viewer, role
        return None

    def _make_room(self, role: ClubRole) -> bool:
        """Whether one more page may connect; a page of the organiser or a judge replaces one of a
        viewer if necessary."""
        if len(self._viewers) < PAGES_OF_HUB.most:
            return True
        watching = [one for one in self._viewers.values() if not (one.plays or one.gone)]
        if role is ClubRole.VIEWER or not watching:
            return False
        self._close_page(watching[0], TOO_MANY)
        return True

    async def _feed_page(self, request: web.Request, viewer: Viewer, role: ClubRole) -> None:
        feed, more = self._feed_for(request, viewer, role), list[asyncio.Task[None]]()
        if isinstance(feed, TvFeed):
            more.append(asyncio.create_task(_keep_turning(feed)))
        if isinstance(feed, TableFeed):
            more.append(asyncio.create_task(_keep_showing_silence(feed)))
        if isinstance(feed, OrganiserFeed):
            more.append(asyncio.create_task(feed.refresh()))
        self._viewers[viewer.page] = viewer
        more.append(asyncio.create_task(_send_news(viewer, feed)))
        try:
            await _listen(viewer, feed)
        finally:
            del self._viewers[viewer.page]
            for task in more:
                task.cancel()
            await asyncio.gather(*more, return_exceptions=True)

    def _feed_for(self, request: web.Request, viewer: Viewer, role: ClubRole) -> Feed:
        match request.match_info.get("what", ""):
            case "":
                return OverviewFeed(self._overview, viewer.language)
            case "tv":
                return TvFeed(self._shown, viewer)
            case "organiser":
                if role is not ClubRole.ORGANISER:
                    return OverviewFeed(self._overview, viewer.language)
                prefix = prefix_of(request, self._hub.prefix)
                origin = f"{request.headers['Origin']}{prefix}"
                return OrganiserFeed(self._hub, viewer, origin, self.close_expired_pages)
            case box:
                return TableFeed(self._shown, viewer, box)


def normalise_code(typed: object) -> str:
    """An access code as typed by a person, normalised: lower case, without spaces and
    punctuation."""
    text = typed if isinstance(typed, str) else ""
    return "".join(one for one in text.lower() if one.isalnum())


async def _keep_turning(feed: TvFeed) -> None:
    while True:
        await asyncio.sleep(TURN_S)
        feed.show_next()


async def _keep_showing_silence(feed: TableFeed) -> None:
    while True:
        feed.refresh()
        await asyncio.sleep(POLL_S)


async def _send_news(viewer: Viewer, feed: Feed) -> None:
    """Sends the page each new text until it leaves; a slow page skips some of them."""
    with suppress(ConnectionError):
        while not viewer.gone:
            viewer.news.clear()
            for text in feed.new_messages():
                await viewer.page.send_str(text)
            await viewer.news.wait()


async def _listen(viewer: Viewer, feed: Feed) -> None:
    """Handles all messages of a page, until it leaves or sends one that our pages never send."""
    page, now = viewer.page, asyncio.get_running_loop().time
    spending = PageSpending(HUB_PAGE_MESSAGES, now)
    try:
        async for message in page:
            if viewer.gone:
                break
            said: Json = read_message(message)
            spend(spending, said)
            viewer.set_wants(said)
            feed.handle_message(said)
            with suppress(ConnectionError):
                await page.send_json({"n": said["n"]})
    except ValueError:
        await page.close(code=MALFORMED)
    except TooFastError:
        await page.close(code=TOO_MANY)
