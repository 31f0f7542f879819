"""Limits for the connections to a server, the same for all routes.

A connection is a stranger's until its handler lets it stay (`keep_open`). A stranger has a few
seconds to send a request and a few more to get the answer; then the connection is cut. Strangers
are counted by address, but connections that may stay are not, as sixty phones behind one router
share an address. Behind a proxy on this machine, the address that the proxy names counts as soon as
the request has arrived.

There is also a limit for all strangers together. When it is reached, a new connection cuts the
oldest one without a request, from the same address or from the address with the most strangers.
Connections that may stay are never cut. A refused client gets a page that says so.

Faults are logged with a traceback, but at a limited rate, so that no stranger can fill the log
(`FaultLog`).
"""

import asyncio
import logging
import socket
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from aiohttp import HttpVersion10, HttpVersion11, web
from aiohttp.http import RawRequestMessage

from companion.core.budgets import (
    NEW_CONNECTIONS,
    NEW_CONNECTIONS_OF_ADDRESS,
    REQUEST_BODY,
    Limit,
    LimitScope,
    RateLimit,
    Requests,
    Spending,
    budget_of,
    rates_of,
)
from companion.core.clock import Clock
from companion.core.words import Sentence, mark
from companion.presentation.language import ENGLISH, Language
from companion.web.access import address_for_limits, client_address, is_loopback, security_headers
from companion.web.files import plain_html, plain_page

REQUEST_WITHIN_S: Final = 5.0
"""Seconds from the connection to the last byte of the request's header."""
ANSWER_DONE_WITHIN_S: Final = 10.0
"""Seconds from the connection to the last byte of the answer, or to the hello that lets it stay."""
REFUSED_S: Final = 1.0
"""Seconds for which a refused connection is kept open, so that the client can read the answer."""
MOST_REFUSED: Final = 32
"""How many refused connections are answered at a time; further ones are cut without an answer."""
TOO_MANY_AT_ONCE: Final = mark(
    "Too many connections come from your network at once. Try again in a minute."
)
TOO_OFTEN: Final = mark("Too many requests come from your network. Try again in a minute.")


