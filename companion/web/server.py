"""The page's server: static files, and one WebSocket for each page, which gets what it shows and
sends movements of keys.

Messages of the page are JSON with a number `n`. Each is answered with `{"n": n}`, so that a page
notices a dead connection within seconds (a phone that slept shows no frozen picture). The first
message is `{"n": 0, "hello": TOKEN}`. It may name the phone that the page is on, as `"device":
"k3x…"`. It has `"follows": true` if the page is always in the table's language, and `"wants":
["box", "wide"]` if the page shows anything other than the box alone: the box, the table with a
drawing of that shape (broadcast.py), or both. A later message may change this. Then come `{"n": 7,
"key": "5", "down": true}`, or `{"n": 8}` alone to check the connection. A letter typed on a
keyboard comes as `letter`, together with a key if the letter stands for one: while a name is being
spelled the letter counts, else the key. Entries on the table's page are proposed to the loop
(keying.py). A page that came with the watch code is notified (`{"n": 0, "access": "watch"}`), and
its keys do nothing. A page that plays is notified of a box (`"box": true`), of its other pages, and
of a game that was last played on another evening (`"rests": {"row": 77, "said": "…"}`). It may also
request an invitation for others with `{"n": 9, "invite": true}` (phones.py). A page where somebody
types the digits sends `{"n": 0, "digits": "0815", "for": "watch"}` instead of a hello, and gets the
access code. Pages whose access code ends are closed.

Pictures of the box are sent as bytes: 64 rows of 16 bytes, the brightness of the panel (1 to 255;
0: off), and the text on it, in UTF-8. The table is sent as text, made by broadcast.py and described
in docs/telling.md: `{"version": "…", "drawing": "<svg …>", "keys": {…}, "moment": {…}}`.
"""

import asyncio
import ipaddress
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from aiohttp import web

from companion.core.box_page import CheckActions, CheckError
from companion.core.budgets import (
    MESSAGE,
    PAGES_OF_PHONE,
    PAGES_OF_TABLE,
    REQUEST_BODY,
    TABLE_REQUESTS,
    Spending,
)
from companion.core.clock import BREAK_S, now
from companion.core.club import Club, ClubRequest
from companion.core.html import rooted, rooted_at
from companion.core.keys import Key
from companion.core.values import Json
from companion.core.words import phrase
from companion.presentation.dates import continue_words
from companion.presentation.language import ENGLISH, Language
from companion.table.events import Request, SeatTaken
from companion.table.snapshot import Snapshot
from companion.web.access import (
    OPEN_PATH,
    WRONG_CODE_PAUSE_S,
    Access,
    AccessRules,
    is_local_request,
)
from companion.web.address import network_address, page_url, qr_svg
from companion.web.behind_proxy import prefix_of, requested_url, without_prefix
from companion.web.captive_portal import CaptivePortal
from companion.web.card import CardPage, CardPaths
from companion.web.certificates import AuthorityPage
from companion.web.club import PageClub
from companion.web.connection_limits import (
    ConnectionLimits,
    Visit,
    address_of_request,
    has_shaken_hands,
    over_budget,
    set_security_headers,
    with_known_http_version,
)
from companion.web.files import (
    STATIC,
    RequestLanguage,
    add_files,
    language_of_request,
    page_text,
    plain_page,
    words_in,
)
from companion.web.key_pacing import Keyboard, KeyPace, PressedKeys
from companion.web.keying import LONGEST_DEVICE, PageKeying
from companion.web.own_names import HOST_NAME, other_name
from companion.web.panels import PageGames
from companion.web.past import PageMaker, PastPages, may_read_past
from companion.web.phones import Pairing, Sitting
from companion.web.roles import Agreements, Roles
from companion.web.stream import STREAM_PATH, EventStreams
from companion.web.viewer import (
    CLOSE_WITHIN_S,
    MALFORMED,
    NOT_ALLOWED,
    TOO_MANY,
    PageContent,
    Viewer,
    listen_to,
    read_message,
)
from companion.web.voice import PageClips

if TYPE_CHECKING:
    from companion.devices.voice import Clips


