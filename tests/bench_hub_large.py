"""A hub with a million rows: how soon it is there, and how soon the page of any game is."""

import asyncio
import json
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import aiohttp
from sqlalchemy import insert

from companion.club.box.keys import BY_BOX, BY_CLUB, Head, KeyPair
from companion.club.box.session import PushedRow
from companion.club.hub.chains import LIVE, values_of
from companion.club.hub.database import Database
from companion.club.hub.folder import HubFolder
from companion.club.hub.members import Members
from companion.club.hub.schema import boxes, chains, rows
from companion.club.hub.store import MEMBER
from companion.core.seats import Seats
from companion.record.rows import Opened, Step
from companion.record.store.chain import START, ChainLink
from companion.record.store.codec import encode_row
from companion.web.past import COOKIE
from tests.bench_hub_pages import used_by
from tests.random_games import play_game
from tests.starting import HubProcess

BOXES, ROWS = 100, 10_000
"""How many boxes, and how many rows of each."""
RECORDS = 10
"""How many different records there are, each for several boxes: it takes long to make one."""
AT_ONCE = 2_000
PAGES = 60
AT = 1_790_000_000.0


def bench_large(kind: str, more: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Gives lines of the table: (what, measured, goal)."""
    with TemporaryDirectory(prefix="bench-large-", dir="/dev/shm") as place:
        data = Path(place) / "club"
        folder = HubFolder.open(data, make=True, database=more[1] if more else None)
        database = folder.open_database()
        games = filled(folder, database)
        database.close()
        hub = HubProcess(data, *more)
        began = time.monotonic()
        hub.start()
        try:
            listens, busy = time.monotonic() - began, used_by(hub)[0]
            word = json.loads((data / "hub.codes").read_text())["watch"]
            told, waited, worked = asyncio.run(asked(hub, word, games, began))
        finally:
            hub.kill()
    waited.sort()
    at = [waited[int(len(waited) * share)] * 1000 for share in (0.5, 0.95, 1 - 1 / len(waited))]
    many = f"{kind}: a hub with {BOXES * ROWS:,} rows"
    yield f"{many} listens", f"{listens:.2f} s ({busy:.2f} s of work)", "2 s"
    yield f"{many} tells of all tables", f"{told:.2f} s", "-"
    pages = f"{at[0]:.0f} / {at[1]:.0f} / {at[2]:.0f} ms"
    yield f"{many}: the page of any game", pages, "300 ms (half, 95 %, slowest)"
    yield f"{many}: work for such a page, mean", f"{worked * 1000:.0f} ms", "-"


def filled(folder: HubFolder, database: Database) -> list[tuple[str, int]]:
    """Fills a new database; gives all games as (box, number)."""
    database.bring_up_to_date()
    club, games = folder.keys.identity, list[tuple[str, int]]()
    Members(database, club, lambda: AT).begin(folder.keys, folder.name)
    texts = [played(Random(seed)) for seed in range(20)]
    records = [record(texts, Random(number)) for number in range(min(RECORDS, BOXES))]
    for number in range(BOXES):
        keys = KeyPair.fresh()
        box, links = keys.identity, records[number % len(records)]
        games += [(box, game) for game in sorted({link.game for link in links})]
        head = Head(links[-1].seq, links[-1].hash)
        sealed = head.sealed(keys, BY_BOX, club, box), head.sealed(folder.keys, BY_CLUB, club, box)
        whole = values_of([PushedRow.of(one, whole=True) for one in links], (club, box, 1))
        with database.writing() as db:
            told = {"club": club, "box": box, "name": f"Table {number + 1}", "state": MEMBER}
            db.execute(insert(boxes).values(key=keys.public, joined_at=AT, heard_at=AT, **told))
            db.execute(
                insert(chains).values(
                    club=club, box=box, chain=1, first=1, seq=head.seq, hash=head.hash,
                    seal=sealed[0], countersign=sealed[1], state=LIVE, began_at=AT, grown_at=AT,
                )
            )  # fmt: skip
            for at in range(0, len(whole), AT_ONCE):
                db.execute(insert(rows), whole[at : at + AT_ONCE])
    return games


def played(random: Random) -> list[str]:
    """The rows of a game."""
    opened = Opened("high-five", Seats.of("Red", "Blue"), {})
    return [encode_row(opened), *(encode_row(Step((one,))) for one, _ in play_game(random))]


def record(texts: list[list[str]], random: Random) -> list[ChainLink]:
    """A record of ROWS rows, of games drawn from `texts`."""
    before, links, game = START, list[ChainLink](), 0
    while len(links) < ROWS:
        game += 1
        for text in islice(random.choice(texts), ROWS - len(links)):
            links.append(ChainLink.make(before, (len(links) + 1, game, text, AT + game, None)))
            before = links[-1].hash
    return links


async def asked(
    hub: HubProcess, word: str, games: list[tuple[str, int]], began: float
) -> tuple[float, list[float], float]:
    """Seconds from `began` until the hub has told all tables, seconds for each of some games'
    pages, and processor seconds for one page."""
    waited, jar = list[float](), aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(f"http://{hub.address}", cookie_jar=jar) as client:
        async with client.get("/api/tables", params={"token": word}) as answer:
            tables = (await answer.json())["tables"]
            assert len(tables) == BOXES and all(one["moment"] for one in tables)
        told, busy = time.monotonic() - began, used_by(hub)[0]
        for box, game in Random(1).sample(games, PAGES):
            start = time.monotonic()
            async with client.get(f"/games/{box}/{game}", cookies={COOKIE: word}) as answer:
                assert answer.status == 200
                await answer.read()
            waited.append(time.monotonic() - start)
    return told, waited, (used_by(hub)[0] - busy) / PAGES
