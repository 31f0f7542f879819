"""The settlement of a round: its winner, the holdings that count, and the rounding of pips."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from companion.core.seats import BySeat, Seat, Seats
from companion.core.values import dataclass
from companion.games.game import PaymentReason
from companion.games.round import Holding, Round, Stage

# ---------------------------------------------------------------- target
# A number of points that wins the game.


SideOf = Callable[[Seat], tuple[Seat, ...]]
"""A function that returns a seat together with its partner, if any, in seat order."""


def alone(seat: Seat) -> tuple[Seat, ...]:
    """Returns the side of a seat that plays for itself: the seat alone."""
    return (seat,)


def leaders(scores: BySeat[int]) -> tuple[Seat, ...]:
    """The seats with the highest score, in seat order."""
    most = max(scores.values)
    return tuple(seat for seat, score in scores.items() if score == most)


@dataclass(frozen=True, slots=True)
class Target:
    """The condition for winning: the highest score of at least `points` wins, at once or, with
    `at_the_hands_end`, only when a hand is over. While several sides share the highest score, there
    is no winner yet."""

    points: int
    at_the_hands_end: bool = False

    def winners(
        self, scores: BySeat[int], side_of: SideOf = alone, *, hand_over: bool
    ) -> tuple[Seat, ...]:
        """The seats that have won with these scores, partners together; () if there is no winner
        yet."""
        if self.at_the_hands_end and not hand_over:
            return ()
        best = leaders(scores)
        return best if scores[best[0]] >= self.points and best == side_of(best[0]) else ()

    def still_needed(self, score: int) -> int:
        """The points still needed for the target, never below 0."""
        return max(self.points - score, 0)


# ---------------------------------------------------------------- settlement


class HandEnding(PaymentReason):
    """The ways in which a round can end."""

    OUT = "out"
    BLOCKED = "blocked"

    @property
    def is_for_hand(self) -> bool:
        return True


Losers = Callable[[Seat], tuple[Seat, ...]]
"""A function that returns the seats whose pips a winner is paid for, by the game's rules."""


def all_others(seats: Seats) -> Losers:
    """A function that returns all seats except the winner."""
    return lambda winner: tuple(seat for seat in seats if seat != winner)


class Settlement(NamedTuple):
    """The winner of a round (None if several held the fewest pips), and the points."""

    winner: Seat | None
    points: int
    why: HandEnding


def holdings_needed(now: Round, losers: Losers) -> tuple[Seat, ...]:
    """The seats whose holdings still have to be shown before the round can be settled."""
    if not now.ended or now.total_pips is not None:
        return ()
    count = tuple(now.seats) if now.out is None else losers(now.out)
    return tuple(seat for seat in count if now.shown[seat] is None)


def settle(now: Round, losers: Losers, rounding: str) -> Settlement:
    """The settlement: the winner is the seat that is out, or otherwise the one with the fewest
    pips. It gets the losers' pips, added up and then rounded once (`rounded`)."""
    why = HandEnding.BLOCKED if now.out is None else HandEnding.OUT
    winner = fewest_pips(now) if now.out is None else now.out
    if winner is None:
        return Settlement(None, 0, why)
    pips = sum(pips_of(now.shown[seat]) for seat in losers(winner))
    return Settlement(winner, rounded(pips, rounding), why)


def mark_settled(now: Round, winner: Seat | None) -> Round:
    """The round marked as settled, with its winner (None if there is none)."""
    return now._replace(stage=Stage.OVER, winner=winner)


def fewest_pips(now: Round) -> Seat | None:
    """The seat with the fewest pips in a blocked round; None if several share them."""
    pips = {seat: pips_of(shown) for seat, shown in now.shown.items()}
    best = [seat for seat in pips if pips[seat] == min(pips.values())]
    return best[0] if len(best) == 1 else None


def pips_of(shown: Holding | None) -> int:
    """The pips of a holding, which must have been shown (not None)."""
    assert shown is not None
    return shown.pips


ROUNDED: Mapping[str, Callable[[int], int]] = {
    "nearest": lambda pips: 5 * ((pips + 2) // 5),
    "up": lambda pips: 5 * ((pips + 4) // 5),
    "down": lambda pips: 5 * (pips // 5),
    "none": lambda pips: pips,
}
"""The rounding of pips to points, for each value of the option `rounding`."""


def rounded(pips: int, rounding: str = "nearest") -> int:
    """Rounds pips to points: 13 and 12 to the `nearest` five are 15 and 10; 11 `up` is 15; 14
    `down` is 10; `none` leaves them as they are."""
    return ROUNDED[rounding](pips)
