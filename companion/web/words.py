"""The pages' words on their way to the browser: HTML filled from the catalogue, and the catalogue
as a module for the scripts."""

import json
import re
from collections.abc import Mapping
from html import escape
from typing import Final

from companion.presentation.page_words import PAGE_WORDS

PLACE: Final = re.compile(r"\{\{([a-z-]+\.[a-z-]+)\}\}")
"""Where a word of the catalogue stands in a page's HTML."""


def filled(page: str, words: Mapping[str, str] = PAGE_WORDS) -> str:
    """The HTML with its words; raises KeyError where the catalogue lacks one."""
    return PLACE.sub(lambda place: escape(words[place[1]]), page)


def catalog_module(words: Mapping[str, str] = PAGE_WORDS) -> str:
    """The catalogue as the JavaScript module that static/words.js reads."""
    return f"export default {json.dumps(words, ensure_ascii=False)};\n"
