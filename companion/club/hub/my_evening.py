"""“My evening”: the page of one player at an event, and the entries that this player may make.

Each player's address has a secret part, which a phone gets when it checks in, or from a code that
the organiser shows. The page shows nothing that a viewer of the event could not see.
"""

import hmac
import re
from functools import partial
from typing import Any, Final

from aiohttp import web

from companion.club.hub.database import UnavailableError
from companion.club.hub.event_desk import ChangedError, EventDesk, StoredEvent
from companion.club.hub.event_results import reports_of
from companion.club.hub.event_round import TableOfRound, tables_of_round
from companion.club.hub.page_responses import language_of
from companion.club.hub.server import Hub, visit_of
from companion.core.errors import Refusal
from companion.core.json_text import read_json
from companion.core.values import Json
from companion.core.words import phrase
from companion.events.bracket import names_in_bracket
from companion.events.entries import EventEntry, result_of
from companion.events.event import ClubEvent, EventError, EventTable, payments
from companion.events.standings import RunningTotals, json_number
from companion.events.teams import matches_of, team_standings
from companion.web.access import bearer_token

TOKEN: Final = re.compile(r"(\d{1,6})\.([a-z2-7]{16})", re.ASCII)
BY_A_PHONE: Final = "a phone"


class MyEvening:
    """The routes of “my evening”. All methods belong to the hub's event loop."""

    def __init__(self, hub: Hub, desk: EventDesk) -> None:
        self._hub, self._desk = hub, desk

    def add_to(self, app: web.Application) -> None:
        """Adds its routes."""
        one = r"/api/events/{number:\d{1,6}}/mine"
        app.router.add_get(one, self._send)
        app.router.add_post(one, self._enter)

    def token(self, kept: StoredEvent, player: str) -> str | None:
        """The secret part of the player's address; None if the player has no phone."""
        secret = self._desk.phone_token(kept, player)
        return None if secret is None else f"{kept.phone_of(player)}.{secret}"

    def _player(self, kept: StoredEvent, request: web.Request) -> str | None:
        """The id of the player to whom the request's token belongs; None if the token is not one of
        this event, or no longer valid."""
        told = TOKEN.fullmatch(bearer_token(request.headers) or "")
        number = int(told[1]) if told else 0
        if told is None or not 0 < number <= kept.after:
            return None
        entry = kept.course.entries[number - 1]
        if entry.kind != "phone" or kept.phone_of(entry.fields["id"]) != number:
            return None
        found: str = entry.fields["id"]
        secret = self._desk.phone_token(kept, found)
        return found if secret is not None and hmac.compare_digest(secret, told[2]) else None

    async def _send(self, request: web.Request) -> web.Response:
        return await self._answer(request, None)

    async def _enter(self, request: web.Request) -> web.Response:
        """Makes the entry that the player's phone requests: {"points": [150, 40], "round": 2,
        "table": 1} reports or confirms a result; {"call": true} calls a judge; {"leave": true}
        means that the player leaves after this round, {"leave": false} that the player stays."""
        try:
            body = read_json(await request.read())
        except ValueError:
            body = None
        return await self._answer(request, body if isinstance(body, dict) else {})

    async def _answer(self, request: web.Request, body: Json | None) -> web.Response:
        language, number = language_of(request), int(request.match_info["number"])
        try:
            while True:
                kept = await self._hub.committer.read(partial(self._desk.event, number))
                who = self._player(kept, request)
                if who is None:
                    why = phrase("this link doesn't hold any more: ask at the desk for a new one")
                    return web.json_response({"error": language.translate(why)}, status=401)
                visit_of(request).keep_open()
                if body is not None:
                    entries = [entry_from_request(kept, who, body)]
                    enter = partial(self._desk.enter, number, kept.after, entries, BY_A_PHONE)
                    try:
                        kept = await self._hub.committer.change(enter)
                    except ChangedError:
                        continue
                tables = tables_of_round(kept, self._hub.tables.own_tables())
                found = await self._hub.committer.read(
                    partial(player_evening_json, kept, who, tables, self._hub.clock())
                )
                return web.json_response(found)
        except UnavailableError:
            raise
        except Refusal as error:
            return web.json_response({"error": language.translate(error.why)}, status=422)


def entry_from_request(kept: StoredEvent, who: str, body: Json) -> EventEntry:
    """Returns the entry that a player's phone requests. Raises EventError."""
    rounds = len(kept.course.text["rounds"])
    mine = {**_player_table(kept, who, body.get("round", rounds)), "id": who}
    match body:
        case {"points": list(points), "round": int(), "table": int()}:
            return EventEntry("reported", {**mine, "points": points})
        case {"call": True}:
            return EventEntry("call", mine)
        case {"leave": True}:
            return EventEntry("left", {"id": who, "after": rounds})
        case {"leave": False}:
            return EventEntry("returned", {"id": who})
    raise EventError("say a result, a call, or whether you leave")


def _player_table(kept: StoredEvent, who: str, number: object) -> Json:
    """Returns the number of the `round` and of the player's `table` in it; 0 for each that doesn't
    exist."""
    rounds = kept.course.text["rounds"]
    if not isinstance(number, int) or not 0 < number <= len(rounds):
        return {"round": 0, "table": 0}
    for table in rounds[number - 1]["tables"]:
        if who in table["seats"]:
            return {"round": number, "table": table["table"]}
    return {"round": number, "table": 0}


