"""Highrise by RULES.md, section 4, and docs/tally.md: scores of plays, refusals, and the ends of
hands and games."""

import pytest

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.games.game import RULES, parse_entry
from companion.games.highrise.building import values
from companion.games.highrise.entries import SET
from companion.games.highrise.rules import TARGET
from tests.catalog import GAMES
from tests.games.highrise import BASEMENT, opened
from tests.playing import TextGame, refused, table

# ---------------------------------------------------------------- what a play scores


@pytest.mark.parametrize(
    ("tile", "on", "level", "points"),
    [("4-3", "4-3", 1, 7), ("6-3", "6-3", 2, 18), ("W-3", "4-3", 3, 21), ("W-W", "4-W", 2, 22),
     ("0-0", "0-0", 5, 0), ("W-W", "W-W", 1, 14), ("5-2", "W-W", 12, 84), ("0-W", "W-0", 3, 0)],
)  # fmt: skip
def test_the_worked_cases_of_plays_have_the_expected_results(
    tile: str, on: str, level: int, points: int
) -> None:
    assert sum(values(SET.parse_halves(tile), SET.parse_halves(on))) * level == points
    said = table("Red Blue", "highrise").say("hand lead Red")
    said.say(f"Red {tile} on {on.replace('-', ' ')} level {level}")
    assert said.scores == {"Red": points, "Blue": 0}
    assert said.paid == ([(None, "Red", points, "lay")] if points else [])


def test_the_set_has_36_tiles_and_wild_halves_count_7_in_hand() -> None:
    assert len(SET) == 36
    assert SET.parse("W-2").pips == 9
    assert SET.parse("w-w").pips == 14


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Blue 4-3", "Red leads, not Blue"),
        ("Red 4-3\nRed 1-2", "Blue is to move, not Red"),
        ("Red 5-5", "5-5 is already in the building"),
        ("Red 4-3\nBlue 3-4", "3-4 is already in the building"),
        ("Red 4-3 on 3 4", "4-3 can't be laid there: it fits on 4 3 level 1"),
        ("Red 4-3 level 2", "4-3 can't be laid there"),
        ("Red draw\nRed draw", "One tile is drawn in a turn"),
        ("Red holds 1-2", "Holdings are shown when the hand is over"),
        ("Red out", "Nobody can go out now"),
        ("Red 4-3\nBlue out", "Red laid last"),
        ("Red 4-3\nRed out\nRed pips 5", "Red is out and has no tiles"),
        ("Red 4-3\nRed out\nBlue holds 4-3", "3-4 is on the table"),
        ("hand", "This hand is not over yet"),
        (BASEMENT, "The basement is entered once"),
        ("Red 4-3\nRed out\nhand", "First show what Blue holds"),
    ],
)
def test_entries_against_the_rules_are_refused(text: str, words: str) -> None:
    assert words in refused(opened(), text)


def test_the_basement_comes_before_every_play() -> None:
    assert "right after the hand" in refused(opened(""), "Red draw\n" + BASEMENT)


@pytest.mark.parametrize(
    "text",
    ["Red 4-7", "Red 4-W-1", "Red 4-3 on 4", "Red 4-3 level 0", "Red 4-3 level", "Red 4-3 level x",
     "Red 4-3 spacer 9", "Red 4-3 level 1 on 4 3", "Red 4-3 !", "Red draw 2", "Red pips 253",
     "Red holds 1-2 2-1", "basement 1-1", "basement 1-1 1-1 2-2 3-3 4-4 5-5 6-6 0-0", "Red W",
     "Red 4-3 on 4 3 level 1 spacer 4 4", "redeal", "Red return", "chips Red 5 x"],
)  # fmt: skip
def test_unreadable_entries_are_refused(text: str) -> None:
    with pytest.raises(EntryError):
        opened("").say(text)


# ---------------------------------------------------------------- the end of a hand


