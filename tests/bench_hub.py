"""A club's hub, measured on SQLite and on PostgreSQL: `make bench ARGS=hub`.

Measured are: many boxes and one hub, over a network that cuts 5 % of the connections and loses
answers, while the hub is killed twice; the cost of a club for a box; a million rows; and the time
from a row on a box until it is seen on the hub's page of all tables.
"""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing
from dataclasses import replace
from itertools import count, cycle, islice
from pathlib import Path
from random import Random
from subprocess import DEVNULL
from tempfile import TemporaryDirectory

import aiohttp
from sqlalchemy import insert

from companion.app.catalog import CATALOG
from companion.club.box.hub_connection import ClubError, HubConnection, join
from companion.club.box.keys import BOX_SEAL, CLUB_SEAL, Head, KeyPair
from companion.club.box.membership import Membership
from companion.club.box.protocol import JoiningSide, PushedRow
from companion.club.box.push import RecordPush
from companion.club.hub.chains import LIVE, insert_values
from companion.club.hub.database import Database, boxes, chains, rows
from companion.club.hub.folder import HubFolder
from companion.club.hub.members import Members
from companion.club.hub.store import MEMBER
from companion.club.hub.verify import verify
from companion.core.seats import Seats
from companion.record.rows import GameOpened, Row, Step, encode_row
from companion.record.store.database import START, ChainLink
from companion.record.store.store import Store
from companion.web.past import COOKIE
from tests.club.hub.boxes import BadNetwork, record_of
from tests.club.hub.postgres import cluster
from tests.random_games import play_game
from tests.starting import HubProcess, companion, running_hub

BOXES, ROWS = 200, 60
PATIENCE_S, LONGEST_PAUSE_S = 6.0, 3.0
"""Seconds to wait for an answer, and the longest pause between tries, which doubles each time. A
box waits longer."""


def bench_hub() -> Iterator[tuple[str, str, str]]:
    """Returns lines of the table: (what, measured, goal)."""
    yield from bench_box()
    yield from bench_database("SQLite", ())
    yield from bench_seen("SQLite", ())
    yield from bench_large("SQLite", ())
    with cluster() as made:
        yield from bench_database("PostgreSQL", ("--database", made.database()))
        yield from bench_seen("PostgreSQL", ("--database", made.database()))
        yield from bench_large("PostgreSQL", ("--database", made.database()))