class ConnectionLimits:
    """The limits for all connections. All methods belong to the server's event loop."""

    def __init__(
        self,
        note: Callable[[Limit, str], None] = lambda _, __: None,
        language: Callable[[], Language] = lambda: ENGLISH,
    ) -> None:
        """`note` is called with a limit and the address that has reached it; `language` is used for
        a client that is refused before it has sent a request."""
        self._note, self._language = note, language
        self._refused = set[asyncio.WriteTransport]()
        """The refused connections that have not ended."""
        self._strangers: dict[Visit, asyncio.TimerHandle] = {}
        """The visits that have not been allowed to stay, the oldest first."""
        self._silent: set[Visit] = set()
        """The strangers without a request so far."""
        self._by_address: Counter[str] = Counter()
        """The number of strangers from each address."""

    def admit(self, visit: "Visit", address: str) -> bool:
        """Counts a new connection, and cuts another one if there are too many. Returns False if
        this one is refused, as all others from its address are waiting for their answers. This
        machine's own address has no limit by address, as everything through ssh and a proxy comes
        from it."""
        if self._by_address[address] >= NEW_CONNECTIONS_OF_ADDRESS.most and not is_loopback(
            address
        ):
            self._note(NEW_CONNECTIONS_OF_ADDRESS, address)
            if (oldest := self._oldest_stranger(address, silent=True)) is None:
                return False
            self._cut(oldest)
        if len(self._strangers) >= NEW_CONNECTIONS.most:
            busiest = max(self._by_address, key=self._by_address.__getitem__)
            found = self._oldest_stranger(busiest, silent=True) or self._oldest_stranger(
                busiest, silent=False
            )
            if found is not None:
                self._cut(found)
        visit.address = address
        self._by_address[address] += 1
        self._silent.add(visit)
        self._set_deadline(visit, REQUEST_WITHIN_S)
        return True

    def _oldest_stranger(self, address: str, *, silent: bool) -> "Visit | None":
        """The oldest stranger from an address; if `silent`, the oldest without a request so far."""
        for one in self._strangers:
            if one.address == address and (not silent or one in self._silent):
                return one
        return None

    def note_request(self, visit: "Visit", address: str) -> bool:
        """Registers that a visit's request has arrived, and extends its time for the answer. From
        now on it counts for this address, which behind a proxy is the visitor's. Returns False if
        that address already has too many strangers."""
        self._silent.discard(visit)
        if visit not in self._strangers:
            return True
        self._set_deadline(visit, ANSWER_DONE_WITHIN_S - REQUEST_WITHIN_S)
        if address == visit.address:
            return True
        self._forget_address(visit)
        visit.address = address
        self._by_address[address] += 1
        if self._by_address[address] > NEW_CONNECTIONS_OF_ADDRESS.most and not is_loopback(address):
            self._note(NEW_CONNECTIONS_OF_ADDRESS, address)
            return False
        return True

    def refuse(self, connection: asyncio.WriteTransport) -> None:
        """Answers a refused connection with a page that says so, whatever it requests, and ends
        it."""
        if len(self._refused) >= MOST_REFUSED:
            connection.abort()
            return
        self._refused.add(connection)
        page = plain_html(self._language(), Sentence.made(TOO_MANY_AT_ONCE, {})).encode()
        fields = {
            **security_headers("localhost"),
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": str(len(page)),
            "Connection": "close",
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        connection.write(f"HTTP/1.1 429 Too Many Requests\r\n{head}\r\n".encode() + page)
        asyncio.get_running_loop().call_later(REFUSED_S, self._end_refused, connection)

    def _end_refused(self, connection: asyncio.WriteTransport) -> None:
        self._refused.discard(connection)
        connection.abort()

    def end(self) -> None:
        """Ends the refused connections when the server stops."""
        for connection in list(self._refused):
            self._end_refused(connection)

    def keep_open(self, visit: "Visit") -> None:
        """Lets the visit stay without a time limit; it no longer counts against its address."""
        timer = self._strangers.pop(visit, None)
        if timer is None:
            return
        timer.cancel()
        self._silent.discard(visit)
        self._forget_address(visit)

    def _forget_address(self, visit: "Visit") -> None:
        self._by_address[visit.address] -= 1
        if not self._by_address[visit.address]:
            del self._by_address[visit.address]

    def _set_deadline(self, visit: "Visit", seconds: float) -> None:
        if timer := self._strangers.get(visit):
            timer.cancel()
        loop = asyncio.get_running_loop()
        self._strangers[visit] = loop.call_later(seconds, self._cut, visit)

    def _cut(self, visit: "Visit") -> None:
        self.keep_open(visit)
        visit.cut()


class Visit(web.RequestHandler):
    """A connection and the only request on it."""

    def __init__(self, limits: ConnectionLimits, server: web.Server, **more: Any) -> None:
        # No page compresses what it sends: a small body could become one that fills the disk.
        super().__init__(server, auto_decompress=False, **more)
        self._limits = limits
        self.address = ""
        """The address that the connection counts for."""
        self._counts = False
        """Whether the connection was accepted and still exists."""
        self._transport: asyncio.BaseTransport | None = None
        self._on_gone: Callable[[], None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by aiohttp with a new connection: accepts it if the limits allow it, else cuts
        it."""
        self._transport = transport
        address = _address_of(transport)
        if self._limits.admit(self, address):
            self._counts = True
            super().connection_made(transport)
        elif isinstance(transport, asyncio.WriteTransport):
            self._limits.refuse(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Called by aiohttp when the connection has ended: removes it from the counts."""
        if self._counts:
            self._limits.keep_open(self)
            self._counts = False
            if self._on_gone:
                self._on_gone()
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handles received bytes; drops those of a refused connection."""
        if self._counts:
            super().data_received(data)

    def note_request(self, address: str) -> bool:
        """Extends the visit's time for the answer; see ConnectionLimits.note_request."""
        return self._limits.note_request(self, address)

    def keep_open(self) -> None:
        """Lets the visit stay without a time limit."""
        self._limits.keep_open(self)

    def on_gone(self, tell: Callable[[], None], silent_s: float) -> None:
        """Calls `tell` as soon as the visitor leaves, which a handler that rarely writes would
        notice late. A device that confirms no bytes for `silent_s` seconds, such as one without
        power, counts as gone."""
        self._on_gone = tell
        if self._transport is not None:
            line: socket.socket = self._transport.get_extra_info("socket")
            wait_ms = int(silent_s * 1000)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, wait_ms)

    def cut(self) -> None:
        """Ends the connection at once, even in the middle of a transfer."""
        if isinstance(self._transport, asyncio.WriteTransport):
            self._transport.abort()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002  # says in the library's words what was wrong
    ) -> web.StreamResponse:
        """Returns the answer to bytes that aren't a request, or to a request whose handler failed,
        with the usual security headers. Raises ConnectionError if part of an answer is sent
        already."""
        if status >= 500:
            self.log_exception("the page has a fault", exc_info=exc)
        if request.writer.output_size > 0:
            raise ConnectionError("half of an answer is sent already")
        fault = "The box has a fault; it goes on.\n" if status >= 500 else "That is no request.\n"
        response = web.Response(status=status, text=fault)
        set_security_headers(response, "localhost")
        return response


