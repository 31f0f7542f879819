"""An update is taken whole or not at all, tried once, and kept if the table works well."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from companion.app.catalog import CATALOG
from companion.app.updates.download import fetch
from companion.app.updates.file import SYSTEM, UpdateError, open_update, read_contents
from companion.app.updates.install import COPIES, PARTIAL, install_previous, install_update
from companion.app.updates.systems import pending_trial, state_of_table, table_is_well
from companion.commands import update
from companion.core import regular_file
from companion.record.copies.text_copy import folders
from tests.app.updates.card import KEYS, LINE, FakeCard, ended, keep_game
from tests.app.updates.test_refused import refused

SYSTEMCTL = """\
#!/bin/sh
case $* in
*-P*) printf '3\\nactivating\\n' ;;
*) printf 'NRestarts=3\\nActiveState=activating\\n' ;;
esac
"""
"""A stand-in for systemctl, which gives the properties of a service in systemd's own order."""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without logging."""

    def log_message(self, *_: object) -> None:
        pass


def test_a_new_version_is_tried_and_kept(card: FakeCard) -> None:
    keep_game(card, over=True)
    said: list[str] = []
    install_update(card.update(), card.box(), said.append)
    assert said == [
        "Version 0.3.0 is stored beside 0.2.0: play on",
        "Trying version 0.3.0: the box restarts",
    ]
    assert (card.asked, card.rebooted) == (1, 1)
    assert card.start() == "0.3.0"
    assert card.systems().chosen() == "a"
    assert ended(card, "0.3.0") == "Version 0.3.0 runs now, in place of 0.2.0"
    assert card.systems().chosen() == "b"
    assert [card.start(), card.start()] == ["0.3.0", "0.3.0"]
    assert ended(card, "0.3.0") == ""
    assert folders(card.folder / "update" / COPIES)


def test_an_update_keeps_the_cards_settings(card: FakeCard) -> None:
    config = (card.fat / "config.txt").read_bytes()
    install_update(card.update(), card.box(), print)
    card.start()
    ended(card, "0.3.0")
    assert (card.fat / "config.txt").read_bytes() == config.replace(
        b"os_prefix=a/", b"os_prefix=b/"
    )
    assert (card.fat / "wifi.txt").read_text() == "name = Our home\n"
    assert (card.fat / "b" / "cmdline.txt").read_text() == LINE.replace("-02", "-03")


def test_an_update_overwrites_the_system_before_last(card: FakeCard) -> None:
    install_update(card.update(), card.box(), print)
    card.start()
    ended(card, "0.3.0")
    install_update(card.update("0.4.0"), card.box("0.3.0"), print)
    assert card.start() == "0.4.0"
    ended(card, "0.4.0")
    assert card.start() == "0.4.0" and card.running == "a"


def test_a_failing_table_restores_the_old_version(card: FakeCard) -> None:
    install_update(card.update(), card.box(), print)
    assert card.start() == "0.3.0"
    assert ended(card, "0.3.0", well=False) == ""
    assert card.rebooted == 2
    assert card.start() == "0.2.0"
    assert ended(card, "0.2.0") == "Version 0.3.0 did not start well: 0.2.0 is back"
    assert ended(card, "0.2.0") == ""


def test_a_version_that_never_starts_is_abandoned(card: FakeCard) -> None:
    install_update(card.update(), card.box(), print)
    card.start()
    assert card.start() == "0.2.0"
    assert ended(card, "0.2.0") == "Version 0.3.0 did not start well: 0.2.0 is back"


def test_a_power_cut_right_after_a_trial_keeps_the_new_version(card: FakeCard) -> None:
    install_update(card.update(), card.box(), print)
    card.start()
    card.systems().choose("b")
    assert card.start() == "0.3.0"
    assert ended(card, "0.3.0") == "Version 0.3.0 runs now, in place of 0.2.0"


def test_firmware_without_tryboot_refuses_a_trial(card: FakeCard) -> None:
    card.refuses = "No such device"
    with pytest.raises(UpdateError, match="can't try a new system: No such device"):
        install_update(card.update(), card.box(), print)
    assert not card.rebooted and pending_trial(card.box().folder) is None
    assert card.start() == "0.2.0"


# ---------------------------------------------------------------- going back


def test_going_back_requires_a_version_that_reads_the_record(card: FakeCard) -> None:
    keep_game(card, over=True)
    assert "can't read this record (format 3, it knows 2)" in refused(
        card, card.update("0.1.0", record=2), back=True
    )
    assert "can't read this record (rules 3, it knows 2)" in refused(
        card, card.update("0.1.0", rules=2), back=True
    )
    install_update(card.update("0.1.0"), card.box(), print, back=True)
    assert card.start() == "0.1.0"


