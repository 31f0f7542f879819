"""Prints the numbers of a record's unfinished games as a JSON list, the newest first:
python -m companion.app.open_games RECORD.

The page's server starts it for the list of unfinished games, so that counting a long record takes
no time of the table's own process. What was counted stays in the figures' cache.
"""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path

from companion.record.store.database import StoreError


def ask_open_games(record: Path) -> list[int]:
    """The numbers of the unfinished games, the newest first, found by a process of its own. Raises
    StoreError."""
    import subprocess

    from companion.web.past import program_environment

    command = (sys.executable, "-m", "companion.app.open_games", str(record.absolute()))
    asked = subprocess.run(
        command, capture_output=True, text=True, check=False, env=program_environment()
    )
    if asked.returncode:
        raise StoreError("the unfinished games can't be found: {why}", why=asked.stderr.strip())
    found: list[int] = json.loads(asked.stdout)
    return found


def open_games(record: Path) -> list[int]:
    """The numbers of the unfinished games, the newest first. Raises StoreError."""
    # Loaded here, in the process that counts: the table's own process needs none of it.
    from companion.app.catalog import CATALOG
    from companion.players.cache import figures_path
    from companion.players.history import read_history
    from companion.players.statistics import GameResult
    from companion.record.store.reader import Reader

    with Reader.open(record, CATALOG.rules) as reader:
        games = read_history(reader, figures_path(record), CATALOG.statistics).games
    return [game.number for game in reversed(games) if game.result is GameResult.OPEN]


def main() -> None:
    """Prints the numbers; if the record can't be read, one line on stderr and exit status 1."""
    from companion.app.past import LEAST_URGENT

    with suppress(OSError):
        os.nice(LEAST_URGENT)
    try:
        print(json.dumps(open_games(Path(sys.argv[1]))))
    except StoreError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
