"""The newest round of an event at the club's tables: finds its results in the games there, so that
one tap enters them, gives the boxes their seats, and sends them the clock.

A game belongs to a table of the round if its box was given that table's seats, or if its players
have the names of those who sit there. A game that began before the round was drawn doesn't belong
to it, nor does one that has already given a result. If a box's clock was never set, the time of its
games is unknown, and only their place in the event or the names count. If a match has several
games, those that the box played with the same given seats are counted one after the other.

Messages are sent when something changes, and again to a box that connects. A box at which other
people play is given the event's seats as well, and asks whether these people sit there
(console/screens/given_seats.py).
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from typing import Final

from companion.club.hub.database import UnavailableError
from companion.club.hub.event_desk import EventDesk, StoredEvent
from companion.club.hub.server import Hub
from companion.club.hub.store import MEMBER
from companion.club.hub.tables import ClubTable, PlayedGame
from companion.core.clock import CLOCK_SET
from companion.core.club import GivenSeats
from companion.core.seats import display_name
from companion.core.values import Json, dataclass
from companion.core.words import case_folded, phrase
from companion.events.entries import EventEntry, result_of
from companion.events.event import DEFAULT_GAME, EventError
from companion.record.match import Match

# ---------------------------------------------------------------- results


@dataclass(frozen=True, slots=True)
class TableOfRound:
    """A table of the newest round and its box (None: not found). `result`: the entry for its game
    or match, once that is over. `present_score`: while the game or match is being played, the entry
    with the present score. `moment`: the game as docs/telling.md describes it. `played_by_others`:
    whether the people who play there are not those of the draw."""

    table: int
    box: str | None
    result: EventEntry | None
    moment: Json | None
    present_score: EventEntry | None = None
    played_by_others: bool = False

    @property
    def is_disputed(self) -> bool:
        """Whether a call of bogus play waits for its ruling at the table."""
        claim = self.moment and self.moment.get("claim")
        return bool(claim and claim["open"])


def tables_of_round(kept: StoredEvent, tables: Iterable[ClubTable]) -> list[TableOfRound]:
    """The tables of the newest round that have no result yet."""
    newest = kept.course.round
    if newest is None:
        return []
    names = {one["id"]: str(one["name"]) for one in kept.course.text["players"]}
    counted = _CountableGames(kept)
    playing = [one for one in map(counted.games_at, tables) if one.games]
    by_name = {_player_names(one.games[-1].moment): one for one in playing}
    by_place = {one.table.place: one for one in playing if one.table.place}
    found = []
    for table in newest["tables"]:
        if result_of(table) is None:
            place = f"{kept.number}.{len(kept.course.text['rounds'])}.{table['table']}"
            who = frozenset(case_folded(display_name(names[one])) for one in table["seats"])
            found.append(_table_of_round(kept, table, by_place.get(place, by_name.get(who)), names))
    return found


@dataclass(frozen=True, slots=True)
class _TableGames:
    """A table of the club with those of its games that may belong to the round, in order."""

    table: ClubTable
    games: tuple[PlayedGame, ...]


class _CountableGames:
    """Which games may still count for the newest round of an event."""

    def __init__(self, kept: StoredEvent) -> None:
        self._drawn_at = _drawn_at(kept)
        self._round = f"{kept.number}.{len(kept.course.text['rounds'])}."
        self._used = {
            (entry.fields.get("box"), entry.fields.get("game"))
            for entry in kept.course.entries_of("result")
        }

    def games_at(self, table: ClubTable) -> _TableGames:
        """The `table` with those of its games that may still count."""
        games = list(table.other_games)
        if table.moment is not None and table.game is not None:
            games.append(PlayedGame(table.game, table.opened_at, table.moment))
        games.sort(key=lambda one: one.number)
        return _TableGames(table, tuple(one for one in games if self._counts(table, one)))

    def _counts(self, table: ClubTable, game: PlayedGame) -> bool:
        if (table.box, game.number) in self._used:
            return False
        if game.opened_at is None or game.opened_at < CLOCK_SET:
            return not table.place or table.place.startswith(self._round)
        return game.opened_at >= self._drawn_at


def _table_of_round(
    kept: StoredEvent, table: Json, playing: _TableGames | None, names: dict[str, str]
) -> TableOfRound:
    number = table["table"]
    if playing is None:
        return TableOfRound(number, None, None, None)
    box, newest = playing.table.box, playing.games[-1]
    who = [case_folded(display_name(names[one])) for one in table["seats"]]
    if _player_names(newest.moment) != frozenset(who):
        return TableOfRound(number, box, None, newest.moment, played_by_others=True)
    games = [one for one in playing.games if _player_names(one.moment) == frozenset(who)]
    last, points, over = _match_standing(games, kept.games)
    fields: Json = {
        "round": len(kept.course.text["rounds"]),
        "table": number,
        "points": [points[one] for one in who],
        "box": box,
        "game": last.number,
    }
    entry = EventEntry("result", fields)
    return TableOfRound(number, box, entry if over else None, last.moment, None if over else entry)


def _match_standing(
    games: Sequence[PlayedGame], of: int
) -> tuple[PlayedGame, dict[str, int], bool]:
    """Returns the score of a match of `of` games: its last game that counts, the points by name in
    lower case (games won if `of` is above 1), and whether the match is over. Games after the
    decision don't count; a game without a winner is played again."""
    decided = [one for one in games if is_over(one.moment) and one.moment["winners"]]
    if of == 1:
        last = decided[0] if decided else games[-1]
        return last, points_by_name(last.moment), is_over(last.moment)
    won = dict.fromkeys(_player_names(games[-1].moment), 0)
    for number, one in enumerate(decided, start=1):
        for seat in one.moment["seats"]:
            if seat["seat"] in one.moment["winners"]:
                won[case_folded(seat["shown"])] += 1
        if Match(of, number, {side: won[side[0]] for side in _sides(one.moment)}).winner:
            return one, won, True
    return games[-1], won, False


