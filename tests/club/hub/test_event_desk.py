"""The club's events: entries among the hub's own rows, on both databases."""

import json
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from sqlalchemy import select

from companion.app.catalog import CATALOG
from companion.club.hub.chains import find_forks
from companion.club.hub.database import Database, rows
from companion.club.hub.event_desk import ChangedError, EventDesk, StoredEvent
from companion.club.hub.members import Members
from companion.club.hub.people import forget_person
from companion.club.hub.season import Seasons
from companion.club.hub.tables import Tables
from companion.club.hub.verify import verify
from companion.core.values import Json
from companion.events.entries import EventEntry
from companion.events.event import EventError
from companion.events.pairing import draw_round
from companion.events.reading import read_event, read_people
from companion.events.standings import standings
from companion.record.people.people import People
from tests.club.hub.pushing import AT, Pusher, club, grown, settings
from tests.events.playing import event_of, played

FIVES: Json = {"name": "Friday fives", "format": "tables", "seed": "2026-11-23"}


def with_people(desk: EventDesk, many: int = 9) -> StoredEvent:
    """An event to which `many` people have come."""
    begun = desk.begin(FIVES, "Kim")
    came = [EventEntry("came", one) for one in event_of(many)["players"]]
    return desk.enter(begun.number, 1, came, "Kim")


def results(kept: StoredEvent, luck: Random) -> list[EventEntry]:
    """A result for every table of the newest round."""
    newest = kept.course.round
    assert newest is not None
    number = len(kept.course.text["rounds"])
    return [
        EventEntry("result", {"round": number, "table": one["table"], "points": one["points"]})
        for one in played(newest, luck)["tables"]
    ]


def test_an_evening_is_stored_completely_entry_by_entry(database: Database) -> None:
    store = club(database)
    desk, luck = EventDesk(store), Random(1)
    kept = with_people(desk)
    for number in (1, 2, 3):
        kept = desk.enter(kept.number, kept.after, desk.draw(kept.number, kept.after), "Kim")
        kept = desk.enter(kept.number, kept.after, results(kept, luck), "the tables")
        assert len(kept.course.text["rounds"]) == number
    again = EventDesk(club(database, store.keys)).event(kept.number)  # a hub that starts anew
    assert again.course.text == kept.course.text
    assert again.entered[0] == (AT, "Kim")
    assert again.entered[-1] == (AT, "the tables")
    report = verify(database)
    assert report["well"]
    assert report["boxes"] == 0
    assert report["rows"] == kept.after


def test_events_are_listed_the_newest_first(database: Database) -> None:
    desk = EventDesk(club(database))
    with_people(desk)
    assert desk.begin({**FIVES, "name": ""}, "Kim").number == 2
    assert [(one.number, one.name) for one in desk.events()] == [
        (2, "Event 2"),
        (1, "Friday fives"),
    ]


def test_a_season_saved_with_a_byte_order_mark_is_stored(database: Database) -> None:
    store = club(database)
    with_people(EventDesk(store))
    season = {"season": 1, "name": "Spring", "divisions": [{"name": "All", "events": [1]}]}
    seasons = Seasons(store, lambda _: People())
    seasons.keep(f"\ufeff{json.dumps(season)}")
    assert seasons.texts() == [season]


def test_only_one_of_two_simultaneous_entries_is_stored(database: Database) -> None:
    store = club(database)
    kept = with_people(EventDesk(store))
    desks = [EventDesk(store), EventDesk(club(database, store.keys))]

    drawn = desks[0].draw(kept.number, kept.after)

    def draw(desk: EventDesk) -> bool:
        try:
            desk.enter(kept.number, kept.after, drawn, "somebody")
        except ChangedError:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(draw, desks)) == [False, True]
    stands = desks[0].event(kept.number)
    assert stands.after == kept.after + 1
    assert len(stands.course.text["rounds"]) == 1
    assert verify(database)["well"]


