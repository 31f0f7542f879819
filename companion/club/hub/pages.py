"""The pages of a hub, added to its server: all tables, one table, the TV's, the organiser's, and
replays of games.

A table's page, the TV's page and the stream overlay are those of the table itself (web/static). The
parts that differ at a hub are in static/, and `data-live` on the body has the path of the
WebSocket. The page itself contains nothing secret. Its content comes over the WebSocket (live.py),
or is sent only to a browser that has one of the club's access codes as a cookie (replay_pages.py).
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from typing import Final

from aiohttp import web

from companion.club.hub.event_api import EventApi, round_in_query
from companion.club.hub.event_desk import EventDesk, StoredEvent
from companion.club.hub.games import MANY_ROWS
from companion.club.hub.live import LivePages
from companion.club.hub.organiser import limits_json
from companion.club.hub.page_responses import (
    HUB_STATIC,
    html_response,
    language_of,
    reason_page,
    refuse_role,
    translated_page,
)
from companion.club.hub.replay_pages import GamePages, may_read
from companion.club.hub.season import SeasonPages
from companion.club.hub.server import ClubRole, Hub, visit_of
from companion.club.hub.store import MEMBER
from companion.club.hub.tables import ClubTable
from companion.core.club import LONGEST_NAME, JudgeRuling
from companion.core.errors import EntryError, RuleError
from companion.core.html import Html, element, joined, rooted, translated_by
from companion.core.json_text import read_json
from companion.core.seats import Seat
from companion.core.values import Json
from companion.core.words import Sentence, phrase
from companion.events.event import ClubEvent, EventError
from companion.games.game import parse_entry
from companion.presentation.club_words import CLUB_WORDS
from companion.presentation.game import PresentedGames, rules_of
from companion.presentation.language import ENGLISH, Language
from companion.presentation.sayings import name_in_words
from companion.web.behind_proxy import requested_url
from companion.web.broadcast import SHAPES, versions_of
from companion.web.export import event_paper
from companion.web.files import STATIC, add_static_files, compressed_response
from companion.web.panels import PageGames
from companion.web.past import COOKIE, PageMaker, PastPages, past_words
from companion.web.past import ROOT as EVENINGS

# ---------------------------------------------------------------- judging
# Calls of bogus play that wait for a judge: /judge shows them, /api/calls gives them to programs.
#
# A judge comes in with the judge's access code, and sees for each call the claim, the evidence and
# the tiles that were shown for it. While the hand goes on, only the judge sees those tiles. A
# ruling is sent to the table, which adds it like any entry, with the judge's name. The hub itself
# stores nothing.


MAY_RULE: Final = frozenset({ClubRole.JUDGE, ClubRole.ORGANISER})


class Judging:
    """Shows a hub's open calls and sends rulings on them. All methods belong to its event loop."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def add_to(self, app: web.Application) -> None:
        """Adds the routes of the page and of the calls."""
        app.router.add_get("/judge", self._send_page)
        app.router.add_get("/api/calls", self._send_calls)
        app.router.add_post("/api/calls/{box:[0-9a-f]{16}}", self._send_ruling)

    async def _send_page(self, request: web.Request) -> web.Response:
        return html_response(translated_page(HUB_STATIC / "judge.html", language_of(request)))

    async def _send_calls(self, request: web.Request) -> web.Response:
        role = self._hub.role_of_request(request)
        if role not in MAY_RULE:
            return _refused(request, role)
        visit_of(request).keep_open()
        await self._hub.refresh()
        language = language_of(request)
        tables = [one for one in self._hub.tables.own_tables() if one.state == MEMBER]
        calls = [self._call_json(one, role, language) for one in tables]
        asked, playing = await self._hub.committer.read(self._event_calls)
        return web.json_response(
            {
                "may": role.value,
                "calls": [one for one in calls if one],
                "asked": asked,
                "playing": playing,
            }
        )

    def _event_calls(self) -> tuple[list[Json], list[Json]]:
        """Returns the tables of running events to which players have called a judge, and all tables
        of the newest rounds, where a judge may give penalties."""
        running = EventDesk(self._hub.store).running()
        asked = [
            {
                "event": kept.number,
                "after": kept.after,
                "name": kept.name,
                "who": next(one["name"] for one in kept.course.text["players"]
                            if one["id"] == said["id"]),
                "round": said["round"],
                "table": said["table"],
            }
            for kept in running
            for said in kept.open_calls()
        ]  # fmt: skip
        playing = [
            {
                "event": kept.number,
                "after": kept.after,
                "name": kept.name,
                "round": len(kept.course.text["rounds"]),
                "tables": [
                    {"table": table["table"], "players": kept.players_at(table)}
                    for table in kept.course.round["tables"]
                ],
            }
            for kept in running
            if kept.course.round is not None and kept.is_running(self._hub.clock())
        ]
        return asked, playing

    def _call_json(self, table: ClubTable, role: ClubRole, language: Language) -> Json | None:
        """The open call at a table in `language`, as `role` may see it; None if no call is open or
        the game can't be shown."""
        claim = (table.moment_in(language) or {}).get("claim")
        newest, tip = (
            self._hub.tables.newest_moment(table.box),
            self._hub.tables.newest_hash(table.box),
        )
        if not claim or not claim["open"] or newest is None or newest.journal is None or not tip:
            return None
        known = {"evidence": claim["evidence"]["words"], "holding": None}
        presentation = self._hub.games[newest.journal.opened.game].presentation
        judged = presentation.judge_json(newest.journal.whole.state)
        if role is ClubRole.JUDGE:
            known |= judged
        seat = newest.journal.opened.seats.order.index(Seat(claim["accused"]))
        paper = replace(SHAPES["square"], language=language.with_names(table.called))
        counts = {
            bogus: self._refusal_at_table(
                table.box, JudgeRuling(Seat("judge"), newest.number or 0, tip, seat, bogus)
            ) is None
            for bogus in (True, False)
        }  # fmt: skip
        call: Json = language.with_names(table.called).translated(
            {
                "box": table.box,
                "name": table.name,
                "game": table.game,
                "tip": tip.hex(),
                "seat": seat,
                "may": [bogus for bogus, may in counts.items() if may],
                "proof": presentation.draw_proof(newest.journal.state, paper),
                "accused": name_in_words(claim["accused"]),
                "charge": claim["charge"]["words"],
                "verdict": claim["verdict"]["words"],
                "shown": claim["shown"],
                **known,
                "turn": judged.get("turn"),
            }
        )
        return call

    async def _send_ruling(self, request: web.Request) -> web.Response:
        """Sends the table a ruling such as {"judge": "Carla", "game": 3, "tip": "…", "seat": 1,
        "bogus": true}."""
        role, box = self._hub.role_of_request(request), request.match_info["box"]
        if role not in MAY_RULE:
            return _refused(request, role)

        def refuse(why: str) -> web.Response:
            return web.json_response({"error": language_of(request).translate(why)}, status=422)

        try:
            ruling = JudgeRuling.read(read_json(await request.read()))
        except ValueError:
            ruling = None
        if ruling is None:
            return refuse(
                phrase(
                    "say who rules, in {most} letters at most, and on which call",
                    most=LONGEST_NAME,
                )
            )
        if (why := self._refusal_at_table(box, ruling)) is not None:
            return refuse(why)
        message = {"ruling": ruling.as_json}
        if not await self._hub.send_if_connected(box, message):
            tables, now = self._hub.tables.own_tables(), self._hub.clock()
            if not any(one.box == box and one.is_heard(now) for one in tables):
                return refuse(phrase("this table isn't connected now: rule at its box"))
            await self._hub.send_to_box(box, message)  # may go through another hub of the club
        return web.json_response({"sent": True})

    def _refusal_at_table(self, box: str, ruling: JudgeRuling) -> Sentence | None:
        """Why the table would refuse the ruling, as far as the hub knows; None if it should accept
        it."""
        newest = self._hub.tables.newest_moment(box)
        if newest is None or newest.journal is None or newest.number != ruling.game:
            return None
        journal, seats = newest.journal, newest.journal.opened.seats
        try:
            journal.try_entry(parse_entry(ruling.entry(seats.order), journal.game, seats))
        except (EntryError, RuleError) as refused:
            return refused.why
        return None


