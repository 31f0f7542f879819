"""Offers to insert a forgotten draw."""

from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.record.journal import Journal
from companion.record.requests import RequestContext, RequestKind, RowRequest, row_for
from companion.record.rows import Amend, GameOpened, Step
from tests.catalog import GAMES

LINE = """hand
Blue 6-6
Red draw
Red 6-5
Blue 6-4
Red 5-5
Blue 4-4"""
"""Three tiles are dealt to each, so Blue has laid all it has."""
BUILDING = """hand lead Red
Red 6-5 level 1
Blue draw
Blue 6-4 level 1
Red 6-3 level 1
Blue 6-2 level 1
Red 6-1 level 1
Blue draw
Blue 6-0 level 1
Red 5-4 level 1
Blue 5-3 level 1
Red 5-2 level 1
Blue 5-1 level 1
Red draw
Red 5-0 level 1"""
"""Five tiles were dealt to each, and one was drawn: Red has laid all six, and drew before the
last."""


def played(name: str, text: str, **options: int) -> Journal[Any]:
    game, seats = GAMES[name], Seats.of("Red", "Blue")
    journal: Journal[Any] = Journal.begin(GameOpened(name, seats, options), GAMES)
    for line in text.splitlines():
        journal = journal.fold(Step((parse_entry(line, game, seats),)))
    return journal


def mends(journal: Journal[Any]) -> list[dict[str, Any]]:
    mends = CATALOG[journal.opened.game].presentation.keys.insertions(journal)
    return [act.json() for act in mends]


GAMES_AT_THEIR_OUT = [
    (played("high-five", LINE, deal=3), "Blue", 6),
    (played("five-up", LINE, deal=7), None, None),
    (played("highrise", BUILDING), "Red", 11),
]


@pytest.mark.parametrize(("journal", "seat", "at"), GAMES_AT_THEIR_OUT)
def test_a_forgotten_draw_is_offered_when_a_seat_seems_out(
    journal: Journal[Any], seat: str | None, at: int | None
) -> None:
    found = mends(journal)
    assert [(one["entry"], one["deed"], one["at"]) for one in found] == (
        [(f"{seat} draw", "insert", at)] if seat else []
    )


@pytest.mark.parametrize("journal", [GAMES_AT_THEIR_OUT[0][0], GAMES_AT_THEIR_OUT[2][0]])
def test_an_inserted_draw_is_not_offered_again(journal: Journal[Any]) -> None:
    (act,) = mends(journal)
    stands = RequestContext(journal, 1, GAMES)
    row = row_for(RowRequest(RequestKind(act["deed"]), act["entry"], act["at"]), stands)
    assert isinstance(row, Amend)
    after = journal.fold(row)
    assert after.length == journal.length + 1
    assert after.state.to_move is not None
    assert mends(after) == []


@pytest.mark.parametrize("journal", [GAMES_AT_THEIR_OUT[0][0], GAMES_AT_THEIR_OUT[2][0]])
def test_no_draw_is_offered_after_going_out_was_entered(journal: Journal[Any]) -> None:
    seat = mends(journal)[0]["seat"]
    out = parse_entry(f"{seat} out", journal.game, journal.opened.seats)
    assert mends(journal.fold(Step((out,)))) == []
    assert mends(played("high-five", "hand\nBlue 6-6")) == []


def test_no_draw_is_offered_when_every_turn_had_one() -> None:
    """Highrise lets a seat draw only one tile a turn."""
    lays = ("6-5", "6-4", "6-3", "6-2", "6-1", "6-0", "5-4", "5-3", "5-2", "5-1")
    text = ["hand lead Red"]
    for turn, tile in enumerate(lays):
        seat = ("Red", "Blue")[turn % 2]
        text += [f"{seat} draw", f"{seat} {tile} level 1"]
    assert mends(played("highrise", "\n".join(text))) == []
