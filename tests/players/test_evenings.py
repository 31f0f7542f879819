"""Which games form one evening: by the clock, without one, across midnight, and after a jump of the
clock."""

from companion.players.history import PlayedEvening, evenings, last_sitting
from companion.players.statistics import GameResult
from companion.record.people.people import People
from tests.players.builder import HOUR, at, game


def numbers(found: list[PlayedEvening]) -> list[list[int]]:
    return [[one.number for one in evening.games] for evening in found]


def test_a_break_of_six_hours_separates_two_evenings() -> None:
    games = [game(1, at(20)), game(2, at(21)), game(3, at(21.5 + 5.99)), game(4, at(33.99))]
    assert numbers(evenings(games)) == [[1, 2, 3], [4]]


def test_the_clock_alone_decides_whether_an_evening_continues() -> None:
    """When the box opened the second game, it knew of no earlier one; by the clock, both belong to
    one evening."""
    assert numbers(evenings([game(1, at(20)), game(2, at(21), follows=False)])) == [[1, 2]]
    assert numbers(evenings([game(1, at(20)), game(2, at(44), follows=True)])) == [[1], [2]]


def test_an_evening_across_midnight_belongs_to_its_first_day() -> None:
    (evening,) = evenings([game(1, at(22.5)), game(2, at(23.9)), game(3, at(25))])
    assert (evening.number, evening.began_at) == (1, at(22.5))


def test_games_without_times_are_grouped_by_order_and_the_follows_flag() -> None:
    games = [
        game(1, None),
        game(2, None, follows=True),
        game(3, None),
        game(4, at(20), follows=True),
        game(5, at(20.7)),
    ]
    found = evenings(games)
    assert numbers(found) == [[1, 2], [3, 4, 5]]
    assert [evening.began_at for evening in found] == [None, at(20)]


def test_a_clock_that_jumps_back_does_not_change_the_order() -> None:
    games = [game(1, at(20)), game(2, at(2), follows=True), game(3, at(3)), game(4, at(1))]
    assert numbers(evenings(games)) == [[1, 2, 3], [4]]


def test_a_continued_game_belongs_to_the_later_evening() -> None:
    friday, saturday = at(20), at(44)
    games = [
        game(1, friday),
        game(2, saturday, opened=friday + HOUR),
        game(3, friday + 2 * HOUR),
        game(4, saturday + HOUR),
    ]
    assert numbers(evenings(games)) == [[1, 3], [2, 4]]


def test_the_last_sitting_of_a_game_is_found() -> None:
    assert last_sitting([at(20), at(20.1), at(20.2)]) == at(20)
    assert last_sitting([at(20), at(20.1), at(40), at(40.1)]) == at(40)
    assert last_sitting([None, None, at(20), at(20.1)]) == at(20)
    assert last_sitting([at(20), at(3), at(3.1)]) == at(20)
    assert last_sitting([None]) is None


def test_games_taken_back_are_in_no_evening() -> None:
    assert numbers(evenings([game(1, at(20), result=GameResult.WITHDRAWN), game(2, at(21))])) == [
        [2]
    ]


def test_wins_are_counted_per_person_across_games_and_seats() -> None:
    (evening,) = evenings(
        [
            game(1, at(20), winners=("Bo",)),
            game(2, at(21), winners=("Bo",), seats=("Bo", "Cy", "Red")),
            game(3, at(22), winners=("Ada", "Bo")),
            game(4, at(23), winners=("Red",), seats=("Red", "Blue")),
            game(5, at(24), result=GameResult.OPEN),
        ]
    )
    assert list(evening.wins(People()).items()) == [("Bo", 3), ("Ada", 1), ("Cy", 0)]
    people = People({"Bo": "Ada"}, frozenset({"Cy"}))
    assert evening.wins(people) == {"Ada": 4}


def test_an_evening_is_over_after_the_break() -> None:
    (evening,) = evenings([game(1, at(20), 0.5)])
    assert not evening.is_over(at(26.4))
    assert evening.is_over(at(26.5))
    assert not evening.is_over(None)
    (unknown,) = evenings([game(1, None)])
    assert not unknown.is_over(at(100))
