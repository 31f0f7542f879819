"""Whether scores can be those at the end of a game: what a game says of a result that somebody has
typed. Each check gives a sentence with the reason for its doubt, None if there is none."""

from collections.abc import Sequence
from fractions import Fraction

from companion.core.words import phrase

FinalScores = Sequence[Fraction]
"""The scores at the end, one for each side."""


def shown(score: Fraction) -> str:
    """A score as people write it."""
    return str(score) if score.denominator == 1 else f"{float(score):g}"


def not_whole(scores: FinalScores) -> str | None:
    """A score that is no whole number."""
    wrong = next((one for one in scores if one.denominator != 1), None)
    return None if wrong is None else phrase("{score} is no whole number", score=shown(wrong))


def not_in_fives(scores: FinalScores) -> str | None:
    """A score that is no multiple of five."""
    wrong = next((one for one in scores if one % 5), None)
    return None if wrong is None else phrase("{score} is no multiple of five", score=shown(wrong))


def outside(scores: FinalScores, least: int | None, most: int) -> str | None:
    """A score below `least` (None: any may be) or above `most`."""
    for one in scores:
        if least is not None and one < least:
            return phrase("{score} is less than {least}", score=shown(one), least=least)
        if one > most:
            return phrase("{score} is more than {most}", score=shown(one), most=most)
    return None


def no_winner(
    scores: FinalScores, target: int, *, time_left: bool, several: bool = False
) -> str | None:
    """Two who share the highest score at the target or, unless `several` may have it, two who have
    it at all; or nobody who has it, though there is `time_left`."""
    best = max(scores)
    there = [one for one in scores if one >= target]
    if len(there) > 1 and (not several or there.count(best) > 1):
        return phrase("only one can win, and {many} have {target}", many=len(there), target=target)
    if not there and time_left:
        return phrase("nobody has {target}, and the time is not up", target=target)
    return None


def games_of_match(scores: FinalScores, games: int, *, time_left: bool) -> str | None:
    """Games won that can't be those of a match of so many `games`."""
    most = games // 2 + 1
    if doubt := not_whole(scores) or outside(scores, 0, most):
        return doubt
    if sum(scores) > games:
        return phrase("a match has {most} games, not {many}", most=games, many=int(sum(scores)))
    return no_winner(scores, most, time_left=time_left) if sum(scores) < games else None
