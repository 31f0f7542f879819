"""A club's event on the hub, as the organiser, the judge and a guest run and see it."""

import asyncio
import json
from contextlib import suppress
from typing import Any

import aiohttp

from companion.core.seats import Seat, Seats
from companion.core.values import Json
from companion.games.chips import Chips
from companion.games.high_five import CHIP_SETS
from tests.club.hub.club_site import ClubSite
from tests.players.evening_kept import entries_of
from tests.rigs.club_table import PATIENCE_S, Table

NAMES = (
    *("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ines", "Jack", "Kim"),
    *("Lea", "Max", "Nora", "Otto", "Pia", "Quinn", "Rosa", "Sam", "Tess", "Uli", "Vera"),
)
LATE = "Uli", "Vera"


class Visitor:
    """A client of the hub over HTTP, with the token of a role."""

    def __init__(self, site: ClubSite, role: str, http: aiohttp.ClientSession) -> None:
        self._site, self._http = site, http
        self._word = site.word(role)

    async def ask(self, path: str, said: object = None) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {self._word}"}
        url = f"{self._site.url}{path}"
        if said is None:
            async with self._http.get(url, headers=headers) as answer:
                return answer.status, await answer.json()
        async with self._http.post(url, headers=headers, json=said) as answer:
            return answer.status, await answer.json()


