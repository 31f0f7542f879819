"""A club's hub, measured on SQLite and on PostgreSQL: `make bench ARGS=hub`.

Measured are: many boxes and one hub, over a network that cuts 5 % of what comes and swallows
answers, while the hub is killed twice; the time until a row is seen on the hub's page
(bench_hub_pages.py); a million rows (bench_hub_large.py); and what a club costs a box.
"""

import asyncio
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from subprocess import DEVNULL
from tempfile import TemporaryDirectory

from companion.app.catalog import CATALOG
from companion.club.box.keys import KeyPair
from companion.club.box.line import ClubError, ClubLine, join
from companion.club.box.membership import Membership
from companion.club.box.push import RecordPush
from companion.club.box.session import JoiningSide
from companion.club.hub.folder import HubFolder
from companion.club.hub.members import Members
from companion.club.hub.verify import verify
from companion.core.seats import Seats
from companion.record.rows import Opened, Row, Step
from tests.club.hub.boxes import BadNetwork, record_of
from tests.club.hub.postgres import cluster
from tests.random_games import play_game
from tests.starting import HubProcess, companion, running_hub

BOXES, ROWS = 200, 60
PATIENCE_S, LONGEST_PAUSE_S = 6.0, 3.0
"""Seconds to wait for an answer, and the longest pause between tries, which doubles each time. A
box waits longer."""


def bench_hub() -> Iterator[tuple[str, str, str]]:
    """Gives lines of the table: (what, measured, goal)."""
    from tests.bench_hub_large import bench_large
    from tests.bench_hub_pages import bench_seen

    yield from bench_box()
    yield from bench_database("SQLite", ())
    yield from bench_seen("SQLite", ())
    yield from bench_large("SQLite", ())
    with cluster() as made:
        yield from bench_database("PostgreSQL", ("--database", made.database()))
        yield from bench_seen("PostgreSQL", ("--database", made.database()))
        yield from bench_large("PostgreSQL", ("--database", made.database()))


def bench_database(kind: str, more: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Lines on how fast rows come, and whether each is there once."""
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
        found.append((number, Opened("high-five", Seats.of("Red", "Blue"), {})))
        found += [(number, Step((entry,))) for entry, _ in play_game(seed)]
        if len(found) >= rows:
            return found[:rows]
    raise AssertionError


def line(kind: str, hub: HubProcess, records: list[Path], share: float) -> tuple[str, str, str]:
    """Lets a box for each record push it, with a `share` of connections cut; the line on what came
    of it."""
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
    """How much more memory a table's process needs if it pushes to a club."""
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
    """Memberships of so many boxes with new keys, which have joined the hub."""
    found = []
    for number in range(boxes):
        keys, name = KeyPair.fresh(), f"Box {number}"
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
    """Pushes all records while the hub is killed `kills` times; gives that number."""
    done = 0

    async def push(member: Membership, record: Path, through: str) -> None:
        nonlocal done
        pushing = RecordPush(record, replace(member, address=through), CATALOG.rules)
        pushing.most, pause, luck = 10, 0.4, Random(member.name)
        while True:
            try:
                async with ClubLine.open(replace(member, address=through), PATIENCE_S) as one:
                    found = await pushing.push(one)
            except ClubError as error:
                assert error.passes, error
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
    """Asks to join, and again if a busy machine takes too long."""
    while True:
        try:
            return await join(hub.address, keys, name)
        except ClubError as error:
            assert error.passes, error


def accept(hub: HubProcess, digits: str) -> None:
    """Accepts a box by its digits, as an organiser does on the hub's machine."""
    folder = HubFolder.open(hub.data)
    database = folder.open_database()
    Members(database, folder.keys.identity, time.time).accept(digits)
    database.close()


def rows_there(hub: HubProcess) -> int:
    """How many rows the hub keeps."""
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
