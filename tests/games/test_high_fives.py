"""High Fives by RULES.md, section 3, and docs/tally.md."""

from itertools import product
from random import Random

import pytest

from companion.core.errors import EntryError
from companion.core.seats import Seats
from companion.games.game import AnyState, parse_entry
from companion.games.high_fives.entries import SET
from companion.games.high_fives.rules import HandSizes, boneyard, held
from companion.games.high_fives.tableau import (
    KnownTiles,
    captures_of,
    pairs_in,
    points_of,
    total_points,
)
from companion.games.tiles import Tile
from tests.catalog import GAMES
from tests.games.others.high_fives import HANDS, outcome, play, value
from tests.playing import TextGame, refused, table

TABLEAU = "tableau 0-1 1-2 7-7 8-9 10-15\n"


def opened(seats: str = "Red Blue") -> TextGame:
    return table(seats, "high-fives").say(f"hand lead Red\n{TABLEAU}")


def tile(text: str) -> Tile:
    return SET.parse(text)


# ---------------------------------------------------------------- tiles and deals


@pytest.mark.parametrize(
    ("text", "points"),
    [("5-5", 3), ("10-10", 5), ("15-15", 7), ("0-0", 1), ("7-8", 3), ("8-9", 0)],
)
def test_each_tile_has_its_points(text: str, points: int) -> None:
    assert points_of(tile(text)) == points


def test_all_tiles_together_have_a_hundred_points() -> None:
    assert len(SET) == 136
    assert total_points(SET.tiles) == 100
    assert sum(each.is_double for each in SET.tiles) == 16
    assert [points_of(each) for each in SET.tiles] == [value((t.low, t.high)) for t in SET.tiles]


@pytest.mark.parametrize("players", range(2, 9))
def test_the_number_of_players_decides_hands_turns_and_leftover_tiles(players: int) -> None:
    sizes = HandSizes.usual(players)
    turns = sum(map(sizes.tiles_each, range(1, sizes.hands + 1)))
    assert (sizes.hands, sizes.left_over, turns) == HANDS[players]
    assert 5 + turns * players + sizes.left_over == 136


# ---------------------------------------------------------------- what a turn takes


def test_the_example_in_the_rules_scores_as_stated() -> None:
    said = opened().say("Red 7-8 takes 8-9 pair 0-1 1-2")
    assert (said.scores, said.paid) == ({"Red": 3, "Blue": 0}, [(None, "Red", 3, "capture")])
    assert opened().say("Red 2-5 pair 0-1 1-2").paid == []
    assert opened().say("Red 2-5 takes 1-2").paid == []
    assert "aren't a pair" in refused(opened(), "Red 2-5 takes 0-1")
    three = "Red 2-5 takes 1-2 pair 0-1 1-2"
    with pytest.raises(EntryError, match="1-2 is in this line twice"):
        opened().say(three)


def test_a_tile_that_captures_nothing_joins_the_tableau() -> None:
    said = opened().say("Red 3-4\nBlue 4-11 takes 3-4")
    assert said.scores == {"Red": 0, "Blue": 3}
    assert "3-4 was already captured" in refused(said, "Red 3-5 takes 3-4")


def test_a_captured_pair_must_be_in_the_tableau_before_the_turn() -> None:
    said = opened().say("Red 8-15")
    assert said.say("Blue 0-0 pair 8-15 10-15").paid == [(None, "Blue", 5, "capture")]
    with pytest.raises(EntryError, match="in this line twice"):
        opened().say("Red 8-15 pair 8-15 10-15")


