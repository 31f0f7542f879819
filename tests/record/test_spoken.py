"""Reading entries in the words that people type."""

import pytest

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.record.requests import read_entry
from tests.catalog import GAMES

SEATS = Seats.of("Red", "Uncle_Joe")
TYPED = [
    ("Red 6-3", "Red 6-3"),
    ("RED 6-3", "Red 6-3"),
    ("red lays 6-3", "Red 6-3"),
    ("Red Lays 6\u20133", "Red 6-3"),
    ("6-3", "Red 6-3"),
    ("lays 6-3", "Red 6-3"),
    ("draws", "Red draw"),
    ("Draw", "Red draw"),
    ("passes", "Red pass"),
    ("uncle joe draws 3 tiles", "Uncle_Joe draw 3"),
    ("Uncle Joe is out", "Uncle_Joe out"),
    ("uncle_joe scores 15", "Uncle_Joe points 15"),
    ("red shows 6-3, 5-1", "Red holds 3-6 1-5"),
    ("red shows 12 pips", "Red pips 12"),
    ("red calls uncle joe bogus", "bogus Uncle_Joe by Red"),
    ("Blocked", "blocked"),
    ("chips Red 20 The tiles, and the rest", "chips Red 20 The tiles, and the rest"),
]


@pytest.mark.parametrize(("typed", "meant"), TYPED)
def test_an_entry_is_read_in_the_words_of_the_page(typed: str, meant: str) -> None:
    assert str(read_entry(typed, GAMES["high-five"], SEATS, Seat("Red"))) == meant


def test_entries_of_other_games_are_read_too() -> None:
    seats = Seats.of("Anna", "Ben")
    said = "anna lays 7-8 and takes 8-9, and the pair 0-1 1-2"
    assert str(read_entry(said, GAMES["high-fives"], seats)) == "Anna 7-8 takes 8-9 pair 0-1 1-2"


@pytest.mark.parametrize("typed", ["", "Green 6-3", "Red sings", "6-3", "lays"])
def test_an_entry_without_meaning_is_refused(typed: str) -> None:
    with pytest.raises(EntryError):
        read_entry(typed, GAMES["high-five"], SEATS)


def test_players_whose_names_differ_only_in_case_are_not_mixed_up() -> None:
    seats = Seats.of("anna", "Anna")
    for name in seats:
        assert str(read_entry(f"{name} lays 6-3", GAMES["high-five"], seats)) == f"{name} 6-3"
    assert str(read_entry("ANNA lays 6-3", GAMES["high-five"], seats)) == "anna 6-3"


@pytest.mark.parametrize("name", ["İpek", "Strauß", "Weiſs", "José", "Jose\u0301", "Zoë_Lu"])
def test_a_name_is_found_in_any_case_and_spelling(name: str) -> None:
    seats = Seats.of("Red", name)
    for typed in (name, name.upper(), name.lower(), name.replace("_", " ")):
        said = read_entry(f"{typed} lays 6-3", GAMES["high-five"], seats)
        assert str(said) == f"{name} 6-3"
