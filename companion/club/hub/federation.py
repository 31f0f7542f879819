"""A club's membership of a federation: joining, leaving, pushing the rows of the club's boxes to
the federation's hub, and restoring lost rows from there.

Chains, hashes and signatures stay as the boxes made them. A hub pushes as a box does
(club/box/push.py): over one connection, from the first row that the federation lacks. With each new
connection it asks the federation which rows are there, so it stores no progress of its own.
federated_chains.py is the federation's side.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from companion.club.box.hub_connection import ClubError, HubConnection, join
from companion.club.box.keys import BOX_SEAL, CLUB_SEAL, SIGNATURE_BYTES, Head, identity_of
from companion.club.box.membership import Membership
from companion.club.box.protocol import (
    CLUB,
    ROWS_AT_ONCE,
    PushedRow,
    read_hash,
    read_key,
    read_name,
    read_place,
    read_pushed,
)
from companion.club.box.push import FIRST_PAUSE_S, LONGEST_PAUSE_S
from companion.club.hub.chains import (
    PUSHED_COLUMNS,
    Chain,
    chain_from_row,
    chains_of,
    format_ranges,
    insert_values,
    loss_marks_in,
    pushed_row_from,
    rows_condition,
    unsealed_before_gaps,
)
from companion.club.hub.database import (
    Committer,
    Database,
    UnavailableError,
    boxes,
    chains,
    federations,
    rows,
)
from companion.club.hub.federated_chains import rows_of_chain
from companion.club.hub.folder import DEFAULT_NAME, HubFolder
from companion.club.hub.members import Member, member_of
from companion.club.hub.store import RECORD_BEGINS, rows_that_fit
from companion.core.errors import EntryError
from companion.core.json_text import CHAINS, ROWS, is_whole
from companion.core.values import dataclass
from companion.record.fold import row_number_of_loss
from companion.record.store.chain import ChainBreak

# ---------------------------------------------------------------- membership


async def ask_to_federate(folder: HubFolder, database: Database, address: str) -> tuple[str, str]:
    """Asks the federation's hub at `address` to accept this club; returns the federation's name and
    the six digits to compare. Raises ClubError, UnavailableError."""
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
    """The club's membership of its federation; None if it is in none. Raises UnavailableError."""
    with database.reading() as db:
        mine = federations.c.club == folder.keys.identity
        found = db.execute(select(federations).where(mine)).first()
    if found is None:
        return None
    key, name, address = bytes(found.key), found.name, found.address
    return Membership(folder.keys, key, name, address, folder.name, ((0, None),))


async def leave_federation(folder: HubFolder, database: Database) -> str | None:
    """Leaves the federation, even if its hub can't be reached, and returns the federation's name
    (None if the club was in none). Raises UnavailableError."""
    membership = membership_of(folder, database)
    if membership is None:
        return None
    with suppress(ClubError):
        async with HubConnection.open(membership) as connection:
            await connection.request({"leave": True}, "left")
    with database.writing() as db:
        db.execute(delete(federations).where(federations.c.club == folder.keys.identity))
    return membership.club_name


# ---------------------------------------------------------------- restoring


async def restore(folder: HubFolder, database: Database) -> int:
    """Restores every chain of the club from its federation, into a hub that has no chains, and
    returns the number of rows. If the folder has no name for the club, it takes the name that the
    federation has. Rows are checked by their hashes, chains by both signatures. Raises ClubError,
    UnavailableError, SetupError, and EntryError, also if this hub has rows already."""
    club = folder.keys.identity
    with database.reading() as db:
        if db.execute(select(chains.c.box).where(chains.c.club == club)).first() is not None:
            raise EntryError("this hub has games: only an empty one gets them from the federation")
    membership = membership_of(folder, database)
    if membership is None:
        raise EntryError("this club isn't in a federation: companion hub federate ADDRESS")
    many = 0
    async with HubConnection.open(membership) as connection:
        there = await connection.request({"boxes": True}, "boxes")
        if folder.name == DEFAULT_NAME and "name" in there:
            folder = HubFolder.open(folder.path, name=read_name(there["name"]))
        for listed in _as_list(there["boxes"]):
            if not isinstance(listed, list) or len(listed) < 3:
                raise EntryError("those are not chains")
            key, name, state = read_key(listed[0]), read_name(listed[1]), str(listed[2])
            hello = {"box": key.hex(), "name": name, "state": state, "of": folder.name}
            found = _as_list((await connection.request(hello, "chains"))["chains"])
            box = identity_of(key)
            with database.writing() as db:
                values = {"club": club, "box": box, "key": key, "name": name, "state": state}
                db.execute(insert(boxes).values(joined_at=time.time(), **values))
            for chain in sorted(found, key=_chain_number):
                many += await _restore_chain(folder, database, connection, key, chain)
    return many


