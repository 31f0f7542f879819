"""A number of points that wins the game."""

from dataclasses import dataclass

from companion.core.seats import BySeat, Seat


def leaders(scores: BySeat[int]) -> tuple[Seat, ...]:
    """Who has most, in seat order: several where they share it."""
    most = max(scores.values)
    return tuple(seat for seat, score in scores.items() if score == most)


@dataclass(frozen=True, slots=True)
class Target:
    """Who has most wins, once that is at least `points`: at once or, with `at_the_hands_end`, only
    when a hand is over. While several share the most nobody has won yet."""

    points: int
    at_the_hands_end: bool = False

    def winners(self, scores: BySeat[int], *, hand_over: bool) -> tuple[Seat, ...]:
        """Who has won with these scores; nobody yet: ()."""
        if self.at_the_hands_end and not hand_over:
            return ()
        best = leaders(scores)
        return best if scores[best[0]] >= self.points and len(best) == 1 else ()

    def still_needed(self, score: int) -> int:
        """Points to the target, never below 0."""
        return max(self.points - score, 0)
