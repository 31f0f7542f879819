"""Random games of Highrise, compared with the oracle's results."""

from collections.abc import Iterator
from random import Random

import pytest

from companion.games.game import AmbiguousEntry, AnyState, parse_entry
from companion.games.highrise.building import Layout
from companion.games.highrise.entries import COLUMNS, SET, TileStacked
from companion.games.highrise.rules import HighriseBoard
from tests.catalog import GAMES
from tests.games.highrise import layouts
from tests.games.others.highrise import Face, Spot, every_tower, outcome, play
from tests.playing import table

TABLES = [(players, seed) for players in (2, 3, 4) for seed in range(12)]


@pytest.mark.sampled(4, of="seed")
@pytest.mark.parametrize(("players", "seed"), TABLES)
def test_random_games_agree_with_the_oracle(players: int, seed: int) -> None:
    lines = play(Random(seed * 10 + players), players)
    seats = [f"P{number}" for number in range(players)]
    game, state = GAMES["highrise"], table(" ".join(seats), "highrise").state
    expected, points = outcome(seats, lines), []
    for line in lines:
        state = game.apply(state, parse_entry(line, game, state.seats))
        assert not state.effect.notices
        points.append(state.effect.points)
        assert_conserved(state)
    assert points == expected.points
    assert dict(state.scores.items()) == expected.scores
    assert state.winners == expected.winners


def assert_conserved(state: AnyState) -> None:
    """Checks that hands, boneyard and building have 36 tiles in all, each once."""
    found = state.board
    assert isinstance(found, HighriseBoard)
    if found.round is None or found.round.stage.value == "over":
        return
    counted = sum(found.round.held.values) + found.round.boneyard + len(found.tiles_played)
    assert counted == len(SET) - COLUMNS
    assert found.on_table.bit_count() == len(found.tiles_played) + COLUMNS * (
        found.basement is not None
    )
    for layout in found.layouts or ():
        assert len(layout.places) == len(found.tiles_played)
        for place, halves in zip(layout.places, found.tiles_played, strict=True):
            assert len({*place.fields}) == 2, halves


def faces(layout: Layout) -> frozenset[tuple[Spot, str, int, tuple[Spot, ...]]]:
    """Each field as seen from above: its place, half, level, and all fields with the same tile."""
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
    """The lines of each hand whose basement was entered."""
    hand: list[str] = []
    for line in [*lines, "hand"]:
        if line.startswith("hand"):
            if len(hand) > 1 and hand[1].startswith("basement"):
                yield hand
            hand = []
        hand.append(line)


@pytest.mark.parametrize(("players", "seed"), TABLES[::3])
def test_the_layouts_equal_those_that_the_oracle_finds(players: int, seed: int) -> None:
    for hand in hands_of(play(Random(seed * 10 + players), players)):
        seats = " ".join(f"P{number}" for number in range(players))
        said = table(seats, "highrise").say("\n".join(["hand", *hand[1:]]))
        kept = layouts(said)
        assert {*map(faces, kept)} == {*map(tower_faces, every_tower(hand))}
        assert len({*map(faces, kept)}) == len(kept)


@pytest.mark.sampled(4, of="seed")
@pytest.mark.parametrize(("players", "seed"), TABLES)
def test_shorter_entries_mean_the_same_or_are_ambiguous(players: int, seed: int) -> None:
    random = Random(seed)
    seats = [f"P{number}" for number in range(players)]
    game, state = GAMES["highrise"], table(" ".join(seats), "highrise").state
    for line in play(Random(seed * 10 + players), players):
        whole = game.apply(state, parse_entry(line, game, state.seats))
        entry = parse_entry(line, game, state.seats)
        if isinstance(entry, TileStacked) and whole.board.layouts is not None:
            said = random.choice([
                TileStacked(entry.seat, entry.halves),
                TileStacked(entry.seat, entry.halves, entry.on),
                TileStacked(entry.seat, entry.halves, None, entry.level, entry.spacer),
                TileStacked(entry.seat, entry.halves, None, None, entry.spacer),
            ])  # fmt: skip
            try:
                after = game.apply(state, said)
            except AmbiguousEntry as unclear:
                offered = [choice.entry for choice in unclear.choices]
                assert entry in offered
                assert len(offered) == len({*map(str, offered)}) > 1
                for choice in offered:
                    assert game.apply(state, choice).effect.completed == choice
            else:
                assert after == whole
        state = whole