def over_budget(
    request: web.Request, requests: Requests, spending: Spending, language: Language
) -> web.Response | None:
    """Counts a request. Returns the refusal, in `language`, if its address has reached a limit or
    the request is too large; None if it may be handled. Requests from this machine's own address
    have no limit."""
    address = address_of_request(request)
    visit = request.protocol
    if isinstance(visit, Visit) and not visit.note_request(address):
        return plain_page(429, language, Sentence.made(TOO_MANY_AT_ONCE, {}))
    path = request.match_info.route.resource
    budget = budget_of(requests, request.method, path.canonical if path else None)
    if REQUEST_BODY in budget and (request.content_length or 0) > REQUEST_BODY.most:
        return web.Response(status=413, text="That is too much at once.\n")
    if is_loopback(address):
        return None
    if all(spending.spend(one, address) for one in rates_of(budget, LimitScope.ADDRESS)):
        return None
    return plain_page(429, language, Sentence.made(TOO_OFTEN, {}))


def with_known_http_version(make: Callable[..., web.BaseRequest]) -> Callable[..., web.BaseRequest]:
    """Wraps the request factory `make` so that unknown versions of HTTP are treated as 1.1. An
    answer repeats the version of its request, and some parsers accept any version (Debian 12's
    aiohttp does)."""

    def make_request(message: RawRequestMessage, *more: Any) -> web.BaseRequest:
        if message.version not in (HttpVersion10, HttpVersion11):
            message = message._replace(version=HttpVersion11)
        return make(message, *more)

    return make_request


async def end_serving(runner: web.AppRunner) -> None:
    """Ends the application of `runner`, and calls its shutdown handlers first. These may be called
    twice: some versions of aiohttp (Debian 12's) call them only for sockets that they opened
    themselves, others always."""
    server = runner.server
    await runner.shutdown()
    left = {*server.connections} if server else set()
    await runner.cleanup()
    # Close the rest ourselves: an encrypted connection would wait for the other side to close it,
    # and aiohttp's cleanup doesn't know one that was accepted meanwhile.
    for one in left.union(server.connections if server else ()):
        if isinstance(one, Visit):
            one.cut()
    await asyncio.sleep(0)


def set_security_headers(response: web.StreamResponse, host: str, *, camera: bool = False) -> None:
    """Sets the security headers of an answer, and closes its connection afterwards unless it is a
    WebSocket. `host` has been checked; `camera`: whether the page may use the camera."""
    kept = response.headers.get("Cache-Control")
    response.headers.update(security_headers(host, camera=camera))
    if kept:
        response.headers["Cache-Control"] = kept
    if not isinstance(response, web.WebSocketResponse):
        response.force_close()
        response.headers["Connection"] = "close"


async def has_shaken_hands(page: web.WebSocketResponse, request: web.Request) -> bool:
    """Does the WebSocket's handshake. False if the client left before it: then `page` must neither
    be closed nor returned, as aiohttp takes a WebSocket without a handshake for a fault."""
    try:
        await page.prepare(request)
    except ConnectionError:
        return False
    return True


def _address_of(transport: asyncio.BaseTransport) -> str:
    """The address that a connection counts against."""
    peer = transport.get_extra_info("peername")
    return address_for_limits(str(peer[0])) if peer else ""


def address_of_request(request: web.Request) -> str:
    """The address that a request counts against: that of its connection or, behind a proxy on this
    machine, the visitor's as named by the proxy."""
    return client_address(request.remote or "", request.headers)


# ---------------------------------------------------------------- fault log
# Logs our own faults, each with its traceback, but at a limited rate, so that no stranger can fill
# the log.


FAULT_BURST = 5
FAULTS_PER_S = 1 / 60
"""The faults logged per second once FAULT_BURST faults have been logged: one a minute."""
LOGGERS = ("aiohttp", "asyncio")
CLIENT_GONE_ERRORS = (ConnectionError, asyncio.CancelledError)
"""Errors that only mean that the client has gone."""


class FaultLog(logging.Handler):
    """A log handler that limits how many records it writes. `clock` gives monotonic seconds;
    `write` takes the text (by default to stderr)."""

    def __init__(self, clock: Clock, write: Callable[[str], object] | None = None):
        super().__init__(logging.WARNING)
        self._clock, self._write = clock, write or _write_to_stderr
        self._limit = RateLimit(FAULT_BURST, FAULTS_PER_S, clock())
        self._left_out = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Writes a record if it is a fault in this program, unless there have been too many."""
        if record.exc_info and isinstance(record.exc_info[1], CLIENT_GONE_ERRORS):
            return
        if self._limit.left(self._clock()) < 1:
            self._left_out += 1
            return
        self._limit.spend()
        left_out = f" ({self._left_out} more were left out)" if self._left_out else ""
        self._left_out = 0
        self._write(f"{self.format(record)}{left_out}\n")

    def install(self) -> None:
        """Sends everything that the libraries log to this handler alone from now on."""
        for name in LOGGERS:
            logger = logging.getLogger(name)
            logger.handlers, logger.propagate = [self], False

    def remove(self) -> None:
        """Restores the libraries' own logging."""
        for name in LOGGERS:
            logger = logging.getLogger(name)
            logger.handlers, logger.propagate = [], True


def _write_to_stderr(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
