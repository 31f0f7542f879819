"""How often the threads of a process wake up, by thread: `python wakeups.py PID [SECONDS]`.

Needs nothing but Python, so that it runs inside a guest, too. A thread that goes to sleep by itself
is a voluntary context switch, and each was a wake-up before.
"""

import sys
import time
from collections import Counter
from pathlib import Path

OURS = ("loop", "display", "keypad", "signals", "page", "seat keypads", "number pads", "buzzer",
        "pwm", "keeping-alive", "check-record", "copies", "remarks", "turning-away",
        "club", "mqtt", "hook", "wifi", "voice", "check-box", "new firmware")  # fmt: skip
"""Threads of the program itself; `loop` is the main thread. That of our pin factory is `gpio`, and
those of libraries have the name of the program."""


def switches(pid: int | str) -> Counter[str]:
    """How often the threads went to sleep so far, all of one name together."""
    found: Counter[str] = Counter()
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            name, status = (task / "comm").read_text(), (task / "status").read_text()
        except OSError:  # it has just ended
            continue
        name = "loop" if task.name == str(pid) else name.strip()
        found[name] += next(
            int(line.split()[1])
            for line in status.splitlines()
            if line.startswith("voluntary_ctxt_switches:")
        )
    return found


def wakeups(pid: int | str, seconds: float) -> dict[str, float]:
    """Wake-ups a second by thread, watched for that long."""
    before = switches(pid)
    time.sleep(seconds)
    after = switches(pid)
    return {name: (count - before[name]) / seconds for name, count in sorted(after.items())}


def apart(found: dict[str, float]) -> tuple[float, float]:
    """Those of our own threads together, and those of all others: the pin factory's."""
    ours = sum(rate for name, rate in found.items() if name in OURS)
    return ours, sum(found.values()) - ours


if __name__ == "__main__":
    rates = wakeups(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 10.0)
    for thread, rate in rates.items():
        print(f"{rate:8.1f} /s  {thread}")
    print("{:8.1f} /s  ours\n{:8.1f} /s  the pin factory's".format(*apart(rates)))
