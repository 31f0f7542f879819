"""Finds the language in which somebody reads a page."""

from typing import Final

from aiohttp import web

from companion.core.languages import COOKIE, OWN_NAMES, accepted
from companion.presentation.language import Language
from companion.presentation.languages import language_of

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
