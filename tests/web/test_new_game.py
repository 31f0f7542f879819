"""A phone begins a game: the players that are offered, the house rules, and renamed players."""

from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from tests.web.live import KEEPER, LiveTable, Phone, keep
from tests.web.panels import looks
from tests.web.panels import table as table  # noqa: PLC0414  # a fixture


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[LiveTable]:
    table = LiveTable(tmp_path / "record.db")
    yield table
    table.close()


def test_the_first_game_of_a_record_is_begun_by_a_phone(empty: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(empty, session, "anna", KEEPER)
        told = await looks(anna, "new", game="high-five", players=3)
        assert told["players"] == [2, 3, 4]
        assert told["seats"] == []
        names = (await looks(anna, "spelled", game="high-five", names=["Zoë", "draw"]))["spelled"]
        assert names[0]["wrong"] is None
        assert names[0]["picture"].startswith("<svg")
        assert names[1]["wrong"]["words"].startswith("draw is a word of the tally")
        header = "game high-five\nseats Zoë Bo Cleo\noption deal 6"
        lines = (await anna.preview(header, deed="open"))["lines"]
        assert lines[0]["words"] == "High Five, clockwise: Zoë, Bo, Cleo"
        anna.stands["keys"]["game"] = 0
        assert (await anna.keys(header, deed="open"))["counted"]
        await anna.until(lambda: anna.stands["moment"]["game"] is not None)
        assert [seat["shown"] for seat in anna.stands["moment"]["seats"]] == ["Zoë", "Bo", "Cleo"]
        assert (await looks(anna, "new"))["names"] == ["Zoë", "Bo", "Cleo"]

    empty.visit(visit)


def test_the_points_on_the_table_s_card_are_remembered(empty: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(empty, session, "anna", KEEPER)
        anna.stands["keys"]["game"] = 0
        assert (await anna.keys("high-five-tiles.points-pair 3", deed="set"))["counted"]
        await anna.until(lambda: anna.stands["moment"]["row"] == 1)
        told = await looks(anna, "new", game="high-five-tiles", players=2)
        options = {option["name"]: option for option in told["options"]}
        asked = [name for name, option in options.items() if option["asked"]]
        assert len(asked) == 11
        pair = options["points-pair"]
        assert pair["asked"] == "high-five-tiles.points-pair"
        assert (pair["value"], pair["usual"], pair["label"]) == (3, 1, "Pair")
        assert options["first-turn"]["asked"] is None
        others = await looks(anna, "new", game="high-five", players=2)
        assert not [option for option in others["options"] if option["asked"]]

    empty.visit(visit)


def test_numbers_of_players_outside_a_game_s_range_are_adjusted(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", None)
        assert (await looks(anna, "new", game="highrise", players=99))["number"] == 4
        assert (await looks(anna, "new", game="high-fives", players=-1))["number"] == 2

    table.visit(visit)


def test_a_renamed_player_is_offered_under_the_new_name_until_renamed_back(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    keep(path, "hand\nAnn 6-6", seats="Ann Red")
    table = LiveTable(path)

    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        told = await looks(anna, "new")
        assert (told["names"], told["renamed"]) == (["Ann"], [])
        lines = (await anna.preview("Ann Old_Tom", deed="rename"))["lines"]
        assert lines[0]["words"] == "Ann's games count as Old Tom's. No game is changed"
        assert (await anna.keys("Ann Old_Tom", deed="rename"))["counted"]
        await anna.until(lambda: anna.stands["moment"]["news"] is not None)
        assert (
            anna.stands["moment"]["news"]["said"]["words"] == "A phone: Ann is now called Old Tom"
        )
        told = await looks(anna, "new")
        assert (told["names"], told["renamed"]) == (["Old_Tom"], [{"name": "Ann", "to": "Old_Tom"}])
        seats = anna.stands["moment"]["seats"]
        assert [(one["seat"], one["shown"]) for one in seats] == [
            ("Ann", "Old Tom"),
            ("Red", "Red"),
        ]
        (game,) = (await looks(anna, "games"))["games"]
        assert [one["shown"] for one in game["scores"]] == ["Old Tom", "Red"]
        assert (await anna.preview("Ann Ann", deed="rename"))["lines"][0]["key"] == (
            "house.renames-back"
        )
        assert (await anna.keys("Ann Ann", deed="rename"))["counted"]
        await anna.until(lambda: anna.stands["moment"]["news"]["said"]["key"] == "news.not-renamed")
        told = await looks(anna, "new")
        assert (told["names"], told["renamed"]) == (["Ann"], [])
        assert not (await anna.keys("Ann Blue", deed="rename"))["counted"]

    try:
        table.visit(visit)
    finally:
        table.close()
