"""A club's evening: a hub, tables that it opens, phones that key whole random games.

22 people over eight rounds, two of them late, one leaving; a wrong seating that is noticed after
several hands; a disputed play that a judge rules on; a correction after the standings were shown; a
hub that is killed while a round is drawn. Nobody sits out, and the standings agree with a count
that shares no code with the program.

    make rig NAME=club_evening
"""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from companion.commands.cli import main
from companion.core.seats import Seat, Seats
from companion.core.values import Json
from tests.events.playing import count_standings
from tests.hub.club_site import ClubSite, club_site
from tests.players.evening_kept import entries_of
from tests.web.live import Phone

NAMES = (
    *("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ines", "Jack", "Kim"),
    *("Lea", "Max", "Nora", "Otto", "Pia", "Quinn", "Rosa", "Sam", "Tess", "Uli", "Vera"),
)
LATE, LEAVES, ROUNDS, TABLES = ("Uli", "Vera"), "Max", 8, 6
AT_ONCE = 9
"""Entries that a phone keys at once."""
PATIENCE_S = 120.0


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ClubSite]:
    with club_site(tmp_path) as made:
        yield made
    for table in tmp_path.rglob("table.json"):
        with suppress(ProcessLookupError, TypeError):
            os.kill(json.loads(table.read_text())["process"], signal.SIGKILL)


async def until(seen: Any, what: str) -> None:
    """Waits until `seen()` holds. Raises AssertionError after PATIENCE_S."""
    for _ in range(int(PATIENCE_S / 0.05)):
        if seen():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"never came: {what}")


class Visitor:
    """Somebody who asks the hub over HTTP, with the word of a role."""

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


class Table:
    """A table that the hub itself runs, with the phone that keys for it."""

    def __init__(self, site: ClubSite, number: int) -> None:
        self.name, self.number = f"Table {number}", number
        self._place = site.hub.data / "tables" / str(number)
        self.phone: Phone

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{json.loads((self._place / 'table.json').read_text())['port']}"

    async def come(self, stack: Any) -> None:
        """Lets the phone come in by the table's code, to key for all seats."""
        word = json.loads((self._place / "record.codes").read_text())["play"]
        self._session = await stack(aiohttp.ClientSession(self.url))
        self._word = word
        await self.awake()

    async def awake(self) -> None:
        """Lets the phone come in again, as after sleep: the table drops a phone that is silent for
        long."""
        before = self.phone.proposed if hasattr(self, "phone") else 0
        role = {"name": "scorekeeper", "device": f"d{self.number}"}
        self.phone = await Phone.come(self, self._session, f"t{self.number}", role, self._word)  # type: ignore[arg-type]
        self.phone.proposed = before

    async def seen(self, what: Any) -> None:
        """Waits until what the phone was told fulfils `what`; fails after PATIENCE_S."""
        await asyncio.wait_for(self.phone.until(what), PATIENCE_S)

    async def begin(self, place: str) -> None:
        """Taps Begin once the table has been given the seats of `place`."""
        await self.awake()

        def given() -> bool:
            found = (self.phone.club or {}).get("given")
            return bool(found and found["place"] == place)

        await self.seen(given)
        await self.phone.say(club={"wish": "begin", "address": place})
        await self.seen(lambda: not (self.phone.club or {}).get("given"))
        await self.seen(lambda: not self.moment["finished"] and self.moment["seats"])

    @property
    def moment(self) -> Json:
        found: Json = self.phone.stands["moment"]
        return found

    @property
    def seats(self) -> list[str]:
        return [seat["shown"] for seat in self.moment["seats"]]

    async def key(self, entries: Sequence[object]) -> None:
        """Keys these entries, AT_ONCE at a time, each time on the newest state of the record."""
        for at in range(0, len(entries), AT_ONCE):
            before = self.tip
            while self.tip == before:
                try:
                    await self._propose("\n".join(map(str, entries[at : at + AT_ONCE])))
                except (aiohttp.ClientError, TypeError):  # the table has dropped the phone
                    await self.awake()

    async def _propose(self, text: str) -> None:
        tip = self.tip
        answer = await self.phone.keys(text)
        assert answer["counted"], answer
        await self.seen(lambda: self.tip != tip)

    @property
    def tip(self) -> str:
        return str(self.phone.stands["keys"]["tip"])


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
        """Somebody checks in by their own phone."""
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
        """The judge enters the results of the tables, once all tables have one."""
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
        leads = Seats.of(*who).payee_of(Seat(accused))
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


@asynccontextmanager
async def opened(site: ClubSite) -> AsyncIterator[Evening]:
    """A hub with its tables open and a phone at each."""
    sessions: list[aiohttp.ClientSession] = []

    async def stack(session: aiohttp.ClientSession) -> aiohttp.ClientSession:
        sessions.append(session)
        return session

    # A connection that is kept would be dead once the hub was killed.
    apart = aiohttp.TCPConnector(force_close=True)
    http = await stack(aiohttp.ClientSession(connector=apart))
    try:
        page = await http.ws_connect(f"{site.url}/live/organiser", headers={"Origin": site.url})
        await page.send_json({"n": 0, "hello": site.word("keep"), "wants": []})
        for number in range(TABLES):
            await page.send_json({"n": number + 1, "openTable": True})
            await asyncio.sleep(0.2)
        tables = [Table(site, number + 1) for number in range(TABLES)]
        for table in tables:
            folder = site.hub.data / "tables" / str(table.number)
            await until(lambda folder=folder: (folder / "record.codes").exists(), table.name)
        await page.close()
        await asyncio.gather(*(partial(_come, table, stack)() for table in tables))
        yield Evening(site, http, tables)
    finally:
        for session in sessions:
            await session.close()


async def _come(table: Table, stack: Any) -> None:
    for _ in range(100):
        with suppress(aiohttp.ClientError, KeyError, ValueError):
            await table.come(stack)
            return
        await asyncio.sleep(0.3)
    raise AssertionError(f"{table.name} never opened")


async def evening(site: ClubSite) -> Json:
    async with opened(site) as club:
        await club.begin()
        await club.whole_round(1)
        for name in LATE:
            await club.check_in(name)
        await club.wrong_seating(2)
        await club.dispute(3)
        await club.whole_round(4)
        await club.correction()
        await club.enter({"left": {"id": LEAVES.lower()}})
        await club.killed_while_drawing()
        for number in range(5, ROUNDS + 1):
            await club.whole_round(number)
        return club.kept


def test_an_evening_as_a_club_has_it(
    site: ClubSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = asyncio.run(evening(site))
    text = kept["event"]
    assert len(text["rounds"]) == ROUNDS
    people = [20, 22, 22, 22, 21, 21, 21, 21]
    for each, many in zip(text["rounds"], people, strict=True):
        assert each["bye"] == []
        assert sum(len(table["seats"]) for table in each["tables"]) == many
        assert all(len(table["seats"]) in (3, 4) for table in each["tables"])
    file = tmp_path / "evening.json"
    file.write_text(json.dumps(text))
    assert main(["standings", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["standings"]
    assert told == kept["standings"]
    counted = [
        (one, float(points), float(difference))
        for one, points, difference, _ in count_standings(text)
    ]
    assert [(row["player"], float(row["points"])) for row in told] == [row[:2] for row in counted]
    for row, (_, _, difference) in zip(told, counted, strict=True):
        assert abs(row["for"] - row["against"] - difference) < 1e-6
