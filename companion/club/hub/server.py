"""The hub's server: /club for boxes, and /api/tables, /healthz and /metrics for people and
programs.

A request to see something needs an access code: `Authorization: Bearer WORD`, or `?token=WORD`. The
codes are stored like a table's (web/access.py): `keep` is the organiser's, `play` a judge's for
this evening, `watch` a viewer's. Boxes need no access code, only their keys (connections.py).

`add_pages` adds pages before the server starts. They read `Hub.tables`, and `Hub.listeners`
notifies them of the boxes that have something new.
"""

import asyncio
import logging
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from enum import Enum
from functools import partial
from typing import Any, Final

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from sqlalchemy import func, select

from companion.club.hub.chains import NO_SEAL, find_forks
from companion.club.hub.connections import BoxConnection, HubServices
from companion.club.hub.database import (
    Committer,
    Database,
    UnavailableError,
    boxes,
    chains,
    clubs,
    joinings,
    keep_listening,
    note_hub,
    send_by_other_hubs,
)
from companion.club.hub.folder import HubFolder
from companion.club.hub.members import JOIN_WITHIN_S, JoinRequests, Member, Members
from companion.club.hub.opened_tables import OpenedTables
from companion.club.hub.page_responses import language_of
from companion.club.hub.store import MEMBER, HubStore
from companion.club.hub.tables import Tables
from companion.core.budgets import BOX_CONNECTIONS, HUB_REQUESTS, REQUEST_BODY, Spending
from companion.core.clock import Clock
from companion.core.club import BoxName
from companion.core.errors import EntryError
from companion.core.html import rooted_at
from companion.core.json_text import read_json
from companion.core.values import Json
from companion.core.words import phrase
from companion.presentation.game import PresentedGames
from companion.web.access import Access, AccessRules, Codes, bearer_token
from companion.web.behind_proxy import prefix_of, without_prefix
from companion.web.connection_limits import (
    ConnectionLimits,
    Visit,
    over_budget,
    set_security_headers,
    with_known_http_version,
)

# ---------------------------------------------------------------- metrics
# The hub's figures for monitoring, as Prometheus reads them.


