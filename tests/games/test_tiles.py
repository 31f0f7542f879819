"""Sets of tiles: each tile once, written as players write it, and masks for each set."""

import pytest

from companion.core.errors import EntryError
from companion.games.tiles import DOUBLE_SIX, TileSet, mask_of

DOUBLE_FIFTEEN = TileSet("double-fifteen", 15)
WITH_WILDS = TileSet("wild double-six", 6, wilds=True)


@pytest.mark.parametrize(
    ("tiles", "number", "pips"),
    [(DOUBLE_SIX, 28, 168), (DOUBLE_FIFTEEN, 136, 2040), (WITH_WILDS, 36, 252)],
)
def test_each_set_has_every_tile_once(tiles: TileSet, number: int, pips: int) -> None:
    assert (len(tiles), tiles.pips) == (number, pips)
    assert tiles.all == mask_of(tiles.tiles) == (1 << number) - 1
    assert tuple(tiles.tiles_in(tiles.all)) == tiles.tiles == tuple(sorted(tiles.tiles))


@pytest.mark.parametrize("tiles", [DOUBLE_SIX, DOUBLE_FIFTEEN, WITH_WILDS])
def test_a_tile_name_is_read_in_either_order(tiles: TileSet) -> None:
    for tile in tiles.tiles:
        low, high = str(tile).split("-")
        assert tiles.parse(f"{low}-{high}") is tiles.parse(f"{high}-{low}") is tile


def test_a_suit_is_every_tile_with_that_half() -> None:
    assert [str(tile) for tile in WITH_WILDS.tiles_in(WITH_WILDS.suits[7])] == [
        "0-W", "1-W", "2-W", "3-W", "4-W", "5-W", "6-W", "W-W",
    ]  # fmt: skip
    assert all(suit.bit_count() == 16 for suit in DOUBLE_FIFTEEN.suits)


def test_a_wild_half_counts_seven_in_a_holding() -> None:
    assert (WITH_WILDS.parse("W-2").pips, WITH_WILDS.parse("W-W").pips) == (9, 14)


@pytest.mark.parametrize(
    ("tiles", "text", "says"),
    [
        (DOUBLE_SIX, "5-7", "5-7 is not in a double-six set: halves go from 0 to 6"),
        (DOUBLE_FIFTEEN, "16-1", "16-1 is not in a double-fifteen set: halves go from 0 to 15"),
        (WITH_WILDS, "7-1", "halves go from 0 to 6"),
        (WITH_WILDS, "8-1", "halves go from 0 to 6"),
        (DOUBLE_SIX, "W-1", "W-1 is not a tile: write both halves, as in 5-6"),
        (DOUBLE_SIX, "5", "5 is not a tile: write both halves, as in 5-6"),
        (DOUBLE_SIX, "²-1", "is not a tile"),
    ],
)
def test_tiles_outside_the_set_are_refused(tiles: TileSet, text: str, says: str) -> None:
    with pytest.raises(EntryError, match=says):
        tiles.parse(text)
