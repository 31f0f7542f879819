"""The line of a hand as data: everything that the record makes certain, and nothing else."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.game import Entry
from companion.games.line.hand import Hand
from companion.games.line.line import TilePlayed
from companion.presentation.line.line_of_play import LineOfPlay, OpenEnd, PlayedTile, line_of
from tests.catalog import GAMES
from tests.playing import counted_in, table
from tests.random_games import Played, by_count, by_ends, play_game
from tests.sampling import examples

Seeds = st.integers(0, 2**32)
Ways = st.sampled_from([by_ends, by_count])


def hands(entries: list[Entry], seats: str) -> list[Hand]:
    """The hand after each play."""
    state, found = table(seats).state, []
    for entry in entries:
        state = GAMES["high-five"].apply(state, entry)
        if isinstance(entry, TilePlayed):
            found.append(state.board.hand)
    return found


def lines(entries: list[Entry], seats: str) -> list[LineOfPlay]:
    """The line after each play."""
    return [line_of(hand) for hand in hands(entries, seats)]


def told(played: Played) -> list[LineOfPlay]:
    """The line after each play of a game that is entered by tile."""
    return lines([entry for entry, _ in played], seats_of(played))


def seats_of(played: Played) -> str:
    return " ".join(played[0][1].seats)


@settings(max_examples=examples(25), deadline=None)
@given(Seeds, st.integers(2, 4))
def test_entered_tiles_determine_the_whole_line(seed: int, players: int) -> None:
    played = play_game(Random(seed), players)
    lays = [(entry, after) for entry, after in played if isinstance(entry, TilePlayed)]
    for (entry, after), line in zip(lays, told(played), strict=True):
        assert line.unplaced == 0
        assert line.latest == len(line.tiles) - 1
        assert entry.tile is not None
        last = line.tiles[-1]
        assert {last.inner, last.outer} == {entry.tile.low, entry.tile.high}
        pips = [end.pips or 0 for end in line.open_ends for _ in range(end.times)]
        assert tuple(sorted(pips)) == counted_in(after).ends
        assert line.count == counted_in(after).count
        assert line.said_ends is None


def is_one_of(tile: PlayedTile, true: PlayedTile) -> bool:
    """Returns whether `tile` agrees with the real tile `true`; a half may be unknown."""
    return tile.spinner == true.spinner and any(
        tile.inner in (None, inner) and tile.outer in (None, outer)
        for inner, outer in ((true.inner, true.outer), (true.outer, true.inner))
    )


def is_true(line: LineOfPlay, truth: LineOfPlay) -> bool:
    """Returns whether all tiles of `line` were played in that order, and its ends are open. The
    record doesn't have on which of two equal ends a tile is, so arms may be exchanged."""
    laid, open_pips = iter(truth.tiles), [end.pips for end in truth.open_ends]
    for end in line.open_ends:
        if end.pips is not None:
            if end.pips not in open_pips:
                return False
            open_pips.remove(end.pips)
    return all(any(is_one_of(tile, true) for true in laid) for tile in line.tiles)


@settings(max_examples=examples(12), deadline=None)
@given(Seeds, st.integers(2, 4), Ways)
def test_arms_have_the_same_names_as_in_the_record(
    seed: int, players: int, way: Callable[[Played], list[Entry]]
) -> None:
    played = play_game(Random(seed), players)
    for hand in hands(way(played), seats_of(played)):
        if line := hand.line.single:
            places = {place.arm.value: place.pips for place in line.places}
            for end in line_of(hand).open_ends:
                assert end.pips in (None, places[end.arm])


@settings(max_examples=examples(12), deadline=None)
@given(Seeds, st.integers(2, 4), Ways)
def test_entered_ends_and_counts_never_give_a_wrong_line(
    seed: int, players: int, way: Callable[[Played], list[Entry]]
) -> None:
    played = play_game(Random(seed), players)
    for line, truth in zip(lines(way(played), seats_of(played)), told(played), strict=True):
        assert len(line.tiles) + line.unplaced == len(truth.tiles)
        assert is_true(line, truth)
        assert line.count in (None, truth.count)


