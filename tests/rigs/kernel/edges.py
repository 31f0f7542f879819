"""Runs in the guest: pulls pins and notes which edges a gpiozero pin factory reports.

`edges.py kernel` or `edges.py lgpio` prints one line of JSON, times in milliseconds.
"""

import json
import statistics
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from companion.devices.gpio.pins import open_pins

PIN, BURST_PIN = 4, 17
EDGES, BURSTS = 200, 30
GAP_S = 0.006
"""Seconds between two edges: long enough for the emulated machine to follow."""


def line(pin: int) -> Path:
    """The folder of the simulated line for `pin`."""
    return next(Path("/sys/devices/platform").glob(f"gpio-sim.*/gpiochip*/sim_gpio{pin}"))


class Watched:
    """A pin of `factory`, with all edges that it reported."""

    def __init__(self, factory: Any, pin: int) -> None:
        self._pull = line(pin) / "pull"
        self._pull.write_text("pull-down")
        self.told: list[tuple[float, float, int]] = []
        """The edges: (time by the factory, time when the callback ran, level), times in seconds."""
        self._pin = factory.pin(pin)
        self._pin.input_with_pull("up")
        self.pulled_up = self._pull.read_text().strip() == "pull-up"
        self._pin.edges = "both"
        self._changed = self._take  # the pin keeps only a weak reference
        self._pin.when_changed = self._changed

    def _take(self, ticks: float, level: int) -> None:
        self.told.append((ticks, time.monotonic(), level))

    def pull(self, level: int) -> float:
        """Pulls the pin up or down; returns the time just before that."""
        at = time.monotonic()
        self._pull.write_text("pull-up" if level else "pull-down")
        return at


def edges_with_gaps(pin: Watched) -> dict[str, Any]:
    """Makes edges with gaps; returns whether each was reported once and in order, and how late."""
    pulled = []
    for number in range(EDGES):
        level = number % 2
        pulled.append((pin.pull(level), level))
        time.sleep(GAP_S)
    time.sleep(0.5)
    told = pin.told
    same = [level for _, level in pulled] == [level for *_, level in told]
    late = [ran - at for (at, _), (_, ran, _) in zip(pulled, told, strict=False)]
    stamped = [ticks - at for (at, _), (ticks, *_) in zip(pulled, told, strict=False)]
    return {
        "pulled": len(pulled),
        "told": len(told),
        "in_order": same,
        "late_median": statistics.median(late) * 1e3,
        "late_worst": max(late) * 1e3,
        "stamp_median": statistics.median(stamped) * 1e3,
        "stamp_worst": max(stamped) * 1e3,
        "stamp_first": min(stamped) * 1e3,
    }


def bursts(pin: Watched) -> int:
    """Makes bursts of edges as fast as possible; returns the number of bursts whose last level was
    not reported."""
    wrong = 0
    for number in range(BURSTS):
        last = number % 2
        for level in (last, 1 - last, last, 1 - last, last):
            pin.pull(level)
        time.sleep(0.05)
        wrong += not pin.told or pin.told[-1][2] != last
    return wrong


def main(choice: str) -> None:
    factory = open_pins(choice)
    pin, burst_pin = Watched(factory, PIN), Watched(factory, BURST_PIN)
    found = edges_with_gaps(pin)
    wrong = bursts(burst_pin)
    factory.close()
    told = {"gpiozero": version("gpiozero"), "pulled_up": pin.pulled_up, "wrong_bursts": wrong}
    print(json.dumps({**told, **found}))


if __name__ == "__main__":
    main(sys.argv[1])
