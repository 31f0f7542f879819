"""A running table joins a club over its display, and gets the club's news from then on."""

from pathlib import Path

import pytest

from companion.app.catalog import CATALOG
from companion.app.club import BoxClub
from companion.club.box.membership import Membership
from companion.commands.cli import main
from companion.core.club import Club, ClubRequest, ClubRequestKind, ClubStep
from companion.record.rows import Setting
from companion.record.store.store import Store
from companion.table.events import FromClub
from tests.club.box.test_pushing import rows_of
from tests.starting import HubProcess
from tests.waiting import wait_until


class ClubMessages(list[FromClub]):
    """The messages that the table got about its club."""

    def step(self) -> ClubStep:
        return self.club().step

    def club(self) -> Club:
        return [one for one in self if isinstance(one, Club)][-1]


def join(club: BoxClub, hub: HubProcess, told: ClubMessages) -> str:
    """Makes the box request to join; returns the six digits that it shows."""
    club.ask(ClubRequest(ClubRequestKind.JOIN, hub.address))
    wait_until(lambda: told.step() is ClubStep.COMPARING)
    assert told.club().name == "Friday Fives"
    return told.club().digits


def test_a_running_table_joins_pushes_and_leaves(
    hub: HubProcess, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.club.box.push.WAITING_PAUSE_S", 0.05)
    told = ClubMessages()
    club = BoxClub(store, CATALOG.rules, told.append)
    club.start()
    assert told == [Club()]
    digits = join(club, hub, told)
    store.keep(0, Setting("flip", "on"))
    assert rows_of(hub) == 0
    assert main(["hub", "accept", digits, "--data", str(hub.data)]) == 0
    wait_until(lambda: told.club().reached)
    assert (told.step(), told.club().waiting) == (ClubStep.JOINED, 0)
    store.keep(0, Setting("flip", "off"))
    wait_until(lambda: rows_of(hub) == 2)
    club.ask(ClubRequest(ClubRequestKind.LEAVE))
    wait_until(lambda: told.step() is ClubStep.NONE)
    mine = Membership.load(store.path)
    assert mine is not None
    assert not mine.is_joined
    store.keep(0, Setting("flip", "on"))
    assert main(["hub", "verify", "--data", str(hub.data)]) == 0
    assert rows_of(hub) == 2
    # Joined anew it is the same box, whose chain goes on.
    again = join(club, hub, told)
    assert main(["hub", "accept", again, "--data", str(hub.data)]) == 0
    wait_until(lambda: told.club().reached)
    assert rows_of(hub) == 3
    club.stop()


def test_nothing_is_pushed_if_the_digits_differ(hub: HubProcess, store: Store) -> None:
    told = ClubMessages()
    club = BoxClub(store, CATALOG.rules, told.append)
    club.start()
    join(club, hub, told)
    club.ask(ClubRequest(ClubRequestKind.LEAVE))
    wait_until(lambda: told.step() is ClubStep.NONE)
    mine = Membership.load(store.path)
    assert mine is not None
    assert not mine.is_joined
    club.stop()


def test_an_unreachable_hub_is_reported(store: Store) -> None:
    told = ClubMessages()
    club = BoxClub(store, CATALOG.rules, told.append)
    club.start()
    club.ask(ClubRequest(ClubRequestKind.JOIN, "127.0.0.1:1"))
    wait_until(lambda: told.club().why != "")
    assert told.club() == Club(why="The club can't be reached at 127.0.0.1:1.")
    club.stop()


def test_the_club_in_a_card_s_settings_is_joined_only_once(hub: HubProcess, store: Store) -> None:
    told = ClubMessages()
    club = BoxClub(store, CATALOG.rules, told.append, card=hub.address)
    club.start()
    wait_until(lambda: told.step() is ClubStep.COMPARING)
    club.ask(ClubRequest(ClubRequestKind.LEAVE))
    wait_until(lambda: told.step() is ClubStep.NONE)
    club.stop()
    again = BoxClub(store, CATALOG.rules, told.append, card=hub.address)
    again.start()
    again.stop(5.0)
    assert told.step() is ClubStep.NONE, "it has left, and that holds"


def test_a_box_set_aside_joins_again_with_a_new_key(
    hub: HubProcess, store: Store, tmp_path: Path
) -> None:
    data, told = ["--data", str(hub.data)], ClubMessages()
    store.keep(0, Setting("flip", "on"))
    club = BoxClub(store, CATALOG.rules, told.append)
    club.start()
    assert main(["hub", "accept", join(club, hub, told), *data]) == 0
    wait_until(lambda: told.club().reached)
    before = Membership.load(store.path)
    assert before is not None
    other = tmp_path / "copy.db"
    with_copy = Store.open(other, CATALOG.rules)
    with_copy.keep(0, Setting("flip", "off"))
    with_copy.close()
    other.with_suffix(".club").write_bytes(store.path.with_suffix(".club").read_bytes())
    assert main(["hub", "push", "--record", str(other), "--once"]) == 0
    assert main(["hub", "choose", before.keys.identity, "2", *data]) == 0
    store.keep(0, Setting("flip", "off"))
    wait_until(lambda: told.step() is ClubStep.ENDED)
    assert "join anew" in told.club().why
    assert main(["hub", "accept", join(club, hub, told), *data]) == 0
    wait_until(lambda: told.club().reached)
    after = Membership.load(store.path)
    assert after is not None
    assert after.keys != before.keys
    assert rows_of(hub) == 4
    club.stop()
