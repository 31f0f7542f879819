"""A club's membership of a federation: joining, leaving, and getting lost rows back from there."""

import time
from contextlib import suppress
from typing import Any

from sqlalchemy import delete, insert, select, update

from companion.club.box.keys import BY_BOX, BY_CLUB, SIGNATURE_BYTES, Head, identity_of
from companion.club.box.line import ClubError, ClubLine, join
from companion.club.box.membership import Membership
from companion.club.box.session import (
    CLUB,
    PushedRow,
    read_hash,
    read_key,
    read_name,
    read_place,
    read_pushed,
)
from companion.club.hub.chains import chains_of, stretches_text, unsealed_before_gaps, values_of
from companion.club.hub.database import Database
from companion.club.hub.folder import HubFolder
from companion.club.hub.schema import boxes, chains, federations, rows
from companion.core.errors import EntryError
from companion.core.json_text import CHAINS, ROWS, is_whole


async def ask_to_federate(folder: HubFolder, database: Database, address: str) -> tuple[str, str]:
    """Asks the federation's hub at `address` to accept this club; gives the federation's name and
    the six digits to compare. Raises ClubError, AwayError."""
    federation, digits = await join(address, folder.keys, folder.name, kind=CLUB)
    with database.writing() as db:
        db.execute(delete(federations).where(federations.c.club == folder.keys.identity))
        db.execute(
            insert(federations).values(
                club=folder.keys.identity, key=federation.key, name=federation.name, address=address
            )
        )
    return federation.name, digits


def membership_of(folder: HubFolder, database: Database) -> Membership | None:
    """The club's membership of its federation; None: it is in none. Raises AwayError."""
    with database.reading() as db:
        mine = federations.c.club == folder.keys.identity
        found = db.execute(select(federations).where(mine)).first()
    if found is None:
        return None
    key, name, address = bytes(found.key), found.name, found.address
    return Membership(folder.keys, key, name, address, folder.name, ((0, None),))


async def leave_federation(folder: HubFolder, database: Database) -> str | None:
    """Leaves the federation, whether or not its hub can be reached; gives its name (None: the club
    was in none). Raises AwayError."""
    membership = membership_of(folder, database)
    if membership is None:
        return None
    with suppress(ClubError):
        async with ClubLine.open(membership) as line:
            await line.ask({"leave": True}, "left")
    with database.writing() as db:
        db.execute(delete(federations).where(federations.c.club == folder.keys.identity))
    return membership.club_name


# ---------------------------------------------------------------- back from there


async def restore(folder: HubFolder, database: Database) -> int:
    """Gets every chain of the club back from its federation, into a hub that has none of them, and
    gives the number of rows. Rows are checked by their hashes, chains by both signatures. Raises
    ClubError, AwayError, and EntryError, also if this hub has rows already."""
    club = folder.keys.identity
    with database.reading() as db:
        if db.execute(select(chains.c.box).where(chains.c.club == club)).first() is not None:
            raise EntryError("this hub has games: only an empty one gets them from the federation")
    membership = membership_of(folder, database)
    if membership is None:
        raise EntryError("this club is in no federation: companion hub federate ADDRESS")
    many = 0
    async with ClubLine.open(membership) as line:
        for told in (await line.ask({"boxes": True}, "boxes"))["boxes"]:
            key, name, state = read_key(told[0]), read_name(told[1]), str(told[2])
            hello = {"box": key.hex(), "name": name, "state": state, "of": folder.name}
            found = (await line.ask(hello, "chains"))["chains"]
            box = identity_of(key)
            with database.writing() as db:
                values = {"club": club, "box": box, "key": key, "name": name, "state": state}
                db.execute(insert(boxes).values(joined_at=time.time(), **values))
            for chain in sorted(found, key=_number_of):
                many += await _restore_chain(folder, database, line, key, chain)
    return many


def _number_of(told: Any) -> int:
    """The number of a chain as a hub tells it. Raises EntryError."""
    if not isinstance(told, list) or len(told) != 9 or not is_whole(told[0], CHAINS):
        raise EntryError("those are no chains")
    return told[0]


async def _restore_chain(
    folder: HubFolder, database: Database, line: ClubLine, key: bytes, told: list[Any]
) -> int:
    """Gets one chain back and gives the number of its rows. A chain without a seal is skipped: the
    federation hasn't all of it, and its box will push it."""
    club, box = folder.keys.identity, identity_of(key)
    number, parent, first, seq, own, seal, countersign, state, _ = told
    numbered = is_whole(number, CHAINS) and (parent is None or is_whole(parent, CHAINS))
    if not (numbered and is_whole(first, ROWS) and is_whole(seq, ROWS)):
        raise EntryError("those are no chains")
    if not seal:
        return 0
    head = Head(*read_place([seq, own]))
    signed = read_hash(seal, SIGNATURE_BYTES), read_hash(countersign, SIGNATURE_BYTES)
    if not (
        head.is_sealed(key, signed[0], BY_BOX, club, box)
        and head.is_sealed(folder.keys.public, signed[1], BY_CLUB, club, box)
    ):
        raise EntryError("chain {chain} of {box} is not what was signed", chain=number, box=box)
    found = list[PushedRow]()
    while not found or found[-1].seq < seq:
        asked = {"rows-of": [box, number], "after": found[-1].seq if found else first - 1}
        part = [read_pushed(one) for one in (await line.ask(asked, "rows"))["rows"]]
        if not part:
            raise EntryError("chain {chain} of {box} lacks rows", chain=number, box=box)
        found += part
    now = time.time()
    begun = {
        "club": club, "box": box, "chain": number, "parent": parent, "first": first, "seq": seq,
        "hash": head.hash, "seal": signed[0], "countersign": signed[1], "state": state,
        "began_at": now, "grown_at": now,
    }  # fmt: skip
    with database.writing() as db:
        db.execute(insert(chains).values(begun))
        db.execute(insert(rows), values_of(found, (club, box, number)))
        of_box = chains_of(db, club, box)
        since = Head(first - 1, found[0].before)
        stretch, missing = unsealed_before_gaps(db, of_box[number], of_box, since)
        if missing is not None or (found[-1].seq, found[-1].hash) != (head.seq, head.hash):
            raise EntryError("chain {chain} of {box} lacks rows", chain=number, box=box)
        if stretch is not None:
            its = chains.c.club == club, chains.c.box == box, chains.c.chain == number
            text = stretches_text([stretch])
            db.execute(update(chains).where(*its).values(unsealed=text))
    return len(found)
