"""Highrise by RULES.md, section 4, and docs/tally.md."""

from collections.abc import Iterator
from random import Random

import pytest

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.games.game import AnyState, Unclear, parse_entry
from companion.games.highrise.board import HighriseBoard
from companion.games.highrise.building import SPACERS, Layout, Layouts, Result, values
from companion.games.highrise.entries import COLUMNS, SET, WILD, Built, parse_halves
from companion.games.highrise.rules import TARGET
from companion.presentation.highrise.moment import building_of
from tests.catalog import GAMES
from tests.games.others.highrise import Face, Spot, every_tower, outcome, play
from tests.playing import Said, refused, table

BASEMENT = "basement 4-1 3-2 6-0 5-5 2-4 1-1 0-3 6-2\n"
"""From above:

4 3 6 5 2 1 0 6
1 2 0 5 4 1 3 2
"""


def opened(basement: str = BASEMENT, seats: str = "Red Blue", **options: str) -> Said:
    return table(seats, "highrise", **options).say("hand lead Red\n" + basement)


def board(said: Said) -> HighriseBoard:
    found = said.state.board
    assert isinstance(found, HighriseBoard)
    return found


def layouts(said: Said) -> Layouts:
    """Every form that the building may have."""
    kept = board(said).layouts
    assert kept
    return kept


def choices(said: Said, text: str) -> list[str]:
    """The entries that are offered for a line that isn't clear."""
    before = said.state
    with pytest.raises(Unclear) as unclear:
        said.say(text)
    assert said.state == before
    return [str(choice.entry) for choice in unclear.value.choices]


# ---------------------------------------------------------------- what a play scores


@pytest.mark.parametrize(
    ("tile", "on", "level", "points"),
    [("4-3", "4-3", 1, 7), ("6-3", "6-3", 2, 18), ("W-3", "4-3", 3, 21), ("W-W", "4-W", 2, 22),
     ("0-0", "0-0", 5, 0), ("W-W", "W-W", 1, 14), ("5-2", "W-W", 12, 84), ("0-W", "W-0", 3, 0)],
)  # fmt: skip
def test_the_worked_cases_of_a_play(tile: str, on: str, level: int, points: int) -> None:
    assert sum(values(parse_halves(tile), parse_halves(on))) * level == points
    said = table("Red Blue", "highrise").say("hand lead Red")
    said.say(f"Red {tile} on {on.replace('-', ' ')} level {level}")
    assert said.scores == {"Red": points, "Blue": 0}
    assert said.paid == ([(None, "Red", points, "lay")] if points else [])


def test_the_set_has_36_tiles_and_wild_halves_count_7_in_hand() -> None:
    assert len(SET) == 36
    assert SET.parse("W-2").pips == 9
    assert SET.parse("w-w").pips == 14


# ---------------------------------------------------------------- where a tile lies


def test_with_the_basement_a_tile_alone_is_enough_where_one_result_is_left() -> None:
    said = opened().say("Red 4-3")
    assert said.scores["Red"] == 7
    assert str(said.state.effect.said) == "Red 4-3 on 4 3 level 1"
    said.say("Blue 5-6")
    assert str(said.state.effect.said) == "Blue 5-6 on 5 6 level 1"
    assert [top.level for top in layouts(said)[0].tops] == [1] * 4 + [0] * 12


def test_a_tile_that_may_come_to_several_things_is_asked_for() -> None:
    text = "basement 4-1 3-2 6-0 5-5 4-W 3-1 0-3 6-6"
    said = opened(text)
    offered = choices(said, "Red W-3")
    assert len(offered) == len({*offered}) > 1
    for words in offered:
        assert str(opened(text).say(words).state.effect.said) == words
    assert said.say("Red W-3 on 4 3").scores["Red"] == 7
    assert len(layouts(said)) == 2, "at the left, and on the 4 and 3 further right"


