"""An update that can't or shouldn't be taken is refused in one line, and nothing is changed."""

from pathlib import Path

import pytest

from companion.app.catalog import CATALOG
from companion.app.updates import install
from companion.app.updates.file import UpdateError, number_of
from companion.app.updates.install import COPIES, install_previous, install_update, read_keys
from companion.app.updates.systems import find_systems, pending_trial
from companion.club.box.keys import KeyPair
from companion.commands import update
from tests.app.updates.card import KEYS, LINE, FakeCard, ended, keep_game


def refused(card: FakeCard, path: Path, **how: bool) -> str:
    before = card.all_files()
    with pytest.raises(UpdateError) as error:
        install_update(path, card.box(), print, **how)
    assert card.all_files() == before and not card.asked and not card.rebooted
    assert pending_trial(card.box().folder) is None
    assert card.start() == "0.2.0"
    line = str(error.value)
    assert "\n" not in line and len(line) <= 120
    return line


def test_an_update_during_a_game_is_refused(card: FakeCard) -> None:
    keep_game(card, over=False)
    assert refused(card, card.update()) == "A game is being played: end it first, then update"


def test_an_update_while_another_is_on_trial_is_refused(card: FakeCard) -> None:
    """The previous version is still the one that starts, so nothing may overwrite it."""
    install_update(card.update(), card.box(), print)
    assert card.start() == "0.3.0"
    before = card.all_files()
    with pytest.raises(UpdateError, match=r"0\.3\.0 is being tried"):
        install_update(card.update("0.4.0"), card.box("0.3.0"), print)
    with pytest.raises(UpdateError, match=r"0\.3\.0 is being tried"):
        install_previous(card.box("0.3.0"), print)
    assert card.all_files() == before
    ended(card, "0.3.0")
    install_update(card.update("0.4.0"), card.box("0.3.0"), print)
    assert card.start() == "0.4.0"


def test_an_update_signed_with_a_wrong_key_is_refused(card: FakeCard) -> None:
    path = card.update(keys=KeyPair.from_private(bytes(32)))
    assert "not signed with this card's key" in refused(card, path)


def test_an_older_version_is_refused(card: FakeCard) -> None:
    assert refused(card, card.update("0.1.0")) == (
        "Version 0.1.0 is older than 0.2.0. It can read this record: "
        "companion update --back takes it"
    )


def test_the_running_version_is_refused(card: FakeCard) -> None:
    assert refused(card, card.update("0.2.0")) == "Version 0.2.0 is already running"


def test_an_update_for_another_model_is_refused(card: FakeCard) -> None:
    before, path = card.all_files(), card.update()
    with pytest.raises(UpdateError, match=r"another model than this one \(raspberrypi,5\)$"):
        install_update(path, card.box(boards=("raspberrypi,5",)), print)
    assert card.all_files() == before


def test_an_update_without_room_on_the_card_is_refused(tmp_path: Path) -> None:
    card = FakeCard(tmp_path / "small", room=280_000)
    assert "too large for this card" in refused(card, _larger(card))


def _larger(card: FakeCard) -> Path:
    from companion.app.updates.file import write_update

    files = card.files("0.3.0")
    files["system"].write_bytes(b"larger " * 100_000)
    path = card.folder / "larger.update"
    write_update(path, card.contents("0.3.0", files), files, KEYS.private)
    return path


@pytest.mark.parametrize("left", [0, 10, 24, 25, 80, 400, 600, 100_000, -1])
def test_an_update_truncated_anywhere_is_refused(card: FakeCard, left: int) -> None:
    path = card.update()
    path.write_bytes(path.read_bytes()[:left])
    refused(card, path)


def test_bytes_after_the_signed_parts_are_refused(card: FakeCard) -> None:
    path = card.update()
    path.write_bytes(path.read_bytes() + b"more")
    assert "more in it" in refused(card, path)


