"""The process that makes the pages of other evenings: python -m companion.app.past RECORD. The
page's server starts it (web/past.py), so that it takes no time of the table's own process.

Each line of its input is a question, `{"path": "/evenings/4", "asked": {}, "language": "en"}`.
While it counts it says how much is done, `{"done": 0.25}`, a line each; then comes `{"status": 200,
"length": 1234}` and that many bytes of HTML. The status is 404, without HTML, if there is no such
page, and 500 if the record can't be read. The process ends when its input does.
"""

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.app.catalog import CATALOG
from companion.core.values import Json
from companion.players.pages.archive import Archive
from companion.presentation.language import Language, language_of
from companion.web.export.html_file import game_page

LEAST_URGENT = 19
MakePage = Callable[[str, dict[str, str], Callable[[float], None], Language], str | None]
"""Makes the page of a path, with what is asked with it, in a language; None: there is no such page.
The function that it gets is told how much is counted, 0 to 1."""


def main() -> None:
    """Answers until its input ends."""
    answer_all(Archive(Path(sys.argv[1]), CATALOG, game_page).page)


def answer_all(page: MakePage) -> None:
    """Answers each question on standard input with the page that `page` makes."""
    with suppress(OSError):
        os.nice(LEAST_URGENT)
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        _answer(page, asked["path"], asked["asked"], language_of(asked["language"]))


def _answer(make: MakePage, path: str, asked: dict[str, str], language: Language) -> None:
    told = 0.0

    def progress(done: float) -> None:
        nonlocal told
        if done - told >= 0.01:
            told = done
            _say({"done": round(done, 2)})

    try:
        page = make(path, asked, progress, language)
    except Exception as error:  # whatever it is, the next question may be answered
        print(f"The page {path} can't be made: {error!r}", file=sys.stderr, flush=True)
        _say({"status": 500, "length": 0})
        return
    html = (page or "").encode("utf-8", "backslashreplace")
    _say({"status": 200 if page is not None else 404, "length": len(html)}, html)


def _say(answer: Json, more: bytes = b"") -> None:
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n" + more)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
