"""Players and evenings over all tables of a club: a person is one person at all tables, games that
are played beside each other are one evening, and a person hidden at a box appears nowhere."""

import re
from dataclasses import replace
from itertools import count as numbers_from
from pathlib import Path
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.club.hub.archive import ClubArchive
from companion.club.hub.database import Database
from companion.club.hub.members import Member, Members, boxes_shown
from companion.club.hub.people import ClubPeople
from companion.club.hub.tables import NEEDS_NEWER, Tables
from companion.core.seats import Seats
from companion.players import history
from companion.record.rows import GameOpened, PlayerHidden, PlayerRenamed, Redo, Row, Undo
from tests.club.hub.club_site import entries
from tests.club.hub.pushing import AT, Pusher, club, grown, settings

DAY_S = 86_400
WON = "hand lead {0}\n{0} 5-5\n{1} 5-6\nend"


def game(seats: str, number: int = 1) -> list[tuple[int, Row | str]]:
    """The rows of a short game of Five Up between these two."""
    text = WON.format(*seats.split())
    opened = GameOpened("five-up", Seats.of(*seats.split()), {})
    return [(number, opened), *entries(text, seats, "five-up", number)]


@pytest.fixture
def archive(database: Database) -> ClubArchive:
    """Two tables that play on one evening, one of them again a day later; Kim is hidden at the
    other."""
    store = club(database)
    kitchen, attic = Pusher.joined(store, "Kitchen"), Pusher.joined(store, "Attic")
    links = grown([], game("Anna Ben"))
    kitchen.push(grown(links, game("Anna Ben", 2), AT + DAY_S))
    said: list[tuple[int, Row | str]] = [
        (0, PlayerRenamed("Annna", "Anna")),
        (0, PlayerHidden("Kim")),
    ]
    attic.push(grown([], [*game("Annna Kim"), *said], AT + 60))
    return ClubArchive(database, store.club, CATALOG)


def test_a_person_counts_once_across_all_tables(archive: ClubArchive) -> None:
    page = archive.page("/evenings", {}) or ""
    assert counted_of(archive) == {"Anna": "3", "Ben": "2"}
    assert "Kim" not in page
    assert len(re.findall(r'<a href="/evenings/\d', page)) == 2
    assert '<a href="/">All tables</a>' in page


def test_an_evening_has_the_games_of_all_tables_and_names_each_table(archive: ClubArchive) -> None:
    overview = archive.page("/evenings", {}) or ""
    newest, oldest = re.findall(r'href="(/evenings/\d+)"', overview)
    page = archive.page(oldest, {}) or ""
    assert re.findall(r">(\w+, game \d)</a>", page) == ["Kitchen, game 1", "Attic, game 1"]
    assert len(re.findall(r'href="/games/[0-9a-f]{16}/1"', page)) == 2
    assert "Kim" not in page
    assert re.findall(r">(\w+, game \d)</a>", archive.page(newest, {}) or "") == ["Kitchen, game 2"]
    assert archive.page("/evenings/7", {}) is None
    assert archive.page("/evenings/game/1", {}) is None


