"""The place of a tile in Highrise: found from the entered basement, or entered with the tile."""

import pytest

from companion.games.game import AmbiguousEntry
from companion.games.highrise.building import SPACERS, Result, values
from companion.games.highrise.entries import WILD
from companion.presentation.highrise import building_of
from tests.games.highrise import board, layouts, opened
from tests.playing import TextGame, refused, table


def choices(said: TextGame, text: str) -> list[str]:
    """The entries offered for an ambiguous line."""
    before = said.state
    with pytest.raises(AmbiguousEntry) as unclear:
        said.say(text)
    assert said.state == before
    return [str(choice.entry) for choice in unclear.value.choices]


# ---------------------------------------------------------------- with the basement


def test_if_the_basement_is_known_a_tile_with_one_result_needs_no_details() -> None:
    said = opened().say("Red 4-3")
    assert said.scores["Red"] == 7
    assert str(said.state.effect.completed) == "Red 4-3 on 4 3 level 1"
    said.say("Blue 5-6")
    assert str(said.state.effect.completed) == "Blue 5-6 on 5 6 level 1"
    assert [top.level for top in layouts(said)[0].tops] == [1] * 4 + [0] * 12


def test_a_tile_with_several_results_is_ambiguous() -> None:
    text = "basement 4-1 3-2 6-0 5-5 4-W 3-1 0-3 6-6"
    said = opened(text)
    offered = choices(said, "Red W-3")
    assert len(offered) == len({*offered}) > 1
    for words in offered:
        assert str(opened(text).say(words).state.effect.completed) == words
    assert said.say("Red W-3 on 4 3").scores["Red"] == 7
    assert len(layouts(said)) == 2, "at the left, and on the 4 and 3 further right"


def test_layouts_excluded_by_a_later_play_are_dropped() -> None:
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
    assert str(said.state.effect.completed) == "Blue 3-6 on 3 6 level 2 spacer 6"
    assert (said.scores["Blue"], board(said).spacers) == (18, SPACERS - 1)
    assert "can't be laid there" in refused(opened().say("Red 4-3"), "Blue 3-6 level 2")
    assert "can't be laid there" in refused(opened().say("Red 4-3"), "Blue 3-6 on 3 6 level 1")
    assert opened().say("Red 4-3\nBlue 3-6 spacer 6").scores["Blue"] == 18


def test_a_spacer_cannot_bridge_two_levels() -> None:
    said = opened().say("Red 4-3\nBlue 3-6")
    assert "6-5 fits nowhere" in refused(said, "Red 6-5")


def test_a_refusal_mentions_that_the_spacers_are_used_up() -> None:
    said = opened().say("Red 4-3")
    said.state = said.state._replace(board=board(said)._replace(spacers=0))
    assert "fits only with a spacer, and all 12 are used" in refused(said, "Blue 3-6")


def test_the_lifted_half_stays_open_if_both_are_equal() -> None:
    said = opened("basement 4-1 4-2 4-0 5-5 2-W 1-1 0-3 6-6").say("Red 4-W on 4 4 level 1")
    assert len(layouts(said)) == 4
    said.say("Blue W-W on 4 4 level 2 spacer 4")
    assert str(said.state.effect.completed) == "Blue W-W on 4 4 level 2 spacer 4"


def test_covered_halves_of_a_double_have_no_order() -> None:
    text = "basement 4-1 W-2 6-0 5-5 2-3 1-1 0-3 6-6"
    for on in ("4 W", "W 4"):
        said = opened(text).say(f"Red 4-4 on {on}")
        assert str(said.state.effect.completed) == "Red 4-4 on 4 W level 1"


def test_any_half_may_cover_a_wild_one_at_its_own_value() -> None:
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
def test_if_the_basement_is_unknown_plays_need_details(text: str, words: str) -> None:
    assert words in refused(table("Red Blue", "highrise").say("hand lead Red"), text)


def test_if_the_basement_is_unknown_entries_are_trusted() -> None:
    said = table("Red Blue", "highrise").say(
        "hand\nBlue 4-3 level 1\nRed 4-5 on W 5 level 2 spacer W"
    )
    assert said.scores == {"Red": 18, "Blue": 7}
    assert board(said).spacers == 11
    assert building_of(said.state).unplaced == 2
    said.state = said.state._replace(board=board(said)._replace(spacers=0))
    assert "All 12 spacers" in refused(said, "Blue 5-5 level 3 spacer 5")
    assert said.say("Blue 5-5 level 12").scores["Blue"] == 127


def test_a_basement_of_wild_halves_leaves_no_more_layouts_than_can_be_kept() -> None:
    said = opened("basement W-0 W-1 W-2 W-3 W-4 W-5 W-6 W-W")
    plays = ["Red 4-3", "Blue 5-2", "Red 6-1", "Blue 0-1"]
    kept = [len(layouts(said.say(f"{play} on W W level 1"))) for play in plays]
    assert kept == [14, 120, 480, 384]


def test_results_of_a_play_may_differ_in_level_and_spacer() -> None:
    assert Result((4, 3), 1, None) != Result((4, 3), 2, 3)
    assert values((WILD, WILD), (4, WILD)) == (4, 7)
