"""Pushed rows are stored once and unchanged, with SQLite and with PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, select

from companion.club.box.keys import CLUB_SEAL, Head
from companion.club.hub.chains import (
    ASIDE,
    LIVE,
    PUSHED_COLUMNS,
    chains_of,
    pushed_row_from,
    rows_condition,
)
from companion.club.hub.database import METADATA, Database, erased, rows
from companion.club.hub.members import Members
from companion.club.hub.store import Acknowledged, HubStore, MissingRows, RefusedBatch, rows_after
from companion.core.errors import EntryError, SetupError
from companion.record.rows import Gap, NamesForgotten, RowsLost
from companion.record.store.database import ChainLink
from tests.club.hub.pushing import Pusher, club, grown, settings


def kept(store: HubStore, box: Pusher, chain: int = 1) -> list[ChainLink]:
    """The rows of a box's chain as the hub has them, with those of the chains that it grew from."""
    with store.database.reading() as db:
        box_chains = chains_of(db, store.club, box.box)
        asked = (
            select(*PUSHED_COLUMNS)
            .where(rows_condition(box_chains[chain], box_chains))
            .order_by(rows.c.seq)
        )
        found = [pushed_row_from(one).link for one in db.execute(asked)]
    return [link for link in found if link]


def states(store: HubStore, box: Pusher) -> dict[int, str]:
    with store.database.reading() as db:
        return {number: one.state for number, one in chains_of(db, store.club, box.box).items()}


def test_the_migrations_create_the_described_schema(database: Database) -> None:
    with database.engine.connect() as db:
        assert compare_metadata(MigrationContext.configure(db), METADATA) == []
    database.migrate()  # once more changes nothing


def test_every_row_is_stored_once_and_unchanged_however_often_it_is_sent(
    database: Database,
) -> None:
    store = club(database)
    box, links = Pusher.joined(store), grown([], settings(9))
    first = box.push(links[:4])
    assert isinstance(first, Acknowledged)
    assert first.added == 4
    assert first.head == Head(4, links[3].hash)
    assert first.head.has_valid_seal(
        store.keys.public, first.countersign, CLUB_SEAL, store.club, box.box
    )
    again = box.push(links[:4])
    assert isinstance(again, Acknowledged)
    assert (again.added, again.countersign) == (0, first.countersign)
    overlapping = box.push(links[2:])
    assert isinstance(overlapping, Acknowledged)
    assert (overlapping.added, overlapping.fork) == (5, False)
    assert kept(store, box) == links


def test_missing_rows_are_requested_again(database: Database) -> None:
    store = club(database)
    box, links = Pusher.joined(store), grown([], settings(9))
    box.push(links[:3])
    unknown = box.push(links[5:])
    assert unknown == MissingRows(0)  # the row before is not known: the box asks for its place
    assert store.store_batch(box.batch([*links[3:5], *links[6:]])) == MissingRows(6)
    assert kept(store, box) == links[:3]


def test_a_gap_declared_by_the_record_is_accepted(database: Database) -> None:
    store = club(database)
    box, links = Pusher.joined(store), grown([], settings(6))
    lost = RowsLost((Gap(4, 5), Gap(7, None)), "record.db.damaged")
    whole = grown(links, [(0, lost), *settings(2)])
    left = [*whole[:3], *whole[5:]]
    assert box.push(left) == MissingRows(4)
    taken = store.store_batch(box.batch(left, lost=whole[6]))
    assert isinstance(taken, Acknowledged)
    assert kept(store, box) == left
    # Rows that came back since lie before the one that speaks of the loss, which knew none of them.
    odd = ChainLink.make(b"?" * 32, (10, 0, whole[6].row, None, None))
    assert isinstance(store.store_batch(box.batch([odd], Head(9, whole[8].hash))), Acknowledged)


def test_both_branches_of_a_fork_are_kept_until_the_organiser_chooses(database: Database) -> None:
    store = club(database)
    box, links = Pusher.joined(store), grown([], settings(6))
    restored = grown(links[:4], settings(3, "off"))
    box.push(links)
    forked = box.push(restored[4:])
    assert isinstance(forked, Acknowledged)
    assert forked.fork
    longer = grown(links, settings(1))
    assert isinstance(box.push(longer[6:]), Acknowledged)  # both may grow
    assert isinstance(box.push(grown(restored, settings(1))[7:]), Acknowledged)
    assert kept(store, box, 1) == longer
    assert kept(store, box, 2)[:7] == restored
    store.choose_chain(store.club, box.box, 2)
    assert states(store, box) == {1: ASIDE, 2: LIVE}
    refused = box.push(grown(longer, settings(1))[7:])
    assert isinstance(refused, RefusedBatch)
    assert refused.code == "aside"
    assert kept(store, box, 1) == longer
    with pytest.raises(EntryError, match="no chain 3"):
        store.choose_chain(store.club, box.box, 3)


