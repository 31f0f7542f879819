"""Figures of the display's wire: bytes a key press, and how soon after a key the last one is out.

An evening of whole games is keyed at the pace of people, through mock pins, loop, record and panel.
Bus time is calculated: nine bits a byte on I²C, and one bit each for the start and the stop of a
transfer. So is the time of an fsync. The record lies in memory if the system has such a place, so
that this machine's disk does not matter. The processor time is measured.
"""

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from luma.oled.device import ssd1306

from companion.console.frame import PAGES, RUN_COST, WIDTH, Frame
from companion.console.screen_saver import RestTimes
from companion.core.keys import Press
from companion.devices.gpio.debounce import Timing
from tests.console import rig as console
from tests.console.test_wire import EVENING
from tests.console.typist import Typist
from tests.fake_oled import FakeOled
from tests.random_games import play_game
from tests.rig import Rig

THINKING_S = 7.0
"""Seconds between two entries: long enough for the display's own housekeeping."""
BUSES = (
    ("100 kHz, fsync 20 ms", 100_000, 0.020, "50 ms"),
    ("400 kHz, fsync 2 ms", 400_000, 0.002, "15 ms"),
)
MEMORY = Path("/dev/shm")


@dataclass(frozen=True, slots=True)
class KeyPress:
    """One key press: bytes of each transfer that it caused, the bytes of the cheapest way, rows
    kept, and CPU seconds."""

    transfers: tuple[int, ...]
    cheapest: int
    kept: int
    work_s: float

    @property
    def wire_bytes(self) -> int:
        """Bytes of all transfers; each has an address and a control byte besides its content."""
        return sum(self.transfers)

    def bus_s(self, hertz: int) -> float:
        """Seconds for which a bus of that speed is busy."""
        return (9 * self.wire_bytes + 2 * len(self.transfers)) / hertz


def cheapest(before: Frame, after: Frame) -> int:
    """The bytes of the cheapest set of runs that covers every changed column. Found column by
    column, as the cheapest way up to there with a run still open and without one."""
    total = 0
    for page in range(PAGES):
        closed, options_left_open = 0.0, float("inf")
        for at in range(page * WIDTH, (page + 1) * WIDTH):
            covered = min(options_left_open, closed + RUN_COST) + 1
            changed = before.pixels[at] != after.pixels[at]
            closed = covered if changed else min(closed, covered)
            options_left_open = covered
        total += int(closed)
    return total


class _Noting(console.Rig):
    """A console in memory that notes which keys the typist presses."""

    keys: list[str]

    def _one(self, press: Press) -> None:
        self.keys.append(press.key.value)
        super()._one(press)


def keys_of(seed: int, players: int, way: str) -> list[str]:
    """All keys of a game, from its set-up to its end."""
    noting = _Noting()
    noting.keys = []
    noting.press(f"1 {players} 1 OK")
    typist = Typist(noting, way)
    for entry, after in play_game(Random(seed), players):
        typist.enter(entry, after)
    return noting.keys


class Evening:
    """A rig that also notes the CPU time, and the bytes on the wire."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._kept = 0
        self._shown_at = 0.0
        picture = rig.table.box._display
        self._keep, self._publish = rig.store.keep, picture._outputs.show
        vars(rig.store)["keep"] = self._noting_keep
        picture._outputs = replace(picture._outputs, show=self._noting_show)

    def _noting_keep(self, *words: Any) -> Any:
        self._kept += 1
        return self._keep(*words)

    def _noting_show(self, show: Any) -> None:
        self._publish(show)
        self._shown_at = time.process_time()

    def press(self, key: str) -> tuple[KeyPress, Frame]:
        """Presses a key; returns its figures, and the frame that a viewer sees then."""
        rig = self._rig
        before = rig.looks[-1].of(rig.frame)
        rig.fake_oled.log.clear()
        kept, started = self._kept, time.process_time()
        self._shown_at = started
        rig.press(key)
        drawing = time.process_time()
        rig.draw()
        work_s = self._shown_at - started + time.process_time() - drawing
        after = rig.looks[-1].of(rig.frame)
        transfers = tuple(2 + len(sent) for _, sent in rig.fake_oled.log)
        return KeyPress(
            transfers, cheapest(before.frame, after.frame), self._kept - kept, work_s
        ), after.frame

    def think(self) -> None:
        """Waits for a while without a key; the display's own updates are not counted."""
        self._rig.wait(THINKING_S)
        self._rig.draw()


def played() -> Iterator[tuple[KeyPress, Frame]]:
    """Every key press of the evening."""
    for game in EVENING:
        folder = MEMORY if MEMORY.is_dir() else None
        with TemporaryDirectory(dir=folder) as place:
            rig = Rig(Path(place) / "record.db", rest=RestTimes())
            evening = Evening(rig)
            rig.draw()
            for key in keys_of(*game):
                yield evening.press(key)
                if key in ("OK", "DRAW", "PASS"):
                    evening.think()
            rig.close()


def luma_bytes(frames: list[Frame]) -> list[int]:
    """The number of bytes that luma's own display() sends for each of these pictures."""
    fake_oled, sizes = FakeOled(), []
    device = ssd1306(fake_oled)
    device.persist = True
    for frame in frames:
        fake_oled.log.clear()
        device.display(frame.to_image())
        sizes.append(fake_oled.wire_bytes)
    return sizes


def percentile(values: list[float], part: float) -> float:
    """The value that a fraction `part` (0 to 1) of the values don't exceed."""
    return sorted(values)[int(len(values) * part)]


def bench_wire() -> list[tuple[str, str, str]]:
    """Returns lines of the table: (what, measured, compared with)."""
    presses, frames = map(list, zip(*played(), strict=True))
    sizes = [one.wire_bytes for one in presses]
    luma = statistics.median(luma_bytes(frames[:200]))
    ours = statistics.median(sizes)
    best = sum(one.cheapest for one in presses)
    return [
        (
            f"wire bytes a key press, {len(sizes)} presses (median / p95 / max)",
            f"{ours:.0f} / {percentile(sizes, 0.95):.0f} / {max(sizes)}",
            f"at most {luma / 8:.0f}: 1/8 of luma's own {luma:.0f}",
        ),
        (
            "the same against the cheapest runs that can be",
            f"{sum(sizes) / best:.3f} times",
            "at most 1.1 times",
        ),
        *_latencies(presses),
    ]


def _latencies(presses: list[KeyPress]) -> Iterator[tuple[str, str, str]]:
    seen = [one for one in presses if one.transfers]
    for name, hertz, fsync_s, goal in BUSES:
        delays = [
            Timing().contact_s + one.work_s + one.kept * fsync_s + one.bus_s(hertz) for one in seen
        ]
        yield (
            f"key edge to last byte, {name} (median / p95)",
            f"{statistics.median(delays) * 1e3:.1f} / {percentile(delays, 0.95) * 1e3:.1f} ms",
            f"p95 {goal}",
        )


if __name__ == "__main__":
    for line in bench_wire():
        print(*line, sep="   ")