def _as_list(found: object) -> list[Any]:
    """Returns a list that a hub sent. Raises EntryError if it is none."""
    if not isinstance(found, list):
        raise EntryError("those are not chains")
    return found


def _chain_number(listed: Any) -> int:
    """Returns the number of a chain in a hub's list of chains. Raises EntryError."""
    if not isinstance(listed, list) or len(listed) != 9 or not is_whole(listed[0], CHAINS):
        raise EntryError("those are not chains")
    return listed[0]


async def _restore_chain(
    folder: HubFolder, database: Database, connection: HubConnection, key: bytes, listed: list[Any]
) -> int:
    """Restores one chain and returns the number of its rows. A chain without a seal is skipped: the
    federation doesn't have all of it, and its box will push it."""
    club, box = folder.keys.identity, identity_of(key)
    number, parent, first, seq, own, seal, countersign, state, _ = listed
    numbered = is_whole(number, CHAINS) and (parent is None or is_whole(parent, CHAINS))
    if not (numbered and is_whole(first, ROWS) and is_whole(seq, ROWS)):
        raise EntryError("those are not chains")
    if not seal:
        return 0
    head = Head(*read_place([seq, own]))
    signed = read_hash(seal, SIGNATURE_BYTES), read_hash(countersign, SIGNATURE_BYTES)
    if not (
        head.has_valid_seal(key, signed[0], BOX_SEAL, club, box)
        and head.has_valid_seal(folder.keys.public, signed[1], CLUB_SEAL, club, box)
    ):
        raise EntryError("chain {chain} of {box} is not what was signed", chain=number, box=box)
    found = list[PushedRow]()
    while not found or found[-1].seq < seq:
        after = found[-1].seq if found else first - 1
        answer = await connection.request({"rows-of": [box, number], "after": after}, "rows")
        part = [read_pushed(one) for one in _as_list(answer["rows"])]
        if not part or part[0].seq <= after:
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
        db.execute(insert(rows), insert_values(found, (club, box, number)))
        box_chains = chains_of(db, club, box)
        since = Head(first - 1, found[0].before)
        stretch, missing = unsealed_before_gaps(db, box_chains[number], box_chains, since)
        if missing is not None or (found[-1].seq, found[-1].hash) != (head.seq, head.hash):
            raise EntryError("chain {chain} of {box} lacks rows", chain=number, box=box)
        if stretch is not None:
            its = chains.c.club == club, chains.c.box == box, chains.c.chain == number
            text = format_ranges([stretch])
            db.execute(update(chains).where(*its).values(unsealed=text))
    return len(found)


# ---------------------------------------------------------------- pushing to the federation

POLL_S: Final = 2.0
"""Seconds between two checks for new rows."""
MOST_TRIES: Final = 5
"""How many times in succession a box's rows are pushed again if the federation requests rows again.
"""


async def keep_pushing_to_federation(
    folder: HubFolder, database: Database, committer: Committer, tell: Callable[[str], None]
) -> None:
    """Pushes all new rows to the federation until cancelled. `tell` gets a line whenever pushing
    begins to succeed or to fail."""
    said, pause = "", FIRST_PAUSE_S

    async def read_membership() -> Membership | None:
        return await committer.read(lambda: membership_of(folder, database))

    while True:
        try:
            if (membership := await read_membership()) is not None:
                async with HubConnection.open(membership) as connection:
                    pushing, pause = FederationPusher(folder, database, committer), FIRST_PAUSE_S
                    while await read_membership() == membership:
                        await pushing.push(connection)
                        if said != (done := f"{membership.club_name} has all rows."):
                            tell(said := done)
                        await asyncio.sleep(POLL_S)
        except (ClubError, UnavailableError, EntryError, OSError, TimeoutError) as error:
            if said != (why := f"Nothing goes to the federation: {error}"):
                tell(said := why)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_S)
        else:
            await asyncio.sleep(POLL_S)


@dataclass(frozen=True, slots=True)
class _FederationChain:
    """The federation's copy of a chain. `newest`: its newest row, sealed or not; `head`: its newest
    sealed row. `opened`: how many rows about the box itself (of no game) have their content
    there."""

    head: Head
    state: str
    opened: int
    newest: Head


