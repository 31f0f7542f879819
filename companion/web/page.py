"""Runs the page in a thread of its own. It starts after the first frame, since the server's library
takes longer to load than the rest of the program. A box with a display of its own loads the library
only for the page's first visitor."""

import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from select import select
from socket import socketpair
from threading import Event
from typing import TYPE_CHECKING

from companion.core.box_page import CheckActions, PageRequest, Phones
from companion.core.club import Club, ClubRequest
from companion.core.keys import Key
from companion.core.threads import NamedThread
from companion.core.values import Json
from companion.presentation.language import ENGLISH, Language
from companion.table.events import Request
from companion.table.snapshot import Snapshot

if TYPE_CHECKING:
    import asyncio
    import ssl

    from companion.devices.voice import Clips
    from companion.web.access import AccessRules
    from companion.web.address import Listening
    from companion.web.files import RequestLanguage
    from companion.web.panels import PageGames
    from companion.web.server import Server


class Page:
    """Serves the table and the virtual box on a listening socket. A key stays down for at least
    `down_s` seconds and up for at least `up_s`, so that the debounce accepts it."""

    def __init__(self, down_s: float, up_s: float) -> None:
        self._down_s, self._up_s = down_s, up_s
        self._listening: socket.socket | None = None
        self._encrypted: tuple[socket.socket, ssl.SSLContext] | None = None
        self._authority: Path | None = None
        self._draw: Callable[[], bytes] = bytes
        self._snapshot: Snapshot | None = None
        """The newest snapshot, kept for the server until it runs."""
        self._club: Club | None = None
        """The newest state of the club, kept for the server until it runs."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: Server | None = None
        self._end: asyncio.Event | None = None
        self._ready = Event()
        self._stopped = False
        self._requests: SimpleQueue[PageRequest] = SimpleQueue()
        """Requests from the box to the page that wait for the server."""
        self._wake_reader, self._wake = socketpair()
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
        check: CheckActions | None = None,
        wired: bool = False,
        encrypted: "tuple[socket.socket, ssl.SSLContext] | None" = None,
        authority: Path | None = None,
    ) -> None:
        """Starts to serve; returns before the first answer is possible. These are called from the
        page's thread: `move` moves a key's pin; `type_letter` takes a letter typed on a keyboard,
        and returns whether a name is being spelled; `propose` queues the pages' proposals for
        the loop; `tell_box` gets the access for phones, to be displayed; `ask_club` gets the pages'
        requests to the club. `waits`: the server is loaded only for the first visitor. `read` reads
        the unfinished games, in a thread of its own. `past` is the command that makes the pages of
        other evenings. `games` are those of the catalog; `language` is the table's until it chooses
        one. `incoming` is the folder from which a flashed card takes updates (None if the box has
        no such card). `clips` gives the box's clips by the name of a language, for browsers without
        a voice (None if it has none). `check` checks the box (None if it can't). `wired`: whether
        there is a box with keys and a display of its own. `encrypted`: another listening socket,
        for HTTPS, with the settings of TLS (None if there is none). `authority`: the file of the
        box's own authority, for phones to install (None if it has none)."""
        self._authority = authority
        self._encrypted = encrypted
        self._incoming, self._clips, self._check = incoming, clips, check
        self._games, self._language, self._wired = games, language, wired
        self._listening, self._access_rules, self._move = listening, access_rules, move
        self._type_letter, self._propose, self._waits = type_letter, propose, waits
        self._tell_box, self._read, self._past = tell_box, read, past
        self._ask_club = ask_club
        self._thread.start()

    def wait_until_ready(self, wait_s: float) -> bool:
        """Waits until the page serves, for at most `wait_s` seconds; returns whether it does."""
        return self._ready.wait(wait_s)

    def publish(self, draw: Callable[[], bytes]) -> None:
        """Receives a new picture of the display, which `draw` makes in the page's thread (64 rows
        of 16 bytes, brightness and text: see server.py). Any thread may call it; it returns at
        once."""
        self._draw = draw
        if self._loop and self._server:
            # The loop may be closing at this moment, and then there are no pages left.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._show)

    def update(self, snapshot: Snapshot) -> None:
        """Receives a new state of the table. Any thread may call it; it returns at once."""
        self._snapshot = snapshot
        if self._loop and self._server:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._server.update, snapshot)

    def update_club(self, club: Club) -> None:
        """Receives a new state of the club. Any thread may call it; it returns at once."""
        self._club = club
        if self._loop and self._server:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._server.update_club, club)

    def ask(self, request: PageRequest) -> None:
        """Receives a request that somebody makes at the box. Any thread may call it; it returns at
        once. If the server is not loaded yet, loads it."""
        self._requests.put(request)
        with suppress(OSError):  # the thread is awake already, or has ended
            self._wake.send(b"!")
        if self._loop and self._server:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._do_requests)

    def stop(self, wait_s: float = 1.0) -> None:
        """Closes all pages and ends the thread, waiting up to `wait_s` seconds for it; doesn't wait
        for a server that is not serving yet."""
        self._stopped = True
        if self._thread.is_alive() and self._ready.is_set() and self._loop and self._end:
            self._loop.call_soon_threadsafe(self._end.set)
            self._thread.join(wait_s)
        self._wake.close()  # also ends the wait for a first visitor
        if not self._thread.is_alive():
            self._wake_reader.close()
        # The socket is not shut down: it may belong to systemd, which would treat that as a
        # failure.
        for one in (self._listening, *(self._encrypted or ())[:1]):
            if isinstance(one, socket.socket):
                one.close()

    def _run(self) -> None:
        listening = self._listening
        with self._wake_reader:
            if listening and self._waits:
                with suppress(OSError, ValueError):  # the thread has ended already
                    also = [self._encrypted[0]] if self._encrypted else []
                    select([listening, *also, self._wake_reader], [], [])
        if listening and not self._stopped:
            import asyncio

            asyncio.run(self._serve(listening))

    def _do_requests(self) -> None:
        while self._server and not self._requests.empty():
            self._server.pairing.handle_request(self._requests.get())

    def _show(self) -> None:
        if self._server:
            self._server.show(self._draw())

    def _make_server(self, *all_listening: "Listening") -> "Server":
        from companion.web.card import WIFI, CardPaths
        from companion.web.certificates import AuthorityPage
        from companion.web.key_pacing import KeyPace
        from companion.web.past import PageMaker
        from companion.web.phones import Pairing
        from companion.web.server import Server

        def open_to_all() -> None:
            all_listening[0].open_to_all()
            for one in all_listening[1:]:
                with suppress(OSError):  # it keeps listening as before
                    one.open_to_all()

        def make_pairing(send_away: Callable[[], None]) -> Pairing:
            port = all_listening[0].port
            return Pairing(self._access_rules, port, open_to_all, send_away, self._tell_box)

        def make_authority_page(request_language: "RequestLanguage") -> AuthorityPage | None:
            if self._authority is None or len(all_listening) == 1:
                return None
            return AuthorityPage(self._authority, all_listening[1].port, request_language)

        return Server(
            self._access_rules,
            self._move,
            KeyPace(self._down_s, self._up_s),
            self._type_letter,
            self._propose,
            games=self._games,
            read=self._read,
            ask_club=self._ask_club,
            pairing=make_pairing,
            maker=PageMaker(self._past),
            language=self._language,
            card=CardPaths(self._incoming, WIFI) if self._incoming else None,
            clips=self._clips,
            check=self._check,
            wired=self._wired,
            authority=make_authority_page,
        )

    async def _serve(self, at: socket.socket) -> None:
        import asyncio

        from aiohttp import web

        from companion.web.address import Listening
        from companion.web.connection_limits import FaultLog, end_serving

        self._end = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        faults = FaultLog(self._loop.time)
        faults.install()
        all_listening = [Listening(at), *([Listening(*self._encrypted)] if self._encrypted else [])]
        self._server = self._make_server(*all_listening)
        runner = web.AppRunner(self._server.app(), access_log=None)
        try:
            make = await self._server.prepare(runner)
            for one in all_listening:
                await one.serve(make)
        except (OSError, ValueError):
            if self._stopped:  # stopped before the server could begin
                return
            raise
        self._show()
        if self._snapshot is not None:
            self._server.update(self._snapshot)
        if self._club is not None:
            self._server.update_club(self._club)
        self._do_requests()
        self._ready.set()
        await self._end.wait()
        for one in all_listening:
            one.close()
        await end_serving(runner)
        faults.remove()
