"""The score of a play of Highrise in words."""

from companion.games.highrise.laying import PlayScored


def play_sum(scored: PlayScored) -> str:
    """The values of the halves, the level, and the points: “6-3 × 2 = 18”."""
    return f"{play_factors(scored)} = {scored.points}"


def play_factors(scored: PlayScored) -> str:
    """The values of the halves, and the level: “6-3 × 2”."""
    one, other = scored.values
    return f"{one}-{other} × {scored.level}"
