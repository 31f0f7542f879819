"""The seasons of the hub's club or federation: /season shows their tables, /api/season gives and
takes their texts (companion/events/season.py).

A season is a row of the hub's own chain that belongs to no event. A newer text with the same name
replaces the older one.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Final

from aiohttp import web

from companion.club.hub.hub_chain import HubChain, NewRows
from companion.club.hub.page_responses import html_response, language_of, reason_page, refuse_role
from companion.club.hub.people import OF_NO_EVENT
from companion.club.hub.replay_pages import may_read
from companion.club.hub.season_events import CountedSeason, SeasonEvents
from companion.club.hub.season_page import season_page
from companion.club.hub.server import ClubRole, Hub, visit_of
from companion.club.hub.store import HubStore
from companion.core.html import translated_by
from companion.core.values import Json
from companion.core.words import phrase
from companion.events.event import EventError
from companion.events.season import read_season
from companion.record.people.people import People

KEY: Final = "season_text"


class Seasons:
    """The seasons that a hub keeps. `people_at`: the people who are renamed or hidden at a box.
    Only the committer may call `keep`."""

    def __init__(self, store: HubStore, people_at: Callable[[str], People]) -> None:
        self._store, self._own = store, HubChain(store)
        self.events = SeasonEvents(store, people_at)

    def keep(self, text: str) -> None:
        """Stores a season. Raises EventError if its text can't be read or names an event that the
        hub doesn't have, and UnavailableError."""
        self.events.check(read_season(text))
        found = json.loads(text.removeprefix("\ufeff"))
        row = json.dumps({KEY: found}, ensure_ascii=False)
        self._own.add(lambda _db: NewRows(OF_NO_EVENT, [row], "organiser"))

    def texts(self) -> list[Json]:
        """The texts of all seasons, the newest first. Raises UnavailableError."""
        found = dict[str, Json]()
        with self._store.database.reading() as db:
            for link in self._own.rows_about(db, OF_NO_EVENT):
                if isinstance(text := json.loads(link.row).get(KEY), dict):
                    found.pop(text["name"], None)
                    found[text["name"]] = text
        return [*reversed(found.values())]

    def all(self) -> list[CountedSeason]:
        """All seasons, the newest first, each with its events. Raises UnavailableError."""
        return self.events.count(read_season(json.dumps(text)) for text in self.texts())


class SeasonPages:
    """The routes of the seasons."""

    def __init__(self, hub: Hub) -> None:
        self._hub, self._seasons = hub, Seasons(hub.store, hub.tables.people_at)

    def add_to(self, app: web.Application) -> None:
        """Adds the routes."""
        app.router.add_get("/season", self._send_page)
        app.router.add_get("/api/season", self._send_texts)
        app.router.add_post("/api/season", self._keep)

    async def _send_page(self, request: web.Request) -> web.Response:
        if not may_read(self._hub, request):
            return reason_page(request, 403, "club.paper-closed", "event.events")

        await self._hub.refresh()

        def make_page() -> str:
            with translated_by(language_of(request).translate):
                return season_page(self._seasons.all(), request.query.get("club", ""))

        return html_response(await self._hub.committer.read(make_page))

    async def _send_texts(self, request: web.Request) -> web.Response:
        if (role := self._hub.role_of_request(request)) is None:
            return _refused(request, role)
        visit_of(request).keep_open()
        answer = {"seasons": await self._hub.committer.read(self._seasons.texts)}
        if role is ClubRole.ORGANISER:
            answer["clubs"] = await self._hub.committer.read(self._seasons.events.of_other_clubs)
        return web.json_response(answer)

    async def _keep(self, request: web.Request) -> web.Response:
        """Stores the season in the body of the request."""
        role = self._hub.role_of_request(request)
        if role is not ClubRole.ORGANISER:
            return _refused(request, role)
        visit_of(request).keep_open()
        try:
            text = (await request.read()).decode()
            await self._hub.committer.change(partial(self._seasons.keep, text))
        except (EventError, UnicodeDecodeError) as error:
            why = (
                error.why if isinstance(error, EventError) else phrase("this is not a JSON object")
            )
            return web.json_response({"error": language_of(request).translate(why)}, status=422)
        return await self._send_texts(request)


def _refused(request: web.Request, role: ClubRole | None) -> web.Response:
    why = (
        phrase("this needs the organiser's access code")
        if role
        else phrase("this needs an access code")
    )
    return refuse_role(request, why, known=role is not None)
