"""`replay --json` prints what docs/tally.md describes, no more and no less."""

import json
import subprocess
import sys
import tracemalloc
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.commands.replay import EMPTY_GAME_JSON, game_json, replay, replay_lines
from companion.core.errors import LONGEST
from companion.record.journal import Journal
from companion.record.tally import TallyError, format_tally, read_tally
from tests.catalog import GAMES

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


def test_the_documented_example_is_replayed() -> None:
    journal, lines, stopped = replay(read_tally(EXAMPLE, GAMES), GAMES)
    assert stopped is None
    found = game_json(CATALOG, journal, lines)
    assert list(found) == list(EMPTY_GAME_JSON)
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
        "winners": [],
        "finished": False,
        "next_lead": None,
    }


def test_payments_of_points_on_one_line_are_in_seat_order() -> None:
    """Here a ruling also settles the hand: the offender's deduction was written down first."""
    text = (
        "tally 1\ngame all-fives\nseats Red Blue\noption set R\nhand lead Red\nRed 6-6\nBlue draw\n"
    )
    text += (
        "Blue 6-5\nblocked\nRed pips 3\nbogus Blue by Red turn 2\nBlue pips 20\nrule Blue bogus\n"
    )
    journal, lines, stopped = replay(read_tally(text, GAMES), GAMES)
    assert stopped is None
    paid = game_json(CATALOG, journal, lines)["entries"][-1]["payments"]
    assert paid == [
        {"from": None, "to": "Red", "points": 20, "why": "blocked"},
        {"from": None, "to": "Blue", "points": -30, "why": "bogus"},
    ]


def test_replay_prints_one_line_for_each_entry() -> None:
    journal, lines, _ = replay(read_tally(EXAMPLE, GAMES), GAMES)
    assert list(replay_lines(CATALOG, journal, lines)) == [
        "   7  1/    hand lead Red",
        "   8  1/1   Red 5-5        10, Blue pays Red 10 (count)",
        "   9  1/2   Blue 0-5       10+0 = 10, Red pays Blue 10 (count)",
        "  10  1/3   Red 5-6        0+6 = 6",
        "  11  1/4   Blue 4-0       4+6 = 10, Red pays Blue 10 (count)",
        "",
        "Red 10, Blue 20",
        "Red's turn",
    ]


# ---------------------------------------------------------------- long ones

HEADER = "tally 1\ngame high-five\nseats Red Blue\n\nhand\nRed 6-6\n"
LONG = {
    "passes": "Blue pass\nRed pass\n",
    "draws": "Blue draw\nBlue draw\n",
    "returns": "Blue draw\nBlue return 1-1\n",
}


def replayed(text: str) -> Journal[Any]:
    journal, _, stopped = replay(read_tally(text, GAMES), GAMES)
    assert stopped is None
    return journal


def calls_of(text: str) -> int:
    """The number of function calls for replaying a tally."""
    calls = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        replayed(text)
    finally:
        sys.setprofile(None)
    return calls


def bytes_of(text: str) -> int:
    """The number of bytes that a replayed tally keeps."""
    tracemalloc.start()
    try:
        journal = replayed(text)
        kept, _ = tracemalloc.get_traced_memory()
        assert journal.length
    finally:
        tracemalloc.stop()
    return kept


@pytest.mark.parametrize("what", LONG)
def test_replay_time_is_proportional_to_the_length_of_a_hand(what: str) -> None:
    short, long = (HEADER + LONG[what] * number for number in (150, 600))
    replayed(long)  # what is made once and kept
    assert calls_of(long) < 5 * calls_of(short)
    assert bytes_of(long) < 6 * bytes_of(short)


def test_a_hand_of_ten_thousand_draws_takes_less_than_100_megabytes(tmp_path: Path) -> None:
    tally = tmp_path / "long.tally"
    tally.write_text(HEADER + "Blue draw\n" * 10_000)
    command = (
        "import sys; from companion.commands.cli import main; main(sys.argv[1:]); "
        "print(open('/proc/self/status').read(), file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", command, "replay", "--json", str(tally)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(json.loads(ran.stdout)["entries"]) == 10_002
    most = ran.stderr.partition("VmHWM:")[2].split()[0]
    assert int(most) < 100_000  # kB


@pytest.mark.parametrize("line", ["Blue ends" + " 5" * 3000, "Blue " + "x" * 5000, "#" * 5000])
def test_a_line_that_is_too_long_is_refused(line: str) -> None:
    journal, lines, stopped = replay(read_tally(HEADER + line + "\nBlue 6-3\n", GAMES), GAMES)
    assert (journal.length, lines) == (2, [5, 6])
    assert str(stopped) == "7: a line has 4,096 characters at most: this one is longer"
    with pytest.raises(TallyError, match="1: a line has"):
        read_tally("x" * 5000, GAMES)
    replayed(HEADER + "chips Blue 5 " + "x" * (4096 - len("chips Blue 5 ")))


@pytest.mark.parametrize("move", ["Red 6-6", "red 6-6", "RED draw", "Readd draw", "hand", "Red"])
def test_a_move_above_the_line_of_seats_is_refused(move: str) -> None:
    text = f"tally 1\ngame high-five\n{move}\nseats Red Blue\nhand\nRed 6-6\n"
    with pytest.raises(TallyError, match=r"^3: .* must come after the lines “game” and “seats”"):
        read_tally(text, GAMES)


def test_a_header_word_above_the_line_of_seats_is_kept() -> None:
    text = "tally 1\nplace kitchen draw\ngame high-five\nseats Red Blue\nhand\nRed 6-6\n"
    journal = replayed(text)
    assert journal.opened.words == (("place", "kitchen draw"),)
    assert replayed(format_tally(journal)).entries == journal.entries


MUCH_TOO_LONG = (
    "x" * 4000,
    "6-" * 1990,
    "5 " * 1900,
    "10x10+" * 600,
    "ä" * 3000,
    "-".join("6" * 1900),
)
TALLIES = sorted((Path(__file__).parents[1] / "games").glob("*.tally"))


@pytest.mark.parametrize("seed", range(20))
def test_no_refusal_is_longer_than_a_few_lines(seed: int) -> None:
    """Replays whole tallies in which a word is far too long, or names are long."""
    random = Random(seed)
    for _ in range(10):
        lines = random.choice(TALLIES).read_text("utf-8").splitlines()
        lines = [*filter(None, (line.partition("#")[0].strip() for line in lines))]
        at = random.randrange(min(len(lines), 14))
        words = lines[at].split()
        place = random.randrange(len(words) + 1)
        words[place : place + random.randrange(2)] = [random.choice(MUCH_TOO_LONG)]
        lines[at] = " ".join(words)[:4096]
        if random.random() < 0.3:
            lines = [line.replace("Red", "R" + "y" * 400) for line in lines]
        assert len(refused("\n".join(lines))) <= LONGEST, lines[at][:80]


def refused(text: str) -> str:
    try:
        return str(replay(read_tally(text, GAMES), GAMES)[2] or "")
    except TallyError as error:
        return str(error)


def test_a_long_quotation_is_shortened() -> None:
    found = refused(HEADER + "chips Blue " + "x" * 4000)
    assert found.startswith("7: ") and "x…" in found
    short = refused(HEADER + "Blue wins twice")
    assert "…" not in short