class FederationPusher:
    """Pushes everything that the federation lacks, over one connection."""

    def __init__(self, folder: HubFolder, database: Database, committer: Committer) -> None:
        self._folder, self._database, self._committer = folder, database, committer
        self._pushed_states: dict[str, object] = {}
        """For each box, its value from _boxes_with_state at the time when the federation last had
        all its rows. """
        self.rows = 0
        """How many rows the federation has taken."""

    async def push(self, connection: HubConnection) -> None:
        """Pushes everything new since the last call. Raises ClubError, EntryError,
        UnavailableError."""
        for member, now in await self._committer.read(self._boxes_with_state):
            if self._pushed_states.get(member.box) == now:
                continue
            for _ in range(MOST_TRIES):
                if await self._push_box(connection, member):
                    break
            else:
                raise ClubError("the federation asks for the same rows again and again")
            self._pushed_states[member.box] = now

    def _boxes_with_state(self) -> list[tuple[Member, object]]:
        """Returns the club's boxes and the hub itself, each with a value that changes with any
        change to the box."""
        club = self._folder.keys.identity
        with self._database.reading() as db:
            found: dict[str, list[Chain]] = {}
            for one in db.execute(select(chains).where(chains.c.club == club)):
                found.setdefault(one.box, []).append(chain_from_row(one))
            asked = select(boxes).where(boxes.c.club == club)
            members = [one for one in map(member_of, db.execute(asked)) if one.box in found]
            return [
                (one, (one.name, one.state, [(c, _open_row_count(db, c)) for c in found[one.box]]))
                for one in members
            ]

    def _chains_of_box(self, db: Connection, box: str) -> dict[int, Chain]:
        return chains_of(db, self._folder.keys.identity, box)

    # ------------------------------------------------------------ pushing a box

    async def _push_box(self, connection: HubConnection, member: Member) -> bool:
        """Pushes all new rows of a box. Returns False if the federation's rows have to be requested
        again."""
        hello = {
            "box": member.key.hex(), "name": member.name, "state": member.state,
            "of": self._folder.name, "parts": True,
        }  # fmt: skip
        there = _read_federation_chains((await connection.request(hello, "chains"))["chains"])
        box_chains = await self._committer.read(lambda: self._read_chains(member.box))
        for chain in box_chains.values():
            if not await self._push_chain(connection, chain, there.get(chain.chain)):
                return False
        return True

    def _read_chains(self, box: str) -> dict[int, Chain]:
        with self._database.reading() as db:
            return self._chains_of_box(db, box)

    async def _push_chain(
        self, connection: HubConnection, chain: Chain, there: _FederationChain | None
    ) -> bool:
        if there is not None and there.opened != (
            await self._committer.read(lambda: self._opened_to(chain, there.newest.seq))
        ):
            await self._send_opened_rows(connection, chain, there.newest.seq)
        head = None if there is None else there.newest
        if there is not None and (there.head, there.state) == (chain.head, chain.state):
            return True
        if there is not None and there.head == chain.head:
            answer = await connection.request(
                _part_message(chain, there.head, [], None), "have", "kept", "want"
            )
            return "want" not in answer
        if (
            there is not None
            and there.newest != there.head
            and not await self._committer.read(lambda: self._has_row(chain, there.newest))
        ):
            head = there.head  # the federation has unsealed rows that this hub no longer has
        while head is None or head.seq < chain.head.seq:
            message, new = await self._committer.read(partial(self._next_part, chain, head))
            answer = await connection.request(message, "have", "kept", "want")
            if "want" in answer:
                return False
            _check_answer(answer, new, connection, chain)
            head = new
            self.rows += len(message["rows"])
        return True

    def _has_row(self, chain: Chain, place: Head) -> bool:
        """Whether the row `place` is one of the chain's own rows, and older than its newest."""
        mine = rows.c.club == chain.club, rows.c.box == chain.box, rows.c.chain == chain.chain
        here = rows.c.seq == place.seq, rows.c.hash == place.hash, rows.c.seq < chain.head.seq
        with self._database.reading() as db:
            return db.execute(select(rows.c.seq).where(*mine, *here)).first() is not None

    def _next_part(self, chain: Chain, there: Head | None) -> tuple[dict[str, Any], Head]:
        """Returns a message with the chain's next rows after the row `there`, and the last of these
        rows. Raises EntryError if this hub lacks some of them."""
        with self._database.reading() as db:
            box_chains = self._chains_of_box(db, chain.box)
            after = there or _branch_point(db, chain, box_chains)
            found = rows_of_chain(db, chain.key, max(after.seq, chain.first - 1), ROWS_AT_ONCE)
            marks = loss_marks_in(db, chain, box_chains)
            taken, lost_at = list[PushedRow](), None
            place = after
            for row in rows_that_fit(one for one in found if one.seq <= chain.head.seq):
                if (row.seq, row.before) != (place.seq + 1, place.hash) and row.kind != "lost":
                    gap = ChainBreak(place.seq + 1, row.seq - 1)
                    declared = row_number_of_loss(gap, marks)
                    if taken and declared != lost_at:
                        break
                    lost_at = declared
                taken.append(row)
                place = Head(row.seq, row.hash)
            lost = None
            if lost_at is not None:
                asked = select(*PUSHED_COLUMNS).where(
                    rows_condition(chain, box_chains), rows.c.seq == lost_at
                )
                lost = pushed_row_from(db.execute(asked).one())
        if not taken:
            raise EntryError("chain {chain} of {box} lacks rows", chain=chain.chain, box=chain.box)
        return _part_message(chain, after, taken, lost), place

    # ------------------------------------------------------------ rows opened later

    def _opened_to(self, chain: Chain, last: int) -> int:
        with self._database.reading() as db:
            return _open_row_count(db, chain, last)

    async def _send_opened_rows(self, connection: HubConnection, chain: Chain, last: int) -> None:
        """Sends the federation the content of rows that were private when pushed and that the box
        has opened since, up to number `last`."""

        def read() -> list[PushedRow]:
            with self._database.reading() as db:
                which = (
                    select(*PUSHED_COLUMNS)
                    .where(*_rows_of_box_itself(chain, last))
                    .order_by(rows.c.seq)
                )
                return [pushed_row_from(one) for one in db.execute(which)]

        opened = await self._committer.read(read)
        for at in range(0, len(opened), ROWS_AT_ONCE):
            part = [row.json for row in opened[at : at + ROWS_AT_ONCE]]
            await connection.request({"opens": chain.box, "rows": part}, "opened")


