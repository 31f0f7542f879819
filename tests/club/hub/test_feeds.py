"""Messages to the hub's pages: only changes are sent, and a TV rotates between the tables."""

import json
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from companion.app.catalog import CATALOG
from companion.club.hub.database import Database
from companion.club.hub.live import (
    LONGEST_CLAIM_S,
    LONGEST_REST_S,
    Overview,
    OverviewFeed,
    TableBroadcasts,
    TvFeed,
)
from companion.club.hub.tables import GHOST_S, Tables
from companion.core.seats import Seats
from companion.core.values import Json
from companion.presentation.language import ENGLISH, language_of
from companion.record.rows import GameOpened
from companion.web.viewer import Viewer
from tests.club.hub.club_site import entries
from tests.club.hub.pushing import AT, Pusher, club, grown

LAYS = "hand\nAnna 6-6\nBen 6-3"
CALLED = "hand\nAnna 6-6\nBen draw\nbogus Ben by Anna"


class Evening:
    """A club whose tables play, and a clock that is set by hand."""

    def __init__(self, database: Database) -> None:
        self.now = AT
        self.store = club(database)
        self.store.clock = lambda: self.now
        self.hub: Any = SimpleNamespace(
            tables=Tables(database, self.store.club, CATALOG, self.store.clock),
            clock=self.store.clock,
            name="Friday Fives",
            round_left_s=lambda _: None,
            event_shown=lambda: None,
            announced=lambda: {},
        )
        self._links: dict[str, Any] = {}

    def table(self, name: str, text: str | None = None, names: str = "Anna Ben") -> Pusher:
        """Makes a table join, and play if there is a `text`."""
        box = Pusher.joined(self.store, name)
        self._links[box.box] = []
        if text is not None:
            self._links[box.box] = grown(
                [], [(1, GameOpened("high-five", Seats.of(*names.split()), {}))]
            )
            self.add_entries(box, text, names)
        self.refresh()
        return box

    def add_entries(self, box: Pusher, text: str, names: str = "Anna Ben") -> None:
        """Adds these entries at the box's table, and pushes them to the hub."""
        self._links[box.box] = grown(self._links[box.box], entries(text, names, "high-five", 1))
        box.push(self._links[box.box])
        self.refresh()

    def refresh(self) -> None:
        self.hub.tables.refresh()


@pytest.fixture
def evening(database: Database) -> Evening:
    return Evening(database)


def texts(feed: Any) -> list[Json]:
    return [json.loads(text) for text in feed.new_messages()]


def tv(evening: Evening) -> TvFeed:
    viewer = Viewer(MagicMock(), {"wants": ["wide", "proof"]})
    return TvFeed(TableBroadcasts(evening.hub, CATALOG, lambda _: "1"), viewer)


def shown(feed: TvFeed) -> str | None:
    """The name of the table whose moment came last; None if none came."""
    found = [one["table"]["name"] for one in texts(feed) if one.get("table")]
    return found[-1] if found else None


def test_a_tv_rotates_among_tables_with_a_game(evening: Evening) -> None:
    feed = tv(evening)
    (nothing,) = texts(feed)
    assert nothing["moment"]["game"] is None
    for name, text in (("Attic", LAYS), ("Bar", None), ("Cellar", LAYS)):
        evening.table(name, text)
    seen = []
    for _ in range(4):
        seen.append(shown(feed))
        feed.show_next()
    assert seen == ["Attic", "Cellar", "Attic", "Cellar"]


def test_a_tv_also_turns_to_the_board_of_the_current_event(evening: Evening) -> None:
    for name in ("Attic", "Cellar"):
        evening.table(name, LAYS)
    evening.hub.event_shown = lambda: 4
    feed, seen = tv(evening), list[object]()
    for _ in range(5):
        told = texts(feed)
        seen += [one["board"] for one in told if "board" in one]
        seen += [one["table"]["name"] for one in told if one.get("table")]
        feed.show_next()
    assert seen == ["Attic", "Cellar", 4, None, "Attic", "Cellar"]
    evening.hub.event_shown = lambda: None
    feed.show_next()
    assert {"board": None} in [{"board": one["board"]} for one in texts(feed) if "board" in one]


def test_a_tv_without_a_table_shows_the_board(evening: Evening) -> None:
    evening.hub.event_shown = lambda: 4
    assert [one["board"] for one in texts(tv(evening)) if "board" in one] == [4]


def test_every_tv_gets_an_event_s_calls_at_once_and_when_they_end(evening: Evening) -> None:
    evening.table("Attic", LAYS)
    feed, call = tv(evening), {"texts": ["Table 7 needs a player"], "round": 2, "left_s": 90}
    feed.refresh()
    assert not [one for one in texts(feed) if "announced" in one]
    for announced in (call, {**call, "left_s": 85}, {}):
        evening.hub.announced = lambda announced=announced: announced
        for _ in range(2):
            feed.refresh()
        assert [one["announced"] for one in texts(feed) if "announced" in one] == [announced]


def test_a_table_s_page_gets_its_round_s_remaining_time(evening: Evening) -> None:
    evening.table("Attic", LAYS)
    evening.hub.round_left_s = lambda _: 90
    feed = tv(evening)
    assert [one["left_s"] for one in texts(feed) if "left_s" in one] == [90]
    evening.hub.round_left_s = lambda _: None
    feed.refresh()
    feed.refresh()
    assert [one["left_s"] for one in texts(feed) if "left_s" in one] == [None]


