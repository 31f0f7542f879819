"""A box without any game, and a stick with games: what the box asks, and what becomes of the
answer."""

import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import pytest

from companion.app.notice_socket import NoticeSocket, send_notice
from companion.console.screens.take_games import TakeGames
from companion.console.sounds import Level, Sound
from companion.core.clock import day
from companion.core.keys import Key, Press, PressId
from companion.record.copies.copier import Copy
from companion.record.copies.copies import folders
from companion.record.copies.restore import make_offer
from companion.record.copies.stick import Offer, has_games
from companion.record.requests import RequestKind
from companion.table.events import BackgroundNotice
from companion.table.proposals import Counted
from tests.catalog import GAMES
from tests.commands.test_copy_command import WAIT_S, copying, until
from tests.proposing import Phone
from tests.rig import Rig

START = "1 2 1 OK OK 1 "
"""Begins High Five for two by their colours; Red leads the double six."""
OLD, NEWER = "6 3 OK", "6 3 OK 3 1 OK"


def stick(folder: Path, record: Path) -> Path:
    """A stick with the copies that the record has now."""
    Copy(record, GAMES, folder).catch_up()
    return folder


@pytest.fixture
def played(tmp_path: Path) -> Path:
    path = tmp_path / "old-card.db"
    with Rig(path) as rig:
        rig.press(START + OLD)
    return path


@pytest.fixture
def heard() -> list[Sound]:
    return []


@pytest.fixture
def rig(tmp_path: Path, played: Path, heard: list[Sound]) -> Iterator[Rig]:
    """The new box. The old one (`played`) is closed by then, since older pin factories share their
    pins."""
    assert played.exists()

    def play(sound: Sound, _: Level) -> None:
        heard.append(sound)

    (tmp_path / "box").mkdir()
    with Rig(tmp_path / "box" / "record.db", play=play) as rig:
        yield rig


def offered(rig: Rig, place: Path) -> Offer:
    """Has the box ask about the games of a stick."""
    offer = make_offer(rig.path, place)
    assert offer is not None
    tell(rig, offer)
    return offer


def tell(rig: Rig, offer: Offer) -> None:
    rig.table.events.put(offer)
    rig.wait(0.1)


def asked(rig: Rig) -> Offer | None:
    screen = rig.table.box.console.screen
    return screen.offer if isinstance(screen, TakeGames) else None


def files(rig: Rig) -> list[str]:
    return [path.name for path in rig.path.parent.glob("*.offered-*")]


@pytest.fixture
def place(tmp_path: Path, played: Path) -> Path:
    return stick(tmp_path / "stick", played)


# ---------------------------------------------------------------- the answers


def test_ok_and_the_game_goes_on_where_it_was(rig: Rig, place: Path, heard: list[Sound]) -> None:
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


def test_what_was_sent_before_no_was_said_is_not_asked_after_it(rig: Rig, place: Path) -> None:
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


def test_a_seats_keypad_answers_too_and_its_second_ok_does_nothing(rig: Rig, place: Path) -> None:
    offered(rig, place)
    for number in (1, 2):
        rig.send(Press(Key.OK, source=PressId("e6614103e7452d2f", 7, number)))
    assert rig.entries == ["hand", "Red 6-6", "Blue 6-3"]


def test_back_begins_without_them_and_it_is_not_asked_again(rig: Rig, place: Path) -> None:
    before = rig.screen
    offer = offered(rig, place)
    rig.press("BACK")
    assert (rig.screen, files(rig)) == (before, [])
    rig.press(START)
    tell(rig, offer)
    assert asked(rig) is None
    assert rig.entries == ["hand", "Red 6-6"]
    assert [*rig.store.numbers()] == [1]


def test_every_other_key_leaves_the_question(rig: Rig, place: Path) -> None:
    offer = offered(rig, place)
    rig.press("1 0 DRAW PASS BOGUS MENU")
    assert asked(rig) == offer
    assert not has_games(rig.path)


def test_told_again_it_is_the_same_question(rig: Rig, place: Path) -> None:
    offer = offered(rig, place)
    shown = len(rig.shown)
    tell(rig, offer)
    tell(rig, offer)
    assert len(rig.shown) == shown
    before = len(rig.press("BACK").shown)
    rig.press("BACK")
    assert len(rig.shown) <= before + 1


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_sticks_the_one_played_last_is_asked_about(
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


def test_who_is_setting_up_a_game_reads_first_and_goes_on_after_no(rig: Rig, place: Path) -> None:
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


def test_a_phone_begins_a_game_meanwhile_and_nothing_is_asked_any_more(
    rig: Rig, place: Path
) -> None:
    offer, phone = offered(rig, place), Phone("phone-anna", None)
    begins = phone.key(rig.snapshots[-1], "game high-five\nseats Anna Bo")
    assert isinstance(phone.asks(rig, replace(begins, kind=RequestKind.OPEN)), Counted)
    assert asked(rig) is None
    rig.press("OK OK")
    tell(rig, offer)
    assert asked(rig) is None
    assert [*rig.store.numbers()] == [1]


def test_what_is_gone_meanwhile_is_one_line_and_the_box_goes_on(rig: Rig, place: Path) -> None:
    offer = offered(rig, place)
    offer.path(rig.path).unlink()
    rig.press("OK")
    assert (rig.table.box.console.message or "").startswith("The stick's games can't be taken: ")
    rig.press("BACK")
    rig.press(START)
    assert rig.entries == ["hand", "Red 6-6"]


def test_pages_learn_of_it(rig: Rig, place: Path) -> None:
    before = rig.snapshots[-1]
    offered(rig, place)
    rig.press("OK")
    now = rig.snapshots[-1]
    assert (before.game, now.game, now.row) == (None, 1, rig.store.last_row())
    phone = Phone("phone-anna", None)
    assert isinstance(phone.says(rig, "Red 3-1"), Counted)


def test_started_anew_the_games_are_still_there(rig: Rig, place: Path) -> None:
    offered(rig, place)
    rig.press("OK")
    rig.stop()
    with Rig(rig.path.with_name("copy.db")):
        pass
    rig.close()
    with Rig(rig.path) as again:
        assert again.entries == ["hand", "Red 6-6", "Blue 6-3"]
        assert again.store.messages == ()


# ---------------------------------------------------------------- the program that copies


def hears(rig: Rig) -> NoticeSocket:
    """The table's socket, by which other programs reach it."""
    put = rig.table.events.put
    return NoticeSocket(rig.path, lambda line: put(BackgroundNotice(line)), put)


def waits(rig: Rig, offer: bool) -> None:
    def so() -> bool:
        rig.wait(0.01)
        return (asked(rig) is not None) is offer

    until(so)


def test_a_stick_is_asked_about_as_soon_as_it_is_plugged_in(rig: Rig, place: Path) -> None:
    notices = hears(rig)
    try:
        with copying(rig.path, place) as process:
            waits(rig, True)
            rig.press("OK")
            assert rig.entries == ["hand", "Red 6-6", "Blue 6-3"]
            rig.press("BACK 3 1 OK")
            until(lambda: copied(place) == rig.store.last_row())
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=WAIT_S)
            assert (process.returncode, errors) == (0, "")
    finally:
        notices.close()
    assert len(folders(place)) == 1, "it is the same record"


