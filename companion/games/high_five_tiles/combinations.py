"""The combinations of five card tiles, and the best one in five cards.

A card is a value and a suit, `Kc`; a joker stands for any card, even for one that is on the table
already.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum

from companion.core.errors import EntryError
from companion.core.values import dataclass
from companion.core.words import phrase

VALUES = "A23456789TJQK"
"""The values of cards from low to high; the ace may also follow the king."""
SUITS = "shcd"
JOKER = "X"
IN_A_ROW = 5


class Combination(Enum):
    """[3] The combinations, lowest first, each with its name in a tally."""

    HIGH_CARD = "high-card"
    PAIR = "pair"
    TWO_PAIRS = "two-pairs"
    THREE_OF_A_KIND = "three-of-a-kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full-house"
    FOUR_OF_A_KIND = "four-of-a-kind"
    STRAIGHT_FLUSH = "straight-flush"
    ROYAL_FLUSH = "royal-flush"
    HIGH_FIVE = "high-five"

    @property
    def words(self) -> str:
        """The name within a sentence: “full house”."""
        return NAMES[self][0]

    @property
    def heading(self) -> str:
        """The name at the beginning of a line: “Full house”."""
        return NAMES[self][1]


NAMES = {
    Combination.HIGH_CARD: (phrase("high card"), phrase("High card")),
    Combination.PAIR: (phrase("pair"), phrase("Pair")),
    Combination.TWO_PAIRS: (phrase("two pairs"), phrase("Two pairs")),
    Combination.THREE_OF_A_KIND: (phrase("three of a kind"), phrase("Three of a kind")),
    Combination.STRAIGHT: (phrase("straight"), phrase("Straight")),
    Combination.FLUSH: (phrase("flush"), phrase("Flush")),
    Combination.FULL_HOUSE: (phrase("full house"), phrase("Full house")),
    Combination.FOUR_OF_A_KIND: (phrase("four of a kind"), phrase("Four of a kind")),
    Combination.STRAIGHT_FLUSH: (phrase("straight flush"), phrase("Straight flush")),
    Combination.ROYAL_FLUSH: (phrase("royal flush"), phrase("Royal flush")),
    Combination.HIGH_FIVE: (phrase("High Five"), phrase("High Five")),
}


@dataclass(frozen=True, slots=True)
class Card:
    """A card tile: a value of VALUES and a suit of SUITS, both "" for a joker."""

    value: str = ""
    suit: str = ""

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Reads `Kc`, `10h` or `X`; raises EntryError."""
        if text.upper() == JOKER:
            return cls()
        value, suit = text[:-1].upper().replace("10", "T"), text[-1:].lower()
        if len(value) != 1 or value not in VALUES or suit not in SUITS or not suit:
            raise EntryError(
                "{text} is not a card: a value (A K Q J T 9 … 2) and a suit (s h c d), as in Kc",
                text=text[:40],
            )
        return cls(value, suit)

    def __str__(self) -> str:
        return f"{self.value}{self.suit}" or JOKER

    @property
    def is_joker(self) -> bool:
        return not self.value


STRAIGHTS = tuple(frozenset((VALUES + "A")[low : low + IN_A_ROW]) for low in range(10))
"""[3] The values of each straight, in which the ace is low or high, never in the middle."""
HIGHEST_STRAIGHT = STRAIGHTS[-1]


def best_of(cards: Sequence[Card]) -> Combination:
    """The highest combination in these five cards, whatever its points."""
    named = [card for card in cards if not card.is_joker]
    jokers = len(cards) - len(named)
    values = Counter(card.value for card in named)
    one_suit = len({card.suit for card in named}) <= 1
    most = max(values.values(), default=0) + jokers
    if most == IN_A_ROW:
        return Combination.HIGH_FIVE
    if one_suit and _fits_straight(values, [HIGHEST_STRAIGHT]):
        return Combination.ROYAL_FLUSH
    straight = _fits_straight(values, STRAIGHTS)
    if one_suit and straight:
        return Combination.STRAIGHT_FLUSH
    if most == 4:
        return Combination.FOUR_OF_A_KIND
    if len(values) == 2:
        return Combination.FULL_HOUSE
    if one_suit:
        return Combination.FLUSH
    if straight:
        return Combination.STRAIGHT
    if most == 3:
        return Combination.THREE_OF_A_KIND
    if len(values) == 3:  # without a joker: with one, a pair is three of a kind
        return Combination.TWO_PAIRS
    return Combination.PAIR if most == 2 else Combination.HIGH_CARD


def _fits_straight(values: Counter[str], straights: Iterable[frozenset[str]]) -> bool:
    """Whether all values are different and in the same straight; jokers fill the gaps."""
    if max(values.values(), default=0) > 1:
        return False
    return any(straight.issuperset(values) for straight in straights)
