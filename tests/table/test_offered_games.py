"""A box without any game, and a stick with games: the box's question, and the effect of the
answer."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.console.sounds import Level, Sound
from companion.core.clock import day
from companion.core.keys import Key, Press, PressId
from companion.record.copies.restore import has_games
from companion.record.requests import RequestKind
from companion.table.events import ProposalCounted
from tests.proposing import Phone
from tests.rig import Rig
from tests.table.sticks import OLD, START, asked, files, offered, old_card, stick, tell


@pytest.fixture
def played(tmp_path: Path) -> Path:
    return old_card(tmp_path / "old-card.db")


@pytest.fixture
def heard() -> list[Sound]:
    return []


@pytest.fixture
def rig(tmp_path: Path, played: Path, heard: list[Sound]) -> Iterator[Rig]:
    """The new box. The old one (`played`) is closed before it is set up, because in older gpiozero
    all pin factories share their pins."""
    assert played.exists()

    def play(sound: Sound, _: Level) -> None:
        heard.append(sound)

    (tmp_path / "box").mkdir()
    with Rig(tmp_path / "box" / "record.db", play=play) as rig:
        yield rig


@pytest.fixture
def place(tmp_path: Path, played: Path) -> Path:
    return stick(tmp_path / "stick", played)


# ---------------------------------------------------------------- the answers


def test_ok_continues_the_offered_game(rig: Rig, place: Path, heard: list[Sound]) -> None:
    offer = offered(rig, place)
    assert asked(rig) == offer
    assert day(offer.last) == "2027-01-15"
    rig.press("OK")
    assert rig.store.messages[-1].template == "The stick's game is here"
    assert rig.entries == ["hand", "Red 6-6", "Blue 6-3"]
    assert heard == [], "it is no refusal"
    assert (asked(rig), files(rig)) == (None, [])
    rig.press("BACK BACK 3 1 OK")
    assert rig.entries[-1] == "Red 3-1"


def test_an_offer_sent_before_the_refusal_is_not_shown_after_it(rig: Rig, place: Path) -> None:
    offer = offered(rig, place)
    rig.press("BACK")
    tell(rig, offer)
    assert asked(rig) is None


def test_a_second_ok_does_nothing(rig: Rig, place: Path) -> None:
    offered(rig, place)
    rig.press("OK OK")
    with Rig(rig.path.with_name("other.db")) as other:
        other.press(START + OLD)
        assert rig.screen == other.screen, "the game as it stood"
    assert len(rig.entries) == 3


def test_a_seats_keypad_may_answer_and_its_second_ok_does_nothing(rig: Rig, place: Path) -> None:
    offered(rig, place)
    for number in (1, 2):
        rig.send(Press(Key.OK, source=PressId("e6614103e7452d2f", 7, number)))
    assert rig.entries == ["hand", "Red 6-6", "Blue 6-3"]


def test_back_declines_the_games_for_good(rig: Rig, place: Path) -> None:
    before = rig.screen
    offer = offered(rig, place)
    rig.press("BACK")
    assert (rig.screen, files(rig)) == (before, [])
    rig.press(START)
    tell(rig, offer)
    assert asked(rig) is None
    assert rig.entries == ["hand", "Red 6-6"]
    assert [*rig.store.game_numbers()] == [1]


def test_other_keys_leave_the_question_open(rig: Rig, place: Path) -> None:
    offer = offered(rig, place)
    rig.press("1 0 DRAW PASS BOGUS MENU")
    assert asked(rig) == offer
    assert not has_games(rig.path)


def test_an_offer_sent_again_is_the_same_question(rig: Rig, place: Path) -> None:
    offer = offered(rig, place)
    shown = len(rig.shown)
    tell(rig, offer)
    tell(rig, offer)
    assert len(rig.shown) == shown
    before = len(rig.press("BACK").shown)
    rig.press("BACK")
    assert len(rig.shown) <= before + 1


@pytest.mark.parametrize("order", [1, -1])
def test_the_stick_with_the_newest_entries_is_offered(
    tmp_path: Path, played: Path, order: int
) -> None:
    old = stick(tmp_path / "old", played)
    with Rig(played, wall=1_800_100_000.0) as before:
        before.press("3 1 OK")
    new = stick(tmp_path / "new", played)
    (tmp_path / "box").mkdir()
    with Rig(tmp_path / "box" / "record.db") as rig:
        for place in (old, new)[::order]:
            offered(rig, place)
        rig.press("OK")
        assert rig.entries[-1] == "Red 3-1"
        assert files(rig) == []


# ---------------------------------------------------------------- what comes between


def test_an_offer_interrupts_set_up_which_goes_on_after_declining(rig: Rig, place: Path) -> None:
    rig.press("1 2")
    before = rig.screen
    offer = offered(rig, place)
    rig.press("OK")
    assert asked(rig) == offer, "this OK was meant for what was there before"
    assert not has_games(rig.path)
    rig.press("BACK")
    assert rig.screen == before
    rig.press("1 OK")
    assert has_games(rig.path)


def test_the_question_disappears_when_a_phone_begins_a_game(rig: Rig, place: Path) -> None:
    offer, phone = offered(rig, place), Phone("phone-anna", None)
    begins = phone.key(rig.snapshots[-1], "game high-five\nseats Anna Bo")
    assert isinstance(phone.asks(rig, replace(begins, kind=RequestKind.OPEN)), ProposalCounted)
    assert asked(rig) is None
    rig.press("OK OK")
    tell(rig, offer)
    assert asked(rig) is None
    assert [*rig.store.game_numbers()] == [1]


def test_an_offer_without_its_file_gives_one_line_and_the_box_goes_on(
    rig: Rig, place: Path
) -> None:
    offer = offered(rig, place)
    offer.path(rig.path).unlink()
    rig.press("OK")
    assert (rig.table.box.console.message or "").startswith("The stick's games can't be taken: ")
    rig.press("BACK")
    rig.press(START)
    assert rig.entries == ["hand", "Red 6-6"]


def test_pages_get_the_games_that_were_taken_over(rig: Rig, place: Path) -> None:
    before = rig.snapshots[-1]
    offered(rig, place)
    rig.press("OK")
    now = rig.snapshots[-1]
    assert (before.game, now.game, now.row) == (None, 1, rig.store.last_row())
    phone = Phone("phone-anna", None)
    assert isinstance(phone.says(rig, "Red 3-1"), ProposalCounted)


def test_games_are_still_there_after_a_restart(rig: Rig, place: Path) -> None:
    offered(rig, place)
    rig.press("OK")
    rig.stop()
    with Rig(rig.path.with_name("copy.db")):
        pass
    rig.close()
    with Rig(rig.path) as again:
        assert again.entries == ["hand", "Red 6-6", "Blue 6-3"]
        assert again.store.messages == ()