def test_updates_up_to_0_3_play_by_the_rules_of_then(card: FakeCard) -> None:
    line = card.contents("0.3.0", {SYSTEM: card.update()}).line()
    assert read_contents(line).rules == 3
    assert read_contents(line.replace(b', "rules": 3', b"")).rules == 2


def test_the_previous_version_can_be_restored(card: FakeCard) -> None:
    with pytest.raises(UpdateError, match="no other version"):
        install_previous(card.box(), print)
    install_update(card.update(), card.box(), print)
    card.start()
    ended(card, "0.3.0")
    card.start()
    install_previous(card.box("0.3.0"), print)
    assert card.start() == "0.2.0"
    assert ended(card, "0.2.0") == "Version 0.2.0 runs now, in place of 0.3.0"


def test_a_damaged_previous_version_is_not_restored(card: FakeCard) -> None:
    install_update(card.update(), card.box(), print)
    card.start()
    ended(card, "0.3.0")
    with card.systems().disks["a"].open("r+b") as disk:
        disk.write(b"worn out")
    with pytest.raises(UpdateError, match=r"0\.2\.0 is no longer complete"):
        install_previous(card.box("0.3.0"), print)


# ---------------------------------------------------------------- well for a minute


def test_a_trial_succeeds_after_a_minute_without_problems() -> None:
    now = [0.0]
    told = {10.0: ("activating", "1"), 20.0: ("active", "1")}

    def state() -> tuple[str, str]:
        return told.get(now[0], ("active", "1" if now[0] > 10 else "0"))

    def sleep(seconds: float) -> None:
        now[0] += seconds

    assert table_is_well(state, lambda: now[0], sleep)
    assert now[0] == 75.0


@pytest.mark.parametrize("word", ["failed", "no page", "activating"])
def test_a_trial_fails_unless_a_minute_passes_without_problems(word: str) -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    assert not table_is_well(lambda: (word, "0"), lambda: now[0], sleep)
    assert now[0] == 300.0


def test_systemds_properties_are_read_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """systemctl gives properties in an order of its own, whichever order they are asked for in."""
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(SYSTEMCTL)
    systemctl.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert state_of_table() == ("activating", "3")
    systemctl.write_text("#!/bin/sh\nexit 1\n")
    assert state_of_table() == ("", "")


def test_an_invalid_address_is_refused(tmp_path: Path) -> None:
    for address in ("ftp://x/y", "https://127.0.0.1:9/x.update"):
        with pytest.raises(UpdateError):
            fetch(address, tmp_path)
    assert not [*tmp_path.glob("*.update")]


def test_a_download_leaves_room_for_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "x.update").write_bytes(b"new")
    served = partial(Quiet, directory=tmp_path / "there")
    with ThreadingHTTPServer(("127.0.0.1", 0), served) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/x.update"
        assert fetch(address, tmp_path).read_bytes() == b"new"
        monkeypatch.setattr(regular_file, "RESERVED_BYTES", 1 << 60)
        with pytest.raises(UpdateError, match="no room for the update beside the record"):
            fetch(address, tmp_path)
        server.shutdown()
    assert not [*tmp_path.glob("*.update")]


def test_a_copy_from_a_stick_leaves_room_for_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stick = tmp_path / "x.update"
    stick.write_bytes(b"new")
    told = list[str]()
    monkeypatch.setattr(update, "SERVICE_RECORD", tmp_path / "record.db")
    monkeypatch.setattr("companion.app.updates.install.this_box", lambda *_: None)
    monkeypatch.setattr("companion.app.updates.install.should_install", lambda *_: True)
    monkeypatch.setattr(
        "companion.app.notice_socket.send_notice", lambda _record, line: told.append(line)
    )
    (tmp_path / "incoming").mkdir()
    (tmp_path / "incoming" / f"old.update{PARTIAL}").write_bytes(b"the power went")
    assert update.copy_from_stick(stick, CATALOG) == 0
    (brought,) = (tmp_path / "incoming").iterdir()
    assert (brought.name, brought.read_bytes()) == ("x.update", b"new")
    (tmp_path / "incoming" / "x.update").unlink()
    monkeypatch.setattr(regular_file, "RESERVED_BYTES", 1 << 60)
    assert update.copy_from_stick(stick, CATALOG) == 2
    assert told == [
        "The update on the stick can't be taken: the card has no room for it beside the record"
    ]
    assert told[0] in capsys.readouterr().err
    assert not [*(tmp_path / "incoming").iterdir()]


def test_the_checked_file_is_the_one_installed(card: FakeCard) -> None:
    update = open_update(card.update(), [KEYS.public])
    for name, path in card.files("0.3.0").items():
        assert b"".join(update.pieces(name)) == path.read_bytes()