def test_a_tv_stays_at_a_bogus_call_but_not_forever(evening: Evening) -> None:
    evening.table("Attic", CALLED)
    evening.table("Bar", LAYS)
    feed = tv(evening)
    assert shown(feed) == "Attic"
    feed.show_next()
    assert shown(feed) is None
    evening.now += LONGEST_CLAIM_S
    feed.show_next()
    assert shown(feed) == "Bar"


def test_a_tv_skips_tables_idle_for_an_hour_unless_all_are(evening: Evening) -> None:
    evening.table("Attic", LAYS)
    evening.now += LONGEST_REST_S + 1
    bar = evening.table("Bar", LAYS)
    feed = tv(evening)
    assert shown(feed) == "Bar"
    feed.show_next()
    assert shown(feed) is None
    evening.now += LONGEST_REST_S + 1
    feed.show_next()
    assert shown(feed) == "Attic"
    evening.add_entries(bar, "Anna 6-4")
    feed.show_next()
    assert shown(feed) == "Bar"


def test_programs_get_tables_in_parts_and_only_changes(evening: Evening) -> None:
    glances = Overview(evening.hub, lambda _: "1")
    attic, bar = evening.table("Attic", LAYS), evening.table("Bar")
    evening.table("Cellar", LAYS)
    glances.update()

    def ask(**query: str) -> Json:
        return glances.tables_json(query, ENGLISH)

    def named(told: Json) -> list[str]:
        return [one["name"] for one in told["tables"]]

    whole = ask()
    assert named(whole) == ["Attic", "Bar", "Cellar"] and whole["tables"][0]["moment"]
    assert named(ask(most="2")) == ["Attic", "Bar"]
    assert ask(most="2")["next"] == 3
    assert named(ask(most="2", **{"from": "3"})) == ["Cellar"]
    assert "next" not in ask(most="2", **{"from": "3"})
    glance = ask(glance="")["tables"][0]
    assert "moment" not in glance and glance["sides"][0]["players"]
    assert named(ask(since=whole["now"])) == []

    evening.add_entries(attic, "Anna 6-4")
    evening.now += 10
    evening.store.note_heard(evening.store.club, bar.box)
    evening.refresh()
    glances.update()
    new = ask(since=whole["now"])
    assert named(new) == ["Attic"]
    assert (new["heard"], new["gone"]) == ({bar.box: 0.0}, [])
    other_process = ask(since="00000000-1")
    assert len(other_process["tables"]) == 3 and "gone" not in other_process
    for bad in ("0", "x", "1" * 5000):
        with pytest.raises(ValueError):
            ask(most=bad)


def test_a_hundred_tables_of_four_take_at_most_60_kb(evening: Evening) -> None:
    """Before compression; in a language with longer words than English."""
    glances = Overview(evening.hub, lambda _: "1")
    for number in range(1, 101):
        names = [f"{name}_{number}" for name in ("Maximilian", "Alexandra", "Granny_Ann", "Jo")]
        text = f"hand\n{names[0]} 6-6\n{names[1]} 6-3"
        evening.table(f"Table {number}", text, " ".join(names))
    glances.update()
    for language in (ENGLISH, language_of("de")):
        text = glances.message(-1, language)
        assert len(json.loads(text)["tables"]) == 100
        assert len(text.encode()) <= 60_000, language.name


def test_a_box_without_a_game_is_hidden_after_a_silent_day(evening: Evening) -> None:
    glances = Overview(evening.hub, lambda _: "1")
    evening.table("Attic", LAYS)
    vm = evening.table("vm")
    evening.store.note_heard(evening.store.club, vm.box)

    def shown_after(seconds: float) -> list[str]:
        evening.now += seconds
        evening.refresh()
        glances.update()
        told = glances.tables_json({}, ENGLISH)
        return [one["name"] for one in told["tables"]]

    assert shown_after(GHOST_S - 1) == ["Attic", "vm"]
    before = glances.number
    assert shown_after(1) == ["Attic"]
    gone = glances.tables_json({"since": f"{glances.began}-{before}"}, ENGLISH)
    assert (gone["gone"], gone["tables"]) == ([vm.box], [])
    assert [one.name for one in evening.hub.tables.current()] == ["Attic", "vm"], (
        "organisers see it"
    )
    evening.store.note_heard(evening.store.club, vm.box)
    assert shown_after(0) == ["Attic", "vm"]


def test_the_page_of_all_tables_gets_only_changes(evening: Evening) -> None:
    glances = Overview(evening.hub, lambda _: "1")
    attic = evening.table("Attic", LAYS)
    bar = evening.table("Bar")
    glances.update()
    feed = OverviewFeed(glances)
    (first,) = texts(feed)
    assert [one["name"] for one in first["tables"]] == ["Attic", "Bar"]
    assert texts(feed) == []
    evening.add_entries(attic, "Anna 6-4")
    glances.update()
    (new,) = texts(feed)
    assert [one["name"] for one in new["tables"]] == ["Attic"]
    evening.now += 10
    evening.store.note_heard(evening.store.club, bar.box)
    evening.refresh()
    glances.update()
    (heard,) = texts(feed)
    assert (heard["tables"], heard["heard"]) == ([], {bar.box: 0.0})
    (anew,) = texts(OverviewFeed(glances))
    assert len(anew["tables"]) == 2
