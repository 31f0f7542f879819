"""What is said of a play of Highrise."""

from companion.games.highrise.laying import PlayScored


def play_sum(scored: PlayScored) -> str:
    """The values of the halves, the level, and what they make: “6-3 × 2 = 18”."""
    return f"{play_factors(scored)} = {scored.points}"


def play_factors(scored: PlayScored) -> str:
    """“6-3 × 2”"""
    one, other = scored.values
    return f"{one}-{other} × {scored.level}"
