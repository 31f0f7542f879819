"""Invalid input at the hub: it is refused in one line, nothing of it is kept, and all others are
still served."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession, WSMsgType

from companion.app.catalog import CATALOG
from companion.club.box.hub_connection import ClubError, HubConnection
from companion.club.box.membership import Membership
from companion.club.box.push import RecordPush
from companion.record.rows import Setting
from companion.record.store.store import Store
from tests.club.hub.boxes import joined, record_of
from tests.starting import HubProcess, running_hub
from tests.waiting import WAIT_S

SILENT = 500
PIECE, PIECES = b"x" * (1 << 20), 100


@contextlib.asynccontextmanager
async def silent(hub: HubProcess, many: int) -> AsyncIterator[int]:
    """Opens `many` connections that send nothing; returns how many were accepted."""
    writers = []
    try:
        for _ in range(many):
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", hub.port)
                writers.append(writer)
        yield len(writers)
    finally:
        for writer in writers:
            writer.transport.abort()


def test_invalid_websocket_requests_are_refused_without_an_error(tmp_path: Path) -> None:
    with running_hub(tmp_path / "club") as hub:
        url = f"http://{hub.address}"

        async def ask() -> list[int]:
            async with ClientSession(url, headers={"Origin": url}) as client:
                return [(await client.get(path)).status for path in ("/club", "/live", "/live/tv")]

        assert asyncio.run(ask()) == [400, 400, 400]


def test_five_hundred_silent_connections_do_not_block_a_box(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_hub(tmp_path / "club") as hub:
        record = record_of(tmp_path / "record.db", [(0, Setting("flip", "on"))])
        joined(hub, record, capsys)
        asyncio.run(go_on_beside(hub, record))
        late = record_of(tmp_path / "late.db", [(0, Setting("flip", "on"))])
        joined(hub, late, capsys)


async def go_on_beside(hub: HubProcess, record: Path) -> None:
    mine = Membership.load(record)
    assert mine is not None
    word = json.loads((hub.data / "hub.codes").read_text())["watch"]
    pushing = RecordPush(record, mine, CATALOG.rules)
    async with HubConnection.open(mine) as line, silent(hub, SILENT) as there:
        assert there > SILENT / 2
        # A box that is connected is not even delayed, and a new one gets in.
        with contextlib.closing(Store.open(record, CATALOG.rules)) as store:
            for _ in range(3):
                kept = store.keep(0, Setting("flip", "off")).seq
                async with asyncio.timeout(WAIT_S):
                    await pushing.push(line)
                assert pushing.acknowledged.seq == kept
        async with HubConnection.open(mine) as another:
            await another.request({"name": "Kitchen"}, "hello")
        async with ClientSession(f"http://{hub.address}") as client:
            asked = {"token": word}
            async with client.get("/api/tables", params=asked) as found:
                assert [one["row"] for one in (await found.json())["tables"]] == [4]


def test_a_batch_of_a_hundred_megabytes_is_cut_off_before_using_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_hub(tmp_path / "club") as hub:
        record = record_of(tmp_path / "record.db", [(0, Setting("flip", "on"))])
        joined(hub, record, capsys)
        before = memory_mb(hub)
        asyncio.run(send_too_much(hub))
        asyncio.run(send_too_much_as_a_member(record))
        assert memory_mb(hub) - before < 20
        asyncio.run(go_on_beside_nobody(record))


def memory_mb(hub: HubProcess) -> float:
    (line,) = (
        one
        for one in Path(f"/proc/{hub.pid}/status").read_text().splitlines()
        if one.startswith("VmHWM:")
    )
    return int(line.split()[1]) / 1024


async def send_too_much(hub: HubProcess) -> None:
    """A hundred megabytes in one message, piece by piece, by somebody unknown."""
    async with ClientSession() as client, client.ws_connect(f"ws://{hub.address}/club") as socket:
        await socket.receive()
        with contextlib.suppress(ConnectionError):
            for _ in range(PIECES):
                await socket.send_bytes(PIECE)
        assert (await socket.receive()).type is not WSMsgType.TEXT


async def send_too_much_as_a_member(record: Path) -> None:
    mine = Membership.load(record)
    assert mine is not None
    row = [1, 0, "x" * (20 << 20), 1.0, None, "0" * 64, "1" * 64]
    message = {"rows": [row], "seal": "0" * 128, "after": [0, "0" * 64]}
    with pytest.raises(ClubError) as refused:
        async with HubConnection.open(mine) as line:
            await line.request(message, "have")
    assert refused.value.is_temporary


async def go_on_beside_nobody(record: Path) -> None:
    mine = Membership.load(record)
    assert mine is not None
    async with HubConnection.open(mine) as line:
        pushed = await RecordPush(record, mine, CATALOG.rules).push(line)
    assert pushed.rows == 1