def test_a_changed_letter_in_the_contents_is_refused(card: FakeCard) -> None:
    path = card.update()
    path.write_bytes(path.read_bytes().replace(b'"0.3.0"', b'"0.3.1"', 1))
    assert "not signed" in refused(card, path)


def test_a_damaged_part_leaves_the_running_system_alone(card: FakeCard) -> None:
    path = card.update()
    data = bytearray(path.read_bytes())
    data[-200_000] ^= 1
    path.write_bytes(data)
    with pytest.raises(UpdateError, match="damaged"):
        install_update(path, card.box(), print)
    assert not card.rebooted and card.start() == "0.2.0"
    assert card.systems().contents("b") is None


def test_a_game_begun_during_the_update_stops_it(
    card: FakeCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "PIECES_PER_CHECK", 1)
    with pytest.raises(UpdateError, match="A game was begun"):
        install_update(card.update(), card.box(), lambda _said: keep_game(card, over=False))
    assert not card.rebooted and card.start() == "0.2.0"
    assert card.systems().contents("b") is None


def test_a_full_first_partition_stops_the_update(
    card: FakeCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "SPARE_BYTES", 1 << 60)
    assert "no room left: take your own files off it" in refused(card, card.update())


def test_a_record_that_cannot_be_copied_stops_the_update(card: FakeCard) -> None:
    keep_game(card, over=True)
    (card.folder / "update").mkdir()
    (card.folder / "update" / COPIES).write_text("no folder")
    assert "The record can't be copied first" in refused(card, card.update())


def test_a_card_that_loses_writes_stops_the_update(
    card: FakeCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = install._write_at
    monkeypatch.setattr(
        install, "_write_at", lambda handle, data, at: write(handle, bytes(len(data)), at)
    )
    with pytest.raises(UpdateError, match="use another card"):
        install_update(card.update(), card.box(), print)
    assert not card.rebooted and card.start() == "0.2.0"
    assert card.systems().contents("b") is None


def test_a_card_without_a_key_reports_an_update_on_a_stick(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[str]()

    def no_key(*_: object) -> None:
        read_keys(tmp_path / "update-keys")

    monkeypatch.setattr(install, "this_box", no_key)
    monkeypatch.setattr(
        "companion.app.notice_socket.send_notice", lambda _record, line: told.append(line)
    )
    (tmp_path / "x.update").write_bytes(b"new")
    assert update.copy_from_stick(tmp_path / "x.update", CATALOG) == 2
    assert told == ["This card takes no updates: it was made without a key that signs them"]


def test_a_file_that_is_no_update_is_refused(card: FakeCard, tmp_path: Path) -> None:
    path = tmp_path / "holiday.update"
    path.write_bytes(b"a photo")
    assert refused(card, path) == "holiday.update is not an update for this box"


def test_a_card_without_a_key_refuses_updates(tmp_path: Path) -> None:
    with pytest.raises(UpdateError, match="takes no updates"):
        read_keys(tmp_path / "update-keys")
    (tmp_path / "update-keys").write_text(f"{KEYS.public.hex()}\n")
    assert read_keys(tmp_path / "update-keys") == (KEYS.public,)


def test_a_card_with_one_system_refuses_updates(tmp_path: Path) -> None:
    with pytest.raises(UpdateError, match="room for one system only"):
        find_systems(LINE, tmp_path, tmp_path)
    with pytest.raises(UpdateError, match="Only a card that was flashed"):
        find_systems("root=/dev/sda1", tmp_path, tmp_path)


def test_a_preview_is_older_than_its_release() -> None:
    order = ["0.3.0", "0.4.0.dev0", "0.4.0.dev1", "0.4.0", "0.10.0"]
    assert sorted(order, key=number_of) == order


def test_a_preview_is_installed_only_before_its_release(card: FakeCard) -> None:
    assert refused(card, card.update("0.2.0.dev0")).startswith("Version 0.2.0.dev0 is older")
    install_update(card.update("0.3.0.dev0"), card.box(), print)
    assert card.start() == "0.3.0.dev0"
