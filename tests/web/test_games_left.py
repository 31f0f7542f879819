"""Unfinished games: a phone lists them, gives them a name and continues one."""

from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp

from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.record.rows import GameOpened, Step
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.web.live import KEEPER, LiveTable, Phone, keep
from tests.web.panels import looks
from tests.web.panels import table as table  # noqa: PLC0414  # a fixture
from tests.web.site import WATCH


def test_unfinished_games_are_continued_and_named(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    keep(path, "hand\nOld_Tom 6-6", seats="Old_Tom Zoë", at=1763700000)
    for text in ("hand\nend", "hand\nRed 6-6"):  # each a game, one of them over
        with closing(Store.open(path, GAMES)) as store:
            number, seats = store.newest_game() + 1, Seats.of("Red", "Blue")
            store.keep(number, GameOpened("high-five", seats, {}))
            for line in text.splitlines():
                store.keep(number, Step((parse_entry(line, GAMES["high-five"], seats),)))
    table = LiveTable(path)

    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        newest, oldest = (await looks(anna, "games"))["games"]
        assert (newest["number"], newest["on_table"]) == (3, True)
        assert (oldest["number"], oldest["on_table"]) == (1, False)
        assert oldest["scores"] == [
            {"shown": "Old Tom", "score": 0, "player": "Old_Tom"},
            {"shown": "Zoë", "score": 0, "player": "Zoë"},
        ]
        assert [one["player"] for one in newest["scores"]] == [None, None], "colours are nobody"
        assert oldest["begun"]["words"] == "begun on 21 November 2025"
        assert (await anna.keys("Granny's revenge", deed="name", at=1))["counted"]
        assert (await anna.keys("", deed="resume", at=1))["counted"]
        await anna.until(lambda: anna.stands["moment"]["number"] == 1)
        _, oldest = (await looks(anna, "games"))["games"]
        assert (oldest["called"], oldest["on_table"]) == ("Granny's revenge", True)
        assert (await anna.keys("Zoë 6-3"))["counted"]

    try:
        table.visit(visit)
    finally:
        table.close()
    with Reader.open(path, GAMES) as record:
        game = record.game(1)
        assert game is not None
        assert [str(entry) for entry in game.entries] == ["hand", "Old_Tom 6-6", "Zoë 6-3"]


def test_unfinished_games_are_read_once_for_each_game_on_the_table(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)

        async def keyed(text: str, **more: object) -> Any:
            row = anna.stands["moment"]["row"]
            assert (await anna.keys(text, **more))["counted"]
            await anna.until(lambda: anna.stands["moment"]["row"] > row)
            return [
                (game["number"], [one["score"] for one in game["scores"]], game["entries"])
                for game in (await looks(anna, "games"))["games"]
            ]

        assert len((await looks(anna, "games"))["games"]) == 1
        assert await keyed("chips Red 5 agreed") == [(1, [0, 20], 8)]
        assert await keyed("chips Red 10 agreed") == [(1, [0, 30], 9)]
        assert await keyed("The long one", deed="name", at=1) == [(1, [0, 30], 9)]
        assert table.read == 1
        assert await keyed("game high-five\nseats Zoë Bo", deed="open") == [
            (2, [0, 0], 0),
            (1, [0, 30], 9),
        ]
        assert table.read == 2
        assert await keyed("", deed="resume", at=1) == [
            (2, [0, 0], 0),
            (1, [0, 30], 9),
        ]
        assert await keyed("end rain") == [(2, [0, 0], 0)]
        assert await keyed("", deed="undo") == [
            (2, [0, 0], 0),
            (1, [0, 30], 9),
        ]
        assert table.read == 5

    table.visit(visit)


def test_a_watching_page_gets_no_unfinished_games(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        ben = await Phone.come(table, session, "ben", None, WATCH)
        assert (await looks(ben, "games"))["games"] == []

    table.visit(visit)
