"""A club with many rows has its past counted before anybody asks for it."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from companion.club.hub import pages
from tests.waiting import until


def test_a_long_past_is_counted_in_advance_and_again_only_after_growth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pages, "LOOK_AHEAD_S", 0.005)
    monkeypatch.setattr(pages, "FIRST_LOOK_S", 0.005)
    monkeypatch.setattr(pages, "LOOKS_UNTIL_IDLE", 1000)
    made = list[str]()
    looked = [0]
    table = SimpleNamespace(row=0)

    class Maker:
        async def make(self, path: str, _asked: dict[str, str]) -> None:
            made.append(path)

    def now() -> list[Any]:
        looked[0] += 1
        return [table]

    hub: Any = SimpleNamespace(tables=SimpleNamespace(are_read=True, current=now))
    maker: Any = Maker()

    async def look() -> None:
        counting = asyncio.create_task(pages.keep_counting_past(hub, maker))
        for rows, expected in ((4999, 0), (5000, 1), (5000, 1), (5001, 2)):
            table.row, looked[0] = rows, 0
            await until(lambda: looked[0] >= 3)
            assert len(made) == expected, rows
        counting.cancel()

    asyncio.run(look())
    assert {*made} == {"/evenings"}

    # What is counted stays known: the process doesn't become idle.
    async def stay() -> None:
        monkeypatch.setattr(pages, "LOOKS_UNTIL_IDLE", 2)
        table.row = 6000
        made.clear()
        counting = asyncio.create_task(pages.keep_counting_past(hub, maker))
        await until(lambda: len(made) >= 3)
        counting.cancel()

    asyncio.run(stay())


def test_a_long_past_is_counted_soon_after_the_hub_has_read_its_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without waiting for the time between two checks, which is longer than the test."""
    monkeypatch.setattr(pages, "FIRST_LOOK_S", 0.005)
    made = list[str]()
    tables = SimpleNamespace(are_read=False, current=lambda: [SimpleNamespace(row=5000)])

    class Maker:
        async def make(self, path: str, _asked: dict[str, str]) -> None:
            made.append(path)

    async def look() -> None:
        hub: Any = SimpleNamespace(tables=tables)
        maker: Any = Maker()
        counting = asyncio.create_task(pages.keep_counting_past(hub, maker))
        await asyncio.sleep(0.05)
        assert made == []
        tables.are_read = True
        await until(lambda: made)
        counting.cancel()

    asyncio.run(look())
    assert made == ["/evenings"]
