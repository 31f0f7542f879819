"""A hub's pages in the reader's language."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import aiohttp
import pytest

from companion.app.catalog import CATALOG
from companion.app.config import load_config
from companion.club.box.keys import KeyPair
from companion.club.hub.database import Database
from companion.club.hub.folder import HubFolder
from companion.club.hub.live import Overview, OverviewFeed, TableBroadcasts, TableFeed
from companion.club.hub.members import Members
from companion.club.hub.opened_tables import OpenedTables
from companion.club.hub.page_responses import HUB_STATIC, translated_page
from companion.club.hub.pages import Judging
from companion.club.hub.people import ClubPeople
from companion.club.hub.server import ClubRole
from companion.club.hub.tables import UNHEARD_S
from companion.core.club import JudgeRuling
from companion.core.languages import OWN_NAMES
from companion.core.seats import Seat
from companion.core.values import Json
from companion.core.words import phrase
from companion.presentation.club_words import CLUB_WORDS
from companion.presentation.language import ENGLISH, Language, language_of
from companion.record.rows import PlayerRenamed
from companion.web.broadcast import versions_of
from companion.web.files import STATIC
from companion.web.viewer import Viewer
from tests.club.hub.club_site import ClubSite, club_site
from tests.club.hub.live_page import Page, look
from tests.club.hub.test_feeds import CALLED, Evening
from tests.made_up import MADE_UP, english
from tests.web.test_words import sentences
from tests.web.visits import visit_at

LAYS = "hand\nAnna 6-6\nBen 6-3"
NAMES = {"Anna", "Ben", "Attic", *english(" ".join(OWN_NAMES.values()))}


@pytest.mark.parametrize(
    "page",
    [
        *(
            HUB_STATIC / f"{one}.html"
            for one in ("club", "organiser", "judge", "event", "event_board", "my_evening")
        ),
        *(
            HUB_STATIC / "check_in.html",
            STATIC / "table.html",
            STATIC / "tv.html",
            STATIC / "overlay.html",
        ),
    ],
    ids=lambda path: path.stem,
)
def test_no_english_is_left_on_a_page(page: Path) -> None:
    values = {"value.games": "", "value.fed-by": "", "value.box": ""}
    read = sentences(translated_page(page, MADE_UP, values))
    assert {word for text in read for word in english(text)} <= NAMES
    assert any("~" in text for text in read)


@pytest.fixture
def evening(database: Database) -> Evening:
    return Evening(database)


def texts(feed: Any) -> list[Json]:
    return [json.loads(text) for text in feed.new_messages()]


def table_feed(evening: Evening, box: str, language: Language) -> TableFeed:
    viewer = Viewer(MagicMock(), {"wants": ["wide"]}, language)
    return TableFeed(TableBroadcasts(evening.hub, CATALOG, lambda _: "1"), viewer, box)


def test_each_page_gets_all_tables_in_its_language(evening: Evening) -> None:
    attic = evening.table("Attic", CALLED)
    glances = Overview(evening.hub, lambda _: "1")
    glances.update()
    (own,), (other,) = (
        texts(OverviewFeed(glances, language))[0]["tables"] for language in (MADE_UP, ENGLISH)
    )
    assert own["sides"] == other["sides"] and own["box"] == other["box"] == attic.box
    for said in ("title", "asked", "claim"):
        assert english(other[said]) - NAMES, said
        assert english(own[said]) <= NAMES, said
    evening.add_entries(attic, "rule Ben clear")
    glances.update()
    (after,) = texts(OverviewFeed(glances, MADE_UP))[0]["tables"]
    assert "claim" not in after and after["asked"] != own["asked"]
    (told,) = (one for one in evening.hub.tables.current() if one.box == attic.box)
    assert english(str(told.moment["asked"]["words"])) - NAMES, "programs are told in English"


def test_a_table_is_shown_in_the_viewer_s_language(evening: Evening) -> None:
    box = evening.table("Attic", LAYS).box
    own, other = (table_feed(evening, box, language) for language in (MADE_UP, ENGLISH))
    (moment,), (as_ever,) = texts(own), texts(other)
    assert english(as_ever["moment"]["asked"]["words"]) - NAMES
    assert english(moment["moment"]["asked"]["words"]) <= NAMES
    evening.now += UNHEARD_S * 60
    own.refresh()
    other.refresh()
    (silent,), (not_heard,) = texts(own), texts(other)
    assert english(not_heard["silent"]) and not english(silent["silent"])
    own.handle_message({"panel": {"name": "win"}})
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


def test_a_missing_table_is_reported_in_the_viewer_s_language(evening: Evening) -> None:
    evening.table("Attic", LAYS)
    (told,) = texts(table_feed(evening, "0" * 16, MADE_UP))
    assert told["table"]["fault"] and not english(told["table"]["fault"])


def test_a_judge_sees_every_part_of_a_call_in_their_language(evening: Evening) -> None:
    evening.table("Attic", CALLED)
    evening.hub.games = CATALOG
    (table,) = evening.hub.tables.current()
    call = Judging(evening.hub)._call_json(table, ClubRole.JUDGE, MADE_UP)
    assert call is not None
    for said in ("evidence", "charge", "verdict"):
        assert english(call[said]) <= NAMES, said


def test_a_renamed_player_has_the_new_name_in_every_call(evening: Evening) -> None:
    evening.table("Attic", CALLED)
    evening.hub.games = CATALOG
    ClubPeople(evening.store).add(PlayerRenamed("Ben", "Benedict"), "organiser")
    evening.refresh()
    (table,) = evening.hub.tables.current()
    for role, language in ((ClubRole.JUDGE, MADE_UP), (ClubRole.ORGANISER, language_of("de"))):
        call = Judging(evening.hub)._call_json(table, role, language)
        assert call is not None and call["accused"] == "Benedict"
        for said in ("evidence", "charge"):
            assert "Benedict" in call[said] and "Ben " not in call[said], (role, said)


def test_a_ruling_that_the_table_refuses_is_refused_at_once(evening: Evening) -> None:
    attic = evening.table("Attic", CALLED)
    judging = Judging(evening.hub)

    def refused(*, bogus: bool, game: int = 1) -> str | None:
        return judging._refusal_at_table(attic.box, JudgeRuling(Seat("Karin"), game, b"", 1, bogus))

    assert refused(bogus=True) == "First show what Ben holds: its tiles, or their pips"
    assert refused(bogus=False) is None
    assert refused(bogus=True, game=7) is None, "nothing is known here of that game"
    evening.add_entries(attic, "Ben pips 40")
    assert refused(bogus=True) is None


def test_the_hub_s_own_tables_get_unused_numbers(tmp_path: Path, evening: Evening) -> None:
    evening.table("Tisch 1")
    evening.table("Table 3 at the window")
    store = evening.store
    folder = HubFolder(tmp_path, KeyPair.generate(), "Friday Fives", "", keep_names_months=12)
    members = Members(store.database, store.club, store.clock)
    opened = OpenedTables(folder, members, 8070)
    assert opened.prepare(language_of("de")).name == "Tisch 2"
    assert opened.prepare().name == "Table 4"
    assert opened._record_path("Tisch 2") == tmp_path / "tables" / "2" / "record.db"
    assert load_config(tmp_path / "tables" / "2" / "table.toml").record.keep_names_months == 12


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
                found["refused"] = json.loads(await answer.text())["error"]

    visit_at(site.url, visit)
    for page in pages:
        assert '<html lang="nl"' in found[page], page
    dutch = language_of("nl").catalogue(_words("club.to-all", "club.nothing", "club.games-of"))
    assert (
        dutch["club.to-all"] in found["/organiser"]
        and dutch["club.games-of"] in found["/"] + (found[f"/table/{box}"])
    )
    assert dutch["club.nothing"] in unescape(found[f"/games/{box}/7"])
    scripts = re.findall(r'<script type="module" src="(/at/[0-9a-f]{12}/nl)/', found["/tv"])
    assert len(scripts) == 2
    assert len({*scripts}) == 1, "a module of two addresses would be loaded twice"
    assert '<html lang="fr"' in found["chosen"]
    refused = phrase("this needs an access code")
    assert found["refused"] == language_of("fr").translate(refused) != refused


def test_the_organiser_is_answered_in_their_language(site: ClubSite) -> None:
    german = language_of("de")

    async def organising(page: Page) -> None:
        for asked, answer in (
            (
                {"accept": "123456"},
                phrase("no box that asks to join shows {digits}", digits="123456"),
            ),
            ({"takeBack": True}, phrase("there is no change of people to undo")),
        ):
            await page.say(**asked)
            told = (await page.until(lambda one: "answer" in one))["answer"]
            assert told == {"said": german.translate(answer), "done": False}
            assert told["said"] != answer

    assert look(site, "/live/organiser", site.word("keep"), organising, language="de").hello


def test_a_colour_is_translated_as_the_name_of_a_seat_but_not_of_a_table(site: ClubSite) -> None:
    box, found = site.join("Red"), list[str]()
    site.play("Red", "hand lead Red", "Red Green")

    async def visit(_session: aiohttp.ClientSession) -> None:
        headers = {"Accept-Language": "de", "Cookie": f"word={site.word('watch')}"}
        async with aiohttp.ClientSession(site.url, headers=headers) as session:
            while not found or "High Five" not in found[-1]:
                async with session.get(f"/games/{box}") as answer:
                    found.append(await answer.text())

    visit_at(site.url, visit)
    assert "<h1>Red</h1>" in found[-1] and "Rot, Grün" in found[-1]


def test_each_language_has_its_own_page_version() -> None:
    version = versions_of(CLUB_WORDS, STATIC, HUB_STATIC)
    versions = {version(language_of(name)) for name in OWN_NAMES}
    assert len(versions) == len(OWN_NAMES)


def _words(*keys: str) -> dict[str, str]:
    return {key: CLUB_WORDS[key] for key in keys}
