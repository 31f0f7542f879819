"""Previews on a phone of an entry or a change before it is made, over real sockets and a real
record."""

import aiohttp

from tests.web.live import BEGUN, KEEPER, LiveTable, Phone


def test_a_play_is_previewed_with_its_count_and_payment(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        (told,) = (await anna.preview("Red 3-2"))["told"]
        assert told["why"]["words"] == "3-2: 12+2 = 14"
        assert told["payments"] == []
        refused = (await anna.preview("Red 6-3"))["refused"]
        assert refused["words"].startswith("3-6 is already on the table")

    table.visit(visit)
    assert table.entries() == BEGUN.split("\n")


def test_a_tile_that_fits_at_several_ends_lists_them(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        assert (await anna.keys("Red 6-4"))["counted"]
        await anna.until(lambda: anna.stands["moment"]["entries"] == 4)
        told = await anna.preview("Blue 4-3", begun=True)
        assert (told["entry"], told["told"]) == (None, [])
        (ends,) = told["offers"]
        assert {option["arm"] for option in ends["options"]} == {"left", "right"}
        assert (await anna.keys(ends["options"][0]["entry"]))["counted"]

    table.visit(visit)


def test_a_preview_asks_which_tile_is_returned(table: LiveTable) -> None:
    """The tile that goes back has to be shown, so the page asks which of the possible tiles it
    is."""

    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        assert (await anna.keys("Red draw"))["counted"]
        await anna.until(lambda: anna.stands["moment"]["entries"] == 4)
        told = await anna.preview("Red return")
        assert (told["entry"], told["told"]) == (None, [])
        (tiles,) = told["offers"]
        entries = [option["entry"] for option in tiles["options"]]
        assert "Red return 2-2" in entries
        assert "Red return 6-6" not in entries, "it lies"
        assert (await anna.keys("Red return 2-2"))["counted"]

    table.visit(visit)


def test_a_preview_gives_no_verdict_away(table: LiveTable) -> None:
    """A page that only previews a call learns nothing about its verdict."""

    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        assert (await anna.keys("Red draw"))["counted"]
        await anna.until(lambda: anna.stands["moment"]["entries"] == 4)
        looked = await anna.preview("bogus Red by Blue")
        (told,) = looked["told"]
        assert told["said"]["words"] == "Blue calls Red bogus"
        assert (told["why"], told["payments"], told["notices"]) == (None, [], [])
        assert "verdict" not in str(looked)

    table.visit(visit)


def test_a_change_is_previewed_with_totals_and_invalid_entries(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        looked = await anna.preview("Red 5-5", deed="change", at=1)
        assert looked["scores"]["Blue"] == [15, 0]
        assert looked["lost"]["words"].startswith("“Blue lays 6-3” is no longer possible: ")
        moved = [one["words"] for one in looked["chips"]]
        assert moved == ["Blue gives Red back 15", "Blue pays Red 10"]

    table.visit(visit)
    assert table.entries() == BEGUN.split("\n")