def test_entered_ends_determine_nearly_the_whole_line() -> None:
    unplaced = []
    for seed in range(10):
        played = play_game(Random(seed), 2 + seed % 3)
        unplaced += [line.unplaced for line in lines(by_ends(played), seats_of(played))]
    assert unplaced.count(0) / len(unplaced) > 0.85


SECOND_HAND = "hand lead Red\nRed 6-6\nRed out\nBlue pips 7\nhand"
"""A hand that isn't led with the highest double: a count of 10 is 5-5 or 6-4."""


def line_after(text: str) -> LineOfPlay:
    return line_of(table().say(text).state.board.hand)


def test_the_line_is_empty_before_the_lead() -> None:
    assert line_of(None) == LineOfPlay()
    assert line_after("hand lead Red") == LineOfPlay()


def test_a_spinner_counts_both_halves_until_both_sides_are_covered() -> None:
    led = "hand lead Red\nRed 6-6"
    assert line_after(led).open_ends == (OpenEnd("left", 6), OpenEnd("right", 6))
    one = line_after(f"{led}\nBlue 6-3")
    assert one.open_ends == (OpenEnd("left", 3), OpenEnd("right", 6, 2))
    both = line_after(f"{led}\nBlue 6-3\nRed 6-4")
    assert both.open_ends[2:] == (OpenEnd("up", 6, 0), OpenEnd("down", 6, 0))


def test_a_led_tile_keeps_the_entered_order() -> None:
    assert line_after(f"{SECOND_HAND}\nRed 6-4").tiles == (PlayedTile(6, 4),)
    assert line_after(f"{SECOND_HAND}\nRed 4-6").tiles == (PlayedTile(4, 6),)


def test_of_two_equal_ends_the_recorded_one_is_used() -> None:
    said = table().say(f"{SECOND_HAND}\nRed 6-4\nBlue 4-1\nRed 6-1 @left\nBlue 1-2")
    hand = said.state.board.hand
    assert hand.line.single.left.pips == 2
    line = line_of(hand)
    assert line.tiles[-1] == PlayedTile(1, 2, "left")
    assert line.open_ends == (OpenEnd("left", 2), OpenEnd("right", 1))


def test_an_insisted_play_and_all_later_tiles_are_not_placed() -> None:
    line = line_after("hand lead Red\nRed 6-6\nBlue 6-4\nRed ends 1 3 5!\nBlue ends 1 3 3")
    assert line.tiles == (PlayedTile(6, 6, None, True), PlayedTile(6, 4, "left"))
    assert (line.unplaced, line.latest, line.count, line.said_ends) == (2, None, 7, (1, 3, 3))
    assert {end.pips for end in line.open_ends} == {None}


def test_an_ambiguous_first_tile_is_not_placed() -> None:
    line = line_after(f"{SECOND_HAND}\nRed count 10")
    assert (line.tiles, line.open_ends, line.unplaced, line.count) == ((), (), 1, 10)


def test_a_shown_holding_resolves_ambiguous_tiles() -> None:
    lays = f"{SECOND_HAND}\nRed count 10"
    assert line_after(lays).unplaced == 1
    shown = line_after(f"{lays}\nblocked\nBlue holds 4-6")
    assert shown.tiles == (PlayedTile(5, 5, None, True),)


def test_an_impossible_line_is_refused() -> None:
    led = PlayedTile(6, 4)
    for tiles, ends in (
        ((PlayedTile(6, 4, "left"),), ()),
        ((led, PlayedTile(6, 4)), ()),
        ((led, PlayedTile(5, 1, "left")), ()),
        ((led, PlayedTile(4, 1, "up")), ()),
        ((PlayedTile(6, 6, None, True), PlayedTile(6, 6, "left", True)), ()),
        ((led,), (OpenEnd("up", 6),)),
        ((), (OpenEnd("left", 6),)),
    ):
        with pytest.raises(ValueError):
            LineOfPlay(tiles, ends)
    with pytest.raises(ValueError):
        LineOfPlay((led,), latest=1)
    with pytest.raises(ValueError):
        PlayedTile(6, 5, None, True)
    with pytest.raises(ValueError):
        OpenEnd("left", 6, 3)
