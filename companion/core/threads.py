"""Threads that the kernel knows by name, so that `top -H` shows which of them works and wakes
up."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread, get_native_id


class NamedThread(Thread):
    """A daemon thread: it doesn't keep the program running. Its name has at most 15 letters.

    Python names its threads for the kernel only from 3.14 on.
    """

    def __init__(self, name: str, target: Callable[[], None]) -> None:
        super().__init__(name=name, target=target, daemon=True)

    def run(self) -> None:
        """Gives the kernel the thread's name, then runs `target`."""
        with suppress(OSError):
            Path(f"/proc/self/task/{get_native_id()}/comm").write_text(self.name)
        super().run()
