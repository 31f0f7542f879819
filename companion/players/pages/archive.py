"""Generates the page for a path from the record, which it reads while the table runs."""

import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Protocol

from companion.core.clock import now
from companion.core.html import element, translated_by
from companion.core.words import phrase
from companion.players.cache import FileStamp, figures_path
from companion.players.history import PlayersHistory, read_history
from companion.players.pages.document import (
    ROOT,
    link_to_all,
    link_to_evening,
    link_to_other_names,
    link_to_table,
)
from companion.players.pages.evening import EveningDrawings, GameDrawings, evening_page
from companion.players.pages.overview import overview
from companion.players.pages.player import player_page
from companion.players.statistics import Statistics
from companion.presentation.dates import date_words
from companion.presentation.game import PresentedGame, rules_of
from companion.presentation.language import ENGLISH, Language
from companion.presentation.moment import Moment
from companion.presentation.page_words import PAGE_WORDS
from companion.presentation.sayings import fixed_words
from companion.record.people.people import People, replacement_names, without_hidden, without_names
from companion.record.store.reader import Reader

EVENING_PATH = re.compile(rf"{ROOT}/(\d{{1,9}})", re.ASCII)
GAME_PATH = re.compile(rf"{ROOT}/game/(\d{{1,9}})", re.ASCII)
GamePage = Callable[[Moment, str | None, str, int | None, Language], str]
"""Makes the page of a game (web/export/html_file.py) from its newest moment, its date, HTML with
links to other pages, the entry to show first (None for the game's first), and a language."""
ENTRY_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
EMPTY_HISTORY = PlayersHistory((), People(), reveals_uncalled=False, lost=0, statistics={})


class ArchivedGame(PresentedGame, Protocol):
    """The parts of a game that the pages of earlier evenings need."""

    @property
    def statistics(self) -> Statistics:
        """The statistics of this kind of game."""
        ...


class Archive:
    """The pages of a record. The history stays in memory until the record's files change.
    `game_page` returns the page of a game; `clock` returns wall time, None if it was never set."""

    def __init__(
        self,
        record: Path,
        games: Mapping[str, ArchivedGame],
        game_page: GamePage,
        clock: Callable[[], float | None] = now,
    ) -> None:
        self._record, self._games, self._clock = record, games, clock
        self._game_page = game_page
        self._titles = {name: game.rules.title for name, game in games.items()}
        self._statistics = {name: game.statistics for name, game in games.items()}
        self._drawings = EveningDrawings(games)
        self._known: tuple[FileStamp, PlayersHistory] | None = None

    def page(
        self,
        path: str,
        query: Mapping[str, str],
        progress: Callable[[float], None] = lambda _: None,
        language: Language = ENGLISH,
    ) -> str | None:
        """The page at that path, in that language; None if there is none. `query`: the query of the
        address; `progress` is called with how much of the record has been counted, 0 to 1. Raises
        StoreError, or OSError if the record can't be read."""
        with translated_by(language.translate):
            return self._find_page(path, query, progress, language)

    def _find_page(
        self,
        path: str,
        query: Mapping[str, str],
        progress: Callable[[float], None],
        language: Language,
    ) -> str | None:
        if not self._record.exists():
            return overview(EMPTY_HISTORY, self._titles, self._clock(), query)
        with Reader.open(self._record, rules_of(self._games)) as reader:
            history = self._history(reader, progress)
            if found := GAME_PATH.fullmatch(path):
                return self._game_page_of(int(found[1]), query, reader, history, language)
            if found := EVENING_PATH.fullmatch(path):
                return self._evening_page(int(found[1]), reader, history, language)
        if path == f"{ROOT}/player":
            return player_page(query.get("name", ""), history, self._titles, self._clock(), query)
        return overview(history, self._titles, self._clock(), query) if path == ROOT else None

    def _history(self, reader: Reader, progress: Callable[[float], None]) -> PlayersHistory:
        stamp = FileStamp.of(self._record)
        if self._known is None or self._known[0] != stamp:
            found = read_history(reader, figures_path(self._record), self._statistics, progress)
            self._known = stamp, found
        return self._known[1]

    def _evening_page(
        self, number: int, reader: Reader, history: PlayersHistory, language: Language
    ) -> str | None:
        def draw(numbers: Collection[int]) -> Mapping[int, GameDrawings]:
            return self._drawings.draw(reader, numbers, history.people, language)

        return evening_page(number, history, self._titles, self._clock(), draw)

    def _game_page_of(
        self,
        number: int,
        query: Mapping[str, str],
        reader: Reader,
        history: PlayersHistory,
        language: Language,
    ) -> str | None:
        """The replay of a game, without names if `query` has `colours`; None if it can't be
        shown."""
        fold = reader.fold(number)
        colours = "colours" in query
        shown = (
            without_names(reader, fold) if colours else without_hidden(reader, fold, history.people)
        )
        if fold.journal is None or fold.listed is None or shown.journal is None:
            return None
        its_evening = link_to_evening(number, phrase("Its evening"))
        back = link_to_all() if fold.journal.withdrawn else its_evening
        has_names = bool(replacement_names(fold.listed.opened, None, fold.journal.game))
        otherwise = [link_to_other_names(number, colours=not colours)] if has_names else []
        ways = element(
            "nav", link_to_table(), back, *otherwise,
            class_="ways", aria_label=fixed_words(PAGE_WORDS, "label.other-pages"),
        )  # fmt: skip
        settings = shown.settings(reader.settings())
        moment = Moment(self._games, shown.journal, fold.row, number, settings)
        entry = query.get("entry", "")
        begin_at = int(entry) if ENTRY_NUMBER.fullmatch(entry) else None
        when = date_words(fold.begun_at, self._clock())
        return self._game_page(moment, when, ways, begin_at, language)
