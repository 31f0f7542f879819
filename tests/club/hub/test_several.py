"""Several hubs of one club on one PostgreSQL database: rows taken by one hub are shown by the
others, and boxes switch to another hub when theirs is gone."""

import asyncio
import contextlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse

from companion.app.catalog import CATALOG
from companion.club.box.hub_connection import HubConnection
from companion.club.box.membership import Membership
from companion.club.box.push import ClubPusher
from companion.club.hub.database import Database
from companion.core.errors import EntryError, SetupError
from companion.core.seats import Seats
from companion.core.values import Json
from companion.games.game import parse_entry
from companion.record.rows import GameOpened, Row, Setting, Step
from companion.record.store.store import Store
from tests.club.hub.boxes import joined, record_of
from tests.club.hub.postgres import Cluster
from tests.starting import HubProcess, running_hub
from tests.waiting import WAIT_S, wait_until

"""Seconds: less than a hub waits before it looks by itself for what others have taken."""


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_cannot_store_every_name_is_refused_in_a_line(
    postgres: Cluster, encoding: str
) -> None:
    options = ("--template=template0", f"--encoding={encoding}", "--locale=C")
    database = Database.from_address(postgres.database(*options))
    with pytest.raises(SetupError, match="createdb -E UTF8 -T template0"):
        database.migrate()
    database.close()


@pytest.fixture
def two(postgres: Cluster, tmp_path: Path) -> Iterator[tuple[HubProcess, HubProcess]]:
    """Two hubs of a club on one database."""
    database = postgres.database()
    with running_hub(tmp_path / "one", "--database", database) as first:
        (tmp_path / "two").mkdir()
        for name in ("club.key", "hub.codes"):
            shutil.copy(first.data / name, tmp_path / "two" / name)
        with running_hub(tmp_path / "two", "--database", database) as second:
            yield first, second


