"""The journal: undo, redo, changes of earlier entries, and their invariants."""

import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seat, Seats
from companion.games.game import RULES
from companion.record.journal import Journal
from companion.record.rows import Amend, GameOpened, Redo, Reseat, Rewind, Row, Setting, Step, Undo
from tests.playing import redoes, undoes
from tests.sample_games import RACE_RULES, Scored

RED, BLUE = Seat("Red"), Seat("Blue")
OPENED = GameOpened("race", Seats.of("Red", "Blue"), {"goal": 200})


def step(*points: int, first: Seat = RED, joined: bool = False) -> Step:
    seats = [first, BLUE if first == RED else RED] * len(points)
    return Step(tuple(map(Scored, seats, points)), joined)


def journal(*rows: Row) -> Journal[Any]:
    found = Journal.begin(OPENED, RACE_RULES)
    for row in rows:
        found = found.fold(row)
    return found


def points(of: Journal[Any]) -> list[int]:
    return [entry.points for entry in of.entries if isinstance(entry, Scored)]


def test_options_that_are_left_out_get_their_defaults() -> None:
    begun = Journal.begin(GameOpened("race", Seats.of("Red", "Blue"), {}), RACE_RULES)
    assert begun.opened.options == {"goal": 100}
    assert (begun.length, begun.entries, begun.states) == (0, (), ())
    assert (undoes(begun), redoes(begun)) == ("this game", None)


@pytest.mark.parametrize(
    ("opened", "message"),
    [
        (GameOpened("rase", Seats.of("Red", "Blue"), {}), "rase is not a game here: race"),
        (GameOpened("race", Seats.of("Red", "Blue"), {"gaol": 5}), "Race has no option gaol"),
        (GameOpened("race", Seats.of(*"ABCDEFGHI"), {}), "Race is for 2 to 8 players, not 9"),
        (GameOpened("race", Seats.of("Red", "Scores"), {}), "Scores is a word of the tally"),
        (GameOpened("race", Seats.of("Red", "Big blue"), {}), "“Big blue” is not one word"),
    ],
)
def test_a_game_that_cannot_be_played_is_refused(opened: GameOpened, message: str) -> None:
    with pytest.raises(EntryError, match=message):
        Journal.begin(opened, RACE_RULES)


def test_a_game_keeps_the_rules_with_which_it_began() -> None:
    old = Journal.begin(replace(OPENED, rules=1), RACE_RULES)
    blue_first = Reseat(Seats.of("Blue", "Red"))
    for game in (old, old.fold(step(5)), old.fold(step(5)).fold(Undo()), old.fold(blue_first)):
        assert (game.state.rules, game.opened.rules) == (1, 1)
    assert (journal().state.rules, journal().opened.rules) == (RULES, RULES)


def test_states_follow_the_entries() -> None:
    game = journal(step(5), step(7, first=BLUE), step(1))
    assert [state.scores.values for state in game.states] == [(5, 0), (5, 7), (6, 7)]
    assert [place for place, _, _ in game.newest_first()] == [2, 1, 0]
    assert game.state is game.states[-1]


def test_undo_names_and_takes_back_the_last_change() -> None:
    game = journal(step(5), step(7, first=BLUE))
    assert undoes(game) == "Blue scores 7"
    game = game.fold(Undo())
    assert (points(game), undoes(game), redoes(game)) == (
        [5],
        "Red scores 5",
        "Blue scores 7",
    )
    game = game.fold(Redo())
    assert (points(game), redoes(game)) == ([5, 7], None)


def test_a_new_change_empties_redo() -> None:
    game = journal(step(5), Undo(), step(6))
    with pytest.raises(RuleError, match="nothing to redo"):
        game.fold(Redo())


def test_joined_steps_are_taken_back_together() -> None:
    game = journal(step(1), step(2, 3, first=BLUE), step(4, first=BLUE, joined=True))
    assert undoes(game) == "Blue scores 2 and 2 more"
    game = game.fold(Undo())
    assert points(game) == [1]
    assert points(game.fold(Redo())) == [1, 2, 3, 4]


