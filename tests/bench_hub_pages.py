"""The time from a row on a box until it is seen on the hub's page of all tables. Connected boxes
keep a row every five seconds and push it; viewers look on from a process of their own.

Gives these times, over all rows and all viewers, and the processor time and memory that the hub's
process needed.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import aiohttp

from companion.app.catalog import CATALOG
from companion.club.box.line import ClubLine
from companion.club.box.membership import Membership
from companion.club.box.push import RecordPush
from companion.core.seats import Seats
from companion.record.rows import Opened, Step
from companion.record.store.store import Store
from tests.bench_hub import joined
from tests.random_games import play_game
from tests.starting import HubProcess, running_hub

BOXES, VIEWERS, SECONDS = 100, 30, 60
EVERY_S = 5.0
AT_ONCE = 20
"""How many boxes may connect at the same moment: a hub cuts strangers off if they are too many."""


def bench_seen(kind: str, more: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Gives lines of the table: (what, measured, goal)."""
    with TemporaryDirectory(prefix="bench-pages-", dir="/dev/shm") as folder:
        place = Path(folder)
        with running_hub(place / "club", *more) as hub:
            members = asyncio.run(joined(hub, BOXES))
            word = json.loads((hub.data / "hub.codes").read_text())["watch"]
            look = [sys.executable, "-m", "tests.bench_hub_pages"]
            told = [str(hub.port), word, str(VIEWERS)]
            with subprocess.Popen([*look, *told], stdout=subprocess.PIPE, text=True) as looking:
                assert looking.stdout is not None
                assert looking.stdout.readline() == "all look\n"
                before = used_by(hub)
                kept = asyncio.run(played(place, members, SECONDS))
                busy, memory = used_by(hub)[0] - before[0], used_by(hub)[1]
                looking.terminate()
                seen = json.loads(looking.communicate()[0])
    waited = sorted(at - kept[row] for row, ats in seen.items() if row in kept for at in ats)
    half, p95, p99 = (waited[int(len(waited) * share)] * 1000 for share in (0.5, 0.95, 0.99))
    missed = len(kept.keys() - seen.keys())
    what = f"{kind}: a row of {BOXES} tables until {VIEWERS} pages have it"
    yield what, f"{half:.0f} / {p95:.0f} / {p99:.0f} ms", "95 % within 250 ms (half, 95 %, 99 %)"
    yield f"{kind}: of {len(kept)} rows seen only with the next, or not", f"{missed}", "-"
    what = f"{kind}: the hub with {BOXES} tables: memory, processor"
    yield what, f"{memory} MB, {busy / SECONDS:.0%} of a core", "200 MB"


def used_by(hub: HubProcess) -> tuple[float, int]:
    """Processor seconds of the hub's process so far, and its memory in megabytes."""
    place = Path(f"/proc/{hub.pid}")
    ticks = (place / "stat").read_text().rpartition(")")[2].split()[11:13]
    pages = int((place / "statm").read_text().split()[1])
    seconds = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    return seconds, pages * os.sysconf("SC_PAGE_SIZE") // 2**20


# ---------------------------------------------------------------- the boxes


async def played(place: Path, members: list[Membership], seconds: int) -> dict[str, float]:
    """Lets each box play for so many seconds; gives when each row was kept, by “BOX ROW”."""
    game = [entry for entry, _ in play_game(Random(27))]
    kept: dict[str, float] = {}
    coming = asyncio.Semaphore(AT_ONCE)

    async def play(number: int, member: Membership) -> None:
        record = place / f"box{number}.db"
        with closing(Store.open(record, CATALOG.rules)) as store:
            store.keep(1, Opened("high-five", Seats.of("Red", "Blue"), {}))
            pushing = RecordPush(record, member, CATALOG.rules)
            async with AsyncExitStack() as stack:
                async with coming:
                    at_hub = await stack.enter_async_context(ClubLine.open(member, 30.0))
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
    """When the viewers saw each row, by “BOX ROW”; looks until SIGTERM comes."""
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
