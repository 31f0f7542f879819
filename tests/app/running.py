"""`companion run` as a program, in a process of its own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from tests.waiting import WAIT_S

ROOT = Path(__file__).parents[2]


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


def open_link(link: str) -> tuple[str, str | None]:
    """Opens a link that the program printed, as a browser does; gives the page's address and the
    cookie that lets this browser in (None: it gets none)."""
    parts = urlsplit(link)
    asked = HTTPConnection(parts.netloc, timeout=WAIT_S)
    asked.request("GET", parts.path)
    answer = asked.getresponse()
    asked.close()
    assert answer.status == 303 and answer.headers["Location"] == "/"
    given = answer.headers["Set-Cookie"]
    return f"{parts.scheme}://{parts.netloc}", given and given.partition(";")[0]


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline()
