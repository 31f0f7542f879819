"""Keeps the hub's open pages up to date, each by a WebSocket: /live for all tables, /live/BOX for
one, /live/tv, /live/organiser.

The messages are those of a table's pages (web/server.py). The first is `{"n": 0, "hello": WORD}`,
answered by `{"n": 0, "access": "watch", "role": "viewer"}`. Every later one is answered by its
number, so that a page knows within seconds when its connection is dead. A page where somebody types
the word sends `{"n": 0, "digits": "abcd …"}` instead of a hello, and gets the word back. No page
here keys anything.
"""

import asyncio
from contextlib import suppress
from typing import Final

from aiohttp import web

from companion.core.budgets import HUB_PAGE_MESSAGES, MESSAGE, PAGES_OF_HUB
from companion.core.spending import PageSpending
from companion.core.values import Json
from companion.hub.feeds import LOOK_S, TURN_S, Feed, ShownTables, TableFeed, TvFeed
from companion.hub.glance import GlanceFeed, Glances
from companion.hub.organiser import OrganiserFeed
from companion.hub.reading import reads
from companion.hub.server import ClubRole, Hub, visit_of
from companion.presentation.language import Language
from companion.web.access import AccessRules
from companion.web.broadcast import Versions
from companion.web.games import PageGames
from companion.web.key_pacing import TooFastError
from companion.web.messages import (
    MALFORMED,
    NOT_ALLOWED,
    TOO_MANY,
    read_message,
    spend,
)
from companion.web.viewer import Viewer

WRONG_WORD_PAUSE_S: Final = 0.5
CLOSE_WITHIN_S: Final = 1.0