def test_capturing_is_optional() -> None:
    said = opened().say("Red 7-8")
    assert (said.paid, said.notices) == ([], [])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Red 7-7", "7-7 is already in the tableau"),
        ("Red 7-8 takes 8-15", "8-15 isn't in the tableau"),
        ("Red 7-8 takes 0-1", "7-8 and 0-1 aren't a pair"),
        ("Red 7-8 pair 0-1 7-7", "0-1 and 7-7 aren't a pair"),
        ("Red 7-8 pair 1-2 2-5", "2-5 isn't in the tableau"),
        ("Blue 7-8", "Red leads, not Blue"),
        ("Red points 99\nBlue points 2", "Only 1 of 100 points are left, not 2"),
        ("hand", "This hand is not over yet: 10 turns are to come"),
        ("left 5", "What is left is entered after the last turn of the last hand"),
        (TABLEAU, "The tableau is entered right after"),
        ("Red 7-8\nRed 1-1", "Blue is to move, not Red"),
        ("Red 7-8 takes 8-9\nBlue 7-8", "7-8 was already captured"),
    ],
)
def test_entries_against_the_rules_are_refused(text: str, words: str) -> None:
    assert words in refused(opened(), text)


@pytest.mark.parametrize(
    "text",
    ["Red 7-16", "Red 7-8 takes", "Red 7-8 pair 0-1", "Red 7-8 pair 0-1 1-2 takes 8-9",
     "Red points", "Red points 101", "Red points -1", "Red points 5 5", "Red points 3 !",
     "left -1", "left 5 5", "tableau", "tableau 1-1 1-1 2-2 3-3 4-4", "Red !", "Red W-1"],
)  # fmt: skip
def test_unreadable_entries_are_refused(text: str) -> None:
    with pytest.raises(EntryError):
        opened().say(text)


# ---------------------------------------------------------------- the tableau, known or not


def test_the_tableau_has_five_tiles_and_need_not_be_entered() -> None:
    said = table("Red Blue", "high-fives").say("hand")
    assert "5 tiles are turned face up now, not 2" in refused(said, "tableau 0-1 1-2")
    said.say("Blue 1-2 takes 2-15")
    assert not said.state.board.table.known
    assert "right after" in refused(said, TABLEAU)
    assert said.state.to_move == "Red"
    assert said.state.board.leader == "Blue"


def test_if_the_tableau_is_unknown_only_tiles_seen_before_are_refused() -> None:
    said = table("Red Blue", "high-fives").say("hand\nRed 1-2 takes 2-15\nBlue 3-3\nRed 4-4")
    assert "2-15 was already captured" in refused(said, "Blue 0-15 takes 2-15")
    assert "3-3 was already laid or turned up" in refused(said, "Blue 3-3")
    assert said.say("Blue 3-5 takes 3-3 pair 4-4 4-15").scores["Blue"] == 1 + 1
    assert "4-15 was already captured" in refused(said, "Red 4-15")


def test_after_an_entry_of_points_the_tableau_stays_unknown() -> None:
    said = opened().say("Red points 4\nBlue 5-10 takes 10-15")
    assert said.scores == {"Red": 4, "Blue": 8}
    assert not said.state.board.table.known
    assert said.state.board.taken.scoring == ((tile("5-10"), 3), (tile("10-15"), 5))


def test_an_insisted_entry_makes_the_tableau_unknown() -> None:
    said = opened().say("Red 7-8 takes 8-15 !")
    assert said.scores == {"Red": 3, "Blue": 0}
    assert not said.state.board.table.known
    told = opened().say("Red 7-8!").state.board.table
    assert (told.known, told.places, told.captured) == (False, (), 0)
    assert opened().say("Red 7-7 !\nBlue 5-10 takes 10-15").scores["Blue"] == 8


def test_captures_are_listed_by_points() -> None:
    lying = KnownTiles().turned_up(map(tile, ("0-1", "1-2", "7-7", "8-9", "10-15", "7-15")))
    assert [*map(str, captures_of(lying, tile("7-8")))] == ["7-7", "7-15", "8-9"]
    assert captures_of(lying, tile("3-4")) == ()
    pairs = [" ".join(map(str, pair)) for pair in pairs_in(lying)]
    assert pairs == ["7-15 10-15", "7-7 7-15", "0-1 1-2"]
    assert [*map(str, pairs_in(lying, tile("7-15"))[0])] == ["0-1", "1-2"]


def test_a_tile_keeps_its_place_until_it_is_captured() -> None:
    board = opened().say("Red 7-8 takes 8-9\nBlue 3-4\nRed 5-6").state.board.table
    assert [str(each) for each in board.places] == ["0-1", "1-2", "7-7", "3-4", "10-15", "5-6"]
    assert board.latest == 5


