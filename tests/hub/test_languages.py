"""A hub's pages in the language of whoever reads them."""

import json
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import aiohttp
import pytest

from companion.app.catalog import CATALOG
from companion.core.languages import OWN_NAMES
from companion.core.values import Json
from companion.hub.database import Database
from companion.hub.feeds import UNHEARD_S, ShownTables, TableFeed
from companion.hub.glance import GlanceFeed, Glances
from companion.hub.judging import Judging
from companion.hub.reading import HERE, page_read
from companion.hub.server import ClubRole
from companion.presentation.language import ENGLISH, Language
from companion.presentation.languages import language_of
from companion.web.files import STATIC
from companion.web.viewer import Viewer
from tests.hub.club_site import ClubSite, club_site
from tests.hub.test_feeds import CALLED, Evening
from tests.made_up import MADE_UP, english
from tests.web.visits import visit_at

WAIT_S = 20.0
LAYS = "hand\nAnna 6-6\nBen 6-3"
NAMES = {"Anna", "Ben", "Attic", *english(" ".join(OWN_NAMES.values()))}
SAID_ALOUD = ("aria-label", "title", "placeholder", "alt")


class Texts(HTMLParser):
    """Everything that people read on a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside.append(tag)
        self.found += [value for name, value in attrs if name in SAID_ALOUD and value]

    def handle_data(self, data: str) -> None:
        if self._inside[-1:] not in (["script"], ["style"]):
            self.found.append(data)


@pytest.mark.parametrize(
    "page",
    [
        *(HERE / f"{one}.html" for one in ("club", "organiser", "judge", "event", "event_board")),
        *(HERE / "here.html", STATIC / "table.html", STATIC / "tv.html", STATIC / "overlay.html"),
    ],
    ids=lambda path: path.stem,
)
def test_no_english_is_left_on_a_page(page: Path) -> None:
    read = Texts(page_read(page, MADE_UP)).found
    assert {word for text in read for word in english(text)} <= NAMES
    assert any("~" in text for text in read)


@pytest.fixture
def evening(database: Database) -> Evening:
    return Evening(database)


def texts(feed: Any) -> list[Json]:
    return [json.loads(text) for text in feed.news()]


def table_feed(evening: Evening, box: str, language: Language) -> TableFeed:
    viewer = Viewer(MagicMock(), {"wants": ["wide"]}, language)
    return TableFeed(ShownTables(evening.hub, CATALOG, "1"), viewer, box)


def test_all_tables_are_told_to_each_page_in_its_language(evening: Evening) -> None:
    attic = evening.table("Attic", CALLED)
    glances = Glances(evening.hub, "1")
    glances.go_on()
    (own,), (other,) = (
        texts(GlanceFeed(glances, language))[0]["tables"] for language in (MADE_UP, ENGLISH)
    )
    assert own["sides"] == other["sides"] and own["box"] == other["box"] == attic.box
    for said in ("title", "asked", "claim"):
        assert english(other[said]) - NAMES, said
        assert english(own[said]) <= NAMES, said
    evening.say(attic, "rule Ben clear")
    glances.go_on()
    (after,) = texts(GlanceFeed(glances, MADE_UP))[0]["tables"]
    assert after["claim"] is None and after["asked"] != own["asked"]
    (told,) = (one for one in evening.hub.tables.now() if one.box == attic.box)
    assert english(str(told.moment["asked"]["words"])) - NAMES, "programs are told in English"


def test_a_table_is_told_in_the_language_of_who_looks(evening: Evening) -> None:
    box = evening.table("Attic", LAYS).box
    own, other = (table_feed(evening, box, language) for language in (MADE_UP, ENGLISH))
    (moment,), (as_ever,) = texts(own), texts(other)
    assert english(as_ever["moment"]["asked"]["words"]) - NAMES
    assert english(moment["moment"]["asked"]["words"]) <= NAMES
    evening.now += UNHEARD_S * 60
    own.look()
    other.look()
    (silent,), (not_heard,) = texts(own), texts(other)
    assert english(not_heard["silent"]) and not english(silent["silent"])
    own.hear({"panel": {"name": "win"}})
    (panel,) = texts(own)
    assert panel["panel"]["name"] == "win"
    assert not english(" ".join(words_of(panel["panel"]))) - NAMES


def words_of(said: Any) -> Iterator[str]:
    """All values under a key `words` in a panel."""
    if isinstance(said, dict):
        for name, value in said.items():
            yield from [value] if name == "words" and isinstance(value, str) else words_of(value)
    if isinstance(said, list):
        for value in said:
            yield from words_of(value)


def test_who_finds_no_table_is_told_in_their_language(evening: Evening) -> None:
    evening.table("Attic", LAYS)
    (told,) = texts(table_feed(evening, "0" * 16, MADE_UP))
    assert told["table"]["fault"] and not english(told["table"]["fault"])


def test_a_judge_reads_all_of_a_call_in_their_language(evening: Evening) -> None:
    evening.table("Attic", CALLED)
    evening.hub.games = CATALOG
    (table,) = evening.hub.tables.now()
    call = Judging(evening.hub)._call(table, ClubRole.JUDGE, MADE_UP)
    assert call is not None
    told = MADE_UP.translated(call)
    for said in ("evidence", "charge", "verdict"):
        assert english(told[said]) <= NAMES, said


# ---------------------------------------------------------------- as a hub sends it


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClubSite]:
    with club_site(tmp_path_factory.mktemp("club")) as made:
        made.join("Kitchen")
        made.play("Kitchen", LAYS, "Anna Ben")
        yield made


def test_a_browser_gets_each_page_in_its_own_language(site: ClubSite) -> None:
    box, found = site.box("Kitchen"), dict[str, str]()
    pages = (
        *("/", "/organiser", "/judge", "/event", "/event/1", "/event/1/tv", "/event/1/here"),
        *("/tv", "/overlay", "/evenings", f"/table/{box}"),
        *(f"/games/{box}{more}" for more in ("", "/1", "/7")),
    )

    async def visit(_session: aiohttp.ClientSession) -> None:
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(site.url, cookie_jar=jar) as session:
            jar.update_cookies({"word": site.word("watch")})
            for page in pages:
                async with session.get(page, headers={"Accept-Language": "nl"}) as answer:
                    found[page] = await answer.text()
            jar.update_cookies({"language": "fr"})
            async with session.get("/", headers={"Accept-Language": "nl"}) as answer:
                found["chosen"] = await answer.text()
                assert answer.headers["Vary"] == "Accept-Language, Cookie"
            async with session.post("/api/events", json=[]) as answer:
                found["refused"] = (await answer.json())["error"]

    visit_at(site.url, visit, WAIT_S)
    for page in pages:
        assert '<html lang="nl"' in found[page], page
    dutch = language_of("nl").catalogue(_words("club.to-all", "club.nothing", "club.games-of"))
    assert (
        dutch["club.to-all"] in found["/organiser"]
        and dutch["club.games-of"] in found["/"] + (found[f"/table/{box}"])
    )
    assert dutch["club.nothing"] in unescape(found[f"/games/{box}/7"])
    assert '<script type="module" src="/nl/event_tv.js">' in found["/tv"]
    assert '<html lang="fr"' in found["chosen"]


def _words(*keys: str) -> dict[str, str]:
    from companion.presentation.club_words import CLUB_WORDS

    return {key: CLUB_WORDS[key] for key in keys}
