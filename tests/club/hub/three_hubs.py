"""Three hubs on one PostgreSQL, one of which is killed: python -m tests.club.hub.three_hubs

Thirty boxes push at once, each to one of the three; a box whose hub is gone goes on to the next. At
the end each row has to be there once, every chain whole, and both other hubs have to show every
table. Prints what was measured.
"""

import asyncio
import json
import shutil
import sys
import time
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.app.catalog import CATALOG
from companion.club.box.hub_connection import ClubError, HubConnection
from companion.club.box.membership import Membership
from companion.club.box.push import RecordPush
from tests.bench_hub import PATIENCE_S, evening, joined, report, rows_there
from tests.club.hub.boxes import record_of
from tests.club.hub.postgres import cluster
from tests.starting import HubProcess, running_hub

HUBS, BOXES, ROWS, KILLED = 3, 30, 60, 1
AT_ONCE: Final = 10
"""How many rows a box sends in one message, so that the kill comes between messages."""


async def pushed(
    hubs: Sequence[HubProcess], members: Sequence[Membership], records: Sequence[Path]
) -> int:
    """Pushes all records while one hub is killed; returns how often a box changed its hub."""
    moved, done = 0, 0

    async def push(number: int, member: Membership, record: Path) -> None:
        nonlocal moved, done
        for hub in islice(cycle(hubs), number % HUBS, None):
            at_hub = replace(member, address=hub.address)
            pushing = RecordPush(record, at_hub, CATALOG.rules)
            pushing.most = AT_ONCE
            try:
                async with HubConnection.open(at_hub, PATIENCE_S) as one:
                    assert (await pushing.push(one)).head.seq == ROWS
            except ClubError as error:
                assert error.is_temporary, error
                moved += 1
                await asyncio.sleep(0.1)
            else:
                done += 1
                return

    async with asyncio.TaskGroup() as group:
        for number, (member, record) in enumerate(zip(members, records, strict=True)):
            group.create_task(push(number, member, record))
        while done < BOXES // 5:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(hubs[KILLED].kill)
    return moved


def tables_at(hub: HubProcess, word: str) -> dict[str, int]:
    """The number of the newest row of each table, as a hub shows it."""
    url = f"http://{hub.address}/api/tables?glance&token={word}"
    with urllib.request.urlopen(url) as answer:
        return {one["box"]: one["row"] for one in json.load(answer)["tables"]}


def main() -> int:
    with (
        cluster() as postgres,
        TemporaryDirectory(prefix="three-hubs-") as folder,
        ExitStack() as on,
    ):
        place, database = Path(folder), postgres.database()
        first = on.enter_context(running_hub(place / "0", "--database", database))
        hubs = [first]
        for number in range(1, HUBS):
            data = place / str(number)
            data.mkdir(mode=0o700)
            for name in ("club.key", "hub.codes"):
                shutil.copy(first.data / name, data / name)
            hubs.append(on.enter_context(running_hub(data, "--database", database)))
        members = asyncio.run(joined(first, BOXES))
        one = record_of(place / "one.db", evening(ROWS))
        records = [Path(shutil.copy(one, place / f"box{n}.db")) for n in range(BOXES)]
        began = time.monotonic()
        moved = asyncio.run(pushed(hubs, members, records))
        took = time.monotonic() - began
        word = json.loads((first.data / "hub.codes").read_text())["watch"]
        expected = {member.keys.identity: ROWS for member in members}
        shown = [tables_at(hub, word) == expected for hub in hubs if hub is not hubs[KILLED]]
        rows, well = rows_there(first), bool(report(first)["well"])
    right = rows == BOXES * ROWS and well and all(shown) and moved > 0
    print(f"{rows} of {BOXES * ROWS} rows once, chains {'whole' if well else 'NOT WHOLE'}, "
          f"shown by the two others: {shown}, {moved} boxes went on to another hub, "
          f"{rows / took:.0f} rows/s")  # fmt: skip
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