def test_layouts_that_a_later_play_rules_out_are_gone() -> None:
    said = opened("basement 4-1 3-2 6-0 5-5 4-W 3-1 0-3 6-6").say("Red 4-3")
    assert len(layouts(said)) == 2
    said.say("Blue 3-6 on 3 6 level 2 spacer 6")
    assert len(layouts(said)) == 1


def test_both_halves_of_one_tile_are_never_covered_together() -> None:
    offered = choices(opened(), "Red W-5")
    assert offered == [f"Red W-5 on {half} 5 level 1" for half in (0, 2, 4, 6)]
    assert "6-6 fits nowhere" in refused(opened(), "Red 6-6")


def test_a_spacer_lifts_a_half_that_is_one_level_lower() -> None:
    said = opened().say("Red 4-3\nBlue 3-6")
    assert str(said.state.effect.said) == "Blue 3-6 on 3 6 level 2 spacer 6"
    assert (said.scores["Blue"], board(said).spacers) == (18, SPACERS - 1)
    assert "can't be laid there" in refused(opened().say("Red 4-3"), "Blue 3-6 level 2")
    assert "can't be laid there" in refused(opened().say("Red 4-3"), "Blue 3-6 on 3 6 level 1")
    assert opened().say("Red 4-3\nBlue 3-6 spacer 6").scores["Blue"] == 18


def test_two_levels_apart_no_spacer_helps() -> None:
    said = opened().say("Red 4-3\nBlue 3-6")
    assert "6-5 fits nowhere" in refused(said, "Red 6-5")


def test_where_all_spacers_are_used_that_is_said() -> None:
    said = opened().say("Red 4-3")
    said.state = said.state._replace(board=board(said)._replace(spacers=0))
    assert "fits only with a spacer, and all 12 are used" in refused(said, "Blue 3-6")


def test_which_of_two_equal_halves_is_lifted_stays_open() -> None:
    said = opened("basement 4-1 4-2 4-0 5-5 2-W 1-1 0-3 6-6").say("Red 4-W on 4 4 level 1")
    assert len(layouts(said)) == 4
    said.say("Blue W-W on 4 4 level 2 spacer 4")
    assert str(said.state.effect.said) == "Blue W-W on 4 4 level 2 spacer 4"


def test_the_halves_that_a_double_covers_may_be_said_in_either_order() -> None:
    text = "basement 4-1 W-2 6-0 5-5 2-3 1-1 0-3 6-6"
    for on in ("4 W", "W 4"):
        said = opened(text).say(f"Red 4-4 on {on}")
        assert str(said.state.effect.said) == "Red 4-4 on 4 W level 1"


def test_a_wild_half_that_lies_takes_anything_at_its_own_value() -> None:
    said = opened("basement 4-1 W-2 6-0 5-5 2-6 1-1 0-3 6-6").say("Red 4-5 on 4 W")
    assert said.scores["Red"] == 9


# ---------------------------------------------------------------- without the basement


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Red 4-3", "say the level, as in 4-3 level 1"),
        ("Red W-3 level 2", "say what W-3 covers"),
        ("Red 4-3 on 5 3 level 1", "4 can't cover 5"),
        ("Red 4-3 level 1 spacer 3", "level 2 at least"),
        ("Red 4-3 level 2 spacer 5", "covers no 5"),
        ("Red 4-3 on 4 3 level 2 spacer W", "covers no W"),
    ],
)
def test_what_must_be_said_without_the_basement(text: str, words: str) -> None:
    assert words in refused(table("Red Blue", "highrise").say("hand lead Red"), text)


