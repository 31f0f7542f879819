"""Puts words from the catalogue into the HTML of pages, and gives scripts the catalogue as a
module."""

import json
import re
from collections.abc import Mapping
from html import escape
from typing import Final

from aiohttp import web

from companion.core.languages import COOKIE, OWN_NAMES, accepted, direction
from companion.presentation.language import Language, language_of
from companion.presentation.page_words import PAGE_WORDS

# ---------------------------------------------------------------- reading
# Finds the language in which somebody reads a page.


VARIES: Final = "Accept-Language, Cookie"
"""The headers of a request on which the language of its answer depends."""


def read_by(request: web.Request, table: Language) -> Language:
    """The language that was chosen in the browser, else the first of ours that the browser says its
    user reads, else `table`, the table's."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in OWN_NAMES:
        return language_of(chosen)
    said = accepted(request.headers.get("Accept-Language", ""))
    return language_of(said) if said else table


# ---------------------------------------------------------------- words

LANGUAGE: Final = "page.language"
"""The key by which a page's HTML names its language."""
DIRECTION: Final = "page.direction"
"""The key by which a page's HTML names the direction in which its language is written."""
PLACE: Final = re.compile(r"\{\{([a-z-]+\.[a-z-]+)\}\}")
"""Matches the place of a word of the catalogue in a page's HTML."""


def words_in(language: Language, english: Mapping[str, str] = PAGE_WORDS) -> Mapping[str, str]:
    """The pages' words in `language`; `english`: their English ones, by key."""
    return {
        **language.catalogue(english),
        LANGUAGE: language.name,
        DIRECTION: direction(language.name),
    }


def filled(page: str, words: Mapping[str, str]) -> str:
    """The HTML with its words put in, escaped. Raises KeyError if the catalogue lacks one."""
    return PLACE.sub(lambda place: escape(words[place[1]]), page)


def catalog_module(words: Mapping[str, str]) -> str:
    """The catalogue as the JavaScript module that static/parts.js reads."""
    return f"export default {json.dumps(words, ensure_ascii=False)};\n"
