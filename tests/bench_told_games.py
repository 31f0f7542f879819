"""What an entry costs in the games without a line of play, and how often Highrise has to ask."""

import gc
import statistics
import time
from collections.abc import Iterator
from random import Random

from companion.core.seats import Seats
from companion.games.entry import Unclear
from companion.games.game import parse_entry
from companion.games.highrise.entries import Built
from companion.games.highrise.rules import Highrise
from tests.catalog import GAMES
from tests.games.others import highrise
from tests.games.others.players import PLAYERS, seats_of

ROUNDS = 20


def bench_told_games() -> Iterator[tuple[str, str, str]]:
    """(what, measured, goal) for each game, and for the layouts of Highrise."""
    for name in PLAYERS:
        took: list[float] = []
        entries = 0
        for seed in range(ROUNDS):
            played = _entries(name, seed)
            entries += len(played)
            took += played
        most = max(took)
        figures = f"{statistics.median(took) * 1e3:.3f} / {most * 1e3:.1f} ms"
        yield f"{name}: read and apply any of {entries:,} entries (median / max)", figures, "50 ms"
    yield from _layouts()


def _entries(name: str, seed: int) -> list[float]:
    """Seconds for each entry of a random game: to read its text and apply it."""
    players = GAMES[name].players
    number = players[seed % len(players)]
    lines = PLAYERS[name](Random(seed), number)
    game, seats = GAMES[name], Seats.of(*seats_of(number))
    state = game.start(seats, {option.name: option.default(number) for option in game.options})
    took = []
    gc.collect()
    for line in lines:
        start = time.process_time()
        state = game.apply(state, parse_entry(line, game, seats))
        took.append(time.process_time() - start)
    return took


def _layouts() -> Iterator[tuple[str, str, str]]:
    """Lines on Highrise: how many layouts are kept at a hand's end, and how often a tile alone is
    enough to know the play."""
    game, kept = Highrise(), list[int]()
    numbered, alone = 0, 0
    for seed in range(60):
        players = 2 + seed % 3
        seats = Seats.of(*seats_of(players))
        state = game.start(seats, {"target": 300})
        for line in highrise.play(Random(seed), players):
            entry = parse_entry(line, game, seats)
            if line.startswith("hand") and state.board.layouts is not None:
                kept.append(len(state.board.layouts))
            if (
                isinstance(entry, Built)
                and state.board.layouts is not None
                and max(entry.halves) < 7
            ):
                numbered += 1
                try:
                    game.apply(state, Built(entry.seat, entry.halves))
                    alone += 1
                except Unclear:
                    pass
            state = game.apply(state, entry)
    what = f"highrise: layouts kept at the end of {len(kept)} hands (median / most)"
    yield what, f"{statistics.median(kept):.0f} / {max(kept)}", "2 / 28"
    what = f"highrise: numbered tiles that say enough alone, of {numbered:,}"
    yield what, f"{alone / numbered:.0%}", "73 %"
