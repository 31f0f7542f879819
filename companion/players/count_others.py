"""What is counted of players in games without a line of play."""

from companion.core.words import mark
from companion.games.entry import Passed
from companion.games.high_five_tiles.entries import RowCompleted, TileLaid
from companion.games.high_five_tiles.rules import HighFiveTilesWhy
from companion.games.high_fives.entries import PointsEntered, PutDown
from companion.games.highrise.entries import Built, DrewOne
from companion.games.highrise.rules import HighriseWhy
from companion.games.round import Round, Stage
from companion.players.counted import Best, Count
from companion.players.definitions import (
    BONEYARD,
    HANDS,
    LAYS,
    BySeatName,
    Highest,
    Ratio,
    Runs,
    Said,
    Statistics,
    said_in,
)
from companion.record.journal import Journal


def count_high_fives(journal: Journal[object], of: BySeatName) -> None:
    """Counts High Fives: points and captures a turn."""
    runs = Runs()
    for number, entry, _, after in said_in(journal):
        if not isinstance(entry, PutDown | PointsEntered):
            continue
        counts, points = of[entry.seat], after.effect.points
        runs.lay(counts, entry.seat, points, number)
        counts.top(Best.BIGGEST, points, number)
        if isinstance(entry, PutDown):
            counts.add(Count.CAPTURING_TURNS)
            counts.add(Count.CAPTURES, (entry.takes is not None) + (entry.pair is not None))


def count_tiles(journal: Journal[object], of: BySeatName) -> None:
    """Counts High Five! with tiles: the rows made, by their combination."""
    runs = Runs()
    for number, entry, _, after in said_in(journal):
        if not isinstance(entry, RowCompleted | TileLaid):
            continue
        counts = of[entry.seat]
        points = sum(
            paid.points for paid in after.effect.payments if paid.why is HighFiveTilesWhy.ROW
        )  # an out that follows by itself is no part of the row
        runs.lay(counts, entry.seat, points, number)
        counts.top(Best.BIGGEST, points, number)
        if isinstance(entry, RowCompleted):
            made = entry.combination.value
            counts.combinations[made] = counts.combinations.get(made, 0) + 1


def count_highrise(journal: Journal[object], of: BySeatName) -> None:
    """Counts Highrise: points and levels of the plays, and how hands ended."""
    runs, rounds = Runs(), dict[int, Round]()
    for said in said_in(journal):
        _count_play(said, runs, of)
        now = said.after.board.round
        if now is not None:
            rounds[now.number] = now
    for now in rounds.values():
        if now.stage is Stage.OVER:
            _count_end(now, of)


def _count_play(said: Said, runs: Runs, of: BySeatName) -> None:
    number, entry, _, after = said
    match entry:
        case Built():
            counts = of[entry.seat]
            points = sum(
                paid.points for paid in after.effect.payments if paid.why is HighriseWhy.LAY
            )
            runs.lay(counts, entry.seat, points, number)
            counts.top(Best.BIGGEST, points, number)
            scored = after.board.scored
            counts.add(Count.LEVELS, scored.level)
            counts.top(Best.LEVEL, scored.level, number)
        case DrewOne():
            of[entry.seat].add(Count.DRAWN)
        case Passed():
            of[entry.seat].add(Count.PASSES)


def _count_end(now: Round, of: BySeatName) -> None:
    for seat in now.seats:
        counts = of[seat]
        counts.add(Count.HANDS)
        counts.add(Count.DOMINOED, int(now.out == seat))
        counts.add(Count.BLOCKED, int(now.out is None))
        counts.add(Count.LOST, int(now.out not in (None, seat)))
        shown = now.shown[seat]
        if shown is not None and now.out != seat:
            counts.add(Count.SHOWN)
            counts.add(Count.PIPS, shown.pips)


HIGH_FIVES = Statistics(
    count_high_fives,
    (
        *LAYS,
        Ratio("captures_a_turn", mark("captures a turn"), Count.CAPTURES, Count.CAPTURING_TURNS),
    ),
)
HIGHRISE = Statistics(
    count_highrise,
    (
        *LAYS,
        Ratio("level", mark("level of a play"), Count.LEVELS, Count.LAYS),
        Highest("highest_level", mark("highest level"), Best.LEVEL),
        *BONEYARD,
        *HANDS,
    ),
)
HIGH_FIVE_TILES = Statistics(count_tiles, LAYS)