def test_without_the_basement_what_is_said_counts_and_spacers_are_counted() -> None:
    said = table("Red Blue", "highrise").say(
        "hand\nBlue 4-3 level 1\nRed 4-5 on W 5 level 2 spacer W"
    )
    assert said.scores == {"Red": 18, "Blue": 7}
    assert board(said).spacers == 11
    assert building_of(said.state).unplaced == 2
    said.state = said.state._replace(board=board(said)._replace(spacers=0))
    assert "All 12 spacers" in refused(said, "Blue 5-5 level 3 spacer 5")
    assert said.say("Blue 5-5 level 12").scores["Blue"] == 127


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Blue 4-3", "Red leads, not Blue"),
        ("Red 4-3\nRed 1-2", "Blue is to move, not Red"),
        ("Red 5-5", "5-5 is in the building already"),
        ("Red 4-3\nBlue 3-4", "3-4 is in the building already"),
        ("Red 4-3 on 3 4", "4-3 can't be laid there: it fits on 4 3 level 1"),
        ("Red 4-3 level 2", "4-3 can't be laid there"),
        ("Red draw\nRed draw", "One tile is drawn in a turn"),
        ("Red holds 1-2", "Holdings are shown when the hand is over"),
        ("Red out", "Nobody can go out now"),
        ("Red 4-3\nBlue out", "Red laid the last tile"),
        ("Red 4-3\nRed out\nRed pips 5", "Red is out and holds nothing"),
        ("Red 4-3\nRed out\nBlue holds 4-3", "3-4 is on the table"),
        ("hand", "This hand is not over yet"),
        (BASEMENT, "The basement is entered once"),
        ("Red 4-3\nRed out\nhand", "First show what Blue holds"),
    ],
)
def test_what_is_refused(text: str, words: str) -> None:
    assert words in refused(opened(), text)


def test_the_basement_is_told_before_anything_is_done() -> None:
    assert "right after the hand" in refused(opened(""), "Red draw\n" + BASEMENT)


@pytest.mark.parametrize(
    "text",
    ["Red 4-7", "Red 4-W-1", "Red 4-3 on 4", "Red 4-3 level 0", "Red 4-3 level", "Red 4-3 level x",
     "Red 4-3 spacer 9", "Red 4-3 level 1 on 4 3", "Red 4-3 !", "Red draw 2", "Red pips 253",
     "Red holds 1-2 2-1", "basement 1-1", "basement 1-1 1-1 2-2 3-3 4-4 5-5 6-6 0-0", "Red W",
     "Red 4-3 on 4 3 level 1 spacer 4 4", "redeal", "Red return", "chips Red 5 x"],
)  # fmt: skip
def test_what_can_not_be_read(text: str) -> None:
    with pytest.raises(EntryError):
        opened("").say(text)


# ---------------------------------------------------------------- the end of a hand


def test_going_out_takes_all_points_of_the_other_hands() -> None:
    said = opened("", "Red Blue Green").say(
        "Red 4-3 level 1\nRed out\nBlue holds 6-0\nGreen holds W-2"
    )
    assert said.paid == [(None, "Red", 15, "out")]
    assert said.scores == {"Red": 22, "Blue": 0, "Green": 0}
    assert said.state.effect.points == 15
    assert GAMES["highrise"].next_lead(said.state) == "Blue"


def test_a_seat_whose_counted_tiles_are_spent_is_out_unless_more_happens() -> None:
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


def test_a_block_takes_from_everybody_what_it_holds() -> None:
    said = opened("").say("Red 4-3 level 1\nblocked\nBlue holds 0-0\nRed holds W-W")
    assert said.paid == [(None, "Red", -14, "blocked")]
    assert (said.scores, said.state.effect.points) == ({"Red": -7, "Blue": 0}, -14)
    said = opened("").say("Red draw\nblocked\nRed pips 3\nBlue pips 4")
    assert said.paid == [(None, "Red", -3, "blocked"), (None, "Blue", -4, "blocked")]


def test_all_passing_with_the_pile_empty_blocks_by_itself() -> None:
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


def test_a_pass_without_a_draw_is_told_and_never_refused() -> None:
    said = opened("").say("Red pass")
    assert (said.notices, said.state.to_move) == (["pass-with-boneyard"], "Blue")
    said = opened("").say("Red draw\nRed pass")
    assert (said.notices, said.state.effect.turn) == ([], 2)


