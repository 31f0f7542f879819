"""Responses with the hub's pages in their reader's language: the language that was chosen in the
browser, else the browser's own, else English."""

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Final

from aiohttp import web

from companion.core.html import Html, element, joined, translated, translated_by
from companion.core.languages import direction
from companion.core.words import Sentence
from companion.presentation.club_words import CLUB_WORDS
from companion.presentation.language import ENGLISH, Language
from companion.presentation.sayings import fixed_words
from companion.web.files import (
    VARY_HEADERS,
    compressed_response,
    language_of_request,
    page_text,
    words_in,
)

HUB_STATIC: Final = Path(__file__).parent / "static"
"""The folder of the hub's own pages."""


def language_of(request: web.Request) -> Language:
    """The language of the person who sent the request."""
    return language_of_request(request, ENGLISH)


def translated_page(page: Path, language: Language, values: Mapping[str, str] = {}) -> str:
    """Returns the HTML of a page in `language`, with its placeholders replaced with `values` alone,
    not with those of a table's page."""
    return page_text(page, words_in(language, CLUB_WORDS), HUB_STATIC, values=values)


def html_response(text: str) -> web.Response:
    """Returns a response with the HTML `text`. Its headers tell caches that it depends on the
    reader's language."""
    response = compressed_response(text, "text/html")
    response.headers["Vary"] = VARY_HEADERS
    return response


def refuse_role(request: web.Request, why: Sentence, *, known: bool) -> web.Response:
    """Returns the refusal of a request that a script has sent. `known`: whether its access code is
    valid, but doesn't allow this."""
    said = language_of(request).translate(why)
    return web.json_response({"error": said}, status=403 if known else 401)


# ---------------------------------------------------------------- pages without a template


def link_to(href: str, word: str) -> Html:
    return element("a", fixed_words(CLUB_WORDS, word), href=href)


def links_bar(*ways: Html) -> Html:
    label = fixed_words(CLUB_WORDS, "label.other-pages")
    return element("nav", *ways, class_="ways", aria_label=label)


def plain_page(
    language: Language, title: str, ways: Iterable[Html], *body: Html, status: int = 200
) -> web.Response:
    looks = joined(
        element("link", rel="icon", href="/icon.svg", type="image/svg+xml"),
        *(
            element("link", rel="stylesheet", href=f"/{name}.css")
            for name in ("tokens", "table", "evenings", "club")
        ),
    )
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="robots" content="noindex"><title>{escape(title)}</title>{looks}'
    )
    main = element("main", element("h1", title), *body)
    text = (
        f'<!doctype html>\n<html lang="{language.name}" dir="{direction(language.name)}">'
        f"<head>{head}</head>"
        f'<body class="past">{links_bar(*ways)}{main}</body></html>\n'
    )
    response = html_response(text)
    response.set_status(status)
    return response


def reason_page(
    request: web.Request, status: int, word: str, title: str = "club.games-of"
) -> web.Response:
    """Returns a page that explains why there is nothing to see, with the texts for the keys `word`
    and `title`."""
    language = language_of(request)
    with translated_by(language.translate):
        why = element("p", fixed_words(CLUB_WORDS, word), class_="lead", role="status")
        heading = translated(fixed_words(CLUB_WORDS, title))
        return plain_page(language, heading, [link_to("/", "club.to-all")], why, status=status)
