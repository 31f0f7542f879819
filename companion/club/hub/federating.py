"""Pushes what the club's boxes have pushed on to its federation's hub. Chains, hashes and
signatures stay as they are.

It pushes as a box does (club/box/push.py): over one connection, from the first row that the
federation doesn't have. With each new connection it asks the federation what it has, so nothing is
noted here.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, func, select

from companion.club.box.keys import BY_CLUB, SIGNATURE_BYTES, Head
from companion.club.box.line import ClubError, ClubLine
from companion.club.box.membership import Membership
from companion.club.box.session import ROWS_AT_ONCE, PushedRow, read_hash, read_place
from companion.club.hub.chains import (
    PUSHED,
    Chain,
    chain_of,
    chains_of,
    marks_of,
    pushed_of,
    rows_where,
)
from companion.club.hub.database import AwayError, Committer, Database
from companion.club.hub.federated import rows_of_chain
from companion.club.hub.federation import membership_of
from companion.club.hub.folder import HubFolder
from companion.club.hub.giving import as_many_as_fit
from companion.club.hub.members import Member, member_of
from companion.club.hub.schema import boxes, chains, rows
from companion.club.hub.store import RECORD_BEGINS
from companion.core.errors import EntryError
from companion.core.json_text import CHAINS, ROWS, is_whole
from companion.record.fold import known_by
from companion.record.store.chain import Missing

LOOK_S: Final = 2.0
"""Seconds between two looks for new rows."""
FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 60.0
"""Seconds between tries while the federation can't be reached; each is twice the one before."""
MOST_TRIES: Final = 5
"""How often a box is pushed anew in a row if the federation asks for rows again."""


async def keep_federating(
    folder: HubFolder, database: Database, committer: Committer, tell: Callable[[str], None]
) -> None:
    """Pushes everything that is new on to the federation, until it is cancelled. `tell` gets a line
    whenever it begins to succeed or to fail."""
    said, pause = "", FIRST_PAUSE_S

    async def joined() -> Membership | None:
        return await committer.read(lambda: membership_of(folder, database))

    while True:
        try:
            if (membership := await joined()) is not None:
                async with ClubLine.open(membership) as line:
                    pushing, pause = FederationPush(folder, database, committer), FIRST_PAUSE_S
                    while await joined() == membership:
                        await pushing.push(line)
                        if said != (done := f"{membership.club_name} has all rows."):
                            tell(said := done)
                        await asyncio.sleep(LOOK_S)
        except (ClubError, AwayError, EntryError, OSError, TimeoutError) as error:
            if said != (why := f"Nothing goes to the federation: {error}"):
                tell(said := why)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_S)
        else:
            await asyncio.sleep(LOOK_S)


@dataclass(frozen=True, slots=True)
class _There:
    """A chain as the federation has it. `newest`: its newest row, sealed or not; `head`: the newest
    that is sealed. `opened`: how many rows about the box itself (of no game) are open there."""

    head: Head
    state: str
    opened: int
    newest: Head


