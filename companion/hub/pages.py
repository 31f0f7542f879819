"""The pages of a hub, added to its server: all tables, one table, a TV's, the organiser's, and
games to look at again.

A table's page, a TV's page and the overlay for a stream are those of the table itself (web/static);
`data-live` on their body gives the path at the hub that feeds them. The page itself holds nothing
secret. What it shows comes by its WebSocket (live.py), or is sent only to a browser that has
one of the club's words as a cookie (again.py).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from aiohttp import web

from companion.hub.again import GamePages, may_read
from companion.hub.event_api import EventApi
from companion.hub.event_pages import EventPages
from companion.hub.judging import Judging
from companion.hub.live import LivePages
from companion.hub.server import Hub
from companion.presentation.club_words import CLUB_WORDS
from companion.presentation.language import ENGLISH, Language
from companion.web.broadcast import version_of
from companion.web.files import STATIC, add_looks, packed, page_text
from companion.web.games import PageGames
from companion.web.past import PAST_WORDS, Maker, PastPages
from companion.web.reading import read_by
from companion.web.words import words_in

HERE: Final = Path(__file__).parent / "static"
"""The folder with the hub's own files, which come on top of those of tables."""
PAST_AT_A_HUB: Final[Mapping[str, str]] = {
    **PAST_WORDS,
    "label.to-table": CLUB_WORDS["club.to-all"],
    "past.closed": CLUB_WORDS["club.closed"],
    "past.nothing": CLUB_WORDS["club.nothing"],
    "past.fault": CLUB_WORDS["page.not-shown"],
}
"""The words of pages of players and evenings, with the hub's own for when a page can't be shown."""
BOARD_OF_TV: Final = (
    '<link rel="stylesheet" href="/event.css"><script type="module" src="/event_tv.js"></script>'
    "</head>"
)
"""Goes into the head of a TV's page that turns between tables and the board of an event."""
BOX: Final = "{box:[0-9a-f]{16}}"
WORD: Final = "{word:[A-Z2-7a-z]{16}}"


def add_pages(app: web.Application, hub: Hub, games: PageGames, past: Sequence[str]) -> None:
    """Adds the routes of all the hub's pages to `app`. `past` is the command that makes the pages
    of players and evenings (archive.py) in a process of its own."""
    words = words_in(ENGLISH, CLUB_WORDS)
    LivePages(hub, games, version_of(words, STATIC, HERE)).add_to(app)
    GamePages(hub, games).add_to(app)
    EventApi(hub).add_to(app)
    EventPages(hub, games, words, HERE).add_to(app)
    Judging(hub, words, HERE).add_to(app)
    maker = Maker(past)

    def reads(request: web.Request) -> Language:
        return read_by(request, ENGLISH)

    PastPages(lambda request: may_read(hub, request), maker, reads, PAST_AT_A_HUB).add_to(app)
    add_looks(app, lambda: ENGLISH, HERE, english=CLUB_WORDS)

    async def send_all(_request: web.Request) -> web.Response:
        return packed(page_text(HERE / "club.html", words), "text/html")

    async def send_organiser(_request: web.Request) -> web.Response:
        return packed(page_text(HERE / "organiser.html", words), "text/html")

    async def send_table(request: web.Request) -> web.Response:
        box = request.match_info["box"]
        page = _fed(page_text(STATIC / "table.html", words), f"/live/{box}")
        # Links lead to the club's other pages, and to the games of the same box.
        for here, there in _LINKS.items():
            page = _put(page, here, there.format(box=box, games=CLUB_WORDS["club.games-of"]))
        return packed(page, "text/html")

    async def send_tv(request: web.Request) -> web.Response:
        box = _table_asked(request)
        page = _fed(page_text(STATIC / "tv.html", words), f"/live/{box or 'tv'}")
        return packed(page if box else _put(page, "</head>", BOARD_OF_TV), "text/html")

    async def send_overlay(request: web.Request) -> web.Response:
        page = page_text(STATIC / "overlay.html", words)
        return packed(_fed(page, f"/live/{_table_asked(request) or 'tv'}"), "text/html")

    app.router.add_get("/", send_all)
    app.router.add_get("/organiser", send_organiser)
    app.router.add_get(f"/table/{BOX}", send_table)
    app.router.add_get("/tv", send_tv)
    app.router.add_get("/overlay", send_overlay)
    app.router.add_get(f"/{WORD}", _send_to_tables)


def _table_asked(request: web.Request) -> str:
    """The box that the address names (`?table=BOX`); empty: none, so the TV turns between all
    tables."""
    box = request.query.get("table", "")
    return box if len(box) == 16 and all(one in "0123456789abcdef" for one in box) else ""


async def _send_to_tables(request: web.Request) -> web.Response:
    """Sends somebody who has scanned a code on to the page of all tables, with the word behind a
    `#`."""
    return web.Response(status=302, headers={"Location": f"/#{request.match_info['word'].lower()}"})


def _fed(page: str, live: str) -> str:
    """A table's page, changed so that the path `live` feeds it."""
    page = _put(page, "<body ", f'<body data-live="{live}" ')
    return _put(page, "</head>", '  <link rel="stylesheet" href="/fed.css">\n</head>')


_LINKS: Final[Mapping[str, str]] = {
    '<a class="narrow" href="/box" data-keeps-word>': '<a href="/" data-keeps-word>',
    '<a href="/tv" data-keeps-word>': '<a href="/tv?table={box}" data-keeps-word>',
    '<a id="past" href="/evenings" hidden>': (
        '<a href="/games/{box}">{games}</a><a id="past" href="/evenings" hidden>'
    ),
}


def _put(page: str, here: str, there: str) -> str:
    before, found, after = page.rpartition(here)
    assert found, f"the page of a table has no {here}"
    return f"{before}{there}{after}"