class Evening:
    """The evening, as the organiser, the judge and a guest run and see it."""

    def __init__(self, site: ClubSite, http: aiohttp.ClientSession, tables: list[Table]) -> None:
        self.site, self.tables = site, tables
        self.organiser = Visitor(site, "keep", http)
        self.judge, self.guest = Visitor(site, "play", http), Visitor(site, "watch", http)
        self.path = ""
        self.kept: Json = {}

    async def begin(self) -> None:
        settings = {"name": "Friday fives", "format": "tables", "seed": "a club's evening"}
        _, self.kept = await self.organiser.ask("/api/events", {**settings, "period": 30})
        self.path = f"/api/events/{self.kept['number']}"
        text = "\n".join(NAMES)
        status, self.kept = await self.organiser.ask(
            f"{self.path}/people", {"after": 1, "text": text, "kind": "listed"}
        )
        assert status == 200
        for name in NAMES:
            if name not in LATE:
                await self.check_in(name)

    async def check_in(self, name: str) -> None:
        """Checks a player in by their own phone."""
        status, found = await self.guest.ask(f"{self.path}/here", {"id": name.lower()})
        assert (status, found["here"]) == (200, name)

    async def enter(self, *entries: Json, by: Visitor | None = None) -> Json:
        for _ in range(9):
            _, now = await self.organiser.ask(self.path)
            said = {"after": now["after"], "entries": entries}
            status, self.kept = await (by or self.organiser).ask(self.path, said)
            if status != 409:
                assert status == 200, self.kept
                return self.kept
        raise AssertionError("somebody else was always faster")

    async def draw(self) -> Json:
        _, now = await self.organiser.ask(self.path)
        status, self.kept = await self.organiser.ask(
            self.path, {"after": now["after"], "draw": True}
        )
        assert status == 200, self.kept
        return self.round

    @property
    def round(self) -> Json:
        found: Json = self.kept["event"]["rounds"][-1]
        return found

    def place(self, table: Json) -> str:
        return f"{self.kept['number']}.{len(self.kept['event']['rounds'])}.{table['table']}"

    def names(self, table: Json) -> tuple[str, ...]:
        called = {one["id"]: one["name"] for one in self.kept["event"]["players"]}
        return tuple(called[one] for one in table["seats"])

    async def play(self, table: Json, seed: int) -> None:
        """Plays a whole random game at `table`, keyed by its phone."""
        at = self.tables[table["table"] - 1]
        await at.begin(self.place(table))
        assert tuple(at.seats) == self.names(table)
        await at.key(entries_of(seed, self.names(table)))
        assert at.moment["finished"]

    async def results(self) -> None:
        """Lets the judge enter the results of the tables, once all tables have one."""
        found: list[Json] = []
        for _ in range(int(PATIENCE_S / 0.2)):
            _, now = await self.judge.ask(self.path)
            found = [one["result"] for one in now["playing"] if one["result"]]
            if len(found) == len(now["playing"]):
                break
            await asyncio.sleep(0.2)
        assert found, "no table has a result"
        await self.enter(*({"result": one} for one in found), by=self.judge)

    async def whole_round(self, number: int) -> None:
        drawn = await self.draw()
        await asyncio.gather(
            *(self.play(one, 100 * number + one["table"]) for one in drawn["tables"])
        )
        await self.results()

    # ------------------------------------------------------------ what goes wrong

    async def wrong_seating(self, number: int) -> None:
        """Two players sit at each other's table, which is noticed after several hands."""
        drawn = await self.draw()
        one, other = drawn["tables"][:2]
        a, b = self.tables[one["table"] - 1], self.tables[other["table"] - 1]
        games = {
            at.number: entries_of(100 * number + at.number, self.names(table))
            for at, table in ((a, one), (b, other))
        }
        for at, table in ((a, one), (b, other)):
            await at.begin(self.place(table))
            await at.key(games[at.number][: len(games[at.number]) // 2])
        before = {at.number: [seat["score"] for seat in at.moment["seats"]] for at in (a, b)}
        first, second = [*one["seats"]], [*other["seats"]]
        first[1], second[1] = second[1], first[1]
        changed = [
            {"table": one["table"], "seats": first},
            {"table": other["table"], "seats": second},
        ]
        await self.enter({"reseated": {"round": number, "tables": changed}})
        called = {one["id"]: one["name"] for one in self.kept["event"]["players"]}
        for at, seats, was in ((a, first, one), (b, second, other)):
            await at.awake()
            await at.seen(lambda at=at: bool((at.phone.club or {}).get("given")))
            assert (at.phone.club or {})["given"]["others"]
            await at.phone.say(club={"wish": "begin", "address": self.place(was)})
            names = [called[seat] for seat in seats]
            await at.seen(lambda at=at, names=names: at.seats == names)
            assert [seat["score"] for seat in at.moment["seats"]] == before[at.number]
            rest = games[at.number][len(games[at.number]) // 2 :]
            old = called[was["seats"][1]]
            texts = (f" {entry} ".replace(f" {old} ", f" {names[1]} ").strip() for entry in rest)
            await at.key([*texts])
            assert at.moment["finished"]
        others = [table for table in drawn["tables"] if table not in (one, other)]
        await asyncio.gather(*(self.play(each, 100 * number + each["table"]) for each in others))
        await self.results()

    async def dispute(self, number: int) -> None:
        """Somebody calls a bogus play that the record can't settle: the judge sees what the accused
        holds, and rules."""
        drawn = await self.draw()
        table = drawn["tables"][-1]
        at = self.tables[table["table"] - 1]
        await at.begin(self.place(table))
        who = self.names(table)
        accused, caller = who[1], at.seats[0]
        # A pass with tiles left to draw, and pips in the place of tiles: nothing is proven.
        await at.key([
            "hand", f"{who[0]} 6-6", f"{accused} pass", f"bogus {accused} by {caller}",
            f"{accused} pips 31",
        ])  # fmt: skip
        call: Json = {}
        for _ in range(100):
            _, found = await self.judge.ask("/api/calls")
            if found["calls"] and found["calls"][0]["shown"]:
                call = found["calls"][0]
                break
            await asyncio.sleep(0.2)
        assert (call["name"], call["accused"]) == (at.name, accused)
        assert call["holding"] == {"pips": 31, "tiles": None}
        _, others = await self.organiser.ask("/api/calls")
        assert others["calls"][0]["holding"] is None
        assert (await self.guest.ask("/api/calls"))[0] == 403
        said = {key: call[key] for key in ("game", "tip", "seat")}
        status, _ = await self.judge.ask(
            f"/api/calls/{call['box']}", {**said, "judge": "Carla", "bogus": True}
        )
        assert status == 200
        await at.seen(
            lambda: not (at.moment["claim"] or {"open": True})["open"] or not at.moment["claim"]
        )
        assert "Judge Carla" in json.dumps(at.moment["latest"])
        leads = Chips.full(Seats.of(*who), CHIP_SETS[0]).payee_of(Seat(accused))
        await at.key([f"hand lead {leads}"])
        while not at.moment["finished"]:
            await at.key([f"{leads} points 35"])
        await asyncio.gather(
            *(self.play(each, 100 * number + each["table"]) for each in drawn["tables"][:-1])
        )
        await self.results()

    async def correction(self) -> None:
        """A result is corrected after the standings were shown: the standings change, and the round
        says why."""
        before = [one["player"] for one in self.kept["standings"]]
        number = len(self.kept["event"]["rounds"])
        table = self.round["tables"][0]
        points = [*reversed(table["points"])]
        said = {"round": number, "table": table["table"], "points": points}
        why = {"by": "Carla", "why": "two seats were mixed up on the slip"}
        await self.enter({"corrected": {**said, **why}}, by=self.judge)
        assert [one["player"] for one in self.kept["standings"]] != before
        assert self.round["tables"][0]["corrected"]["why"] == why["why"]

    async def killed_while_drawing(self) -> None:
        """The hub is killed in the middle of a draw: the whole round is kept, or nothing of it."""
        _, now = await self.organiser.ask(self.path)
        asked = asyncio.create_task(
            self.organiser.ask(self.path, {"after": now["after"], "draw": True})
        )
        await asyncio.sleep(0.02)
        self.site.hub.kill()
        with suppress(aiohttp.ClientError):
            await asked
        self.site.hub.start()
        _, self.kept = await self.organiser.ask(self.path)
        drawn = len(self.kept["event"]["rounds"]) - len(now["event"]["rounds"])
        assert drawn in (0, 1)
        if drawn:
            seated = [one for table in self.round["tables"] for one in table["seats"]]
            out = self.kept["event"]["out"]
            assert len(seated) == len(self.kept["event"]["players"]) - len(out)
            await self.enter({"undo": {"entry": self.kept["after"]}})