class FederationPush:
    """Pushes all that the federation does not have, over one connection."""

    def __init__(self, folder: HubFolder, database: Database, committer: Committer) -> None:
        self._folder, self._database, self._committer = folder, database, committer
        self._seen: dict[str, object] = {}
        """For each box: what it was when the federation last had all of it, as _all gives it."""
        self.rows = 0
        """How many rows the federation has taken."""

    async def push(self, line: ClubLine) -> None:
        """Pushes what is new since the last time. Raises ClubError, EntryError, AwayError."""
        for member, now in await self._committer.read(self._all):
            if self._seen.get(member.box) == now:
                continue
            for _ in range(MOST_TRIES):
                if await self._push_box(line, member):
                    break
            else:
                raise ClubError("the federation asks for the same rows again and again")
            self._seen[member.box] = now

    def _all(self) -> list[tuple[Member, object]]:
        """The club's boxes, the hub itself among them, each with a value that differs once
        something of the box has changed."""
        club = self._folder.keys.identity
        with self._database.reading() as db:
            found: dict[str, list[Chain]] = {}
            for one in db.execute(select(chains).where(chains.c.club == club)):
                found.setdefault(one.box, []).append(chain_of(one))
            asked = select(boxes).where(boxes.c.club == club)
            members = [one for one in map(member_of, db.execute(asked)) if one.box in found]
            return [
                (one, (one.name, one.state, [(c, _opened(db, c)) for c in found[one.box]]))
                for one in members
            ]

    def _chains(self, db: Connection, box: str) -> dict[int, Chain]:
        return chains_of(db, self._folder.keys.identity, box)

    # ------------------------------------------------------------ a box

    async def _push_box(self, line: ClubLine, member: Member) -> bool:
        """Pushes everything that is new of a box; False: the federation has to be asked anew what
        it has."""
        hello = {
            "box": member.key.hex(), "name": member.name, "state": member.state,
            "of": self._folder.name, "parts": True,
        }  # fmt: skip
        there = _read_there((await line.ask(hello, "chains"))["chains"])
        of_box = await self._committer.read(lambda: self._read_chains(member.box))
        for chain in of_box.values():
            if not await self._push_chain(line, chain, there.get(chain.chain)):
                return False
        return True

    def _read_chains(self, box: str) -> dict[int, Chain]:
        with self._database.reading() as db:
            return self._chains(db, box)

    async def _push_chain(self, line: ClubLine, chain: Chain, there: _There | None) -> bool:
        if there is not None and there.opened != (
            await self._committer.read(lambda: self._opened_to(chain, there.newest.seq))
        ):
            await self._open(line, chain, there.newest.seq)
        head = None if there is None else there.newest
        if there is not None and (there.head, there.state) == (chain.head, chain.state):
            return True
        if there is not None and there.head == chain.head:
            answer = await line.ask(_message(chain, there.head, [], None), "have", "kept", "want")
            return "want" not in answer
        if (
            there is not None
            and there.newest != there.head
            and not await self._committer.read(lambda: self._has(chain, there.newest))
        ):
            head = there.head  # rows that this hub no longer has wait there
        while head is None or head.seq < chain.head.seq:
            message, new = await self._committer.read(partial(self._part, chain, head))
            answer = await line.ask(message, "have", "kept", "want")
            if "want" in answer:
                return False
            _check(answer, new, line, chain)
            head = new
            self.rows += len(message["rows"])
        return True

    def _has(self, chain: Chain, place: Head) -> bool:
        """Whether that row is one of the chain's own, before its newest."""
        mine = rows.c.club == chain.club, rows.c.box == chain.box, rows.c.chain == chain.chain
        here = rows.c.seq == place.seq, rows.c.hash == place.hash, rows.c.seq < chain.head.seq
        with self._database.reading() as db:
            return db.execute(select(rows.c.seq).where(*mine, *here)).first() is not None

    def _part(self, chain: Chain, there: Head | None) -> tuple[dict[str, Any], Head]:
        """The next rows of a chain after the row `there`, as a message, and the last of them.
        Raises EntryError if rows are missing here."""
        with self._database.reading() as db:
            of_box = self._chains(db, chain.box)
            after = there or _place_before(db, chain, of_box)
            found = rows_of_chain(db, chain.key, max(after.seq, chain.first - 1), ROWS_AT_ONCE)
            marks = marks_of(db, chain, of_box)
            taken, lost_at = list[PushedRow](), None
            place = after
            for row in as_many_as_fit(one for one in found if one.seq <= chain.head.seq):
                if (row.seq, row.before) != (place.seq + 1, place.hash) and row.kind != "lost":
                    gap = Missing(place.seq + 1, row.seq - 1)
                    declared = known_by(gap, marks)
                    if taken and declared != lost_at:
                        break
                    lost_at = declared
                taken.append(row)
                place = Head(row.seq, row.hash)
            lost = None
            if lost_at is not None:
                asked = select(*PUSHED).where(rows_where(chain, of_box), rows.c.seq == lost_at)
                lost = pushed_of(db.execute(asked).one())
        if not taken:
            raise EntryError("chain {chain} of {box} lacks rows", chain=chain.chain, box=chain.box)
        return _message(chain, after, taken, lost), place

    # ------------------------------------------------------------ what was opened later

    def _opened_to(self, chain: Chain, last: int) -> int:
        with self._database.reading() as db:
            return _opened(db, chain, last)

    async def _open(self, line: ClubLine, chain: Chain, last: int) -> None:
        """Sends the federation the content of rows that were private when pushed and that the box
        has opened since, up to number `last`."""

        def read() -> list[PushedRow]:
            with self._database.reading() as db:
                which = select(*PUSHED).where(*_of_the_box(chain, last)).order_by(rows.c.seq)
                return [pushed_of(one) for one in db.execute(which)]

        opened = await self._committer.read(read)
        for at in range(0, len(opened), ROWS_AT_ONCE):
            part = [row.json for row in opened[at : at + ROWS_AT_ONCE]]
            await line.ask({"opens": chain.box, "rows": part}, "opened")


