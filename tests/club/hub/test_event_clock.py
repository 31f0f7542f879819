"""When a round's time is up, every table that is still playing is notified once."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.club.hub import event_round
from companion.club.hub.database import Committer, Database
from companion.club.hub.event_api import EventApi
from companion.club.hub.event_desk import EventDesk, StoredEvent
from companion.club.hub.tables import ClubTable
from companion.core.values import Json
from companion.events.entries import EventEntry
from tests.club.hub.pushing import AT, club
from tests.club.hub.test_event_desk import FIVES
from tests.events.playing import event_of
from tests.waiting import until


@dataclass
class SmallHub:
    """The parts of a hub that a clock needs; `now` is its own time."""

    store: Any
    now: float = AT
    looked: int = 0
    """How often the clock was looked at."""
    said: list[tuple[str, Json]] = field(default_factory=list)
    tables: Any = None
    greetings: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.committer = Committer()

    def clock(self) -> float:
        self.looked += 1
        return self.now

    async def refresh(self) -> None:
        """Does nothing: the tables are up to date."""

    async def send_if_connected(self, box: str, message: Json) -> bool:
        self.said.append((box, message))
        return True


def table(box: str, place: str, names: list[str], *, over: bool) -> ClubTable:
    """A table that plays for the event; `over`: its game is finished."""
    seats = [{"shown": name, "score": 0} for name in names]
    moment = {"seats": seats, "finished": over, "winners": []}
    return ClubTable(
        "club", box, box, "member", 1, 9, 1, moment, None, AT, AT, False, None, place
    )  # fmt: skip


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[SmallHub]:
    """A hub at which the clock of a first round runs for half an hour: somebody still plays at the
    first table, box “a”; the game at the second one, box “b”, is over."""
    database = Database.from_address(tmp_path / "hub.db")
    database.migrate()
    store = club(database)
    desk = EventDesk(store)
    desk.begin(FIVES, "Kim")
    desk.enter(1, 1, [EventEntry("came", one) for one in event_of(9)["players"]], "Kim")
    desk.enter(1, 10, desk.draw(1, 10), "Kim")
    kept = desk.enter(1, 11, [EventEntry("clock", {"round": 1, "minutes": 30})], "Kim")
    names = {one["id"]: one["name"] for one in kept.course.text["players"]}
    seated = [
        [names[one] for one in each["seats"]] for each in kept.course.text["rounds"][0]["tables"]
    ]
    tables = (table("a", "1.1.1", seated[0], over=False), table("b", "1.1.2", seated[1], over=True))
    found = SmallHub(store, tables=SimpleNamespace(own_tables=lambda: tables))
    yield found
    found.committer.close()
    database.close()


def test_time_up_is_sent_once_to_tables_still_playing(
    hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_round, "CLOCK_S", 0.01)

    async def watch() -> None:
        api: Any = EventApi(hub)  # type: ignore[arg-type]
        watching = asyncio.create_task(api.news.watch_clock())
        for now, expected in ((AT + 1799, 0), (AT + 1801, 1), (AT + 1802, 1), (AT + 5000, 1)):
            hub.now = now
            hub.looked = 0
            await until(lambda: hub.looked >= 2)
            assert len(hub.said) == expected, now
        watching.cancel()

    asyncio.run(watch())
    assert hub.said == [("a", {"line": "Time! Finish this hand."})]


def test_a_box_that_connects_gets_the_time_left(hub: SmallHub) -> None:
    news: Any = EventApi(hub).news  # type: ignore[arg-type]
    hub.now = AT + 600.04
    assert asyncio.run(news.greet("a")) == [{"clock": {"left_s": 1200.0}}]
    hub.now = AT + 1800.5
    assert asyncio.run(news.greet("a")) == [{"clock": {"left_s": 0.0}}]
    assert asyncio.run(news.greet("z")) == [], "a box of no table"


def results_of_round_1(kept: StoredEvent) -> list[EventEntry]:
    return [
        EventEntry("result", {"round": 1, "table": one["table"],
                              "points": [150, 40, 30, 20][: len(one["seats"])]})
        for one in kept.course.text["rounds"][0]["tables"]
    ]  # fmt: skip


def test_a_box_hears_from_a_restarted_hub_that_a_break_was_cancelled(hub: SmallHub) -> None:
    desk = EventDesk(hub.store)
    kept = desk.event(1)
    rest = EventEntry("break", {"round": 2, "minutes": 20})
    kept = desk.enter(1, kept.after, [*results_of_round_1(kept), rest], "Kim")
    kept = desk.enter(1, kept.after, [EventEntry("undo", {"entry": kept.after})], "Kim")
    news: Any = EventApi(hub).news  # type: ignore[arg-type]
    nothing: Json = {"texts": [], "round": None, "left_s": None}
    assert {"announced": nothing} in asyncio.run(news.greet("a"))


def test_boxes_get_calls_and_the_break_when_they_change(
    hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each box counts the break down by itself."""
    monkeypatch.setattr(event_round, "CLOCK_S", 0.01)
    desk = EventDesk(hub.store)
    kept = desk.event(1)
    call = EventEntry("announced", {"text": "Prizes at nine", "minutes": 1})
    rest = EventEntry("break", {"round": 2, "minutes": 2})
    desk.enter(1, kept.after, [*results_of_round_1(kept), call, rest], "Kim")
    begun = {"texts": ["Prizes at nine"], "round": 2, "left_s": 120}
    steps = [
        (AT, begun),
        (AT + 59, begun),
        (AT + 61, {"texts": [], "round": 2, "left_s": 59}),
        (AT + 121, {"texts": [], "round": 2, "left_s": 0}),
        (AT + 500, {"texts": [], "round": 2, "left_s": 0}),
    ]
    expected = [begun, steps[2][1], steps[3][1]]

    async def watch() -> None:
        news: Any = EventApi(hub).news  # type: ignore[arg-type]
        watching = asyncio.create_task(news.watch_clock())
        for now, newest in steps:
            hub.now = now
            hub.looked = 0
            await until(lambda: hub.looked >= 8)
            assert hub.said[-1][1] == {"announced": newest}, now
        watching.cancel()

    asyncio.run(watch())
    assert hub.said == [(box, {"announced": one}) for one in expected for box in "ab"]
