"""If two players' names look the same, the box and phones ask whether they are one person."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from companion.app.catalog import CATALOG
from companion.core.seats import Seats
from companion.core.words import find_lookalikes
from companion.presentation.moment import Moment
from companion.presentation.preview import preview
from companion.record.requests import RequestContext, RequestKind, RowRequest, row_for
from companion.record.rows import PeopleReplaced
from tests.catalog import GAMES
from tests.console.rig import Rig

ALIKE = [("Anna", "anna"), ("José", "JOSE\u0301"), ("Ann", "An\u200cn")]


def at_table(one: str, other: str) -> Rig:
    """The box's set-up with both names chosen from those used before."""
    rig = Rig()
    rig.view = replace(rig.view, names=(one, other, "Bo"))
    return rig.press("1 2 2 2 2")


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_the_box_asks_about_similar_names_and_ok_keeps_two_people(one: str, other: str) -> None:
    rig = at_table(one, other).press("OK")
    assert (rig.name(), rig.rows) == ("Choices", [])
    assert "Two people: begin" in rig.frame.words
    assert rig.press("OK").view.game.opened.seats.order == (one, other)


def test_answering_one_person_reopens_the_list_of_names() -> None:
    rig = at_table("Anna", "anna").press("OK 2")
    assert rig.name() == "NameSeat"
    assert rig.press("3 OK").view.game.opened.seats.order == ("Anna", "Bo")


def test_names_that_differ_enough_cause_no_question() -> None:
    assert at_table("Anna", "Hanna").press("OK").view.journal is not None
    assert find_lookalikes(("Anna", "Hanna", "Ana")) is None


def lines(rig: Rig, kind: RequestKind, text: str) -> list[str]:
    journal = rig.view.journal
    row = row_for(RowRequest(kind, text), RequestContext(journal, 1, GAMES))
    told = preview(Moment(CATALOG, journal, 1, 1, {}), row)
    return [line["words"] for line in told["lines"]]


@pytest.fixture
def rig() -> Iterator[Rig]:
    yield at_table("Anna", "Bo").press("OK")


ASKS = "{} and {}: are they one person? OK if they are two"


@pytest.mark.parametrize(
    ("kind", "text", "asked"),
    [
        (RequestKind.OPEN, "game high-five\nseats Anna anna", ("Anna", "anna")),
        (RequestKind.PEOPLE, "Anna ANNA", ("Anna", "ANNA")),
        (RequestKind.RENAME, "Bo anna", ("anna", "Anna")),
    ],
)
def test_a_phone_asks_about_similar_names_before_ok(
    rig: Rig, kind: RequestKind, text: str, asked: tuple[str, str]
) -> None:
    assert ASKS.format(*asked) in lines(rig, kind, text)


def test_correcting_a_players_own_name_causes_no_question(rig: Rig) -> None:
    assert not any("one person" in line for line in lines(rig, RequestKind.RENAME, "Anna anna"))
    row = PeopleReplaced(Seats.of("Cleo", "Bo"))
    assert preview(Moment(CATALOG, rig.view.journal, 1, 1, {}), row)["lines"] == []