def test_a_federation_s_evenings_are_shown_for_one_club(
    archive: ClubArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    def of_two_clubs(db: Any, club: str) -> list[Member]:
        found = boxes_shown(db, club)
        return [replace(one, of="Ship & Sun" if one.name == "Attic" else "") for one in found]

    page = archive.page("/evenings", {}) or ""
    assert "All clubs" not in page and "club=" not in page  # there is only one
    monkeypatch.setattr("companion.club.hub.archive.boxes_shown", of_two_clubs)
    page = archive.page("/evenings", {}) or ""
    assert re.findall(r'href="/evenings(?:\?club=[^"]*)?"[^>]*>([^<]+)</a>', page)[0] == "All clubs"
    assert '<a href="/evenings?club=Ship+%26+Sun">Ship &amp; Sun</a>' in page
    assert counted_of(archive) == {"Anna": "3", "Ben": "2"}
    chosen = {"club": "Ship & Sun"}
    page = archive.page("/evenings", chosen) or ""
    assert 'aria-current="true">Ship &amp; Sun</a>' in page
    (evening,) = re.findall(r'href="/evenings/(\d+)\?club=Ship\+%26\+Sun"', page)
    assert re.findall(r'href="/evenings/player\?([^"]+)"', page) == [
        "name=Anna&amp;club=Ship+%26+Sun"
    ]
    page = archive.page(f"/evenings/{evening}", chosen) or ""
    assert re.findall(r">(\w+, game \d)</a>", page) == ["Attic, game 1"]
    page = archive.page("/evenings/player", {"name": "Anna", **chosen}) or ""
    assert {*re.findall(r">(\w+, game \d)</a>", page)} == {"Attic, game 1"}
    page = archive.page("/evenings", {"club": "Nowhere"}) or ""
    assert "No game yet" in page and "Ship &amp; Sun</a>" in page


def test_a_player_s_page_links_to_the_games_at_their_tables(archive: ClubArchive) -> None:
    page = archive.page("/evenings/player", {"name": "Anna"}) or ""
    assert {"Kitchen, game 1", "Kitchen, game 2", "Attic, game 1"} <= {
        *re.findall(r">(\w+, game \d)</a>", page)
    }
    assert "/evenings/game/" not in page


def test_a_game_of_a_box_that_was_replaced_counts_once(database: Database) -> None:
    """The replacement gets the box's games back, and pushes them as its own. A box that only has a
    copy of another's games changes nothing."""
    store = club(database)
    before = Pusher.joined(store, "Kitchen")
    links = grown([], game("Anna Ben"))
    before.push(links)
    thief = Pusher.joined(store, "Kitchen")
    thief.push(grown(links, entries("hand lead Ben\nBen 6-6", "Anna Ben", "five-up", 1)))
    archive = ClubArchive(database, store.club, CATALOG)
    assert set(counted_of(archive).values()) == {"1"}
    after = Pusher(store)
    members = Members(database, store.club, store.clock)
    members.store_request(after.keys.public, "Cellar", "222222")
    members.accept("222222", before.box)
    after.push(grown(links, game("Anna Cleo", 2), AT + 60))
    assert counted_of(archive) == {"Anna": "2", "Ben": "1", "Cleo": "1"}
    members.leave(after.box)
    assert counted_of(archive) == {"Anna": "2", "Ben": "1", "Cleo": "1"}, "its results stay"


def counted_of(archive: ClubArchive) -> dict[str, str]:
    """How many games each player has."""
    page = archive.page("/evenings", {}) or ""
    return dict(re.findall(r'player\?name=(\w+)">\w+</a></th><td>(\d+)</td>', page))


def test_games_without_new_rows_are_not_counted_again(
    database: Database, archive: ClubArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive.page("/evenings", {})
    told = numbers_from()

    def counted(*_: object) -> None:
        next(told)

    monkeypatch.setattr("companion.club.hub.archive.count", counted)
    done: list[float] = []
    archive.page("/evenings", {}, done.append)
    assert next(told) == 0
    assert done == sorted(done)
    del database


def test_private_games_and_those_of_a_newer_program_are_left_out(database: Database) -> None:
    store = club(database)
    box = Pusher.joined(store)
    links = grown([], [*settings(1), *game("Anna Ben")])
    store.store_batch(box.batch(links, closed=True))
    archive = ClubArchive(database, store.club, CATALOG)
    assert "No game yet" in (archive.page("/evenings", {}) or "")
    newer = grown(links, [*game("Uma Vic", 2), (2, '{"v": 99, "kind": "step", "entries": []}')])
    box.push(newer[len(links) :])
    tables = Tables(database, store.club, CATALOG, store.clock)
    tables.refresh()
    assert tables.current()[0].fault == NEEDS_NEWER
    assert "Uma" not in (archive.page("/evenings", {}) or "")


def test_a_count_that_was_not_called_is_shown_once_another_game_has_begun(
    database: Database,
) -> None:
    store = club(database)
    kitchen = Pusher.joined(store, "Kitchen")
    opened = GameOpened("all-fives", Seats.of("Anna", "Ben"), {"called": "lost", "target": 100})
    told = "hand lead Anna\n" + "Anna points 35\n" * 2 + "Anna points 20\nAnna out\nBen pips 2"
    text = f"{told}\nhand\nAnna 5-5"
    links = grown([], [(1, opened), *entries(text, "Anna Ben", "all-fives", 1)])
    kitchen.push(links)
    archive = ClubArchive(database, store.club, CATALOG)
    tables = Tables(database, store.club, CATALOG, store.clock)
    number = (re.findall(r'href="(/evenings/\d+)"', archive.page("/evenings", {}) or ""))[0]
    assert "left unfinished" in (archive.page(number, {}) or "")
    kitchen.push(grown(links, [(2, replace(opened, after=1)), (2, Undo())]))
    assert not (tables.moment(kitchen.box, 1) or {})["winners"], "it is on the table again"
    links = grown(links, [(2, replace(opened, after=1)), (2, Undo()), (2, Redo())])
    kitchen.push(links)
    assert (tables.moment(kitchen.box, 1) or {})["winners"] == ["Anna"]
    assert "left unfinished" not in (archive.page(number, {}) or "").partition("game 2")[0]


def test_counting_continues_from_the_stored_counts_after_a_restart(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.club.hub.archive.MANY_ROWS", 1)
    store, figures = club(database), tmp_path / "club.figures"
    box = Pusher.joined(store)
    links = grown([], [*game("Anna Ben"), *game("Anna Cleo", 2)])
    box.push(links)
    many, real = [0], history.count

    def counted(*given: Any) -> Any:
        many[0] += 1
        return real(*given)

    def opened() -> ClubArchive:
        return ClubArchive(database, store.club, CATALOG, figures=figures)

    monkeypatch.setattr("companion.club.hub.archive.count", counted)
    before = opened().page("/evenings", {})
    assert many == [2]
    assert figures.stat().st_mode & 0o777 == 0o600
    assert opened().page("/evenings", {}) == before
    assert many == [2], "nothing was counted again"

    more = grown(links, game("Anna Dan", 3))[len(links) :]
    box.push(more)
    assert counted_of(opened()) == {"Anna": "3", "Ben": "1", "Cleo": "1", "Dan": "1"}
    # Game 2 was on the table and no longer is.
    assert many == [4], "the new game, and the one that was on the table"

    ClubPeople(store).add(PlayerHidden("Cleo"), "organiser")
    assert counted_of(opened()) == {"Anna": "3", "Ben": "1", "Dan": "1"}
    assert b"Cleo" not in figures.read_bytes(), "hidden names leave the file at once"
    figures.write_bytes(figures.read_bytes()[:-9])
    assert counted_of(opened()) == {"Anna": "3", "Ben": "1", "Dan": "1"}, "damaged: counted anew"


def test_a_small_club_stores_no_counts(database: Database, tmp_path: Path) -> None:
    store = club(database)
    Pusher.joined(store).push(grown([], game("Anna Ben")))
    archive = ClubArchive(database, store.club, CATALOG, figures=tmp_path / "club.figures")
    assert counted_of(archive) == {"Anna": "1", "Ben": "1"}
    assert not (tmp_path / "club.figures").exists()
