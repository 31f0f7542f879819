"""Builds the messages with the newest moment and its drawing, once for each row, for all pages of
the table.

A moment is made in the page's thread, from a snapshot, and only if a page is connected; a slow page
gets only the newest. Nothing here uses the record or the table's loop.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from companion.core.values import Json
from companion.presentation.drawing.svg import Paper
from companion.presentation.game import PresentedGames
from companion.presentation.keys import NO_KEYS
from companion.presentation.language import ENGLISH, Language, table_language, with_present_names
from companion.presentation.moment import Moment
from companion.presentation.page_words import PAGE_WORDS
from companion.presentation.voice import OFF
from companion.record.people.people import People
from companion.record.settings import VOICE
from companion.table.snapshot import Snapshot, moment_json
from companion.web.files import version_of, words_in
from companion.web.roles import anybody_keys
from companion.web.voice import PageClips, PageVoice, answers

SHAPES: Final = {
    "strip": Paper(5, 2),
    "wide": Paper(16, 9),
    "landscape": Paper(4, 3),
    "square": Paper(1, 1),
    "upright": Paper(3, 4),
}
"""The shapes of drawings that a page may request."""
Versions = Callable[[Language], str]
"""Returns the version of the pages in a language, as versions_of makes it."""
NOTHING: Final = '{"moment": null, "keys": null}'
_log = logging.getLogger("asyncio")


class Broadcast:
    """The newest moment for all pages, each in its own language. `files`: the folder of the pages'
    files; `games`: those of the catalog; `language`: used until the table chooses one. A page
    reloads itself when its version differs from the one that `versions` returns for its language
    (by default made from the files), so no page of an older program stays open. `more` is added to
    every message; `clips` are the box's own, for the voices of pages."""

    def __init__(
        self,
        files: Path,
        games: PresentedGames,
        language: Language = ENGLISH,
        *,
        versions: Versions | None = None,
        more: Json | None = None,
        clips: PageClips | None = None,
    ) -> None:
        self._games, self._language, self.more = games, language, more or {}
        self._clips = clips
        self.version = versions or versions_of(PAGE_WORDS, files)
        """Returns the version of the pages in a language, as versions_of makes it."""
        self.snapshot: Snapshot | None = None
        """The newest snapshot."""
        self._described: Json | None = None
        self._moments: dict[str, str] = {}
        """The newest moment as JSON, by the names of languages."""
        self._answers: dict[tuple[str, bool], str] = {}
        """The voices' answers for the newest moment, by the name of the language and whether to use
        clips."""
        self._messages: dict[tuple[str, str, bool], str] = {}
        """The messages made from the newest moment, by the name of the language, the shape of the
        drawing, and whether they have the proof."""

    def update(self, snapshot: Snapshot) -> None:
        """Takes a new state of the table."""
        self.snapshot, self._described = snapshot, None
        self._moments, self._messages, self._answers = {}, {}, {}

    @property
    def language(self) -> Language:
        """The language that the table has chosen, or else the one given at first."""
        return (
            table_language(self.snapshot.settings, self._language)
            if self.snapshot
            else self._language
        )

    def moment(self) -> Json | None:
        """The newest moment in the table's language; None if nothing is known yet, or it can't be
        described."""
        if (snapshot := self.snapshot) is None:
            return None
        try:
            language = with_present_names(self.language, snapshot.journal, snapshot.known)
            told: Json = language.translated(self._untranslated_moment(snapshot))
        except Exception:
            _log.exception("a moment can't be described")
            return None
        return told

    def _untranslated_moment(self, snapshot: Snapshot) -> Json:
        """The moment before translation, built once for all pages."""
        if self._described is None:
            self._described = moment_json(snapshot, self._games)
        return self._described

    def voice_message(self, voice: PageVoice, language: Language | None) -> str | None:
        """The message for a page whose voice is on, in `language` or, if None, the table's; None if
        there is nothing new."""
        if (snapshot := self.snapshot) is None:
            return None
        try:
            reader_language = with_present_names(
                language or self.language, snapshot.journal, snapshot.known
            )
            moment = self._untranslated_moment(snapshot)
            level = str(snapshot.settings.get(VOICE, OFF))

            def to_json(said: Any) -> str:
                by_clips = self._clips if voice.clips else None
                return reader_language.json(
                    by_clips.names_of(said, reader_language) if by_clips else said
                )

            return voice.next_message(
                moment,
                level,
                to_json,
                lambda: self._answers_to(moment, (reader_language.name, voice.clips), to_json),
            )
        except Exception:
            _log.exception("a moment can't be said")
            return None

    def _answers_to(
        self, moment: Json, kind: tuple[str, bool], to_json: Callable[[Any], str]
    ) -> str:
        """The answers that a voice can give, as JSON, built once for each moment and each `kind`
        (the language's name, and whether to use clips)."""
        if kind not in self._answers:
            self._answers[kind] = to_json(answers(moment))
        return self._answers[kind]

    def message(
        self, shape: str, *, proof: bool = False, language: Language | None = None
    ) -> str | None:
        """The message for a page that wants a drawing of `shape`, in `language` or, if None, the
        table's. With `proof` the message also has a drawing of the table at the turn that is called
        bogus. None if nothing is known yet."""
        snapshot = self.snapshot
        if snapshot is None:
            return None
        reader_language = language or self.language
        kind = reader_language.name, shape, proof
        if kind not in self._messages:
            self._messages[kind] = self._message_of(snapshot, shape, reader_language, proof=proof)
        return self._messages[kind]

    def _message_of(
        self, snapshot: Snapshot, shape: str, reader_language: Language, *, proof: bool
    ) -> str:
        drawing, drawn = None, Json()
        try:
            language = with_present_names(reader_language, snapshot.journal, snapshot.known)
            if reader_language.name not in self._moments:
                self._moments[reader_language.name] = language.json(
                    {"moment": self._untranslated_moment(snapshot), "keys": self._keys(snapshot)}
                )
            paper = replace(SHAPES[shape], language=language)
            if (journal := snapshot.journal) is not None:
                presentation = self._games[journal.opened.game].presentation
                drawing = presentation.draw(journal.state, paper, stand_alone=False)
                if proof:
                    drawn = {"proof": presentation.draw_proof(journal.state, paper)}
            elif proof:
                drawn = {"proof": None}
        except Exception:
            # A fault of ours must not end the page, which shows what it can.
            _log.exception("a moment can't be described")
        drawn |= self.more
        version = self.version(reader_language)
        more = reader_language.json({"version": version, "drawing": drawing, **drawn})
        return f"{more[:-1]}, {self._moments.get(reader_language.name, NOTHING)[1:]}"

    def _keys(self, snapshot: Snapshot) -> Json:
        """The entries that are possible now, the fields that a proposal has to repeat (keying.py),
        and whether a seat's phone may key for a seat that has its own."""
        journal = snapshot.journal
        fields = {"run": snapshot.run, "game": snapshot.game, "tip": snapshot.tip.hex()}
        fields["anybody"] = anybody_keys(snapshot)
        if journal is None or journal.withdrawn:
            return {**fields, **NO_KEYS}
        keys = self._games[journal.opened.game].presentation.keys
        mends = keys.insertions(journal)
        return {**fields, **keys.json(journal.game, journal.state, snapshot.settings, mends)}


def versions_of(english: Mapping[str, str], *folders: Path) -> Versions:
    """Returns a function from a language to the version of pages with these `english` words and the
    files in the folders; each version is made when first requested."""
    made: dict[str, str] = {}

    def cached_version(language: Language) -> str:
        if language.name not in made:
            made[language.name] = version_of(words_in(language, english), *folders)
        return made[language.name]

    return cached_version


def snapshot_of_game(row: int, moment: Moment | None, known: People) -> Snapshot:
    """A snapshot for pages of a single game, at the record's row `row`, without anything that
    belongs to a box: settings, people, which seat a keypad is for. `moment`: None if there is no
    game. `known`: the players behind the names of seats."""
    snapshot = Snapshot(0, row, None, None, b"", None, {}, known=known)
    if moment is None:
        return snapshot
    newest = moment.row or 0
    return replace(
        snapshot, row=newest, game=moment.number, tip=newest.to_bytes(8), journal=moment.journal
    )
