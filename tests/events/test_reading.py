"""Names as an organiser pastes them: one on each line, or a CSV table."""

import pytest

from companion.events.event import EventError
from companion.events.reading import id_of, read_people


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna\n\n  Ben  K \r\nCleo", [("anna", "Anna"), ("ben-k", "Ben K"), ("cleo", "Cleo")]),
        ('name,club\nAnna,A\n"Smith, Cleo",B', [("anna", "Anna"), ("smith-cleo", "Smith, Cleo")]),
        ("\ufeffRating;Name\n1650;Zoë\n;Ørjan", [("zoe", "Zoë", 1650), ("rjan", "Ørjan")]),
        ("Anna\t1\nAnna\t2", [("anna", "Anna"), ("anna-2", "Anna")]),
        ("李雷\n韩梅", [("p", "李雷"), ("p-2", "韩梅")]),
        ("name,elo\nBen,12.5", [("ben", "Ben", 12.5)]),
    ],
)
def test_lists_of_people_are_read(text: str, expected: list[tuple[object, ...]]) -> None:
    found = read_people(text, ())
    assert [tuple(one.values()) for one in found] == expected


def test_ratings_may_be_fractions_or_have_exponents() -> None:
    found = read_people("name,rating\nAnna,1/4\nBen,1.5e3\nCleo, -7 ", ())
    assert [one["rating"] for one in found] == [0.25, 1500, -7]


def test_taken_ids_are_not_reused() -> None:
    assert id_of("Anna", {"anna", "anna-2"}) == "anna-3"
    assert read_people("Anna", {"anna"})[0]["id"] == "anna-2"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no name"),
        (" \n,,", "no name"),
        ("x" * 41, "too long"),
        ("name,rating\nBen,strong", "rating of Ben"),
        ("name,rating\nBen,1e999999999", "rating of Ben"),
        ("name,rating\nBen,1e-999999999", "rating of Ben"),
        (f"name,rating\nBen,{'9' * 5000}", "rating of Ben"),
        ("x" * 200_000, "too long"),
        (f'Ben\n"{"x" * 200_000}', "too long"),
        ("\n".join(f"P{at}" for at in range(2001)), "more than 2000"),
    ],
)
def test_errors_describe_the_fault(text: str, why: str) -> None:
    with pytest.raises(EventError, match=why):
        read_people(text, ())
