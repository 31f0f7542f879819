"""No line of play that the rules allow overlaps itself, leaves the paper, or moves tiles that were
placed."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.presentation.drawing.svg import DOWN, LEFT, RIGHT, UP, Paper, Vector
from companion.presentation.line.drawing import GAP, Placement, lay_out
from companion.presentation.line.line_of_play import ArmName, LineOfPlay, PlayedTile
from tests.presentation.lines import INCLINATIONS, any_shape, played, random_line, shaped
from tests.sampling import Draw, examples

PAPERS = (Paper(16, 9), Paper(4, 3), Paper(1, 1), Paper(9, 16))
OTHER_PAPERS = (Paper(3, 4), Paper(21, 9), Paper(1, 4), Paper(360, 500))
Lines = st.builds(random_line, st.integers(0, 2**32), st.sampled_from([*INCLINATIONS]))


def distance(one: Placement, other: Placement) -> int:
    """The distance between two tiles, along x or y; negative if they overlap."""
    a, b = one.box, other.box
    return max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3])


def spots(tile: PlayedTile, lie: Placement) -> dict[Vector, int | None]:
    """The middle of each half, and of a crosswise double, with the pips that are matched there."""
    found = {
        lie.middle.moved(lie.direction, -1): tile.inner,
        lie.middle.moved(lie.direction, 1): tile.outer,
    }
    return found | ({lie.middle: tile.inner} if tile.crosswise else {})


def joints(tiles: tuple[PlayedTile, ...]) -> Iterator[tuple[int, int]]:
    """For each tile but the one led: the number of the tile that it is joined to, and its own."""
    last: dict[ArmName, int] = {}
    for number, tile in enumerate(tiles):
        if tile.arm is None:
            last = dict.fromkeys(("left", "right"), number)
        else:
            yield last[tile.arm], number
            last[tile.arm] = number
        if tile.spinner:
            last |= dict.fromkeys(("up", "down"), number)


def check_layout(line: LineOfPlay, paper: Paper) -> None:
    """Fails if tiles overlap, are too close or too far apart, or are joined by different halves."""
    lies, joined = lay_out(line, paper).placements, set(joints(line.tiles))
    for number, lie in enumerate(lies):
        for before in range(number):
            apart = distance(lie, lies[before])
            if (before, number) in joined:
                assert apart == 0
            else:
                assert apart >= GAP, f"tiles {before} and {number} are too near"
    for before, number in joined:
        tile = line.tiles[number]
        inner = {at for at, pips in spots(tile, lies[number]).items() if pips == tile.inner}
        assert any(
            at.moved(side, 2) in inner
            for at, pips in spots(line.tiles[before], lies[before]).items()
            if pips == tile.inner
            for side in (LEFT, RIGHT, UP, DOWN)
        ), f"tile {number} is not joined to tile {before} by equal halves"


@settings(max_examples=examples(150), deadline=None)
@given(Lines, st.sampled_from([*PAPERS, *OTHER_PAPERS]))
def test_tiles_touch_only_neighbours_and_only_with_equal_halves(
    line: LineOfPlay, paper: Paper
) -> None:
    check_layout(line, paper)


@settings(max_examples=examples(150), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([*PAPERS, *OTHER_PAPERS]))
def test_tiles_touch_correctly_even_in_impossible_lines(seed: int, paper: Paper) -> None:
    check_layout(LineOfPlay(shaped(any_shape(Random(seed)))), paper)


def two_arms(random: Random, tiles: int) -> str:
    """A text for `shaped`: this many tiles at random on two of the arms, with doubles now and then,
    or wherever they may lie."""
    arms, doubles = random.sample("lrud", 2), random.choice((0.2, 0.5, 1))
    words, plain = [], dict.fromkeys(arms, False)
    for _ in range(tiles):
        arm = random.choice(arms)
        double = plain[arm] and random.random() < doubles
        words.append(f"{arm}2" if double else arm)
        plain[arm] = not double
    return " ".join(words)


@pytest.mark.sampled(7)
@pytest.mark.parametrize("along", range(22))
def test_a_spinner_anywhere_leaves_room_for_its_arms(along: int) -> None:
    """The first double comes after `along` tiles on its arm, and any number on the other one; then
    two arms grow beside each other."""
    random = Random(along)
    for other in range(22 - along):
        start = f"- {'l ' * other}{'r ' * along}r2 "
        for paper in PAPERS[:3] * 2:
            check_layout(LineOfPlay(shaped(start + two_arms(random, 28))), paper)


@pytest.mark.parametrize("first", range(3))
def test_a_spinner_right_after_a_corner_is_placed(first: int) -> None:
    """The spinner's upper arm is so close to the first row that doubles would overlap."""
    for along in (5, 6):
        start = f"- {'r ' * along}r2 r {'l l2 ' * 4}"
        for paper in PAPERS:
            check_layout(LineOfPlay(shaped(start + "u " * first + "u u2 " * 7)), paper)


@pytest.mark.parametrize("inclination", INCLINATIONS)
def test_lines_never_collide_whichever_arms_are_used(inclination: str, draw: Draw[int]) -> None:
    for seed in draw(range(25), 8):
        for paper in PAPERS:
            check_layout(random_line(seed, inclination), paper)


@settings(max_examples=examples(100), deadline=None)
@given(Lines, st.sampled_from([*PAPERS, *OTHER_PAPERS]), st.data())
def test_tiles_keep_their_places_as_the_game_goes_on(
    line: LineOfPlay, paper: Paper, data: st.DataObject
) -> None:
    number = data.draw(st.integers(1, len(line.tiles)))
    before = lay_out(played(line.tiles[:number]), paper)
    assert lay_out(line, paper).placements[:number] == before.placements


@settings(max_examples=examples(60), deadline=None)
@given(Lines)
def test_an_upright_paper_shows_the_line_turned_by_a_quarter(line: LineOfPlay) -> None:
    lying, upright = lay_out(line, Paper(16, 9)).placements, lay_out(line, Paper(9, 16)).placements
    for one, other in zip(lying, upright, strict=True):
        assert other.middle == (-one.middle.y, one.middle.x)