def _sides(moment: Json) -> list[tuple[str, ...]]:
    """The names of the players of each side, in lower case; without partners, each player is a
    side."""
    shown = {seat["seat"]: case_folded(seat["shown"]) for seat in moment["seats"]}
    sides = moment.get("sides") or [[seat] for seat in shown]
    return [tuple(shown[seat] for seat in side) for side in sides]


def is_over(moment: Json) -> bool:
    """Whether a table has its result: its game is over, or its match is decided."""
    match = moment.get("match")
    return bool(moment["finished"] and (match is None or match["decided"]))


def points_by_name(moment: Json) -> dict[str, int]:
    """The points of each seat, by its name in lower case; in a match, the number of games it has
    won."""
    match = moment.get("match")
    return {
        case_folded(seat["shown"]): match["won"][seat["seat"]] if match else seat["score"]
        for seat in moment["seats"]
    }


def _player_names(moment: Json) -> frozenset[str]:
    return frozenset(case_folded(seat["shown"]) for seat in moment["seats"])


def _drawn_at(kept: StoredEvent) -> float:
    """When the newest round was drawn, by the hub's clock."""
    drawn = [at for _, at, _ in kept.entries_of("drawn")]
    return drawn[-1] if drawn else 0.0


# ---------------------------------------------------------------- seats
# Gives an event's seats to the club's boxes: those of each table to the box that has its number.
#
# The box prompts its players “Round 3, table 7 … OK: begin” (console/screens/given_seats.py). It
# gets the seats when a round is drawn or seats change, and again when it connects, until its game
# has begun or the result is entered.


def box_with_number(number: int, tables: Iterable[ClubTable]) -> str | None:
    """Returns the member with that table number; None if there is none."""
    return next((one.box for one in tables if one.state == MEMBER and one.number == number), None)


def seats_to_give(kept: StoredEvent, tables: Iterable[ClubTable]) -> dict[str, Json]:
    """The seats to send to each box, by box. A box gets the seats of its table in the newest round
    if the game there has not begun, or if other people are playing there."""
    known = [*tables]
    waiting = {one.table: one for one in tables_of_round(kept, known)}
    newest = kept.course.round
    if newest is None:
        return {}
    names = {one["id"]: str(one["name"]) for one in kept.course.text["players"]}
    found, asides = {}, games_put_aside(kept)
    for table in newest["tables"]:
        one = waiting.get(table["table"])
        if one is None or (one.box is not None and not one.played_by_others):
            continue
        box = one.box or box_with_number(table["table"], known)
        if box is not None:
            given = GivenSeats(
                kept.number,
                len(kept.course.text["rounds"]),
                table["table"],
                str(kept.course.text.get("game", DEFAULT_GAME)),
                tuple(names[one] for one in table["seats"]),
                tuple(kept.course.text.get("options", {}).items()),
                asides.get(box),
            )
            found[box] = given.as_json
    return found


