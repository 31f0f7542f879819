"""The page in a thread of its own. It starts after the first frame: the server's library takes
longer to load than all the rest of the program. A box with a display of its own loads it only when
somebody comes."""

import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from select import select
from socket import socketpair
from threading import Event
from typing import TYPE_CHECKING

from companion.core.box_check import CheckHere
from companion.core.club import Club, ClubRequest
from companion.core.keys import Key
from companion.core.phones import PageRequest, Phones
from companion.core.threads import NamedThread
from companion.core.values import Json
from companion.presentation.language import ENGLISH, Language
from companion.table.proposals import Request
from companion.table.snapshot import Snapshot

if TYPE_CHECKING:
    import asyncio

    from companion.devices.voice.clips import Clips
    from companion.web.access import AccessRules
    from companion.web.address import Listening
    from companion.web.games import PageGames
    from companion.web.server import Server


class Page:
    """Serves the table and the virtual box on a listening socket. A key stays down and up at least
    that long, or the debounce would not believe it."""

    def __init__(self, down_s: float, up_s: float) -> None:
        self._down_s, self._up_s = down_s, up_s
        self._listening: socket.socket | None = None
        self._draw: Callable[[], bytes] = bytes
        self._snapshot: Snapshot | None = None
        """The newest snapshot; the server gets it once it is there."""
        self._club: Club | None = None
        """How it stands with the club, for the same."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: Server | None = None
        self._end: asyncio.Event | None = None
        self._ready = Event()
        self._stopped = False
        self._requests: SimpleQueue[PageRequest] = SimpleQueue()
        """What people wanted of the page before the server was there."""
        self._wanted, self._wake = socketpair()
        self._wake.setblocking(False)
        self._thread = NamedThread("page", self._run)

    def start(
        self,
        listening: socket.socket,
        access_rules: "AccessRules",
        move: Callable[[Key, bool], None],
        type_letter: Callable[[str], bool] = lambda _: False,
        propose: Callable[[Request], None] = lambda _: None,
        *,
        games: "PageGames",
        waits: bool = False,
        tell_box: Callable[[Phones], None] = lambda _: None,
        ask_club: Callable[[ClubRequest], None] = lambda _: None,
        read: Callable[[], list[Json]] = list,
        past: Sequence[str] = (),
        language: Language = ENGLISH,
        incoming: Path | None = None,
        clips: "Callable[[str], Clips] | None" = None,
        check: CheckHere | None = None,
    ) -> None:
        """Starts to serve; returns before the first answer is possible. `move` is called from the
        page's thread; `type_letter` takes what is typed on a keyboard where a name is spelled, and
        says whether one is; `propose` puts what pages key on the loop's queue, and `tell_box` how
        phones come in, and `ask_club` what is asked of the club. `waits`: the server is loaded only
        when somebody comes; `read` reads the games that were left unfinished, in a thread of its
        own; `past` is the command that makes the pages of other evenings; `games` are those that
        there are, and all is said in the `language`; `incoming` is where a flashed card
        takes updates from (None: the box is none); `clips` gives the box's own by the name of a
        language, for browsers without a voice (None: it has none); `check` is how the box is
        checked."""
        self._incoming, self._clips, self._check = incoming, clips, check
        self._games, self._language = games, language
        self._listening, self._access_rules, self._move = listening, access_rules, move
        self._type_letter, self._propose, self._waits = type_letter, propose, waits
        self._tell_box, self._read, self._past = tell_box, read, past
        self._ask_club = ask_club
        self._thread.start()

    def wait_until_ready(self, wait_s: float) -> bool:
        """Waits until the page serves; says whether it does within that time."""
        return self._ready.wait(wait_s)

    def publish(self, draw: Callable[[], bytes]) -> None:
        """Takes what the display shows now, which `draw` draws in the page's thread (64 rows of 16
        bytes). May be called from any thread, and waits for nothing."""
        self._draw = draw
        if self._loop and self._server:
            # The loop may be closing at this moment; then nobody is there to be shown anything.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._show)

    def tell(self, snapshot: Snapshot) -> None:
        """Takes the state of the table. May be called from any thread, and waits for nothing."""
        self._snapshot = snapshot
        if self._loop and self._server:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._server.tell, snapshot)

    def tell_club(self, club: Club) -> None:
        """Takes how it stands with the club. May be called from any thread, and waits for
        nothing."""
        self._club = club
        if self._loop and self._server:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._server.tell_club, club)

    def ask(self, request: PageRequest) -> None:
        """Takes what somebody at the box wants of the page. May be called from any thread, and
        waits for nothing; the server is loaded for it."""
        self._requests.put(request)
        with suppress(OSError):  # it is awake, or over
            self._wake.send(b"!")
        if self._loop and self._server:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._do_requests)

    def stop(self, wait_s: float = 1.0) -> None:
        """Lets the pages know that it is over, and ends the thread; a server that does not serve
        yet is not waited for."""
        self._stopped = True
        if self._thread.is_alive() and self._ready.is_set() and self._loop and self._end:
            self._loop.call_soon_threadsafe(self._end.set)
            self._thread.join(wait_s)
        self._wake.close()  # ends the wait for somebody, too
        if not self._thread.is_alive():
            self._wanted.close()
        # Not shut down: it may be systemd's, to which that is a failure.
        if self._listening:
            self._listening.close()

    def _run(self) -> None:
        listening = self._listening
        with self._wanted:
            if listening and self._waits:
                with suppress(OSError, ValueError):  # it is over already
                    select([listening, self._wanted], [], [])
        if listening and not self._stopped:
            import asyncio

            asyncio.run(self._serve(listening))

    def _do_requests(self) -> None:
        while self._server and not self._requests.empty():
            self._server.pairing.deal_with(self._requests.get())

    def _show(self) -> None:
        if self._server:
            self._server.show(self._draw())

    def _server_on(self, listening: "Listening") -> "Server":
        from companion.web.card import WIFI, CardHere
        from companion.web.key_pacing import KeyPace
        from companion.web.pairing import Pairing
        from companion.web.past import Maker
        from companion.web.server import Server

        def pairing(send_away: Callable[[], None]) -> Pairing:
            return Pairing(
                self._access_rules, listening.port, listening.open_to_all, send_away, self._tell_box
            )

        return Server(
            self._access_rules,
            self._move,
            KeyPace(self._down_s, self._up_s),
            self._type_letter,
            self._propose,
            games=self._games,
            read=self._read,
            ask_club=self._ask_club,
            pairing=pairing,
            maker=Maker(self._past),
            language=self._language,
            card=CardHere(self._incoming, WIFI) if self._incoming else None,
            clips=self._clips,
            check=self._check,
        )

    async def _serve(self, at: socket.socket) -> None:
        import asyncio

        from aiohttp import web

        from companion.web.address import Listening
        from companion.web.faults import FaultLog

        self._end = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        faults = FaultLog(self._loop.time)
        faults.install()
        listening = Listening(at)
        self._server = self._server_on(listening)
        runner = web.AppRunner(self._server.app(), access_log=None)
        try:
            await listening.serve(await self._server.prepare(runner))
        except (OSError, ValueError):
            if self._stopped:  # before it could begin
                return
            raise
        self._show()
        if self._snapshot is not None:
            self._server.tell(self._snapshot)
        if self._club is not None:
            self._server.tell_club(self._club)
        self._do_requests()
        self._ready.set()
        await self._end.wait()
        listening.close()
        await runner.cleanup()
        faults.remove()
