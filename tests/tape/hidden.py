"""The tiles that each seat holds, hidden from the box, so that players lay tiles that they have."""

from dataclasses import dataclass, field
from random import Random

from companion.core.seats import Seat
from companion.games.line.hand import Hand
from companion.games.line.line import Line
from companion.games.tiles import DOUBLE_SIX, Tile

Lay = tuple[Tile, Line]
"""A tile that can be laid, and the line after it."""


@dataclass
class HiddenTiles:
    """The tiles that each seat holds, which the box doesn't know. The record decides which tiles
    are laid, and how many each seat has. Otherwise a seat keeps its tiles."""

    random: Random
    holds: dict[Seat, list[Tile]] = field(default_factory=dict)
    _hand: tuple[object, ...] = ()

    def follow(self, game: object, hand: Hand) -> None:
        """Updates the hidden tiles to agree with the record."""
        which = (game, hand.round.number, hand.round.seats)
        if which != self._hand:
            self._hand, self.holds = which, {seat: [] for seat in hand.round.seats}
        laid = _laid(hand)
        for seat, count in hand.round.held.items():
            kept = [tile for tile in self.holds[seat] if not tile.bit & laid]
            self.holds[seat] = kept[: max(count, 0)]
        taken = {tile for tiles in self.holds.values() for tile in tiles}
        stock = [tile for tile in DOUBLE_SIX.tiles if not tile.bit & laid and tile not in taken]
        self.random.shuffle(stock)
        for seat, count in hand.round.held.items():
            while stock and len(self.holds[seat]) < count:
                self.holds[seat].append(stock.pop())

    def lays(self, seat: Seat, hand: Hand) -> list[Lay]:
        """All lays that `seat` can make."""
        return [lay for tile in self.holds[seat] for lay in possible_plays(tile, hand)]

    def highest_double(self) -> tuple[Seat, int] | None:
        """The seat that holds the highest double, and its number; None: nobody holds a double."""
        doubles = [(tile.low, seat) for seat, tiles in self.holds.items() for tile in tiles
                   if tile.is_double]  # fmt: skip
        return max(doubles)[::-1] if doubles else None


def possible_plays(tile: Tile, hand: Hand) -> list[Lay]:
    """The ways to lay `tile` on the first line that the record thinks possible."""
    line = hand.line.possible[0][0] if hand.line.possible else None
    if line is None:
        led = hand.line.possible and (tile.is_double or not hand.big_6)
        return [(tile, Line.led(tile.high, tile.low))] if led else []
    return [
        (tile, line.with_tile(place.arm, tile)) for place in line.places if tile.has(place.pips)
    ]


def unlaid(hand: Hand) -> list[Tile]:
    """Every tile that has not been laid in this hand."""
    return [tile for tile in DOUBLE_SIX.tiles if not tile.bit & _laid(hand)]


def _laid(hand: Hand) -> int:
    """The tiles laid in this hand, as a bit mask."""
    return hand.line.possible[0][1] if hand.line.possible else hand.line.tiles_entered