# ---------------------------------------------------------------- check
# The page `/check` shows what is plugged into the box, part by part, also as a picture to send. A
# separate process does the check (app/run.py). Only pages that may play can start one.


class CheckPage:
    """The page's routes. All methods belong to the server's event loop."""

    def __init__(
        self,
        rules: AccessRules,
        here: CheckActions,
        request_language: Callable[[web.Request], Language],
    ) -> None:
        """`request_language`: returns the language of the page for a request."""
        self._rules, self._here, self._request_language = rules, here, request_language
        self._lock = asyncio.Lock()
        self._found: Json = {}
        self._picture = "", b""
        """The newest picture and its name, which can't be guessed."""

    def add_to(self, app: web.Application) -> None:
        """Adds the routes of the page and its requests."""
        app.router.add_get("/check", self._send)
        app.router.add_post("/check", self._check)
        app.router.add_post("/check/picture", self._draw)
        app.router.add_get("/check/{name:[0-9a-f]{16}}.png", self._send_picture)
        app.router.add_post("/check/keypads", self._renew)

    async def _send(self, request: web.Request) -> web.Response:
        text = page_text(STATIC / "check" / "check.html", words_in(self._request_language(request)))
        return web.Response(text=text, content_type="text/html")

    def _refuse_strangers(self, request: web.Request) -> None:
        if not self._rules.allows_action(request.headers, request.host):
            raise web.HTTPForbidden

    async def _check(self, request: web.Request) -> web.Response:
        """Runs a check; further requests wait for their turn."""
        self._refuse_strangers(request)
        async with self._lock:
            try:
                self._found = await asyncio.to_thread(self._here.check)
            except CheckError:
                self._found = {"parts": {}}
        return web.json_response(self._request_language(request).translated(self._found))

    async def _draw(self, request: web.Request) -> web.Response:
        """Draws the last check as a picture, and answers with the picture's address."""
        self._refuse_strangers(request)
        language = self._request_language(request)
        parts: Mapping[str, Any] = language.translated(self._found).get("parts", {})
        if not parts:
            raise web.HTTPNotFound
        from companion.web.check_picture import draw_check

        drawn = await asyncio.to_thread(draw_check, parts, words_in(language))
        self._picture = secrets.token_hex(8), drawn
        return web.json_response({"at": f"/check/{self._picture[0]}.png"})

    async def _send_picture(self, request: web.Request) -> web.Response:
        """Sends the picture to any client that knows its name. A page shows it, so that people can
        press and hold it to share it."""
        name, drawn = self._picture
        if not name or request.match_info["name"] != name:
            raise web.HTTPNotFound
        return web.Response(body=drawn, content_type="image/png")

    async def _renew(self, request: web.Request) -> web.Response:
        self._refuse_strangers(request)
        self._here.renew_keypads()
        return web.json_response({"begun": True})


# ---------------------------------------------------------------- this machine
# The routes that only this machine itself may use: its browsers with their cookie, and its programs
# with its secret (LocalAccess). Everybody else gets the status of a missing page.
#
#     GET /open/TICKET   a link that lets one browser in: it gets its cookie, and goes on to the
#                        table (or to the TV's page: /open/TICKET/tv)
#     POST /open         a new link for another browser: {"path": "/open/TICKET"}
#     GET /token         the play code: {"token": …}
#     GET /way-in        the code that lets phones in, for the box's own screen:
#                        {"address": "http://192.168.1.7/", "code": "<svg …>"}; both are empty if
#                        phones have no access. If the box is announced under a name that isn't its
#                        usual one, also the address with that name: "other": "http://table-2.local/"


