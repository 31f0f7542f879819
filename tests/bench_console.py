"""Figures of the console: from a key press to the finished picture, without disk and bus."""

import statistics
import time
from collections.abc import Iterator
from random import Random

from companion.core.keys import Press
from companion.games.high_fives.entries import TilePutDown
from companion.games.high_fives.tableau import captures_of
from tests.console.builder import keyed
from tests.console.fives_typist import (
    FivesTypist,
    presses_of_a_taker,
    set_up,
    take_all,
    told,
    told_by_tiles,
)
from tests.console.rig import Rig
from tests.console.tiles_typist import type_game
from tests.console.typist import WAYS, Typist
from tests.random_games import play_game


class TimedRig(Rig):
    """A rig that notes the CPU seconds of every press: console, fold in memory, picture."""

    def __init__(self) -> None:
        super().__init__()
        self.took: list[float] = []

    def _one(self, press: Press) -> None:
        start = time.process_time()
        super()._one(press)
        self.took.append(time.process_time() - start)


def typed(way: str, seed: int, players: int) -> list[float]:
    """CPU seconds of each press of a game keyed in one of the ways to key tiles."""
    rig = TimedRig()
    rig.press(f"1 {players} 1 OK")
    typist = Typist(rig, way)
    for entry, after in play_game(Random(seed), players):
        typist.enter(entry, after)
    return rig.took


def bench_console() -> Iterator[tuple[str, str, str]]:
    """(what, measured, goal) for each way to key tiles, and for a game's start and end."""
    for way in WAYS:
        took = sorted(t for seed in range(6) for t in typed(way, seed, 2 + seed % 3))
        middle, p95 = statistics.median(took), took[int(len(took) * 0.95)]
        yield (
            f"key press to finished picture, {way} way (median / p95)",
            f"{middle * 1e3:.3f} / {p95 * 1e3:.3f} ms",
            "median 0.5 ms",
        )
    took = max((typed("tile", seed, 2) for seed in range(6)), key=len)
    first, last = statistics.median(took[:60]), statistics.median(took[-60:])
    yield "its first 60 presses of the longest game", f"{first * 1e3:.3f} ms", ""
    yield "its last 60 presses", f"{last * 1e3:.3f} ms", "the same"
    yield from _high_fives()
    yield from _highrise()
    yield from _high_five_tiles()


def _high_fives() -> Iterator[tuple[str, str, str]]:
    """(what, measured, goal) for High Fives, with the bytes on the wire, and the presses of a turn
    that is keyed by tiles and by points."""
    took: list[float] = []
    bytes_: list[int] = []
    presses: list[int] = []
    by_points: list[int] = []
    takes: list[int] = []
    for seed in range(14):
        players = 2 + seed % 7
        lines, rig = told_by_tiles(seed, players), TimedRig()
        presses += presses_of_a_taker(set_up(players, rig=rig), lines, players)
        takes += _takes(lines, players)
        took += rig.took
        bytes_ += rig.costs
        rig = TimedRig()
        by_points += _by_points(rig, lines, players)
        took += rig.took
        bytes_ += rig.costs
    yield from _each_press("High Fives", took, bytes_)
    mean, middle = statistics.mean(presses), statistics.median(presses)
    yield "its presses a turn by tiles (mean / median)", f"{mean:.2f} / {middle:.0f}", "4"
    able = [number for number in takes if number]
    what = f"its turns in which OK takes the only tile that it can, of {len(able):,}"
    yield what, f"{able.count(1) / len(able):.0%}", "93 %"
    yield "its presses a turn by points (mean)", f"{statistics.mean(by_points):.2f}", "2"


def _takes(lines: list[str], players: int) -> Iterator[int]:
    """For each turn the number of tiles that it could capture, if every seat captures as many
    points as possible."""
    rig = set_up(players)
    typist = FivesTypist(rig)
    for entry, after in told(lines, players):
        if isinstance(entry, TilePutDown):
            yield len(captures_of(rig.state.board.table, entry.tile))
            take_all(rig, entry.tile)
        else:
            typist.enter(entry, after)


def _by_points(rig: Rig, lines: list[str], players: int) -> Iterator[int]:
    """Keys a game by points; returns how many keys each turn took."""
    typist = FivesTypist(set_up(players, "points", rig))
    for entry, after in told(lines, players):
        before = len(rig.texts)
        typist.enter(entry, after)
        if entry.in_turn:
            yield len(rig.texts) - before


def _each_press(game: str, took: list[float], bytes_: list[int]) -> Iterator[tuple[str, str, str]]:
    """Lines on how long a press took, and how many bytes it put on the wire."""
    took = sorted(took)
    middle, p95 = statistics.median(took), took[int(len(took) * 0.95)]
    figures = f"{middle * 1e3:.3f} / {p95 * 1e3:.3f} ms"
    yield f"{game}: key press to finished picture (median / p95)", figures, "median 0.5 ms"
    yield "its bytes on the wire a press (median)", f"{statistics.median(bytes_):.0f}", "129"


def _highrise() -> Iterator[tuple[str, str, str]]:
    """(what, measured, goal) for Highrise, with the presses of a play when the basement was keyed
    and when it was not."""
    took: list[float] = []
    bytes_: list[int] = []
    presses: dict[bool, list[int]] = {True: [], False: []}
    for seed in range(15):
        rig = TimedRig()
        before = 0
        for _, state in keyed(seed, 2 + seed % 3, rig):
            if state.board.scored is not None:
                presses[state.board.layouts is not None].append(len(rig.took) - before)
            before = len(rig.took)
        took += rig.took
        bytes_ += rig.costs
    yield from _each_press("Highrise", took, bytes_)
    for basement, words in ((True, "with"), (False, "without")):
        mean, middle = statistics.mean(presses[basement]), statistics.median(presses[basement])
        what = f"its presses a play {words} the basement (mean / median)"
        yield what, f"{mean:.2f} / {middle:.0f}", ""


def _high_five_tiles() -> Iterator[tuple[str, str, str]]:
    """(what, measured, goal) for High Five! with tiles."""
    took: list[float] = []
    bytes_: list[int] = []
    presses = turns = 0
    for seed in range(15):
        rig = TimedRig()
        type_game(seed, 2 + seed % 3, rig)
        took += rig.took
        bytes_ += rig.costs
        presses += len(rig.took)
        turns += rig.view.game.length
    yield from _each_press("High Five! (tiles)", took, bytes_)
    yield "its presses an entry, set-up and all (mean)", f"{presses / turns:.2f}", "3"
