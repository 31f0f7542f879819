"""The box's clips for pages whose browser has no voice in their language.

A page is told which clips say something, and asks for each by its name. It gets those alone that
some page was told of, so nobody makes the box say what they like: names that are at the table are
the only words that are no phrase of ours. Clips are read and made in a thread, one at a time; once
somebody hears a language all of its phrases are made, when the processor has nothing else to do.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from aiohttp import web

from companion.core.languages import OWN_NAMES
from companion.presentation.language import Language
from companion.web.access import bearer

if TYPE_CHECKING:
    from companion.devices.voice.clips import Clips

ROOT: Final = "/clips"
MOST_KNOWN: Final = 4000
"""Clips that were told of: all of one language's are some 400, and names come besides."""


class PageClips:
    """What pages hear of the clips that `clips` gives by the name of a language; None: the box has
    none. `may_look`: who shows that word may hear them. All methods belong to the server's event
    loop."""

    def __init__(
        self, clips: "Callable[[str], Clips] | None", may_look: Callable[[str], bool]
    ) -> None:
        self._open, self._may_look = clips, may_look
        self._told: dict[tuple[str, str], str] = {}
        """The pieces that pages were told of, by their language and their clip's name."""
        self._turn = asyncio.Lock()
        self._unmade: deque[tuple[str, str]] = deque()
        """Languages and pieces whose clips are made beforehand, names first."""
        self._languages = set[str]()
        """Those that somebody hears."""
        self._preparing: asyncio.Task[None] | None = None

    def names_of(self, said: Any, language: Language) -> Any:
        """JSON in whose sentences' place the names of the clips stand that say them."""
        if isinstance(said, str):
            return [self._name_of(piece, language) for piece in _pieces(said, language)]
        if isinstance(said, dict):
            return {name: self.names_of(one, language) for name, one in said.items()}
        return [self.names_of(one, language) for one in said] if isinstance(said, list) else said

    def _name_of(self, piece: str, language: Language) -> str:
        from companion.devices.voice.pieces import file_of

        name = file_of(piece)
        if self._told.pop((language.name, name), None) is None:
            self._prepare(piece, language)
        self._told[language.name, name] = piece
        if len(self._told) > MOST_KNOWN:
            del self._told[next(iter(self._told))]
        return name

    def _prepare(self, piece: str, language: Language) -> None:
        """Has the clip made beforehand, and with the first one those of all phrases."""
        from companion.devices.voice.pieces import all_pieces

        if language.name not in self._languages:
            self._languages.add(language.name)
            self._unmade.extend((language.name, each) for each in all_pieces(language))
        self._unmade.appendleft((language.name, piece))
        if self._preparing is None or self._preparing.done():
            self._preparing = asyncio.create_task(self._make_all())

    async def _make_all(self) -> None:
        """Makes what is missing, a clip at a time; a page that asks for one waits for none of
        these."""
        from companion.devices.voice.clips import MissingClip

        while self._open and self._unmade:
            language, piece = self._unmade.popleft()
            try:
                await asyncio.to_thread(self._open(language).prepare, piece)
            except MissingClip:
                self._unmade.clear()

    def add_to(self, app: web.Application) -> None:
        """Gives clips their route, and the question whether there are any."""
        app.on_shutdown.append(self._close)
        languages = "|".join(OWN_NAMES)
        app.router.add_get(f"{ROOT}/{{language:{languages}}}", self._say_whether)
        app.router.add_get(f"{ROOT}/{{language:{languages}}}/{{name}}", self._send)

    async def _say_whether(self, request: web.Request) -> web.Response:
        clips = self._clips_for(request)
        speaks = clips is not None and await asyncio.to_thread(lambda: clips.speaks)
        return web.json_response({"speaks": speaks})

    async def _close(self, _app: web.Application) -> None:
        self._unmade.clear()

    async def _send(self, request: web.Request) -> web.Response:
        from companion.devices.voice.clips import MissingClip

        clips = self._clips_for(request)
        piece = self._told.get((request.match_info["language"], request.match_info["name"]))
        if clips is None or piece is None:
            raise web.HTTPNotFound
        try:
            async with self._turn:
                data = await asyncio.to_thread(clips.file, piece)
        except MissingClip:
            raise web.HTTPNotFound from None
        return web.Response(body=data, content_type="audio/wav")

    def _clips_for(self, request: web.Request) -> "Clips | None":
        """The clips of the language that is asked for; refused to a request without a word that
        lets in."""
        word = bearer(request.headers)
        if word is None or not self._may_look(word):
            raise web.HTTPForbidden(text="The clips need the word that lets in.\n")
        return self._open(request.match_info["language"]) if self._open else None


def _pieces(text: str, language: Language) -> list[str]:
    from companion.devices.voice.pieces import pieces_of

    return pieces_of(text, language)
