"""A game of the record, counted for its players."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from companion.core.clock import BREAK_S
from companion.games.game import AnyState
from companion.players.counted import CountedGame, GameResult, SeatCounts
from companion.players.definitions import Statistics
from companion.record.fold import Fold


def count(fold: Fold, statistics: Mapping[str, Statistics], on_table: int) -> CountedGame | None:
    """What is counted of a game; None if the game can't be shown. `on_table`: the number of the
    game on the table, the only one that may still hold back a count which nobody has called."""
    if fold.number != on_table:
        fold.leave()
    journal, listed = fold.journal, fold.listed
    if journal is None or listed is None:
        return None
    opened, state = journal.opened, journal.state
    of = {str(seat): SeatCounts() for seat in opened.seats}
    result = GameResult.WITHDRAWN if journal.withdrawn else result_of(state)
    if result is not GameResult.WITHDRAWN:
        statistics[opened.game].count(journal, of)
    times = [listed.at, *fold.entered_at]
    return CountedGame(
        number=fold.number,
        game=opened.game,
        seats=tuple(opened.seats),
        opened=listed.at,
        begun=last_sitting(times),
        played=times[-1],
        follows=opened.evening is not None,
        entries=journal.length,
        result=result,
        winners=tuple(state.winners),
        scores=dict(state.scores.items()),
        of=of,
        doubtful=bool(fold.doubts),
        sides=tuple(map(tuple, state.sides)),
    )


def result_of(state: AnyState) -> GameResult:
    """How a game that was not taken back ended, or that it is still open."""
    if state.winners:
        return GameResult.WON
    return GameResult.ENDED if state.ended is not None else GameResult.OPEN


def last_sitting(times: Sequence[float | None]) -> float | None:
    """When the last sitting at a game began. `times`: when it was opened, and when each entry was
    made. A game that was left overnight and finished the next evening was played that evening."""
    began = times[0]
    for before, at in pairwise(times):
        if before is None or (at is not None and at - before >= BREAK_S):
            began = at
    return began