def games_put_aside(kept: StoredEvent) -> dict[str, int]:
    """The number of the unfinished game from an earlier evening that the organiser has put aside at
    each box, by box."""
    return {entry.fields["box"]: entry.fields["game"] for entry in kept.course.entries_of("aside")}


# ---------------------------------------------------------------- messages to the boxes

CLOCK_S: Final = 1.0
LATE_S: Final = 60.0
"""Seconds after the end of a round within which a restarted hub still sends that the time is up."""
TIME_UP: Final = phrase("Time! Finish this hand.")
SEAT_ENTRIES: Final = frozenset({"drawn", "reseated", "absent", "aside", "undo"})
"""The kinds of entries that may change the seats given to boxes."""
CLOCK_ENTRIES: Final = frozenset({"drawn", "undo", "clock", "absent", "result", "corrected"})
"""The kinds of entries that may start, change or stop the clock at some boxes."""

CALL_ENTRIES: Final = frozenset({"announced", "break"})
"""The kinds of entries that TVs show."""
NOTHING_ANNOUNCED: Final[Json] = {"texts": [], "round": None, "left_s": None}


def announced_now(running: Sequence[StoredEvent], now: float) -> Json:
    """Returns the texts of the calls that are shown now, oldest first, and the number of the next
    round if a break comes before it, with the seconds left of that break."""
    recent = [one for one in running if one.is_recent(now)]
    breaks = [
        (len(one.course.text["rounds"]) + 1, left)
        for one in recent
        if (left := one.break_left_s(now)) is not None
    ]
    number, left = breaks[0] if breaks else (None, None)
    texts = [call["text"] for one in reversed(recent) for call in one.announced(now)]
    return {"texts": texts, "round": number, "left_s": left}


