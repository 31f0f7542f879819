"""The club's events for pages and programs: JSON under /api/events.

Every request has to show one of the hub's access codes: a viewer may only look, a judge may also
enter and correct results, the organiser may do everything.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Final

from aiohttp import web

from companion.club.hub.event_desk import ChangedError, EventDesk, StoredEvent
from companion.club.hub.event_results import (
    BY_THE_TABLES,
    disputed_results,
    find_doubt,
    settled_results,
)
from companion.club.hub.event_round import (
    RoundMessages,
    TableOfRound,
    games_put_aside,
    is_over,
    tables_of_round,
)
from companion.club.hub.my_evening import MyEvening
from companion.club.hub.page_responses import language_of, refuse_role
from companion.club.hub.server import ClubRole, Hub, visit_of
from companion.club.hub.store import MEMBER
from companion.club.hub.tables import ClubTable
from companion.core.errors import EntryError, Refusal
from companion.core.html import translated_by
from companion.core.json_text import ENTRIES, SEATS, is_whole, read_json
from companion.core.seats import COLOUR_NAMES
from companion.core.values import Json
from companion.core.words import AsWritten, phrase
from companion.events.bracket import names_in_bracket
from companion.events.entries import EventEntry, read_entry
from companion.events.event import DEFAULT_GAME, ClubEvent, EventError
from companion.events.reading import read_people
from companion.events.seating_text import read_teams, seating_text, teams_text
from companion.events.standings import json_number, rounds_played, standings
from companion.events.teams import TeamMatch, matches_of, team_standings
from companion.games.game import settle_options
from companion.presentation.game import rules_of
from companion.presentation.language import Language
from companion.web.export.event_bracket import bracket_svg, current_parts, parts_of

BY_JUDGES: Final = frozenset({"result", "corrected", "helped", "penalty"})
"""The kinds of entries that a judge may make as well as the organiser."""
PRIVATE: Final = frozenset(
    {"set", "paid", "phone", "seating", "proposed", "reported", "call", "aside"}
)
"""The kinds of entries that only organisers see."""


def _is_private(entry: EventEntry) -> bool:
    """Whether only organisers see the entry, such as a wish to sit apart, which names people who
    avoid each other."""
    return entry.kind in PRIVATE or (entry.kind == "wish" and "apart" in entry.fields)


def response_if_new(request: web.Request, found: Json) -> web.Response:
    """Returns the JSON `found`, compressed, or status 304 if the page that sent the request already
    has it. The seconds left on a clock (CLOCKS) are not compared, as pages count down by
    themselves."""
    clocks = json.dumps({key: found[key] for key in CLOCKS if key in found})
    others = json.dumps({key: value for key, value in found.items() if key not in CLOCKS})
    tag = f'"{sha256(others.encode()).hexdigest()[:32]}"'
    headers = {"ETag": tag}
    if request.headers.get("If-None-Match") == tag:
        return web.Response(status=304, headers=headers)
    text = others if clocks == "{}" else f"{others[:-1]}, {clocks[1:]}"
    response = web.Response(text=text, content_type="application/json", headers=headers)
    response.enable_compression()
    return response


CLOCKS: Final = ("left_s", "break_left_s")
LONGEST_SEED: Final = 60

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class EventApi:
    """The routes of the events."""

    def __init__(self, hub: Hub) -> None:
        self._hub, self._desk = hub, EventDesk(hub.store)
        self._read = hub.committer.read
        self.news = RoundMessages(hub, self._desk, self._enter_settled)
        self._mine = MyEvening(hub, self._desk)
        self._watching: asyncio.Task[None] | None = None
        self._standings = dict[int, tuple[StoredEvent, Json]]()

    def add_to(self, app: web.Application) -> None:
        """Adds the events' routes to the hub's application, with its news and round clock."""
        self._hub.greetings.append(self.news.greet)
        self._hub.round_left_s = self.news.left_s
        self._hub.renumbered = self.news.send_after_renumbering
        self._hub.event_shown = lambda: self.news.shown
        self._hub.announced = lambda: self.news.announced
        app.on_startup.append(self._begin_clock)
        app.on_cleanup.append(self._end_clock)
        one = r"/api/events/{number:\d{1,6}}"
        add = app.router
        add.add_get("/api/events", self._guarded(self._send_list))
        add.add_post("/api/events", self._guarded(self._begin_event))
        add.add_get(one, self._guarded(self._send_event))
        add.add_post(one, self._guarded(self._enter))
        add.add_get(f"{one}/text", self._guarded(self._send_text))
        add.add_get(f"{one}/bracket", self._guarded(self._send_bracket))
        add.add_post(f"{one}/people", self._guarded(self._take_people))
        add.add_post(f"{one}/here", self._guarded(self._check_in))
        add.add_get("/api/events/names", self._guarded(self._send_names))
        self._mine.add_to(app)

    # ------------------------------------------------------------ sending

    async def _send_list(self, request: web.Request) -> web.StreamResponse:
        found = await self._read(self._desk.events)
        events = [
            {"number": one.number, "name": one.name, "at": one.entered[0][0]} for one in found
        ]
        return web.json_response({"may": self._role_name(request), "events": events})

    async def _send_event(self, request: web.Request) -> web.StreamResponse:
        kept = await self._read(partial(self._desk.event, _event_number(request)))
        found = await self._read(partial(self._event_json, kept, request))
        return response_if_new(request, found)

    async def _send_text(self, request: web.Request) -> web.StreamResponse:
        kept = await self._read(partial(self._desk.event, _event_number(request)))
        organiser = self._hub.role_of_request(request) is ClubRole.ORGANISER
        text = await self._read(
            partial(kept.export_text, round_in_query(request), organiser=organiser)
        )
        return web.Response(text=text, content_type="application/json")

    async def _send_bracket(self, request: web.Request) -> web.StreamResponse:
        """Sends the drawings of a knock-out's bracket as {"parts": …}; with ?most=8 only the parts
        that are being played, with up to eight matches one below the other. `parts` is null if
        there is no bracket."""
        kept = await self._read(partial(self._desk.event, _event_number(request)))
        most = request.query.get("most", "")
        below = int(most) if most in ("4", "8", "16") else None
        drawn = await self._read(partial(_bracket_drawings, kept, below, language_of(request)))
        return web.json_response({"parts": drawn})

    def _event_json(self, kept: StoredEvent, request: web.Request) -> Json:
        """Returns an event in the form that /api/events/N sends."""
        course = kept.course
        event = kept.event if course.text["players"] else None
        role = self._hub.role_of_request(request)
        organiser, judges = role is ClubRole.ORGANISER, role is not ClubRole.VIEWER
        tables = self._hub.tables.own_tables()
        playing = tables_of_round(kept, tables)
        entries = zip(kept.entered, course.entries, course.counts, strict=True)
        bracket = kept.bracket
        return {
            "number": kept.number,
            "name": kept.name,
            "may": self._role_name(request),
            "after": kept.after,
            "phones": kept.uses_phones,
            "games": kept.games,
            "stands": [kept.final_at(at) is not None
                       and self._hub.clock() > (kept.final_at(at) or 0.0)
                       for at, _ in enumerate(course.text["rounds"], start=1)],
            "event": course.text if organiser else kept.public_text,
            "left_s": self._seconds_left(kept),
            "break_left_s": kept.break_left_s(self._hub.clock()),
            "announced": kept.announced(self._hub.clock()),
            "played": rounds_played(event) if event else 0,
            "over": kept.is_over,
            "winner": bracket and bracket.winner,
            **self._standings_json(kept, event),
            "playing": [
                {
                    "table": one.table,
                    "box": one.box,
                    "scores": one.moment and {
                        seat["shown"]: seat["score"] for seat in one.moment["seats"]
                    },
                    "result": one.result and one.result.fields,
                    "stands": one.present_score and one.present_score.fields,
                    "others": one.played_by_others,
                    "disputed": one.is_disputed,
                }
                for one in playing
            ],
            "entries": [
                {"number": at, "at": when, "by": by, "kind": entry.kind, "said": entry.fields,
                 "counts": counts}
                for at, ((when, by), entry, counts) in enumerate(entries, start=1)
                if organiser or not _is_private(entry)
            ],
            **(self._judge_json(kept, playing, language_of(request)) if judges else {}),
            **(self._organiser_json(kept, event, tables) if organiser else {}),
        }  # fmt: skip

    def _standings_json(self, kept: StoredEvent, event: ClubEvent | None) -> Json:
        """Returns the standings of players; in an event of teams also those of teams, and the
        matches of each round. They are computed once for all pages that show this state of the
        event."""
        known = self._standings.get(kept.number)
        if known is None or known[0] is not kept:
            found: Json = {"standings": [row.as_json for row in kept.standings] if event else []}
            if event is not None and event.teams:
                found["teams"] = [row.as_json for row in team_standings([event])]
                found["matches"] = [
                    [_match_json(event, match) for match in matches_of(event, number)]
                    for number, _ in enumerate(event.rounds, start=1)
                ]
            known = self._standings[kept.number] = kept, found
        return known[1]

    def _judge_json(
        self, kept: StoredEvent, playing: list[TableOfRound], language: Language
    ) -> Json:
        """Returns the part of an event that only judges and the organiser see: calls for a judge,
        and disputed results."""
        tables, rules = self._hub.tables.own_tables(), rules_of(self._hub.games)
        odd = disputed_results(kept, playing, tables, rules, self._hub.clock())
        return {"calls": kept.open_calls(), "odd": [language.translated(one) for one in odd]}

    def _organiser_json(
        self, kept: StoredEvent, event: ClubEvent | None, tables: Iterable[ClubTable]
    ) -> Json:
        """Returns the part of an event that only the organiser sees: the draft, payments, the
        boxes."""
        course = kept.course
        draft = kept.draft()
        lacks, has = kept.draft_differences()
        others = [one for one in self._desk.running() if one.number != kept.number]
        return {
            "draft": draft and {
                **draft.as_json,
                "moved": bool((course.draft or {}).get("moved")),
                "lacks": lacks,
                "has": has,
            },
            "late_points": json_number(event.late_points) if event else 0,
            "seating": seating_text(event) if event else "",
            "teams_text": teams_text(event) if event else "",
            "fee": course.setting("fee"),
            "prizes": course.setting("prizes"),
            "paid": sorted({entry.fields["id"] for entry in course.entries_of("paid")}),
            "with_phone": [
                one["id"] for one in course.text["players"] if kept.phone_of(one["id"]) is not None
            ],
            "reopening": sorted(self._desk.tables_to_reopen(kept)),
            "boxes": [self._box_json(kept, one) for one in tables if one.state == MEMBER],
            "others": [
                {"number": one.number, "name": one.name, "tables": one.tables}
                for one in others
                if one.is_running(self._hub.clock()) and not one.is_over
            ],
        }  # fmt: skip

    def _box_json(self, kept: StoredEvent, table: ClubTable) -> Json:
        """Returns a box as the page's “tables” step shows it. `open`: an unfinished game that
        doesn't belong to this event's round is on its table; `aside`: the organiser has put that
        game aside."""
        moment = table.moment
        of_round = f"{kept.number}.{len(kept.course.text['rounds'])}."
        is_open = moment is not None and not is_over(moment)
        return {
            "box": table.box,
            "name": table.name,
            "number": table.number,
            "heard": table.is_heard(self._hub.clock()),
            "game": table.game,
            "since": table.opened_at or table.grown_at,
            "seats": [{"name": one["shown"], "score": one["score"]} for one in moment["seats"]]
                     if moment else [],
            "over": moment is not None and not is_open,
            "open": is_open and not table.place.startswith(of_round),
            "other": bool(table.place) and not table.place.startswith(f"{kept.number}."),
            "aside": games_put_aside(kept).get(table.box) == table.game,
        }  # fmt: skip

    async def _enter_settled(self, kept: StoredEvent) -> None:
        """Enters the results of a running event that need no confirmation."""
        if not kept.is_version_2 or not kept.course.missing:
            return
        tables, now = self._hub.tables.own_tables(), self._hub.clock()
        rules, playing = rules_of(self._hub.games), tables_of_round(kept, tables)
        entries = settled_results(kept, playing, tables, rules, now)
        if entries:
            enter = partial(self._desk.enter, kept.number, kept.after, entries, BY_THE_TABLES)
            with suppress(EventError):  # somebody entered a result first
                await self._hub.committer.change(enter)
                await self.news.send_changes({"result"})

    def _seconds_left(self, kept: StoredEvent) -> int | None:
        """The seconds left in the newest round; None if no clock is running."""
        ends = kept.time_up_at
        return None if ends is None else max(round(ends - self._hub.clock()), 0)

    # ------------------------------------------------------------ the round clock

    async def _begin_clock(self, _app: web.Application) -> None:
        self._watching = asyncio.create_task(self.news.watch_clock())

    async def _end_clock(self, _app: web.Application) -> None:
        if self._watching is not None:
            self._watching.cancel()

    # ------------------------------------------------------------ entering

    async def _begin_event(self, request: web.Request) -> web.StreamResponse:
        self._require(request, organiser=True)
        body = await _json_body(request)
        self._check_rules(body)
        begin = partial(self._desk.begin, body, self._role_name(request))
        kept = await self._hub.committer.change(begin)
        return web.json_response(
            await self._read(partial(self._event_json, kept, request)), status=201
        )

    async def _take_people(self, request: web.Request) -> web.StreamResponse:
        """Adds the people in {"after": 12, "text": "…", "kind": "listed"}. `text`: pasted names, or
        a table as CSV; `kind`: whether these people are expected (listed) or here (came)."""
        self._require(request, organiser=True)
        number, body = _event_number(request), await _json_body(request)
        after, text, kind = body.get("after"), body.get("text"), body.get("kind")
        if not (is_whole(after, ENTRIES) and isinstance(text, str) and kind in ("listed", "came")):
            raise EventError("say after how many entries, a text, and whether they are here")
        kept = await self._read(partial(self._desk.event, number))
        ids = {one["id"] for one in kept.course.text["players"]}
        entries = [EventEntry(kind, one) for one in read_people(text, ids)]
        enter = partial(self._desk.enter, number, after, entries, self._role_name(request))
        kept = await self._hub.committer.change(enter)
        return web.json_response(await self._read(partial(self._event_json, kept, request)))

    async def _check_in(self, request: web.Request) -> web.StreamResponse:
        """Checks in the player named in {"id": "anna"}, who is expected or has no phone yet, with
        their own phone, which gets the secret part of the address of “my evening”. If the event
        uses phones, any of the club's access codes is enough for this."""
        number, body = _event_number(request), await _json_body(request)
        while True:
            kept = await self._read(partial(self._desk.event, number))
            if not kept.uses_phones:
                raise EventError("phones aren't used at this event: check in at the desk")
            who = next((one for one in kept.course.text["players"] if one["id"] == body.get("id")),
                       None)  # fmt: skip
            if who is None:
                raise EventError("you are not on the list: go to the desk")
            entries = [EventEntry("phone", {"id": who["id"]})]
            if who["id"] in kept.course.text["out"]:
                came = {
                    key: who[key] for key in ("id", "name", "rating") if who.get(key) is not None
                }
                entries.insert(0, EventEntry("came", came))
            elif kept.phone_of(who["id"]) is not None:
                raise EventError("{name} has already checked in", name=str(who["name"]))
            enter = partial(self._desk.enter, number, kept.after, entries, "a phone")
            try:
                kept = await self._hub.committer.change(enter)
            except ChangedError:
                continue
            token = self._mine.token(kept, who["id"])
            return web.json_response({"here": who["name"], "mine": token})

    async def _send_names(self, _request: web.Request) -> web.StreamResponse:
        """Sends the names of people who came to the club's events or sit at its tables."""
        found = await self._read(self._desk.names)
        await self._hub.refresh()
        for table in self._hub.tables.own_tables():
            found |= {str(seat["shown"]) for seat in (table.moment or {}).get("seats", [])}
        return web.json_response({"names": sorted(found - COLOUR_NAMES, key=str.casefold)})

    def _check_rules(self, settings: Json) -> None:
        """Raises EventError if no game can begin with the house rules in `settings`."""
        name, given = settings.get("game", DEFAULT_GAME), settings.get("options", {})
        rules = rules_of(self._hub.games).get(str(name))
        if rules is None:
            raise EventError("there is no game {game} here", game=str(name)[:40])
        if not isinstance(given, dict):
            return  # begin() reports the error
        seats = settings.get("seats", 4)
        known = is_whole(seats, SEATS) and seats in rules.players
        many = seats if known else max(rules.players)
        try:
            settle_options(rules, many, {key: str(value) for key, value in given.items()})
        except EntryError as error:
            raise EventError("{why}", why=error) from error

    async def _enter(self, request: web.Request) -> web.StreamResponse:
        """Changes an event as the body of the request asks. {"after": 12, "entries": [{"came": …},
        …]} makes these entries; {"after": 12, "draw": true} draws a round; {"after": 12, "propose":
        true, "seed": "…"} drafts one, which {"after": 12, "publish": true} then draws. "seating":
        "1: Anna, Ben" gives the seats of that draft, and "lot": true draws it even if its seats
        were given. {"after": 12, "teams": "Ship Inn: Anna, Ben", "boards": 3} sets the teams. A
        result that is impossible under the rules is refused with "doubt", unless "as_entered": true
        confirms it. With "preview": true nothing is entered, and the answer lists who would move in
        the standings."""
        number, body = _event_number(request), await _json_body(request)
        after = body.get("after")
        if not is_whole(after, ENTRIES):
            raise EventError("say after how many entries this was meant")
        if body.get("draw") is True or body.get("propose") is True:
            self._require(request, organiser=True)
            seed, draft = body.get("seed"), body.get("propose") is True
            if seed is not None and not (isinstance(seed, str) and 0 < len(seed) <= LONGEST_SEED):
                raise EventError("a seed is a text of at most {most} characters", most=LONGEST_SEED)
            seating, by_lot = body.get("seating"), body.get("lot") is True
            if seating is not None and not isinstance(seating, str):
                raise EventError("the seats of a round are a text")
            drawn = partial(
                self._desk.draw, number, after,
                draft=draft, seed=seed, seating=seating, by_lot=by_lot,
            )  # fmt: skip
            entries = await self._read(drawn)
        elif "teams" in body:
            self._require(request, organiser=True)
            read = partial(self._teams_entry, number, body["teams"], body.get("boards"))
            entries = [await self._read(read)]
        elif body.get("publish") is True:
            self._require(request, organiser=True)
            entries = [await self._read(partial(self._desk.publish, number, after))]
        else:
            given = body.get("entries")
            if not isinstance(given, list):
                raise EventError("entries must be a list")
            entries = [read_entry(json.dumps(one)) for one in given]
            kept = await self._read(partial(self._desk.event, number))
            self._require(request, organiser=not _may_judge(kept, entries))
            if body.get("preview") is True:
                return web.json_response(
                    {"moves": await self._read(partial(_changes_of_places, kept, entries))}
                )
            rules, now = rules_of(self._hub.games), self._hub.clock()
            doubt = find_doubt(kept, entries, rules, now)
            if doubt is not None and body.get("as_entered") is not True:
                why = language_of(request).translate(phrase("{why}: as entered?", why=doubt))
                return web.json_response({"error": why, "doubt": True}, status=409)
        enter = partial(self._desk.enter, number, after, entries, self._role_name(request))
        kept = await self._hub.committer.change(enter)
        await self.news.send_changes({entry.kind for entry in entries})
        return web.json_response(await self._read(partial(self._event_json, kept, request)))

    def _teams_entry(self, number: int, text: object, boards: object) -> EventEntry:
        """Returns the entry that sets the teams, from the text that the organiser typed."""
        if not isinstance(text, str):
            raise EventError("the teams are a text")
        teams = read_teams(text, self._desk.event(number).event)
        return EventEntry("teams", {"teams": teams, "boards": boards})

    # ------------------------------------------------------------ permissions and errors

    def _role_name(self, request: web.Request) -> str:
        role = self._hub.role_of_request(request)
        return role.value if role else ""

    def _require(self, request: web.Request, *, organiser: bool) -> None:
        role = self._hub.role_of_request(request)
        if role is ClubRole.ORGANISER or (role is ClubRole.JUDGE and not organiser):
            return
        body = phrase("only the judge may enter this")
        if organiser:
            body = phrase("only the organiser may enter this")
        raise web.HTTPForbidden(text=json.dumps({"error": language_of(request).translate(body)}))

    def _guarded(self, handler: Handler) -> Handler:
        async def guarded(request: web.Request) -> web.StreamResponse:
            if self._hub.role_of_request(request) is None:
                return refuse_role(request, phrase("this needs an access code"), known=False)
            visit_of(request).keep_open()  # drawing a round may take long on a busy machine
            try:
                return await handler(request)
            except ChangedError as error:
                body = language_of(request).translate(error.why)
                return web.json_response({"error": body, "changed": True}, status=409)
            except Refusal as error:
                return web.json_response(
                    {"error": language_of(request).translate(error.why)}, status=422
                )

        return guarded


