"""`companion publish`: writes an evening as a folder of static files for a club's page: the
evening, a replay of each game, a table, a calendar, and pictures for links. No file in it refers to
anything outside the folder.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from companion import web
from companion.app.catalog import Catalog
from companion.commands.players import find_evening, with_read_history, write_csv
from companion.commands.terminal import PROBLEM, SUCCESS, print_error
from companion.core.clock import iso_time, now
from companion.core.errors import SetupError
from companion.core.html import Html, element, joined
from companion.core.seats import display_name
from companion.core.values import dataclass
from companion.core.words import Sentence, phrase
from companion.players.exports import calendar, game_columns, game_rows
from companion.players.history import PlayedEvening, PlayersHistory
from companion.players.pages.document import PageLinks, StandalonePage, linked_by
from companion.players.pages.evening import EveningDrawings, evening_page
from companion.players.player_figures import games_words
from companion.players.statistics import CountedGame
from companion.presentation.dates import date_or_unknown, date_words
from companion.presentation.drawing.svg import style
from companion.presentation.game import PresentedGames
from companion.presentation.moment import Moment, describe
from companion.record.people.people import without_hidden
from companion.record.store.reader import Reader
from companion.web.export.html_file import PAPER, game_file
from companion.web.export.pictures import StandingsLine, link_picture, png_of

INDEX_FILE: Final = "index.html"
TABLE_FILE: Final = "evening.csv"
CALENDAR_FILE: Final = "evening.ics"
STYLE_FILE: Final = "looks.css"
WEB: Final = Path(web.__file__).parent
STYLE_SHEETS: Final = (
    WEB / "static" / "tokens.css",
    WEB / "static" / "table.css",
    WEB / "static" / "win.css",
    WEB / "evenings" / "evenings.css",
)
ADDRESS_PATTERN: Final = re.compile(r"https?://[^\s\"<>]+")


@dataclass(frozen=True, slots=True)
class PublishSettings:
    """The settings of the published folder. `address`: where the folder will be on the web (empty
    if not known; links then have no pictures); `picture` makes a PNG of a drawing, or returns None
    if it can't; `now`: the wall time, None if the clock was never set."""

    address: str
    picture: Callable[[str], bytes | None]
    now: float | None


@dataclass(frozen=True, slots=True)
class _LinkPreview:
    """The contents of the preview that other programs show for a link to a page (Open Graph)."""

    title: str
    about: str
    picture: str


def publish_evening(path: Path, games: Catalog, name: str, folder: Path, address: str) -> int:
    """Writes an evening, given by a game's number or “last”, as files into a folder; returns the
    exit status. `address`: where the folder will be on the web; without it links have no
    pictures."""
    wrong: list[str] = []

    def try_png(svg: str) -> bytes | None:
        try:
            return None if wrong else png_of(svg)
        except SetupError as error:
            wrong.append(str(error))
            return None

    def report(history: PlayersHistory, reader: Reader) -> int:
        evening = find_evening(history.evenings, name)
        if evening is None:
            print_error(f"there is no evening {name}: “companion evenings” lists them")
            return PROBLEM
        folder.mkdir(parents=True, exist_ok=True)
        page = PublishSettings(address, try_png, now())
        for file, content in folder_files(evening, reader, history, games, page):
            (folder / file).write_bytes(content)
        titles = {each: game.rules.title for each, game in games.items()}
        text = calendar([evening], titles, history.people)
        (folder / CALENDAR_FILE).write_text(text, "utf-8", newline="")
        with (folder / TABLE_FILE).open("w", encoding="utf-8", newline="") as table:
            found = (
                line
                for line in game_rows(history, now(), iso_time)
                if line["number"] in evening.numbers
            )
            write_csv(game_columns(), found, table)
        for line in wrong[:1]:
            print_error(f"the folder has no pictures for links: {line}")
        if not address and not wrong:
            print_error("links have no pictures until --address says where the folder will stand")
        return SUCCESS

    return with_read_history(path, games, report)