def test_each_round_can_be_drawn_again_from_its_input(database: Database) -> None:
    """Each round is drawn as an auditor would, whatever was entered since: people who left, wishes,
    corrections, undos."""
    desk, luck = EventDesk(club(database)), Random(1)
    kept = with_people(desk)
    wish = EventEntry("wish", {"apart": [one["id"] for one in kept.course.text["players"][:2]]})
    kept = desk.enter(kept.number, kept.after, [wish], "Kim")
    for number in (1, 2, 3):
        kept = desk.enter(kept.number, kept.after, desk.draw(kept.number, kept.after), "Kim")
        if number == 2:  # drawn once more, without one who has left
            kept = desk.enter(kept.number, kept.after, [EventEntry("undo", {"entry": kept.after}),
                              EventEntry("left", {"id": "p3"})], "Kim")  # fmt: skip
            kept = desk.enter(kept.number, kept.after, desk.draw(kept.number, kept.after), "Kim")
        entered = results(kept, luck)
        kept = desk.enter(kept.number, kept.after, entered, "Kim")
        fields = {**entered[0].fields, "points": entered[0].fields["points"][::-1]}
        corrected = EventEntry("corrected", {**fields, "by": "Kim", "why": "mixed up"})
        kept = desk.enter(kept.number, kept.after, [corrected], "Kim")
    for number, each in enumerate(kept.course.text["rounds"], start=1):
        again = draw_round(read_event(kept.export_text(number))).as_json
        seats = [(one["table"], one["seats"]) for one in each["tables"]]
        assert [(one["table"], one["seats"]) for one in again["tables"]] == seats
        assert (again["round"], again["bye"]) == (number, each["bye"])
    assert json.loads(kept.export_text()) == kept.course.text
    with pytest.raises(EventError, match="round 4 has not been drawn yet"):
        kept.export_text(4)


def test_nothing_of_a_partly_invalid_batch_is_stored(database: Database) -> None:
    desk = EventDesk(club(database))
    kept = with_people(desk)
    wrong = [
        EventEntry("came", {"id": "late", "name": "Zoe"}),
        EventEntry("left", {"id": "nobody"}),
    ]
    with pytest.raises(EventError, match="nobody"):
        desk.enter(kept.number, kept.after, wrong, "Kim")
    assert desk.event(kept.number).course.text == kept.course.text
    with pytest.raises(EventError, match="no event 7"):
        desk.event(7)
    with pytest.raises(EventError, match="format"):
        desk.begin({"name": "x"}, "Kim")
    with pytest.raises(EventError, match="nothing"):
        desk.enter(kept.number, kept.after, [], "Kim")


def test_the_hub_is_not_listed_among_its_boxes(database: Database) -> None:
    store = club(database)
    box = Pusher.joined(store)
    box.push(grown([], settings(3)))
    with_people(EventDesk(store))
    members = Members(database, store.club, store.clock)
    assert [one.name for one in members.all()] == ["Kitchen"]
    tables = Tables(database, store.club, CATALOG, store.clock)
    tables.refresh()
    assert [one.name for one in tables.current()] == ["Kitchen"]
    with database.reading() as db:
        assert not find_forks(db, store.club)


def test_verify_reports_a_changed_entry(database: Database) -> None:
    store = club(database)
    kept = with_people(EventDesk(store))
    with database.writing() as db:
        changed = json.dumps({"came": {"id": "p9", "name": "Somebody else"}})
        db.execute(rows.update().where(rows.c.seq == kept.after).values(row=changed))
    (report,) = verify(database)["chains"]
    assert report["faults"] == ["row 10 was changed after it was pushed"]


def test_the_last_clock_set_for_the_newest_round_counts(database: Database) -> None:
    desk, luck = EventDesk(club(database)), Random(1)
    kept = with_people(desk)
    with pytest.raises(EventError, match="newest round"):
        desk.enter(1, kept.after, [EventEntry("clock", {"round": 1, "minutes": 30})], "Kim")
    kept = desk.enter(1, kept.after, desk.draw(1, kept.after), "Kim")
    assert kept.time_up_at is None
    for minutes in (30, 20):
        clock = EventEntry("clock", {"round": 1, "minutes": minutes})
        kept = desk.enter(1, kept.after, [clock], "Kim")
        assert kept.time_up_at == AT + 60 * minutes
    kept = desk.enter(1, kept.after, [EventEntry("undo", {"entry": kept.after})], "Kim")
    assert kept.time_up_at == AT + 1800
    kept = desk.enter(1, kept.after, results(kept, luck), "Kim")
    kept = desk.enter(1, kept.after, desk.draw(1, kept.after), "Kim")
    assert kept.time_up_at is None
    for wrong in (0, 601, "x", None):
        with pytest.raises(EventError, match="minutes"):
            fields = {"round": 2, "minutes": wrong}
            desk.enter(1, kept.after, [EventEntry("clock", fields)], "Kim")


