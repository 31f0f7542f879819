"""Tiles with wild halves as they are keyed: a wild half is the digit 7."""

from companion.console.screen import Digits
from companion.core.words import phrase
from companion.games.highrise.entries import SET, format_half
from companion.games.tiles import Tile

NO_HALF = phrase("A half has 0 to 6 pips; a wild half is 7.")
BLANK = "_"


def whole_tiles(keyed: Digits) -> tuple[Tile, ...]:
    """The tiles of which both halves are keyed."""
    return tuple(SET.tile(a, b) for a, b in zip(keyed[::2], keyed[1::2], strict=False))


def half_shown(keyed: Digits, at: int) -> str:
    """The half keyed at the place `at`, from 0; BLANK if none is keyed there yet."""
    return format_half(keyed[at]) if at < len(keyed) else BLANK
