"""Highlights of a game: streaks, records of the evening, the leader when a hand is over, and the
standings at the end. They are derived from the entries that people may know, so a correction
changes them too. The reason of each payment (`PaymentReason`, games/game.py) determines whether a
play or a hand has earned it."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from companion.core.seats import Seat
from companion.core.values import Json
from companion.games.game import AnyState, Entry
from companion.presentation.game import GamePresentation
from companion.presentation.payments import payment_json
from companion.presentation.sayings import SeatsTogether, say
from companion.record.journal import Journal

STREAK: Final = 3
"""The number of scoring plays, or of hands won, in a row that make a streak."""
MIN_PLAYS, FEWEST_HANDS = 6, 2
"""A record has to beat at least this many scoring plays, or hands."""
MAX_HIGHLIGHTS: Final = 2
"""The most highlights of one entry."""

GameStep = tuple[int, Entry, AnyState]
"""The place of an entry in the game, the entry, and the state after it."""


class BestScores(NamedTuple):
    """The most points in one play and in one hand, and the numbers of plays and of hands that
    scored."""

    play: int = 0
    hand: int = 0
    plays: int = 0
    hands: int = 0

    def merged(self, other: "BestScores") -> "BestScores":
        play, hand = max(self.play, other.play), max(self.hand, other.hand)
        return BestScores(play, hand, self.plays + other.plays, self.hands + other.hands)


def best_scores(steps: Iterable[GameStep]) -> BestScores:
    """Returns the best scores among entries, which are given newest first."""
    play, hand, plays, hands = 0, 0, 0, 0
    for after, points in _states_with_earnings(steps):
        earned = after.effect.hand_points
        play, plays = max(play, points), plays + (points > 0)
        hand, hands = max(hand, earned), hands + (earned > 0)
    return BestScores(play, hand, plays, hands)


def _states_with_earnings(steps: Iterable[GameStep]) -> Iterator[tuple[AnyState, int]]:
    """Yields each state in which something was paid, with the points that the play earned (0 if it
    lost points)."""
    cancelled = False
    for _, entry, after in steps:
        if after.effect.payments:
            yield after, 0 if cancelled and entry.is_play else after.effect.play_points
        cancelled = entry.cancels_score


def may_be_record(journal: Journal[object]) -> bool:
    """Returns whether the newest score can be a record of the evening."""
    for _, entry, after in islice(journal.newest_first(), 2):
        if not entry.reveals_score:
            return after.effect.play_points > 0 or after.effect.hand_points > 0
    return False


def highlights_json(
    journal: Journal[object],
    steps: list[GameStep],
    presentation: GamePresentation,
    earlier: BestScores | None,
) -> Json | None:
    """Returns the highlights of the newest of the `steps`, which are given newest first; None if
    there are none. `earlier`: the best scores in the evening's earlier games of this kind; None if
    they aren't known."""
    if not steps:
        return None
    now = steps[0][2]
    # A call that reveals a score is about the play before it.
    steps = steps[1:] if steps[0][1].reveals_score else steps
    _, entry, state = steps[0]
    before = steps[1][2] if len(steps) > 1 else journal.start
    after_hand = presentation.hand_result(now) is not None
    hand_ends = after_hand and presentation.hand_result(before) is None
    said = [*_rare_highlights(state)]
    said += _record_highlights(steps, presentation, earlier)
    if entry.is_play and presentation.has_streaks:
        said += _streak_highlight(steps)
    if hand_ends:
        said += _winning_streak_highlight(steps, presentation)
    shows_standings = now.finished or (after_hand and any(now.scores.values))
    if state.effect.payments and not shows_standings:
        said += _lead_taken_highlight(before, state)
    if not said and not shows_standings:
        return None
    return {
        "said": said[:MAX_HIGHLIGHTS],
        "leads": _lead_sentence(now) if shows_standings and not now.finished else None,
        "standings": standings(now) if shows_standings else [],
    }


