"""A number of points that wins the game."""

from collections.abc import Callable
from dataclasses import dataclass

from companion.core.seats import BySeat, Seat

SideOf = Callable[[Seat], tuple[Seat, ...]]
"""The seats that score together with this one, itself among them, in seat order."""


def alone(seat: Seat) -> tuple[Seat, ...]:
    """Each seat plays for itself."""
    return (seat,)


def leaders(scores: BySeat[int]) -> tuple[Seat, ...]:
    """Who has most, in seat order: several where they share it."""
    most = max(scores.values)
    return tuple(seat for seat, score in scores.items() if score == most)


@dataclass(frozen=True, slots=True)
class Target:
    """Who has most wins, once that is at least `points`: at once or, with `at_the_hands_end`, only
    when a hand is over. While several sides share the most nobody has won yet."""

    points: int
    at_the_hands_end: bool = False

    def winners(
        self, scores: BySeat[int], side_of: SideOf = alone, *, hand_over: bool
    ) -> tuple[Seat, ...]:
        """Who has won with these scores, partners together; nobody yet: ()."""
        if self.at_the_hands_end and not hand_over:
            return ()
        best = leaders(scores)
        return best if scores[best[0]] >= self.points and best == side_of(best[0]) else ()

    def still_needed(self, score: int) -> int:
        """Points to the target, never below 0."""
        return max(self.points - score, 0)