def _refused(request: web.Request, role: ClubRole | None) -> web.Response:
    why = phrase("calls are for a judge") if role else phrase("this needs a judge's access code")
    return refuse_role(request, why, known=role is not None)


# ---------------------------------------------------------------- event pages
# The club's events as pages: /event lists them, /event/4 is one of them, /event/4/tv its board.
#
# The papers to print are only for people with one of the club's access codes, which those pages
# keep as a cookie.


CERTIFICATES: Final = 3
"""How many places get a certificate if the event doesn't set a number of prizes."""
ROUND_PAPERS: Final = frozenset({"cards", "pairings", "slips"})
"""The kinds of papers that belong to one round."""
LONGEST_LEAGUE: Final = 60
"""The most events of a league."""
EVENT_PATH: Final = r"/event/{number:\d{1,6}}"


class EventPages:
    """The pages of a hub's events."""

    def __init__(self, hub: Hub, games: PresentedGames) -> None:
        self._hub, self._desk = hub, EventDesk(hub.store)
        self._rules = rules_of(games)

    def add_to(self, app: web.Application) -> None:
        """Gives the pages their routes."""
        app.router.add_get("/event", self._send_page)
        app.router.add_get("/event/league", self._send_league)
        app.router.add_get(EVENT_PATH, self._send_page)
        app.router.add_get(f"{EVENT_PATH}/tv", self._send_board)
        app.router.add_get(f"{EVENT_PATH}/here", self._send_here)
        app.router.add_get(f"{EVENT_PATH}/mine", self._send_mine)
        app.router.add_get(f"{EVENT_PATH}/{{kind:[a-z]+}}", self._send_paper)
        app.router.add_get("/event_paper.css", _send_style)

    async def _send_page(self, request: web.Request) -> web.Response:
        language = language_of(request)
        with translated_by(language.translate):
            options = [
                element("option", rules.title, value=name) for name, rules in self._rules.items()
            ]
        values = {"value.games": joined(*options)}
        return html_response(translated_page(HUB_STATIC / "event.html", language, values))

    async def _send_board(self, request: web.Request) -> web.Response:
        return html_response(translated_page(HUB_STATIC / "event_board.html", language_of(request)))

    async def _send_here(self, request: web.Request) -> web.Response:
        return html_response(translated_page(HUB_STATIC / "check_in.html", language_of(request)))

    async def _send_mine(self, request: web.Request) -> web.Response:
        return html_response(translated_page(HUB_STATIC / "my_evening.html", language_of(request)))

    async def _send_paper(self, request: web.Request) -> web.Response:
        if not may_read(self._hub, request):
            return reason_page(request, 403, "club.paper-closed", "event.events")
        number, kind = int(request.match_info["number"]), request.match_info["kind"]
        try:
            event = partial(self._desk.event, number)
            kept = await self._hub.committer.read(event)
            if kind == "text":
                before, organiser = round_in_query(request), self._is_organiser(request)
                text = partial(kept.export_text, before, organiser=organiser)
                return compressed_response(await self._hub.committer.read(text), "application/json")

            def make_page() -> str:
                place = requested_url(request, self._hub.prefix)
                with translated_by(language_of(request).translate):
                    return self._paper(kind, kept, place, request)

            return html_response(await self._hub.committer.read(make_page))
        except EventError:
            return reason_page(request, 404, "club.no-paper", "event.events")

    async def _send_league(self, request: web.Request) -> web.Response:
        """Sends the standings over several events, which the query names:
        /event/league?of=1,3,4."""
        if not may_read(self._hub, request):
            return reason_page(request, 403, "club.paper-closed", "event.events")
        of = [one for one in request.query.get("of", "").split(",") if one.isdecimal()]

        def make_page() -> str:
            numbers = dict.fromkeys(int(one) for one in of[:LONGEST_LEAGUE] if len(one) < 7)
            kept = [self._desk.event(one) for one in numbers]
            events = [one.event for one in kept if one.course.text["players"]]
            if not events:
                raise EventError("no event was chosen")
            with translated_by(language_of(request).translate):
                return event_paper.league_sheet(events, event_paper.linked_style())

        try:
            return html_response(await self._hub.committer.read(make_page))
        except EventError as error:
            return web.Response(status=422, text=f"{language_of(request).translate(error.why)}\n")

    def _paper(self, kind: str, kept: StoredEvent, place: str, request: web.Request) -> str:
        event, word = kept.event, self._hub.codes.current.watch
        look = event_paper.linked_style()
        if kind == "door":
            if not kept.uses_phones or not self._is_organiser(request):
                raise EventError("phones can check in only if the organiser allows it")
            return event_paper.door_code(event, look, f"{place}/event/{kept.number}/here#{word}")
        if kind == "phone":
            player = request.query.get("of", "")
            secret = self._desk.phone_token(kept, player)
            if secret is None or not self._is_organiser(request):
                raise EventError("no phone follows this player")
            link = f"{place}/event/{kept.number}/mine#{kept.phone_of(player)}.{secret}"
            return event_paper.phone_code(event, look, player, link)
        if kind in ROUND_PAPERS:
            code = f"{place}/event/{kept.number}" if kept.uses_phones else None
            rules = self._rules.get(event.game)
            playing = self._round_on_paper(kept, event, request)
            return _round_paper(kind, event, playing, code, rules is None or rules.clockwise)
        prizes = kept.course.setting("prizes")
        return _paper(kind, event, CERTIFICATES if prizes is None else prizes)

    def _round_on_paper(
        self, kept: StoredEvent, event: ClubEvent, request: web.Request
    ) -> event_paper.RoundOnPaper:
        """Returns the draft of the next round, if there is one and an organiser requests it,
        otherwise the newest round. Raises EventError if there is neither."""
        draft = kept.draft() if self._is_organiser(request) else None
        if draft is not None:
            return event_paper.draft_round(draft)
        return event_paper.published_round(event)

    def _is_organiser(self, request: web.Request) -> bool:
        return self._hub.role(request.cookies.get(COOKIE)) is ClubRole.ORGANISER