def test_the_first_to_act_leads_and_then_one_seat_to_the_left() -> None:
    said = table("Red Blue Green", "highrise").say("hand\nGreen draw")
    assert said.state.to_move == "Green"
    said.say("Green 1-1 level 1\nGreen out\nRed pips 0\nBlue pips 0")
    assert "Red leads this hand, not Green" in refused(said, "hand lead Green")
    assert said.say("hand").state.to_move == "Red"


# ---------------------------------------------------------------- the end of the game


def at(red: int, blue: int, **options: str) -> Said:
    """A hand with those scores: Red is out, and Blue still has to show its holding."""
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


def test_a_tie_plays_on() -> None:
    said = at(305, 312).say("Blue pips 7")
    assert not said.state.finished
    assert said.say("hand").state.to_move == "Blue"


def test_one_hand_may_be_the_game() -> None:
    assert at(5, 3, target="hand").say("Blue pips 1").state.winner == "Red"
    assert not at(2, 3, target="hand").say("Blue pips 1").state.finished
    assert GAMES["highrise"].to_win(at(5, 3, target="hand").state, Seat("Red")) is None
    assert GAMES["highrise"].to_win(at(5, 3).state, Seat("Red")) == 295


@pytest.mark.parametrize("value", ["99", "501", "one", "-1"])
def test_the_target_is_100_to_500_or_hand(value: str) -> None:
    assert TARGET.read("HAND", 2) == "hand"
    with pytest.raises(EntryError):
        TARGET.read(value, 2)


def test_after_lost_entries_the_game_counts_on() -> None:
    said = opened().say("Red 4-3")
    said.state = GAMES["highrise"].after_loss(said.state, Seats.of("Red", "Blue").order[0])
    assert "say the level" in refused(said, "Red 1-2")
    said.say("Red 1-2 level 3\nblocked\nRed pips 0\nBlue pips 0")
    assert said.scores == {"Red": 16, "Blue": 0}


# ---------------------------------------------------------------- whole games


TABLES = [(players, seed) for players in (2, 3, 4) for seed in range(12)]


@pytest.mark.sampled(4, of="seed")
@pytest.mark.parametrize(("players", "seed"), TABLES)
def test_random_games_come_to_what_the_oracle_says(players: int, seed: int) -> None:
    lines = play(Random(seed * 10 + players), players)
    seats = [f"P{number}" for number in range(players)]
    game, state = GAMES["highrise"], table(" ".join(seats), "highrise").state
    expected, points = outcome(seats, lines), []
    for line in lines:
        state = game.apply(state, parse_entry(line, game, state.seats))
        assert not state.effect.notices
        points.append(state.effect.points)
        conserved(state)
    assert points == expected.points
    assert dict(state.scores.items()) == expected.scores
    assert state.winners == expected.winners


def conserved(state: AnyState) -> None:
    """The tiles in hands, in the pile and in the building are 36, and each lies only once."""
    found = state.board
    assert isinstance(found, HighriseBoard)
    if found.round is None or found.round.stage.value == "over":
        return
    counted = sum(found.round.held.values) + found.round.boneyard + len(found.laid)
    assert counted == len(SET) - COLUMNS
    assert found.lying.bit_count() == len(found.laid) + COLUMNS * (found.basement is not None)
    for layout in found.layouts or ():
        assert len(layout.places) == len(found.laid)
        for place, halves in zip(layout.places, found.laid, strict=True):
            assert len({*place.fields}) == 2, halves


def faces(layout: Layout) -> frozenset[tuple[Spot, str, int, tuple[Spot, ...]]]:
    """What shows on each field: its place, half, level, and all fields that show the same tile."""
    same: dict[int, list[Spot]] = {}
    for number, top in enumerate(layout.tops):
        same.setdefault(top.tile, []).append(divmod(number, COLUMNS))
    return frozenset(
        (divmod(number, COLUMNS), SET.halves[top.half], top.level, tuple(sorted(same[top.tile])))
        for number, top in enumerate(layout.tops)
    )


