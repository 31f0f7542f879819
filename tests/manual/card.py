"""Makes the quick cards from the manual's marked parts, each a sheet of A4 for the table.

python -m tests.manual.card writes all of them into docs/. With the name of a folder, Chromium also
prints each there as a PDF (`make card`), with the cards and the lesson in each other language. A
game's card has the text between `<!-- card GAME -->` and `<!-- end -->`. In another language its
title is there too, in `<!-- title: … -->`; if the game's chapter isn't translated, the card is a
text of its own, docs/manual/LANGUAGE/quick-card-GAME.md, below its title. The lesson, “The rules on
a page”, is between `<!-- lesson -->` and `<!-- end -->` in High Five's chapter.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.chromium import CHROMIUM
from tests.manual.book import DOCS, LANGUAGES, ROOT, chapters_in, lines_of, marked, step_of
from tests.waiting import WAIT_S

TITLES = {
    "high-five": "High Five: the quick card",
    "five-up": "Five Up: the quick card",
    "all-fives": "All Fives: the quick card",
    "fives-and-threes": "Fives and Threes: the quick card",
    "domino": "Dominó: the quick card",
    "high-fives": "High Fives: the quick card",
    "high-five-tiles": "High Five! with tiles: the quick card",
    "highrise": "Highrise: the quick card",
}
"""The title of each card, by the game's name. High Five's card has the box's keys as well."""

LESSON = "lesson"
"""The name of the text for people who have never played High Five."""

STYLE = (ROOT / "companion" / "web" / "static" / "card.css").read_text("utf-8").strip()
"""The style in which a card is printed, three columns on one sheet: here on A4; from the page's
help (help.py) on the paper that the printer has."""


ON_A_PAGE = """@page { size: A4; margin: 14mm; }
body { margin: 0; font: 10pt/1.3 sans-serif; }
h1 { margin: 0 0 3mm; font-size: 18pt; }
p { margin: 0 0 2mm; }"""
"""The style in which a lesson is printed."""


def path_of(game: str) -> Path:
    """The path of a game's card."""
    return DOCS / f"quick-card-{game}.html"


def card(game: str) -> str:
    """The card of a game as a page."""
    return _sheet(TITLES[game], body_of(game), "en")


def body_of(game: str) -> str:
    """The HTML of a card, below its head."""
    return _rendered(*marked(f"card {game}"))


def _sheet(title: str, body: str, language: str, style: str = "") -> str:
    style = style or STYLE.replace("size: landscape", "size: A4 landscape")
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n<style>\n{style}\n</style>\n</head>\n"
        f"<body>\n{body}</body>\n</html>\n"
    )


def _rendered(*parts: str) -> str:
    body = "".join(markdown().render(_plain(part)) for part in parts)
    return re.sub(r"<p>(<img [^>]+>(?: <img [^>]+>)*)</p>", r'<p class="pictures">\1</p>', body)


# ---------------------------------------------------------------- in other languages


_TITLE = re.compile(r"^(?:# (.+)|<!-- title: (.+) -->)\n", re.MULTILINE)


def text_in(language: str, name: str) -> str:
    """The text of a game's card, or of the lesson, in that language, with its title."""
    part = LESSON if name == LESSON else f"card {name}"
    if parts := marked(part, "\n".join(chapters_in(language).values())):
        return "\n".join(parts)
    file = LESSON if name == LESSON else f"quick-card-{name}"
    return (DOCS / "manual" / language / f"{file}.md").read_text("utf-8")


def title_in(language: str, name: str) -> str:
    """The title of that text."""
    found = _TITLE.search(text_in(language, name))
    assert found, f"the text of {name} in {language} has no title"
    return found[1] or found[2]


def body_in(language: str, name: str) -> str:
    """That text without its title, as HTML; the paths of its pictures begin in docs/."""
    return _rendered(_TITLE.sub("", text_in(language, name), count=1).replace('"../../', '"'))


def sheets() -> Iterator[tuple[str, str]]:
    """Each card and each lesson in another language: its name, and the page to print."""
    for language in LANGUAGES:
        for name in (*TITLES, LESSON):
            title, body = title_in(language, name), body_in(language, name)
            if name == LESSON:
                lesson = _sheet(title, f"<h1>{title}</h1>\n{body}", language, ON_A_PAGE)
                yield f"{LESSON}-{language}", lesson
            else:
                yield f"{path_of(name).stem}-{language}", _sheet(title, body, language)


def _plain(part: str) -> str:
    """A part of a text without comments, and without links, which are useless on paper. The paths
    of its pictures begin in docs/."""
    words = re.sub(r"(?<!!)\[([^\]]+)\]\([^)]+\)", r"\1", re.sub(r"<!--.*?-->", "", part))
    return re.sub(r"\]\((?:\.\./)+", "](", words)


def markdown() -> MarkdownIt:
    """A renderer of Markdown as the manual uses it, with its sequences of keys."""
    markdown = MarkdownIt("commonmark").enable("table")
    markdown.add_render_rule("fence", _sequence)
    return markdown


def _sequence(_self: Any, tokens: Sequence[Token], at: int, *_: Any) -> str:
    """A sequence of keys as a table in HTML; a rule of the renderer."""
    return f'<table class="keys">\n{"".join(map(_row, lines_of(tokens[at].content)))}</table>\n'


def _row(line: str) -> str:
    keys = step_of(line).keys
    text = line.removeprefix(keys).strip()
    caps = " ".join(f"<kbd>{escape(key)}</kbd>" for key in keys.split())
    return f"<tr><td>{caps}</td><td>{escape(text, quote=False)}</td></tr>\n"


def print_pdf(page: Path, pdf: Path) -> None:
    """Prints a page with Chromium. Raises CalledProcessError if that fails, and FileNotFoundError
    if Chromium is missing."""
    if CHROMIUM is None:
        raise FileNotFoundError("the card is printed by Chromium: install chromium")
    asks = ("--headless", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={pdf}")
    root = ("--no-sandbox",) if os.geteuid() == 0 else ()
    with tempfile.TemporaryDirectory() as profile:
        command = (CHROMIUM, *asks, *root, f"--user-data-dir={profile}", page.as_uri())
        subprocess.run(command, check=True, capture_output=True, timeout=WAIT_S)


def print_beside_docs(page: str, pdf: Path) -> None:
    """Prints the text of a page whose paths of pictures begin in docs/. Raises as `print_pdf`
    does."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(PICTURED.sub(rf'src="{DOCS.as_uri()}/\1/', page), "utf-8")
        print_pdf(path, pdf)


PICTURED = re.compile(r'src="(?:\.\./)?(pictures|phone|drawings)/')
"""The beginning of a path of a picture in docs/, in a page to print."""


def pages_of(pdf: Path) -> int:
    """The number of pages of a PDF."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes()))


if __name__ == "__main__":
    for name in TITLES:
        path_of(name).write_text(card(name), "utf-8")
    for into in map(Path, sys.argv[1:]):
        for name, page in (*((path_of(name).stem, card(name)) for name in TITLES), *sheets()):
            print_beside_docs(page, into / f"{name}.pdf")
