"""A hub in a process of its own, and a network between it and its boxes that loses things."""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from companion.app.catalog import CATALOG
from companion.commands.cli import main
from companion.record.rows import Row
from companion.record.store.store import Store
from tests.waiting import WAIT_S


class HubProcess:
    """`companion hub run`, which may be killed and started again on its port."""

    def __init__(self, data: Path, *more: str, announces: bool = False) -> None:
        self.data, self._more = data, more if announces else (*more, "--quiet")
        self.port = 0
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Starts the hub and waits until it says its address."""
        command = [sys.executable, "-m", "companion", "hub", "run", "--data", str(self.data)]
        self._process = subprocess.Popen(
            [*command, "--port", str(self.port), *self._more],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r":(\d+)/$", line.strip())
        assert found, line
        self.port = int(found[1])

    def kill(self) -> None:
        """Kills the hub, as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(WAIT_S)
        assert self._process.stdout is not None
        self._process.stdout.close()

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def address(self) -> str:
        """The address at which boxes join."""
        return f"127.0.0.1:{self.port}"


@contextmanager
def running(data: Path, *more: str, announces: bool = False) -> Iterator[HubProcess]:
    """Runs a hub with its folder in `data` until the end. `more`: further arguments of its
    command."""
    hub = HubProcess(data, *more, announces=announces)
    hub.start()
    try:
        yield hub
    finally:
        hub.kill()


def record_of(path: Path, rows: Sequence[tuple[int, Row]]) -> Path:
    """Adds these rows to the record at `path`, which is made if need be; gives `path`."""
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
    """A network that cuts off the connection at a share (`cut`) of the chunks either way, and loses
    a share (`swallow`) of those that come from the hub."""

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
            # Boxes that have just come arrive first: Python 3.11 loses those on their way.
            await asyncio.sleep(0.05)
            server.close()
            while self._carrying:
                for task in self._carrying:
                    task.cancel()
                await asyncio.wait(self._carrying)

    def _come(self, box: asyncio.StreamReader, to_box: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._carry(box, to_box))
        self._carrying.add(task)

        def gone(task: asyncio.Task[None]) -> None:
            """Ends the box's side, too, if the task was cancelled before it began."""
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
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            to_hub.transport.abort()

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
