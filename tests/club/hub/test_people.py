"""People over all tables of a club: a person is one person everywhere, a hidden person appears
nowhere, and a forgotten name is in none of the hub's own rows."""

import re
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from companion.app.catalog import CATALOG
from companion.club.hub.archive import ClubArchive
from companion.club.hub.database import Database, rows
from companion.club.hub.event_desk import EventDesk
from companion.club.hub.folder import HubFolder
from companion.club.hub.organiser import forks_json
from companion.club.hub.people import ClubPeople, forget_person
from companion.club.hub.store import HubStore
from companion.club.hub.tables import Tables
from companion.club.hub.verify import verify
from companion.commands.cli import main
from companion.core.errors import EntryError
from companion.core.seats import Seats
from companion.events.entries import EventEntry
from companion.record.rows import PeopleReplaced, PlayerHidden, PlayerRenamed
from tests.club.hub.pushing import AT, Pusher, club, grown
from tests.club.hub.test_archive import counted_of, game
from tests.players.evening_kept import Clock

DAY_S = 86_400
NAMED = ((1, "Anna"), (2, "Uncle Joe"), (3, "Ben"))


def shown_at(tables: Tables) -> set[str]:
    """The names shown at the tables now."""
    tables.refresh()
    return {seat["shown"] for one in tables.current() if one.moment for seat in one.moment["seats"]}


def players(store: HubStore) -> dict[str, str]:
    page = ClubArchive(store.database, store.club, CATALOG).page("/evenings", {}) or ""
    return dict(re.findall(r'player\?name=(\w+)">[\w ]+</a></th><td>(\d+)</td>', page))


def test_a_hidden_name_matches_any_unicode_form(database: Database) -> None:
    store = club(database)
    Pusher.joined(store).push(grown([], game("Jos\u00e9 Ben")))
    tables = Tables(database, store.club, CATALOG, store.clock)
    ClubPeople(store).add(PlayerHidden("Jose\u0301"), "organiser")
    assert shown_at(tables) == {"Red", "Ben"}


def test_two_spellings_are_one_person_and_a_hidden_person_appears_nowhere(
    database: Database,
) -> None:
    store = club(database)
    kitchen, attic = Pusher.joined(store, "Kitchen"), Pusher.joined(store, "Attic")
    kitchen.push(grown([], game("Uncle_Joe Ben")))
    attic.push(grown([], game("Joe Kim"), AT + DAY_S))
    tables, people = Tables(database, store.club, CATALOG, store.clock), ClubPeople(store)
    assert shown_at(tables) == {"Uncle Joe", "Ben", "Joe", "Kim"}
    people.add(PlayerRenamed("Joe", "Uncle_Joe"), "organiser")
    assert shown_at(tables) == {"Uncle Joe", "Ben", "Kim"}
    assert players(store) == {"Uncle_Joe": "2", "Ben": "1", "Kim": "1"}
    people.add(PlayerHidden("Kim"), "organiser")
    assert shown_at(tables) == {"Uncle Joe", "Ben", "Blue"}
    assert players(store) == {"Uncle_Joe": "2", "Ben": "1"}
    assert people.take_back("organiser") == PlayerHidden("Kim")
    assert people.changes() == [PlayerRenamed("Joe", "Uncle_Joe")]
    assert shown_at(tables) == {"Uncle Joe", "Ben", "Kim"}
    people.take_back("organiser")
    assert shown_at(tables) == {"Uncle Joe", "Ben", "Joe", "Kim"}
    with pytest.raises(EntryError, match="to undo"):
        people.take_back("organiser")
    with pytest.raises(EntryError, match="a colour is not a player"):
        people.add(PlayerRenamed("Joe", "Red"), "organiser")
    report = verify(database)
    assert report["well"]
    assert [one["rows"] for one in report["chains"] if one["box"] == store.club] == [4]


def test_old_games_have_no_names_on_any_page(database: Database) -> None:
    store, clock = club(database), Clock(AT)
    kitchen, attic = Pusher.joined(store, "Kitchen"), Pusher.joined(store, "Attic")
    old = grown([], game("Anna Ben"), AT - 400 * DAY_S)
    kitchen.push(grown(old, game("Anna Kim", 2)))
    attic.push(grown([], game("Ben Zoe"), AT - 400 * DAY_S))
    attic.push(grown([], game("Ben Eve"), None))  # its clock was not set
    for_ever = Tables(database, store.club, CATALOG, clock)
    tables = Tables(database, store.club, CATALOG, clock, 12)
    assert shown_at(tables) == {"Anna", "Kim", "Ben", "Eve"}
    since = tables.names_since()
    assert since == datetime(2025, 9, 1).astimezone().timestamp()
    for found, ben in ((tables, "Blue"), (for_ever, "Ben")):
        seats = [[*one.opened.seats] for one in found.games(kitchen.box)]
        assert [one[1] for one in seats] == ["Kim", ben]
        folded = found.game(kitchen.box, 1)
        assert folded and folded.journal and folded.listed
        assert [*folded.journal.opened.seats] == [*folded.listed.opened.seats] == seats[1]
    (forked,) = forks_json(database, store.club, CATALOG, since)
    seats_of = [one["games"][0]["seats"] for one in forked["courses"]]
    assert seats_of == ["Red, Blue", "Ben, Eve"]
    assert "Zoe" not in str(forked)

    archive = ClubArchive(database, store.club, CATALOG, 12, clock)
    assert counted_of(archive) == {"Anna": "1", "Kim": "1", "Ben": "1", "Eve": "1"}
    clock.now = datetime(2027, 9, 30).astimezone().timestamp()
    assert shown_at(tables) == {"Anna", "Kim", "Ben", "Eve"}
    clock.now += DAY_S
    assert shown_at(tables) == {"Red", "Blue", "Ben", "Eve"}
    assert counted_of(archive) == {"Ben": "1", "Eve": "1"}
    assert shown_at(for_ever) == {"Anna", "Kim", "Ben", "Eve"}


