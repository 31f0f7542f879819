"""`companion games`: a line for each game of the record."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.clock import day, instant
from companion.commands.printing import progress_shown, say
from companion.commands.reading import Games, reading, said
from companion.printed import printed_json
from companion.record.fold import Fold
from companion.record.journal import Journal
from companion.record.reader import Reader
from companion.record.whole import Survey


def list_games(path: Path, games: Games, *, as_json: bool) -> int:
    """One line a game, the newest last. What is wrong with one is said, too."""

    def tell(reader: Reader) -> int:
        with progress_shown(sys.stdout.isatty()) as progress:
            if as_json:
                wrong = _print_array(Survey(reader, _listed_json, progress).games())
            else:
                wrong = _print_list(Survey(reader, _listed, progress).games())
        return said(reader, f"something is wrong with {_many(wrong, 'game')}" if wrong else "")

    return reading(path, games, tell)


def _many(number: int, of: str) -> str:
    return f"{number} {of}{'' if number == 1 else 's'}"


def _print_list(found: Iterator[tuple[str, bool]]) -> int:
    """Prints a line for each game; with how many something is wrong."""
    wrong = 0
    for line, is_wrong in found:
        say([line])
        wrong += is_wrong
    return wrong


def _print_array(found: Iterator[dict[str, Any]]) -> int:
    """Prints an array of JSON one by one; with how many of them something is wrong."""
    between, wrong = "[", 0
    for one in found:
        text = printed_json([one])
        print(between + text[1:-2], end="")
        between, wrong = ",", wrong + bool(one["wrong"])
    print("[]" if between == "[" else "\n]")
    return wrong


def _listed(fold: Fold) -> tuple[str, bool]:
    """The line of a game, and whether something is wrong with it."""
    return _line(fold), bool(fold.told)


def _line(fold: Fold) -> str:
    one, journal = fold.listed, fold.journal
    if one is None:
        return f"{fold.number:4}  no date     can't be shown: its first row is missing"
    on = day(one.at) or "no date"
    if journal is None:
        return f"{one.number:4}  {on:10}  {one.opened.game}: can't be shown, see verify"
    scores = ", ".join(f"{seat} {score}" for seat, score in journal.state.scores.items())
    doubt = f"; {_doubts(fold)}" if fold.told else ""
    return f"{one.number:4}  {on:10}  {journal.game.title}: {scores}; {_standing(journal)}{doubt}"


def _standing(journal: Journal[object]) -> str:
    state = journal.state
    if journal.withdrawn:
        return "taken back"
    if state.winners:
        return f"{' and '.join(state.winners)} won"
    return "ended unfinished" if state.ended is not None else "not finished"


def _listed_json(fold: Fold) -> dict[str, Any]:
    one, journal = fold.listed, fold.journal
    state = journal.state if journal else None
    return {
        "number": fold.number,
        "at": instant(one.at) if one else None,
        "game": one.opened.game if one else None,
        "seats": list(one.opened.seats) if one else [],
        "after": one.opened.after if one else None,
        "entries": journal.length if journal else None,
        "scores": dict(state.scores.items()) if state else None,
        "winner": state.winner if state else None,
        "winners": list(state.winners) if state else [],
        "finished": state.finished if state else None,
        "withdrawn": journal.withdrawn if journal else None,
        "wrong": fold.told,
    }


def _doubts(fold: Fold) -> str:
    """The row that is lost or no longer holds, by name, and how many more."""
    more = f" and {len(fold.told) - 1} more" if len(fold.told) > 1 else ""
    return f"doubtful: {fold.told[0]}{more}"
