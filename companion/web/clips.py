"""The box's clips for pages whose browser has no voice in their language.

A page is told which clips make up a sentence, and asks for each by its name. It can only get clips
that some page was told of, so nobody can make the box say what they like; names of people at the
table are the only words that are not our own phrases. Clips are read and made in a thread, one at a
time. Once somebody hears a language, all of its phrases are made while the processor has nothing
else to do.
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
"""The most clips that are remembered as told of: one language has some 400, and names are added."""


class PageClips:
    """Gives pages the box's clips. `clips` opens those of a language by its name (None: the box has
    none); `may_look` says whether a word lets somebody hear them. All methods belong to the
    server's event loop."""

    def __init__(
        self, clips: "Callable[[str], Clips] | None", may_look: Callable[[str], bool]
    ) -> None:
        self._open, self._may_look = clips, may_look
        self._told: dict[tuple[str, str], str] = {}
        """The pieces that pages were told of, by the name of their language and of their clip."""
        self._turn = asyncio.Lock()
        self._unmade: deque[tuple[str, str]] = deque()
        """Languages and pieces whose clips are still to be made beforehand, names of people
        first."""
        self._languages = set[str]()
        """The names of languages that somebody has heard."""
        self._preparing: asyncio.Task[None] | None = None

    def names_of(self, said: Any, language: Language) -> Any:
        """The JSON value `said` with each sentence replaced by a list of the names of its clips."""
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
        """Has the clip of a piece made beforehand, and with the first of a language those of all
        its phrases."""
        from companion.devices.voice.pieces import all_pieces

        if language.name not in self._languages:
            self._languages.add(language.name)
            self._unmade.extend((language.name, each) for each in all_pieces(language))
        self._unmade.appendleft((language.name, piece))
        if self._preparing is None or self._preparing.done():
            self._preparing = asyncio.create_task(self._make_all())

    async def _make_all(self) -> None:
        """Makes all missing clips, one at a time; a page that asks for a clip doesn't wait for
        these."""
        from companion.devices.voice.clips import MissingClip

        while self._open and self._unmade:
            language, piece = self._unmade.popleft()
            try:
                await asyncio.to_thread(self._open(language).prepare, piece)
            except MissingClip:
                self._unmade.clear()

    def add_to(self, app: web.Application) -> None:
        """Adds the routes of the clips, and of the question whether there are any."""
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
        """The clips of the language that a request names; None: the box has none. Raises
        HTTPForbidden unless the request has a word that lets people in."""
        word = bearer(request.headers)
        if word is None or not self._may_look(word):
            raise web.HTTPForbidden(text="The clips need the word that lets in.\n")
        return self._open(request.match_info["language"]) if self._open else None


def _pieces(text: str, language: Language) -> list[str]:
    from companion.devices.voice.pieces import pieces_of

    return pieces_of(text, language)
