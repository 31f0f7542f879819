"""The value of a figure, how much it is based on, and when there is none."""

import pytest

from companion.app.catalog import CATALOG
from companion.players.player_figures import EntryAt, Figure, Selection, figures_of, players_of
from companion.players.statistics import (
    Count,
    CountedGame,
    Denominator,
    GameResult,
    Maximum,
    MaximumEntry,
    SeatCounts,
)
from companion.record.people.people import People
from tests.players.builder import at, game

Counts = dict[Count, int]


def with_counts(one: CountedGame, **of: Counts) -> CountedGame:
    for seat, counts in of.items():
        one.by_seat[seat].counts.update(counts)
    return one


def figures(*games: CountedGame, player: str = "Ada", **which: object) -> dict[str, Figure]:
    (found,) = figures_of(player, games, People(), Selection(**which), CATALOG.statistics)  # type: ignore[arg-type]
    return {figure.name: figure for figure in found.figures}


def told(figure: Figure) -> tuple[object, ...]:
    return figure.value, figure.over, figure.denominator, figure.games, figure.moments


PLAYS: Counts = {Count.PLAYS: 10, Count.POINTS: 35, Count.SCORING: 4}


def test_figures_add_up_over_games_and_have_their_number_of_plays() -> None:
    first = with_counts(game(1, at(20)), Ada=PLAYS)
    other = with_counts(game(2, at(21)), Ada={Count.PLAYS: 15, Count.POINTS: 40, Count.SCORING: 6})
    found = figures(first, other)
    assert told(found["points_a_lay"]) == (3.0, 25, Denominator.PLAYS, (1, 2), ())
    assert told(found["scoring_lays"]) == (0.4, 25, Denominator.PLAYS, (1, 2), ())


def test_a_figure_over_too_few_plays_has_no_value() -> None:
    found = figures(with_counts(game(1, at(20)), Ada={**PLAYS, Count.HANDS: 4, Count.DOMINOED: 1}))
    assert (found["points_a_lay"].value, found["points_a_lay"].over) == (None, 10)
    assert (found["dominoed"].value, found["dominoed"].over) == (None, 4)
    assert found["biggest"].value is None
    assert found["called_right"].value is None


def test_a_highest_value_links_to_its_moment() -> None:
    first, other = (with_counts(game(n, at(20)), Ada={Count.PLAYS: 20}) for n in (1, 2))
    first.by_seat["Ada"].tops[Maximum.BIGGEST] = MaximumEntry(15, 7)
    other.by_seat["Ada"].tops[Maximum.BIGGEST] = MaximumEntry(20, 31)
    found = figures(first, other)["biggest"]
    assert told(found) == (20.0, 40, Denominator.PLAYS, (2,), (EntryAt(2, 31),))


def test_calls_link_to_their_moments() -> None:
    one = game(4, at(20))
    one.by_seat["Ada"].add(Count.CALLED_RIGHT, entry=12)
    one.by_seat["Ada"].add(Count.CALLED_WRONG, entry=30)
    one.by_seat["Ada"].add(Count.CALLED_WRONG, entry=50)
    found = figures(one)
    assert told(found["called_wrong"]) == (
        2.0,
        3,
        Denominator.CALLS,
        (4,),
        (EntryAt(4, 30), EntryAt(4, 50)),
    )
    assert found["called_right"].value == 1


def test_the_best_open_score_is_counted_over_plays_not_points() -> None:
    counts = {Count.OPEN_PLAYS: 20, Count.OPEN_BEST: 200, Count.OPEN_MADE: 150}
    found = figures(with_counts(game(1, at(20)), Ada=counts))["best_open"]
    assert (found.value, found.over) == (0.75, 20)
    few = {**counts, Count.OPEN_PLAYS: 19}
    assert figures(with_counts(game(1, at(20)), Ada=few))["best_open"].value is None


def test_uncalled_bogus_plays_are_shown_only_where_allowed() -> None:
    one = with_counts(game(1, at(20)), Ada={Count.DRAWN: 30})
    other = with_counts(game(2, at(44)), Ada={Count.DRAWN: 30})
    for each in (one, other):
        each.by_seat["Ada"].add(Count.UNCALLED, entry=9)
    assert "bogus_uncalled" not in figures(one, other)
    (found,) = figures_of(
        "Ada",
        [one, other],
        People(),
        Selection(),
        CATALOG.statistics,
        uncalled_shown_in=frozenset({1}),
    )
    uncalled = {figure.name: figure for figure in found.figures}["bogus_uncalled"]
    assert (uncalled.value, uncalled.over, uncalled.moments) == (1, 30, (EntryAt(1, 9),))


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (Selection(), {1, 2, 3}),
        (Selection(since=at(21)), {2}),
        (Selection(players=3), {2}),
        (Selection(numbers=frozenset({3})), {3}),
        (Selection(game="five-up"), set()),
    ],
)
def test_figures_come_only_from_the_selected_games(
    selection: Selection, expected: set[int]
) -> None:
    games = [game(1, at(20)), game(2, at(22), seats=("Ada", "Bo", "Cy")), game(3, None)]
    games.append(game(4, at(23), result=GameResult.WITHDRAWN))
    found = figures_of("Ada", games, People(), selection, CATALOG.statistics)
    assert {number for one in found for number in one.games} == expected


def test_payments_between_players_are_added_up() -> None:
    one, other = game(1, at(20)), game(2, at(21), seats=("Bo", "Cy", "Ada"))
    one.by_seat["Ada"].paid_by["Bo"] = 120
    one.by_seat["Bo"].paid_by["Ada"] = 150
    other.by_seat["Ada"].paid_by["Cy"] = 30
    (found,) = figures_of("Ada", [one, other], People(), Selection(), CATALOG.statistics)
    assert [(a.other, a.won, a.paid, a.games) for a in found.against] == [
        ("Bo", 120, 150, (1, 2)),
        ("Cy", 30, 0, (2,)),
    ]
    (without,) = figures_of(
        "Ada", [one, other], People(hidden=frozenset({"Bo"})), Selection(), CATALOG.statistics
    )
    assert [against.other for against in without.against] == ["Cy"]


def test_two_spellings_of_a_name_are_one_player() -> None:
    people = People({"Anna": "Ada", "Annie": "Anna"})
    games = [
        with_counts(game(1, at(20), seats=("Annie", "Bo")), Annie={Count.PLAYS: 12}),
        with_counts(game(2, at(21), winners=("Ada",)), Ada={Count.PLAYS: 13}),
    ]
    (found,) = figures_of("Ada", games, people, Selection(), CATALOG.statistics)
    assert (found.plays, found.games, found.won) == (25, (1, 2), (2,))
    assert players_of(games, people) == ["Ada", "Bo"]
    assert figures_of("Anna", games, people, Selection(), CATALOG.statistics) == []


def test_circular_renamings_do_not_loop_forever() -> None:
    people = People({"A": "B", "B": "A"})
    assert people.player("A") in ("A", "B")


def test_colours_are_not_players() -> None:
    one = game(1, at(20), seats=("Red", "Black", "Ada"))
    assert players_of([one], People()) == ["Ada"]
    assert figures_of("Red", [one], People(), Selection(), CATALOG.statistics) == []


def test_counts_are_read_back_from_json() -> None:
    counts = SeatCounts()
    counts.add(Count.UNCALLED, entry=3)
    counts.keep_highest(Maximum.RUN, 4, 17)
    counts.keep_highest(Maximum.RUN, 4, 40)
    counts.paid_by["Bo"] = -5
    assert counts.tops[Maximum.RUN].entry == 17
    assert SeatCounts.from_json(counts.as_json) == counts
