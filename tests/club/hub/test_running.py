"""Boxes, a network that loses data, and a hub that is killed: every acknowledged row is stored
exactly once. A client that sends invalid messages is refused with a clear line."""

import asyncio
import gc
import json
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from urllib.request import urlopen

import pytest
from aiohttp import ClientSession, WSMsgType

from companion.app.catalog import CATALOG
from companion.club.box.hub_connection import ClubError, HubConnection, join
from companion.club.box.keys import KeyPair
from companion.club.box.membership import Membership, membership_file
from companion.club.box.push import RecordPush
from companion.club.hub.database import Database
from companion.club.hub.folder import HubFolder
from companion.club.hub.members import Members
from companion.club.hub.verify import verify
from companion.commands.cli import main
from companion.core.seats import Seats
from companion.core.values import Json
from companion.record.rows import GameOpened, PlayerHidden, Row, Setting
from companion.record.store.reader import Reader
from tests.club.hub.boxes import BadNetwork, joined, record_of
from tests.club.hub.test_tables import evening
from tests.starting import HubProcess, first_line, python, running_hub
from tests.waiting import WAIT_S

RECORDS = 3
KILLED_AT = (60, 150)
"""How many rows are acknowledged each time the hub is killed."""
HUNG_UP = (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR)


@pytest.fixture
def hub(address: str | Path, tmp_path: Path) -> Iterator[HubProcess]:
    more = () if isinstance(address, Path) else ("--database", address)
    with running_hub(tmp_path / "club", *more) as started:
        yield started


def database_of(hub: HubProcess, address: str | Path) -> Database:
    return Database.from_address(hub.data / "hub.db" if isinstance(address, Path) else address)


def of_rows(found: list[tuple[int, Row | str]], games: int = 0) -> list[tuple[int, Row]]:
    return [(game + games if game else 0, row) for game, row in found if not isinstance(row, str)]


def test_the_command_starts_a_hub(tmp_path: Path) -> None:
    """Starts the command itself: the other tests fork from a process that has its modules
    loaded."""
    words = ("hub", "run", "--data", tmp_path / "club", "--port", "0", "--quiet")
    with python("-m", "companion", *words) as process:
        address = first_line(process).split()[-1]
        with urlopen(address, timeout=WAIT_S) as page:
            assert b"<title>" in page.read()


