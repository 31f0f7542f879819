"""A holding shown in a call of bogus play is shown nowhere while the hand goes on, and everywhere
once it is over."""

import json
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.commands.replay import game_json
from companion.games.entries import HoldingShown
from companion.games.line.line import TILE_SET
from companion.presentation.drawing.race import race_json
from companion.presentation.moment import Moment, describe
from companion.record.journal import Journal
from companion.record.rows import Redo, Undo
from tests.presentation.test_moment import CLAIM, ON, played

SHOWN = CLAIM + "Blue holds 5-5 5-4 5-2 4-4 4-2 2-2 1-1\n"
ONWARDS = SHOWN + "Blue draw\nBlue 1-1\nRed 1-5\n"
OVER = ONWARDS + "Blue 5-5\nBlue out\n"
OF_THREE = """
hand
Blue 6-6
Green 6-3
Red 6-1
Blue draw
Blue pass
Green 3-5
Red 1-2
Blue draw
bogus Blue by Green turn 8
Blue holds 4-4 4-1 4-0 1-1 1-0 0-0 3-3
bogus Blue by Red turn 4
"""


def all_told(journal: Journal[Any]) -> str:
    """Returns all the information about this moment and every entry so far that people get from
    pages, commands and files."""
    moment = Moment(CATALOG, journal, number=1, settings=ON)
    told = [describe(moment), game_json(CATALOG, journal, hide_secrets=True), race_json(journal)]
    told += [describe(moment, at) for at in range(1, journal.length + 1)]
    return json.dumps(told)


def told_of(journal: Journal[Any]) -> set[str]:
    """Returns the tiles that were shown in the call and not played yet, but appear anywhere in the
    output."""
    told = all_told(journal)
    held = [entry for entry in journal.entries if isinstance(entry, HoldingShown)]
    shown = {str(tile) for entry in held for tile in entry.tiles}
    laid = set(map(str, TILE_SET.tiles_in(journal.state.board.hand.line.laid_for_sure)))
    return {tile for tile in shown - laid if tile in told or tile[::-1] in told}


@pytest.mark.parametrize("text", [SHOWN, ONWARDS])
def test_a_shown_holding_is_hidden_while_the_hand_goes_on(text: str) -> None:
    journal = played(text)
    assert journal.state.board.hand.round.playing
    assert told_of(journal) == set()
    assert told_of(journal.fold(Undo())) == set()


def test_a_shown_holding_is_visible_only_once_the_hand_is_over() -> None:
    over = played(OVER)
    assert not over.state.board.hand.round.playing
    said = [entry["said"]["words"] for entry in describe(Moment(CATALOG, over))["latest"]]
    assert "Blue shows 5-5, 4-5, 2-5, 4-4, 2-4, 2-2, 1-1" in said
    kept = [entry["entry"] for entry in game_json(CATALOG, over, hide_secrets=True)["entries"]]
    assert "Blue holds 5-5 4-5 2-5 4-4 2-4 2-2 1-1" in kept
    assert told_of(over.fold(Undo())) == set()
    assert told_of(over.fold(Undo()).fold(Redo()))


def test_a_second_call_hides_the_holding_too() -> None:
    """The tiles that Blue showed to Green also say what it may have held at the turn that Red
    calls."""
    journal = played(OF_THREE, seats="Red Blue Green")
    assert describe(Moment(CATALOG, journal))["claim"]["open"]
    assert told_of(journal) == set()
