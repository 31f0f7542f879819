"""The tally: reading, writing, and every possible fault of a line."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.commands.replay import replay
from companion.core.seats import Seats
from companion.games.game import RULES
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Step
from companion.record.tally import TallyError, format_tally, play_tally, read_tally
from tests.catalog import GAMES
from tests.sample_games import RACE_RULES, Scored

EIGHT = ("Åsa", "B_B", "c", "D", "E", "F-1", "g2", "H")

TEXT = """tally 1
game race
seats Red Blue
option goal 150
date 2026-11-20
place the kitchen

Red scores 20
Blue scores 0
"""


def played(text: str) -> Journal[Any]:
    journal, _, stopped = replay(read_tally(text, RACE_RULES), RACE_RULES)
    assert stopped is None
    return journal


def error_of(text: str) -> str:
    try:
        for _ in play_tally(read_tally(text, {**GAMES, **RACE_RULES}), {**GAMES, **RACE_RULES}):
            pass
    except TallyError as error:
        assert "\n" not in str(error)
        return str(error)
    pytest.fail("nothing was wrong")


def test_a_written_tally_is_read_back_exactly() -> None:
    journal = played(TEXT)
    words = (("date", "2026-11-20"), ("place", "the kitchen"))
    assert journal.opened == GameOpened("race", Seats.of("Red", "Blue"), {"goal": 150}, words=words)
    assert journal.entries == (Scored(journal.opened.seats.order[0], 20), Scored(*("Blue", 0)))  # type: ignore[arg-type]
    assert format_tally(journal) == TEXT


def test_layout_comments_and_case_do_not_matter() -> None:
    text = """\ufeff
    # an evening
    TALLY 1\r
  Game RACE   # the race
 Seats Red Blue\t# to the left
\tOption Goal 150
Date 2026-11-20\r\n\r\nPlace the kitchen
   Red\tSCORES   20   # well done

