"""Lost rows go back to a box: to an emptied card over its display, and with a command to a record
that was restored from an old copy."""

import shutil
from pathlib import Path

import pytest

from companion.app.catalog import CATALOG
from companion.app.club import BoxClub
from companion.commands.cli import main
from companion.core.club import ClubRequest, ClubRequestKind, ClubStep
from companion.record.copies.restore import Offer, drop_offers
from companion.record.rows import Setting
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.club.box.test_service import ClubMessages, join
from tests.club.hub.boxes import joined, record_of
from tests.club.hub.test_running import of_rows
from tests.club.hub.test_tables import as_the_record_says, evening
from tests.starting import HubProcess
from tests.waiting import wait_until


@pytest.fixture
def kitchen(hub: HubProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A record that the hub has, with settings, which are private, before and among its games."""
    record = record_of(tmp_path / "kitchen.db", [(0, Setting("flip", "on"))])
    joined(hub, record, capsys)
    record_of(record, [*of_rows(evening()), (0, Setting("flip", "off"))])
    record_of(record, of_rows(evening(), 2))
    assert main(["hub", "push", "--record", str(record), "--once"]) == 0
    return record


def games_of(record: Path) -> list[dict[str, object]]:
    """The record's four games as shown, without their rows' numbers."""
    moments = [as_the_record_says(record, game) for game in (1, 2, 3, 4)]
    return [{**moment, "row": 0} for moment in moments]


def test_an_emptied_card_gets_its_games_back_once_confirmed(
    hub: HubProcess, kitchen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store.open(tmp_path / "empty.db", CATALOG.rules)
    store.keep(0, Setting("flip", "on"))
    told = ClubMessages()
    club = BoxClub(store, CATALOG.rules, told.append)
    club.start()
    accepted = ["hub", "accept", join(club, hub, told), "--data", str(hub.data)]
    assert main([*accepted, "--as", "kitchen"]) == 0
    assert "kitchen is a member" in capsys.readouterr().out
    wait_until(lambda: isinstance(told[-1], Offer))
    offer = told[-1]
    assert isinstance(offer, Offer)
    assert (offer.games, offer.club) == (4, "Friday Fives")
    store.take_over(offer)
    assert [str(one) for one in store.messages][-1] == "The club's 4 games are here"
    drop_offers(store.path)
    wait_until(lambda: told.club().reached)
    store.keep(4, of_rows(evening())[-1][1])
    wait_until(lambda: told.club().waiting == 0)
    club.stop()
    store.close()
    first, second, third, _ = games_of(store.path)
    whole = games_of(kitchen)
    assert (first, third) == (whole[0], whole[2])
    # Of private rows the club has only hashes, so the game before them is doubtful from there.
    assert (second["doubtful_from"], whole[1]["doubtful_from"]) == (4, None)
    assert second["entries"] == whole[1]["entries"]
    assert main(["hub", "verify", "--data", str(hub.data)]) == 0
    # The new card pushes all rows of the games that came back.
    assert main(["hub", "push", "--record", str(store.path), "--once"]) == 0
    capsys.readouterr()
    assert main(["hub", "verify", "--data", str(hub.data)]) == 0
    assert capsys.readouterr().out.count("whole") == 2


def test_a_box_that_declines_its_old_games_begins_anew_and_pushes(
    hub: HubProcess, kitchen: Path, tmp_path: Path
) -> None:
    store = Store.open(tmp_path / "empty.db", CATALOG.rules)
    told = ClubMessages()
    club = BoxClub(store, CATALOG.rules, told.append)
    club.start()
    accepted = ["hub", "accept", join(club, hub, told), "--data", str(hub.data)]
    assert main([*accepted, "--as", "kitchen"]) == 0
    wait_until(lambda: isinstance(told[-1], Offer))
    drop_offers(store.path)
    wait_until(lambda: told.club().reached)
    store.keep(0, Setting("flip", "on"))
    wait_until(lambda: told.club().waiting == 0 and told.step() is ClubStep.JOINED)
    club.ask(ClubRequest(ClubRequestKind.LEAVE))
    wait_until(lambda: told.step() is ClubStep.NONE)
    club.stop()
    store.close()


def test_a_record_restored_from_an_old_copy_gets_its_missing_rows(
    hub: HubProcess, kitchen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = games_of(kitchen)
    old = tmp_path / "old.db"
    shutil.copy(kitchen, old)
    shutil.copy(kitchen.with_suffix(".club"), old.with_suffix(".club"))
    record_of(kitchen, of_rows(evening(), 10))
    assert main(["hub", "push", "--record", str(kitchen), "--once"]) == 0
    capsys.readouterr()
    assert main(["hub", "fetch", "--record", str(old)]) == 0
    assert capsys.readouterr().out == "7 rows came back from Friday Fives.\n"
    assert games_of(old)[:3] == whole[:3]
    with Reader.open(old, CATALOG.rules) as reader, Reader.open(kitchen, CATALOG.rules) as other:
        assert reader.newest_game() == other.newest_game() == 12
    assert main(["hub", "fetch", "--record", str(old)]) == 0
    assert capsys.readouterr().out == "0 rows came back from Friday Fives.\n"
    assert main(["hub", "push", "--record", str(old), "--once"]) == 0
    assert main(["hub", "verify", "--data", str(hub.data)]) == 0


def test_a_box_is_not_accepted_in_place_of_an_unknown_one(
    hub: HubProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = record_of(tmp_path / "attic.db", [(0, Setting("flip", "on"))])
    assert main(["hub", "join", hub.address, "--record", str(record)]) == 0
    digits = capsys.readouterr().out.strip()
    assert main(["hub", "accept", digits, "--as", "cellar", "--data", str(hub.data)]) == 1
    assert "no box cellar" in capsys.readouterr().err
