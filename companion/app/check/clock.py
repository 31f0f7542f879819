"""Checks the clock: what it says, and what sets it. The order of the games never depends on it."""

from collections.abc import Iterator
from datetime import UTC, datetime

from companion.app.check.bench import Bench
from companion.app.check.finding import Finding, ok, warning
from companion.core.clock import CLOCK_SET
from companion.core.words import phrase


def check_clock(bench: Bench) -> Iterator[Finding]:
    """Checks the time, and whether anything keeps it while the power is off."""
    now = bench.machine.wall()
    time = datetime.fromtimestamp(now, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    if now < CLOCK_SET:
        yield warning(
            phrase("the clock was never set (it says {time})", time=time),
            phrase(
                "connect the box to a network once after it is switched on. Games are ordered by "
                "number, so nothing gets mixed up; entries have no date until then"
            ),
        )
    elif _synchronized(bench):
        yield ok(phrase("{time}, set from the network", time=time))
    elif _has_clock(bench):
        yield ok(phrase("{time}, kept by a clock on the board", time=time))
    else:
        yield warning(
            phrase(
                "{time}, but nothing has set the clock since the box was switched on", time=time
            ),
            phrase(
                "connect the box to a network once after it is switched on. Games are ordered by "
                "number, so nothing gets mixed up; only the dates may be wrong"
            ),
        )


def _synchronized(bench: Bench) -> bool:
    flag_file = bench.machine.root / "run/systemd/timesync/synchronized"
    return flag_file.exists() or bench.machine.synchronized()


def _has_clock(bench: Bench) -> bool:
    """Whether the kernel took the time from a real-time clock. A Pi 5 has one, but it loses its
    time with the power if no battery is plugged in, and then the kernel takes nothing from it."""
    clocks = bench.machine.root.glob("sys/class/rtc/rtc*/hctosys")
    return any(one.read_text().strip() == "1" for one in clocks)
