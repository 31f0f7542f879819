"""“Check this box” at the table and on its page: runs `companion check` in a process of its own,
for all parts that can be tried while the table runs. The table's own process loads nothing for it,
and waits for nothing."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock

from companion.app.config import PLACE
from companion.core.box_check import CHECKED, BoxCheck, CheckError, PartFound, with_sentences
from companion.core.threads import NamedThread
from companion.core.values import Json
from companion.core.words import phrase

PATIENCE_S = 60.0


def command_for(record: Path, where: str) -> Sequence[str]:
    """The command that checks the box of this record; `where`: the file of its configuration."""
    command = (sys.executable, "-m", "companion", "check", "--json", "--only", ",".join(CHECKED))
    place = ("--record", str(record.absolute()))
    return (*command, *place, *(("--config", where) if where != str(PLACE) else ()))


def run_check(command: Sequence[str]) -> Json:
    """Runs `command` and gives its JSON, which is that of `companion check --json`, with sentences.
    Raises CheckError."""
    try:
        ran = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CheckError(str(error)) from error
    try:
        told = with_sentences(json.loads(ran.stdout))
        parts_of(told)  # it is what it should be
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        said = ran.stderr.strip().splitlines() or ["nothing was found"]
        raise CheckError(said[-1]) from error
    return told


class BoxChecker:
    """Checks the box by `check` when asked to; `put` is told when that begins, and what was
    found."""

    def __init__(self, check: Callable[[], Json], put: Callable[[BoxCheck], None]) -> None:
        self._check, self._put = check, put
        self._one = Lock()

    def ask(self) -> None:
        """Begins a check, unless one is under way. Any thread may call it."""
        if self._one.acquire(blocking=False):
            self._put(BoxCheck(under_way=True))
            NamedThread("check-box", self._run).start()

    def _run(self) -> None:
        try:
            self._put(self._checked())
        finally:
            self._one.release()

    def _checked(self) -> BoxCheck:
        try:
            return BoxCheck(parts=tuple(parts_of(self._check())))
        except CheckError as error:
            return BoxCheck(why=phrase("The box can't be checked: {why}", why=str(error)))


def parts_of(told: Json) -> list[PartFound]:
    """The findings in the JSON of `companion check --json`, in its order."""
    return [
        PartFound(part, *(one[key] for key in ("result", "found", "remedy", "renews_keypads")))
        for part, of_it in told["parts"].items()
        for one in of_it["findings"]
    ]
