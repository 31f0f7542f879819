"""Measures the drawing: the cost of finding the line of play from the record, and of drawing it."""

import gc
import statistics
import time
from collections.abc import Iterator
from random import Random

from companion.app.catalog import CATALOG
from companion.core.seats import Seats
from companion.games.game import AnyState, Entry, parse_entry
from companion.games.line.line import TilePlayed
from companion.presentation.drawing.svg import Paper
from companion.presentation.line.drawing import draw_line
from companion.presentation.line.line_of_play import line_of
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Step
from companion.table.snapshot import Snapshot
from companion.web.broadcast import Broadcast
from companion.web.files import STATIC
from tests.catalog import GAMES
from tests.games.others.players import PLAYERS, seats_of
from tests.playing import table
from tests.presentation.lines import INCLINATIONS, random_line
from tests.random_games import Played, by_count, by_ends, play_game

WAYS = {"tile": None, "ends": by_ends, "count": by_count}
WIDE = Paper(16, 9)


def drawn(played: Played, entries: list[Entry]) -> Iterator[float]:
    """CPU seconds for each lay, from the state to the finished drawing."""
    state: AnyState = table(" ".join(played[0][1].seats)).state
    for entry in entries:
        state = GAMES["high-five"].apply(state, entry)
        if isinstance(entry, TilePlayed):
            start = time.process_time()
            draw_line(line_of(state.board.hand), WIDE)
            yield time.process_time() - start


def _moments() -> Iterator[tuple[str, str, str]]:
    """Lines about the message to a page after each entry: the moment as JSON and its drawing."""
    for name in GAMES:
        took = sorted(seconds for seed in range(6) for seconds in _told(name, seed))
        middle, p95 = statistics.median(took), took[int(len(took) * 0.95)]
        measured = f"{middle * 1e3:.3f} / {p95 * 1e3:.3f} / {took[-1] * 1e3:.2f} ms"
        yield f"{name}: a moment told and drawn (median / p95 / max)", measured, "5 ms"


def _told(name: str, seed: int) -> Iterator[float]:
    """CPU seconds for each moment of a random game."""
    players = 2 + seed % 3
    if name in PLAYERS:
        seats, lines = Seats.of(*seats_of(players)), PLAYERS[name](Random(seed), players)
        entries = [parse_entry(line, GAMES[name], seats) for line in lines]
    else:
        played = play_game(Random(seed), players, name)
        seats, entries = played[0][1].seats, [entry for entry, _ in played]
    journal, broadcast = (
        Journal.begin(GameOpened(name, seats, {}), GAMES),
        Broadcast(STATIC, CATALOG),
    )
    gc.collect()
    gc.freeze()  # the program holds one game, not all of these
    for row, entry in enumerate(entries):
        journal = journal.fold(Step((entry,)))
        broadcast.update(Snapshot(1, row, None, 1, b"", journal, {}))
        start = time.process_time()
        broadcast.message("wide")
        yield time.process_time() - start


def bench_telling() -> Iterator[tuple[str, str, str]]:
    """(what, measured, goal) for each way to key tiles, and the size of the largest lines."""
    games = [play_game(Random(seed), 2 + seed % 3) for seed in range(12)]
    for way, tell in WAYS.items():
        took = sorted(
            seconds
            for played in games
            for seconds in drawn(played, tell(played) if tell else [entry for entry, _ in played])
        )
        middle, p95 = statistics.median(took), took[int(len(took) * 0.95)]
        yield (
            f"the line drawn after a lay, {way} way (median / p95 / max)",
            f"{middle * 1e3:.3f} / {p95 * 1e3:.3f} / {took[-1] * 1e3:.2f} ms",
            "5 ms",
        )
    yield from _moments()
    sizes = sorted(
        len(draw_line(random_line(seed, inclination), WIDE, stand_alone=True).encode())
        for inclination in INCLINATIONS
        for seed in range(20)
    )
    measured = f"{statistics.median(sizes) / 1e3:.1f} / {sizes[-1] / 1e3:.1f} kB"
    yield "a whole line that stands alone (median / largest)", measured, "40 kB"
