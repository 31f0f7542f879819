"""The entries that only High Five! with tiles has, each with its tally words."""

from typing import ClassVar, Self

from companion.core.errors import EntryError, whole_number
from companion.core.seats import Seat, Seats
from companion.core.values import dataclass
from companion.games.entries import SeatAlone, WordAlone
from companion.games.game import Entry, refuse_extra_words, seat_named
from companion.games.high_five_tiles.combinations import IN_A_ROW, Card, Combination, best_of

NAMES = {combination.value: combination for combination in Combination}


@dataclass(frozen=True, slots=True)
class RowCompleted(Entry):
    """`SEAT row NAME [laid N]` or `SEAT row C C C C C [laid N]`: a row of five was completed, given
    as a combination or as cards in any order; `laid` is the number of new tiles in it, 1 to 4."""

    words: ClassVar = ("row",)
    clauses: ClassVar = ("laid", *NAMES)
    in_turn: ClassVar = True
    is_play: ClassVar = True
    seat: Seat
    name: Combination | None = None
    """The row's combination; None if the cards were entered."""
    cards: tuple[Card, ...] = ()
    laid: int | None = None

    @property
    def combination(self) -> Combination:
        """The row's combination: as entered, or the best one in its cards."""
        return self.name or best_of(self.cards)

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        seat, rest = seat_named(line[0], seats), line[2:]
        if not rest:
            raise EntryError("which row? Its name, as in row full-house, or its five cards")
        cards: tuple[Card, ...] = ()
        name = NAMES.get(rest[0].lower())
        if name is not None:
            del rest[0]
        elif len(rest[0]) > len("10h"):
            raise EntryError(
                "{text} is not a row: {names}", text=rest[0][:40], names=", ".join(NAMES)
            )
        else:
            words = [word.lower() for word in rest]
            until_laid = rest[: words.index("laid")] if "laid" in words else rest
            cards = tuple(map(Card.parse, until_laid))
            if len(cards) != IN_A_ROW:
                raise EntryError(
                    "a row has {most} cards, not {number}", most=IN_A_ROW, number=len(cards)
                )
            del rest[:IN_A_ROW]
        return cls(seat, name, cards, _parse_laid(rest))

    def __str__(self) -> str:
        row = self.name.value if self.name else " ".join(map(str, self.cards))
        laid = "" if self.laid is None else f" laid {self.laid}"
        return f"{self.seat} row {row}{laid}"


def _parse_laid(rest: list[str]) -> int | None:
    if not rest:
        return None
    if rest[0].lower() != "laid" or len(rest) < 2:
        raise EntryError("how many tiles were new? Write it as in laid 3")
    refuse_extra_words(rest, 2)
    laid = whole_number(rest[1], "laid")
    if not 1 <= laid <= IN_A_ROW - 1:
        raise EntryError(
            "a row has 1 to {most} new tiles, not {laid}", laid=laid, most=IN_A_ROW - 1
        )
    return laid


@dataclass(frozen=True, slots=True)
class SingleTilePlayed(SeatAlone):
    """`SEAT tile`: one tile was played for no points, because no row was possible."""

    words: ClassVar = ("tile",)
    in_turn: ClassVar = True
    is_play: ClassVar = True
    seat: Seat
    __str__ = SeatAlone.__str__


@dataclass(frozen=True, slots=True)
class AllTilesPlayed(WordAlone):
    """`finish`: all players have played all their tiles."""

    words: ClassVar = ("finish",)
    __str__ = WordAlone.__str__
