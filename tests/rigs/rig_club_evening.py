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
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from companion.commands.cli import main
from companion.core.values import Json
from tests.club.hub.club_site import ClubSite, club_site
from tests.events.playing import count_standings
from tests.rigs.club_event import LATE, Evening
from tests.rigs.club_table import Table, until

LEAVES, ROUNDS, TABLES = "Max", 8, 6


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ClubSite]:
    with club_site(tmp_path) as made:
        yield made
    for table in tmp_path.rglob("table.json"):
        with suppress(ProcessLookupError, TypeError):
            os.kill(json.loads(table.read_text())["process"], signal.SIGKILL)


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


def test_a_club_evening_works_from_start_to_end(
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