Blue Scores 0"""
    assert format_tally(played(text)) == TEXT


def test_a_tally_has_every_option() -> None:
    text = "tally 1\ngame high-five\nseats Red Blue\n"
    journal, _, _ = replay(read_tally(text, GAMES), GAMES)
    written = format_tally(journal)
    assert "option deal 7\noption leave 0\noption rounding nearest\n" in written
    assert format_tally(replay(read_tally(written, GAMES), GAMES)[0]) == written


def test_a_tally_names_the_older_rules_of_its_game() -> None:
    text = TEXT.replace("tally 1\n", "tally 1\nrules 1\n")
    journal = played(text)
    assert (journal.opened.rules, journal.state.rules) == (1, 1)
    assert format_tally(journal) == text
    assert played(TEXT).opened.rules == RULES
    assert format_tally(played(TEXT.replace("tally 1\n", f"tally 1\nrules {RULES}\n"))) == TEXT


def test_an_amended_game_is_written_as_amended() -> None:
    from companion.record.rows import Amend

    journal = played(TEXT)
    journal = journal.fold(Amend(0, (Scored(journal.opened.seats.order[0], 3),)))
    assert format_tally(journal) == TEXT.replace("scores 20", "scores 3")


@given(
    st.integers(2, 8).flatmap(
        lambda seats: st.permutations(EIGHT).map(lambda names: names[:seats])
    ),
    st.sampled_from([50, 100, 200]),
    st.lists(st.integers(0, 20), max_size=30),
    st.lists(
        st.tuples(st.sampled_from(["date", "place", "note"]), st.sampled_from(["", "a b", "1"]))
    ),
)
def test_exported_games_replay_to_the_same_game(
    names: list[str], goal: int, scored: list[int], words: list[tuple[str, str]]
) -> None:
    opened = GameOpened("race", Seats.of(*names), {"goal": goal}, words=tuple(words))
    journal = Journal.begin(opened, RACE_RULES)
    for points in scored:
        if journal.state.to_move is None:
            break
        journal = journal.fold(Step((Scored(journal.state.to_move, points),)))
    again = played(format_tally(journal))
    assert again.opened == journal.opened
    assert again.entries == journal.entries
    assert again.states == journal.states
    assert format_tally(again) == format_tally(journal)


HEAD = "tally 1\ngame race\nseats Red Blue\n"
LINE = "tally 1\ngame high-five\nseats Red Blue\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: this tally is empty: it begins with “tally 1”"),
        ("# only this\n\n", "1: this tally is empty"),
        ("game race\n", "1: a tally begins with the line “tally 1”, not “game”"),
        ("\n\nhello\n", "3: a tally begins with the line “tally 1”, not “hello”"),
        ("tally 2\n", "1: this program reads “tally 1”, not version 2"),
        ("tally\n", "1: this program reads “tally 1”, not version nothing"),
        ("tally 1\ntally 1\n", "2: “tally” is already on line 1"),
        ("tally 1\nrules 9\n", "2: this program knows rules 1, 2 and 3, not 9"),
        ("tally 1\nrules\n", "2: this program knows rules 1, 2 and 3, not nothing"),
        ("tally 1\nrules 1\nrules 2\n", "3: “rules” is already on line 2"),
        ("tally 1\n", "1: which game? A line “game NAME” is missing"),
        ("tally 1\ngame\n", "2: which game? One name"),
        (
            "tally 1\ngame high-fiv\nseats A B\n",
            "2: there is no game high-fiv: did you mean high-five?",
        ),
        ("tally 1\ngame race\ngame race\n", "3: “game” is already on line 2"),
        ("tally 1\ngame race\n", "2: who plays? A line “seats NAME NAME …” is missing"),
        ("tally 1\ngame race\nseats\n", "3: Race is for 2 to 8 players, not 0"),
        ("tally 1\ngame race\nseats A B C D E F G H I\n", "3: Race is for 2 to 8 players, not 9"),
        ("tally 1\ngame five-up\nseats A B C D E\n", "3: Five Up is for 2 to 4 players, not 5"),
        (
            "tally 1\ngame race\nseats Red Red\n",
            "3: two seats are called Red: give each",
        ),
        ("tally 1\ngame race\nseats Red Hand\n", "3: Hand is a word of the tally"),
        ("tally 1\ngame race\nseats Red SCORES\n", "3: SCORES is a word of the tally"),
        ("tally 1\ngame race\nseats Red big-6\n", "3: big-6 is a word of the tally"),
        (HEAD + "seats Red Blue\n", "4: “seats” is already on line 3"),
        (HEAD + "option goal\n", "4: an option is written “option NAME VALUE”"),
        (HEAD + "option gaol 100\n", "4: Race has no option gaol: it has goal"),
        (HEAD + "option goal 77\n", "4: option goal is 50 to 200 in steps of 50 for 2 players"),
        (HEAD + "option goal ten\n", "4: ten is not a number"),
        (HEAD + "option goal 100\noption goal 150\n", "5: option goal is already on line 4"),
        (LINE + "option deal 20\n", "4: option deal is 3 to "),
        (LINE + "option chip-set 10x15\n", "4: 10x15 has too few fives"),
        ("tally 1\nRed scores 5\ngame race\nseats red Blue\n", "2: “red” must come after"),
        ("tally 1\nhand\ngame high-five\nseats Red Blue\n", "2: “hand” must come after the lines"),
        (HEAD + "Red scores 5\noption goal 100\n", "5: “option” belongs above the first entry"),
        (HEAD + "Red jumps 5\n", "4: “jumps” is not an action of a seat: scores"),
        (HEAD + "Red scores\n", "4: nothing is not a number"),
        (HEAD + "Red scores 5 6\n", "4: too many words: what does “6” mean here?"),
        (HEAD + "Rde scores 5\n", "4: “Rde” is neither a seat (Red, Blue) nor"),
        (HEAD + "red scores 5\n", "4: “red” is neither a seat (Red, Blue) nor"),
        (HEAD + "\n# so\nRed scores 5\nRed scores 5\n", "7: it is Blue's turn, not Red's"),
        (LINE + "hand lead Red\nRed 5-5\nBlue 6-4\n", "6: "),
        (LINE + "hand lead Red\nRed 5-9\n", "5: 5-9 is not in a double-six set"),
        (LINE + "Red 5-5\n", "4: "),
    ],
)
def test_errors_name_the_line_and_the_fault(text: str, message: str) -> None:
    assert error_of(text).startswith(message)


def test_entries_before_a_refused_line_are_played() -> None:
    tally = read_tally(
        HEAD + "Red scores 5\nBlue scores 6\nBlue scores 7\nRed scores 8\n", RACE_RULES
    )
    journal, lines, stopped = replay(tally, RACE_RULES)
    assert (journal.length, lines) == (2, [4, 5])
    assert str(stopped) == "6: it is Red's turn, not Blue's"


@given(st.text(alphabet="tally 1\ngame race\nseats Red Blue#scores\x00\x85\u2028-!@é5\r\t"))
def test_any_text_is_read_or_refused(text: str) -> None:
    for begin in ("", HEAD, LINE, LINE + "hand lead Red\nRed 5-5\n"):
        try:
            replay(read_tally(begin + text, {**GAMES, **RACE_RULES}), {**GAMES, **RACE_RULES})
        except TallyError as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize(("line", "near"), [("options deal 9", "option"), ("hnd lead Red", "hand")])
def test_misspelt_words_are_not_header_words(line: str, near: str) -> None:
    text = f"tally 1\ngame high-five\nseats Red Blue\n{line}\nhand\n"
    word = line.split(maxsplit=1)[0]
    assert error_of(text) == f"4: there is no line “{word}”: did you mean {near}?"


def test_names_are_read_and_compared_in_composed_form() -> None:
    in_parts, jose = "Jose\u0301", "José"
    text = "tally 1\ngame high-five\nseats {} Bo\n\nhand\n{} 6-6\nBo 6-3\n"
    for one in (in_parts, jose):
        for other in (in_parts, jose):
            tally = read_tally(text.format(one, other), GAMES)
            *_, last = play_tally(tally, GAMES)
            assert tally.opened.seats.order == (jose, "Bo")
            assert str(last.journal.entries[1]) == f"{jose} 6-6"
    with pytest.raises(TallyError, match="two seats are called José"):
        read_tally(f"tally 1\ngame high-five\nseats {jose} {in_parts}\n", GAMES)
