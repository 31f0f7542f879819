"""The voice of a page: the texts that it speaks, and its answers to questions. Only pages whose
voice is on get them.

A page whose browser has no voice in its language plays the box's clips. It gets the clips' names
instead of sentences, and requests each clip by its name. The box serves only clips whose names it
has sent to some page, so nobody can make it speak other words than its own phrases and the names of
people at the table. Clips are read and made in a thread, one at a time. Once a page speaks a
language, the clips of all its phrases are made while the processor is idle.
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
from companion.web.access import bearer_token

if TYPE_CHECKING:
    from companion.devices.voice import Clips


# ---------------------------------------------------------------- clips


ROOT: Final = "/clips"
MOST_KNOWN: Final = 4000
"""The most clips that are remembered as sent to pages: a language has about 400, besides names."""


class PageClips:
    """Serves the box's clips to pages. `clips` opens the clips of a language by its name (None if
    the box has none); `may_look` returns whether an access code is valid. All methods belong to the
    server's event loop."""

    def __init__(
        self, clips: "Callable[[str], Clips] | None", may_look: Callable[[str], bool]
    ) -> None:
        self._open, self._may_look = clips, may_look
        self._announced: dict[tuple[str, str], str] = {}
        """The pieces whose clips' names were sent to pages, by the names of language and clip."""
        self._one_at_a_time = asyncio.Lock()
        self._unmade: deque[tuple[str, str]] = deque()
        """Pieces whose clips still have to be made beforehand, each with the name of its language:
        people's names first."""
        self._languages = set[str]()
        """The names of the languages that pages have spoken."""
        self._preparing: asyncio.Task[None] | None = None

    def names_of(self, said: Any, language: Language) -> Any:
        """Returns the JSON value `said` with the names of its clips in place of each sentence."""
        if isinstance(said, str):
            return [self._announce_clip(piece, language) for piece in _pieces(said, language)]
        if isinstance(said, dict):
            return {name: self.names_of(one, language) for name, one in said.items()}
        return [self.names_of(one, language) for one in said] if isinstance(said, list) else said

    def _announce_clip(self, piece: str, language: Language) -> str:
        """Returns the name of a piece's clip, and has the clip made if pages don't know it yet."""
        from companion.devices.voice import file_of

        name = file_of(piece)
        if self._announced.pop((language.name, name), None) is None:
            self._prepare(piece, language)
        self._announced[language.name, name] = piece
        if len(self._announced) > MOST_KNOWN:
            del self._announced[next(iter(self._announced))]
        return name

    def _prepare(self, piece: str, language: Language) -> None:
        """Schedules the clip of a piece to be made beforehand, and those of all phrases if it is
        the first in its language."""
        from companion.presentation.spoken_pieces import all_pieces

        if language.name not in self._languages:
            self._languages.add(language.name)
            self._unmade.extend((language.name, each) for each in all_pieces(language))
        self._unmade.appendleft((language.name, piece))
        if self._preparing is None or self._preparing.done():
            self._preparing = asyncio.create_task(self._make_all())

    async def _make_all(self) -> None:
        """Makes the scheduled clips one at a time; pages that request a clip don't wait for
        them."""
        from companion.devices.voice import MissingClipError

        while self._open and self._unmade:
            language, piece = self._unmade.popleft()
            try:
                await asyncio.to_thread(self._open(language).prepare, piece)
            except MissingClipError:
                self._unmade.clear()

    def add_to(self, app: web.Application) -> None:
        """Adds the routes that serve clips and report whether there are any."""
        app.on_shutdown.append(self._close)
        languages = "|".join(OWN_NAMES)
        app.router.add_get(f"{ROOT}/{{language:{languages}}}", self._send_whether_any)
        app.router.add_get(f"{ROOT}/{{language:{languages}}}/{{name}}", self._send)

    async def _send_whether_any(self, request: web.Request) -> web.Response:
        clips = self._clips_for(request)
        speaks = clips is not None and await asyncio.to_thread(lambda: clips.speaks)
        return web.json_response({"speaks": speaks})

    async def _close(self, _app: web.Application) -> None:
        self._unmade.clear()

    async def _send(self, request: web.Request) -> web.Response:
        from companion.devices.voice import MissingClipError

        clips = self._clips_for(request)
        piece = self._announced.get((request.match_info["language"], request.match_info["name"]))
        if clips is None or piece is None:
            raise web.HTTPNotFound
        try:
            async with self._one_at_a_time:
                data = await asyncio.to_thread(clips.file, piece)
        except MissingClipError:
            raise web.HTTPNotFound from None
        return web.Response(body=data, content_type="audio/wav")

    def _clips_for(self, request: web.Request) -> "Clips | None":
        """Returns the clips of the language that a request names; None if the box has none. Raises
        HTTPForbidden unless the request has a valid access code."""
        code = bearer_token(request.headers)
        if code is None or not self._may_look(code):
            raise web.HTTPForbidden(text="Clips need a valid access code.\n")
        return self._open(request.match_info["language"]) if self._open else None


def _pieces(text: str, language: Language) -> list[str]:
    from companion.presentation.spoken_pieces import pieces_of

    return pieces_of(text, language)


# ---------------------------------------------------------------- the voice of a page


TABLE: Final = "table"
"""The level of a page whose voice follows the table's level, such as a TV's."""
WANTED: Final = {f"voice-{level}": level for level in (COUNTS, EVERYTHING, TABLE)}
"""The levels of a page's voice, by the words with which pages request them."""
CLIPS: Final = "clips"
"""The word with which a page requests the names of clips instead of sentences."""
HIGHEST: Final = 6
"""The highest number on a tile in a line, as lines are played with a double-six set."""


class PageVoice:
    """Finds the texts that a page hasn't spoken yet. If it missed moments, their texts are included
    in the next message; events from before its voice was turned on are not new. `clips`: whether it
    plays the box's clips."""

    def __init__(self, level: str, *, clips: bool = False) -> None:
        self.level, self.clips = level, clips
        self._voice: Voice | None = None
        self._heard: Json | None = None
        self._sent = OFF, ""
        """The table's level and the newest text, as they were last sent to this page."""

    def next_message(
        self,
        moment: Json,
        of_table: str,
        to_json: Callable[[Any], str],
        answers: Callable[[], str],
    ) -> str | None:
        """Returns the message about a moment; None if the page needs none. `of_table`: the table's
        level. `to_json` turns spoken texts into JSON; `answers` returns the answers to questions,
        which all pages share. A page that follows the table's level gets no answers, as nobody can
        ask it questions, and no message while the voice is off."""
        if moment is self._heard:
            return None
        self._heard = moment
        follows = self.level == TABLE
        level = of_table if follows else self.level
        if self._voice is None:
            self._voice, said = Voice(moment), list[Json]()
        else:
            said = self._voice.hear(moment, level)
        if follows and level == OFF == self._sent[0]:
            return None
        words = to_json([one["words"] for one in said])
        newest = to_json([moment["aloud"]["words"]] if moment["aloud"] else [])
        texts = f'"clips": {str(self.clips).lower()}, "said": {words}, "newest": {newest}'
        if not follows:
            return f'{{"voice": {{{texts}, "answers": {answers()}}}}}'
        sent_before, self._sent = self._sent, (level, newest)
        if not said and self._sent == sent_before:
            return None
        return f'{{"voice": {{"level": "{level}", {texts}}}}}'


def answers(moment: Json) -> Json | None:
    """Returns the texts of the answers to questions, by question; None without a game. `since` has
    an answer for each seat, and one under "" for people without a seat; `lie` has one for each
    number of pips."""
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
