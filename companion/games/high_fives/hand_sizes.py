"""How many tiles each player of High Fives gets, and how many hands the set lasts [1, 4]."""

from collections.abc import Callable
from typing import Final

from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.high_fives.entries import SET
from companion.games.high_fives.tableau import OPENING
from companion.games.options import Option, Options

FIRST_HAND: Final = {2: 5, 3: 5, 4: 5, 5: 4, 6: 4, 7: 4, 8: 4}
LATER_HANDS: Final = {2: 5, 3: 5, 4: 5, 5: 4, 6: 4, 7: 3, 8: 3}
"""[1] Tiles that each player gets, by the number of players, unless the house has another rule."""
SIZES: Final = range(3, 9)
"""Sizes that may be chosen: at least two hands of each can be dealt to eight players."""


def _option(name: str, meaning: str, usual: Callable[[int], int], label: str) -> Option:
    return Option.number(name, meaning, usual, lambda _: SIZES).with_words(label)


DEAL: Final = _option(
    "deal",
    phrase("Tiles for each player in the first hand"),
    lambda seats: FIRST_HAND[seats],
    phrase("First hand"),
)
LATER_DEAL: Final = _option(
    "later-deal",
    phrase("Tiles for each player in every later hand"),
    lambda seats: LATER_HANDS[seats],
    phrase("Later hands"),
)


@dataclass(frozen=True, slots=True)
class HandSizes:
    """How many tiles each player gets in the first hand and in each later one, in a game of so many
    players."""

    players: int
    first: int
    later: int

    @classmethod
    def of(cls, players: int, options: Options) -> "HandSizes":
        """The sizes by the house's rules, the options `deal` and `later-deal`."""
        return cls(players, int(options[DEAL.name]), int(options[LATER_DEAL.name]))

    @classmethod
    def usual(cls, players: int) -> "HandSizes":
        """[1] The sizes if the house has no rule of its own."""
        return cls(players, FIRST_HAND[players], LATER_HANDS[players])

    def each(self, hand: int) -> int:
        """[1] How many tiles each player gets in a hand, counted from 1."""
        return self.first if hand == 1 else self.later

    def boneyard(self, hand: int) -> int:
        """[4] Tiles that are not dealt yet, nor face up, once that hand is dealt."""
        return len(SET) - OPENING - self.players * (self.first + (hand - 1) * self.later)

    @property
    def hands(self) -> int:
        """[4] How many hands a game has: as many as can be dealt to all."""
        return 1 + self.boneyard(1) // (self.players * self.later)

    @property
    def left_over(self) -> int:
        """[4] Tiles that join the tableau when the last hand is dealt."""
        return self.boneyard(self.hands)
