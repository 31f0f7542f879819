"""A phone that has taken a seat from another one can't answer for that seat yet: it agrees to no
ruling."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from companion.core.seats import Seat, Seats
from companion.core.values import Json
from companion.games.game import parse_entry
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Step
from companion.table.snapshot import Snapshot
from companion.web import roles
from companion.web.tv.picture import event_strip
from tests.catalog import GAMES
from tests.waiting import wait_until
from tests.web.live import KEEPER, LiveTable, Phone, keep, seat

CALLED = "hand\nRed 6-6\nBlue draw\nbogus Blue by Red"
CLEAR, RED = "rule Blue clear", Seat("Red")
ASLEEP = "Red's phone is not connected: wake it, or key that at the box, together"
NEW = "Red has just changed phones: key that at the box, together"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    keep(tmp_path / "record.db", CALLED, seats="Red Blue Dora")
    table = LiveTable(tmp_path / "record.db")
    yield table
    table.close()


def snapshot_of(text: str) -> Snapshot:
    """The table after these entries."""
    journal = Journal.begin(GameOpened("high-five", Seats.of("Red", "Blue", "Dora"), {}), GAMES)
    for line in text.splitlines():
        entry = parse_entry(line, journal.game, journal.opened.seats)
        journal = journal.fold(Step((entry,)))
    return Snapshot(1, journal.length, None, 1, b"", journal, {})


async def come(
    table: LiveTable, session: aiohttp.ClientSession, name: str, **more: object
) -> Phone:
    """A phone with a name of its own that takes the seat with that name."""
    return await Phone.come(table, session, name, seat(name.capitalize(), device=name, **more))


async def tab_of_red(table: LiveTable, session: aiohttp.ClientSession) -> Phone:
    """Another person's private tab that takes Red's seat."""
    return await Phone.come(table, session, "tab", seat("Red", device="tab", over=True))


async def take(phone: Phone, role: Json) -> None:
    phone.role = {}
    await phone.say(role=role)
    await phone.until(lambda: bool(phone.role))


async def number_asked(phone: Phone) -> int:
    await phone.until(lambda: phone.asked is not None)
    assert phone.asked is not None
    return int(phone.asked["number"])


def test_a_tab_that_takes_the_caller_s_seat_cannot_clear_the_accused(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        red, blue = await come(table, session, "red"), await come(table, session, "blue")
        assert (await blue.keys(CLEAR))["asked"]
        number = await number_asked(red)
        tab = await tab_of_red(table, session)
        assert not (await tab.keys("", agrees=number))["counted"]
        assert tab.asked is None, "it was asked before it came"
        await tab.say(decline=number)
        own = await tab.keys(CLEAR)
        assert (own["counted"], own.get("agree"), own["said"]["words"]) == (False, None, NEW)
        again = await blue.keys(CLEAR, agreed=True)
        assert (again["counted"], again.get("agree"), again["said"]["words"]) == (False, None, NEW)

    table.visit(visit)
    assert table.entries() == CALLED.split("\n")


def test_a_displaced_phone_is_notified_and_gets_its_role_back(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        red, blue = await come(table, session, "red"), await come(table, session, "blue")
        await blue.keys(CLEAR)
        number = await number_asked(red)
        tab = await tab_of_red(table, session)
        await red.until(lambda: red.role["name"] == "watcher")
        assert red.role["said"]["words"] == "Another phone is Red's now"
        await take(red, seat("Red", device="red", over=True))
        await tab.until(lambda: tab.role["name"] == "watcher")
        await red.until(lambda: red.asked is not None)
        assert (await red.keys("", agrees=number))["counted"]

    table.visit(visit)
    assert table.entries()[-1] == CLEAR


def test_everybody_sees_that_a_seat_was_taken(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        await come(table, session, "red")
        blue = await come(table, session, "blue")
        await tab_of_red(table, session)
        said = "A phone has just taken Red's seat"

        def told() -> bool:
            news = blue.stands["moment"]["news"]
            return news is not None and news["said"]["words"] == said

        await blue.until(told)
        assert blue.stands["moment"]["news"]["announced"]
        assert event_strip(blue.stands["moment"]) == ("", [said], "", "alarm"), "on the TV"
        await asyncio.to_thread(wait_until, lambda: table.table.box.console.message == said)
        assert (await blue.keys("Blue pips 12"))["counted"]
        await blue.until(lambda: blue.stands["moment"]["entries"] == 5 and not told())
        await asyncio.to_thread(wait_until, lambda: table.table.box.console.message is None)

    table.visit(visit)


def test_a_seat_whose_phone_sleeps_is_not_free(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        red, blue = await come(table, session, "red"), await come(table, session, "blue")
        await red.leave()
        await blue.until(lambda: blue.role["taken"] == ["Blue"])
        tab = await Phone.come(table, session, "tab", seat("Red", device="tab"))
        assert (await tab.keys(CLEAR))["said"]["words"] == NEW
        assert (await blue.keys(CLEAR, agreed=True))["said"]["words"] == NEW
        awake = await come(table, session, "red", over=True)
        assert (await awake.keys(CLEAR))["counted"], "the same phone"

    table.visit(visit)


def test_nobody_rules_alone_while_the_other_phone_sleeps(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        red, blue = await come(table, session, "red"), await come(table, session, "blue")
        await red.leave()
        await blue.until(lambda: blue.role["taken"] == ["Blue"])
        told = await blue.keys(CLEAR, agreed=True)
        assert (told["counted"], told.get("agree"), told["said"]["words"]) == (False, None, ASLEEP)
        awake = await come(table, session, "red")
        assert (await blue.keys(CLEAR, agreed=True))["asked"]
        number = await number_asked(awake)
        assert (await awake.keys("", agrees=number))["counted"]

    table.visit(visit)


def test_a_seat_outside_the_game_cannot_agree(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        blue = await come(table, session, "blue")
        tab = await Phone.come(table, session, "tab", seat("Zoe", device="tab"))
        assert (await blue.keys(CLEAR))["agree"], "there is no other player with a phone"
        assert tab.asked is None

    table.visit(visit)


def test_only_seats_of_the_game_are_announced() -> None:
    announced = list[Seat]()
    kept, stands = roles.Roles(announced.append), snapshot_of(CALLED)
    for number, name in enumerate(("Buy my tiles", "Buy my tiles", "Dora")):
        tab = kept.add_page(lambda: None, device=f"tab {number}")
        kept.take_role(tab, roles.Role.SEAT, Seat(name), over=True, snapshot=stands)
    assert announced == ["Dora"], "no other words come on the box's display"


def test_an_uninvolved_seat_may_agree_while_another_phone_is_new(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        await come(table, session, "red")
        blue = await come(table, session, "blue")
        dora = await come(table, session, "dora")
        await tab_of_red(table, session)
        told = await blue.keys(CLEAR)
        assert told["said"]["words"] == "Dora is asked to agree on another phone"
        number = await number_asked(dora)
        assert (await dora.keys("", agrees=number))["counted"]

    table.visit(visit)


def test_after_ten_minutes_the_phone_is_no_longer_new(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        await come(table, session, "red")
        blue = await come(table, session, "blue")
        tab = await tab_of_red(table, session)
        monkeypatch.setattr(roles, "NEW_AT_SEAT_S", 0.0)
        assert (await blue.keys(CLEAR))["asked"]
        number = await number_asked(tab)
        assert (await tab.keys("", agrees=number))["counted"]

    table.visit(visit)


def test_a_new_phone_at_a_seat_is_noticed_within_its_ten_minutes() -> None:
    now = [0.0]
    kept = roles.Roles(clock=lambda: now[0])

    def page(device: str) -> roles.PageRole:
        found = kept.add_page(lambda: None)
        found.device = device
        return found

    def takes(one: roles.PageRole) -> None:
        kept.take_role(one, roles.Role.SEAT, RED, over=True)

    red, tab = page("red"), page("tab")
    takes(red)
    takes(tab)
    takes(red)
    assert kept.may_answer_for(red, 0.0), "it comes back as what it was"
    now[0] = 601.0
    takes(tab)
    assert not kept.may_answer_for(tab, now[0]), "it had lost the seat: it is new again"
    now[0] = 1300.0
    assert kept.may_answer_for(tab, now[0])
    assert not kept.may_answer_for(tab, 600.0), "what was asked before it came"
    takes(red)
    assert kept.may_answer_for(red, now[0])


def test_many_tabs_cannot_hide_that_a_seat_was_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roles, "MOST_TENURES", 8)
    kept, stands = roles.Roles(), snapshot_of(CALLED)
    red = kept.add_page(lambda: None, device="red")
    kept.take_role(red, roles.Role.SEAT, RED, over=False, snapshot=stands)
    kept.remove_page(red, stands)
    for number in range(20):
        for name in ("Blue", f"Zoe {number}"):
            tab = kept.add_page(lambda: None, device=f"tab {number} {name}")
            kept.take_role(tab, roles.Role.SEAT, Seat(name), over=True, snapshot=stands)
            kept.remove_page(tab, stands)
    tab = kept.add_page(lambda: None, device="tab")
    kept.take_role(tab, roles.Role.SEAT, RED, over=False, snapshot=stands)
    assert kept.is_new(tab.tenure)


def test_a_tab_that_takes_the_accused_s_seat_shows_no_tiles(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        await come(table, session, "red")
        await come(table, session, "blue")
        tab = await Phone.come(table, session, "tab", seat("Blue", device="tab", over=True))
        told = await tab.keys("Blue holds 6-5")
        assert not told["counted"]
        assert told["said"]["key"] == "answer.new-at-seat"

    table.visit(visit)
    assert len(table.entries()) == 4


def test_one_phone_that_scores_for_all_still_asks_all(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        keeper = await Phone.come(table, session, "keeper", KEEPER)
        assert (await keeper.keys(CLEAR))["agree"]
        assert (await keeper.keys(CLEAR, agreed=True))["counted"]

    table.visit(visit)