def _read_there(found: object) -> dict[int, _There]:
    if not isinstance(found, list):
        raise EntryError("those are no chains")
    there = {}
    for one in found:
        match one:
            case [chain, _, _, seq, str(own), _, _, str(state), many, *more] if (
                is_whole(chain, CHAINS) and is_whole(seq, ROWS) and is_whole(many, ROWS)
            ):
                head = Head(seq, read_hash(own))
                newest = Head(*read_place(more[0])) if more else head
                there[chain] = _There(head, state, many, newest)
            case _:
                raise EntryError("those are no chains")
    return there


def _message(
    chain: Chain, after: Head, part: Sequence[PushedRow], lost: PushedRow | None
) -> dict[str, Any]:
    """The message with rows of a chain that follow on `after`; it has both signatures if the last
    of these rows is the chain's newest."""
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


def _check(answer: dict[str, Any], head: Head, line: ClubLine, chain: Chain) -> None:
    """Raises ClubError unless the federation has signed that it has the rows up to `head`, or keeps
    them until the box's seal comes, which is with the chain's last row."""
    if "kept" in answer:
        if head == chain.head or Head(*read_place(answer["kept"])) != head:
            raise ClubError("the federation keeps other rows than it was sent", "malformed")
        return
    seal = read_hash(answer.get("seal"), SIGNATURE_BYTES)
    signed = head.is_sealed(line.other, seal, BY_CLUB, chain.club, chain.box)
    if Head(*read_place(answer["have"])) != head or not signed:
        raise ClubError("the federation acknowledges other rows than it was sent", "malformed")


def _place_before(db: Connection, chain: Chain, of_box: dict[int, Chain]) -> Head:
    """The row of its parent on which a chain's first row follows."""
    if chain.parent is None:
        return RECORD_BEGINS
    parent = of_box[chain.parent]
    asked = select(rows.c.seq, rows.c.hash).where(
        rows_where(parent, of_box), rows.c.seq < chain.first
    )
    seq, own = db.execute(asked.order_by(rows.c.seq.desc()).limit(1)).one()
    return Head(seq, bytes(own))


def _of_the_box(chain: Chain, last: int) -> tuple[ColumnElement[bool], ...]:
    """The condition that finds the open rows about the box itself (of no game) in this chain, up to
    number `last`."""
    mine = rows.c.club == chain.club, rows.c.box == chain.box, rows.c.chain == chain.chain
    return *mine, rows.c.game == 0, rows.c.seq <= last


def _opened(db: Connection, chain: Chain, last: int | None = None) -> int:
    which = _of_the_box(chain, chain.head.seq if last is None else last)
    return int(db.execute(select(func.count()).select_from(rows).where(*which)).scalar_one())
