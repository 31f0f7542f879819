"""What the commands about players share: the record's history is read, and its cache kept."""

import csv
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.printing import progress_shown
from companion.commands.reading import reading, said
from companion.core.clock import instant, now
from companion.core.values import Json
from companion.players.cache import beside
from companion.players.columns import columns, lines
from companion.players.history import PlayersHistory, read_history
from companion.record.store.reader import Reader


def with_history(path: Path, games: Catalog, tell: Callable[[PlayersHistory], int]) -> int:
    """What `tell` gives for the history of the record's players; 1 where games are doubtful."""

    def read(reader: Reader) -> int:
        with progress_shown() as progress:
            history = read_history(reader, beside(path), games.statistics, progress)
        if status := tell(history):
            return status
        wrong = history.lost + sum(game.doubtful for game in history.games)
        many = "1 game" if wrong == 1 else f"{wrong} games"
        return said(reader, f"something is wrong with {many}" if wrong else "")

    return reading(path, games, read)


def export_players(path: Path, games: Catalog, form: str) -> int:
    """Everything that was counted: a line for each game and player."""

    def tell(history: PlayersHistory) -> int:
        found = lines(history, now(), instant)
        if form == "csv":
            write_csv(columns(), found)
        else:
            for line in found:
                print(json.dumps(line, ensure_ascii=True))
        return 0

    return with_history(path, games, tell)


def write_csv(header: list[str], rows: Iterator[Json]) -> None:
    """A table with its columns' names in the first line."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([_cell(row[name]) for name in header])


def _cell(value: object) -> object:
    """As a table has it. Text that a spreadsheet would take for a formula gets an apostrophe."""
    if isinstance(value, dict):
        value = " ".join(f"{name}:{number}" for name, number in value.items())
    if isinstance(value, list):
        value = " ".join(map(str, value))
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@")):
        return f"'{value}"
    return value