def test_a_box_goes_to_another_hub_when_its_own_dies_and_comes_back(
    two: tuple[HubProcess, HubProcess],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.club.box.push.FIRST_PAUSE_S", 0.05)
    first, second = two
    record = record_of(tmp_path / "record.db", [(0, Setting("flip", "on"))])
    joined(first, record, capsys)
    mine = Membership.load(record)
    assert mine is not None
    pusher = ClubPusher(record, mine, CATALOG.rules)
    pusher.start()
    try:
        wait_until(lambda: len(known_hubs(record)) >= 2)
        assert any(one.endswith(f":{second.port}") for one in known_hubs(record))
        with contextlib.closing(Store.open(record, CATALOG.rules)) as store:
            for gone in (first, second, first):
                gone.kill()
                kept = store.keep(0, Setting("flip", "off")).seq
                pusher.wake()
                wait_until(lambda kept=kept: pusher.acknowledged == kept)  # type: ignore[misc]
                gone.start()
        assert pusher.state.reached
    finally:
        pusher.stop()


def known_hubs(record: Path) -> tuple[str, ...]:
    found = Membership.load(record)
    return found.others if found else ()


def test_rows_stored_by_one_hub_are_shown_by_the_other_at_once(
    two: tuple[HubProcess, HubProcess], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = two
    record = record_of(tmp_path / "record.db", [(0, Setting("flip", "on"))])
    joined(first, record, capsys)
    asyncio.run(seen_at_the_other(first, second, record))


async def seen_at_the_other(first: HubProcess, second: HubProcess, record: Path) -> None:
    """Waits, after each row is acknowledged by one hub, until the other's page shows it."""
    from companion.club.box.push import RecordPush

    mine = Membership.load(record)
    assert mine is not None
    word = json.loads((second.data / "hub.codes").read_text())["watch"]
    url = f"http://{second.address}"
    async with (
        ClientSession(url) as session,
        session.ws_connect("/live", headers={"Origin": url}) as page,
        HubConnection.open(mine) as line,
    ):
        await page.send_json({"n": 0, "hello": word, "wants": []})
        pushing = RecordPush(record, mine, CATALOG.rules)
        await pushing.push(line)
        await until_row(page, pushing.acknowledged.seq)
        with contextlib.closing(Store.open(record, CATALOG.rules)) as store:
            for _ in range(5):
                kept = store.keep(0, Setting("flip", "off")).seq
                await pushing.push(line)
                async with asyncio.timeout(WAIT_S):
                    await until_row(page, kept)


async def until_row(page: ClientWebSocketResponse, row: int) -> None:
    async for message in page:
        if any(one["row"] == row for one in json.loads(message.data).get("tables", [])):
            return


def test_a_line_reaches_a_box_that_is_connected_to_another_hub(
    two: tuple[HubProcess, HubProcess], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = two
    record = record_of(tmp_path / "record.db", [(0, Setting("flip", "on"))])
    joined(first, record, capsys)
    mine = Membership.load(record)
    assert mine is not None
    told = asyncio.run(sent_away_by(second, mine))
    assert told["refused"] == "sent-away"


async def sent_away_by(hub: HubProcess, mine: Membership) -> dict[str, object]:
    """The messages to a box that is connected to its own hub while the organiser throws it out at
    `hub`, another one."""
    word = json.loads((hub.data / "hub.codes").read_text())["keep"]
    url = f"http://{hub.address}"
    async with (
        ClientSession(url) as session,
        session.ws_connect("/live/organiser", headers={"Origin": url}) as page,
        HubConnection.open(mine) as line,
    ):
        await page.send_json({"n": 0, "hello": word, "wants": []})
        await page.send_json({"n": 1, "throwOut": mine.keys.identity})
        from companion.club.box.hub_connection import ClubError

        over = asyncio.create_task(asyncio.sleep(WAIT_S))
        try:
            while await line.receive_until(over) is not None:
                pass
        except ClubError as error:
            return {"refused": error.code}
        finally:
            over.cancel()
    return {}


def test_a_ruling_reaches_a_table_connected_to_another_hub(
    two: tuple[HubProcess, HubProcess], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = two
    seats, rules = Seats.of("Anna", "Ben"), CATALOG.rules["high-five"]
    said = ("hand", "Anna 6-6", "Ben pass", "bogus Ben by Anna", "Ben pips 31")
    record = record_of(tmp_path / "record.db", [(0, Setting("flip", "on"))])
    joined(first, record, capsys)
    steps = [Step((parse_entry(one, rules, seats),)) for one in said]
    rows: list[tuple[int, Row]] = [(1, GameOpened("high-five", seats, {}))]
    record_of(record, [*rows, *((1, one) for one in steps)])
    mine = Membership.load(record)
    assert mine is not None
    call, ruling = asyncio.run(ruled_by(second, record, mine))
    assert (call["accused"], call["holding"]) == ("Ben", {"pips": 31, "tiles": None})
    asked = {key: call[key] for key in ("game", "tip", "seat")}
    assert ruling == {**asked, "judge": "Carla", "bogus": True}


async def ruled_by(hub: HubProcess, record: Path, mine: Membership) -> tuple[Json, object]:
    """The call that a judge sees at `hub`, and the ruling as the box hears it from its own hub."""
    from companion.club.box.push import RecordPush

    word = json.loads((hub.data / "hub.codes").read_text())["play"]
    judge = {"Authorization": f"Bearer {word}"}
    async with (
        ClientSession(f"http://{hub.address}", headers=judge) as session,
        HubConnection.open(mine) as line,
    ):
        await RecordPush(record, mine, CATALOG.rules).push(line)
        async with session.get("/api/calls") as answer:
            (call,) = (await answer.json())["calls"]
        said = {key: call[key] for key in ("game", "tip", "seat")}
        said |= {"judge": "Carla", "bogus": True}
        async with session.post(f"/api/calls/{call['box']}", json=said) as answer:
            assert (answer.status, await answer.json()) == (200, {"sent": True})
        over = asyncio.create_task(asyncio.sleep(WAIT_S))
        try:
            while (heard := await line.receive_until(over)) is not None:
                if "ruling" in heard:
                    return call, heard["ruling"]
        finally:
            over.cancel()
    return call, None


def test_an_invalid_list_of_addresses_is_refused(tmp_path: Path) -> None:
    from companion.club.box.keys import KeyPair

    mine = Membership(KeyPair.generate(), KeyPair.generate().public, "Club", "one:1", "Kitchen")
    assert mine.with_hubs(["two:2", "one:1", "two:2"]).addresses == ("one:1", "two:2")
    wrong_ones: tuple[object, ...] = ("two:2", [1], ["a" * 999], ["\n"], ["x"] * 99, {})
    for wrong in wrong_ones:
        with pytest.raises(EntryError):
            mine.with_hubs(wrong)