def test_a_joined_step_without_a_predecessor_is_undone_alone() -> None:
    assert undoes(journal(step(1, joined=True))) == "Red scores 1"


def test_undo_without_a_change_takes_back_the_game() -> None:
    game = journal(step(1), Undo(), Undo())
    assert (game.withdrawn, undoes(game), redoes(game)) == (True, None, "this game")
    for row in (Undo(), step(1), Rewind(0), Reseat(Seats.of("Blue", "Red"))):
        with pytest.raises(RuleError, match="redo brings it back"):
            game.fold(row)
    game = game.fold(Redo())
    assert (game.withdrawn, redoes(game)) == (False, "Red scores 1")
    assert points(game.fold(Redo())) == [1]


def test_an_amended_entry_is_replaced_and_later_ones_stay() -> None:
    game = journal(step(1, 2, 3))
    seen = game.amended(Amend(1, (Scored(BLUE, 20),)))
    assert (seen.broken, seen.dropped) == (None, 0)
    assert points(seen.journal) == [1, 20, 3]
    assert undoes(seen.journal) == "the change of “Blue scores 2”"
    assert points(seen.journal.fold(Undo())) == [1, 2, 3]


def test_invalid_later_entries_are_dropped_and_undo_restores_them() -> None:
    game = journal(step(1, 2, 3, 4))
    seen = game.amended(Amend(1, ()))
    assert seen.broken is not None
    assert seen.broken[:2] == (2, Scored(RED, 3))
    assert str(seen.broken[2]) == "it is Blue's turn, not Red's"
    assert (seen.dropped, points(seen.journal)) == (2, [1])
    assert undoes(seen.journal) == "the removal of Blue scores 2"
    assert points(seen.journal.fold(Undo())) == [1, 2, 3, 4]


def test_an_entry_can_be_inserted_before_another() -> None:
    game = journal(step(1, 2, 3)).fold(Amend(0, (Scored(RED, 7), Scored(BLUE, 8)), insert=True))
    assert points(game) == [7, 8, 1, 2, 3]
    assert undoes(game) == "Red scores 7 put in before “Red scores 1”"


def test_a_step_joined_to_a_change_is_undone_with_it() -> None:
    game = journal(step(1, 2), Amend(1, (Scored(BLUE, 20),)), step(3, joined=True))
    assert undoes(game) == "the change of “Blue scores 2” and 1 more"
    assert redoes(game.fold(Undo())) == "the change of “Blue scores 2” and 1 more"
    assert points(game.fold(Undo())) == [1, 2]


def test_rewind_takes_back_all_later_entries_and_redo_restores_them() -> None:
    game = journal(step(1, 2, 3))
    seen = game.amended(Rewind(1))
    assert (points(seen.journal), seen.dropped) == ([1], 2)
    assert undoes(seen.journal) == "the rewind to “Blue scores 2”"
    assert points(seen.journal.fold(Undo())) == [1, 2, 3]
    assert points(seen.journal.fold(Undo()).fold(Redo())) == [1]
    assert redoes(seen.journal) == "what the rewind to “Blue scores 2” took"
    assert points(seen.journal.fold(Redo())) == [1, 2, 3]
    assert points(seen.journal.fold(Redo()).fold(Undo())) == [1]


def test_the_turn_order_can_be_changed() -> None:
    game = journal().fold(Reseat(Seats.of("Blue", "Red")))
    assert game.state.to_move == "Blue"
    assert game.opened.seats == Seats.of("Blue", "Red")
    assert game.fold(Undo()).opened.seats == Seats.of("Red", "Blue")
    seen = journal(step(1, 2)).amended(Reseat(Seats.of("Blue", "Red")))
    assert seen.dropped == 2
    with pytest.raises(RuleError, match="only their order"):
        journal().fold(Reseat(Seats.of("Blue", "Green")))