def test_going_out_scores_all_pips_of_the_other_seats() -> None:
    said = opened("", "Red Blue Green").say(
        "Red 4-3 level 1\nRed out\nBlue holds 6-0\nGreen holds W-2"
    )
    assert said.paid == [(None, "Red", 15, "out")]
    assert said.scores == {"Red": 22, "Blue": 0, "Green": 0}
    assert said.state.effect.points == 15
    assert GAMES["highrise"].next_lead(said.state) == "Blue"


def test_a_seat_without_counted_tiles_is_out_unless_an_entry_contradicts_that() -> None:
    lays = [f"Red {a}-5 level 1\nBlue {a}-4 level 1" for a in range(4)]
    said = opened("").say("\n".join([*lays, "Red 0-0 level 1"]))
    assert said.state.to_move is None
    before = said.state
    assert said.say("Red out").notices == []
    assert said.say("Blue pips 7").paid == [(None, "Red", 7, "out")]
    said.state = before
    assert said.say("Blue 4-4 level 1").notices == ["count-doubtful"]
    assert said.say("Red 1-1 level 1").notices[-1:] == ["count-doubtful"]
    said.state = before
    assert said.say("Red holds 1-1").notices == ["count-doubtful"], "blocked: Red is not out"
    assert said.say("Blue pips 7").paid == [
        (None, "Red", -2, "blocked"),
        (None, "Blue", -7, "blocked"),
    ]


ZERO = """hand lead A
A 1-2 level 1
B 1-3 level 1
C 1-4 level 1
A 1-5 level 1
B 1-6 level 1
C 2-3 level 1
A 2-4 level 1
B 2-5 level 1
C 2-6 level 1
A 3-4 level 1
B 3-5 level 1
C 3-6 level 1
A 4-5 level 1
A holds 0-0
B pips 7
C pips 20"""


@pytest.mark.parametrize(
    ("rules", "scores"),
    [(2, {"A": 58, "B": 26, "C": 27}), (RULES, {"A": 31, "B": 19, "C": 7})],
)
def test_the_double_blank_alone_is_a_holding_since_version_3_of_the_rules(
    rules: int, scores: dict[str, int]
) -> None:
    """A game under an older version is unchanged."""
    said = table("A B C", name="highrise")
    said.state = said.state._replace(rules=rules)
    assert said.say(ZERO).scores == scores


def test_an_unknown_word_is_refused_with_a_list_of_words() -> None:
    seats = Seats.of("Red", "Blue")
    with pytest.raises(EntryError) as refused:
        parse_entry("Red jumps", GAMES["highrise"], seats)
    assert str(refused.value).endswith(": draw, pass, out, holds, pips, or a tile as in 5-6")
    assert str(parse_entry("Red w-w level 2", GAMES["highrise"], seats)) == "Red W-W level 2"


def test_after_a_block_each_seat_loses_its_own_pips() -> None:
    said = opened("").say("Red 4-3 level 1\nblocked\nBlue holds 0-0\nRed holds W-W")
    assert said.paid == [(None, "Red", -14, "blocked")]
    assert (said.scores, said.state.effect.points) == ({"Red": -7, "Blue": 0}, -14)
    said = opened("").say("Red draw\nblocked\nRed pips 3\nBlue pips 4")
    assert said.paid == [(None, "Red", -3, "blocked"), (None, "Blue", -4, "blocked")]


def test_passes_by_all_seats_with_an_empty_boneyard_block_the_hand() -> None:
    said = opened("")
    for turn in range(18):
        seat = ("Red", "Blue")[turn % 2]
        assert said.say(f"{seat} draw").notices == []
        assert said.say(f"{seat} pass").notices == []
    assert said.state.to_move == "Red"
    assert said.say("Red pass").state.to_move is None, "Blue passed after drawing the last tile"
    before = said.state
    said.say("blocked\nRed pips 1\nBlue pips 0")
    assert said.scores == {"Red": -1, "Blue": 0}
    said.state = before
    assert said.say("Red pips 1\nBlue pips 0").scores == {"Red": -1, "Blue": 0}


