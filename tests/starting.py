"""How tests start what runs in a process of its own: a program in Python, a table, a hub. All of
them have ended when the test goes on. (A browser: tests/browser.py.)

A table in the test's own process is tests/web/live.py (with a display and keys:
tests/web/in_browser.py), its page alone tests/web/site.py.
"""

import multiprocessing
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion.commands import cli
from tests.waiting import WAIT_S

ROOT = Path(__file__).parents[1]


@contextmanager
def python(*words: str | Path, code: str = "", **more: Any) -> Iterator[subprocess.Popen[str]]:
    """A process of Python in the project's folder, with these words behind `code`. `more` goes to
    Popen; what the process says is read unless `more` says otherwise."""
    command = [sys.executable, *(["-c", code] if code else []), *map(str, words)]
    said: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, **{"cwd": ROOT, "text": True, **said, **more})
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def companion(*words: str | Path, **more: Any) -> Iterator[subprocess.Popen[str]]:
    """`companion run` with these words. `more` goes to Popen."""
    with python("-m", "companion", "run", *words, **more) as process:
        yield process


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


def nothing() -> None: ...


def _run(first: Callable[[], None], words: list[str], said: Connection) -> None:
    """Does what is first, then runs `companion` with these words; `said` gets what it prints."""
    first()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for target, descriptor in ((said.fileno(), 1), (nowhere, 2)):
        os.dup2(target, descriptor)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
    sys.exit(cli.main(words))


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline()


FORKED = multiprocessing.get_context("forkserver")
"""Starts processes from one that has the hub's modules already: a hub then takes 0.1 s of processor
time instead of 0.7. test_running starts one by its command."""
FORKED.set_forkserver_preload(
    ["companion.app.catalog", "companion.club.hub.pages", "companion.club.hub.run"]
)


class HubProcess:
    """`companion hub run`, which may be killed and started again on its port."""

    def __init__(
        self, data: Path, *more: str, announces: bool = False, first: Callable[[], None] = nothing
    ) -> None:
        self.data, self._more = data, more if announces else (*more, "--quiet")
        self.first = first
        """What its process does before the command."""
        self.port = 0
        self._process: BaseProcess | None = None

    def start(self) -> None:
        """Starts the hub and waits until it says its address."""
        words = ["hub", "run", "--data", str(self.data), "--port", str(self.port), *self._more]
        heard, said = FORKED.Pipe(duplex=False)
        self._process = FORKED.Process(target=_run, args=(self.first, words, said))
        self._process.start()
        said.close()
        with open(heard.fileno(), closefd=False) as told:
            line = told.readline()
        self._told = heard
        found = re.search(r":(\d+)/$", line.strip())
        assert found, line
        self.port = int(found[1])

    def kill(self) -> None:
        """Kills the hub, as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.join(WAIT_S)
        self._told.close()

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process and self._process.pid
        return self._process.pid

    @property
    def address(self) -> str:
        """The address at which boxes join."""
        return f"127.0.0.1:{self.port}"


@contextmanager
def running_hub(
    data: Path, *more: str, announces: bool = False, first: Callable[[], None] = nothing
) -> Iterator[HubProcess]:
    """Runs a hub with its folder in `data` until the end. `more`: further arguments of its
    command; `first`: what its process does before."""
    hub = HubProcess(data, *more, announces=announces, first=first)
    hub.start()
    try:
        yield hub
    finally:
        hub.kill()