class LocalRoutes:
    """Routes that let in browsers of this machine. `port`: the port on which the page listens;
    `end_evening` replaces the evening's access code if the evening is over."""

    def __init__(
        self, access_rules: AccessRules, port: int, end_evening: Callable[[], None]
    ) -> None:
        self._access_rules, self._port, self._end_evening = access_rules, port, end_evening

    def add_to(self, app: web.Application) -> None:
        """Adds the routes to `app`."""
        link = OPEN_PATH + "/{ticket:[a-z2-7]{16}}{page:(?:/tv)?}"
        app.router.add_get(link, self._open, allow_head=False)
        app.router.add_post(OPEN_PATH, self._make_link)
        app.router.add_get("/token", self._send_token)
        app.router.add_get("/way-in", self._send_invitation)

    async def _open(self, request: web.Request) -> web.Response:
        """Lets a browser in with a ticket. A browser with an invalid ticket is redirected as well:
        it may have access already, and otherwise the page prompts for a code."""
        if not is_local_request(request.remote, request.headers):
            raise web.HTTPNotFound
        place = rooted(request.match_info["page"] or "/")
        response = web.Response(status=303, headers={"Location": place})
        if self._access_rules.local.use_ticket(request.match_info["ticket"]):
            self._access_rules.local.set_cookie(response)
        return response

    async def _make_link(self, request: web.Request) -> web.Response:
        self._refuse_others(request)
        return web.json_response({"path": self._access_rules.local.link("")})

    async def _send_token(self, request: web.Request) -> web.Response:
        self._refuse_others(request)
        self._end_evening()
        response = web.json_response({"token": self._access_rules.codes.current.play})
        self._access_rules.local.set_cookie(response)
        return response

    async def _send_invitation(self, request: web.Request) -> web.Response:
        self._refuse_others(request)
        if self._access_rules.open_to_all:
            with suppress(ValueError):  # a name, as there is no network
                address = network_address()
                if not ipaddress.ip_address(address).is_loopback:
                    where = page_url(address, self._port)
                    code = qr_svg(where, self._access_rules.codes.current.play)
                    name = await asyncio.to_thread(other_name, address)
                    other = {"other": f"{page_url(name, self._port)}/"} if name else {}
                    return web.json_response({"address": f"{where}/", "code": code, **other})
        return web.json_response({"address": "", "code": ""})

    def _refuse_others(self, request: web.Request) -> None:
        if not self._access_rules.local.allows(request):
            raise web.HTTPNotFound
        if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            raise web.HTTPForbidden


# ---------------------------------------------------------------- server


def rest_message(snapshot: Snapshot, at: float | None) -> Json:
    """The message for a page that connects at the time `at` (None if the clock isn't set) about a
    game that was last played on another evening: its newest row, and how to continue it."""
    before = snapshot.played_at
    if snapshot.journal is None or before is None or at is None or at - before < BREAK_S:
        return {}
    return {"rests": {"row": snapshot.row, "said": continue_words(before, at)}}


