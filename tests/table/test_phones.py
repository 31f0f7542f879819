"""The loop between the display, which shows how phones join, and the page, which lets them in."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.box_page import PageRequest, Phones
from tests.rig import Rig
from tests.screens.phones_scenes import LONGEST, phones_at


@pytest.fixture
def requests() -> list[PageRequest]:
    return []


@pytest.fixture
def rig(tmp_path: Path, requests: list[PageRequest]) -> Iterator[Rig]:
    with Rig(tmp_path / "record.db", ask_page=requests.append) as rig:
        tell(rig, Phones(open=False))
        yield rig


def tell(rig: Rig, phones: Phones) -> None:
    """Sends the loop the page's report about phones, as from the page's thread."""
    rig.table.events.put(phones)
    rig.wait(0.1)


def test_phone_codes_are_valid_only_while_they_are_shown(
    rig: Rig, requests: list[PageRequest]
) -> None:
    rig.press("MENU")
    assert requests == [PageRequest.SHOW]
    rig.press("OK")
    assert requests == [PageRequest.SHOW, PageRequest.OPEN]
    before = rig.screen
    tell(rig, phones_at(LONGEST))
    assert rig.screen != before, "the code is shown as soon as it is there"
    rig.press("0 OK")
    assert requests[2:] == [PageRequest.HIDE, PageRequest.NEW_CODES, PageRequest.SHOW]
    rig.press("BACK")
    assert requests[5:] == [PageRequest.HIDE]


def test_news_of_phones_does_not_redraw_a_screen_without_phones(rig: Rig) -> None:
    rig.press("1 2 1 OK OK 1")
    shown = len(rig.shown)
    tell(rig, phones_at(LONGEST))
    assert len(rig.shown) == shown


def test_letting_phones_in_writes_no_row(rig: Rig) -> None:
    before = rig.store.last_row()
    rig.press("MENU OK")
    tell(rig, phones_at(LONGEST))
    rig.press("0 OK BACK")
    assert rig.store.last_row() == before


def test_the_box_shows_the_joining_digits_while_people_sit_down(rig: Rig) -> None:
    idle = rig.screen
    sitting = replace(phones_at(LONGEST), sitting=("Anna",))
    tell(rig, sitting)
    shown = rig.screen
    assert shown != idle
    tell(rig, replace(sitting, sitting=("Anna", "Ben")))
    assert rig.screen not in (idle, shown)
    rig.press("OK")
    assert rig.screen == idle, "a key leads to what the box shows otherwise"
    tell(rig, replace(sitting, sitting=("Anna", "Ben", "Cleo")))
    assert rig.screen == idle
    tell(rig, phones_at(LONGEST))
    tell(rig, sitting)
    assert rig.screen == shown
    tell(rig, phones_at(LONGEST))
    assert rig.screen == idle, "nobody sits down any more"


def test_a_game_stays_on_the_display_while_people_sit_down(rig: Rig) -> None:
    rig.press("1 2 1 OK OK 1")
    shown = rig.screen
    tell(rig, replace(phones_at(LONGEST), sitting=("Anna",)))
    assert rig.screen == shown
