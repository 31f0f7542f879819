"""Calls of bogus play that wait for a judge: /judge shows them, /api/calls gives them to programs.

A judge comes in by the judge's word, and sees for each call the claim, the evidence and the tiles
that were shown for it. While the hand goes on, only the judge sees those tiles. A ruling is sent to
the table, which takes it like any entry, with the judge's name; nothing is kept here.
"""

from typing import Final

from aiohttp import web

from companion.core.club import LONGEST_NAME, JudgeRuling
from companion.core.errors import EntryError, RuleError
from companion.core.json_text import read_json
from companion.core.seats import Seat
from companion.core.values import Json
from companion.core.words import Sentence, phrase
from companion.games.game import parse_entry
from companion.hub.club_table import ClubTable
from companion.hub.reading import HERE, html_answer, page_read, reads
from companion.hub.server import ClubRole, Hub, visit_of
from companion.hub.store import MEMBER
from companion.presentation.language import Language
from companion.presentation.sayings import name_in_words

HEARD_S: Final = 30.0
"""Seconds of silence after which a box counts as not connected: a connected box is heard every ten
seconds."""
MAY_RULE: Final = frozenset({ClubRole.JUDGE, ClubRole.ORGANISER})


class Judging:
    """Shows a hub's open calls and sends rulings on them. All methods belong to its event loop."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def add_to(self, app: web.Application) -> None:
        """Adds the routes of the page and of the calls."""
        app.router.add_get("/judge", self._send_page)
        app.router.add_get("/api/calls", self._send_calls)
        app.router.add_post("/api/calls/{box:[0-9a-f]{16}}", self._rule)

    async def _send_page(self, request: web.Request) -> web.Response:
        return html_answer(page_read(HERE / "judge.html", reads(request)))

    async def _send_calls(self, request: web.Request) -> web.Response:
        role = self._hub.role_of_request(request)
        if role not in MAY_RULE:
            return _refused(request, role)
        visit_of(request).welcome()
        await self._hub.refresh()
        language = reads(request)
        tables = [one for one in self._hub.tables.own() if one.state == MEMBER]
        calls = [self._call(one, role, language) for one in tables]
        return web.json_response({"may": role.value, "calls": [one for one in calls if one]})

    def _call(self, table: ClubTable, role: ClubRole, language: Language) -> Json | None:
        """The open call at a table in `language`, as `role` may see it; None if no call is open or
        the game can't be shown."""
        claim = (table.moment_in(language) or {}).get("claim")
        newest, tip = self._hub.tables.newest(table.box), self._hub.tables.tip(table.box)
        if not claim or not claim["open"] or newest is None or newest.journal is None or not tip:
            return None
        known = {"evidence": claim["evidence"]["words"], "holding": None}
        if role is ClubRole.JUDGE:
            game = self._hub.games[newest.journal.opened.game]
            known |= game.presentation.for_judge(newest.journal.whole.state)
        call: Json = language.calling(table.called).translated(
            {
                "box": table.box,
                "name": table.name,
                "game": table.game,
                "tip": tip.hex(),
                "seat": newest.journal.opened.seats.order.index(Seat(claim["accused"])),
                "accused": name_in_words(claim["accused"]),
                "charge": claim["charge"]["words"],
                "verdict": claim["verdict"]["words"],
                "shown": claim["shown"],
                **known,
            }
        )
        return call

    async def _rule(self, request: web.Request) -> web.Response:
        """Sends a ruling to the table: {"judge": "Carla", "game": 3, "tip": "…", "seat": 1,
        "bogus": true}."""
        role, box = self._hub.role_of_request(request), request.match_info["box"]
        if role not in MAY_RULE:
            return _refused(request, role)

        def wrong(why: str) -> web.Response:
            return web.json_response({"error": reads(request).put(why)}, status=422)

        try:
            ruling = JudgeRuling.read(read_json(await request.read()))
        except ValueError:
            ruling = None
        if ruling is None:
            return wrong(
                phrase(
                    "say who rules, in {most} letters at most, and on which call",
                    most=LONGEST_NAME,
                )
            )
        if (why := self._refused_there(box, ruling)) is not None:
            return wrong(why)
        message = {"ruling": ruling.as_json}
        if not await self._hub.say_here(box, message):
            if not self._is_heard(box):
                return wrong(phrase("this table isn't connected now: rule at its box"))
            await self._hub.tell_box(box, message)  # by way of another hub of the club
        return web.json_response({"sent": True})

    def _refused_there(self, box: str, ruling: JudgeRuling) -> Sentence | None:
        """Why the table will refuse the ruling, as far as is known here; None: it will take it."""
        newest = self._hub.tables.newest(box)
        if newest is None or newest.journal is None or newest.number != ruling.game:
            return None
        journal, seats = newest.journal, newest.journal.opened.seats
        try:
            journal.would_be(parse_entry(ruling.entry(seats.order), journal.game, seats))
        except (EntryError, RuleError) as refused:
            return refused.why
        return None

    def _is_heard(self, box: str) -> bool:
        """Whether the club has heard the box within the last HEARD_S seconds."""
        tables, now = self._hub.tables.own(), self._hub.clock()
        heard = next((one.heard_at for one in tables if one.box == box), None)
        return heard is not None and now - heard < HEARD_S


def _refused(request: web.Request, role: ClubRole | None) -> web.Response:
    why = phrase("calls are for a judge") if role else phrase("show a judge's word")
    said = reads(request).put(why)
    return web.json_response({"error": said}, status=403 if role else 401)
