"""The unfinished games that the table may go on with, for a page."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from companion.core.clock import now
from companion.core.values import Json
from companion.games.game import AnyGame
from companion.presentation.dates import date_words
from companion.presentation.sayings import say
from companion.record.journal import Journal
from companion.record.people.anonymous import without_hidden
from companion.record.people.people import read_people
from companion.record.store.reader import Reader


def read_unfinished(
    record: Path, catalog: Mapping[str, AnyGame], games: Iterable[int]
) -> list[Json]:
    """The unfinished ones among `games`, read by a connection of its own, so any thread may call
    it. Raises StoreError."""
    with Reader.open(record, catalog) as reader:
        return unfinished(reader, games)


def unfinished(reader: Reader, games: Iterable[int]) -> list[Json]:
    """The ones among `games` that are neither over nor taken back, in their order, as JSON. Raises
    StoreError."""
    games_left, people = [], read_people(reader)
    for listed in (one for game in games for one in reader.listed(game)):
        fold = reader.fold(listed.number)
        if fold.journal is None or not is_unfinished(fold.journal):
            continue
        journal = without_hidden(reader, fold, people).journal
        if journal is None:
            continue
        begun = date_words(fold.begun_at, now())
        games_left.append(
            {
                "number": listed.number,
                "title": journal.game.title,
                "begun": say("games.begun", day=begun) if begun else say("games.begun-unknown"),
                **how_far(journal),
            }
        )
    return games_left


def is_unfinished(journal: Journal[object]) -> bool:
    """Whether a game is neither over nor taken back."""
    return not (journal.withdrawn or journal.state.finished)


def how_far(journal: Journal[object]) -> Json:
    """The part of a game's line that changes with every entry: the number of its entries, and the
    score of each seat. Of partners the last one has the score, the others None."""
    state = journal.state
    last = {side[-1]: state.scores[side[-1]] for side in state.scorers}
    scores = {seat: last.get(seat) for side in state.scorers for seat in side}
    return {"scores": scores, "entries": journal.length}
