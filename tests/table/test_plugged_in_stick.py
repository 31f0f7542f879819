"""A stick plugged into a box without games: the program that copies offers its games to the
table."""

import signal
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest

from companion.app.notice_socket import NoticeSocket, send_notice
from companion.record.copies.restore import Offer
from companion.record.copies.text_copy import folders
from companion.table.events import BackgroundNotice
from tests.commands.test_copy_command import copying
from tests.rig import Rig
from tests.table.sticks import START, asked, files, offered, old_card, stick
from tests.waiting import WAIT_S, wait_until


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return stick(tmp_path / "stick", old_card(tmp_path / "old-card.db"))


@pytest.fixture
def rig(tmp_path: Path, place: Path) -> Iterator[Rig]:
    """The new box. The old one, whose games are at `place`, is closed before it is set up, because
    in older gpiozero all pin factories share their pins."""
    assert place.exists()
    (tmp_path / "box").mkdir()
    with Rig(tmp_path / "box" / "record.db") as rig:
        yield rig


def hears(rig: Rig) -> NoticeSocket:
    """The table's socket for other programs."""
    put = rig.table.events.put
    return NoticeSocket(rig.path, lambda line: put(BackgroundNotice(line)), put)


def waits(rig: Rig, offer: bool) -> None:
    def so() -> bool:
        rig.wait(0.01)
        return (asked(rig) is not None) is offer

    wait_until(so)


def test_a_stick_is_offered_as_soon_as_it_is_plugged_in(rig: Rig, place: Path) -> None:
    notices = hears(rig)
    try:
        with copying(rig.path, place) as process:
            waits(rig, True)
            rig.press("OK")
            assert rig.entries == ["hand", "Red 6-6", "Blue 6-3"]
            rig.press("BACK 3 1 OK")
            wait_until(lambda: copied(place) == rig.store.last_row())
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=WAIT_S)
            assert (process.returncode, errors) == (0, "")
    finally:
        notices.close()
    assert len(folders(place)) == 1, "it is the same record"


def test_a_stick_is_offered_when_the_table_opens_later_and_after_a_restart(
    rig: Rig, place: Path
) -> None:
    with copying(rig.path, place):
        wait_until(lambda: files(rig) and not files(rig)[0].endswith(".new"))
        for _ in range(2):
            notices = hears(rig)
            try:
                waits(rig, True)
            finally:
                notices.close()
            rig.table.box.console = type(rig.table.box.console).start()  # as a restart begins


def test_a_stick_plugged_in_before_the_record_exists_is_offered_too(
    tmp_path: Path, place: Path
) -> None:
    path = tmp_path / "new" / "record.db"
    path.parent.mkdir()
    with copying(path, place):
        wait_until(lambda: [*path.parent.glob("*.offered-????????")])
        with Rig(path) as rig:
            notices = hears(rig)
            try:
                waits(rig, True)
                rig.press("OK")
                assert len(rig.entries) == 3
            finally:
                notices.close()


def test_the_stick_may_be_pulled_while_it_is_offered(rig: Rig, place: Path) -> None:
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


def test_the_table_shows_that_games_are_being_read(tmp_path: Path, rig: Rig, place: Path) -> None:
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


def test_a_declined_stick_is_offered_again_only_after_it_is_plugged_in_again(
    rig: Rig, place: Path
) -> None:
    notices = hears(rig)
    try:
        with copying(rig.path, place):
            waits(rig, True)
            rig.press("BACK")
            rig.press("MENU 6")  # keeps nothing, and asks for nothing
            (rig.path.parent / "touched").write_text("it looks again")
            rig.press(START)
            wait_until(lambda: copied(place, "Red 6-6"))
            assert asked(rig) is None
    finally:
        notices.close()


def test_an_offer_sent_during_the_refusal_is_not_shown(rig: Rig, place: Path) -> None:
    offer = offered(rig, place)
    told: list[str] = []
    sent: SimpleQueue[Offer] = SimpleQueue()
    notices = NoticeSocket(rig.path, told.append, sent.put)
    try:
        rig.press("BACK")
        assert send_notice(rig.path, offer.to_line())
        assert sent.get(timeout=WAIT_S) == offer
        assert told == []
    finally:
        notices.close()


def test_pulling_a_stick_while_it_is_read_gives_one_line(
    rig: Rig, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from companion.commands import copies

    def pulled(_: Path, __: Path) -> Offer:
        raise OSError(5, "Input/output error")

    heard: SimpleQueue[object] = SimpleQueue()
    notices = NoticeSocket(rig.path, heard.put, heard.put)
    try:
        monkeypatch.setattr(copies, "make_offer", pulled)
        assert copies._make_offer(rig.path, place) is None
        assert "being read" in str(heard.get(timeout=WAIT_S))
        told = heard.get(timeout=WAIT_S)
    finally:
        notices.close()
    assert told == "The stick's games can't be read: the disk has a fault. Plug it in again"
    assert capsys.readouterr().err.splitlines() == [told]
    assert files(rig) == []


def copied(place: Path, entry: str = "") -> int:
    """The number of the newest copied row with the text `entry`; 0 if there is none."""
    links = (link for folder in folders(place) for link in folder.rows())
    return max((link.seq for link in links if entry in link.row), default=0)