def round_in_query(request: web.Request) -> int | None:
    """The number of the round in `?before=3`; None if the request has none. Raises EventError."""
    body = request.query.get("before")
    if body is None:
        return None
    if not re.fullmatch(r"[0-9]{1,4}", body):
        raise EventError("before which round? Give a whole number")
    return int(body)


def _event_number(request: web.Request) -> int:
    return int(request.match_info["number"])


async def _json_body(request: web.Request) -> Json:
    """Returns the JSON object in the body of the request. Raises EventError if it is not one."""
    try:
        found = read_json(await request.read())
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise EventError("this is not a JSON object")
    return found


def _changes_of_places(kept: StoredEvent, entries: Iterable[EventEntry]) -> list[Json]:
    """The players whose place in the standings these entries would change, with their places `now`
    and `then`. Raises EventError."""
    places = [
        {row.player: row.place for row in rows}
        for rows in (kept.standings, standings(kept.course.with_entries(*entries).event()))
    ]
    return [
        {"player": one, "now": places[0].get(one), "then": place}
        for one, place in places[1].items()
        if places[0].get(one) != place
    ]


def _match_json(event: ClubEvent, match: TeamMatch) -> Json:
    """Returns a match; of a knock-out with the game points, if these decided it."""
    points = match.deciding_points if event.is_knockout else None
    return match.as_json | ({"points": [*map(json_number, points)]} if points else {})


def _bracket_drawings(kept: StoredEvent, most: int | None, language: Language) -> list[str]:
    bracket = kept.bracket
    if bracket is None:
        return []
    event = kept.event
    names = {one: AsWritten(name) for one, name in names_in_bracket(event).items()}
    parts = parts_of(bracket, most or len(bracket.matches))
    shown = parts if most is None else current_parts(bracket, parts)
    with translated_by(language.translate):
        return [
            bracket_svg(bracket, names, event.format, part, narrow=most is not None)
            for part in shown
        ]


def _may_judge(kept: StoredEvent, entries: Iterable[EventEntry]) -> bool:
    """Whether a judge may make these entries: entries of the kinds BY_JUDGES, and undoing such an
    entry."""
    known = kept.course.entries

    def effective_kind(entry: EventEntry) -> str:
        number = entry.fields.get("entry")
        if entry.kind == "undo" and is_whole(number, range(1, len(known) + 1)):
            return effective_kind(known[number - 1])
        return entry.kind

    return all(effective_kind(entry) in BY_JUDGES for entry in entries)
