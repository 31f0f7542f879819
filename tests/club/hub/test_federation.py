"""A hub pushes on to a federation's hub: chains and signatures arrive as the boxes made them, what
is forgotten is also forgotten there, and a lost hub gets its rows back from there."""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update

from companion.club.box.hub_connection import ClubError, HubConnection
from companion.club.box.keys import BOX_SEAL, CLUB_SEAL, KeyPair
from companion.club.box.membership import Membership
from companion.club.hub import federation as hub_federation
from companion.club.hub.chains import PUSHED_COLUMNS
from companion.club.hub.database import Database, boxes, chains, clubs, rows
from companion.club.hub.event_desk import EventDesk
from companion.club.hub.federation import membership_of
from companion.club.hub.folder import HubFolder
from companion.club.hub.members import Members, boxes_shown
from companion.club.hub.server import health
from companion.club.hub.store import HubStore
from companion.club.hub.verify import verify
from companion.commands.cli import main
from companion.core.errors import EntryError
from companion.core.values import Json
from companion.record.rows import Gap, NamesForgotten, RowsLost
from tests.club.hub.club_site import ClubSite
from tests.club.hub.postgres import Cluster
from tests.club.hub.pushing import Pusher, grown, settings
from tests.starting import HubProcess, running_hub
from tests.waiting import wait_until

HAND = "Red 5-6\nBlue 6-2"


