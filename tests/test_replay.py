"""`replay --json` gives exactly what docs/tally.md says."""

from companion.games.catalog import GAMES
from companion.record.tally import read_tally
from companion.replay import NOTHING, game_json, replay, replay_lines

EXAMPLE = """tally 1
game high-five            # high-five | five-up | high-fives | highrise | high-five-tiles
seats Red Blue            # in turn order: each next seat sits to the left
option deal 7             # any option of the game (RULES.md), as often as needed
date 2026-11-20           # optional; further header words are kept and ignored

hand lead Red             # a new hand; `lead` says who leads where the rules don't
Red 5-5
Blue 0-5
Red 5-6
Blue 4-0
"""


def test_the_example_of_the_format() -> None:
    journal, lines, stopped = replay(read_tally(EXAMPLE, GAMES), GAMES)
    assert stopped is None
    found = game_json(journal, lines)
    assert list(found) == list(NOTHING)
    assert found["options"]["deal"] == 7
    first = {"line": 7, "hand": 1, "turn": None, "seat": None, "entry": "hand lead Red"}
    nothing: dict[str, object] = {
        "ends": None,
        "count": None,
        "points": 0,
        "payments": [],
        "notices": [],
    }
    assert found["entries"][0] == {**first, **nothing}
    assert found["entries"][1] == {
        "line": 8,
        "hand": 1,
        "turn": 1,
        "seat": "Red",
        "entry": "Red 5-5",
        "ends": [5, 5],
        "count": 10,
        "points": 10,
        "payments": [{"from": "Blue", "to": "Red", "points": 10, "why": "count"}],
        "notices": [],
    }
    assert [entry["ends"] for entry in found["entries"][2:]] == [[0, 5, 5], [0, 6], [4, 6]]
    assert {name: value for name, value in found.items() if name not in ("entries", "options")} == {
        "game": "high-five",
        "seats": ["Red", "Blue"],
        "scores": {"Red": 10, "Blue": 20},
        "stock": {"Red": 130, "Blue": 140},
        "winner": None,
        "finished": False,
        "next_lead": None,
    }


def test_a_line_an_entry_for_people() -> None:
    journal, lines, _ = replay(read_tally(EXAMPLE, GAMES), GAMES)
    assert list(replay_lines(journal, lines)) == [
        "   7  1/    hand lead Red",
        "   8  1/1   Red 5-5        10, Blue pays Red 10 (count)",
        "   9  1/2   Blue 0-5       10+0 = 10, Red pays Blue 10 (count)",
        "  10  1/3   Red 5-6        0+6 = 6",
        "  11  1/4   Blue 4-0       4+6 = 10, Red pays Blue 10 (count)",
        "",
        "Red 10, Blue 20",
        "Red's turn",
    ]