async def _send_style(_request: web.Request) -> web.Response:
    return compressed_response(event_paper.STYLE.read_text("utf-8"), "text/css")


def _round_paper(
    kind: str,
    event: ClubEvent,
    playing: event_paper.RoundOnPaper,
    address: str | None,
    clockwise: bool,
) -> str:
    look = event_paper.linked_style()
    if kind == "cards":
        return event_paper.table_cards(event, playing, look, address, clockwise=clockwise)
    if kind == "pairings":
        return event_paper.pairings(event, playing, look)
    return event_paper.result_slips(event, playing, look)


def _paper(kind: str, event: ClubEvent, prizes: int) -> str:
    look = event_paper.linked_style()
    if kind == "list":
        return event_paper.check_in_list(event, look)
    if kind == "standings":
        return event_paper.standings_sheet(event, look)
    if kind == "bracket":
        return event_paper.bracket_sheets(event, look)
    if kind == "certificates":
        return event_paper.certificates(event, look, prizes, None)
    raise EventError("there is no paper {kind}", kind=kind)


# ---------------------------------------------------------------- pages

PAST_AT_A_HUB: Final[Mapping[str, str]] = {
    "label.to-table": "club.to-all",
    "past.closed": "club.closed",
    "past.nothing": "club.nothing",
    "past.fault": "page.not-shown",
}
"""The hub's own wording of some texts on the pages of players and evenings, by key."""
LOOK_AHEAD_S: Final = 60.0
"""Seconds between two checks whether a club's past has to be counted again."""
FIRST_LOOK_S: Final = 1.0
"""Seconds between two checks until the tables are read, so that the past is counted soon after the
hub has started."""
LOOKS_UNTIL_IDLE: Final = 5
"""Checks after which a page is made although nothing has changed: without a request the process
that makes pages ends (web/past.py), and its counts are lost."""
BOX: Final = "{box:[0-9a-f]{16}}"
WORD: Final = "{word:[A-Z2-7a-z]{16}}"