def bench_database(kind: str, more: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Lines about how fast rows arrive, and whether each is stored exactly once."""
    with TemporaryDirectory(prefix="bench-hub-", dir="/dev/shm") as folder:
        place = Path(folder)
        one = record_of(place / "one.db", evening(ROWS))
        records = [Path(shutil.copy(one, place / f"box{n}.db")) for n in range(BOXES)]
        with running_hub(place / "club", *more) as hub:
            for share in (0.0, 0.05):
                yield line(kind, hub, records, share)


def evening(rows: int) -> list[tuple[int, Row]]:
    """(game, row) for so many `rows`, of games as they are played."""
    found: list[tuple[int, Row]] = []
    for number in count(1):
        seed = Random(number)
        found.append((number, GameOpened("high-five", Seats.of("Red", "Blue"), {})))
        found += [(number, Step((entry,))) for entry, _ in play_game(seed)]
        if len(found) >= rows:
            return found[:rows]
    raise AssertionError


def line(kind: str, hub: HubProcess, records: list[Path], share: float) -> tuple[str, str, str]:
    """Lets a box for each record push it, with a `share` of connections cut; returns the line about
    the result."""
    members = asyncio.run(joined(hub, len(records)))
    network = BadNetwork(hub.port, Random(1), cut=share, swallow=share / 2)
    before, kills = rows_there(hub), 2 if share else 0
    began = time.monotonic()
    asyncio.run(pushed(hub, network, members, records, kills))
    took = time.monotonic() - began
    there, well = rows_there(hub) - before, "whole" if report(hub)["well"] else "NOT WHOLE"
    all_rows = ROWS * len(records)
    how = f"{share:.0%} cut and {kills} kills" if share else "nothing cut"
    what = f"{kind}: {len(records)} boxes push {all_rows} rows, {how}"
    goal = "each there once, every chain whole"
    return what, f"{there} once, {well}, {all_rows / took:.0f} rows/s", goal


# ---------------------------------------------------------------- what a club costs a box

SETTLED_S = 10.0


def bench_box() -> Iterator[tuple[str, str, str]]:
    """The additional memory of a table's process that pushes to a club."""
    with TemporaryDirectory(prefix="bench-box-", dir="/dev/shm") as folder:
        place = Path(folder)
        with running_hub(place / "club") as hub:
            record = record_of(place / "box.db", evening(ROWS))
            alone = Path(shutil.copy(record, place / "alone.db"))
            (member,) = asyncio.run(joined(hub, 1))
            member.save(record)
            own, resident = (
                after - before
                for before, after in zip(memory_of_box(alone), memory_of_box(record), strict=True)
            )
    yield "a box that has joined: memory of its own, more", f"{own:.1f} MB", "5 MB"
    what = "the same with the library's code, which the system may drop"
    yield what, f"{resident:.1f} MB", "-"


def memory_of_box(record: Path) -> tuple[float, float]:
    """Private and resident memory of a table that has been on for a while, in megabytes."""
    with companion("--virtual", "--record", record, stdout=DEVNULL, stderr=DEVNULL) as box:
        time.sleep(SETTLED_S)
        text = Path(f"/proc/{box.pid}/smaps_rollup").read_text()
    kib = {name: int(size) for name, size in re.findall(r"^(\w+): +(\d+) kB", text, re.MULTILINE)}
    return (kib["Private_Clean"] + kib["Private_Dirty"]) / 1024, kib["Rss"] / 1024


# ---------------------------------------------------------------- boxes


async def joined(hub: HubProcess, boxes: int) -> list[Membership]:
    """Memberships of that many boxes with new keys, which have joined the hub."""
    found = []
    for number in range(boxes):
        keys, name = KeyPair.generate(), f"Box {number}"
        club, digits = await patiently(hub, keys, name)
        accept(hub, digits)
        found.append(Membership(keys, club.key, club.name, hub.address, name, ((0, None),)))
    return found


async def pushed(
    hub: HubProcess,
    network: BadNetwork,
    members: list[Membership],
    records: list[Path],
    kills: int,
) -> int:
    """Pushes all records while the hub is killed `kills` times; returns that number."""
    done = 0

    async def push(member: Membership, record: Path, through: str) -> None:
        nonlocal done
        pushing = RecordPush(record, replace(member, address=through), CATALOG.rules)
        pushing.most, pause, luck = 10, 0.4, Random(member.name)
        while True:
            try:
                async with HubConnection.open(replace(member, address=through), PATIENCE_S) as one:
                    found = await pushing.push(one)
            except ClubError as error:
                assert error.is_temporary, error
                await asyncio.sleep(luck.uniform(0.1, pause))
                pause = min(pause * 2, LONGEST_PAUSE_S)
            else:
                assert found.head.seq == ROWS, found
                break
        done += 1

    async with network.between() as through, asyncio.TaskGroup() as group:
        for member, record in zip(members, records, strict=True):
            group.create_task(push(member, record, through))
        for number in range(kills):
            while done < len(records) * (number + 1) // (kills + 2):
                await asyncio.sleep(0.01)
            await asyncio.to_thread(hub.kill)
            await asyncio.to_thread(hub.start)
    return kills


async def patiently(hub: HubProcess, keys: KeyPair, name: str) -> tuple[JoiningSide, str]:
    """Requests to join, repeatedly if a busy machine takes too long."""
    while True:
        try:
            return await join(hub.address, keys, name)
        except ClubError as error:
            assert error.is_temporary, error


def accept(hub: HubProcess, digits: str) -> None:
    """Accepts a box by its digits, as an organiser does on the hub's machine."""
    folder = HubFolder.open(hub.data)
    database = folder.open_database()
    Members(database, folder.keys.identity, time.time).accept(digits)
    database.close()


def rows_there(hub: HubProcess) -> int:
    """The number of rows that the hub keeps."""
    found = report(hub)["rows"]
    assert isinstance(found, int)
    return found


def report(hub: HubProcess) -> dict[str, object]:
    """The report of `verify` on the hub's database."""
    database = HubFolder.open(hub.data).open_database()
    try:
        return verify(database)
    finally:
        database.close()


# ---------------------------------------------------------------- a million rows


LARGE_BOXES, LARGE_ROWS = 100, 10_000
"""How many boxes, and how many rows of each."""
RECORDS = 10
"""How many different records there are, each for several boxes: it takes long to make one."""
ROWS_AT_ONCE = 2_000
PAGES = 60
AT = 1_790_000_000.0


def bench_large(kind: str, more: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Returns lines of the table: (what, measured, goal)."""
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
    many = f"{kind}: a hub with {LARGE_BOXES * LARGE_ROWS:,} rows"
    yield f"{many} listens", f"{listens:.2f} s ({busy:.2f} s of work)", "2 s"
    yield f"{many} tells of all tables", f"{told:.2f} s", "-"
    pages = f"{at[0]:.0f} / {at[1]:.0f} / {at[2]:.0f} ms"
    yield f"{many}: the page of any game", pages, "300 ms (half, 95 %, slowest)"
    yield f"{many}: work for such a page, mean", f"{worked * 1000:.0f} ms", "-"


def filled(folder: HubFolder, database: Database) -> list[tuple[str, int]]:
    """Fills a new database; returns all games as (box, number)."""
    database.migrate()
    club, games = folder.keys.identity, list[tuple[str, int]]()
    Members(database, club, lambda: AT).begin(folder.keys, folder.name)
    texts = [played(Random(seed)) for seed in range(20)]
    records = [record(texts, Random(number)) for number in range(min(RECORDS, LARGE_BOXES))]
    for number in range(LARGE_BOXES):
        keys = KeyPair.generate()
        box, links = keys.identity, records[number % len(records)]
        games += [(box, game) for game in sorted({link.game for link in links})]
        head = Head(links[-1].seq, links[-1].hash)
        sealed = (
            head.make_seal(keys, BOX_SEAL, club, box),
            head.make_seal(folder.keys, CLUB_SEAL, club, box),
        )
        whole = insert_values(
            [PushedRow.from_link(one, whole=True) for one in links], (club, box, 1)
        )
        with database.writing() as db:
            told = {"club": club, "box": box, "name": f"Table {number + 1}", "state": MEMBER}
            db.execute(insert(boxes).values(key=keys.public, joined_at=AT, heard_at=AT, **told))
            db.execute(
                insert(chains).values(
                    club=club, box=box, chain=1, first=1, seq=head.seq, hash=head.hash,
                    seal=sealed[0], countersign=sealed[1], state=LIVE, began_at=AT, grown_at=AT,
                )
            )  # fmt: skip
            for at in range(0, len(whole), ROWS_AT_ONCE):
                db.execute(insert(rows), whole[at : at + ROWS_AT_ONCE])
    return games


def played(random: Random) -> list[str]:
    """The rows of a game."""
    opened = GameOpened("high-five", Seats.of("Red", "Blue"), {})
    return [encode_row(opened), *(encode_row(Step((one,))) for one, _ in play_game(random))]


def record(texts: list[list[str]], random: Random) -> list[ChainLink]:
    """A record of LARGE_ROWS rows, of games drawn from `texts`."""
    before, links, game = START, list[ChainLink](), 0
    while len(links) < LARGE_ROWS:
        game += 1
        for text in islice(random.choice(texts), LARGE_ROWS - len(links)):
            links.append(ChainLink.make(before, (len(links) + 1, game, text, AT + game, None)))
            before = links[-1].hash
    return links


async def asked(
    hub: HubProcess, word: str, games: list[tuple[str, int]], began: float
) -> tuple[float, list[float], float]:
    """The seconds from `began` until the hub has sent all tables, the seconds for each of some
    games' pages, and the processor seconds for one page."""
    waited, jar = list[float](), aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(f"http://{hub.address}", cookie_jar=jar) as client:
        async with client.get("/api/tables", params={"token": word}) as answer:
            tables = (await answer.json())["tables"]
            assert len(tables) == LARGE_BOXES and all(one["moment"] for one in tables)
        told, busy = time.monotonic() - began, used_by(hub)[0]
        for box, game in Random(1).sample(games, PAGES):
            start = time.monotonic()
            async with client.get(f"/games/{box}/{game}", cookies={COOKIE: word}) as answer:
                assert answer.status == 200
                await answer.read()
            waited.append(time.monotonic() - start)
    return told, waited, (used_by(hub)[0] - busy) / PAGES


# ---------------------------------------------------------------- from a row to the page


TABLES, VIEWERS, SECONDS = 100, 30, 60
EVERY_S = 5.0
CONNECTING_AT_ONCE = 20
"""How many boxes may connect at the same moment: a hub cuts strangers off if they are too many."""


def bench_seen(kind: str, more: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Returns lines of the table: (what, measured, goal)."""
    with TemporaryDirectory(prefix="bench-pages-", dir="/dev/shm") as folder:
        place = Path(folder)
        with running_hub(place / "club", *more) as hub:
            members = asyncio.run(joined(hub, TABLES))
            word = json.loads((hub.data / "hub.codes").read_text())["watch"]
            look = [sys.executable, "-m", "tests.bench_hub"]
            told = [str(hub.port), word, str(VIEWERS)]
            with subprocess.Popen([*look, *told], stdout=subprocess.PIPE, text=True) as looking:
                assert looking.stdout is not None
                assert looking.stdout.readline() == "all look\n"
                before = used_by(hub)
                kept = asyncio.run(kept_rows(place, members, SECONDS))
                busy, memory = used_by(hub)[0] - before[0], used_by(hub)[1]
                looking.terminate()
                seen = json.loads(looking.communicate()[0])
    waited = sorted(at - kept[row] for row, ats in seen.items() if row in kept for at in ats)
    half, p95, p99 = (waited[int(len(waited) * share)] * 1000 for share in (0.5, 0.95, 0.99))
    missed = len(kept.keys() - seen.keys())
    what = f"{kind}: a row of {TABLES} tables until {VIEWERS} pages have it"
    yield what, f"{half:.0f} / {p95:.0f} / {p99:.0f} ms", "95 % within 250 ms (half, 95 %, 99 %)"
    yield f"{kind}: of {len(kept)} rows seen only with the next, or not", f"{missed}", "-"
    what = f"{kind}: the hub with {TABLES} tables: memory, processor"
    yield what, f"{memory} MB, {busy / SECONDS:.0%} of a core", "200 MB"


def used_by(hub: HubProcess) -> tuple[float, int]:
    """Processor seconds of the hub's process so far, and its memory in megabytes."""
    place = Path(f"/proc/{hub.pid}")
    ticks = (place / "stat").read_text().rpartition(")")[2].split()[11:13]
    pages = int((place / "statm").read_text().split()[1])
    seconds = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    return seconds, pages * os.sysconf("SC_PAGE_SIZE") // 2**20


# ---------------------------------------------------------------- the boxes


async def kept_rows(place: Path, members: list[Membership], seconds: int) -> dict[str, float]:
    """Lets each box play for that many seconds; returns the time at which each row was stored, by
    “BOX ROW”."""
    game = [entry for entry, _ in play_game(Random(27))]
    kept: dict[str, float] = {}
    coming = asyncio.Semaphore(CONNECTING_AT_ONCE)

    async def play(number: int, member: Membership) -> None:
        record = place / f"box{number}.db"
        with closing(Store.open(record, CATALOG.rules)) as store:
            store.keep(1, GameOpened("high-five", Seats.of("Red", "Blue"), {}))
            pushing = RecordPush(record, member, CATALOG.rules)
            async with AsyncExitStack() as stack:
                async with coming:
                    at_hub = await stack.enter_async_context(HubConnection.open(member, 30.0))
                    await pushing.push(at_hub)
                await asyncio.sleep(EVERY_S * number / len(members))
                entries = cycle(game)
                for _ in range(int(seconds / EVERY_S)):
                    began = time.monotonic()
                    row = store.keep(1, Step((next(entries),))).seq
                    kept[f"{member.keys.identity} {row}"] = began
                    await pushing.push(at_hub)
                    await asyncio.sleep(max(0.0, began + EVERY_S - time.monotonic()))

    async with asyncio.TaskGroup() as group:
        for number, member in enumerate(members):
            group.create_task(play(number, member))
    return kept


# ---------------------------------------------------------------- those who look


async def looked(port: int, word: str, viewers: int) -> dict[str, list[float]]:
    """The times at which the viewers saw each row, by “BOX ROW”. Listens until SIGTERM."""
    seen: dict[str, list[float]] = {}
    url, end = f"http://127.0.0.1:{port}", asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end.set)

    async def look(ws: aiohttp.ClientWebSocketResponse) -> None:
        async for message in ws:
            now = time.monotonic()
            for table in json.loads(message.data).get("tables", []):
                seen.setdefault(f"{table['box']} {table['row']}", []).append(now)

    async with aiohttp.ClientSession(url) as session, AsyncExitStack() as stack:
        looking = []
        for _ in range(viewers):
            coming = session.ws_connect("/live", headers={"Origin": url})
            ws = await stack.enter_async_context(coming)
            await ws.send_json({"n": 0, "hello": word, "wants": []})
            looking.append(asyncio.create_task(look(ws)))
        print("all look", flush=True)
        await end.wait()
        for one in looking:
            one.cancel()
        await asyncio.gather(*looking, return_exceptions=True)
    return seen


if __name__ == "__main__":
    port, word, viewers = sys.argv[1:]
    print(json.dumps(asyncio.run(looked(int(port), word, int(viewers)))))