@pytest.fixture(params=["sqlite", "postgresql"])
def federation(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """A federation's hub, on each database in turn; a sampled run tries a test on one of them."""
    more: tuple[str, ...] = ("--name", "The League")
    if request.param == "postgresql":
        made: Cluster = request.getfixturevalue("postgres")
        more = (*more, "--database", made.database())
    with running_hub(tmp_path / "league", *more) as hub:
        yield hub


def federate(club: Path, federation: HubProcess, out: pytest.CaptureFixture[str]) -> None:
    """A club joins a federation."""
    assert main(["hub", "federate", federation.address, "--data", str(club)]) == 0
    digits = out.readouterr().out.strip()
    assert re.fullmatch(r"\d{6}", digits)
    assert main(["hub", "accept", digits, "--club", "--data", str(federation.data)]) == 0
    out.readouterr()


def opened(hub: Path) -> Database:
    return HubFolder.open(hub).open_database()


def found_at(hub: Path, club: str) -> list[tuple[Any, ...]]:
    """Everything that the hub in this folder has of a club: chains with both signatures, and
    rows."""
    database = opened(hub)
    try:
        with database.reading() as db:
            of = select(
                chains.c.box, chains.c.chain, chains.c.parent, chains.c.first, chains.c.seq,
                chains.c.hash, chains.c.seal, chains.c.countersign, chains.c.state,
            ).where(chains.c.club == club)  # fmt: skip
            its = select(rows.c.box, rows.c.chain, *PUSHED_COLUMNS).where(rows.c.club == club)
            return sorted(map(repr, [*db.execute(of), *db.execute(its)]))  # type: ignore[arg-type]
    finally:
        database.close()


def is_the_same(club: Path, federation: Path) -> bool:
    identity = HubFolder.open(club).keys.identity
    return found_at(club, identity) == found_at(federation, identity)


@pytest.mark.sampled(1)
def test_a_federation_has_each_chain_of_its_clubs(
    federation: HubProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_hub(tmp_path / "club", "--name", "Friday Fives") as hub:
        site = ClubSite(hub, tmp_path)
        site.join("Kitchen")
        site.play("Kitchen", HAND, "Red Blue")
        federate(hub.data, federation, capsys)
        wait_until(lambda: is_the_same(hub.data, federation.data))
        # New rows go on to the federation at once; those kept while its hub is away go later.
        site.say("Kitchen", "Red 6-6", "Red Blue")
        wait_until(lambda: is_the_same(hub.data, federation.data))
        federation.kill()
        site.join("Porch")
        site.play("Porch", HAND, "Red Blue")
        store = HubStore(opened(hub.data), HubFolder.open(hub.data).keys)
        EventDesk(store).begin({"name": "Cup", "format": "tables"}, "organiser")
        store.database.close()
        federation.start()
        wait_until(lambda: is_the_same(hub.data, federation.data))
        report = told(federation.data)
        assert report["well"]
        assert {one["name"] for one in report["chains"]} == {"Kitchen", "Porch", "the hub itself"}
        assert {one["club"] for one in report["chains"]} == {store.club}
        with_league = opened(federation.data)
        assert health(with_league, HubFolder.open(federation.data).keys.identity, 0.0) == {
            "clubs": 1, "boxes": 2, "joining": 0, "forks": 0,
            "rows": sum(one["rows"] for one in report["chains"]),
        }  # fmt: skip
        with_league.close()
        # At the federation each table is shown under its club's name.
        league = ClubSite(federation, tmp_path)
        names = asyncio.run(table_names(league))
        wait_until(lambda: asyncio.run(table_names(league)) == NAMES)
        assert names <= NAMES
        assert main(["hub", "federate", "--leave", "--data", str(hub.data)]) == 0
        assert "has left The League" in capsys.readouterr().out
        site.say("Kitchen", "Blue 2-2", "Red Blue")
        assert not is_the_same(hub.data, federation.data)
        assert told(federation.data)["well"]


NAMES = {"Friday Fives: Kitchen", "Friday Fives: Porch"}


async def table_names(league: ClubSite) -> set[str]:
    from aiohttp import ClientSession

    async with ClientSession() as client:
        asked = {"token": league.word("watch")}
        async with client.get(f"{league.url}/api/tables", params=asked) as found:
            return {one["name"] for one in (await found.json())["tables"]}


def told(hub: Path) -> Json:
    database = opened(hub)
    try:
        return verify(database)
    finally:
        database.close()


@pytest.mark.sampled(1)
def test_a_federation_gets_forgotten_names_forks_and_gaps_too(
    federation: HubProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_hub(tmp_path / "club", "--name", "Friday Fives") as hub:
        store = HubStore(opened(hub.data), HubFolder.open(hub.data).keys)
        box, links = Pusher.joined(store), grown([], settings(1200))
        for at in range(0, 1200, 400):
            box.push(links[at : at + 400])
        box.push(grown(links[:700], settings(3, "off"))[700:])  # a fork, with a parent
        lossy = Pusher.joined(store, "Attic")
        kept = grown([], settings(9))
        declared = grown(kept, [(0, RowsLost((Gap(4, 6),), "record.db.broken"))])
        store.store_batch(lossy.batch(kept[:3]))
        store.store_batch(lossy.batch(declared[6:], lossy.batch(kept[:3]).head, lost=declared[-1]))
        private = Pusher.joined(store, "Porch")
        closed = grown([], settings(5))
        store.store_batch(private.batch(closed, closed=True))
        federate(hub.data, federation, capsys)
        wait_until(lambda: is_the_same(hub.data, federation.data))
        report = told(federation.data)
        assert [one["declared"] for one in report["chains"] if one["name"] == "Attic"] != [[]]
        assert len(report["forks"]) == 1
        assert all(one["whole"] for one in report["chains"])
        # The organiser's choice, and rows that are opened later, go to the federation, too.
        store.choose_chain(store.club, box.box, 1)
        store.open_rows(store.club, private.box, private.batch(closed[1:3]).rows)
        wait_until(lambda: is_the_same(hub.data, federation.data))
        assert told(federation.data)["well"]
        forgot = grown([], [(0, NamesForgotten(("Player_1",))), *settings(600)])
        for at in range(0, 601, 300):
            box.push(forgot[at : at + 300])
        wait_until(lambda: is_the_same(hub.data, federation.data))
        report = told(federation.data)
        assert report["well"]
        assert [one["rows"] for one in report["chains"] if one["box"] == box.box] == [601]
        store.database.close()


@pytest.mark.sampled(1)
def test_a_lost_hub_is_restored_from_its_federation(
    federation: HubProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_hub(tmp_path / "club", "--name", "Friday Fives") as hub:
        site = ClubSite(hub, tmp_path)
        site.join("Kitchen")
        site.play("Kitchen", HAND, "Red Blue")
        store = HubStore(opened(hub.data), HubFolder.open(hub.data).keys)
        EventDesk(store).begin({"name": "Cup", "format": "tables"}, "organiser")
        store.database.close()
        federate(hub.data, federation, capsys)
        wait_until(lambda: is_the_same(hub.data, federation.data))
        before = found_at(hub.data, store.club)
        port = hub.port
    new = tmp_path / "new"
    new.mkdir()
    shutil.copy(hub.data / "club.key", new)
    assert main(["hub", "restore", "--data", str(new)]) != 0
    assert "isn't in a federation" in capsys.readouterr().err
    federate(new, federation, capsys)
    assert main(["hub", "restore", "--data", str(new)]) == 0
    assert "rows came back" in capsys.readouterr().out
    assert found_at(new, store.club) == before
    assert main(["hub", "verify", "--data", str(new)]) == 0
    assert HubFolder.open(new).name == "Friday Fives"
    database = opened(federation.data)
    with database.reading() as db:
        shown = boxes_shown(db, HubFolder.open(federation.data).keys.identity)
    database.close()
    assert [one.name for one in shown if one.club == store.club] == ["Friday Fives: Kitchen"]
    assert main(["hub", "restore", "--data", str(new)]) != 0
    again = HubProcess(new)
    again.port = port
    again.start()
    try:  # its boxes know it by its key, and go on
        site.say("Kitchen", "Red 6-6", "Red Blue")
        wait_until(lambda: is_the_same(new, federation.data))
        assert told(new)["well"]
    finally:
        again.kill()


BOX = KeyPair.from_private(b"b" * 32)


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({"boxes": 7}, "not chains"),
        ({"boxes": [7]}, "not chains"),
        ({"boxes": [["ab"]]}, "not chains"),
        ({"boxes": [[7, "Kitchen", "in"]]}, "hexadecimal|hash|key|signature"),
        ({"boxes": [[BOX.public.hex(), "Kitchen", "in"]], "chains": {"1": 2}}, "not chains"),
        ({"boxes": [[BOX.public.hex(), "Kitchen", "in"]], "chains": [[1, 2]]}, "not chains"),
    ],
)
def test_a_federations_malformed_answer_is_refused_in_a_line(
    answers: Json, why: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Lying:
        async def request(self, _message: Json, answer: str) -> Json:
            return {answer: answers[answer]}

    @asynccontextmanager
    async def open_lying(_membership: object) -> AsyncIterator[Lying]:
        yield Lying()

    monkeypatch.setattr(HubConnection, "open", open_lying)
    monkeypatch.setattr(hub_federation, "membership_of", lambda *_: object())
    folder = HubFolder.open(tmp_path, make=True, name="Friday Fives")
    database = folder.open_database()
    database.migrate()
    Members(database, folder.keys.identity, lambda: 0.0).begin(folder.keys, folder.name)
    with pytest.raises(EntryError, match=why):
        asyncio.run(hub_federation.restore(folder, database))
    database.close()


@pytest.mark.sampled(1)
def test_a_federation_refuses_everything_unsigned(
    federation: HubProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_hub(tmp_path / "club", "--name", "Friday Fives") as hub:
        folder = HubFolder.open(hub.data)
        store = HubStore(opened(hub.data), folder.keys)
        box, links = Pusher.joined(store), grown([], settings(4))
        box.push(links)
        federate(hub.data, federation, capsys)
        wait_until(lambda: is_the_same(hub.data, federation.data))
        mine = membership_of(folder, store.database)
        assert mine is not None
        asyncio.run(push_what_is_wrong(mine, box, links))
        # A club that was thrown out pushes nothing more.
        assert main(["hub", "throw-out", "Friday Fives", "--data", str(federation.data)]) == 0
        box.push(grown(links, settings(1))[4:])
        with pytest.raises(ClubError, match="thrown this box out"):
            asyncio.run(push_what_is_wrong(mine, box, links))
        report = told(federation.data)
        assert report["well"]
        assert report["rows"] == 4
        store.database.close()
        # A change in the federation's database is found by its check.
        league = opened(federation.data)
        with league.writing() as db:
            db.execute(update(chains).values(countersign=b"?" * 64))
        assert not verify(league)["well"]
        with league.reading() as db:
            assert db.execute(select(func.count()).select_from(clubs)).scalar() == 2
            assert db.execute(select(func.count()).select_from(boxes)).scalar() == 2
        league.close()


async def push_what_is_wrong(mine: Membership, box: Pusher, links: list[Any]) -> None:
    new = grown(links, settings(2, "off"))[4:]
    batch = box.batch(new)
    good: Json = {
        "chain": [box.box, 1, None, 1, "live"],
        "after": [4, links[-1].hash.hex()],
        "rows": [row.json for row in batch.rows],
        "seal": batch.seal.hex(),
        "countersign": batch.head.make_seal(mine.keys, CLUB_SEAL, *_place(mine, box)).hex(),
    }
    stranger = KeyPair.generate()
    forged = batch.head.make_seal(stranger, BOX_SEAL, *_place(mine, box)).hex()
    wrong: list[tuple[Json, str]] = [
        ({**good, "seal": forged}, "the seal of these rows is wrong"),
        ({**good, "countersign": forged}, "the club has not signed"),
        ({**good, "seal": None}, "the seal of these rows is wrong"),
        ({**good, "chain": [box.box, 2, 1, 9, "live"]}, "follow on none"),
        ({**good, "chain": [box.box, 2, 1, 5, "live"], "after": [4, "0" * 64]}, "want"),
        ({**good, "chain": [box.box, 1, None, 1, "dead"]}, "not a chain of a box"),
        ({**good, "chain": ["0" * 16, 1, None, 1, "live"]}, "name the box first"),
        ({**good, "rows": [[*batch.rows[0].json[:6], "0" * 64]]}, "changed after"),
        ({"opens": box.box, "rows": "all"}, "not rows of a box"),
        ({"rows-of": [box.box, 0], "after": 0}, "hub doesn't know that request"),
        ({"rows-of": ["\0" * 16, 1], "after": 0}, "hub doesn't know that request"),
        ({"opens": "\0" * 16, "rows": []}, "not rows of a box"),
        ({"box": "zz", "name": "x", "of": "y", "state": "member"}, "no key"),
    ]
    hello = {"box": box.keys.public.hex(), "name": "Kitchen", "state": "member", "of": "Fives"}
    for message, why in wrong:
        async with HubConnection.open(mine) as line:
            await line.request(hello, "chains")
            if why == "want":
                assert "want" in await line.request(message, "have", "want")
                continue
            with pytest.raises(ClubError, match=why):
                await line.request(message, "have", "want", "opened", "rows", "chains")
    # The club's own key is pinned: nobody else speaks for it.
    with pytest.raises(ClubError, match="no member"):
        async with HubConnection.open(replace(mine, keys=stranger)) as line:
            pass


def _place(mine: Membership, box: Pusher) -> tuple[str, str]:
    return mine.keys.identity, box.box