# ---------------------------------------------------------------- hands and the end


def test_the_first_leader_leads_every_hand() -> None:
    said = opened("A Red").say("Red 2-2\nA 3-3\nRed 4-4\nA 5-5\nRed 6-6\nA 7-9\nRed 8-8")
    said.say("A 9-9\nRed 10-10\nA 11-11")
    assert (said.state.to_move, said.next_lead) == (None, "Red")
    assert "deal the next one" in refused(said, "Red 12-12")
    assert "Red leads every hand, not A" in refused(said, "hand lead A")
    assert said.say("hand").state.to_move == "Red"


def finished(random: Random, players: int, told: str) -> tuple[TextGame, list[str]]:
    """A random game and its lines. `told`: “tiles” if every tile is entered, “else” if points or
    the number of tiles left are entered instead."""
    while True:
        lines = play(random, players)
        known = (
            "tiles"
            if not any(" points " in one or one.startswith("left") for one in lines)
            else "else"
        )
        if known == told:
            seats = " ".join(f"P{number}" for number in range(players))
            return table(seats, "high-fives").say("\n".join(lines)), lines


def test_with_a_known_tableau_the_game_ends_and_an_entry_of_left_checks_it() -> None:
    said, _ = finished(Random(3), 3, "tiles")
    left = said.state.board.left
    assert said.state.finished
    assert (said.notices, said.state.to_move, said.next_lead) == ([], None, None)
    assert sum(said.scores.values()) + left == 100
    assert "over" in refused(said, "P0 points 0")
    before = said.state
    assert said.say(f"left {left}").notices == []
    assert "over" in refused(said, "left")
    said.state = before
    said.say(f"left {left + 2}")
    assert [notice["points"] for notice in said.state.effect.notices] == [-2]


def test_the_points_left_must_be_entered_if_the_tableau_is_unknown() -> None:
    said = table("A B C D E F G H", "high-fives")
    for hand in range(1, 6):
        said.say("hand lead A")
        for turn in range(8 * HandSizes.usual(8).tiles_each(hand)):
            said.say(f"{'ABCDEFGH'[turn % 8]} points {int(hand == 1)}")
    assert (said.state.to_move, said.state.finished) == (None, False)
    assert "enter what is left" in refused(said, "A points 1")
    assert "last hand" in refused(said, "hand")
    before = said.state
    said.say("left 60")
    assert [notice["points"] for notice in said.state.effect.notices] == [8]
    assert said.state.winners == tuple("ABCDEFGH")
    assert said.state.winner is None
    said.state = before
    assert said.say("left").notices == []
    assert said.state.finished


def test_without_the_leftover_tiles_the_tableau_is_unknown() -> None:
    said, lines = finished(Random(5), 8, "tiles")
    at = next(n for n, line in enumerate(lines) if n > 3 and line.startswith("tableau"))
    seats = "P0 P1 P2 P3 P4 P5 P6 P7"
    without = table(seats, "high-fives").say("\n".join(lines[:at]))
    assert "3 tiles are turned face up now, not 1" in refused(without, "tableau 0-0")
    without.say(lines[at + 1])
    assert not without.state.board.table.known
    assert len(said.state.board.table.tiles) > 0


def test_an_unfinished_game_has_no_winner() -> None:
    said = opened().say("Red 5-10 takes 10-15\nend supper")
    assert (said.state.finished, said.state.winners, said.state.ended) == (True, (), "supper")


# ---------------------------------------------------------------- lost entries


def test_after_lost_entries_the_game_goes_on() -> None:
    said = opened().say("Red 7-8 takes 8-9")
    game = GAMES["high-fives"]
    said.state = game.after_loss(said.state, Seats.of("Red", "Blue").order[0])
    said.say("Red 10-10 takes 10-15\nBlue 3-3\nhand\nRed points 1\nBlue points 0")
    assert said.scores == {"Red": 3 + 10 + 1, "Blue": 0}
    said.say("left 86")
    assert said.state.finished


# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("seed", range(8))
def test_random_games_agree_with_the_oracle(players: int, seed: int) -> None:
    lines = play(Random(seed * 10 + players), players)
    seats = [f"P{number}" for number in range(players)]
    game, state = GAMES["high-fives"], table(" ".join(seats), "high-fives").state
    expected, points = outcome(seats, lines), []
    for line in lines:
        state = game.apply(state, parse_entry(line, game, state.seats))
        points.append(state.effect.points)
        assert_conserved(state)
    assert points == expected.points
    assert dict(state.scores.items()) == expected.scores
    most = max(expected.scores.values())
    assert state.winners == tuple(seat for seat in seats if expected.scores[seat] == most)
    assert state.board.left == expected.left
    missing = [notice["points"] for notice in state.effect.notices]
    assert missing == ([expected.missing] if expected.missing else [])


def assert_conserved(state: AnyState) -> None:
    """Checks that every tile seen was captured or is in the tableau, and that the numbers agree."""
    known: KnownTiles = state.board.table
    assert known.captured & ~known.seen == 0
    if known.known:
        lying = sum(each.bit for each in known.tiles)
        assert lying == known.seen & ~known.captured
        assert len(known.tiles) == lying.bit_count()


# ---------------------------------------------------------------- rules of the house


@pytest.mark.parametrize("players", range(2, 9))
def test_any_two_hand_sizes_can_be_combined(players: int) -> None:
    game = GAMES["high-fives"]
    for first, later in product(*(option.choices(players) for option in game.options[:2])):
        sizes = HandSizes(players, int(first), int(later))
        dealt = sum(map(sizes.tiles_each, range(1, sizes.hands + 1)))
        assert sizes.hands >= 2
        assert 0 <= sizes.left_over < players * sizes.later
        assert 5 + players * dealt + sizes.left_over == 136


def test_chosen_hand_sizes_are_dealt_and_counted() -> None:
    said = table("Red Blue", "high-fives", deal="7", later_deal="6").say("hand lead Red")
    for _ in range(7):
        assert boneyard(said.state) == 136 - 5 - 14
        said.say("Red points 0").say("Blue points 0")
    said.say("hand")
    assert (held(said.state), boneyard(said.state)) == ({"Red": 6, "Blue": 6}, 136 - 5 - 14 - 12)
    with pytest.raises(EntryError, match="option deal is 3 to 8 for 2 players, not 10"):
        table("Red Blue", "high-fives", deal="10")
    with pytest.raises(EntryError, match="option later-deal is 3 to 8 for 8 players, not 9"):
        table("A B C D E F G H", "high-fives", later_deal="9")


def must_capture() -> TextGame:
    return table("Red Blue", "high-fives", capture="compulsory").say(f"hand lead Red\n{TABLEAU}")


def test_compulsory_captures_are_enforced() -> None:
    words = "7-8 can take 7-7 or 8-9: capturing is compulsory here"
    assert refused(must_capture(), "Red 7-8") == words
    assert "7-8 can take" in refused(must_capture(), "Red 7-8 pair 0-1 1-2")
    assert must_capture().say("Red 7-8 takes 7-7").scores["Red"] == 4
    assert must_capture().say("Red 3-4").scores["Red"] == 0, "it matches nothing"
    assert must_capture().say("Red 3-4 pair 0-1 1-2").scores["Red"] == 0
    assert opened().say("Red 7-8").scores["Red"] == 0, "usually it is free"


def test_insisted_or_unknown_tiles_are_never_refused() -> None:
    assert must_capture().say("Red 7-8 !").scores["Red"] == 0
    unknown = table("Red Blue", "high-fives", capture="compulsory").say("hand lead Red")
    assert unknown.say("Red 7-8").scores["Red"] == 0
    assert must_capture().say("Red points 0\nBlue 7-8").scores["Blue"] == 0


def test_a_refusal_names_at_most_three_tiles() -> None:
    said = table("Red Blue", "high-fives", capture="compulsory")
    said.say("hand lead Red\ntableau 0-1 0-2 0-3 0-4 0-5")
    assert refused(said, "Red 0-0").startswith("0-0 can take 0-5, 0-1 or another")
