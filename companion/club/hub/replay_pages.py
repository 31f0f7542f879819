"""Pages of games that were played at the club's tables: /games/BOX lists the games of a table,
/games/BOX/4 shows one of them, as a table exports it.

Anybody with one of the club's access codes may read these pages; the pages at / store the code as a
cookie.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from aiohttp import web

from companion.club.hub.page_responses import (
    html_response,
    language_of,
    link_to,
    links_bar,
    plain_page,
    reason_page,
)
from companion.club.hub.server import Hub, visit_of
from companion.core.clock import day, time_of_day
from companion.core.html import Html, element, translated, translated_by
from companion.core.words import AsWritten, isolated
from companion.presentation.club_words import CLUB_WORDS
from companion.presentation.game import rules_of
from companion.presentation.moment import Moment
from companion.presentation.sayings import fixed_words, name_in_words
from companion.record.fold import OpenedGame
from companion.record.store.database import StoreError
from companion.web.export.html_file import game_page
from companion.web.panels import PageGames
from companion.web.past import COOKIE, is_same_origin

NUMBER: Final = "{game:[0-9]{1,9}}"


def may_read(hub: Hub, request: web.Request) -> bool:
    """Whether the request has one of the club's access codes and comes from our own pages. If so,
    also removes the time limit of its connection, since a busy machine may take long to make a
    page."""
    may = is_same_origin(request) and hub.role(request.cookies.get(COOKIE)) is not None
    if may:
        visit_of(request).keep_open()
    return may


class GamePages:
    """The pages of the games that a hub keeps."""

    def __init__(self, hub: Hub, games: PageGames) -> None:
        self._hub, self._games = hub, games
        self._titles = {name: game.title for name, game in rules_of(games).items()}

    def add_to(self, app: web.Application) -> None:
        """Adds the routes of the pages."""
        box = "{box:[0-9a-f]{16}}"
        app.router.add_get(f"/games/{box}", self._send_list)
        app.router.add_get(f"/games/{box}/{NUMBER}", self._send_game)

    async def _send_list(self, request: web.Request) -> web.Response:
        if not may_read(self._hub, request):
            return reason_page(request, 403, "club.closed")
        box, before = request.match_info["box"], request.query.get("before", "")
        older = int(before) if before.isdecimal() and len(before) < 10 else None
        hub = self._hub
        table = next((one for one in hub.tables.current() if one.box == box), None)
        if table is None:
            return reason_page(request, 404, "club.nothing")
        found = await hub.committer.read(lambda: hub.tables.games(box, older))
        language = language_of(request)
        with translated_by(language.translate):
            ways = [link_to("/", "club.to-all"), link_to(f"/table/{box}", "label.to-table")]
            if found and found[-1].number > 1:
                ways.append(link_to(f"/games/{box}?before={found[-1].number}", "club.older"))
            seal = element("p", table.seal_words(), class_="lead")
            return plain_page(language, AsWritten(table.name), ways, seal, *self._days(box, found))

    def _days(self, box: str, found: Iterable[OpenedGame]) -> Iterator[Html]:
        """The games under a heading for each day, each with its number and its starting time, as
        the same people often play several games a day."""
        by_day: dict[str, list[Html]] = {}
        for one in found:
            title = translated(self._titles.get(one.opened.game, one.opened.game))
            who = ", ".join(isolated(translated(name_in_words(seat))) for seat in one.opened.seats)
            begun = [at] if (at := time_of_day(one.at)) else []
            told = " · ".join([f"{one.number}", *begun, f"{title}: {who}"])
            link = element("a", told, href=f"/games/{box}/{one.number}")
            when = day(one.at) or translated(fixed_words(CLUB_WORDS, "club.no-day"))
            by_day.setdefault(when, []).append(element("li", link))
        for when, lines in by_day.items():
            yield element("section", element("h2", when), element("ul", *lines, class_="games"))
        if not by_day:
            yield element("p", fixed_words(CLUB_WORDS, "club.no-games"), class_="lead")

    async def _send_game(self, request: web.Request) -> web.Response:
        if not may_read(self._hub, request):
            return reason_page(request, 403, "club.closed")
        language = language_of(request)
        box, number, hub = request.match_info["box"], int(request.match_info["game"]), self._hub
        entry = request.query.get("entry", "")
        begin_at = int(entry) if entry.isdecimal() and len(entry) < 10 else None

        def make_page() -> str | None:
            fold = hub.tables.game(box, number)
            if fold is None:
                return None
            with translated_by(language.translate):
                ways = links_bar(
                    link_to("/", "club.to-all"),
                    link_to(f"/table/{box}", "label.to-table"),
                    link_to(f"/games/{box}", "club.games-of"),
                )
            when = day(fold.begun_at)
            moment = Moment(self._games, fold.journal, fold.row, fold.number)
            return game_page(moment, when, ways, begin_at, language)

        try:
            page = await hub.committer.read(make_page)
        except StoreError:
            return reason_page(request, 200, "club.wait-newer")
        return reason_page(request, 404, "club.nothing") if page is None else html_response(page)