def folder_files(
    evening: PlayedEvening, reader: Reader, history: PlayersHistory, games: PresentedGames,
    page: PublishSettings,
) -> Iterator[tuple[str, bytes]]:  # fmt: skip
    """Yields the name and the contents of each file of the folder, except the table and the
    calendar. No file contains people who are hidden. Raises StoreError."""
    titles = {name: game.rules.title for name, game in games.items()}
    made: list[tuple[str, bytes]] = []
    last: str | None = None
    for game in evening.games:
        fold = reader.fold(game.number)
        kept = without_hidden(reader, fold, history.people)
        if kept.journal is None:
            continue
        settings = kept.settings(reader.settings())
        moment = Moment(games, kept.journal, fold.row, game.number, settings)
        drawn = moment.presentation.draw(kept.journal.state, PAPER, stand_alone=False)
        last = drawn or last
        made += _game_files(game, moment, drawn, titles[game.game], page)
    picture = "evening.png"
    when = date_or_unknown(evening.began_at, None)
    linked = _LinkPreview(
        phrase("The evening of {day}", day=when),
        phrase("{games}: {kinds}", games=games_words(len(evening.games)),
               kinds=", ".join(titles[kind] for kind in evening.kinds)),
        picture,
    )  # fmt: skip
    wins = evening.wins(history.people)
    most = max(wins.values(), default=0)
    standings = [
        StandingsLine(display_name(name), won, "", won == most and won > 0)
        for name, won in wins.items()
    ]
    png = page.picture(link_picture(linked.title, linked.about, standings, last))
    if png is not None:
        made.append((picture, png))
    drawings = EveningDrawings(games)
    with linked_by(_folder_links(linked, page, png is not None)):
        text = evening_page(
            evening.number, history, titles, page.now,
            lambda numbers: drawings.draw(reader, numbers, history.people),
        )  # fmt: skip
    assert text is not None, "the evening is one of the history's"
    yield INDEX_FILE, text.encode()
    yield (
        STYLE_FILE,
        "\n".join([style(), *(path.read_text("utf-8") for path in STYLE_SHEETS)]).encode(),
    )
    yield from made


def _game_files(
    game: CountedGame, moment: Moment, drawn: str | None, title: str, page: PublishSettings
) -> Iterator[tuple[str, bytes]]:
    told = describe(moment)
    standings = [
        StandingsLine(seat["shown"], seat["score"], seat["colour"], seat["won"])
        for seat in told["seats"]
    ]
    order = sorted(standings, key=lambda one: (not one.won, -one.number))
    about = ", ".join(f"{one.name} {one.number}" for one in order)
    name, picture = _game_file_name(game.number), f"game-{game.number}.png"
    when: Sentence | None = date_words(game.begun, None)
    linked = _LinkPreview(title, about, picture)
    png = page.picture(link_picture(title, when or "", order, drawn))
    if png is not None:
        yield picture, png
    back = element("nav", element("a", phrase("Its evening"), href=INDEX_FILE), class_="ways")
    head = _preview_tags(linked, page, name, png is not None)
    file = game_file(moment, when, head=head, ways=back)
    yield name, file.encode("utf-8", "backslashreplace")


def _game_file_name(number: int) -> str:
    return f"game-{number}.html"


def _preview_tags(
    linked: _LinkPreview, page: PublishSettings, name: str, has_picture: bool
) -> Html:
    """Returns the HTML elements that describe the preview of a link to a page (Open Graph)."""
    found = {"og:type": "article", "og:title": linked.title, "og:description": linked.about}
    if page.address:
        base = page.address.rstrip("/")
        found["og:url"] = f"{base}/{name}"
        if has_picture:
            found |= {
                "og:image": f"{base}/{linked.picture}",
                "og:image:width": "1200",
                "og:image:height": "630",
            }
    metas = [element("meta", property=key, content=value) for key, value in found.items()]
    if page.address and has_picture:
        metas.append(element("meta", name="twitter:card", content="summary_large_image"))
    return joined(*metas)


def _folder_links(linked: _LinkPreview, page: PublishSettings, has_picture: bool) -> PageLinks:
    """Returns the links of a page, all of which lead to files in the folder."""
    ways = element(
        "nav",
        element("a", phrase("As a table"), href=TABLE_FILE),
        element("a", phrase("For the calendar"), href=CALENDAR_FILE),
        class_="ways",
    )
    head = joined(
        element("link", rel="icon", href="data:,"),
        element("link", rel="stylesheet", href=STYLE_FILE),
        _preview_tags(linked, page, INDEX_FILE, has_picture),
    )
    return PageLinks(_game_address, alone=StandalonePage(head, ways))


def _game_address(number: int, entry: int | None) -> str:
    return f"{_game_file_name(number)}#{entry}" if entry else _game_file_name(number)