def test_a_table_that_opens_later_is_asked_then_and_again_after_a_restart(
    rig: Rig, place: Path
) -> None:
    with copying(rig.path, place):
        until(lambda: files(rig) and not files(rig)[0].endswith(".new"))
        for _ in range(2):
            notices = hears(rig)
            try:
                waits(rig, True)
            finally:
                notices.close()
            rig.table.box.console = type(rig.table.box.console).start()  # as a restart begins


def test_a_stick_that_is_there_before_the_record_is_asked_about_too(
    tmp_path: Path, place: Path
) -> None:
    path = tmp_path / "new" / "record.db"
    path.parent.mkdir()
    with copying(path, place):
        until(lambda: [*path.parent.glob("*.offered-????????")])
        with Rig(path) as rig:
            notices = hears(rig)
            try:
                waits(rig, True)
                rig.press("OK")
                assert len(rig.entries) == 3
            finally:
                notices.close()


def test_the_stick_may_be_pulled_while_it_is_asked(rig: Rig, place: Path) -> None:
    notices = hears(rig)
    try:
        with copying(rig.path, place) as process:
            waits(rig, True)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=WAIT_S)
        for folder in folders(place):
            for file in folder.files():
                file.unlink()
        rig.press("OK")
        assert len(rig.entries) == 3
    finally:
        notices.close()


def test_it_is_told_that_games_are_read_which_may_last(
    tmp_path: Path, rig: Rig, place: Path
) -> None:
    heard: SimpleQueue[object] = SimpleQueue()
    notices = NoticeSocket(rig.path, heard.put, heard.put)
    (tmp_path / "empty").mkdir()
    try:
        with copying(rig.path, tmp_path / "empty"), copying(rig.path, place):
            first, second = heard.get(timeout=WAIT_S), heard.get(timeout=WAIT_S)
    finally:
        notices.close()
    assert first == "The stick's games are being read: one moment"
    assert isinstance(second, Offer)


def test_not_again_after_no_until_it_is_plugged_in_anew(rig: Rig, place: Path) -> None:
    notices = hears(rig)
    try:
        with copying(rig.path, place):
            waits(rig, True)
            rig.press("BACK")
            rig.press("MENU 6")  # keeps nothing, and asks for nothing
            (rig.path.parent / "touched").write_text("it looks again")
            rig.press(START)
            until(lambda: copied(place, "Red 6-6"))
            assert asked(rig) is None
    finally:
        notices.close()


def test_what_is_sent_as_no_is_said_is_shown_to_nobody(rig: Rig, place: Path) -> None:
    offer = offered(rig, place)
    told: list[str] = []
    sent: SimpleQueue[Offer] = SimpleQueue()
    notices = NoticeSocket(rig.path, told.append, sent.put)
    try:
        rig.press("BACK")
        assert send_notice(rig.path, offer.line())
        assert sent.get(timeout=WAIT_S) == offer
        assert told == []
    finally:
        notices.close()


def test_a_stick_that_is_pulled_while_it_is_read_is_one_line(
    rig: Rig, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from companion.commands import copies

    def pulled(_: Path, __: Path) -> Offer:
        raise OSError(5, "Input/output error")

    heard: SimpleQueue[object] = SimpleQueue()
    notices = NoticeSocket(rig.path, heard.put, heard.put)
    try:
        monkeypatch.setattr(copies, "make_offer", pulled)
        assert copies._made_offer(rig.path, place) is None
        assert "being read" in str(heard.get(timeout=WAIT_S))
        told = heard.get(timeout=WAIT_S)
    finally:
        notices.close()
    assert told == "The stick's games can't be read: the disk has a fault. Plug it in again"
    assert capsys.readouterr().err.splitlines() == [told]
    assert files(rig) == []


def copied(place: Path, entry: str = "") -> int:
    """The number of the newest copied row that contains the text `entry`; 0: none does."""
    links = (link for folder in folders(place) for link in folder.rows())
    return max((link.seq for link in links if entry in link.row), default=0)
