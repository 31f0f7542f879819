"""The quick cards, made of the manual's marked parts: each one sheet of A4 to lay on the table.

python -m tests.manual.card writes all of them into docs/; with the name of a folder, each is
printed there as a PDF as well, by Chromium (`make card`). What stands between `<!-- card -->` and
`<!-- end -->` is on the first of them, what is behind `<!-- card GAME -->` on that game's.
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
from tests.manual.book import ROOT, lines_of, marked, step_of

DOCS = ROOT / "docs"
TITLES = {
    "": "High Five: the quick card",
    "all-fives": "All Fives: the quick card",
    "high-fives": "High Fives: the quick card",
    "high-five-tiles": "High Five! with tiles: the quick card",
    "highrise": "Highrise: the quick card",
}
"""The title of each card, by the game's name; the first is the box's own, with High Five."""

STYLE = """
@page { size: A4 landscape; margin: 8mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 281mm; font: 9.4pt/1.25 "DejaVu Sans", Verdana, sans-serif;
  columns: 3; column-gap: 6mm; color: #111; }
@media screen { body { padding: 8mm; } }
h2 { margin: 0 0 1.5mm; font-size: 15pt; line-height: 1.1; break-after: avoid; }
p { margin: 0 0 1.6mm; }
p.pictures { display: flex; gap: 2mm; }
p.pictures img { width: calc(50% - 1mm); border-radius: 1mm; }
table { width: 100%; margin: 0 0 1.8mm; border-collapse: collapse; }
tr { break-inside: avoid; }
th { display: none; }
td { padding: .35mm 1mm; border-bottom: .2mm solid #bbb; vertical-align: top; }
td:first-child { width: 33%; }
table.keys td:first-child { width: 22%; }
code, kbd { padding: 0 .6mm; border: .2mm solid #888; border-radius: .7mm; background: #eee;
  font: bold .93em/1.2 "DejaVu Sans Mono", monospace; white-space: nowrap; }
""".strip()


def path_of(game: str) -> Path:
    """Where the card of a game lies."""
    return DOCS / f"{'-'.join(filter(None, ('quick-card', game)))}.html"


def card(game: str = "") -> str:
    """The card of a game as a page."""
    body = body_of(game)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{TITLES[game]}</title>\n<style>\n{STYLE}\n</style>\n</head>\n"
        f"<body>\n{body}</body>\n</html>\n"
    )


def body_of(game: str) -> str:
    """What stands on the card."""
    parts = marked(f"card {game}".rstrip())
    body = "".join(markdown().render(_plain(part)) for part in parts)
    return re.sub(r"<p>(<img [^>]+>(?: <img [^>]+>)*)</p>", r'<p class="pictures">\1</p>', body)


def _plain(part: str) -> str:
    """Without comments, and without links: there is nothing to follow on paper."""
    return re.sub(r"(?<!!)\[([^\]]+)\]\([^)]+\)", r"\1", re.sub(r"<!--.*?-->", "", part))


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
