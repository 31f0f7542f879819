"""“Check this box” at the table: `companion check` in a process of its own, of all that can be
tried while the table runs. The table's own process loads nothing for it, and waits for nothing."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock

from companion.app.config import PLACE
from companion.core.box_check import CHECKED, BoxCheck, PartFound
from companion.core.threads import NamedThread
from companion.core.values import Json

PATIENCE_S = 60.0


def command_for(record: Path, where: str) -> Sequence[str]:
    """The command that checks the box of that record; `where`: the file of its configuration."""
    command = (sys.executable, "-m", "companion", "check", "--json", "--only", ",".join(CHECKED))
    place = ("--record", str(record.absolute()))
    return (*command, *place, *(("--config", where) if where != str(PLACE) else ()))


class BoxChecker:
    """Checks the box when asked to; `put` gets how far it is."""

    def __init__(self, command: Sequence[str], put: Callable[[BoxCheck], None]) -> None:
        self._command, self._put = command, put
        self._one = Lock()

    def ask(self) -> None:
        """Begins a check, unless one is under way. Any thread may ask."""
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
            ran = subprocess.run(
                self._command, capture_output=True, text=True, timeout=PATIENCE_S, check=False
            )
            return BoxCheck(parts=tuple(parts_of(json.loads(ran.stdout))))
        except (OSError, subprocess.TimeoutExpired) as error:
            return BoxCheck(why=f"The box can't be checked: {error}")
        except (ValueError, LookupError, TypeError):
            said = ran.stderr.strip().splitlines() or ["nothing was found"]
            return BoxCheck(why=f"The box can't be checked: {said[-1]}")


def parts_of(told: Json) -> list[PartFound]:
    """What `companion check --json` found, one after the other. Raises LookupError or TypeError."""
    return [
        PartFound(part, one["result"], one["found"], one["remedy"])
        for part, of_it in told["parts"].items()
        for one in of_it["findings"]
    ]
