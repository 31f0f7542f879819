"""Every surface reports changes of earlier entries, rewinds and chip corrections, and who made
them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.catalog import CATALOG
from companion.console.fonts import wrapped
from companion.core.keys import Key, Press, PressId
from companion.presentation.moment import Moment, describe
from companion.record.requests import RequestKind
from companion.record.rows import Setting
from companion.record.settings import seat_setting
from companion.table.events import Answer, Proposal, ProposalCounted
from companion.table.session import BOX
from tests.proposing import Phone
from tests.rig import Rig

START = "1 2 1 OK 1 OK 2 6 5 OK 5 5 OK"
RED = "e6614103e7452d2f"


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    path = tmp_path / "record.db"
    with Rig(path) as first:
        first.press(START)
        assert first.entries == ["hand", "Blue 6-6", "Red 6-5", "Blue 5-5"]
        first.store.keep(BOX, Setting(seat_setting(RED), "Red"))
    with Rig(path) as rig:
        yield rig


def proposes(rig: Rig, seat: str | None, kind: RequestKind, text: str = "", at: int = 0) -> Answer:
    phone, seen = Phone(f"phone-{kind.value}", seat), rig.snapshots[-1]
    key = phone.key(seen, text)
    return phone.asks(rig, Proposal(key.identity, key.seat, key.game, key.tip, text, kind, at))


def on_the_box(rig: Rig) -> str | None:
    return rig.table.box.console.message


def on_pages(rig: Rig) -> tuple[bool, str] | None:
    seen = rig.snapshots[-1]
    told = describe(Moment(CATALOG, seen.journal, seen.row, seen.game, seen.settings, seen.kept))[
        "news"
    ]
    return told and (told["announced"], told["said"]["words"])


@pytest.mark.parametrize(
    ("kind", "text", "at", "what"),
    [
        (RequestKind.UNDO, "", 0, "Red's phone takes back Blue 5-5"),
        (RequestKind.CHANGE, "Red draw", 2, "Red's phone: the change of “Red 6-5”"),
        (RequestKind.CHANGE, "", 3, "Red's phone: the removal of Blue 5-5"),
        (RequestKind.INSERT, "Red draw", 2, "Red's phone: Red draw put in before “Red 6-5”"),
        (RequestKind.REWIND, "", 2, "Red's phone: the rewind to “Red 6-5”"),
    ],
)
def test_a_change_from_a_phone_is_shown_on_the_box_and_on_pages(
    rig: Rig, kind: RequestKind, text: str, at: int, what: str
) -> None:
    assert isinstance(proposes(rig, "Red", kind, text, at), ProposalCounted)
    assert on_pages(rig) == (True, what)
    assert on_the_box(rig) == f"{what}.", "whatever is shown there"


def test_the_line_about_a_change_ends_with_the_next_entry(rig: Rig) -> None:
    assert isinstance(proposes(rig, "Red", RequestKind.UNDO), ProposalCounted)
    assert on_the_box(rig) == "Red's phone takes back Blue 5-5."
    assert isinstance(Phone("phone-blue", "Blue").says(rig, "Blue 5-5"), ProposalCounted)
    assert on_the_box(rig) is None


def test_a_redo_from_a_phone_is_announced(rig: Rig) -> None:
    rig.press("BACK OK")
    assert on_pages(rig) == (True, "The box takes back Blue 5-5")
    assert on_the_box(rig) is None, "who pressed it knows"
    assert isinstance(proposes(rig, None, RequestKind.REDO), ProposalCounted)
    assert on_pages(rig) == (True, "A phone redoes Blue 5-5")


def test_chips_that_a_phone_corrects_are_announced(rig: Rig) -> None:
    assert isinstance(Phone("phone-1", "Blue").says(rig, "chips Blue 20 found"), ProposalCounted)
    told = on_pages(rig)
    assert told is not None
    assert told[0]
    assert told[1].startswith("Blue's phone: Blue's chips corrected by +20")
    assert on_the_box(rig) is not None


def test_an_undo_on_a_keypad_names_whose_entry_it_was(rig: Rig) -> None:
    for number, key in enumerate(("BACK", "OK"), 1):
        rig.send(Press(Key(key), source=PressId(RED, 7, number)))
    assert on_pages(rig) == (True, "Red's keypad takes back Blue 5-5")


def test_a_play_is_announced_only_if_entered_for_another_player(rig: Rig) -> None:
    assert isinstance(Phone("phone-1", "Blue").says(rig, "Red draw"), ProposalCounted)
    assert on_pages(rig) == (True, "Blue for Red: draws")
    assert isinstance(Phone("phone-2", "Red").says(rig, "Red 6-4"), ProposalCounted)
    assert on_pages(rig) == (False, "Red's phone: lays 6-4")
    assert on_the_box(rig) is None


def test_news_of_another_game_is_not_announced(rig: Rig) -> None:
    rig.press("MENU 6")
    Phone("phone-1", "Red").says(rig, "Red 6-4")
    seen = rig.snapshots[-1]
    assert (
        describe(Moment(CATALOG, seen.journal, seen.row, 99, seen.settings, seen.kept))["news"]
        is None
    )


def test_announcements_fit_on_the_display(rig: Rig) -> None:
    proposes(rig, "Red", RequestKind.INSERT, "Red draw", 2)
    message = on_the_box(rig)
    assert message is not None
    assert len(wrapped(message, 124)) <= 2


def test_entries_without_a_seat_are_announced_by_their_name(rig: Rig) -> None:
    phone = Phone("phone-1", None)
    for text in ("Red draw", "Red pass", "bogus Red by Blue", "rule Red clear"):
        assert isinstance(phone.says(rig, text), ProposalCounted), text
    assert isinstance(proposes(rig, None, RequestKind.UNDO), ProposalCounted)
    assert on_pages(rig) == (True, "A phone takes back the ruling on Red")
    assert on_the_box(rig) == "A phone takes back the ruling on Red."