class Metrics:
    """The hub's figures for Prometheus."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.batches = Counter(
            "companion_hub_batches", "Batches that were committed", registry=self._registry
        )
        self._gauges = {
            name: Gauge(f"companion_hub_{name}", meaning, registry=self._registry)
            for name, meaning in (
                ("clubs", "Clubs that push on to this hub, a federation's"),
                ("boxes", "Boxes that are members"),
                ("joining", "Boxes that ask to join"),
                ("forks", "Boxes of which the organiser has to choose a chain"),
                ("rows", "Rows that are kept"),
                ("connected", "Boxes that are connected to this hub"),
            )
        }

    def text(self, found: Json, connected: int) -> bytes:
        """The figures in Prometheus's text format: `found` is the result of `health`, `connected`
        the number of boxes connected to this hub."""
        for name, number in {**found, "connected": connected}.items():
            self._gauges[name].set(number)
        return generate_latest(self._registry)


def health(database: Database, club: str, now: float) -> Json:
    """Returns the number of boxes, rows, forks and requests to join, and of other clubs at a
    federation's hub. A club's box counts once it has sealed something. Raises UnavailableError."""
    sealed = chains.c.club == boxes.c.club, chains.c.box == boxes.c.box, chains.c.seal != NO_SEAL
    known = (boxes.c.club == club) | select(chains.c.chain).where(*sealed).exists()
    mine = boxes.c.box.not_in(select(clubs.c.club)) & known
    since = joinings.c.asked_at >= now - JOIN_WITHIN_S
    other = select(func.count()).select_from(clubs).where(clubs.c.club != club)
    with database.reading() as db:
        members = select(func.count()).select_from(boxes).where(mine, boxes.c.state == MEMBER)
        asking = select(func.count()).select_from(joinings).where(joinings.c.club == club, since)
        # The number of a chain's head is its number of rows, so that a million rows need not be
        # counted.
        newest = func.coalesce(chains.c.came_seq, chains.c.seq)
        held = select(func.sum(newest - chains.c.first + 1))
        return {
            "clubs": int(db.execute(other).scalar_one()),
            "boxes": int(db.execute(members).scalar_one()),
            "joining": int(db.execute(asking).scalar_one()),
            "forks": len(find_forks(db, club)),
            "rows": int(db.execute(held).scalar() or 0),
        }


# ---------------------------------------------------------------- server

_log = logging.getLogger("asyncio")
POLL_S: Final = 1.0
"""Seconds between two checks for rows that other hubs on the same database have stored."""
HEAR_S: Final = 10.0
"""Seconds between two updates of which boxes are connected."""
MAX_REMARKS: Final = 100


class ClubRole(Enum):
    """What the holder of an access code may do; the organiser may do everything."""

    VIEWER = "viewer"
    JUDGE = "judge"
    ORGANISER = "organiser"


class Hub:
    """A running hub. All methods belong to its event loop."""

    def __init__(
        self,
        folder: HubFolder,
        database: Database,
        codes: Codes,
        games: PresentedGames,
        clock: Clock = time.time,
    ) -> None:
        self.clock, self.codes, self.name, self.games = clock, codes, folder.name, games
        self.store = HubStore(database, folder.keys, clock)
        self.spending = Spending(wall=clock)
        """How much of each budget (core/budgets.py) is used, and which addresses have reached a
        limit."""
        self.members = Members(database, self.store.club, clock)
        self.tables = Tables(database, self.store.club, games, clock, folder.keep_names_months)
        self.joinings = JoinRequests(self.members, self.spending)
        self.committer = Committer()
        self.listeners: set[Callable[[tuple[str, ...]], None]] = set()
        """Callbacks that are called with the boxes that have new rows."""
        self.opened_tables: OpenedTables | None = None
        """The tables that the hub opens itself; None if it opens none."""
        self.greetings: list[Callable[[str], Awaitable[Iterable[Json]]]] = []
        """Callbacks that get the identity of a box that has just connected, and return messages for
        it."""
        self.renumbered: Callable[[], Awaitable[None]] = _do_nothing
        """Called after a box's table number has changed or been removed."""
        self.round_left_s: Callable[[str], int | None] = lambda _: None
        """Returns the seconds left of the round at a box's table; None if no clock runs there."""
        self.event_shown: Callable[[], int | None] = lambda: None
        """Returns the number of the event that is being played now; None if there is none."""
        self.announced: Callable[[], Json] = lambda: {}
        """Returns what TVs show above everything else: an event's calls and its break."""
        self.remarks: deque[tuple[float, str]] = deque(maxlen=MAX_REMARKS)
        """Lines for the organiser, the newest last, each with the time at which it was added."""
        self.connections: dict[str, BoxConnection] = {}
        """The boxes that are connected to this hub, each with its newest connection."""
        self._box_connections: dict[str, list[BoxConnection]] = {}
        """All connections of each box, the oldest first."""
        self.address = ""
        """The address at which boxes reach this hub; empty if boxes aren't sent it."""
        self.prefix = ""
        """The path that all addresses begin with; see web/behind_proxy.py."""
        self._addresses: list[str] = []
        self._database = database
        self._limits = ConnectionLimits(self.spending.note)
        self._rows_came = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._greeting_tasks: set[asyncio.Task[None]] = set()
        self._has_read = False
        self._metrics = Metrics()

    # ------------------------------------------------------------ running

    def app(self, add_pages: Callable[[web.Application, "Hub"], None]) -> web.Application:
        """The hub's web application, with the pages that `add_pages` gives it, ready to be run."""
        app = web.Application(middlewares=[self._middleware], client_max_size=REQUEST_BODY.most)
        app.on_response_prepare.append(_set_security_headers)
        app.on_startup.append(self._start)
        app.on_shutdown.append(self._stop)
        app.router.add_get("/club", self._serve_box)
        app.router.add_post("/api/boxes/{box:[0-9a-z]{1,16}}", self._send_box_name)
        app.router.add_get("/healthz", self._send_health)
        app.router.add_get("/metrics", self._send_metrics)
        add_pages(app, self)
        return app

    async def prepare(self, runner: web.AppRunner) -> Callable[[], asyncio.Protocol]:
        """Sets up the runner, and returns a factory that makes a Visit for each connection, with
        the connection's limits."""
        await runner.setup()
        server, loop = runner.server, asyncio.get_running_loop()
        assert server is not None, "it was set up"
        server.request_factory = with_known_http_version(
            without_prefix(server.request_factory, self.prefix)
        )
        return lambda: Visit(self._limits, server, loop=loop, access_log=None)

    async def _start(self, _app: web.Application) -> None:
        background = (
            self._keep_reading(),
            self._keep_noting_boxes(),
            keep_listening(
                self._database, self.store.club, self._rows_came.set, self.send_if_connected
            ),
        )
        self._tasks = [asyncio.create_task(one) for one in background]
        if self.opened_tables is not None:
            self.opened_tables.start()

    async def _stop(self, _app: web.Application) -> None:
        self._limits.end()
        if self.opened_tables is not None:
            await self.opened_tables.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.committer.close()

    async def _keep_reading(self) -> None:
        """Reads new rows: at once if a box pushed them to this hub, else within POLL_S."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await self._rows_came.wait()
            self._rows_came.clear()
            began = time.process_time()
            try:
                await self.refresh()
            except UnavailableError as error:
                self.remark(error.why)
                await asyncio.sleep(POLL_S)
            except Exception:  # whatever happened, the next rows can be read
                _log.exception("the tables can't be read")
                await asyncio.sleep(POLL_S)
            # Requests from boxes that push a whole evening come before pages. Only this process's
            # own time is measured: other programs on a busy machine are no reason to wait.
            await asyncio.sleep(min((time.process_time() - began) * 2, POLL_S))

    async def refresh(self) -> None:
        """Reads all new rows, and notifies the pages whose tables have changed. Raises
        UnavailableError."""
        new = await self.committer.read(self.tables.refresh)
        if new or not self._has_read:
            self._has_read = True
            self._extend_judge_code()
        if new:
            for listener in [*self.listeners]:
                listener(new)

    def _extend_judge_code(self) -> None:
        """Extends the judge's code, which is valid for one evening, whenever rows have arrived."""
        tables = self.tables.current()
        newest = max((one.grown_at for one in tables if one.grown_at), default=None)
        self.codes.note_row(sum(one.row for one in tables), newest)

    async def _keep_noting_boxes(self) -> None:
        """Stores regularly that this hub is running and which boxes are connected, and sends boxes
        the addresses of all hubs."""
        while True:
            with suppress(UnavailableError):
                if self.address and self._database.is_shared:
                    note = partial(
                        note_hub, self._database, self.store.club, self.address, self.clock
                    )
                    await self._send_hubs(await self.committer.change(note))
                heard = partial(self.store.note_heard, self.store.club, *self.connections)
                await self.committer.change(heard)
            await asyncio.sleep(HEAR_S)

    async def _send_hubs(self, addresses: list[str]) -> None:
        if {*addresses} != {*self._addresses}:
            self._addresses = addresses
            for box in [*self.connections]:
                await self.send_if_connected(box, {"hubs": addresses})

    # ------------------------------------------------------------ boxes

    def remark(self, line: str) -> None:
        """Stores a line for the organiser and prints it on stderr, unless it repeats a line of the
        last minute."""
        now = self.clock()
        if not any(said == line and now - at < 60 for at, said in self.remarks):
            self.remarks.append((now, line))
            print(line, file=sys.stderr, flush=True)

    async def send_to_box(self, box: str, message: Json) -> None:
        """Sends a box a message such as {"line": "…"} for its display, through another hub if the
        box isn't connected to this one."""
        if not await self.send_if_connected(box, message):
            say = partial(send_by_other_hubs, self._database, self.store.club, box, message)
            with suppress(UnavailableError):
                await self.committer.change(say)

    async def send_if_connected(self, box: str, message: Json) -> bool:
        """Sends a box a message; returns False if the box isn't connected to this hub."""
        visit = self.connections.get(box)
        if visit is None:
            return False
        with suppress(ConnectionError):
            await visit.send_unasked(message)
        return True

    async def name_box(self, box: str, name: str, number: int | None) -> Member:
        """Gives a box its name and the number of its table, and notifies the box. Raises EntryError
        and UnavailableError."""
        member = await self.committer.change(lambda: self.members.set_name(box, name, number))
        await self.send_to_box(box, _name_message(member))
        await self.committer.read(self.tables.refresh)
        await self.renumbered()
        return member

    async def _greet(self, member: Member) -> None:
        box = member.box
        if self._addresses:
            await self.send_if_connected(box, {"hubs": self._addresses})
        await self.send_if_connected(box, _name_message(member))
        for greeting in self.greetings:
            with suppress(UnavailableError):
                for message in await greeting(box):
                    await self.send_if_connected(box, message)

    async def _serve_box(self, request: web.Request) -> web.StreamResponse:
        services = HubServices(
            self.store, self.members, self.committer, self.name, self._note_new_rows, self.remark,
            self.joinings, self.spending,
        )  # fmt: skip
        visit = BoxConnection(services)

        def on_known(one: BoxConnection) -> None:
            if one.member is not None:
                self.connections[one.member.box] = one
                self._start_task(self._greet(one.member))
                lines = self._box_connections.setdefault(one.member.box, [])
                lines.append(one)
                if len(lines) > BOX_CONNECTIONS.most:
                    self.spending.note(BOX_CONNECTIONS, one.member.box)
                    self._start_task(lines.pop(0).end())

        try:
            return await visit.serve(request, visit_of(request), on_known)
        finally:
            if visit.member is not None:
                lines = self._box_connections.get(visit.member.box, [])
                if visit in lines:
                    lines.remove(visit)
                if not lines:
                    self._box_connections.pop(visit.member.box, None)
            if visit.member is not None and self.connections.get(visit.member.box) is visit:
                del self.connections[visit.member.box]

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._greeting_tasks.add(task)
        task.add_done_callback(self._greeting_tasks.discard)

    def _note_new_rows(self, _box: str) -> None:
        self._metrics.batches.inc()
        self._rows_came.set()

    # ------------------------------------------------------------ programs

    @web.middleware
    async def _middleware(self, request: web.Request, handler: Any) -> web.StreamResponse:
        refused = over_budget(request, HUB_REQUESTS, self.spending, language_of(request))
        if refused is not None:
            return refused
        try:
            with rooted_at(prefix_of(request, self.prefix)):
                response: web.StreamResponse = await handler(request)
        except UnavailableError as error:
            said = language_of(request).translate(error.why)
            return web.json_response({"well": False, "error": said}, status=503)
        return response

    def role(self, code: object) -> ClubRole | None:
        """What the holder of the access code `code` may do; None if nothing. Takes equally long for
        every wrong code."""
        self.codes.end_evening()
        return role_of(self.codes, code)

    def role_of_request(self, request: web.Request) -> ClubRole | None:
        """What the sender of a request may do, according to its access code; None if nothing."""
        word = bearer_token(request.headers)
        return self.role(request.query.get("token") if word is None else word)

    async def _send_box_name(self, request: web.Request) -> web.Response:
        """Gives a box the name and number that the organiser sends: {"name": "Kitchen", "number":
        7}."""
        role, language = self.role_of_request(request), language_of(request)
        if role is not ClubRole.ORGANISER:
            said = language.translate(phrase("only the organiser may enter this"))
            return web.json_response({"error": said}, status=403 if role else 401)
        visit_of(request).keep_open()
        try:
            name, number = _read_box_name(await request.read())
            member = await self.name_box(request.match_info["box"], name, number)
        except EntryError as error:
            return web.json_response({"error": language.translate(error.why)}, status=422)
        return web.json_response(BoxName(member.name, member.number).as_json)

    async def _send_health(self, _request: web.Request) -> web.Response:
        await self._health()
        return web.json_response({"well": True})

    async def _send_metrics(self, _request: web.Request) -> web.Response:
        text = self._metrics.text(await self._health(), len(self.connections))
        return web.Response(body=text, headers={"Content-Type": "text/plain; version=0.0.4"})

    async def _health(self) -> Json:
        return await self.committer.read(
            lambda: health(self._database, self.store.club, self.clock())
        )