class Server:
    """The server that the page's thread runs. All methods belong to its event loop."""

    def __init__(
        self,
        access_rules: AccessRules,
        move: Callable[[Key, bool], None],
        pace: KeyPace,
        type_letter: Callable[[str], bool],
        propose: Callable[[Request], None],
        *,
        games: PageGames,
        read: Callable[[], list[Json]] = list,
        ask_club: Callable[[ClubRequest], None] = lambda _: None,
        pairing: Callable[[Callable[[], None]], Pairing],
        maker: PageMaker,
        language: Language = ENGLISH,
        card: CardPaths | None = None,
        clips: "Callable[[str], Clips] | None" = None,
        check: CheckActions | None = None,
        wired: bool = False,
        authority: Callable[[RequestLanguage], AuthorityPage | None] = lambda _: None,
    ) -> None:
        self._authority = authority(self._request_language)
        self._card = CardPage(access_rules, card, self._request_language) if card else None
        self._portal = (
            CaptivePortal(access_rules.codes, card.wifi.parent, self._request_language)
            if card
            else None
        )
        self._check = CheckPage(access_rules, check, self._request_language) if check else None
        self._access_rules, self._propose, self._read = access_rules, propose, read
        self._games, self._wired = games, wired
        self._type_letter = type_letter
        self._keyboard = Keyboard(move, pace)
        self._spending = Spending()
        self._limits = ConnectionLimits(self._spending.note, lambda: self._shown.language)
        self._clips = PageClips(clips, self._may_look)
        self._shown = PageContent(
            STATIC, games, lambda: access_rules.codes.is_evening_on, language, clips=self._clips
        )
        self._club = PageClub(ask_club, games)
        self._played: int | None = None
        self._roles = Roles(lambda seat: propose(Request(SeatTaken(seat), lambda _: None)))
        self._agreements = Agreements(self._roles)
        self._viewers: dict[web.WebSocketResponse, Viewer] = {}
        self._closing_tasks: set[asyncio.Task[bool]] = set()
        self.pairing = pairing(self._close_unauthorised)
        self._sitting = Sitting(self._viewers.values, self.pairing)
        self._streams = EventStreams(
            access_rules,
            self._shown.moment,
            self.pairing.end_evening,
            lambda: self._shown.language,
        )
        self._past = PastPages(
            may_read_past(access_rules, self.pairing.end_evening), maker, self._request_language
        )

    def app(self) -> web.Application:
        """The application, ready to be run. Every route has the same limits and headers."""
        app = web.Application(middlewares=[self._check_host], client_max_size=REQUEST_BODY.most)
        app.on_response_prepare.append(_set_security_headers)
        app.on_shutdown.append(self._close_pages)
        add_files(app, self._request_language, lambda: self._shown.language)
        self._past.add_to(app)
        self._clips.add_to(app)
        if self._card:
            self._card.add_to(app)
        if self._portal:
            self._portal.add_to(app)
        if self._check:
            self._check.add_to(app)
        if self._authority:
            self._authority.add_to(app)
        LocalRoutes(self._access_rules, self.pairing.port, self.pairing.end_evening).add_to(app)
        app.router.add_get("/live", self._serve_page)
        app.router.add_get(STREAM_PATH, self._serve_stream)
        app.router.add_get("/tv-code/{name:[a-z2-7]{16}}", self._send_tv_code)
        app.router.add_get("/TV/{name:[A-Z2-7]{16}}", _send_to_let_in)
        app.router.add_get("/{word:[A-Z2-7a-z]{16}}", _send_to_table)
        return app

    def show(self, picture: bytes) -> None:
        """Sends a new picture of the box to the pages."""
        self._shown.picture = picture
        self._wake()

    def update(self, snapshot: Snapshot) -> None:
        """Sends a new state of the table to the pages."""
        self._shown.update(snapshot)
        if snapshot.played != self._played:
            self._played = snapshot.played
            self._access_rules.codes.note_row(snapshot.played, snapshot.played_at)
            self.pairing.note_row()
        self._wake()

    def update_club(self, club: Club) -> None:
        self._club.update(club, *self._viewers.values())

    def _wake(self) -> None:
        for viewer in self._viewers.values():
            viewer.news.set()
        self._streams.wake()

    async def prepare(self, runner: web.AppRunner) -> Callable[[], asyncio.Protocol]:
        """Sets up the runner and returns the factory that makes a Visit, with its limits, for each
        connection."""
        await runner.setup()
        server, loop = runner.server, asyncio.get_running_loop()
        assert server is not None
        make = without_prefix(server.request_factory, self._access_rules.prefix)
        server.request_factory = with_known_http_version(make)
        return lambda: Visit(self._limits, server, loop=loop, access_log=None)

    def _request_language(self, request: web.Request) -> Language:
        return language_of_request(request, self._shown.language)

    def _may_look(self, code: str) -> bool:
        self.pairing.end_evening()
        return self._access_rules.access(code) is not None

    @web.middleware
    async def _check_host(self, request: web.Request, handler: Any) -> web.StreamResponse:
        language = self._request_language(request)
        refused = over_budget(request, TABLE_REQUESTS, self._spending, language)
        if refused is not None:
            return refused
        if not self._access_rules.is_own_host(request.host):
            sheet = self._portal.answer(request) if self._portal else None
            return sheet if sheet is not None else _refuse_name(request, language)
        with rooted_at(prefix_of(request, self._access_rules.prefix)):
            response: web.StreamResponse = await handler(request)
        return response

    async def _send_tv_code(self, request: web.Request) -> web.Response:
        """Sends the code that a TV shows, and that a phone at the table scans to let the TV in."""
        code = self.pairing.tv_qr_code(
            request.match_info["name"], requested_url(request, self._access_rules.prefix)
        )
        return web.Response(body=code, content_type="image/svg+xml")

    async def _serve_page(self, request: web.Request) -> web.StreamResponse:
        if not self._access_rules.is_own_origin(request.headers.get("Origin"), request.host):
            raise web.HTTPForbidden(text="Only the box's own page may press its keys.\n")
        page = web.WebSocketResponse(
            timeout=CLOSE_WITHIN_S, max_msg_size=MESSAGE.most, heartbeat=20.0, compress=False
        )
        if not await has_shaken_hands(page, request):
            return web.Response()
        try:
            if viewer := await self._receive_hello(page, request):
                _visit(request).keep_open()
                await self._serve(viewer)
                if viewer.gone:
                    # Some versions of aiohttp stop listening before they have sent the close.
                    await page.close(code=viewer.close_code)
        except ConnectionError:
            pass  # the page has left
        finally:
            # Otherwise the heartbeat would keep waiting for a page that has left, with all its data
            # in memory.
            await page.close()
        return page

    async def _serve_stream(self, request: web.Request) -> web.StreamResponse:
        return await self._streams.serve(request, _visit(request))

    async def _receive_hello(
        self, page: web.WebSocketResponse, request: web.Request
    ) -> Viewer | None:
        """Returns the viewer if the page's hello has a valid code; otherwise closes the page and
        returns None. Also answers a page that sends digits or waits for a phone to admit it."""
        try:
            hello = read_message(await page.receive())
            viewer = Viewer(page, hello, self._request_language(request))
            if viewer.follows:
                viewer.language = self._shown.language
        except ValueError:
            await page.close(code=MALFORMED)
            return None
        if "digits" in hello:
            await self._answer_digits(page, hello, address_of_request(request))
            return None
        if "waits" in hello:
            word = self.pairing.code_for_tv(hello["waits"])
            await page.send_json({"n": hello["n"], "word": word})
            await page.close()
            return None
        self.pairing.end_evening()
        access = self._access_rules.access(hello.get("hello"))
        if access is None:
            await asyncio.sleep(WRONG_CODE_PAUSE_S)
            await page.close(code=NOT_ALLOWED)
            return None
        if not self._has_room(viewer, access):
            await page.close(code=TOO_MANY)
            return None
        viewer.plays, viewer.code = access is Access.PLAY, hello["hello"]
        viewer.requested_url = requested_url(request, self._access_rules.prefix)
        # A screen of the box itself always has room.
        if viewer.plays and not self._access_rules.local.allows(request):
            self._access_rules.codes.note_presence()
        answer: Json = {} if viewer.plays else {"access": access.value}
        if self._access_rules.is_keep_code(viewer.code):
            answer["kept"] = True
        if viewer.plays and self._card:
            answer["card"] = True
        if viewer.plays and self._check:
            answer["check"] = True
        if viewer.plays and self._wired:
            answer["box"] = True
        if viewer.plays and (snapshot := self._shown.snapshot(viewer)):
            answer |= rest_message(snapshot, now())
        await page.send_str(viewer.language.json({"n": hello["n"], **answer}))
        return viewer

    def _has_room(self, viewer: Viewer, access: Access) -> bool:
        """Whether one more page may connect. Its phone must not have too many pages, and there must
        be room; for a page that plays, one that only watches may be closed."""
        phone = viewer.device
        if phone and sum(one.device == phone for one in self._viewers.values()) >= (
            PAGES_OF_PHONE.most
        ):
            return False
        if len(self._viewers) < PAGES_OF_TABLE.most:
            return True
        watching = [one for one in self._viewers.values() if not (one.plays or one.gone)]
        if access is not Access.PLAY or not watching:
            return False
        self._close(watching[0], TOO_MANY)
        return True

    async def _answer_digits(
        self, page: web.WebSocketResponse, message: Json, address: str
    ) -> None:
        """Sends a page the access code for the digits that were typed there; closes it if they are
        wrong."""
        access = Access.WATCH if message.get("for") == Access.WATCH.value else Access.PLAY
        word = self.pairing.code_for_digits(message["digits"], address, access)
        if word is None:
            await asyncio.sleep(WRONG_CODE_PAUSE_S)
            await page.close(code=NOT_ALLOWED)
            return
        await page.send_json({"n": message["n"], "word": word})
        await page.close()

    async def _serve(self, viewer: Viewer) -> None:
        pressed = PressedKeys(self._keyboard)
        self._viewers[viewer.page] = viewer
        self._club.greet(viewer)
        self._sitting.greet(viewer)
        keying = PageKeying(
            self._propose,
            lambda: self._shown.snapshot(viewer),
            self._roles,
            viewer.news.set,
            self._read,
            agreements=self._agreements,
            plays=viewer.plays,
            games=self._games,
            language=viewer.language,
            spoken=self._shown.language,
            device=viewer.device[:LONGEST_DEVICE],
        )
        tasks = [
            asyncio.create_task(pressed.play()),
            asyncio.create_task(self._shown.send_news(viewer, keying)),
        ]
        try:
            await listen_to(
                viewer,
                keying,
                pressed,
                self._type_letter,
                example=self._shown.example,
                let_in=self._handle_player_message,
                club=self._club.handle_message,
            )
        finally:
            del self._viewers[viewer.page]
            keying.leave()
            self.pairing.hide(viewer)
            self._sitting.leave(viewer)
            for task in tasks:
                task.cancel()

    def _handle_player_message(self, viewer: Viewer, message: Json) -> None:
        self.pairing.handle_message(viewer, message)
        self._sitting.handle_message(viewer, message)

    def _close_unauthorised(self) -> None:
        """Closes pages whose access code no longer allows what they do."""
        for viewer in self._viewers.values():
            access = self._access_rules.access(viewer.code)
            if access is None or viewer.plays != (access is Access.PLAY):
                self._close(viewer, NOT_ALLOWED)
        self._wake()

    def _close(self, viewer: Viewer, code: int) -> None:
        """Closes a page that had access, and ignores everything else that it sends."""
        goodbye = asyncio.create_task(viewer.page.close(code=code))
        self._closing_tasks.add(goodbye)
        goodbye.add_done_callback(self._closing_tasks.discard)
        viewer.gone, viewer.close_code = True, code
        viewer.news.set()

    async def _close_pages(self, _app: web.Application) -> None:
        self.pairing.close()
        self._streams.close()
        self._limits.end()
        for page in list(self._viewers):
            await page.close(code=1001)