def add_pages(app: web.Application, hub: Hub, games: PageGames, past: Sequence[str]) -> None:
    """Adds the routes of all the hub's pages to `app`. `past` is the command that makes the pages
    of players and evenings (archive.py) in a process of its own."""
    LivePages(hub, games, versions_of(CLUB_WORDS, STATIC, HUB_STATIC)).add_to(app)
    GamePages(hub, games).add_to(app)
    EventApi(hub).add_to(app)
    EventPages(hub, games).add_to(app)
    SeasonPages(hub).add_to(app)
    Judging(hub).add_to(app)
    maker = PageMaker(past)

    async def count_ahead(_app: web.Application) -> AsyncIterator[None]:
        counting = asyncio.create_task(keep_counting_past(hub, maker))
        yield
        counting.cancel()

    app.cleanup_ctx.append(count_ahead)
    PastPages(lambda request: may_read(hub, request), maker, language_of, _past_words).add_to(app)
    add_static_files(app, lambda: ENGLISH, HUB_STATIC, english=CLUB_WORDS)

    async def send_all(request: web.Request) -> web.Response:
        return html_response(translated_page(HUB_STATIC / "club.html", language_of(request)))

    async def send_organiser(request: web.Request) -> web.Response:
        return html_response(translated_page(HUB_STATIC / "organiser.html", language_of(request)))

    async def send_limits(request: web.Request) -> web.Response:
        """Sends the organiser the limits that have been reached."""
        role = hub.role_of_request(request)
        if role is not ClubRole.ORGANISER:
            why = phrase("this needs the organiser's access code")
            return refuse_role(request, why, known=role is not None)
        members = await hub.committer.read(hub.members.all)
        names = [{"box": one.box, "name": one.name} for one in members]
        found = language_of(request).translated(limits_json(hub, names))
        return web.json_response({"limits": found})

    async def send_table(request: web.Request) -> web.Response:
        box = request.match_info["box"]
        values = {**_live_attribute(f"/live/{box}"), "value.box": box}
        return html_response(translated_page(STATIC / "table.html", language_of(request), values))

    async def send_for_all(request: web.Request) -> web.Response:
        """Sends the TV page or the stream overlay, for one table or for all."""
        page = STATIC / f"{request.path.removeprefix('/')}.html"
        values = _live_attribute(f"/live/{_table_in_query(request) or 'tv'}")
        return html_response(translated_page(page, language_of(request), values))

    app.router.add_get("/", send_all)
    app.router.add_get("/organiser", send_organiser)
    app.router.add_get("/api/limits", send_limits)
    app.router.add_get(f"/table/{BOX}", send_table)
    app.router.add_get("/tv", send_for_all)
    app.router.add_get("/overlay", send_for_all)
    app.router.add_get(f"/{WORD}", _send_to_tables)


