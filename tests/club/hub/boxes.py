"""Boxes of a hub (tests/starting.py), and a network between them that loses data."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from companion.app.catalog import CATALOG
from companion.commands.cli import main
from companion.record.rows import Row
from companion.record.store.store import Store
from tests.starting import HubProcess


def record_of(path: Path, rows: Sequence[tuple[int, Row]]) -> Path:
    """Adds these rows to the record at `path`, which is made if need be; returns `path`."""
    store = Store.open(path, CATALOG.rules)
    for game, row in rows:
        store.keep(game, row)
    store.close()
    return path


def joined(hub: HubProcess, record: Path, out: pytest.CaptureFixture[str]) -> None:
    """Makes the box of that record a member of the hub's club."""
    assert main(["hub", "join", hub.address, "--record", str(record), "--name", record.stem]) == 0
    digits = out.readouterr().out.strip()
    assert re.fullmatch(r"\d{6}", digits)
    assert main(["hub", "accept", digits, "--data", str(hub.data)]) == 0
    out.readouterr()


class BadNetwork:
    """A network that cuts the connection at a fraction `cut` of the chunks in both directions, and
    loses a fraction `swallow` of those from the hub."""

    def __init__(self, port: int, random: Random, cut: float = 0.05, swallow: float = 0.05) -> None:
        self._to, self._random, self._cut, self._swallow = port, random, cut, swallow
        self.cuts = 0
        self._carrying: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def between(self) -> AsyncIterator[str]:
        """The address by which boxes reach the hub through this network."""
        server = await asyncio.start_server(self._come, "127.0.0.1", 0)
        try:
            yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            # Boxes that have just come arrive first: asyncio's close() loses those on their way.
            asyncio.get_running_loop().remove_reader(server.sockets[0].fileno())
            for _ in range(3):  # asyncio's steps from accepting a connection to calling _come
                await asyncio.sleep(0)
            server.close()
            while self._carrying:
                for task in self._carrying:
                    task.cancel()
                await asyncio.wait(self._carrying)

    def _come(self, box: asyncio.StreamReader, to_box: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._carry(box, to_box))
        self._carrying.add(task)

        def gone(task: asyncio.Task[None]) -> None:
            """Ends the box's side as well, if the task was cancelled before it began."""
            to_box.transport.abort()
            self._carrying.discard(task)

        task.add_done_callback(gone)

    async def _carry(self, box: asyncio.StreamReader, to_box: asyncio.StreamWriter) -> None:
        # The hub is not there, or the network ends. Nobody waits for this task.
        with suppress(OSError, asyncio.CancelledError):
            await self._carry_between(box, to_box)

    async def _carry_between(self, box: asyncio.StreamReader, to_box: asyncio.StreamWriter) -> None:
        hub, to_hub = await asyncio.open_connection("127.0.0.1", self._to)
        ways = [
            asyncio.create_task(self._pump(box, to_hub, 0.0)),
            asyncio.create_task(self._pump(hub, to_box, self._swallow)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            to_hub.transport.abort()  # first: the network may end while it waits for the ways
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _pump(
        self, source: asyncio.StreamReader, to: asyncio.StreamWriter, swallow: float
    ) -> None:
        with suppress(OSError):
            while chunk := await source.read(1 << 16):
                luck = self._random.random()
                if luck < self._cut:
                    self.cuts += 1
                    to.write(chunk[: len(chunk) // 2])
                    return
                if luck < self._cut + swallow:
                    continue
                to.write(chunk)
                await to.drain()