def _name_message(member: Member) -> Json:
    """The message with a box's name."""
    return {"called": BoxName(member.name, member.number).as_json}


def _read_box_name(body: bytes) -> tuple[str, int | None]:
    """Parses the name and the number for a box in the body of a request. Raises EntryError."""
    try:
        said = read_json(body)
    except ValueError:
        said = None
    match said:
        case {"name": str(name), "number": int() | None as number} if not isinstance(number, bool):
            return name, number
    raise EntryError("say a name, and a number or null")


async def _do_nothing() -> None:
    """The default for `renumbered`: a hub without events has no seats to send again."""


def role_of(codes: Codes, code: object) -> ClubRole | None:
    """What the access code `code` allows at a hub with these codes; None if nothing."""
    rules = AccessRules(codes)
    access = rules.access(code)
    if access is None:
        return None
    if rules.is_keep_code(code):
        return ClubRole.ORGANISER
    return ClubRole.JUDGE if access is Access.PLAY else ClubRole.VIEWER


async def _set_security_headers(request: web.Request, response: web.StreamResponse) -> None:
    host = request.host
    known = host.replace(".", "").replace("-", "").replace(":", "").strip("[]").isalnum()
    set_security_headers(response, host if known and host.isascii() else "localhost")


def visit_of(request: web.Request) -> Visit:
    """The connection on which a request has come."""
    visit = request.protocol
    assert isinstance(visit, Visit), "prepare() makes them"
    return visit