async def keep_counting_past(hub: Hub, maker: PageMaker) -> None:
    """Requests the pages of players and evenings in advance, so that their first reader doesn't
    have to wait while the club's whole past is counted. Runs until cancelled. A club with few rows
    is counted on request."""
    counted, looks = 0, 0
    pause_s = FIRST_LOOK_S
    while True:
        await asyncio.sleep(pause_s)
        if not hub.tables.are_read:
            continue
        pause_s = LOOK_AHEAD_S
        rows = sum(one.row for one in hub.tables.current())
        looks += 1
        if rows >= MANY_ROWS and (rows != counted or looks >= LOOKS_UNTIL_IDLE):
            counted, looks = rows, 0
            await maker.make(EVENINGS, {})


def _past_words(language: Language) -> Mapping[str, str]:
    """The words of the page that is sent if a page of players or evenings doesn't exist."""
    own = language.catalogue({key: CLUB_WORDS[key] for key in PAST_AT_A_HUB.values()})
    return {**past_words(language), **{word: own[key] for word, key in PAST_AT_A_HUB.items()}}


def _table_in_query(request: web.Request) -> str:
    """The box in the query of the address (`?table=BOX`); empty if there is none, so that the TV
    rotates between all tables."""
    box = request.query.get("table", "")
    return box if len(box) == 16 and all(one in "0123456789abcdef" for one in box) else ""


async def _send_to_tables(request: web.Request) -> web.Response:
    """Redirects somebody who has scanned a code to the page of all tables, with the access code
    behind a `#`."""
    place = rooted(f"/#{request.match_info['word'].lower()}")
    return web.Response(status=302, headers={"Location": place})


def _live_attribute(path: str) -> dict[str, str]:
    """The attribute that connects a table's page to the hub's WebSocket at `path`."""
    return {"value.fed-by": Html(f' data-live="{escape(path)}"')}
