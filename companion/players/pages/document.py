"""What all these pages are made of: the document, tables, links to where a figure comes from."""

from collections.abc import Iterable, Sequence
from urllib.parse import urlencode

from companion.core.html import Html, between, element
from companion.core.seats import shown
from companion.core.words import phrase
from companion.players.figures import EntryAt
from companion.presentation.language import DIRECTION_HERE, LANGUAGE_HERE
from companion.presentation.page_words import PAGE_WORDS
from companion.presentation.sayings import words_under

ROOT = "/evenings"
EMPTY = element("td")
MOST_MOMENTS = 5
"""How many moments of a figure are linked; further ones are counted."""


def document(
    title: str, *body: str, ways: Iterable[Html] = (), heading: Html | None = None,
    looks: Iterable[str] = ()
) -> str:  # fmt: skip
    """A page, whose heading is its title, or else a `heading` of its own; `ways` are links to other
    pages, `looks` further style sheets that it needs."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="robots", content="noindex"),
        element("title", title),
        element("link", rel="icon", href="/icon.svg", type="image/svg+xml"),
        *(
            element("link", rel="stylesheet", href=href)
            for href in (*looks, "/table.css", "/evenings.css")
        ),
    )
    label = words_under(PAGE_WORDS, "label.other-pages")
    nav = element("nav", *ways, class_="ways", aria_label=label)
    main = element("main", element("h1", heading or title), *filter(None, body))
    page = element(
        "html",
        head,
        element("body", nav, main, class_="past"),
        lang=LANGUAGE_HERE,
        dir=DIRECTION_HERE,
    )
    return f"<!doctype html>\n{page}\n"


def section(title: str, *body: str, anchor: str | None = None, class_: str | None = None) -> Html:
    """A part of a page under a heading of its own."""
    return element("section", element("h2", title), *body, id=anchor, class_=class_)


def table(header: Sequence[str], rows: Iterable[Sequence[str]], label: str) -> Html:
    """A table in which each row begins with its own heading; it scrolls if it is too wide."""
    head = element("tr", *(element("th", one, scope="col") if one else EMPTY for one in header))
    body = (
        element("tr", element("th", first, scope="row"), *(element("td", cell) for cell in rest))
        for first, *rest in rows
    )
    found = element("table", element("thead", head), element("tbody", *body))
    return element("div", found, class_="scrolls", role="region", aria_label=label, tabindex="0")


# ---------------------------------------------------------------- links


def to_table() -> Html:
    """A link back to the live table."""
    return element("a", words_under(PAGE_WORDS, "label.to-table"), href="/")


def to_all() -> Html:
    """A link to all players and evenings."""
    return element("a", words_under(PAGE_WORDS, "label.to-past"), href=ROOT)


def to_player(player: str, **more: str | int) -> Html:
    """A player's name, leading to that player's page."""
    return element("a", shown(player), href=player_at(player, **more))


def player_at(player: str, **more: str | int | None) -> str:
    """The address of a player's page; what is None is left out of `more`."""
    asked = {name: value for name, value in more.items() if value is not None}
    return f"{ROOT}/player?{urlencode({'name': player, **asked})}"


def to_evening(number: int, words: str) -> Html:
    """Words that lead to an evening, by the number of any of its games."""
    return element("a", words, href=f"{ROOT}/{number}")


def game_at(number: int, entry: int | None = None) -> str:
    """The address of a game, as it was after `entry`. The entry doesn't stand behind a #, since a
    page that waits asks again by its whole address."""
    return f"{ROOT}/game/{number}" + (f"?entry={entry}" if entry else "")


def to_game(number: int, words: str, entry: int | None = None) -> Html:
    """Words that lead to a game, as it was after `entry`."""
    return element("a", words, href=game_at(number, entry))


def to_game_otherwise(number: int, *, colours: bool) -> Html:
    """A link to this game with colours instead of names, or with names again. The page's script
    adds the moment that is shown."""
    words = phrase("By colours") if colours else phrase("By names")
    href = game_at(number) + ("?colours=1" if colours else "")
    return element("a", words, href=href, data_same_moment="")


def moments(found: Sequence[EntryAt]) -> Html:
    """Links to these entries; beyond MOST_MOMENTS the others are counted."""
    links = [
        to_game(one.game, phrase("game {game}, entry {entry}", game=one.game, entry=one.entry),
                one.entry)
        for one in found[:MOST_MOMENTS]
    ]  # fmt: skip
    more = max(len(found) - MOST_MOMENTS, 0)
    others = [phrase("and {number} more", number=more)] if more else []
    return between("; ", *links, *others)