def player_evening_json(
    kept: StoredEvent, who: str, playing: list[TableOfRound], now: float
) -> Json:
    """Returns an event as one player sees it: the player's table and seat in the newest round, its
    result, the places of the player and of the team, the rounds so far, and once the event is over
    the winner of a knock-out."""
    event, text = kept.event, kept.course.text
    names = {one.id: one.name for one in event.players}
    rounds = [_round_json(kept, event, at, who) for at in range(1, len(event.rounds) + 1)]
    rows = kept.standings
    row = next(one for one in rows if one.player == who)
    leader, me = rows[0], next(one for one in event.players if one.id == who)
    table = rounds[-1]["table"] if rounds else None
    at = next((one for one in playing if one.table == table), None)
    ends = None if table is None else kept.time_up_at_table(table)
    return {
        "name": kept.name,
        "you": names[who],
        "here": who not in text["out"],
        "leaves": me.until is not None,
        "rounds": rounds,
        "planned": event.planned,
        "left_s": None if ends is None else max(round(ends - now), 0),
        "break_left_s": kept.break_left_s(now),
        "box": at and at.box,
        "over": bool(at and at.result),
        "points_at_box": at and at.result and at.result.fields["points"],
        "penalties": [
            {"round": one.round, "kind": one.kind, "why": one.why}
            for one in event.penalties
            if one.player == who
        ],
        "place": row.place,
        "of": sum(one.place is not None for one in rows),
        "points": json_number(row.points),
        "team": _team_json(event, event.team_of.get(who)),
        "knocked_out": _is_knocked_out(event, rounds),
        "ended": kept.is_over,
        "winner": _winner_of(kept),
        "leader": names[leader.player],
        "behind": json_number(leader.points - row.points),
        "called": any(body["table"] == table for body in kept.open_calls()),
    }


def _round_json(kept: StoredEvent, event: ClubEvent, number: int, who: str) -> Json:
    each, names = event.rounds[number - 1], {one.id: one.name for one in event.players}
    table = next((one for one in each.tables if who in one.seats), None)
    if table is None:
        match = _match_json(event, number, event.team_of.get(who), None)
        return {"round": number, "table": None, "bye": who in each.bye, "match": match}
    seat = table.seats.index(who)
    counted: Any = result_of(
        next(one for one in kept.course.text["rounds"][number - 1]["tables"]
             if one["table"] == table.number)
    )  # fmt: skip
    reports = reports_of(kept, number, table.number)
    return {
        "round": number,
        "table": table.number,
        "bye": False,
        "seat": seat,
        "seats": [names[one] for one in table.seats],
        "points": counted,
        "mine": reports.get(who),
        "reported": next((one for one in reports.values()), None),
        "gained": json_number(_match_points(event, table, who))
        if table.result is not None
        else None,
        "corrected": table.corrected is not None,
        "match": _match_json(event, number, event.team_of.get(who), table.number),
        **_payers_json(event, table, who, names),
    }


def _team_json(event: ClubEvent, name: str | None) -> Json | None:
    """Returns the player's team with its points, its `place` and the number of teams that have one
    (`of`); None if `name` is None."""
    if name is None:
        return None
    rows = team_standings([event])
    row = next(one for one in rows if one.team == name)
    of = sum(one.place is not None for one in rows)
    return {"name": name, "place": row.place, "of": of, "points": json_number(row.points)}


def _match_json(event: ClubEvent, number: int, team: str | None, table: int | None) -> Json | None:
    """Returns the match of the team in a round: its opponent (None: the team has a bye), the boards
    won by both so far, the board (from 1) at the player's table, and the game points if they
    decided a match of a knock-out. Returns None if the team doesn't play."""
    if team is None:
        return None
    for match in matches_of(event, number):
        if team in (match.home, match.away):
            won, opponent = match.boards_won, match.away
            if team == match.away:
                won, opponent = won[::-1], match.home
            board = next((at for at, one in enumerate(match.boards, start=1)
                          if one.table == table is not None), None)  # fmt: skip
            found: Json = {"opponent": opponent, "won": [*map(json_number, won)], "board": board}
            points = match.deciding_points if event.is_knockout else None
            if points is not None:
                mine = points if team == match.home else points[::-1]
                found["points"] = [*map(json_number, mine)]
            return found
    has_bye = any(event.team_of.get(one) == team for one in event.rounds[number - 1].bye)
    return {"opponent": None, "won": [], "board": None} if has_bye else None


def _winner_of(kept: StoredEvent) -> str | None:
    """Returns the name of the player or team that has won a knock-out."""
    bracket = kept.bracket
    if bracket is None or bracket.winner is None:
        return None
    return names_in_bracket(kept.event)[bracket.winner]


def _is_knocked_out(event: ClubEvent, rounds: list[Json]) -> bool:
    """Whether the player or the team no longer plays in a knock-out, though they did before."""

    def plays(each: Json) -> bool:
        return bool(each["table"] or each["bye"] or each["match"])

    return event.is_knockout and any(map(plays, rounds)) and not plays(rounds[-1])


def _match_points(event: ClubEvent, table: EventTable, who: str) -> Any:
    tally = RunningTotals(one.id for one in event.players)
    tally.add_table(event, table)
    return tally.points[who]


def _payers_json(event: ClubEvent, table: EventTable, who: str, names: dict[str, str]) -> Json:
    """Returns whom the player pays in High Five, and who pays the player."""
    if not event.shows_payers:
        return {"pays": None, "paid_by": None}
    paid = payments(table.seats)
    return {
        "pays": next(names[to] for payer, to in paid if payer == who),
        "paid_by": next(names[payer] for payer, to in paid if to == who),
    }
