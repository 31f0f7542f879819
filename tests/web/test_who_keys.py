"""Which phones may make entries, and for whom: over real sockets and a real record."""

from pathlib import Path

import aiohttp
import pytest

from companion.record.rows import Setting
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.table import session
from companion.table.session import BOX
from tests.catalog import GAMES
from tests.web.live import BEGUN, KEEPER, LiveTable, Phone, keep, seat
from tests.web.site import WATCH


def test_a_watcher_cannot_enter_anything(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        watcher = await Phone.come(table, session, "watcher", None)
        answer = await watcher.keys("Red 6-4")
        assert answer["said"]["key"] == "answer.only-watching"

    table.visit(visit)
    assert table.entries() == BEGUN.split("\n")


def test_a_page_with_the_watch_code_can_never_enter_anything(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        guest = await Phone.come(table, session, "guest", KEEPER, word=WATCH)
        assert guest.role["name"] == "watcher"
        assert guest.role["said"]["words"] == "This page only watches"
        assert (await guest.keys("Red 6-4"))["said"]["key"] == "answer.only-watching"
        await guest.say(key="DRAW", down=True)
        await guest.say(key="DRAW", down=False)
        assert (await guest.preview("Red draw"))["told"]

    table.visit(visit)
    assert table.entries() == BEGUN.split("\n")
    assert table.moves == []


def test_a_wrong_access_code_leaves_nothing_behind(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        ws = await session.ws_connect("/live", headers={"Origin": table.url})
        await ws.send_json({"n": 0, "hello": "wrong", "wants": ["wide"]})
        assert (await ws.receive()).type is aiohttp.WSMsgType.CLOSE
        assert ws.close_code == 4401
        server = table.page._server
        assert server is not None
        assert server._roles.pages == []

    table.visit(visit)


def test_a_seat_keys_only_for_seats_without_a_phone(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "DUPLICATE_WITHIN_S", 60.0)  # however long the two phones take

    async def visit(session: aiohttp.ClientSession) -> None:
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        assert (await blue.keys("Red draw"))["counted"]
        red = await Phone.come(table, session, "red", seat("Red"))
        await blue.until(lambda: blue.role["taken"] == ["Blue", "Red"])
        await blue.until(lambda: blue.stands["moment"]["entries"] == 4)
        answer = await blue.keys("Red draw")
        assert answer["said"]["words"] == "Red keys that: this phone is Blue's"
        await red.until(lambda: red.stands["moment"]["entries"] == 4)
        asked = await red.keys("Red draw")
        assert (asked["counted"], asked["again"]) == (False, True)
        assert asked["said"]["words"] == "Again? Blue for Red: draws"
        assert (await red.keys("Red draw", again=True))["counted"]
        await red.leave()
        await blue.until(lambda: blue.role["taken"] == ["Blue"])
        await blue.until(lambda: blue.stands["moment"]["entries"] == 5)
        assert (await blue.keys("Red draw", again=True))["counted"]

    table.visit(visit)


def test_a_call_is_made_in_the_caller_s_own_name(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        red = await Phone.come(table, session, "red", seat("Red"))
        assert (await red.keys("Red draw"))["counted"]
        await red.until(lambda: red.stands["moment"]["entries"] == 4)
        await blue.until(lambda: blue.stands["moment"]["entries"] == 4)
        assert not (await red.keys("bogus Red by Blue"))["counted"]
        assert (await blue.keys("bogus Red by Blue"))["counted"]

    table.visit(visit)


def test_a_seat_waits_for_its_turn_and_calls_at_any_time(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        red = await Phone.come(table, session, "red", seat("Red"))
        waits = await blue.keys("Blue 6-4")
        assert waits["said"]["words"] == "Red is to move, not Blue"
        assert (await red.keys("Red draw"))["counted"]
        await blue.until(lambda: blue.stands["moment"]["entries"] == 4)
        assert (await blue.keys("bogus Red by Blue"))["counted"]

    table.visit(visit)


def test_if_anybody_may_key_seats_enter_for_others_but_call_only_for_themselves(
    tmp_path: Path,
) -> None:
    keep(tmp_path / "record.db", BEGUN)
    with Store.open(tmp_path / "record.db", GAMES) as store:
        store.keep(BOX, Setting("keypads", "anyone"))
    table = LiveTable(tmp_path / "record.db")

    async def visit(session: aiohttp.ClientSession) -> None:
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        red = await Phone.come(table, session, "red", seat("Red"))
        await blue.until(lambda: blue.role["taken"] == ["Blue", "Red"])
        assert (await blue.keys("Red draw"))["counted"]
        await blue.until(lambda: blue.stands["moment"]["entries"] == 4)
        assert blue.stands["moment"]["news"]["said"]["words"] == "Blue for Red: draws"
        await red.until(lambda: red.stands["moment"]["entries"] == 4)
        in_blues_name = await red.keys("bogus Red by Blue")
        assert in_blues_name["said"]["words"] == "Blue keys that: this phone is Red's"
        assert (await blue.keys("bogus Red by Blue"))["counted"]

    table.visit(visit)
    table.close()


def test_an_entry_for_another_seat_is_recorded_with_the_phone_s_seat(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", seat("Blue"))
        assert (await anna.keys("Red draw"))["counted"]

    table.visit(visit)
    with Reader.open(table.path, GAMES) as record:
        kept = list(record.rows(1))[-1]
    assert (kept.surface, kept.keyed_by) == ("phone-anna", "Blue")


def test_a_seat_is_taken_over_only_on_request(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        first = await Phone.come(table, session, "first", seat("Red"))
        second = await Phone.come(table, session, "second", None)
        await second.say(role=seat("Red"))
        await second.until(lambda: second.role.get("said") is not None)
        assert second.role["said"]["words"] == "Red already has a phone"
        assert (await first.keys("Red draw"))["counted"]
        await second.say(role=seat("Red", over=True))
        await first.until(lambda: first.role["name"] == "watcher")
        assert first.role["said"]["words"] == "Another phone is Red's now"
        assert not (await first.keys("Red draw"))["counted"]

    table.visit(visit)