def test_a_pass_without_a_draw_gives_a_notice() -> None:
    said = opened("").say("Red pass")
    assert (said.notices, said.state.to_move) == (["pass-with-boneyard"], "Blue")
    said = opened("").say("Red draw\nRed pass")
    assert (said.notices, said.state.effect.turn) == ([], 2)


def test_the_first_seat_to_act_leads_and_the_next_hand_is_led_by_the_next_seat() -> None:
    said = table("Red Blue Green", "highrise").say("hand\nGreen draw")
    assert said.state.to_move == "Green"
    said.say("Green 1-1 level 1\nGreen out\nRed pips 0\nBlue pips 0")
    assert "Red leads this hand, not Green" in refused(said, "hand lead Green")
    assert said.say("hand").state.to_move == "Red"


def test_a_seat_out_by_counted_tiles_can_show_tiles_after_another_seat_did() -> None:
    lays = ("1-2", "2-3", "3-4", "4-5", "5-6")
    told = [f"A {tile} level 1\nB pass\nC pass" for tile in lays[:-1]]
    text = "\n".join(["hand lead A", *told, f"A {lays[-1]} level 1\nB pips 4"])
    said = table("A B C", name="highrise").say(f"{text}\nA pips 7\nC pips 5")
    assert said.paid == [
        (None, seat, -pips, "blocked") for seat, pips in zip("ABC", (7, 4, 5), strict=True)
    ]
    sure = table("A B C", name="highrise").say(text.replace("B pips 4", "A out"))
    assert "is out and has no tiles" in refused(sure, "A pips 7")


# ---------------------------------------------------------------- the end of the game


def at(red: int, blue: int, **options: str) -> TextGame:
    """A hand with those scores, in which Red is out, and Blue still has to show its holding."""
    said = opened("", **options).say("Red 0-0 level 1\nRed out")
    scores = said.state.scores.put(Seat("Red"), red).put(Seat("Blue"), blue)
    said.state = said.state._replace(scores=scores)
    return said


def test_the_highest_total_wins_once_somebody_has_the_target() -> None:
    assert at(305, 312).say("Blue pips 0").state.winner == "Blue"
    assert at(299, 12).say("Blue pips 1").state.winner == "Red"
    assert not at(298, 12).say("Blue pips 1").state.finished
    assert at(98, 12, target="100").say("Blue pips 2").state.winner == "Red"
    over = at(305, 312).say("Blue pips 0")
    assert "The game is over" in refused(over, "hand")


def test_after_a_tie_play_goes_on() -> None:
    said = at(305, 312).say("Blue pips 7")
    assert not said.state.finished
    assert said.say("hand").state.to_move == "Blue"


def test_the_game_may_be_a_single_hand() -> None:
    assert at(5, 3, target="hand").say("Blue pips 1").state.winner == "Red"
    assert not at(2, 3, target="hand").say("Blue pips 1").state.finished
    assert GAMES["highrise"].to_win(at(5, 3, target="hand").state, Seat("Red")) is None
    assert GAMES["highrise"].to_win(at(5, 3).state, Seat("Red")) == 295


@pytest.mark.parametrize("value", ["99", "501", "one", "-1"])
def test_the_target_is_100_to_500_or_a_single_hand(value: str) -> None:
    assert TARGET.read("HAND", 2) == "hand"
    with pytest.raises(EntryError):
        TARGET.read(value, 2)


def test_after_lost_entries_the_game_goes_on() -> None:
    said = opened().say("Red 4-3")
    said.state = GAMES["highrise"].after_loss(said.state, Seats.of("Red", "Blue").order[0])
    assert "say the level" in refused(said, "Red 1-2")
    said.say("Red 1-2 level 3\nblocked\nRed pips 0\nBlue pips 0")
    assert said.scores == {"Red": 16, "Blue": 0}
