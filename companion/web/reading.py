"""Which language somebody on a page reads."""

from typing import Final

from aiohttp import web

from companion.core.languages import COOKIE, OWN_NAMES, accepted
from companion.presentation.language import Language
from companion.presentation.languages import language_of

VARIES: Final = "Accept-Language, Cookie"
"""What an answer that is made for a language depends on."""


def read_by(request: web.Request, table: Language) -> Language:
    """The language that was chosen on that browser, else the first that it says its user reads,
    else the table's."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in OWN_NAMES:
        return language_of(chosen)
    said = accepted(request.headers.get("Accept-Language", ""))
    return language_of(said) if said else table
