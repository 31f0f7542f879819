"""Stars: they follow their entries through changes, and are listed at the end."""

from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.core.errors import EntryError
from companion.core.values import Json
from companion.games.game import parse_entry
from companion.presentation.moment import Moment, describe
from companion.record.journal import Journal
from companion.record.rows import Amend, Rewind, Setting, Step, Undo
from companion.record.settings import LONGEST_STAR, Star, parse_star, stars_of
from tests.presentation.test_moment import CLAIM, VALID, played

LAYS = "hand\nRed 6-6\nBlue draw\nBlue draw\nBlue 6-3\nRed 6-4"


def marked(*names: str) -> Json:
    settings = [parse_star(f"on {name}") for name in names]
    return {one.name: one.value for one in settings}


def stars(journal: Journal[Any], settings: Json) -> list[str]:
    """The entries that are marked, the newest first."""
    told = describe(Moment(CATALOG, journal, 9, 4, settings))
    VALID.validate(told)
    return [one["entry"] for one in told["latest"] if one["star"] and one["star"]["on"]]


def name_of(journal: Journal[Any], entry: str) -> str:
    told = describe(Moment(CATALOG, journal, 9, 4))
    return next(str(one["star"]["name"]) for one in told["latest"] if one["entry"] == entry)


def test_a_star_is_set_and_removed_by_the_entrys_name() -> None:
    journal = played(LAYS)
    name = name_of(journal, "Blue 6-3")
    assert name == "4.1.1.Blue 6-3"
    on = parse_star(f"on {name}")
    assert on == Setting("star.4.1.1.Blue 6-3", "on")
    assert stars(journal, {on.name: on.value}) == ["Blue 6-3"]
    assert stars(journal, {on.name: parse_star(f"off {name}").value}) == []


def test_only_one_of_several_equal_entries_is_starred() -> None:
    journal = played(LAYS)
    told = describe(Moment(CATALOG, journal, 9, 4, marked("4.1.2.Blue draw")))
    assert [one["star"]["on"] for one in told["latest"]] == [False, False, True, *[False] * 3]


def test_a_star_follows_its_entry_through_changes() -> None:
    journal, on = played(LAYS), marked("4.1.1.Blue 6-3")
    seats = journal.opened.seats

    def entry(text: str) -> Any:
        return parse_entry(text, journal.game, seats)

    more = journal.fold(Amend(2, (entry("Blue draw"),), insert=True))
    fewer = journal.fold(Amend(2, ()))
    for changed in (more, fewer, more.fold(Undo()), journal.fold(Step((entry("Blue 6-1"),)))):
        assert stars(changed, on) == ["Blue 6-3"]
    gone = journal.fold(Rewind(4))
    assert stars(gone, on) == []
    assert stars(gone.fold(Step((entry("Blue 6-1"),))), on) == []
    assert stars(gone.fold(Undo()), on) == ["Blue 6-3"]


def test_other_games_and_past_moments_have_their_own_stars() -> None:
    journal = played(LAYS)
    assert stars(journal, marked("3.1.1.Blue 6-3", "4.2.1.Blue 6-3")) == []
    past = describe(Moment(CATALOG, journal, 9, 4, marked("4.1.1.Blue 6-3")), 5)
    assert past["latest"][0]["star"] == {"name": "4.1.1.Blue 6-3", "on": True}
    assert describe(Moment(CATALOG, journal))["latest"][0]["star"] is None


def test_hidden_holdings_cannot_be_starred() -> None:
    journal = played(CLAIM + "Blue holds 5-5 5-4 5-2 4-4 4-2 2-2 1-1\n")
    told = describe(Moment(CATALOG, journal, 9, 4))
    assert told["latest"][0]["star"] is None
    assert told["latest"][1]["star"] is not None


def test_starred_entries_are_listed_at_the_end() -> None:
    lays = "hand\nRed 5-5\nBlue 5-0"
    on = marked("4.1.1.Blue 5-0", "3.2.1.Anna 6-3", "1.1.1.Red 1-1", "5.1.1.Red 1-1")
    going_on = describe(Moment(CATALOG, played(lays), 9, 4, on, since=2))
    assert going_on["remembered"] == []
    over = describe(Moment(CATALOG, played(f"{lays}\nend Red leaves"), 9, 4, on, since=2))
    VALID.validate(over)
    assert [(one["game"], one["said"]["words"]) for one in over["remembered"]] == [
        (3, "Anna 6-3"),
        (4, "Blue lays 5-0"),
    ]
    assert over["remembered"][1]["payments"][0]["said"]["words"] == "Red pays Blue 10"
    alone = describe(Moment(CATALOG, played(f"{lays}\nend Red leaves"), 9, 4, on))
    assert [one["game"] for one in alone["remembered"]] == [4]


@pytest.mark.parametrize(
    "text",
    ["", "on", "on 4.1.1.", "perhaps 4.1.1.Red 6-3", "on 4.1.Red 6-3", "on 4.1.1.Red\n6-3",
     "on -4.1.1.Red", "on 4.1.1.Red\x00", f"on 4.1.1.{'R' * LONGEST_STAR}"],
)  # fmt: skip
def test_a_malformed_star_is_refused(text: str) -> None:
    with pytest.raises(EntryError, match="is not an entry that can be remembered"):
        parse_star(text)


def test_other_settings_are_not_taken_for_stars() -> None:
    settings: Json = {"sound": "on", "star.": "on", "star.x": "on", **marked("4.1.1.Red 6-3")}
    assert [*stars_of(settings)] == [Star(4, 1, 1, "Red 6-3")]