def _read_federation_chains(found: object) -> dict[int, _FederationChain]:
    if not isinstance(found, list):
        raise EntryError("those are not chains")
    there = {}
    for one in found:
        match one:
            case [chain, _, _, seq, str(own), _, _, str(state), many, *more] if (
                is_whole(chain, CHAINS) and is_whole(seq, ROWS) and is_whole(many, ROWS)
            ):
                head = Head(seq, read_hash(own))
                newest = Head(*read_place(more[0])) if more else head
                there[chain] = _FederationChain(head, state, many, newest)
            case _:
                raise EntryError("those are not chains")
    return there


def _part_message(
    chain: Chain, after: Head, part: Sequence[PushedRow], lost: PushedRow | None
) -> dict[str, Any]:
    """The message with a chain's rows after `after`; it has both signatures if the last of these
    rows is the chain's newest."""
    message: dict[str, Any] = {
        "chain": [chain.box, chain.chain, chain.parent, chain.first, chain.state],
        "after": [after.seq, after.hash.hex()],
        "rows": [row.json for row in part],
    }
    if part and Head(part[-1].seq, part[-1].hash) == chain.head:
        message |= {"seal": chain.seal.hex(), "countersign": chain.countersign.hex()}
    if lost is not None:
        message["lost"] = lost.json
    return message


def _check_answer(
    answer: dict[str, Any], head: Head, connection: HubConnection, chain: Chain
) -> None:
    """Raises ClubError unless the federation has signed that it has the rows up to `head`, or keeps
    them until the box's seal arrives with the chain's last row."""
    if "kept" in answer:
        if head == chain.head or Head(*read_place(answer["kept"])) != head:
            raise ClubError("the federation keeps other rows than it was sent", "malformed")
        return
    seal = read_hash(answer.get("seal"), SIGNATURE_BYTES)
    signed = head.has_valid_seal(connection.club_key, seal, CLUB_SEAL, chain.club, chain.box)
    if Head(*read_place(answer["have"])) != head or not signed:
        raise ClubError("the federation acknowledges other rows than it was sent", "malformed")


def _branch_point(db: Connection, chain: Chain, box_chains: dict[int, Chain]) -> Head:
    """The row of the parent chain after which this chain branches off."""
    if chain.parent is None:
        return RECORD_BEGINS
    parent = box_chains[chain.parent]
    asked = select(rows.c.seq, rows.c.hash).where(
        rows_condition(parent, box_chains), rows.c.seq < chain.first
    )
    seq, own = db.execute(asked.order_by(rows.c.seq.desc()).limit(1)).one()
    return Head(seq, bytes(own))


def _rows_of_box_itself(chain: Chain, last: int) -> tuple[ColumnElement[bool], ...]:
    """The SQL conditions for this chain's rows about the box itself (of no game) whose content is
    stored, up to number `last`."""
    mine = rows.c.club == chain.club, rows.c.box == chain.box, rows.c.chain == chain.chain
    return *mine, rows.c.game == 0, rows.c.seq <= last


def _open_row_count(db: Connection, chain: Chain, last: int | None = None) -> int:
    which = _rows_of_box_itself(chain, chain.head.seq if last is None else last)
    return int(db.execute(select(func.count()).select_from(rows).where(*which)).scalar_one())