class LivePages:
    """All open pages of a hub. All methods belong to its event loop."""

    def __init__(self, hub: Hub, games: PageGames, version: Versions) -> None:
        self._hub = hub
        self._rules = AccessRules(hub.codes, open_to_all=True)
        self._glances = Glances(hub, version)
        self._shown = ShownTables(hub, games, version)
        self._viewers: dict[web.WebSocketResponse, Viewer] = {}
        self._goodbyes: set[asyncio.Task[bool]] = set()
        hub.listeners.add(self._go_on)

    def add_to(self, app: web.Application) -> None:
        """Gives the pages their routes."""
        app.router.add_get("/live", self._serve)
        app.router.add_get("/live/{what:tv|organiser|[0-9a-f]{16}}", self._serve)
        app.on_startup.append(self._start)
        app.on_shutdown.append(self._close)

    async def _start(self, _app: web.Application) -> None:
        self._glances.go_on()

    async def _close(self, _app: web.Application) -> None:
        for page in [*self._viewers]:
            await page.close(code=1001)

    def _go_on(self, boxes: tuple[str, ...]) -> None:
        self._glances.go_on()
        self._shown.go_on(boxes)
        self.check_words()
        for viewer in self._viewers.values():
            viewer.news.set()

    def check_words(self) -> None:
        """Closes the pages whose word no longer holds."""
        for viewer in self._viewers.values():
            if not viewer.gone and self._hub.role(viewer.word) is None:
                self._close_page(viewer, NOT_ALLOWED)

    def _close_page(self, viewer: Viewer, code: int) -> None:
        viewer.gone = True
        viewer.news.set()
        goodbye = asyncio.create_task(viewer.page.close(code=code))
        self._goodbyes.add(goodbye)
        goodbye.add_done_callback(self._goodbyes.discard)

    # ------------------------------------------------------------ one page

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        if not self._rules.origin_is_ours(request.headers.get("Origin"), request.host):
            raise web.HTTPForbidden(text="Only the hub's own pages may look.\n")
        page = web.WebSocketResponse(
            timeout=CLOSE_WITHIN_S, max_msg_size=MESSAGE.most, heartbeat=20.0, compress=False
        )
        try:
            await page.prepare(request)
            if found := await self._said_hello(page, reads(request)):
                visit_of(request).welcome()
                await self._talk(request, *found)
        except ConnectionError:
            pass  # it has left
        finally:
            if page.prepared:
                await page.close()
        return page

    async def _said_hello(
        self, page: web.WebSocketResponse, language: Language
    ) -> tuple[Viewer, ClubRole] | None:
        """The viewer who has shown one of the hub's words, with the role that it gives; None: no
        word was shown, or there are too many pages, and the page is closed."""
        try:
            hello = read_message(await page.receive())
            viewer = Viewer(page, hello, language)
        except ValueError:
            await page.close(code=MALFORMED)
            return None
        word = typed(hello["digits"]) if "digits" in hello else hello.get("hello")
        role = self._hub.role(word)
        if role is None:
            await asyncio.sleep(WRONG_WORD_PAUSE_S)
            await page.close(code=NOT_ALLOWED)
        elif "digits" in hello:
            await page.send_json({"n": hello["n"], "word": word})
            await page.close()
        elif not self._has_room(role):
            self._hub.spending.note(PAGES_OF_HUB, "")
            await page.close(code=TOO_MANY)
        else:
            viewer.word, viewer.plays = str(word), role is not ClubRole.VIEWER
            await page.send_json({"n": hello["n"], "access": "watch", "role": role.value})
            return viewer, role
        return None

    def _has_room(self, role: ClubRole) -> bool:
        """Whether one more page may come; one of the organiser or a judge takes the place of a
        viewer's."""
        if len(self._viewers) < PAGES_OF_HUB.most:
            return True
        watching = [one for one in self._viewers.values() if not (one.plays or one.gone)]
        if role is ClubRole.VIEWER or not watching:
            return False
        self._close_page(watching[0], TOO_MANY)
        return True

    async def _talk(self, request: web.Request, viewer: Viewer, role: ClubRole) -> None:
        feed, more = self._feed(request, viewer, role), list[asyncio.Task[None]]()
        if isinstance(feed, TvFeed):
            more.append(asyncio.create_task(_turn(feed)))
        if isinstance(feed, TableFeed):
            more.append(asyncio.create_task(_look(feed)))
        if isinstance(feed, OrganiserFeed):
            more.append(asyncio.create_task(feed.look()))
        self._viewers[viewer.page] = viewer
        more.append(asyncio.create_task(_send_news(viewer, feed)))
        try:
            await _listen(viewer, feed)
        finally:
            del self._viewers[viewer.page]
            for task in more:
                task.cancel()
            await asyncio.gather(*more, return_exceptions=True)

    def _feed(self, request: web.Request, viewer: Viewer, role: ClubRole) -> Feed:
        match request.match_info.get("what", ""):
            case "":
                return GlanceFeed(self._glances, viewer.language)
            case "tv":
                return TvFeed(self._shown, viewer)
            case "organiser":
                if role is not ClubRole.ORGANISER:
                    return GlanceFeed(self._glances, viewer.language)
                origin = request.headers["Origin"]
                return OrganiserFeed(self._hub, viewer, origin, self.check_words)
            case box:
                return TableFeed(self._shown, viewer, box)


def typed(word: object) -> str:
    """A word that somebody typed from a screen, in lower case and without spaces and signs."""
    text = word if isinstance(word, str) else ""
    return "".join(one for one in text.lower() if one.isalnum())


async def _turn(feed: TvFeed) -> None:
    while True:
        await asyncio.sleep(TURN_S)
        feed.turn()


async def _look(feed: TableFeed) -> None:
    while True:
        feed.look()
        await asyncio.sleep(LOOK_S)


async def _send_news(viewer: Viewer, feed: Feed) -> None:
    """Sends the page everything that is new until it leaves; a slow page skips some texts."""
    with suppress(ConnectionError):
        while not viewer.gone:
            viewer.news.clear()
            for text in feed.news():
                await viewer.page.send_str(text)
            await viewer.news.wait()


async def _listen(viewer: Viewer, feed: Feed) -> None:
    """Handles all messages of a page, until it leaves or sends one that no page of ours sends."""
    page, now = viewer.page, asyncio.get_running_loop().time
    spending = PageSpending(HUB_PAGE_MESSAGES, now)
    try:
        async for message in page:
            if viewer.gone:
                break
            said: Json = read_message(message)
            spend(spending, said)
            viewer.want(said)
            feed.hear(said)
            with suppress(ConnectionError):
                await page.send_json({"n": said["n"]})
    except ValueError:
        await page.close(code=MALFORMED)
    except TooFastError:
        await page.close(code=TOO_MANY)
