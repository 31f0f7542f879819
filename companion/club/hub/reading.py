"""Puts the hub's pages into their reader's language: the language that was chosen in the browser,
else the browser's own, else English."""

from pathlib import Path
from typing import Final

from aiohttp import web

from companion.presentation.club_words import CLUB_WORDS
from companion.presentation.language import ENGLISH, Language
from companion.web.files import VARIES, files_folder, packed, page_text, read_by, words_in

HERE: Final = Path(__file__).parent / "static"
"""The folder of the hub's own pages."""


def reads(request: web.Request) -> Language:
    """The language in which the sender of the request reads."""
    return read_by(request, ENGLISH)


def page_read(page: Path, language: Language) -> str:
    """The HTML of a page in `language`."""
    return page_text(page, words_in(language, CLUB_WORDS), HERE)


def files_read(language: Language) -> str:
    """The address of the folder of all pages' files in `language`."""
    return files_folder(words_in(language, CLUB_WORDS), HERE)


def html_answer(text: str) -> web.Response:
    """An answer with the HTML `text`. Its headers tell caches that it depends on the reader's
    language."""
    response = packed(text, "text/html")
    response.headers["Vary"] = VARIES
    return response