@pytest.mark.sampled(1)
def test_acknowledged_rows_survive_a_bad_network_and_two_kills(
    hub: HubProcess, address: str | Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [record_of(tmp_path / f"box{n}.db", []) for n in range(RECORDS)]
    for record in records:
        joined(hub, record, capsys)
        many = [(0, Setting(f"flip-{n}", "on")) for n in range(70)]
        record_of(record, [*of_rows(evening()), *many])
    network, kills = BadNetwork(hub.port, Random(27), cut=0.12), [*KILLED_AT]

    async def all_boxes() -> None:
        async with network.between() as through:
            pushes = [PatientPusher(record, through) for record in records]
            while not all(push.done for push in pushes):
                await asyncio.gather(*(push.once() for push in pushes if not push.done))
                acknowledged = sum(push.push.acknowledged.seq for push in pushes)
                if kills and acknowledged >= kills[0]:
                    kills.pop(0)
                    hub.kill()
                    await asyncio.gather(*(push.once() for push in pushes))
                    hub.start()

    asyncio.run(all_boxes())
    assert not kills
    assert network.cuts > 5
    for record in records:
        assert main(["hub", "push", "--record", str(record), "--once"]) == 0
    opened = database_of(hub, address)
    report = verify(opened)
    opened.close()
    assert report["well"], report
    assert [one["rows"] for one in report["chains"]] == [78] * RECORDS
    for record, one in zip(records, report["chains"], strict=True):
        with Reader.open(record, CATALOG.rules) as reader:
            assert one["hash"] == (reader.hash_of(78) or b"").hex()


@pytest.mark.parametrize("steps", range(8))
def test_no_connection_stays_open_when_a_bad_network_ends(steps: int) -> None:
    """Resources left open would cause a warning in some later test, when they are collected."""

    async def go() -> socket.socket:
        async with BadNetwork(9, Random(27)).between() as through:
            host, port = through.split(":")
            box = socket.create_connection((host, int(port)))
            for _ in range(steps):
                await asyncio.sleep(0)
        return box

    asyncio.run(go()).close()
    gc.collect()


class PatientPusher:
    """A box that retries until the hub has all its rows."""

    def __init__(self, record: Path, through: str) -> None:
        found = Membership.load(record)
        assert found is not None
        self._membership = replace(found, address=through)
        self.push = RecordPush(record, self._membership, CATALOG.rules)
        self.push.most = 4
        self.done = False

    async def once(self) -> None:
        try:
            async with HubConnection.open(self._membership, 0.3) as line:
                await self.push.push(line)
                self.done = True
        except ClubError as error:
            assert error.is_temporary, error
            self.push.most = 4


@pytest.mark.sampled(1)
def test_private_evenings_and_hidden_people_stay_hidden(
    hub: HubProcess, address: str | Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = Seats.of("Anna", "Zoe")
    before: list[tuple[int, Row]] = [
        *of_rows(evening()),
        (3, GameOpened("five-up", seats, {})),
        (0, PlayerHidden("Zoe")),
        (0, PlayerHidden("Anna")),
        (0, Setting("secret", "on")),
    ]
    record = record_of(tmp_path / "record.db", before)
    joined(hub, record, capsys)
    key = (json.loads(membership_file(record).read_text()))["key"]
    assert main(["hub", "push", "--record", str(record), "--once"]) == 0
    record_of(record, of_rows(evening(), 10))
    assert main(["hub", "push", "--record", str(record), "--once"]) == 0
    capsys.readouterr()
    assert main(["hub", "export", "--data", str(hub.data)]) == 0
    told = capsys.readouterr().out
    assert "Zoe" not in told
    assert "secret" not in told
    assert key not in told
    whole = [json.loads(line)["row"] for line in told.splitlines()]
    # Earlier rows about Anna are pushed whole now, as she sits in a game of the club's.
    assert [row[0] for row in whole if row[2]] == [11, *range(14, 21)]
    shown = asyncio.run(tables(hub))
    assert [one["seat"] for one in shown[0]["moment"]["seats"]] == ["Red", "Ben"]
    assert main(["hub", "verify", "--data", str(hub.data), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["chains"][0]["private"] == 12


async def tables(hub: HubProcess) -> list[Json]:
    word = json.loads((hub.data / "hub.codes").read_text())["watch"]
    where = f"http://{hub.address}"
    async with ClientSession() as client:
        async with client.get(f"{where}/api/tables") as refused:
            assert refused.status == 401
        async with client.get(f"{where}/healthz") as well:
            assert await well.json() == {"well": True}
        async with client.get(f"{where}/metrics") as metrics:
            assert "companion_hub_boxes 1.0" in await metrics.text()
        bearer = {"Authorization": f"Bearer {word}"}
        async with client.get(f"{where}/api/tables", headers=bearer) as found:
            told: list[Json] = (await found.json())["tables"]
            return told


def test_a_recovered_folder_keeps_the_clubs_name(tmp_path: Path) -> None:
    def name() -> str:
        database = HubFolder.open(tmp_path).open_database()
        try:
            return Members(database, HubFolder.open(tmp_path).keys.identity, time.time).name()
        finally:
            database.close()

    for more, expected in (
        (("--name", "Friday Fives"), "Friday Fives"),
        ((), "Friday Fives"),  # hub.json is gone, and only key and database are left
        (("--name", "Ship Inn"), "Ship Inn"),
        ((), "Ship Inn"),
    ):
        (tmp_path / "hub.json").unlink(missing_ok=True)
        with running_hub(tmp_path, *more):
            pass
        assert name() == expected
        assert json.loads((tmp_path / "hub.json").read_text())["name"] == expected


def test_malformed_messages_are_refused_and_the_hub_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_hub(tmp_path / "club") as hub:
        record = record_of(tmp_path / "record.db", of_rows(evening()))
        joined(hub, record, capsys)
        mine = Membership.load(record)
        assert mine is not None
        asyncio.run(say_what_no_box_says(hub, mine))
        assert main(["hub", "push", "--record", str(record), "--once"]) == 0
        assert main(["hub", "leave", "--record", str(record)]) == 0
        assert main(["hub", "push", "--record", str(record), "--once"]) == 2
        assert main(["hub", "verify", "--data", str(hub.data)]) == 0
        assert "8 rows, 8 of them private: whole" in capsys.readouterr().out


async def say_what_no_box_says(hub: HubProcess, mine: Membership) -> None:
    seal, place = "0" * 128, [0, "0" * 64]
    row = [1, None, None, None, None, "0" * 64, "1" * 64]
    wrong: list[tuple[dict[str, object], str]] = [
        ({"rows": [row], "seal": seal, "after": place}, "the seal of these rows is wrong"),
        ({"rows": [], "seal": seal, "after": place}, "a batch has 1 to 500 rows"),
        ({"rows": [row] * 501, "seal": seal, "after": place}, "a batch has 1 to 500 rows"),
        ({"rows": [[*row[:6], "zz"]], "seal": seal, "after": place}, "no key, hash or signature"),
        ({"rows": [[1, 0, "{}", 1.0, None, *row[5:]]], "seal": seal}, "changed after it was"),
        ({"rows": [[1, 0, "\0", 1.0, None, *row[5:]]], "seal": seal}, "not a row of a record"),
        ({"where": [["1", 2]]}, "not the number and hash"),
        ({"sing": True}, "hub doesn't know that request"),
    ]
    for message, why in wrong:
        async with HubConnection.open(mine) as line:
            with pytest.raises(ClubError, match=why) as refused:
                await line.request(message, "have")
            assert refused.value.code == "malformed"
    with pytest.raises(ClubError, match="no member") as unknown:
        async with HubConnection.open(replace(mine, keys=KeyPair.generate())):
            pass
    assert unknown.value.code == "unknown"
    with pytest.raises(ClubError, match="another club"):
        async with HubConnection.open(replace(mine, club=KeyPair.generate().public)):
            pass
    async with ClientSession() as client:
        async with client.ws_connect(f"ws://{hub.address}/club") as socket:
            await socket.receive()
            await socket.send_str("[" * 100_000)
            assert (await socket.receive_json())["refused"] == "malformed"
        async with client.ws_connect(f"ws://{hub.address}/club") as socket:
            await socket.receive()
            with suppress(ConnectionError):  # it may hang up before all of it is sent
                await socket.send_bytes(b"\xff" * (1 << 21))  # more than a message may have
            assert (await socket.receive()).type in HUNG_UP


def test_a_box_joins_over_ipv6(tmp_path: Path) -> None:
    with running_hub(tmp_path / "club", "--name", "Friday Fives") as hub:
        club, digits = asyncio.run(join(f"[::1]:{hub.port}", KeyPair.generate(), "Kitchen"))
    assert (club.name, len(digits)) == ("Friday Fives", 6)