def tower_faces(
    tower: frozenset[tuple[Spot, Face]],
) -> frozenset[tuple[Spot, str, int, tuple[Spot, ...]]]:
    same: dict[str, list[Spot]] = {}
    for spot, face in tower:
        same.setdefault(face.owner, []).append(spot)
    return frozenset(
        (spot, face.half, face.level, tuple(sorted(same[face.owner]))) for spot, face in tower
    )


def hands_of(lines: list[str]) -> Iterator[list[str]]:
    """The lines of each hand whose basement was told."""
    hand: list[str] = []
    for line in [*lines, "hand"]:
        if line.startswith("hand"):
            if len(hand) > 1 and hand[1].startswith("basement"):
                yield hand
            hand = []
        hand.append(line)


@pytest.mark.parametrize(("players", "seed"), TABLES[::3])
def test_the_layouts_that_are_kept_are_those_that_the_oracle_finds(players: int, seed: int) -> None:
    for hand in hands_of(play(Random(seed * 10 + players), players)):
        seats = " ".join(f"P{number}" for number in range(players))
        said = table(seats, "highrise").say("\n".join(["hand", *hand[1:]]))
        kept = layouts(said)
        assert {*map(faces, kept)} == {*map(tower_faces, every_tower(hand))}
        assert len({*map(faces, kept)}) == len(kept)


@pytest.mark.sampled(4, of="seed")
@pytest.mark.parametrize(("players", "seed"), TABLES)
def test_lines_with_less_said_come_to_the_same_or_are_asked_for(players: int, seed: int) -> None:
    random = Random(seed)
    seats = [f"P{number}" for number in range(players)]
    game, state = GAMES["highrise"], table(" ".join(seats), "highrise").state
    for line in play(Random(seed * 10 + players), players):
        whole = game.apply(state, parse_entry(line, game, state.seats))
        entry = parse_entry(line, game, state.seats)
        if isinstance(entry, Built) and whole.board.layouts is not None:
            said = random.choice([
                Built(entry.seat, entry.halves),
                Built(entry.seat, entry.halves, entry.on),
                Built(entry.seat, entry.halves, None, entry.level, entry.spacer),
                Built(entry.seat, entry.halves, None, None, entry.spacer),
            ])  # fmt: skip
            try:
                after = game.apply(state, said)
            except Unclear as unclear:
                offered = [choice.entry for choice in unclear.choices]
                assert entry in offered
                assert len(offered) == len({*map(str, offered)}) > 1
                for choice in offered:
                    assert game.apply(state, choice).effect.said == choice
            else:
                assert after == whole
        state = whole


def test_a_basement_of_wild_halves_leaves_no_more_layouts_than_can_be_kept() -> None:
    said = opened("basement W-0 W-1 W-2 W-3 W-4 W-5 W-6 W-W")
    plays = ["Red 4-3", "Blue 5-2", "Red 6-1", "Blue 0-1"]
    kept = [len(layouts(said.say(f"{play} on W W level 1"))) for play in plays]
    assert kept == [14, 120, 480, 384]


def test_results_are_told_apart_by_what_must_be_known() -> None:
    assert Result((4, 3), 1, None) != Result((4, 3), 2, 3)
    assert values((WILD, WILD), (4, WILD)) == (4, 7)


def test_an_out_that_only_the_counted_tiles_say_is_contradicted_also_after_anothers_holding() -> (
    None
):
    lays = ("1-2", "2-3", "3-4", "4-5", "5-6")
    told = [f"A {tile} level 1\nB pass\nC pass" for tile in lays[:-1]]
    text = "\n".join(["hand lead A", *told, f"A {lays[-1]} level 1\nB pips 4"])
    said = table("A B C", name="highrise").say(f"{text}\nA pips 7\nC pips 5")
    assert said.paid == [
        (None, seat, -pips, "blocked") for seat, pips in zip("ABC", (7, 4, 5), strict=True)
    ]
    sure = table("A B C", name="highrise").say(text.replace("B pips 4", "A out"))
    assert "is out and holds nothing" in refused(sure, "A pips 7")
