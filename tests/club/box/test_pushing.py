"""A running table pushes by itself; waiting rows are pushed once the hub is back."""

import asyncio
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from aiohttp import ClientWebSocketResponse, WSMessage, WSMsgType

from companion.app.catalog import CATALOG
from companion.app.club import BoxClub
from companion.club.box.hub_connection import ClubError, HubConnection
from companion.club.box.keys import KeyPair
from companion.club.box.membership import Membership, membership_file
from companion.club.box.protocol import BOX, HUB, Session
from companion.club.box.push import ClubPusher
from companion.club.hub.database import Database
from companion.club.hub.members import Members
from companion.club.hub.verify import verify
from companion.core.club import Club, ClubStep
from companion.record.copies.copier import Copy
from companion.record.rows import Setting
from companion.record.store.store import Store
from companion.table.events import BackgroundNotice, FromClub
from tests.club.hub.boxes import joined, record_of
from tests.starting import HubProcess, running_hub
from tests.waiting import WAIT_S, wait_until


def rows_of(hub: HubProcess) -> int:
    database = Database.from_address(hub.data / "hub.db")
    try:
        report = verify(database)
        assert report["well"]
        return int(report["rows"])
    finally:
        database.close()


def test_a_table_pushes_each_row_and_plays_on_without_its_hub(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.club.box.push.FIRST_PAUSE_S", 0.05)
    told: list[FromClub] = []
    with running_hub(tmp_path / "club") as hub:
        record = record_of(tmp_path / "record.db", [(0, Setting("flip", "on"))])
        joined(hub, record, capsys)
        store = Store.open(record, CATALOG.rules)
        club = BoxClub(store, CATALOG.rules, told.append)
        club.start()
        wait_until(lambda: rows_of(hub) == 1)
        store.keep(0, Setting("flip", "off"))
        wait_until(lambda: rows_of(hub) == 2)
        hub.kill()
        for value in ("on", "off", "on"):
            store.keep(0, Setting("flip", value))
        hub.start()
        wait_until(lambda: rows_of(hub) == 5)
        # A box that is thrown out is told so, once, and the table goes on.
        database = Database.from_address(hub.data / "hub.db")
        mine = Membership.load(record)
        assert mine is not None
        members = Members(database, mine.club_identity, time.time)
        members.expel(mine.keys.identity)
        store.keep(0, Setting("flip", "off"))
        wait_until(lambda: isinstance(told[-1], BackgroundNotice))
        assert "has thrown this box out" in str(told[-1])
        states = [replace(one, called=None, mark="") for one in told if isinstance(one, Club)]
        assert (states[-1].step, states[-1].name) == (ClubStep.ENDED, "The club")
        assert Club(ClubStep.JOINED, "The club", reached=True, minutes=0, waiting=0) in states
        assert max(one.waiting or 0 for one in states) > 0
        database.close()
        club.stop()
        store.close()


def test_a_box_without_a_club_loads_no_club_modules(tmp_path: Path) -> None:
    """Runs in a program of its own, which has loaded nothing else."""
    import subprocess

    code = (
        "import sys; from pathlib import Path; from companion.app.catalog import CATALOG; "
        "from companion.app.club import BoxClub; "
        "from companion.record.store.store import Store; "
        f"store = Store.open(Path({str(tmp_path / 'record.db')!r}), CATALOG.rules); "
        "club = BoxClub(store, CATALOG.rules, lambda _: None); club.start(); club.stop(); "
        "store.close(); "
        "print(*(name for name in sys.modules if '.club.' in name or 'cryptography' in name))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == []


def test_copies_do_not_contain_the_club_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_hub(tmp_path / "club") as hub:
        record = record_of(tmp_path / "record.db", [(0, Setting("flip", "on"))])
        joined(hub, record, capsys)
    assert membership_file(record).stat().st_mode & 0o077 == 0
    key = membership_file(record).read_text().split('"')[3]
    copies = tmp_path / "copies"
    copies.mkdir()
    assert Copy(record, CATALOG.rules, copies).catch_up() is None
    assert [path for path in copies.rglob("*") if path.is_file()]
    for path in copies.rglob("*"):
        assert not path.is_file() or key.encode() not in path.read_bytes()
        assert path.suffix != ".club"


def test_a_pusher_that_was_never_started_can_be_woken_and_stopped(tmp_path: Path) -> None:
    from companion.club.box.keys import KeyPair

    mine = Membership(KeyPair.generate(), KeyPair.generate().public, "Fives", "127.0.0.1:1", "Box")
    pusher = ClubPusher(tmp_path / "record.db", mine, CATALOG.rules)
    pusher.wake()
    pusher.stop()


def test_a_hub_that_only_sends_unasked_messages_does_not_fill_the_memory() -> None:
    box, club, session = KeyPair.generate(), KeyPair.generate(), bytes(32)
    hub = Session(club, box.public, HUB, session)

    class EndlessHub:
        async def send_str(self, _text: str) -> None:
            pass

        async def receive(self) -> WSMessage:
            return WSMessage(WSMsgType.TEXT, hub.sign_message({"line": "x"}), None)

    connection = HubConnection(
        cast(ClientWebSocketResponse, EndlessHub()), Session(box, club.public, BOX, session), WAIT_S
    )
    with pytest.raises(ClubError, match="more messages") as raised:
        asyncio.run(connection.request({"where": []}, "at"))
    assert raised.value.is_temporary
