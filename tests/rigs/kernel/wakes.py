"""Runs in the guest: how often each thread of a process wakes up. `wakes.py PID SECONDS` prints a
line of JSON, a list of [main or not, what it waits for in the kernel, wake-ups per second]."""

import json
import sys
import time
from pathlib import Path


def switches(task: Path) -> int:
    """How often that thread has gone to sleep so far."""
    lines = (task / "status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("voluntary_ctxt")))


def main(pid: str, seconds: float) -> None:
    tasks = sorted(Path(f"/proc/{pid}/task").iterdir())
    before = [switches(task) for task in tasks]
    time.sleep(seconds)
    print(
        json.dumps(
            [
                [task.name == pid, (task / "wchan").read_text(), (switches(task) - was) / seconds]
                for task, was in zip(tasks, before, strict=True)
            ]
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
