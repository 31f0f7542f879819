"""A hub announces itself, and a box in the same network hears of it: by mDNS, on this machine
alone."""

import asyncio
from pathlib import Path

import pytest

from companion.club.box import discovery
from companion.club.box.discovery import announced, watch_for_clubs
from companion.core.club import FoundClub
from tests.starting import running_hub
from tests.waiting import WAIT_S

pytest.importorskip("zeroconf")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allows for a busy machine, which may take long to answer."""
    monkeypatch.setattr(discovery, "ANSWER_WITHIN_MS", 1000 * WAIT_S)


async def known(*names: str) -> dict[str, FoundClub]:
    """The known clubs, once they include these, by their names."""
    clubs: asyncio.Queue[tuple[FoundClub, ...]] = asyncio.Queue()
    looking = asyncio.create_task(watch_for_clubs(clubs.put_nowait))
    try:
        async with asyncio.timeout(WAIT_S):
            while True:
                found = {one.name: one for one in await clubs.get()}
                if found.keys() >= {*names}:
                    return found
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


async def known_beside(name: str) -> dict[str, FoundClub]:
    """The known clubs, once they include this one, which is also announced last."""
    async with announced(name, "e" * 16, "127.0.0.1", 40_009):
        return await known(name)


def test_a_hub_is_found_by_its_name(tmp_path: Path) -> None:
    with running_hub(tmp_path / "club", "--name", "Friday Fives", announces=True) as hub:
        club = asyncio.run(known("Friday Fives"))["Friday Fives"]
    host, _, port = club.address.rpartition(":")
    assert port == str(hub.port)
    assert host.count(".") == 3


def test_a_hub_with_announcements_off_is_not_found(tmp_path: Path) -> None:
    with running_hub(tmp_path / "club") as hub:
        ports = {
            one.address.rpartition(":")[2] for one in asyncio.run(known_beside("Later")).values()
        }
    assert "40009" in ports and str(hub.port) not in ports


def test_two_hubs_are_listed_apart_and_unknown_announcements_are_ignored() -> None:
    async def go() -> None:
        async with (
            announced("One", "a" * 16, "127.0.0.1", 40_001),
            announced("Two", "b" * 16, "127.0.0.1", 40_002),
            announced("\x07", "c" * 16, "127.0.0.1", 40_003),
        ):
            found = await known("One", "Two")
            assert [found[one].address for one in ("One", "Two")] == [
                "127.0.0.1:40001",
                "127.0.0.1:40002",
            ]
            async with announced("Six", "f" * 16, "2001:db8::7", 40_006):
                assert (await known("Six"))["Six"].address == "[2001:db8::7]:40006"
            addresses = {one.address for one in (await known_beside("Later")).values()}
            assert "127.0.0.1:40003" not in addresses

    asyncio.run(go())


def test_a_hub_is_announced_again_after_its_address_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(discovery, "CHECK_ADDRESS_S", 0.05)
    looks = iter(["no network"] * 6)

    def address() -> str:
        return next(looks, "127.0.0.1")

    async def go() -> None:
        task = asyncio.create_task(discovery.keep_announcing("Three", "d" * 16, 40_004, address))
        assert (await known("Three"))["Three"].address == "127.0.0.1:40004"
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(go())
