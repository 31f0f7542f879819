"""A hub announces itself, and a box in the same network hears of it: by mDNS, on this machine
alone."""

import asyncio
import time
from pathlib import Path

import pytest

from companion.club import finding
from companion.club.finding import announced, look_for_clubs
from companion.core.club import FoundClub
from tests.starting import running_hub
from tests.waiting import WAIT_S

pytest.importorskip("zeroconf")


async def found(fits: object, *, within_s: float = WAIT_S) -> FoundClub:
    clubs: asyncio.Queue[tuple[FoundClub, ...]] = asyncio.Queue()
    looking = asyncio.create_task(look_for_clubs(clubs.put_nowait))
    try:
        while True:
            for one in await asyncio.wait_for(clubs.get(), within_s):
                if fits in (one.name, int(one.address.rpartition(":")[2])):
                    return one
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


def test_a_hub_is_found_by_its_name(tmp_path: Path) -> None:
    with running_hub(tmp_path / "club", "--name", "Friday Fives", announces=True) as hub:
        club = asyncio.run(found(hub.port))
    assert club.name == "Friday Fives"
    assert club.address.rpartition(":")[0].count(".") == 3


def test_a_hub_that_is_told_to_be_quiet_is_not_found(tmp_path: Path) -> None:
    with running_hub(tmp_path / "club") as hub, pytest.raises(TimeoutError):
        asyncio.run(found(hub.port, within_s=2.0))


def test_two_hubs_are_told_apart_and_what_says_nothing_is_no_club() -> None:
    async def go() -> None:
        async with (
            announced("One", "a" * 16, "127.0.0.1", 40_001),
            announced("Two", "b" * 16, "127.0.0.1", 40_002),
            announced("\x07", "c" * 16, "127.0.0.1", 40_003),
        ):
            both = await asyncio.gather(found("One"), found("Two"))
            assert [one.address for one in both] == ["127.0.0.1:40001", "127.0.0.1:40002"]
            async with announced("Six", "e" * 16, "2001:db8::7", 40_006):
                assert (await found("Six")).address == "[2001:db8::7]:40006"
            with pytest.raises(TimeoutError):
                await found(40_003, within_s=1.0)

    asyncio.run(go())


def test_it_is_announced_anew_where_the_address_is_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(finding, "ADDRESS_S", 0.05)
    began = time.monotonic()

    def address() -> str:
        return "no network" if time.monotonic() < began + 0.3 else "127.0.0.1"

    async def go() -> None:
        task = asyncio.create_task(finding.keep_announced("Three", "d" * 16, 40_004, address))
        assert (await found("Three")).address == "127.0.0.1:40004"
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(go())