class RoundMessages:
    """Sends a hub's boxes their seats and the round's clock. `enter_settled` is called repeatedly
    with each running event, and may enter results. All methods belong to the hub's event loop."""

    def __init__(
        self, hub: Hub, desk: EventDesk, enter_settled: Callable[[StoredEvent], Awaitable[None]]
    ) -> None:
        self._hub, self._desk, self.enter_settled = hub, desk, enter_settled
        self._notified_time_up = set[tuple[int, int, int, float]]()
        """The tables that were notified that their time is up: event, round, table and when."""
        self._timed: Mapping[str, float] = {}
        """When the time is up at each box whose clock runs, by the hub's clock."""
        self.announced: Json = NOTHING_ANNOUNCED
        """The calls of the running events for every TV, and the break before the next round."""
        self._sent_calls: tuple[Json, float | None] = NOTHING_ANNOUNCED, None
        """The calls last sent to the boxes, and when the break ends (0: it is over)."""
        self.shown: int | None = None
        """The number of the event that a TV shows beside the tables: the newest, from its first
        round until hours after its last entry."""

    # ------------------------------------------------------------ messages

    async def greet(self, box: str) -> list[Json]:
        """Returns the messages for a box that has just connected: its seats and its clock, if there
        are any, and the organiser's calls for its TV. Without calls at a running event there is no
        message about calls, as in version 0.3."""
        running = await self._running()
        given, timed = await self._seats_and_clocks(running)
        found: list[Json] = [{"seats": given[box]}] if box in given else []
        found += [self._clock_of(timed[box])] if box in timed else []
        announced = announced_now(running, self._hub.clock())
        # Calls and breaks that are over are sent too, because a box that was away may still show
        # them.
        entries = (entry for one in running for entry in one.course.entries)
        if announced != NOTHING_ANNOUNCED or any(one.kind in CALL_ENTRIES for one in entries):
            found.append({"announced": announced})
        return found

    async def send_after_renumbering(self) -> None:
        """Sends the boxes their seats and clocks after table numbers have changed."""
        await self.send_changes({"undo"})

    async def send_changes(self, kinds: Set[str]) -> None:
        """Sends the boxes the seats, clocks and calls that entries of these kinds may have
        changed."""
        if not kinds & (SEAT_ENTRIES | CLOCK_ENTRIES):
            return
        given, timed = await self._seats_and_clocks(await self._running())
        members = [one.box for one in self._hub.tables.own_tables() if one.state == MEMBER]
        for box in members:
            if kinds & SEAT_ENTRIES and (box in given or "undo" in kinds):
                await self._hub.send_to_box(box, {"seats": given.get(box)})
            if kinds & CLOCK_ENTRIES and (box in timed or box in self._timed):
                await self._hub.send_to_box(box, self._clock_of(timed.get(box)))
        self._timed = timed

    def left_s(self, box: str) -> int | None:
        """The seconds left of the round at that box's table; None if no clock runs there."""
        ends = self._timed.get(box)
        return None if ends is None else max(0, round(ends - self._hub.clock()))

    def _clock_of(self, ends: float | None) -> Json:
        left = None if ends is None else max(0.0, round(ends - self._hub.clock(), 1))
        return {"clock": {"left_s": left}}

    async def _seats_and_clocks(
        self, running: Sequence[StoredEvent]
    ) -> tuple[Mapping[str, Json], Mapping[str, float]]:
        """Returns the seats that each box should have, and the time at which each box's round is
        over. If two events use the same table, the newer one has it."""
        await self._hub.refresh()
        tables, given, timed = self._hub.tables.own_tables(), dict[str, Json](), {}
        for kept in reversed(running):
            given.update(seats_to_give(kept, tables))
            timed.update(self._clocks_of(kept))
        return given, timed

    def _clocks_of(self, kept: StoredEvent) -> dict[str, float]:
        tables, found = self._hub.tables.own_tables(), dict[str, float]()
        for one in tables_of_round(kept, tables):
            box = one.box or box_with_number(one.table, tables)
            ends = kept.time_up_at_table(one.table)
            if box is not None and ends is not None:
                found[box] = ends
        return found

    # ------------------------------------------------------------ the clock

    async def watch_clock(self) -> None:
        """Notifies each table of a running round once when its time is up, drops the clocks of
        tables that have a result, and enters settled results; runs until it is cancelled."""
        while True:
            await asyncio.sleep(CLOCK_S)
            with suppress(UnavailableError, EventError):
                await self._check_rounds()

    async def _check_rounds(self) -> None:
        running, now = await self._running(), self._hub.clock()
        newest = running[0] if running else None
        self.shown = newest.number if newest and newest.is_running(now) else None
        self.announced = announced_now(running, now)
        await self._send_calls(now)
        timed, up = dict[str, float](), list[tuple[tuple[int, int, int, float], str]]()
        for kept in reversed(running):
            timed.update(self._clocks_of(kept))
            rounds = len(kept.course.text["rounds"])
            for one in tables_of_round(kept, self._hub.tables.own_tables()):
                ends = kept.time_up_at_table(one.table)
                if one.box is None or one.result is not None or ends is None:
                    continue
                if ends <= now < ends + LATE_S:
                    up.append(((kept.number, rounds, one.table, ends), one.box))
            await self.enter_settled(kept)
        if timed or self._timed:
            self._timed = timed
        for at, box in up:
            if at not in self._notified_time_up:
                self._notified_time_up.add(at)
                await self._hub.send_if_connected(box, {"line": str(TIME_UP)})

    async def _send_calls(self, now: float) -> None:
        """Sends the boxes of this hub the calls and the break if they have changed; boxes count the
        break down by themselves."""
        calls, left = {**self.announced, "left_s": None}, self.announced["left_s"]
        ends = now + left if left else left
        sent, end_sent = self._sent_calls
        is_same_end = abs(ends - end_sent) <= 2 * CLOCK_S if ends and end_sent else ends == end_sent
        if calls == sent and is_same_end:
            return
        self._sent_calls = calls, ends
        for one in self._hub.tables.own_tables():
            await self._hub.send_if_connected(one.box, {"announced": self.announced})

    async def _running(self) -> list[StoredEvent]:
        """The events that are running, the newest first."""
        return await self._hub.committer.read(self._desk.running)