@pytest.mark.parametrize(
    ("row", "error", "message"),
    [
        (step(), EntryError, "nothing was entered"),
        (step(21), RuleError, "a turn scores 0 to 20"),
        (step(1, first=BLUE), RuleError, "it is Red's turn"),
        (Amend(2, ()), RuleError, "there is no entry 3: the game has 2"),
        (Amend(-1, ()), RuleError, "there is no entry 0"),
        (Amend(0, (), insert=True), EntryError, "nothing to insert"),
        (Amend(0, (Scored(BLUE, 1),)), RuleError, "it is Red's turn"),
        (Rewind(2), RuleError, "there is no entry 3"),
        (Redo(), RuleError, "nothing to redo"),
        (OPENED, EntryError, "a row of kind GameOpened can't come inside a game"),
        (Setting("flip", 1), EntryError, "a row of kind Setting"),
        (Step((Scored(Seat("Green"), 1),)), EntryError, "neither a seat"),
        (Step((Scored(Seat("Red#"), 1),)), EntryError, "can't be written down"),
    ],
)
def test_impossible_rows_are_refused(row: Row, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        journal(step(1, 2)).fold(row)


def test_a_very_long_game_can_be_undone_and_freed() -> None:
    zero = Step((Scored(RED, 0), Scored(BLUE, 0)))
    game = journal()
    for _ in range(3 * sys.getrecursionlimit()):
        game = game.fold(zero)
    game = game.fold(zero).fold(Undo())
    assert repr(game) == f"<Journal of race, {game.length} entries>"
    del game


# ------------------------------------------------------------ properties


class Model:
    """The slow, obvious journal: lists of whole versions."""

    def __init__(self) -> None:
        self.now: list[int] = []
        self.past: list[list[int]] = []
        self.future: list[list[int]] = []
        self.withdrawn = False

    def change(self, new: list[int], joined: bool = False) -> None:
        if not (joined and self.past):
            self.past.append(self.now)
        self.now, self.future = new, []

    def undo(self) -> None:
        if self.past:
            self.future.append(self.now)
            self.now = self.past.pop()
        else:
            self.withdrawn = True

    def redo(self) -> None:
        if self.withdrawn:
            self.withdrawn = False
        else:
            self.past.append(self.now)
            self.now = self.future.pop()


MOVES = st.lists(
    st.tuples(
        st.sampled_from(
            ["step", "two", "joined", "undo", "undo", "redo", "redo", "amend", "rewind"]
        ),
        st.integers(0, 3),
        st.integers(0, 1000),
    ),
    max_size=40,
)


def turn_of(place: int) -> Seat:
    return (RED, BLUE)[place % 2]


@given(MOVES)
def test_random_changes_agree_with_a_simple_model(
    moves: list[tuple[str, int, int]],
) -> None:
    game, model = journal(), Model()
    for kind, number, place in moves:
        length, at = len(model.now), place % (len(model.now) or 1)
        row: Row
        if kind == "undo":
            if model.withdrawn:
                continue
            row = Undo()
            model.undo()
        elif kind == "redo":
            if not (model.future or model.withdrawn):
                continue
            row = Redo()
            model.redo()
        elif model.withdrawn:
            continue
        elif kind in ("amend", "rewind"):
            if not length:
                continue
            if kind == "rewind":
                row, before = Rewind(at), model.now
                model.change(model.now[:at])
                model.future = [before]
            elif number == 0:
                # Without this turn every later one is somebody else's.
                row = Amend(at, ())
                model.change(model.now[:at])
            else:
                row = Amend(at, (Scored(turn_of(at), number),))
                model.change([*model.now[:at], number, *model.now[at + 1 :]])
        else:
            many = 2 if kind == "two" else 1
            row = Step(
                tuple(Scored(turn_of(length + i), number) for i in range(many)), kind == "joined"
            )
            model.change([*model.now, *[number] * many], kind == "joined")
        game = game.fold(row)
        assert points(game) == model.now
        assert game.withdrawn == model.withdrawn
        assert (redoes(game) is None) == (not model.future and not model.withdrawn)
    if not game.withdrawn:
        again = game.fold(Undo()).fold(Redo())
        assert again.entries == game.entries
        assert again.state == game.state
        assert (undoes(again), redoes(again)) == (undoes(game), redoes(game))
    for at, entry in enumerate(game.entries if not game.withdrawn else ()):
        same = game.amended(Amend(at, (entry,)))
        assert (same.broken, same.journal.states) == (None, game.states)
