"""A number of points that wins the game."""

from dataclasses import dataclass

from companion.seats import BySeat, Seat


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
        most = max(scores.values)
        best = tuple(seat for seat, score in scores.items() if score == most)
        return best if most >= self.points and len(best) == 1 else ()

    def still_needed(self, score: int) -> int:
        """Points to the target, never below 0."""
        return max(self.points - score, 0)
