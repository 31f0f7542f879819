"""Counts how often each thread of a process wakes up: `python wakeups.py PID [SECONDS]`.

Needs nothing but Python, so that it also runs inside a guest. Each time that a thread goes to sleep
by itself counts as a voluntary context switch, and it had woken up before that.
"""

import sys
import time
from collections import Counter
from pathlib import Path

OURS = ("loop", "display", "keypad", "signals", "page", "seat keypads", "number pads", "buzzer",
        "opened-browser",
        "pwm", "keeping-alive", "check-record", "copies", "remarks", "turning-away",
        "club", "mqtt", "hook", "wifi", "voice", "check-box", "new firmware",
        "own name", "names", "clips")  # fmt: skip
"""Threads of the program itself; `loop` is the main thread. The thread of our pin factory is
`gpio`; threads of libraries have the name of the program."""


def switches(pid: int | str) -> Counter[str]:
    """The number of times that threads went to sleep so far, by name; threads with the same name
    are counted together."""
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
    """Wake-ups per second of each thread, counted for this number of seconds."""
    before = switches(pid)
    time.sleep(seconds)
    after = switches(pid)
    return {name: (count - before[name]) / seconds for name, count in sorted(after.items())}


def apart(found: dict[str, float]) -> tuple[float, float]:
    """Wake-ups of our own threads together, and of all others, which are the pin factory's."""
    ours = sum(rate for name, rate in found.items() if name in OURS)
    return ours, sum(found.values()) - ours


if __name__ == "__main__":
    rates = wakeups(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 10.0)
    for thread, rate in rates.items():
        print(f"{rate:8.1f} /s  {thread}")
    print("{:8.1f} /s  ours\n{:8.1f} /s  the pin factory's".format(*apart(rates)))
