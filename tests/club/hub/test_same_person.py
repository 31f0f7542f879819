"""At a federation's hub people of the same name in two clubs are different people, until both
clubs' organisers join them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import insert

from companion.app.catalog import CATALOG
from companion.club.hub.archive import ClubArchive
from companion.club.hub.database import Database, clubs
from companion.club.hub.folder import HubFolder
from companion.club.hub.people import PersonNames, SamePerson
from companion.commands.cli import main
from companion.players.pages.document import ROOT
from companion.record.people.people import People
from tests.club.hub.club_site import ClubSite
from tests.starting import HubProcess, running_hub
from tests.waiting import wait_until

WON = "hand lead Anna\n" + "Anna points 35\n" * 4 + "Anna points 10"


@dataclass
class League:
    """A federation of two clubs, each with a table at which an Anna has won against a Ben."""

    hub: HubProcess
    one: ClubSite
    other: ClubSite

    def names(self) -> set[str]:
        """The players on the federation's page, under the names that people read."""
        folder = HubFolder.open(self.hub.data)
        database = folder.open_database()
        try:
            page = ClubArchive(database, folder.keys.identity, CATALOG).page(ROOT, {})
        finally:
            database.close()
        assert page is not None
        return set(re.findall(r'href="/evenings/player\?[^"]*">([^<]+)</a>', page))

    def say(self, club: ClubSite, *words: str) -> None:
        """Runs a club organiser's command about people."""
        assert main(["hub", *words, "--data", str(club.hub.data)]) == 0

    def until_named(self, seen: Callable[[set[str]], bool]) -> None:
        """Waits until the federation's page has what `seen` looks for."""
        wait_until(lambda: seen(self.names()))


@pytest.fixture
def league(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[League]:
    with (
        running_hub(tmp_path / "league", "--name", "The League") as hub,
        running_hub(tmp_path / "one" / "club", "--name", "Friday Fives") as first,
        running_hub(tmp_path / "two" / "club", "--name", "Ship Inn") as second,
    ):
        sites = [ClubSite(first, tmp_path / "one"), ClubSite(second, tmp_path / "two")]
        for site in sites:
            site.join("Kitchen")
            site.play("Kitchen", WON, "Anna Ben")
            capsys.readouterr()
            data = str(site.hub.data)
            assert main(["hub", "federate", hub.address, "--data", data]) == 0
            digits = capsys.readouterr().out.strip()
            assert main(["hub", "accept", digits, "--club", "--data", str(hub.data)]) == 0
        yield League(hub, *sites)


ANNAS = {"Anna (Friday Fives)", "Anna (Ship Inn)"}


def test_people_of_two_clubs_are_joined_only_if_both_agree(league: League) -> None:
    league.until_named(lambda found: found >= ANNAS)
    assert league.names() == ANNAS | {"Ben (Friday Fives)", "Ben (Ship Inn)"}
    # One club says so: nothing is joined.
    league.say(league.one, "same-person", "Anna", "Ship Inn", "Anna")
    # The other one says it of somebody else, and then of her.
    league.say(league.other, "same-person", "Ben", "Friday Fives", "Anna")
    league.say(league.other, "rename", "Ben", "Benno")
    league.until_named(lambda found: "Benno (Ship Inn)" in found)
    assert league.names() == ANNAS | {"Ben (Friday Fives)", "Benno (Ship Inn)"}
    league.say(league.other, "same-person", "Anna", "Friday Fives", "Anna")
    league.until_named(lambda found: len(found & ANNAS) == 1)
    # Either of them takes it back.
    league.say(league.one, "same-person", "Anna", "Ship Inn", "Anna", "--take-back")
    league.until_named(lambda found: found >= ANNAS)


def test_a_club_can_hide_only_its_own_people(league: League) -> None:
    league.until_named(lambda found: found >= ANNAS)
    for club, other in ((league.one, "Ship Inn"), (league.other, "Friday Fives")):
        league.say(club, "same-person", "Anna", other, "Anna")
    league.until_named(lambda found: len(found & ANNAS) == 1)
    league.say(league.other, "hide", "Anna")
    league.until_named(lambda found: found & ANNAS == {"Anna (Friday Fives)"})
    assert "Ben (Ship Inn)" in league.names()


AB, AC, BC = ("a", "b"), ("a", "c"), ("b", "c")


@pytest.mark.parametrize("pairs", [(AB, AC), (AC, BC), (AB, BC), (AB, AC, BC)])
def test_a_person_in_three_clubs_is_one_person(
    database: Database, monkeypatch: pytest.MonkeyPatch, pairs: tuple[tuple[str, str], ...]
) -> None:
    said: dict[str, set[SamePerson]] = {club: set() for club in "oabc"}
    for one, other in pairs:
        said[one].add(SamePerson("Anna", other.upper(), "Anna"))
        said[other].add(SamePerson("Anna", one, "Anna"))
    monkeypatch.setattr(
        "companion.club.hub.people.same_people_of_club", lambda _db, club: said[club]
    )
    with database.writing() as db:
        for club in "oabc":
            db.execute(insert(clubs).values(club=club, key=club.encode(), name=club.upper()))
        names = PersonNames(db, "o", "abc")
        people = names.joined_across_clubs(db, People())
    assert len({people.name_of(names.person_name_in(club)("Anna")) for club in "abc"}) == 1
    assert len({people.name_of(names.person_name_in(club)("Ben")) for club in "oabc"}) == 4


@pytest.mark.parametrize("wrong", [("Anna", "", "Anna"), ("Red", "Ship Inn", "Anna")])
def test_an_unknown_person_of_a_club_is_refused(
    tmp_path: Path, wrong: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with running_hub(tmp_path / "club", "--name", "Friday Fives") as hub:
        assert main(["hub", "same-person", *wrong, "--data", str(hub.data)]) != 0
        assert "name" in capsys.readouterr().err
