"""What the screens know of the games of an evening."""

from collections.abc import Mapping

from companion.core.values import dataclass


@dataclass(frozen=True, slots=True)
class EveningGame:
    """A game of the evening: what everybody had at its end, or when it was left, and who won."""

    title: str
    scores: Mapping[str, int]
    winners: tuple[str, ...]
