"""The seasons of the hub's club: /season shows their tables, /api/season gives and takes their
texts (companion/events/season.py).

A season is a row of the hub's own chain that belongs to no event. A newer text with the same name
replaces the older one.
"""

import json
from collections.abc import Iterator
from functools import partial
from typing import Final

from aiohttp import web
from sqlalchemy import select

from companion.club.hub.chains import (
    PUSHED_COLUMNS,
    chains_of,
    pushed_row_from,
    rows_condition,
    shown_chain,
)
from companion.club.hub.database import rows
from companion.club.hub.event_desk import EventDesk
from companion.club.hub.hub_chain import HubChain, NewRows
from companion.club.hub.page_responses import html_response, language_of, reason_page, refuse_role
from companion.club.hub.people import OF_NO_EVENT
from companion.club.hub.replay_pages import may_read
from companion.club.hub.server import ClubRole, Hub, visit_of
from companion.club.hub.store import HubStore
from companion.core.html import Html, translated_by
from companion.core.values import Json
from companion.core.words import phrase
from companion.events.event import ClubEvent, EventError
from companion.events.season import Season, read_season
from companion.web.export.event_paper import document, linked_style
from companion.web.export.season_paper import season_sheets

KEY: Final = "season_text"


class Seasons:
    """The seasons that a hub keeps. Only the committer may call `keep`."""

    def __init__(self, store: HubStore) -> None:
        self._store, self._own, self._desk = store, HubChain(store), EventDesk(store)

    def keep(self, text: str) -> None:
        """Stores a season. Raises EventError if its text can't be read or names an event that the
        hub doesn't have, and UnavailableError."""
        season = read_season(text)
        for number in season.events:
            self._desk.event(number)
        row = json.dumps({KEY: json.loads(text)}, ensure_ascii=False)
        self._own.add(lambda _db: NewRows(OF_NO_EVENT, [row], "organiser"))

    def texts(self) -> list[Json]:
        """The texts of all seasons, the newest first. Raises UnavailableError."""
        found = dict[str, Json]()
        for text in self._stored():
            found.pop(text["name"], None)
            found[text["name"]] = text
        return [*reversed(found.values())]

    def all(self) -> list[tuple[Season, dict[int, ClubEvent]]]:
        """All seasons, the newest first, each with its events by number; events without players
        are left out."""
        found = []
        for text in self.texts():
            season = read_season(json.dumps(text))
            kept = {one: self._desk.event(one).course for one in season.events}
            events = {one: it.event() for one, it in kept.items() if it.text["players"]}
            found.append((season, events))
        return found

    def _stored(self) -> Iterator[Json]:
        with self._store.database.reading() as db:
            box_chains = chains_of(db, self._store.club, self._store.club)
            if (chain := shown_chain(box_chains.values())) is None:
                return
            mine = rows_condition(chain, box_chains), rows.c.game == OF_NO_EVENT
            asked = select(*PUSHED_COLUMNS).where(*mine, rows.c.row.contains(f'"{KEY}"'))
            for one in db.execute(asked.order_by(rows.c.seq)):
                link = pushed_row_from(one).link
                if link is not None and isinstance(text := json.loads(link.row).get(KEY), dict):
                    yield text


class SeasonPages:
    """The routes of the seasons."""

    def __init__(self, hub: Hub) -> None:
        self._hub, self._seasons = hub, Seasons(hub.store)

    def add_to(self, app: web.Application) -> None:
        """Adds the routes."""
        app.router.add_get("/season", self._send_page)
        app.router.add_get("/api/season", self._send_texts)
        app.router.add_post("/api/season", self._keep)

    async def _send_page(self, request: web.Request) -> web.Response:
        if not may_read(self._hub, request):
            return reason_page(request, 403, "club.paper-closed", "event.events")

        def make_page() -> str:
            with translated_by(language_of(request).put):
                sheets: list[Html] = []
                for season, events in self._seasons.all():
                    sheets += season_sheets(season, events)
                return document(phrase("Seasons"), linked_style(), sheets)

        return html_response(await self._hub.committer.read(make_page))

    async def _send_texts(self, request: web.Request) -> web.Response:
        if (role := self._hub.role_of_request(request)) is None:
            return _refused(request, role)
        visit_of(request).keep_open()
        return web.json_response({"seasons": await self._hub.committer.read(self._seasons.texts)})

    async def _keep(self, request: web.Request) -> web.Response:
        """Stores the season whose text is the body of the request."""
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
            return web.json_response({"error": language_of(request).put(why)}, status=422)
        return await self._send_texts(request)


def _refused(request: web.Request, role: ClubRole | None) -> web.Response:
    why = (
        phrase("this needs the organiser's access code")
        if role
        else phrase("this needs an access code")
    )
    return refuse_role(request, why, known=role is not None)