def standings(state: AnyState) -> list[Json]:
    """Returns every side with its score and its place: the winners first, then by score."""
    sides = sorted(
        state.scorers, key=lambda side: (side[0] not in state.winners, -state.scores[side[0]])
    )
    places, ranked = list[Json](), list[tuple[bool, int]]()
    for side in sides:
        rank = side[0] in state.winners, state.scores[side[0]]
        ranked.append(rank)
        places.append({"place": ranked.index(rank) + 1, "seats": [*side], "score": rank[1]})
    return places


def _rare_highlights(state: AnyState) -> Iterator[Json]:
    for paid in state.effect.payments:
        if paid.why.is_rare:
            yield payment_json(paid)["for"]


def _record_highlights(
    steps: list[GameStep], presentation: GamePresentation, earlier: BestScores | None
) -> Iterator[Json]:
    _, entry, state = steps[0]
    play, hand = state.effect.play_points, state.effect.hand_points
    if play <= 0 and hand <= 0:
        return
    before = best_scores(islice(steps, 1, None)).merged(earlier or BestScores())
    period = "game" if earlier is None else "tonight"
    if before.plays >= MIN_PLAYS and play > before.play:
        why = presentation.describe_reason(entry, state)
        kind = "count" if why and why["parts"].get("count") == play else "play"
        yield say(f"highlight.best-{kind}-{period}", points=play)
    if before.hands >= FEWEST_HANDS and hand > before.hand:
        yield say(f"highlight.best-hand-{period}", points=hand)


def _streak_highlight(steps: list[GameStep]) -> Iterator[Json]:
    """Yields a highlight if a seat has scored with several plays in a row."""
    seat, number, cancelled = steps[0][1].named_seat, 0, False
    for _, entry, after in steps:
        scores = after.effect.play_points > 0
        if entry.named_seat == seat and (entry.is_play or scores):
            if cancelled or not (entry.is_play and scores):
                break
            number += 1
        cancelled = entry.cancels_score
    if number >= STREAK:
        yield say("highlight.streak", seat=seat, number=number)


def _winning_streak_highlight(
    steps: list[GameStep], presentation: GamePresentation
) -> Iterator[Json]:
    """Yields a highlight if a side has won several hands in a row."""
    winner: Seat | None = None
    number, hand = 0, None
    for _, _, after in steps:
        if after.effect.hand == hand:
            continue
        result = presentation.hand_result(after)
        if result is None:
            continue
        hand = after.effect.hand
        if result.winner is None:
            break
        if winner is not None and result.winner not in after.side_of(winner):
            break
        winner, number = result.winner, number + 1
    if winner is not None and number >= STREAK:
        side = steps[0][2].side_of(winner)
        together = "-together" if len(side) > 1 else ""
        yield say(f"highlight.hands{together}", seats=SeatsTogether(side), number=number)


def _leading_sides(state: AnyState) -> list[tuple[Seat, ...]]:
    """Returns the sides with the highest score."""
    most = max(state.scores.values)
    return [side for side in state.scorers if state.scores[side[0]] == most]


def _lead_taken_highlight(before: AnyState, state: AnyState) -> Iterator[Json]:
    """Yields a highlight if a side has just taken the lead alone, except with the first points of a
    game."""
    ahead = _leading_sides(state)
    if len(ahead) == 1 and max(before.scores.values) > 0 and _leading_sides(before) != ahead:
        together = "-together" if len(ahead[0]) > 1 else ""
        yield say(f"highlight.takes-lead{together}", seats=SeatsTogether(ahead[0]))


def _lead_sentence(state: AnyState) -> Json:
    """Returns the sentence about who leads, and with how many points."""
    ahead = _leading_sides(state)
    kind = "level" if len(ahead) > 1 else "leads-together" if len(ahead[0]) > 1 else "leads"
    seats = SeatsTogether(seat for side in ahead for seat in side)
    return say(f"highlight.{kind}", seats=seats, score=state.scores[ahead[0][0]])
