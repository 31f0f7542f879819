"""`companion run` as a program, in a process of its own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
WAIT_S = 20


@contextmanager
def companion(*words: str | Path, stdout: int = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    """`companion run` with these words, as a process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "run", *map(str, words)],
        stdout=stdout,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline()
