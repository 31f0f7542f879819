"""Counted games, made by hand."""

from datetime import UTC, datetime

from companion.players.statistics import CountedGame, GameResult, SeatCounts

HOUR = 3600.0


def at(hour: float, day: int = 1) -> float:
    return datetime(2026, 11, day, tzinfo=UTC).timestamp() + hour * HOUR


def game(
    number: int,
    begun: float | None,
    hours: float = 0.5,
    *,
    follows: bool = False,
    opened: float | None = None,
    result: GameResult = GameResult.WON,
    winners: tuple[str, ...] = ("Ada",),
    seats: tuple[str, ...] = ("Ada", "Bo"),
) -> CountedGame:
    return CountedGame(
        number=number,
        game="high-five",
        seats=seats,
        opened=begun if opened is None else opened,
        begun=begun,
        played=None if begun is None else begun + hours * HOUR,
        follows=follows,
        entries=1,
        result=result,
        winners=winners if result is GameResult.WON else (),
        scores=dict.fromkeys(seats, 0),
        by_seat={seat: SeatCounts() for seat in seats},
    )
