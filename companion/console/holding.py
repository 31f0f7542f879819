"""A seat's holding, keyed as tiles or as pips: the parts that line games and Highrise share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from companion.console.in_play import InPlay
from companion.console.screen import View
from companion.core.seats import Seat, shown
from companion.core.words import counted, phrase
from companion.games.entry import Entry, Held, HeldPips
from companion.games.game import B

A_LINE = 5
"""Tiles that fit into one small line."""


@dataclass(frozen=True, slots=True)
class KeyedHolding(InPlay[B]):
    """Asks what a seat holds: tiles by two halves each, then OK; or their pips as one number."""

    seat: Seat

    hand_is_over: ClassVar = True
    as_tiles: ClassVar[type[Held]] = Held
    as_pips: ClassVar[type[HeldPips]] = HeldPips
    """The kinds of entry that keyed tiles and keyed pips become."""

    def whose(self, _view: View[B]) -> Seat:
        """The seat that is asked."""
        return self.seat

    def by_tiles(self, view: View[B]) -> bool:
        """Whether tiles are keyed, not pips."""
        return by_tiles(view)

    def whole_tiles(self) -> Held:
        """An entry of the tiles of which both halves are keyed so far."""
        pairs = zip(self.keyed[::2], self.keyed[1::2], strict=False)
        tiles = (self.as_tiles.tile_set.tile(one, other) for one, other in pairs)
        return self.as_tiles(self.seat, tuple(tiles))

    def entry(self, view: View[B]) -> Entry | str:
        """What was keyed, as an entry; or a sentence that says what is missing or wrong."""
        if not self.by_tiles(view):
            if not self.keyed:
                return phrase("Key the pips that are held; 0 for none.")
            most = self.as_tiles.tile_set.pips
            if self.number > most:
                return phrase("The whole set has {pips} pips.", pips=most)
            return self.as_pips(self.seat, self.number)
        if not self.keyed:
            return phrase("Key each tile by its two halves. None at all: DRAW, then 0.")
        if len(self.keyed) % 2:
            return phrase("The last tile has one half only: key the other one.")
        held = self.whole_tiles()
        return keyed_twice(held.tiles, self.called) or held

    def called(self, tile: str) -> str:
        """The name of `tile` in the message that it is keyed twice."""
        return tile


def keyed_twice(tiles: Sequence[object], called: Callable[[str], str] = str) -> str:
    """Says which tile is keyed twice, by what it is `called`; empty if none is."""
    twice = next((tile for tile in tiles if tiles.count(tile) > 1), None)
    if twice is None:
        return ""
    name = called(str(twice))
    return phrase("{name} is keyed twice: a set has each tile once.", name=name)


def by_tiles(view: View[B]) -> bool:
    """Whether holdings are keyed as tiles, by the box's settings."""
    return view.settings.get("holding", "tiles") == "tiles"


def miscounted(seat: Seat, held: int, keyed: int) -> str:
    """The doubt that is shown if the seat should hold `held` tiles by the record, but another
    number is keyed."""
    by = phrase(
        "{seat} should hold {held} by the tiles laid and drawn", seat=shown(seat), held=held
    )
    are = counted("1 is keyed", "{number} are keyed", keyed)
    return phrase("{by}; {keyed}.", by=by, keyed=are)


def can_nobody_play(left: int) -> str:
    """The question whether a hand is really blocked though tiles are left to draw."""
    tiles = counted("1 tile is", "{number} tiles are", left)
    return phrase("By the count {tiles} left to draw. Can nobody play at all?", tiles=tiles)


def tile_lines(
    keyed: Sequence[int], names: Sequence[str], *, hidden: bool = False
) -> tuple[str, ...]:
    """The tiles in small lines, the last two lines if there are more; an unfinished tile ends in _.
    `names`: the halves' names; `hidden`: a dot in place of each half."""
    if not keyed:
        return ("_",)
    whole = ("●" if hidden else names[half] for half in keyed)
    halves = [*whole, *["_"] * (len(keyed) % 2)]
    join = "" if hidden else "-"
    tiles = [f"{a}{join}{b}" for a, b in zip(halves[::2], halves[1::2], strict=True)]
    first = max(0, (len(tiles) - 1) // A_LINE - 1) * A_LINE
    return tuple("  ".join(tiles[at : at + A_LINE]) for at in range(first, len(tiles), A_LINE))
