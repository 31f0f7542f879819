"""A number of points that wins the game."""

from collections.abc import Callable
from dataclasses import dataclass

from companion.core.seats import BySeat, Seat

SideOf = Callable[[Seat], tuple[Seat, ...]]
"""Gives the seats that score together with a seat, that seat among them, in seat order."""


def alone(seat: Seat) -> tuple[Seat, ...]:
    """The side of a seat that plays for itself: the seat alone."""
    return (seat,)


def leaders(scores: BySeat[int]) -> tuple[Seat, ...]:
    """The seats with the highest score, in seat order."""
    most = max(scores.values)
    return tuple(seat for seat, score in scores.items() if score == most)


@dataclass(frozen=True, slots=True)
class Target:
    """The highest score wins, once it is at least `points`: at once or, with `at_the_hands_end`,
    only when a hand is over. While several sides share it, nobody has won yet."""

    points: int
    at_the_hands_end: bool = False

    def winners(
        self, scores: BySeat[int], side_of: SideOf = alone, *, hand_over: bool
    ) -> tuple[Seat, ...]:
        """The seats that have won with these scores, partners together; () while nobody has."""
        if self.at_the_hands_end and not hand_over:
            return ()
        best = leaders(scores)
        return best if scores[best[0]] >= self.points and best == side_of(best[0]) else ()

    def still_needed(self, score: int) -> int:
        """Points to the target, never below 0."""
        return max(self.points - score, 0)
