"""Separate processes that read past games, so that a table or hub isn't slowed down by that:
`python -m companion.app.past` with one of

    pages RECORD  the pages of a table's other evenings and its players
    club FOLDER   the same pages for a club, in the hub's folder
    open RECORD   the numbers of a record's unfinished games

The server of the page or the hub starts `pages` and `club` (web/past.py). Each line of their input
is a request, `{"path": "/evenings/4", "asked": {}, "language": "en", "below": ""}`; `asked` is the
query, and `below` the path before all addresses. During long calculations the output has lines with
the progress, `{"done": 0.25}`; then `{"status": 200, "length": 1234}` and that many bytes of HTML.
The status is 404, without HTML, if there is no such page, and 500 if the record can't be read. The
process ends when its input does.

`open` prints a JSON list, newest game first. If the record can't be read, it prints one line on
stderr, and the exit status is 1. Results are stored in the cache of the statistics.
"""

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.core.values import Json
from companion.presentation.language import Language, language_of
from companion.record.store.database import StoreError

# The table's own process loads this module to ask for unfinished games: what only the other
# processes need is imported in their functions.

NICE = 10
"""The priority of these processes, lower than the table's. With 19 a page would never be made on a
busy machine: beside a program that always works, it would get a hundredth of a processor instead of
a tenth."""
MakePage = Callable[[str, dict[str, str], Callable[[float], None], Language], str | None]
"""Returns the page for a path, its query and a language; None if there is no such page. Reports its
progress, 0 to 1, to the given function."""


def table_pages(record: Path) -> MakePage:
    """Returns the function that makes the pages of a table's other evenings and of its players."""
    from companion.app.catalog import CATALOG
    from companion.players.pages.archive import Archive
    from companion.web.export.html_file import game_page

    return Archive(record, CATALOG, game_page).page


def club_pages(folder: Path) -> MakePage:
    """Returns the function that makes the pages of a club's players and evenings. `folder`: the
    hub's folder."""
    from companion.app.catalog import CATALOG
    from companion.club.hub.archive import FIGURES, ClubArchive
    from companion.club.hub.folder import HubFolder

    hub = HubFolder.open(folder)
    club, months = hub.keys.identity, hub.keep_names_months
    figures = folder / FIGURES
    return ClubArchive(hub.open_database(), club, CATALOG, months, figures=figures).page


def answer_all(page: MakePage) -> None:
    """Answers each request on standard input with the page that `page` makes."""
    from companion.core.html import rooted_at

    for line in sys.stdin.buffer:
        asked = json.loads(line)
        with rooted_at(asked["below"]):
            _answer_request(page, asked["path"], asked["asked"], language_of(asked["language"]))


def _answer_request(make: MakePage, path: str, query: dict[str, str], language: Language) -> None:
    reported = 0.0

    def progress(done: float) -> None:
        nonlocal reported
        if done - reported >= 0.01:
            reported = done
            _write_answer({"done": round(done, 2)})

    try:
        page = make(path, query, progress, language)
    except Exception as error:  # whatever happened, the next request may succeed
        print(f"The page {path} can't be made: {error!r}", file=sys.stderr, flush=True)
        _write_answer({"status": 500, "length": 0})
        return
    html = (page or "").encode("utf-8", "backslashreplace")
    _write_answer({"status": 200 if page is not None else 404, "length": len(html)}, html)


def _write_answer(answer: Json, more: bytes = b"") -> None:
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n" + more)
    sys.stdout.buffer.flush()


# ---------------------------------------------------------------- unfinished games


def ask_open_games(record: Path) -> list[int]:
    """Returns the numbers of the unfinished games, newest first. A separate process reads the
    record. Raises StoreError."""
    import subprocess

    from companion.web.past import program_environment

    command = (sys.executable, "-m", "companion.app.past", "open", str(record.absolute()))
    asked = subprocess.run(
        command, capture_output=True, text=True, check=False, env=program_environment()
    )
    if asked.returncode:
        raise StoreError("the unfinished games can't be found: {why}", why=asked.stderr.strip())
    found: list[int] = json.loads(asked.stdout)
    return found


def open_games(record: Path) -> list[int]:
    """Returns the numbers of the unfinished games, newest first, read in this process. Raises
    StoreError."""
    from companion.app.catalog import CATALOG
    from companion.players.cache import figures_path
    from companion.players.history import read_history
    from companion.players.statistics import GameResult
    from companion.record.store.reader import Reader

    with Reader.open(record, CATALOG.rules) as reader:
        games = read_history(reader, figures_path(record), CATALOG.statistics).games
    return [game.number for game in reversed(games) if game.result is GameResult.OPEN]


def main() -> None:
    """Runs the command in the first argument, with the path in the second."""
    with suppress(OSError):
        os.nice(NICE)
    what, path = sys.argv[1], Path(sys.argv[2])
    match what:
        case "pages":
            answer_all(table_pages(path))
        case "club":
            answer_all(club_pages(path))
        case "open":
            try:
                print(json.dumps(open_games(path)))
            except StoreError as error:
                sys.exit(str(error))


if __name__ == "__main__":
    main()
