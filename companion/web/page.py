"""The page in a thread of its own. It starts after the first frame: the server's library takes
longer to load than all the rest of the program."""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Event
from typing import TYPE_CHECKING

from companion.keys import Key
from companion.telling.snapshot import Snapshot
from companion.threads import NamedThread
from companion.web.guard import Guard

if TYPE_CHECKING:
    import asyncio

    from companion.web.server import Server


class Page:
    """Serves the table and the virtual box on a listening socket. `move` is called from the page's
    thread; a key stays down and up at least that long, or the debounce would not believe it."""

    def __init__(
        self,
        listening: socket.socket,
        guard: Guard,
        move: Callable[[Key, bool], None],
        down_s: float,
        up_s: float,
    ) -> None:
        self._listening, self._guard, self._move = listening, guard, move
        self._down_s, self._up_s = down_s, up_s
        self._picture = b""
        self._snapshot: Snapshot | None = None
        """The newest; told when the server is there."""
        self._type_letter: Callable[[str], bool] = lambda _: False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: Server | None = None
        self._end: asyncio.Event | None = None
        self._ready = Event()
        self._stopped = False
        self._thread = NamedThread("page", self._run)

    def start(self, type_letter: Callable[[str], bool] = lambda _: False) -> None:
        """Starts to serve; returns before the first answer is possible. `type_letter` takes what is
        typed on a keyboard where a name is spelled, and says whether one is."""
        self._type_letter = type_letter
        self._thread.start()

    def wait_until_ready(self, wait_s: float) -> bool:
        """Whether it serves within that time."""
        return self._ready.wait(wait_s)

    def publish(self, picture: bytes) -> None:
        """The display shows this now (64 rows of 16 bytes). May be called from any thread."""
        self._picture = picture
        if self._loop and self._server:
            # The loop may be closing at this moment; then nobody is there to be shown anything.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._server.show, picture)

    def tell(self, snapshot: Snapshot) -> None:
        """The table stands so now. May be called from any thread, and waits for nothing."""
        self._snapshot = snapshot
        if self._loop and self._server:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._server.tell, snapshot)

    def stop(self, wait_s: float = 1.0) -> None:
        """Tells the pages that it is over, and ends the thread; one that does not serve yet is not
        waited for."""
        self._stopped = True
        if self._thread.is_alive() and self._ready.is_set() and self._loop and self._end:
            self._loop.call_soon_threadsafe(self._end.set)
            self._thread.join(wait_s)
        self._listening.close()

    def _run(self) -> None:
        import asyncio

        asyncio.run(self._serve())

    async def _serve(self) -> None:
        import asyncio

        from aiohttp import web

        from companion.web.faults import FaultLog
        from companion.web.pace import Pace
        from companion.web.server import Server

        self._end = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        faults = FaultLog(self._loop.time)
        faults.install()
        pace = Pace(self._down_s, self._up_s)
        self._server = Server(self._guard, self._move, pace, self._type_letter)
        runner = web.AppRunner(self._server.app(), access_log=None)
        try:
            listening = await self._server.listen(runner, self._listening)
        except (OSError, ValueError):
            if self._stopped:  # before it could begin
                return
            raise
        self._server.show(self._picture)
        if self._snapshot is not None:
            self._server.tell(self._snapshot)
        self._ready.set()
        await self._end.wait()
        listening.close()
        await runner.cleanup()
        faults.remove()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises OSError when the port is taken or the host unknown."""
    listening = socket.create_server((host, port), backlog=16)
    listening.setblocking(False)
    return listening


def how_to_reach(host: str, port: int, guard: Guard) -> list[str]:
    """What to tell the person who started the box, line by line."""
    if guard.open_to_all:
        shown = network_address() if host in ("0.0.0.0", "::") else host
        return [
            f"The table is at http://{shown}:{port}/#{guard.token}",
            f"For a TV: http://{shown}:{port}/tv#{guard.token}",
            "Whoever has this address can press the keys; at the next start it is another one.",
        ]
    here = f"http://{host}:{port}/"
    there = f"{os.environ.get('USER') or 'pi'}@{network_address()}"
    return [
        f"The table is at {here}",
        f"From another computer: ssh -L {port}:{host}:{port} {there}, then open {here} there.",
        "For phones and tablets on the same network: start it with --lan.",
    ]


def network_address() -> str:
    """This machine's address on its network, or its name where there is no network. Nothing is
    sent: the system only says from where it would send."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])
