"""Whole games as tallies, each beside the JSON that `replay --json` must print.

In the tally, the count and the payments of a line are at its end, after `#:`. They were worked out
by hand from the rules. A line without them has none.
"""

import json
from pathlib import Path

import pytest

from companion.app.catalog import CATALOG
from companion.commands.replay import game_json, payment_words, replay
from companion.games.game import AnyState
from companion.games.line.game import ends_counted
from companion.record.tally import format_tally, read_tally
from tests.catalog import GAMES

HERE = Path(__file__).parent
TALLIES = sorted(HERE.glob("*.tally"))


def words_of(state: AnyState) -> str:
    """The count and the payments, in the form of those comments."""
    ends = ends_counted(state)
    count = [] if ends is None or ends.count is None else [str(ends.count)]
    return ", ".join([*count, *map(payment_words, state.effect.payments)])


@pytest.mark.parametrize("tally", TALLIES, ids=lambda path: path.stem)
def test_each_tally_line_has_the_expected_points(tally: Path) -> None:
    text = tally.read_text()
    journal, lines, stopped = replay(read_tally(text, GAMES), GAMES)
    assert stopped is None
    expected = [text.split("\n")[line - 1].partition("#:")[2].strip() for line in lines]
    assert [words_of(state) for state in journal.states] == expected


@pytest.mark.parametrize("tally", TALLIES, ids=lambda path: path.stem)
def test_the_game_has_the_expected_result(tally: Path) -> None:
    journal, lines, _ = replay(read_tally(tally.read_text(), GAMES), GAMES)
    assert game_json(CATALOG, journal, lines) == json.loads(tally.with_suffix(".json").read_text())


@pytest.mark.parametrize("tally", TALLIES, ids=lambda path: path.stem)
def test_an_exported_game_replays_to_the_same_states(tally: Path) -> None:
    journal, _, _ = replay(read_tally(tally.read_text(), GAMES), GAMES)
    again, _, stopped = replay(read_tally(format_tally(journal), GAMES), GAMES)
    assert stopped is None
    assert (again.entries, again.states) == (journal.entries, journal.states)


def test_every_file_of_expected_results_has_a_tally() -> None:
    assert {path.stem for path in HERE.glob("*.json")} == {path.stem for path in TALLIES}
    assert len(TALLIES) > 20
