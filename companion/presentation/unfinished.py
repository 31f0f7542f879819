"""The games that were left unfinished, to go on with: told to a page that asks."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Final

from companion.core.clock import day
from companion.core.values import Json
from companion.games.game import AnyGame
from companion.presentation.sayings import say
from companion.record.journal import Journal
from companion.record.people.anonymous import without_hidden
from companion.record.people.people import read_people
from companion.record.store.reader import Reader

NEWEST: Final = 40
"""Games that are looked at: of an older one nobody knows any more where its chips lay."""


def read_unfinished(record: Path, catalog: Mapping[str, AnyGame]) -> list[Json]:
    """The unfinished games of a record, read by a connection of its own, so from any thread. Raises
    StoreError."""
    with Reader.open(record, catalog) as reader:
        return unfinished(reader)


def unfinished(reader: Reader) -> list[Json]:
    """Which of the newest games are neither over nor taken back, the newest first. Raises
    StoreError."""
    told, people = [], read_people(reader)
    for listed in islice(reader.games(newest_first=True), NEWEST):
        fold = reader.fold(listed.number)
        if fold.journal is None or not is_unfinished(fold.journal):
            continue
        journal = without_hidden(reader, fold, people).journal
        if journal is None:
            continue
        begun = day(listed.at)
        told.append(
            {
                "number": listed.number,
                "title": journal.game.title,
                "begun": say("games.begun", day=begun) if begun else say("games.begun-unknown"),
                **how_far(journal),
            }
        )
    return told


def is_unfinished(journal: Journal[object]) -> bool:
    """Whether a game is neither over nor taken back."""
    return not (journal.withdrawn or journal.state.finished)


def how_far(journal: Journal[object]) -> Json:
    """The part of a game's line that changes with every entry: its scores, and how many entries
    it has."""
    return {"scores": dict(journal.state.scores.items()), "entries": journal.length}
