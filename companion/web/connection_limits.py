"""Limits for the connections to the page's server, the same for all routes.

A connection is a stranger's until its handler lets it stay (`welcome`). A stranger has a few
seconds to ask and a few more to be answered; then the connection is cut. Each address may have only
so many connections: a further one is refused. All strangers together may also have only so many:
when a further one comes, the oldest stranger is cut, never somebody who may stay.
"""

import asyncio
import ipaddress
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from aiohttp import HttpVersion10, HttpVersion11, web
from aiohttp.http import RawRequestMessage

from companion.web.access import headers, is_loopback

ASK_WITHIN_S: Final = 5.0
"""Seconds from the connection to the last byte of the request's header."""
DONE_WITHIN_S: Final = 10.0
"""Seconds from the connection to the last byte of the answer, or to the hello that lets it stay."""
MOST_STRANGERS: Final = 64
MOST_OF_ADDRESS: Final = 16
"""The most connections of one address, strangers' or not. A browser opens six at once and one more.
This machine's own address has no such limit, as everything through ssh comes from it."""


class ConnectionLimits:
    """The limits over all connections. All methods belong to the server's event loop."""

    def __init__(self) -> None:
        self._strangers: dict[Visit, asyncio.TimerHandle] = {}
        """The visits that may not stay yet, the oldest first."""
        self._by_address: Counter[str] = Counter()

    def comes(self, visit: "Visit", address: str) -> bool:
        """Counts a new connection; False: its address has too many. Cuts the oldest stranger if
        there are too many strangers."""
        if self._by_address[address] >= MOST_OF_ADDRESS and not is_loopback(address):
            return False
        self._by_address[address] += 1
        if len(self._strangers) >= MOST_STRANGERS:
            self._cut(next(iter(self._strangers)))
        self._give(visit, ASK_WITHIN_S)
        return True

    def asks(self, visit: "Visit") -> None:
        """Notes that a visit's request has come, so that it gets the time to be answered."""
        if visit in self._strangers:
            self._give(visit, DONE_WITHIN_S - ASK_WITHIN_S)

    def welcome(self, visit: "Visit") -> None:
        """Lets the visit stay as long as it likes."""
        if timer := self._strangers.pop(visit, None):
            timer.cancel()

    def goes(self, visit: "Visit", address: str) -> None:
        """Notes that the connection is gone."""
        self.welcome(visit)
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    def _give(self, visit: "Visit", seconds: float) -> None:
        if timer := self._strangers.get(visit):
            timer.cancel()
        loop = asyncio.get_running_loop()
        self._strangers[visit] = loop.call_later(seconds, self._cut, visit)

    def _cut(self, visit: "Visit") -> None:
        self.welcome(visit)
        visit.cut()


class Visit(web.RequestHandler):
    """One connection and its only request."""

    def __init__(self, limits: ConnectionLimits, server: web.Server, **more: Any) -> None:
        super().__init__(server, **more)
        self._limits = limits
        self._address: str | None = None
        """The visitor's address while the connection counts; None: it was refused, or is gone."""
        self._line: asyncio.BaseTransport | None = None
        self._when_gone: Callable[[], None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Lets a new connection in if the limits allow it, else cuts it."""
        self._line = transport
        address = _address_of(transport)
        if self._limits.comes(self, address):
            self._address = address
            super().connection_made(transport)
        else:
            self.cut()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Forgets the connection, as it has ended."""
        if self._address is not None:
            self._limits.goes(self, self._address)
            self._address = None
            if self._when_gone:
                self._when_gone()
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handles bytes that have come; drops those of a connection that was refused."""
        if self._address is not None:
            super().data_received(data)

    def asks(self) -> None:
        """Gives the visit the time to be answered."""
        self._limits.asks(self)

    def welcome(self) -> None:
        """Lets the visit stay as long as it likes."""
        self._limits.welcome(self)

    def when_gone(self, tell: Callable[[], None], silent_s: float) -> None:
        """Has `tell` called at once when the visitor leaves, which a handler that seldom writes
        would learn late. A device that confirms no bytes for `silent_s` seconds, as one without
        power, has left, too."""
        self._when_gone = tell
        if self._line is not None:
            line: socket.socket = self._line.get_extra_info("socket")
            wait_ms = int(silent_s * 1000)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, wait_ms)

    def cut(self) -> None:
        """Ends the connection at once, whatever is under way."""
        if isinstance(self._line, asyncio.WriteTransport):
            self._line.abort()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002  # says in the library's words what was wrong
    ) -> web.StreamResponse:
        """The answer to bytes that are no request, and to a request whose handler failed, with the
        headers of all answers. Raises ConnectionError if part of an answer is sent already."""
        if status >= 500:
            self.log_exception("the page has a fault", exc_info=exc)
        if request.writer.output_size > 0:
            raise ConnectionError("half of an answer is sent already")
        fault = "The box has a fault; it goes on.\n" if status >= 500 else "That is no request.\n"
        response = web.Response(status=status, text=fault)
        harden(response, "localhost")
        return response


def in_known_versions(make: Callable[..., web.BaseRequest]) -> Callable[..., web.BaseRequest]:
    """The function `make`, which makes requests from messages, changed so that an unknown version
    of HTTP counts as 1.1. An answer claims the version of its request, and some parsers let any
    through (Debian 12's aiohttp does)."""

    def made(message: RawRequestMessage, *more: Any) -> web.BaseRequest:
        if message.version not in (HttpVersion10, HttpVersion11):
            message = message._replace(version=HttpVersion11)
        return make(message, *more)

    return made


async def end_serving(runner: web.AppRunner) -> None:
    """Ends the application of `runner`: first its handlers of the shutdown, which may be called
    twice. Some versions of aiohttp (Debian 12's) call these only for sockets that they have opened
    themselves, others by themselves each time."""
    await runner.shutdown()
    await runner.cleanup()


def harden(response: web.StreamResponse, host: str) -> None:
    """Gives an answer the headers of all answers, and ends its connection after it unless it is a
    WebSocket. `host` has been checked."""
    response.headers.update(headers(host))
    if not isinstance(response, web.WebSocketResponse):
        response.force_close()
        response.headers["Connection"] = "close"


def _address_of(transport: asyncio.BaseTransport) -> str:
    """The address for which a connection counts. Of IPv6 it is the network of 64 bits, since
    anybody can have any number of addresses in it."""
    peer = transport.get_extra_info("peername")
    peer_address = str(peer[0]) if peer else ""
    try:
        address = ipaddress.ip_address(peer_address.partition("%")[0])
    except ValueError:
        return peer_address
    if isinstance(address, ipaddress.IPv6Address):
        mapped = address.ipv4_mapped
        if mapped is None and not address.is_loopback:
            return str(ipaddress.ip_network((address, 64), strict=False))
        address = mapped or address
    return str(address)
