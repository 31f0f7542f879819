"""Figures, each printed beside what it is compared with: `make bench`.

Nothing here passes or fails. CPU time is that of this process on this machine; a Raspberry Pi Zero
2 W is slower by a factor that was not measured here.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from random import Random

from companion.games.catalog import GAMES
from companion.games.entries import Laid
from companion.games.game import AnyState, Entry
from tests.bench_process import bench_process
from tests.playing import table
from tests.random_games import Played, by_count, by_ends, play_game


def row(what: str, measured: str, compared: str) -> None:
    """One line of the table."""
    print(f"{what:<58} {measured:>22}   {compared}")


def milliseconds(seconds: list[float]) -> str:
    """median / 95th percentile / maximum."""
    ordered = sorted(seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    return f"{statistics.median(ordered) * 1e3:.3f} / {p95 * 1e3:.3f} / {ordered[-1] * 1e3:.2f} ms"


def timed(entries: list[Entry], seats: str, name: str = "high-five") -> Iterator[float]:
    """CPU seconds of `apply` for each lay."""
    state: AnyState = table(seats, name).state
    apply = GAMES[name].apply
    for entry in entries:
        start = time.process_time()
        state = apply(state, entry)
        if isinstance(entry, Laid):
            yield time.process_time() - start


def bench_rules() -> None:
    """`apply` by the three entry ways, at a game's start and end, and whole random games."""
    games = [play_game(Random(seed), 2 + seed % 3) for seed in range(60)]
    ways: dict[str, Callable[[Played], list[Entry]]] = {
        "tile": lambda played: [entry for entry, _ in played],
        "ends": by_ends,
        "count": by_count,
    }
    goals = {"tile": "0.05 ms", "ends": "0.05 ms", "count": "20 ms"}
    for way, told in ways.items():
        lays: list[float] = []
        for played in games:
            lays += timed(told(played), " ".join(played[0][1].seats))
        row(f"apply, a lay by {way} (median / p95 / max)", milliseconds(lays), f"goal {goals[way]}")
    long_game = max(games, key=len)
    lays = list(timed([entry for entry, _ in long_game], " ".join(long_game[0][1].seats)))
    first, last = statistics.median(lays[:20]), statistics.median(lays[-20:])
    row("apply, first 20 lays of the longest game", f"{first * 1e3:.3f} ms", "")
    row("apply, last 20 lays of the same", f"{last * 1e3:.3f} ms", "goal: the same")
    start = time.perf_counter()
    entries = sum(len(play_game(Random(seed))) for seed in range(1000))
    took = time.perf_counter() - start
    row(f"1,000 random games by tile ({entries:,} entries)", f"{took:.2f} s", "goal 10 s")


def main() -> None:
    """Prints the whole table."""
    print(f"{'what':<58} {'measured':>22}   compared with")
    bench_rules()
    for what, measured, goal in bench_process():
        row(what, measured, f"goal {goal}")


if __name__ == "__main__":
    main()