def test_the_hub_remembers_how_long_it_shows_names(tmp_path: Path) -> None:
    HubFolder.open(tmp_path, make=True, keep_names_months=12)
    assert HubFolder.open(tmp_path).keep_names_months == 12
    HubFolder.open(tmp_path, keep_names_months=0)
    assert HubFolder.open(tmp_path).keep_names_months == 0
    assert "keep_names" not in (tmp_path / "hub.json").read_text()


def test_a_forgotten_name_is_removed_and_boxes_that_have_it_are_listed(database: Database) -> None:
    store = club(database)
    kitchen, attic = Pusher.joined(store, "Kitchen"), Pusher.joined(store, "Attic")
    kitchen.push(grown([], game("Uncle_Joe Ben")))
    attic.push(grown([], game("Anna Kim")))
    desk, people = EventDesk(store), ClubPeople(store)
    began = desk.begin({"name": "Cup", "format": "tables"}, "organiser")
    came = [EventEntry("came", {"id": f"p{at}", "name": name}) for at, name in NAMED]
    desk.enter(began.number, 1, came, "judge")
    people.add(PlayerRenamed("Joe", "Uncle_Joe"), "organiser")
    people.add(PlayerHidden("Kim"), "organiser")
    found = forget_person(store, "Uncle_Joe")
    assert (found.rows, found.replacement, found.boxes) == (2, "Player_1", ("Kitchen",))
    with database.reading() as db:
        own = select(rows.c.row).where(rows.c.box == store.club).order_by(rows.c.seq)
        texts = db.execute(own).scalars().all()
    assert "Joe" not in str(texts)
    assert '"kind": "forgotten"' in texts[0]
    kept = desk.event(began.number)
    assert [one["name"] for one in kept.course.text["players"]] == ["Anna", "Player 1", "Ben"]
    assert kept.after == 4
    assert people.changes() == [PlayerHidden("Kim")]
    assert verify(database)["well"]
    # Later entries follow on. A name that is in no row counts as forgotten already.
    desk.enter(began.number, 4, [EventEntry("came", {"id": "p9", "name": "Eve"})], "judge")
    assert forget_person(store, "Uncle_Joe").rows == 0
    assert verify(database)["well"]


@pytest.mark.parametrize("typed", ["Jos\u00e9", "Jose\u0301"])
def test_a_name_with_marks_is_forgotten_and_boxes_that_have_it_are_listed(
    database: Database, typed: str
) -> None:
    store = club(database)
    given = PeopleReplaced(Seats.of("Jose\u0301", "Kim"))
    Pusher.joined(store, "Kitchen").push(grown([], game("Jos\u00e9 Ben")))
    Pusher.joined(store, "Attic").push(grown([], [*game("Eve Kim"), (1, given)]))
    Pusher.joined(store, "Cellar").push(grown([], game("Jo Kim")))
    desk = EventDesk(store)
    began = desk.begin({"name": "Cup", "format": "tables"}, "organiser")
    desk.enter(began.number, 1, [EventEntry("came", {"id": "j", "name": "Jos\u00e9"})], "judge")
    found = forget_person(store, typed)
    assert (found.rows, found.boxes) == (1, ("Attic", "Kitchen"))
    assert desk.event(began.number).course.text["players"][0]["name"] == "Player 1"


def test_people_are_changed_with_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = HubFolder.open(tmp_path / "club", make=True)
    data = ("--data", str(folder.path))
    assert main(["hub", "rename", "Joe", "Uncle Joe", *data]) == 0
    assert capsys.readouterr().out == "Joe counts as Uncle Joe.\n"
    assert main(["hub", "hide", "Kim", *data]) == 0
    assert capsys.readouterr().out == "Joe counts as Uncle Joe.\nKim is not shown.\n"
    assert main(["hub", "forget", "Uncle Joe", *data]) == 0
    assert "1 row of the hub's own had that name" in capsys.readouterr().out
    assert main(["hub", "take-back", *data]) == 0
    assert capsys.readouterr().out == "Every name counts as it stands.\n"
    assert main(["hub", "take-back", *data]) == 1
    assert "no change of people" in capsys.readouterr().err
    assert main(["hub", "verify", *data]) == 0