def test_results_cannot_be_changed_after_the_time_for_corrections(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = club(database)
    now = [AT]
    monkeypatch.setattr(store, "clock", lambda: now[0])
    desk = EventDesk(store)
    desk.begin({**FIVES, "period": 10}, "Kim")
    kept = desk.enter(1, 1, [EventEntry("came", one) for one in event_of(9)["players"]], "Kim")
    kept = desk.enter(1, kept.after, desk.draw(1, kept.after), "Kim")
    kept = desk.enter(1, kept.after, results(kept, Random(1)), "the tables")
    assert kept.final_at(1) == AT + 600
    fields = {"round": 1, "table": 1, "points": [5, 0, 150], "by": "Kim", "why": "a wrong count"}
    now[0] = AT + 590
    kept = desk.enter(1, kept.after, [EventEntry("corrected", fields)], "judge")
    now[0] = AT + 601
    for entry in (
        EventEntry("corrected", fields),
        EventEntry("undo", {"entry": kept.after}),
        EventEntry("undo", {"entry": kept.after - 1}),
    ):
        with pytest.raises(EventError, match="results of round 1 became final"):
            desk.enter(1, kept.after, [entry], "judge")
    again = EventEntry("reopened", {"round": 1, "why": "a slip was found"})
    kept = desk.enter(1, kept.after, [again], "Kim")
    kept = desk.enter(1, kept.after, [EventEntry("corrected", fields)], "judge")
    assert kept.final_at(1) == AT + 601 + 600


def test_a_forgotten_person_s_id_and_misspellings_are_removed_too(database: Database) -> None:
    store = club(database)
    desk = EventDesk(store)
    desk.begin(FIVES, "Kim")
    people = [EventEntry("came", one) for one in read_people("Wilhelmin\nBo\nCy\nDi", ())]
    kept = desk.enter(1, 1, people, "Kim")
    named = EventEntry("named", {"id": "wilhelmin", "name": "Wilhelmina"})
    kept = desk.enter(1, kept.after, [named], "Kim")
    kept = desk.enter(1, kept.after, desk.draw(1, kept.after), "Kim")
    kept = desk.enter(1, kept.after, results(kept, Random(1)), "the tables")
    before = [row.points for row in standings(kept.course.event())]
    assert forget_person(store, "Wilhelmina").rows
    again = EventDesk(store).event(1)
    assert "ilhelmin" not in json.dumps(again.course.text)
    assert [row.points for row in standings(again.course.event())] == before
    with database.reading() as db:
        assert not any("ilhelmin" in one for one in db.execute(select(rows.c.row)).scalars())


def test_a_name_is_one_person_in_composed_and_decomposed_unicode(database: Database) -> None:
    desk = EventDesk(club(database))
    begun = desk.begin(FIVES, "Kim")
    jose, in_parts = "José", "Jose\u0301"
    listed = EventEntry("listed", {"id": "jose", "name": in_parts})
    kept = desk.enter(begun.number, 1, [listed], "Kim")
    assert kept.course.text["players"][0]["name"] == jose
    kept = desk.enter(kept.number, kept.after, [EventEntry("came", {**listed.fields})], "a phone")
    assert kept.course.text["out"] == []
    with pytest.raises(EventError, match="has already checked in"):
        desk.enter(
            kept.number, kept.after, [EventEntry("came", {"id": "j2", "name": in_parts})], "Kim"
        )
    with pytest.raises(EventError, match="has already checked in"):
        read = [EventEntry("came", one) for one in read_people(f"{jose}\n{in_parts}", ["jose"])]
        desk.enter(kept.number, kept.after, read, "Kim")