async def _send_to_table(request: web.Request) -> web.Response:
    """Redirects somebody who has scanned a code to the table, with the access code behind a `#`: a
    browser never sends that part to a server, and the page removes it from the address. The table's
    page then checks whether the code is valid."""
    place = rooted(f"/#{request.match_info['word'].lower()}")
    return web.Response(status=302, headers={"Location": place})


async def _send_to_let_in(request: web.Request) -> web.Response:
    """Redirects somebody who has scanned a TV's code to the table's page, which asks whether to let
    the TV in."""
    name = request.match_info["name"].lower()
    return web.Response(status=302, headers={"Location": rooted(f"/?tv={name}")})


def _refuse_name(request: web.Request, language: Language) -> web.Response:
    """The answer to a request for the table under a name that isn't its own."""
    name = request.host.rpartition(":")[0] or request.host
    why = phrase("This is not an address of the table: open the one that it shows.")
    if HOST_NAME.fullmatch(name.lower()):
        why = phrase(
            "The table doesn't know the name {name}: open the address that it shows. To use this "
            'name, add it to the configuration, under [web]: names = "{name}"',
            name=name,
        )
    return plain_page(403, language, why)


async def _set_security_headers(request: web.Request, response: web.StreamResponse) -> None:
    refused = response.status == 403
    set_security_headers(
        response, "localhost" if refused else request.host, camera=request.path == "/"
    )


def _visit(request: web.Request) -> Visit:
    visit = request.protocol
    assert isinstance(visit, Visit)
    return visit