def test_forgotten_rows_can_not_be_pushed_again(database: Database) -> None:
    store = club(database)
    box, links = Pusher.joined(store), grown([], settings(5))
    box.push(links)
    box.push(grown(links[:2], settings(2, "off"))[2:])
    forgot = grown([], [(0, NamesForgotten(("Player_1",))), *settings(5)])
    taken = box.push(forgot[:2])
    assert isinstance(taken, Acknowledged)
    assert not taken.fork
    with database.reading() as db:
        assert db.execute(select(func.count()).select_from(rows)).scalar() == 2
        assert db.execute(select(erased.c.first)).scalars().all() == [links[0].hash]
    assert box.push(links) == RefusedBatch(
        "forgotten", "these rows were forgotten at this box: restore a newer copy"
    )
    assert isinstance(box.push(forgot[2:]), Acknowledged)
    assert kept(store, box, 3) == forgot
    twice = grown([], [(0, NamesForgotten(("Player_2",))), *settings(5)])
    assert isinstance(box.push(twice), Acknowledged)
    assert states(store, box) == {4: LIVE}


def test_only_hashes_of_a_private_row_are_kept_until_it_is_opened(database: Database) -> None:
    store = club(database)
    box, links = Pusher.joined(store), grown([], settings(4))
    store.store_batch(box.batch(links, closed=True))
    assert kept(store, box) == []
    opened = box.batch(links[1:3]).rows
    forged = opened[0]._replace(hash=b"!" * 32)
    assert store.open_rows(store.club, box.box, [*opened, forged]) == 2
    assert kept(store, box) == links[1:3]
    place = store.find_newest_row(store.club, box.box, [Head(9, b"?" * 32), Head(2, links[1].hash)])
    assert place == (Head(2, links[1].hash), Head(4, links[3].hash))
    given = rows_after(database, store.club, box.box, place[0], 9)
    assert [(row.seq, row.link) for row in given] == [(3, links[2]), (4, None)]


def test_a_box_that_is_not_a_member_is_refused(database: Database) -> None:
    store = club(database)
    members = Members(database, store.club, store.clock)
    stranger, links = Pusher(store), grown([], settings(2))
    assert isinstance(found := stranger.push(links), RefusedBatch)
    assert found.code == "unknown"
    assert members.box(stranger.keys.public) is None
    members.store_request(stranger.keys.public, "Attic", "000001")
    assert [one.digits for one in members.open_requests()] == ["000001"]
    assert members.box(stranger.keys.public) == "waiting"
    with pytest.raises(EntryError, match="no box"):
        members.accept("999999")
    members.accept("000001")
    assert isinstance(stranger.push(links), Acknowledged)
    members.expel(stranger.box)
    assert isinstance(found := stranger.push(grown(links, settings(1))), RefusedBatch)
    assert found.code == "sent-away"


def test_a_batch_that_two_hubs_get_at_once_is_stored_once(
    database: Database, address: str | Path
) -> None:
    """Each batch reaches both hubs at the same time, each over its own connection."""
    other = Database.from_address(address)
    first = club(database)
    second = club(other, first.keys)
    box, links = Pusher.joined(first), grown([], settings(40))
    batches = [box.batch(links[at : at + 2]) for at in range(0, 40, 2)]
    with ThreadPoolExecutor(2) as both:
        for batch in batches:
            taken = [*both.map(lambda store, one=batch: store.store_batch(one), (first, second))]
            assert [type(one) for one in taken] == [Acknowledged, Acknowledged]
            assert sum(one.added for one in taken if isinstance(one, Acknowledged)) == 2
    assert kept(second, box) == links
    assert states(second, box) == {1: LIVE}
    other.close()


def test_another_club_s_key_is_refused(database: Database) -> None:
    club(database)
    with pytest.raises(SetupError, match=r"copy club\.key"):
        club(database)
