"""The pages' words on their way to the browser: HTML filled from the catalogue, and the catalogue
as a module for the scripts."""

import json
import re
from collections.abc import Mapping
from html import escape
from typing import Final

from companion.core.languages import direction
from companion.presentation.language import Language
from companion.presentation.page_words import PAGE_WORDS

LANGUAGE: Final = "page.language"
"""The key by which a page's HTML names its language."""
DIRECTION: Final = "page.direction"
"""The key by which it says which way that is written."""
PLACE: Final = re.compile(r"\{\{([a-z-]+\.[a-z-]+)\}\}")
"""Where a word of the catalogue stands in a page's HTML."""


def words_in(language: Language, english: Mapping[str, str] = PAGE_WORDS) -> Mapping[str, str]:
    """The pages' words in that language."""
    return {
        **language.catalogue(english),
        LANGUAGE: language.name,
        DIRECTION: direction(language.name),
    }


def filled(page: str, words: Mapping[str, str]) -> str:
    """The HTML with its words; raises KeyError where the catalogue lacks one."""
    return PLACE.sub(lambda place: escape(words[place[1]]), page)


def catalog_module(words: Mapping[str, str]) -> str:
    """The catalogue as the JavaScript module that static/words.js reads."""
    return f"export default {json.dumps(words, ensure_ascii=False)};\n"
