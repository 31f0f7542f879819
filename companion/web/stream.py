"""The stream of events over HTTP, as server-sent events: `GET /stream?word=WORD`, with the watch
code or the play code, or with `Authorization: Bearer WORD`. This machine itself needs no access
code: its browsers have their cookie, and its programs show its secret as WORD.

Each listener has its own place in the stream. A listener that reads slowly gets the newest state of
the table next, and doesn't delay anything else. One that leaves makes room at once. docs/stream.md
describes the events.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from aiohttp import web

from companion.core.budgets import LISTENERS
from companion.core.values import Json
from companion.presentation.language import Language
from companion.presentation.stream_events import Stream
from companion.web.access import WRONG_CODE_PAUSE_S, Access, AccessRules, bearer_token
from companion.web.connection_limits import Visit

STREAM_PATH: Final = "/stream"
SIGN_OF_LIFE_S: Final = 15.0
"""Seconds of silence after which a line shows that the box is still connected."""
STUCK_S: Final = 30.0
"""Seconds after which a listener that neither takes nor confirms anything counts as gone."""
RETRY: Final = b"retry: 3000\n\n"
SIGN_OF_LIFE: Final = b": still here\n\n"

MomentFor = Callable[[bool], Json | None]


class StreamListener:
    """One listener of the stream. `news` is set when something is new, or when the listener has
    `gone`."""

    def __init__(self) -> None:
        self.news = asyncio.Event()
        self.gone = False


class EventStreams:
    """The streams of all listeners. `moment_for` returns the newest moment for a listener that
    plays, or one that only watches; `language` returns the table's language. All methods belong to
    the server's event loop."""

    def __init__(
        self,
        access_rules: AccessRules,
        moment_for: MomentFor,
        end_evening: Callable[[], None],
        language: Callable[[], Language],
    ) -> None:
        self._access_rules, self._moment_for = access_rules, moment_for
        self._end_evening, self._language = end_evening, language
        self._listeners: set[StreamListener] = set()
        self._over = False

    def wake(self) -> None:
        """Wakes all listeners after a new moment or a change of access codes."""
        for listener in self._listeners:
            listener.news.set()

    def close(self) -> None:
        """Ends all streams."""
        self._over = True
        self.wake()

    async def serve(self, request: web.Request, visit: Visit) -> web.StreamResponse:
        """Serves one listener until it leaves or its access code ends; its visit has no time
        limit."""
        access = self._access(request)
        if access is None:
            await asyncio.sleep(WRONG_CODE_PAUSE_S)
            raise web.HTTPForbidden(text="The stream needs the word to watch: /stream?word=…\n")
        if len(self._listeners) >= LISTENERS.most:
            raise web.HTTPServiceUnavailable(text="Eight listen already.\n")
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        listener = StreamListener()
        self._listeners.add(listener)
        visit.on_gone(lambda: self._leave(listener), STUCK_S)
        try:
            await response.prepare(request)
            visit.keep_open()
            await response.write(RETRY)
            await self._send(request, response, listener)
        except (ConnectionError, TimeoutError):
            pass  # the listener has left, or no longer reads
        finally:
            self._leave(listener)
        return response

    def _leave(self, listener: StreamListener) -> None:
        self._listeners.discard(listener)
        listener.gone = True
        listener.news.set()

    async def _send(
        self, request: web.Request, response: web.StreamResponse, listener: StreamListener
    ) -> None:
        stream = Stream()
        while not self._over and (access := self._access(request)) is not None:
            moment = self._moment_for(access is Access.PLAY)
            told = b"".join(map(self._event_bytes, stream.hear(moment) if moment else ()))
            async with asyncio.timeout(STUCK_S):
                await response.write(told or SIGN_OF_LIFE)
            with suppress(TimeoutError):
                async with asyncio.timeout(SIGN_OF_LIFE_S):
                    await listener.news.wait()
            listener.news.clear()
            if listener.gone:
                break

    def _event_bytes(self, event: Json) -> bytes:
        said = self._language().json(event)
        return f"id: {event['row']}\nevent: {event['event']}\ndata: {said}\n\n".encode()

    def _access(self, request: web.Request) -> Access | None:
        """The access that a request's code gives; None if no access."""
        self._end_evening()
        word = bearer_token(request.headers)
        if word is None:
            word = request.query.get("word")
        if word is not None and (access := self._access_rules.access(word)):
            return access
        ours = request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")
        here = "word" not in request.query and self._access_rules.local.allows(request)
        return Access.PLAY if here and ours else None
