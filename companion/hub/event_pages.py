"""The club's events as pages: /event lists them, /event/4 is one of them, /event/4/tv its board.

The papers to print are only for people with one of the club's words, which those pages keep as a
cookie.
"""

from functools import partial
from typing import Final

from aiohttp import web

from companion.core.html import element, said_by
from companion.events.event import ClubEvent, EventError
from companion.export import event_desk_paper as desk_paper
from companion.export import event_paper
from companion.hub.again import may_read, say_why
from companion.hub.event_api import read_before
from companion.hub.event_desk import EventDesk, KeptEvent
from companion.hub.reading import HERE, html_answer, page_read, reads
from companion.hub.server import ClubRole, Hub
from companion.presentation.game import PresentedGames, rules_of
from companion.web.files import packed
from companion.web.past import COOKIE

LOOK: Final = element("link", rel="stylesheet", href="/event_paper.css")
CERTIFICATES: Final = 3
"""How many places get a certificate."""
LONGEST_LEAGUE: Final = 60
"""How many events a league may have."""
GAMES: Final = "<!-- games -->"
"""The place in the page where the list of games goes."""
ONE: Final = r"/event/{number:\d{1,6}}"


class EventPages:
    """The pages of a hub's events."""

    def __init__(self, hub: Hub, games: PresentedGames) -> None:
        self._hub, self._desk = hub, EventDesk(hub.store)
        self._titles = {name: rules.title for name, rules in rules_of(games).items()}

    def add_to(self, app: web.Application) -> None:
        """Gives the pages their routes."""
        app.router.add_get("/event", self._send_page)
        app.router.add_get("/event/league", self._send_league)
        app.router.add_get(ONE, self._send_page)
        app.router.add_get(f"{ONE}/tv", self._send_board)
        app.router.add_get(f"{ONE}/here", self._send_here)
        app.router.add_get(f"{ONE}/{{kind:[a-z]+}}", self._send_paper)
        app.router.add_get("/event_paper.css", _send_look)

    async def _send_page(self, request: web.Request) -> web.Response:
        language = reads(request)
        with said_by(language.put):
            options = [element("option", title, value=name) for name, title in self._titles.items()]
        page = page_read(HERE / "event.html", language)
        return html_answer(page.replace(GAMES, "".join(options)))

    async def _send_board(self, request: web.Request) -> web.Response:
        return html_answer(page_read(HERE / "event_board.html", reads(request)))

    async def _send_here(self, request: web.Request) -> web.Response:
        return html_answer(page_read(HERE / "here.html", reads(request)))

    async def _send_paper(self, request: web.Request) -> web.Response:
        if not may_read(self._hub, request):
            return say_why(request, 403, "club.paper-closed", "event.events")
        number, kind = int(request.match_info["number"]), request.match_info["kind"]
        try:
            event = partial(self._desk.event, number)
            kept = await self._hub.committer.read(event)
            if kind == "text":
                text = partial(kept.exported, read_before(request))
                return packed(await self._hub.committer.read(text), "application/json")

            def made() -> str:
                place = f"{request.scheme}://{request.host}"
                with said_by(reads(request).put):
                    return self._paper(kind, kept, place, request)

            return html_answer(await self._hub.committer.read(made))
        except EventError:
            return say_why(request, 404, "club.no-paper", "event.events")

    async def _send_league(self, request: web.Request) -> web.Response:
        """The standings over several events: /event/league?of=1,3,4."""
        if not may_read(self._hub, request):
            return say_why(request, 403, "club.paper-closed", "event.events")
        of = [one for one in request.query.get("of", "").split(",") if one.isdecimal()]

        def made() -> str:
            numbers = dict.fromkeys(int(one) for one in of[:LONGEST_LEAGUE] if len(one) < 7)
            kept = [self._desk.event(one) for one in numbers]
            events = [one.course.event() for one in kept if one.course.text["players"]]
            if not events:
                raise EventError("no event was chosen")
            with said_by(reads(request).put):
                return desk_paper.league_sheet(events, LOOK)

        try:
            return html_answer(await self._hub.committer.read(made))
        except EventError as error:
            return web.Response(status=422, text=f"{reads(request).put(error.why)}\n")

    def _paper(self, kind: str, kept: KeptEvent, place: str, request: web.Request) -> str:
        event, word = kept.course.event(), self._hub.codes.words.watch
        if kind == "door":
            if not kept.with_phones or not self._is_organiser(request):
                raise EventError("phones check in where the organiser says so")
            return desk_paper.door_code(event, LOOK, f"{place}/event/{kept.number}/here#{word}")
        code = f"{place}/event/{kept.number}" if kept.with_phones else None
        return _paper(kind, event, code)

    def _is_organiser(self, request: web.Request) -> bool:
        return self._hub.role(request.cookies.get(COOKIE)) is ClubRole.ORGANISER


async def _send_look(_request: web.Request) -> web.Response:
    return packed(event_paper.STYLE.read_text("utf-8"), "text/css")


def _paper(kind: str, event: ClubEvent, address: str | None) -> str:
    if kind == "cards":
        playing = event_paper.round_to_print(event)
        return event_paper.table_cards(event, playing, LOOK, address)
    if kind == "pairings":
        return event_paper.pairings(event, event_paper.round_to_print(event), LOOK)
    if kind == "slips":
        return desk_paper.result_slips(event, event_paper.round_to_print(event), LOOK)
    if kind == "list":
        return desk_paper.check_in_list(event, LOOK)
    if kind == "standings":
        return event_paper.standings_sheet(event, LOOK)
    if kind == "certificates":
        return event_paper.certificates(event, LOOK, CERTIFICATES, None)
    raise EventError("there is no paper {kind}", kind=kind)
