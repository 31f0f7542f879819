"""The quick cards, made of the manual's marked parts: each one sheet of A4 to lay on the table.

python -m tests.manual.card writes all of them into docs/; with the name of a folder, each is
printed there as a PDF as well, by Chromium (`make card`). On a game's card is what stands between
`<!-- card GAME -->` and `<!-- end -->`.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.chromium import CHROMIUM
from tests.manual.book import DOCS, ROOT, lines_of, marked, step_of

TITLES = {
    "high-five": "High Five: the quick card",
    "five-up": "Five Up: the quick card",
    "all-fives": "All Fives: the quick card",
    "high-fives": "High Fives: the quick card",
    "high-five-tiles": "High Five! with tiles: the quick card",
    "highrise": "Highrise: the quick card",
}
"""The title of each card, by the game's name; High Five's has the box's keys, too."""

STYLE = (ROOT / "companion" / "web" / "static" / "card.css").read_text("utf-8").strip()
"""How a card is printed, here on A4, and from the page's help (help.py) on the paper that is in the
printer: three columns on one sheet."""


def path_of(game: str) -> Path:
    """Where the card of a game lies."""
    return DOCS / f"quick-card-{game}.html"


def card(game: str) -> str:
    """The card of a game as a page."""
    body, on_a4 = body_of(game), STYLE.replace("size: landscape", "size: A4 landscape")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{TITLES[game]}</title>\n<style>\n{on_a4}\n</style>\n</head>\n"
        f"<body>\n{body}</body>\n</html>\n"
    )


def body_of(game: str) -> str:
    """What stands on the card."""
    parts = marked(f"card {game}")
    body = "".join(markdown().render(_plain(part)) for part in parts)
    return re.sub(r"<p>(<img [^>]+>(?: <img [^>]+>)*)</p>", r'<p class="pictures">\1</p>', body)


def _plain(part: str) -> str:
    """Without comments, and without links: there is nothing to follow on paper. Its pictures are
    where the card finds them."""
    words = re.sub(r"(?<!!)\[([^\]]+)\]\([^)]+\)", r"\1", re.sub(r"<!--.*?-->", "", part))
    return words.replace("](../", "](")


def markdown() -> MarkdownIt:
    """As the manual is written."""
    markdown = MarkdownIt("commonmark").enable("table")
    markdown.add_render_rule("fence", _sequence)
    return markdown


def _sequence(_self: Any, tokens: Sequence[Token], at: int, *_: Any) -> str:
    """A sequence of keys as a table."""
    return f'<table class="keys">\n{"".join(map(_row, lines_of(tokens[at].content)))}</table>\n'


def _row(line: str) -> str:
    keys = step_of(line).keys
    text = line.removeprefix(keys).strip()
    caps = " ".join(f"<kbd>{escape(key)}</kbd>" for key in keys.split())
    return f"<tr><td>{caps}</td><td>{escape(text, quote=False)}</td></tr>\n"


def print_pdf(page: Path, pdf: Path) -> None:
    """Prints a page by Chromium. Raises CalledProcessError, or FileNotFoundError without one."""
    if CHROMIUM is None:
        raise FileNotFoundError("the card is printed by Chromium: install chromium")
    asks = ("--headless", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={pdf}")
    root = ("--no-sandbox",) if os.geteuid() == 0 else ()
    with tempfile.TemporaryDirectory() as profile:
        command = (CHROMIUM, *asks, *root, f"--user-data-dir={profile}", page.as_uri())
        subprocess.run(command, check=True, capture_output=True, timeout=60)


def pages_of(pdf: Path) -> int:
    """How many pages it has."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes()))


if __name__ == "__main__":
    for name in TITLES:
        path_of(name).write_text(card(name), "utf-8")
        if sys.argv[1:]:
            pdf = Path(sys.argv[1]).absolute() / path_of(name).with_suffix(".pdf").name
            print_pdf(path_of(name), pdf)
