"""The stream of events over HTTP, as server-sent events: `GET /stream?word=WORD`, by the word to
watch or to play, or with `Authorization: Bearer WORD`; at this machine without any.

Each listener has its own place in the stream: who reads slowly gets what has become of the table
meanwhile, and nothing waits here for anybody. What each event holds says docs/stream.md.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from aiohttp import web

from companion.core.values import Json
from companion.presentation.language import Language
from companion.presentation.stream import Stream
from companion.web.access import Access, AccessRules

STREAM_PATH: Final = "/stream"
MOST_LISTENERS: Final = 8
SIGN_OF_LIFE_S: Final = 15.0
"""After so long a silence a line says that the box is still there."""
STUCK_S: Final = 30.0
"""A listener that takes nothing for so long is gone."""
RETRY: Final = b"retry: 3000\n\n"
SIGN_OF_LIFE: Final = b": still here\n\n"
WRONG_WORD_PAUSE_S: Final = 0.5

MomentFor = Callable[[bool], Json | None]


class EventStreams:
    """All who listen. `moment_for` gives the newest moment in the page's language for who plays, or
    for who only watches. All methods belong to the server's event loop."""

    def __init__(
        self,
        access_rules: AccessRules,
        moment_for: MomentFor,
        end_evening: Callable[[], None],
        language: Language,
    ) -> None:
        self._access_rules, self._moment_for = access_rules, moment_for
        self._end_evening, self._language = end_evening, language
        self._wakes: set[asyncio.Event] = set()
        self._over = False

    def wake(self) -> None:
        """Something is new: a moment, or which words hold."""
        for one in self._wakes:
            one.set()

    def close(self) -> None:
        """Ends all streams."""
        self._over = True
        self.wake()

    async def serve(self, request: web.Request, welcome: Callable[[], None]) -> web.StreamResponse:
        """Answers one listener until it leaves or its word ends; `welcome` lets its connection
        stay."""
        access = self._access(request)
        if access is None:
            await asyncio.sleep(WRONG_WORD_PAUSE_S)
            raise web.HTTPForbidden(text="The stream needs the word to watch: /stream?word=…\n")
        if len(self._wakes) >= MOST_LISTENERS:
            raise web.HTTPServiceUnavailable(text="Eight listen already.\n")
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        news = asyncio.Event()
        self._wakes.add(news)
        try:
            await response.prepare(request)
            welcome()
            await response.write(RETRY)
            await self._send(request, response, news)
        except (ConnectionError, TimeoutError):
            pass  # it has left, or reads no more
        finally:
            self._wakes.discard(news)
        return response

    async def _send(
        self, request: web.Request, response: web.StreamResponse, news: asyncio.Event
    ) -> None:
        stream = Stream()
        while not self._over and (access := self._access(request)) is not None:
            moment = self._moment_for(access is Access.PLAY)
            told = b"".join(map(self._line, stream.hear(moment) if moment else ()))
            async with asyncio.timeout(STUCK_S):
                await response.write(told or SIGN_OF_LIFE)
            with suppress(TimeoutError):
                async with asyncio.timeout(SIGN_OF_LIFE_S):
                    await news.wait()
            news.clear()

    def _line(self, event: Json) -> bytes:
        said = self._language.json(event)
        return f"id: {event['row']}\nevent: {event['event']}\ndata: {said}\n\n".encode()

    def _access(self, request: web.Request) -> Access | None:
        """What whoever asks may see; None: nothing."""
        self._end_evening()
        kind, _, bearer = request.headers.get("Authorization", "").partition(" ")
        word = bearer.strip() if kind.lower() == "bearer" else request.query.get("word")
        if word is not None:
            return self._access_rules.access(word)
        here = self._access_rules.tells_token(request.remote, request.host)
        ours = request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")
        return Access.PLAY if here and ours else None
