"""A player who is renamed during a game has the new name at once, and no game is rewritten."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest

from companion.core.seats import Seats
from companion.presentation.language import ENGLISH, present_names
from companion.record.people.people import People
from companion.record.requests import RequestKind
from companion.table.events import ProposalCounted, ProposalRefused
from tests.proposing import Phone as Surface
from tests.rig import Rig
from tests.web.live import LiveTable, Phone, keep

BEGUN = "hand\nAnan 6-6\nTom draw\nTom 6-3"
LOOKS = ("", "MENU", "2", "OK", "BACK", "1", "BACK", "BACK", "MENU 3", "1", "BACK BACK BACK")
CALLS = ("6 4 OK", "BACK", "BACK", "DRAW", "BOGUS", "OK", "1", "2", "BACK", "MENU 9")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    keep(tmp_path / "record.db", BEGUN, "Anan Tom")
    return tmp_path / "record.db"


@pytest.fixture
def rig(path: Path) -> Iterator[Rig]:
    with Rig(path) as rig:
        yield rig


def rename(rig: Rig, text: str) -> object:
    surface = Surface(f"phone-{text.lower().replace(' ', '-')}")
    asked = replace(surface.key(rig.snapshots[-1], text), kind=RequestKind.RENAME)
    return surface.asks(rig, asked)


def test_no_screen_of_the_box_shows_the_old_name(rig: Rig) -> None:
    assert isinstance(rename(rig, "Anan Anna"), ProposalCounted)
    rig.press("OK BACK BACK")  # reads who has renamed whom
    for keys in (*LOOKS, *CALLS):
        words = rig.press(keys).frame.words
        assert "ANAN" not in words.upper(), keys
    assert rig.entries[1] == "Anan 6-6"


def test_a_player_cannot_take_the_name_of_another_at_the_table(rig: Rig) -> None:
    assert isinstance(rename(rig, "Anan Tom"), ProposalRefused)
    people = People({"Anan": "Tom"})
    assert present_names(Seats.of("Anan", "Tom"), people) == {}


def test_a_renaming_can_be_taken_back(rig: Rig) -> None:
    rename(rig, "Anan Anna")
    assert isinstance(rename(rig, "Anan Anan"), ProposalCounted)
    assert "ANAN" in rig.press("OK BACK BACK").frame.words


def test_new_names_appear_in_sentences_but_not_in_data() -> None:
    language = ENGLISH.with_names({"Uncle Jo": "Uncle Joe"})
    assert language.translate("UNCLE JO") == "UNCLE JOE"
    assert language.translated({"seat": "Uncle Jo"}) == {"seat": "Uncle Jo"}


def test_pages_show_the_new_name_everywhere_but_in_the_news_of_the_renaming(path: Path) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        phone = await Phone.come(table, session, "one", {"name": "seat", "seat": "Anan"})
        await phone.keys("Anan Anna", deed="rename")
        await phone.until(lambda: "is now called" in str(phone.stands["moment"]["news"]))
        words = phone.stands["moment"]["news"]["said"]["words"]
        assert words == "Anna's phone: Anan is now called Anna"
        assert (await phone.keys("Anan 6-4"))["counted"], "the seat stays what it is"
        await phone.until(lambda: phone.stands["moment"]["entries"] == 5)
        moment = phone.stands["moment"]
        assert moment["seats"][0]["seat"] == "Anan"
        assert moment["undo"]["words"] == "Anna 6-4"
        assert [word for word in words_in(phone.stands) if "Anan" in word] == []
        told = await phone.preview("", deed="undo")
        assert [word for word in words_in(told) if "Anan" in word] == []

    table = LiveTable(path)
    try:
        table.visit(visit)
    finally:
        table.close()


def words_in(told: object) -> list[str]:
    """All texts in it that are for people."""
    if isinstance(told, dict):
        own = [told[name] for name in ("words", "shown") if isinstance(told.get(name), str)]
        return own + [word for one in told.values() for word in words_in(one)]
    if isinstance(told, list):
        return [word for one in told for word in words_in(one)]
    return [told] if isinstance(told, str) and told.startswith("<svg") else []
