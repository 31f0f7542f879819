"""Rulings that a row makes or takes back, and the seats that have to agree."""

import pytest

from companion.core.seats import Seat, Seats
from companion.games.game import parse_entry, settle_options
from companion.presentation.corrections import changed_rulings
from companion.record.journal import Journal
from companion.record.rows import Amend, GameOpened, Redo, Rewind, Row, Setting, Step, Undo
from tests.catalog import GAMES

SEATS = Seats.of("Red", "Blue", "Dora")
CLEAR = "rule Blue clear"


def step(text: str) -> Step:
    return Step((parse_entry(text, GAMES["high-five"], SEATS),))


def game(*texts: str) -> Journal[object]:
    journal = Journal.begin(GameOpened("high-five", SEATS, {}), GAMES)
    for text in ("hand", "Red 6-6", "Blue draw", *texts):
        journal = journal.fold(step(text))
    return journal


def may_agree(journal: Journal[object], row: Row) -> list[set[str]]:
    return [set(one.may_agree(journal.state)) for one in changed_rulings(journal, row)]


CALL = "bogus Blue by Dora"
RULED = game(CALL, CLEAR)
BOGUS = game(CALL, "Blue pips 12", "rule Blue bogus")


@pytest.mark.parametrize(
    ("journal", "row"),
    [
        (game(CALL), step(CLEAR)),
        (RULED.fold(Undo()), Redo()),
        (BOGUS, Undo()),
        (BOGUS, Rewind(4)),
        (BOGUS, Amend(5, ())),
    ],
    ids=["ruled clear", "done again", "bogus undone", "bogus rewound", "bogus deleted"],
)
def test_clearing_the_accused_needs_the_callers_consent(journal: Journal[object], row: Row) -> None:
    assert may_agree(journal, row) == [{"Dora"}]


@pytest.mark.parametrize(
    ("journal", "row"),
    [
        (game(CALL, "Blue pips 12"), step("rule Blue bogus")),
        (RULED, Undo()),
        (RULED, Rewind(3)),
        (RULED, Amend(4, ())),
        (RULED, Amend(3, ())),
    ],
    ids=["ruled bogus", "clear undone", "call rewound", "clear deleted", "call deleted"],
)
def test_a_bogus_ruling_needs_the_consent_of_any_seat_but_the_caller(
    journal: Journal[object], row: Row
) -> None:
    assert may_agree(journal, row) == [{"Red", "Blue"}]


def test_changing_a_ruling_takes_back_one_and_makes_another() -> None:
    row = Amend(5, step(CLEAR).entries)
    assert may_agree(BOGUS, row) == [{"Dora"}, {"Dora"}]
    gain = {one.favoured(BOGUS.state) for one in changed_rulings(BOGUS, row)}
    assert gain == {frozenset({Seat("Blue")})}


@pytest.mark.parametrize(
    ("journal", "row"),
    [
        (game(), step("Blue draw")),
        (game(CALL), Undo()),
        (RULED, step("Blue draw")),
        (RULED.fold(step("Blue draw")), Undo()),
        (game(), step(CLEAR)),
        (RULED, Setting("contrast", 3)),
    ],
    ids=["a draw", "a call undone", "a draw after it", "that undone", "refused", "a setting"],
)
def test_rows_without_rulings_need_no_consent(journal: Journal[object], row: Row) -> None:
    assert changed_rulings(journal, row) == ()


PARTNERS = Seats.of("Anna", "Ben", "Cleo", "Dan")


def partners(*texts: str, rules: int = 3) -> Journal[object]:
    """Anna and Cleo against Ben and Dan; Ben has passed."""
    options = settle_options(GAMES["all-fives"], 4, {"set": "R", "partners": "on"})
    journal = Journal.begin(GameOpened("all-fives", PARTNERS, options, rules=rules), GAMES)
    for text in ("hand lead Anna", "Anna 6-6", "Ben pass", *texts):
        journal = journal.fold(Step((parse_entry(text, GAMES["all-fives"], PARTNERS),)))
    return journal


def test_a_partner_of_the_favoured_seat_cannot_agree() -> None:
    called = partners("bogus Ben by Anna")
    row = Step((parse_entry("rule Ben bogus", GAMES["all-fives"], PARTNERS),))
    (changed,) = changed_rulings(called, row)
    assert changed.favoured(called.state) == {"Anna", "Cleo"}
    assert changed.may_agree(called.state) == {"Ben", "Dan"}
    row = Step((parse_entry("rule Ben clear", GAMES["all-fives"], PARTNERS),))
    (changed,) = changed_rulings(called, row)
    assert changed.favoured(called.state) == {"Ben", "Dan"}
    assert changed.may_agree(called.state) == {"Anna"}


@pytest.mark.parametrize(("rules", "caller"), [(3, "Cleo"), (2, "Dan")])
def test_a_call_that_names_no_caller_needs_the_usual_callers_consent(
    rules: int, caller: str
) -> None:
    called = partners("bogus Ben", rules=rules)
    row = Step((parse_entry("rule Ben clear", GAMES["all-fives"], PARTNERS),))
    (changed,) = changed_rulings(called, row)
    assert changed.may_agree(called.state) == {caller}
