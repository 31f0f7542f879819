"""The pages of a hub, added to its server: all tables, one table, a TV's, the organiser's, and
games to look at again.

A table's page, a TV's page and the overlay for a stream are those of the table itself (web/static);
`data-live` on their body gives the path at the hub that feeds them. The page itself holds nothing
secret. What it shows comes by its WebSocket (live.py), or is sent only to a browser that has
one of the club's words as a cookie (again.py).
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from aiohttp import web

from companion.core.words import phrase
from companion.hub.again import GamePages, may_read
from companion.hub.event_api import EventApi
from companion.hub.event_pages import EventPages
from companion.hub.judging import Judging
from companion.hub.live import LivePages
from companion.hub.organiser import limits_json
from companion.hub.reading import HERE, html_answer, page_read, reads
from companion.hub.server import ClubRole, Hub
from companion.presentation.club_words import CLUB_WORDS
from companion.presentation.language import ENGLISH, Language
from companion.presentation.sayings import words_under
from companion.web.broadcast import versions_of
from companion.web.files import STATIC, add_looks, script_folder
from companion.web.games import PageGames
from companion.web.past import Maker, PastPages, past_words

PAST_AT_A_HUB: Final[Mapping[str, str]] = {
    "label.to-table": "club.to-all",
    "past.closed": "club.closed",
    "past.nothing": "club.nothing",
    "past.fault": "page.not-shown",
}
"""The hub's own words for some of those on pages of players and evenings, by their keys."""
BOARD_OF_TV: Final = (
    '<link rel="stylesheet" href="/event.css">'
    '<script type="module" src="{folder}/event_tv.js"></script></head>'
)
"""Goes into the head of a TV's page that turns between tables and the board of an event. `folder`:
that of the language's scripts."""
SILENT: Final = '<p id="silent" class="silent"></p>'
"""Where the page of a table says for how long its box was not heard. At a hub the next line says
whether the box has sealed what is shown."""
BOX: Final = "{box:[0-9a-f]{16}}"
WORD: Final = "{word:[A-Z2-7a-z]{16}}"


def add_pages(app: web.Application, hub: Hub, games: PageGames, past: Sequence[str]) -> None:
    """Adds the routes of all the hub's pages to `app`. `past` is the command that makes the pages
    of players and evenings (archive.py) in a process of its own."""
    LivePages(hub, games, versions_of(CLUB_WORDS, STATIC, HERE)).add_to(app)
    GamePages(hub, games).add_to(app)
    EventApi(hub).add_to(app)
    EventPages(hub, games).add_to(app)
    Judging(hub).add_to(app)
    maker = Maker(past)
    PastPages(lambda request: may_read(hub, request), maker, reads, _past_words).add_to(app)
    add_looks(app, lambda: ENGLISH, HERE, english=CLUB_WORDS)

    async def send_all(request: web.Request) -> web.Response:
        return html_answer(page_read(HERE / "club.html", reads(request)))

    async def send_organiser(request: web.Request) -> web.Response:
        return html_answer(page_read(HERE / "organiser.html", reads(request)))

    async def send_limits(request: web.Request) -> web.Response:
        """Sends the organiser who is at a limit."""
        role = hub.role_of_request(request)
        if role is not ClubRole.ORGANISER:
            said = reads(request).put(phrase("show the organiser's word"))
            return web.json_response({"error": said}, status=403 if role else 401)
        members = await hub.committer.read(hub.members.all)
        names = [{"box": one.box, "name": one.name} for one in members]
        found = reads(request).translated(limits_json(hub, names))
        return web.json_response({"limits": found})

    async def send_table(request: web.Request) -> web.Response:
        box, language = request.match_info["box"], reads(request)
        page = _fed(page_read(STATIC / "table.html", language), f"/live/{box}")
        games_of = escape(language.put(words_under(CLUB_WORDS, "club.games-of")))
        # Links lead to the club's other pages, and to the games of the same box.
        page = _put(page, SILENT, f'{SILENT}\n      <p id="seal" class="seal"></p>')
        for here, there in _LINKS.items():
            page = _put(page, here, there.format(box=box, games=games_of))
        return html_answer(page)

    async def send_tv(request: web.Request) -> web.Response:
        box, language = _table_asked(request), reads(request)
        page = _fed(page_read(STATIC / "tv.html", language), f"/live/{box or 'tv'}")
        if not box:
            folder = script_folder(language.name)
            page = _put(page, "</head>", BOARD_OF_TV.format(folder=folder))
        return html_answer(page)

    async def send_overlay(request: web.Request) -> web.Response:
        page = page_read(STATIC / "overlay.html", reads(request))
        return html_answer(_fed(page, f"/live/{_table_asked(request) or 'tv'}"))

    app.router.add_get("/", send_all)
    app.router.add_get("/organiser", send_organiser)
    app.router.add_get("/api/limits", send_limits)
    app.router.add_get(f"/table/{BOX}", send_table)
    app.router.add_get("/tv", send_tv)
    app.router.add_get("/overlay", send_overlay)
    app.router.add_get(f"/{WORD}", _send_to_tables)


def _past_words(language: Language) -> Mapping[str, str]:
    """The words of a page that says why there is no page of players or evenings."""
    own = language.catalogue({key: CLUB_WORDS[key] for key in PAST_AT_A_HUB.values()})
    return {**past_words(language), **{word: own[key] for word, key in PAST_AT_A_HUB.items()}}


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
