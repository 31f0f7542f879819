"""The spoken texts of one page, and its answers to questions; sent only to pages with their voice
on.

A page whose browser has no voice in its language gets the box's clips: it gets the names of the
clips that make up a sentence, and requests each by its name. Only clips that were announced to some
page are available, so the box can't be made to say arbitrary words; apart from our own phrases
there are only the names of people at the table. Clips are read and made in a thread, one at a time.
Once somebody hears a language, all of its phrases are made while the processor is idle.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from aiohttp import web

from companion.core.languages import OWN_NAMES
from companion.core.values import Json
from companion.presentation.language import Language
from companion.presentation.voice import (
    COUNTS,
    EVERYTHING,
    OFF,
    Voice,
    last_tile_sentence,
    open_ends_sentence,
    scores_sentence,
    sentences_since_turn,
    tiles_with_sentence,
)
from companion.web.access import bearer

if TYPE_CHECKING:
    from companion.devices.voice import Clips


# ---------------------------------------------------------------- clips


ROOT: Final = "/clips"
MOST_KNOWN: Final = 4000
"""The most clips that are remembered as announced to pages: one language has some 400, and names
are added."""


class PageClips:
    """Serves the box's clips to pages. `clips` opens those of a language by its name (None: the box
    has none); `may_look` decides whether an access code gives access to them. All methods belong to
    the server's event loop."""

    def __init__(
        self, clips: "Callable[[str], Clips] | None", may_look: Callable[[str], bool]
    ) -> None:
        self._open, self._may_look = clips, may_look
        self._told: dict[tuple[str, str], str] = {}
        """The pieces whose clips were announced to pages, by the name of the language and of the
        clip."""
        self._turn = asyncio.Lock()
        self._unmade: deque[tuple[str, str]] = deque()
        """The languages and pieces whose clips still have to be made in advance, names of people
        first."""
        self._languages = set[str]()
        """The names of the languages that somebody has listened to."""
        self._preparing: asyncio.Task[None] | None = None

    def names_of(self, said: Any, language: Language) -> Any:
        """The JSON value `said` with each sentence replaced by a list of the names of its clips."""
        if isinstance(said, str):
            return [self._name_of(piece, language) for piece in _pieces(said, language)]
        if isinstance(said, dict):
            return {name: self.names_of(one, language) for name, one in said.items()}
        return [self.names_of(one, language) for one in said] if isinstance(said, list) else said

    def _name_of(self, piece: str, language: Language) -> str:
        from companion.devices.voice import file_of

        name = file_of(piece)
        if self._told.pop((language.name, name), None) is None:
            self._prepare(piece, language)
        self._told[language.name, name] = piece
        if len(self._told) > MOST_KNOWN:
            del self._told[next(iter(self._told))]
        return name

    def _prepare(self, piece: str, language: Language) -> None:
        """Schedules the clip of a piece to be made in advance and, with a language's first clip,
        those of all its phrases."""
        from companion.presentation.spoken_pieces import all_pieces

        if language.name not in self._languages:
            self._languages.add(language.name)
            self._unmade.extend((language.name, each) for each in all_pieces(language))
        self._unmade.appendleft((language.name, piece))
        if self._preparing is None or self._preparing.done():
            self._preparing = asyncio.create_task(self._make_all())

    async def _make_all(self) -> None:
        """Makes all missing clips, one at a time; a page that asks for a clip doesn't wait for
        these."""
        from companion.devices.voice import MissingClip

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
        from companion.devices.voice import MissingClip

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
        HTTPForbidden unless the request has a valid access code."""
        word = bearer(request.headers)
        if word is None or not self._may_look(word):
            raise web.HTTPForbidden(text="The clips need the word that lets in.\n")
        return self._open(request.match_info["language"]) if self._open else None


def _pieces(text: str, language: Language) -> list[str]:
    from companion.presentation.spoken_pieces import pieces_of

    return pieces_of(text, language)


# ---------------------------------------------------------------- the voice of a page


TABLE: Final = "table"
"""The level of a page whose voice always follows the table's level."""
WANTED: Final = {f"voice-{level}": level for level in (COUNTS, EVERYTHING, TABLE)}
"""The level of a page's voice, by the word with which the page requests it."""
CLIPS: Final = "clips"
"""The word with which a page whose browser has no voice requests the names of clips instead of
sentences."""
HIGHEST: Final = 6
"""The highest number on the tiles of a double-six set, which all lines are played with."""


class PageVoice:
    """Tracks how much a page has heard. Anything that it missed comes with the next moment; events
    from before its voice was turned on don't count as new. `clips`: whether it plays the box's
    clips."""

    def __init__(self, level: str, *, clips: bool = False) -> None:
        self.level, self.clips = level, clips
        self._voice: Voice | None = None
        self._heard: Json | None = None
        self._told = OFF, ""
        """The table's level and the newest words that were last sent to this page."""

    def news(
        self,
        moment: Json,
        of_table: str,
        written: Callable[[Any], str],
        answers: Callable[[], str],
    ) -> str | None:
        """The message about a moment; None: it is not new to this page. `of_table`: the table's
        level. `written` turns spoken texts into JSON; `answers` returns the answers, which are the
        same for all pages. A page that follows the table's level gets no answers, as its voice
        can't be asked, and no message while the table is silent."""
        if moment is self._heard:
            return None
        self._heard = moment
        follows = self.level == TABLE
        level = of_table if follows else self.level
        if self._voice is None:
            self._voice, said = Voice(moment), list[Json]()
        else:
            said = self._voice.hear(moment, level)
        if follows and level == OFF == self._told[0]:
            return None
        words = written([one["words"] for one in said])
        newest = written([moment["aloud"]["words"]] if moment["aloud"] else [])
        told = f'"clips": {str(self.clips).lower()}, "said": {words}, "newest": {newest}'
        if not follows:
            return f'{{"voice": {{{told}, "answers": {answers()}}}}}'
        told_before, self._told = self._told, (level, newest)
        if not said and self._told == told_before:
            return None
        return f'{{"voice": {{"level": "{level}", {told}}}}}'


def answers(moment: Json) -> Json | None:
    """A voice's answers as text, by question; None: there is no game. `since` has an answer for
    each seat, and one under "" for people without a seat; `lie` has one for each number of pips."""
    if moment["game"] is None:
        return None
    return {
        "scores": scores_sentence(moment)["words"],
        "ends": open_ends_sentence(moment)["words"],
        "last": last_tile_sentence(moment)["words"],
        "since": {
            seat: [said["words"] for said in sentences_since_turn(moment, seat)]
            for seat in ("", *(one["seat"] for one in moment["seats"]))
        },
        "lie": [tiles_with_sentence(moment, pips)["words"] for pips in range(HIGHEST + 1)],
    }
