"""`companion games`: a line for each game of the record."""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.opening import reading, said
from companion.commands.replay import scores_words, side_words
from companion.commands.terminal import printed_json, progress_shown, say
from companion.core.clock import day, instant
from companion.core.values import Json
from companion.record.fold import Fold
from companion.record.journal import Journal
from companion.record.people.anonymous import called_instead
from companion.record.people.forget import Names, written_without
from companion.record.people.people import People, read_people
from companion.record.repair.whole import Survey
from companion.record.store.reader import Reader


def list_games(path: Path, games: Catalog, *, as_json: bool) -> int:
    """Prints a line for each game, the newest last, also what is wrong with it."""

    def report(reader: Reader) -> int:
        with progress_shown(sys.stdout.isatty()) as progress:
            people = read_people(reader)
            if as_json:
                as_object = partial(_listed_json, people=people)
                wrong = _print_array(Survey(reader, as_object, progress).games())
            else:
                as_line = partial(_listed, people=people)
                wrong = _print_list(Survey(reader, as_line, progress).games())
        return said(reader, f"something is wrong with {_many(wrong, 'game')}" if wrong else "")

    return reading(path, games, report)


def _many(number: int, of: str) -> str:
    return f"{number} {of}{'' if number == 1 else 's'}"


def _print_list(found: Iterator[tuple[str, bool]]) -> int:
    """Prints a line for each game; gives the number of those with which something is wrong."""
    wrong = 0
    for line, is_wrong in found:
        say([line])
        wrong += is_wrong
    return wrong


def _print_array(found: Iterator[Json]) -> int:
    """Prints an array of JSON one by one; gives the number of those with which something is
    wrong."""
    between, wrong = "[", 0
    for one in found:
        text = printed_json([one])
        print(between + text[1:-2], end="")
        between, wrong = ",", wrong + bool(one["wrong"])
    print("[]" if between == "[" else "\n]")
    return wrong


def _listed(fold: Fold, people: People) -> tuple[str, bool]:
    """The line of a game, and whether something is wrong with it."""
    return _line(fold, _called(fold, people)), bool(fold.doubts)


def _called(fold: Fold, people: People) -> Names:
    """What hidden people are called."""
    one, journal = fold.listed, fold.journal
    if one is None or not people.hidden:
        return {}
    return called_instead(one.opened, people, journal.game if journal else None)


def _line(fold: Fold, names: Names) -> str:
    one, journal = fold.listed, fold.journal
    if one is None:
        return f"{fold.number:4}  no date     can't be shown: its first row is missing"
    on = day(one.at) or "no date"
    if journal is None:
        return f"{one.number:4}  {on:10}  {one.opened.game}: can't be shown, see verify"
    scores = scores_words(journal.state, names)
    doubt = f"; {written_without(_doubts(fold), names)}" if fold.doubts else ""
    standing = _standing(journal, names)
    return f"{one.number:4}  {on:10}  {journal.game.title}: {scores}; {standing}{doubt}"


def _standing(journal: Journal[object], names: Names) -> str:
    state = journal.state
    if journal.withdrawn:
        return "taken back"
    if state.winners:
        return f"{side_words(state.winners, names)} won"
    return "ended unfinished" if state.ended is not None else "not finished"


def _listed_json(fold: Fold, people: People) -> Json:
    one, journal = fold.listed, fold.journal
    state, names = journal.state if journal else None, _called(fold, people)
    winners = [names.get(seat, seat) for seat in state.winners] if state else []
    scores = state.scores.items() if state else ()
    return {
        "number": fold.number,
        "at": instant(one.at) if one else None,
        "game": one.opened.game if one else None,
        "seats": [names.get(seat, seat) for seat in one.opened.seats] if one else [],
        "after": one.opened.after if one else None,
        "entries": journal.length if journal else None,
        "scores": {names.get(seat, seat): score for seat, score in scores} if state else None,
        "winner": names.get(state.winner, state.winner) if state and state.winner else None,
        "winners": winners,
        "finished": state.finished if state else None,
        "withdrawn": journal.withdrawn if journal else None,
        "wrong": [written_without(line, names) for line in fold.doubts],
    }


def _doubts(fold: Fold) -> str:
    """The row that is lost or no longer holds, by name, and how many more."""
    more = f" and {len(fold.doubts) - 1} more" if len(fold.doubts) > 1 else ""
    return f"doubtful: {fold.doubts[0]}{more}"
