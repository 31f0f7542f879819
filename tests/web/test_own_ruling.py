"""Nobody clears themselves of a bogus play on their own phone: the others do, or the box."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from companion.record.rows import Setting
from companion.record.store.store import Store
from companion.table.session import BOX
from tests.catalog import GAMES
from tests.web.live import LiveTable, Phone, keep

CALLED = "hand\nRed 6-6\nBlue draw\nbogus Blue by Red"
KEEPER = {"name": "scorekeeper"}
BLUE, RED = {"name": "seat", "seat": "Blue"}, {"name": "seat", "seat": "Red"}
CLEAR = "rule Blue clear"
REFUSED = "Blue's own phone can't clear Blue: another phone or the box can"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    keep(tmp_path / "record.db", CALLED)
    table = LiveTable(tmp_path / "record.db")
    yield table
    table.close()


@pytest.mark.parametrize("who", [RED, KEEPER], ids=["another seat's", "the scorekeeper's"])
def test_another_s_phone_rules_clear(table: LiveTable, who: dict[str, str]) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        await Phone.come(table, session, "blue", BLUE)
        other = await Phone.come(table, session, "other", who)
        assert (await other.keys(CLEAR))["counted"]

    table.visit(visit)
    assert table.entries()[-1] == CLEAR


@pytest.mark.parametrize("house", ["turn", "anyone"])
def test_the_accused_s_own_phone_does_not(tmp_path: Path, house: str) -> None:
    keep(tmp_path / "record.db", CALLED)
    with Store.open(tmp_path / "record.db", GAMES) as store:
        store.keep(BOX, Setting("keypads", house))
    with closing(LiveTable(tmp_path / "record.db")) as live:

        async def visit(session: aiohttp.ClientSession) -> None:
            blue = await Phone.come(live, session, "blue", BLUE)
            told = await blue.keys(CLEAR)
            assert (told["counted"], told["said"]["words"]) == (False, REFUSED)
            owned_up = await blue.keys("rule Blue bogus")
            assert owned_up["said"]["words"] != REFUSED, "that is for the rules to say"

        live.visit(visit)


def test_nor_by_changing_what_the_table_has_ruled(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        blue = await Phone.come(table, session, "blue", BLUE)
        red = await Phone.come(table, session, "red", RED)
        assert (await red.keys(CLEAR))["counted"]
        await blue.until(lambda: blue.stands["moment"]["entries"] == 5)
        for deed in ("change", "insert"):
            told = await blue.keys(CLEAR, deed=deed, at=4)
            assert (told["counted"], told["said"]["words"]) == (False, REFUSED)

    table.visit(visit)
