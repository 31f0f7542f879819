"""Many boxes and one hub, over a network that cuts 5 % of what comes and swallows answers, the hub
killed twice meanwhile; then the same without faults.

    python -m tests.bench_hub [BOXES] [ROWS] [DATABASE URL]
"""

import asyncio
import shutil
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from random import Random

from companion.app.catalog import CATALOG
from companion.club.keys import KeyPair
from companion.club.line import ClubError, ClubLine, join
from companion.club.membership import Membership
from companion.club.push import RecordPush
from companion.hub.folder import HubFolder
from companion.hub.members import Members
from companion.hub.verify import verify
from companion.record.rows import Setting
from tests.hub.running import BadNetwork, HubProcess, record_of, running

BOXES, ROWS = 200, 60


def main() -> None:
    """Prints both figures."""
    boxes, rows = (int(sys.argv[n]) if len(sys.argv) > n else (BOXES, ROWS)[n - 1] for n in (1, 2))
    place = Path(tempfile.mkdtemp(prefix="bench-hub-", dir="/dev/shm"))
    more = ("--database", sys.argv[3]) if len(sys.argv) > 3 else ()
    try:
        kept = [(0, Setting(f"flip-{n}", "on")) for n in range(rows)]
        one = record_of(place / "one.db", kept)
        records = [Path(shutil.copy(one, place / f"box{n}.db")) for n in range(boxes)]
        with running(place / "club", *more) as hub:
            for share in (0.0, 0.05):
                print(line(hub, records, rows, share), flush=True)
    finally:
        shutil.rmtree(place)


def line(hub: HubProcess, records: list[Path], rows: int, share: float) -> str:
    """Every record pushed by boxes of their own; what came of it."""
    members = asyncio.run(joined(hub, len(records)))
    network = BadNetwork(hub.port, Random(1), cut=share, swallow=share / 2)
    before = rows_there(hub)
    began = time.monotonic()
    kills = asyncio.run(pushed(hub, network, members, records, rows, 2 if share else 0))
    took = time.monotonic() - began
    there, well = rows_there(hub) - before, "whole" if report(hub)["well"] else "NOT WHOLE"
    all_rows = rows * len(records)
    return (
        f"{len(records)} boxes, {share:.0%} cut, hub killed {kills} times: {there} of {all_rows} "
        f"rows once, {well}; {all_rows / took:.0f} rows/s"
    )


async def joined(hub: HubProcess, boxes: int) -> list[Membership]:
    """Members with new keys."""
    found = []
    for number in range(boxes):
        keys, name = KeyPair.fresh(), f"Box {number}"
        club, digits = await join(hub.address, keys, name)
        accept(hub, digits)
        found.append(Membership(keys, club.key, club.name, hub.address, name, ((0, None),)))
    return found


async def pushed(  # noqa: PLR0917
    hub: HubProcess,
    network: BadNetwork,
    members: list[Membership],
    records: list[Path],
    rows: int,
    kills: int,
) -> int:
    """All records are pushed; gives how often the hub was killed."""
    done = 0

    async def push(member: Membership, record: Path, through: str) -> None:
        nonlocal done
        pushing = RecordPush(record, replace(member, address=through), CATALOG.rules)
        pushing.most = 10
        while pushing.acknowledged.seq < rows:
            try:
                async with ClubLine.open(replace(member, address=through), 3.0) as one:
                    await pushing.push(one)
            except ClubError as error:
                assert error.passes, error
                await asyncio.sleep(0.2)
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


def accept(hub: HubProcess, digits: str) -> None:
    """What an organiser does beside the hub."""
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
    """What verify says."""
    database = HubFolder.open(hub.data).open_database()
    try:
        return verify(database)
    finally:
        database.close()


if __name__ == "__main__":
    main()
