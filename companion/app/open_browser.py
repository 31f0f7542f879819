"""Opens the table's page in the browser of the desktop on which somebody starts the program."""

import os
import shutil
import signal
from collections.abc import Mapping
from contextlib import suppress
from functools import partial

from companion.core.threads import NamedThread

OPENER = "xdg-open"
"""The program with which a desktop opens an address."""


def open_on_desktop(address: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Opens `address` if the program was started on a desktop; returns whether it was. Waits for
    nothing. Of somebody who came through ssh the desktop is elsewhere."""
    desktop = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    opener = shutil.which(OPENER)
    if not desktop or "SSH_CONNECTION" in environment or opener is None:
        return False
    nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    try:
        # The browser that may be started outlives this program: its signals are its own, and what
        # it writes isn't for this terminal.
        process = os.posix_spawn(
            opener,
            [OPENER, address],
            dict(environment),
            file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, number) for number in (0, 1, 2)],
            setsid=True,
            setsigmask=[],
            setsigdef=[signal.SIGPIPE],
        )
    except OSError:
        return False
    finally:
        os.close(nowhere)
    NamedThread("opened-browser", partial(_wait_for, process)).start()
    return True


def _wait_for(process: int) -> None:
    with suppress(ChildProcessError):
        os.waitpid(process, 0)
