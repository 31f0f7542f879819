"""The club and its members: boxes and clubs that ask to join, present members, and those that left
or were expelled."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, update

from companion.club.box.keys import KeyPair, identity_mark, identity_of
from companion.club.box.protocol import BOX, CLUB
from companion.club.hub.chains import NO_SEAL, check_older_chains
from companion.club.hub.database import Database, boxes, chains, clubs, joinings
from companion.club.hub.folder import DEFAULT_NAME
from companion.club.hub.store import AWAY, LEFT, MEMBER, OWN
from companion.core.budgets import JOIN_REQUESTS, WAITING, WAITING_OF_ADDRESS, Spending
from companion.core.clock import Clock
from companion.core.club import LONGEST_NAME
from companion.core.errors import EntryError, SetupError
from companion.core.values import dataclass
from companion.core.words import composed, is_visible_text, look_alike
from companion.web.access import is_loopback

JOIN_WITHIN_S: Final = 600.0
"""Seconds for which the six digits of a request to join can be accepted."""
HIGHEST_NUMBER: Final = 999
"""The highest number of a table."""


@dataclass(frozen=True, slots=True)
class Member:
    """A box of the club. `state`: member, left (or replaced), away (expelled), or own (the hub
    itself). `kind`: BOX, or CLUB for a club at its federation, which pushes the tables of its own
    boxes. Times are by the hub's clock, in seconds since 1970; `heard_at` is None if it was never
    heard. `number`: that of its table, which decides the seats it gets at events; None if it has
    none."""

    club: str
    box: str
    key: bytes
    name: str
    state: str
    joined_at: float
    heard_at: float | None
    kind: str = BOX
    number: int | None = None
    of: str = ""
    """At a federation the name of the box's club; empty if the box is the hub's own."""


@dataclass(frozen=True, slots=True)
class Joining:
    """A request to join by a box, or by a club at a federation, with the six digits on both
    displays. `kind`: BOX or CLUB; None: not given, as in programs up to 0.3."""

    box: str
    name: str
    digits: str
    asked_at: float
    kind: str | None = BOX


class Members:
    """The boxes of the hub's own club. Every method raises UnavailableError if the database does
    not answer. Only the committer, or a command, may call the methods that change something."""

    def __init__(self, database: Database, club: str, clock: Clock) -> None:
        self._database, self._club, self._clock = database, club, clock

    def begin(self, keys: KeyPair, name: str) -> str:
        """Stores the club's key and name in a new database; in an existing one, only the name if it
        is new. If `name` is only the default, as in a folder that was recovered with nothing but
        the key, the name in the database is kept. Returns the club's name. Raises SetupError if the
        database is another club's."""
        with self._database.writing() as db:
            found = [bytes(key) for key in db.execute(select(clubs.c.key)).scalars()]
            if not found:
                db.execute(insert(clubs).values(club=self._club, key=keys.public, name=name))
            elif keys.public not in found:
                raise SetupError(
                    "this database is another club's: copy club.key from the folder of its hub"
                )
            elif name != DEFAULT_NAME:
                own = clubs.c.club == self._club
                db.execute(update(clubs).where(own, clubs.c.name != name).values(name=name))
            check_older_chains(db, self._club)
        return self.name()

    def name(self) -> str:
        """The club's name."""
        with self._database.reading() as db:
            asked = select(clubs.c.name).where(clubs.c.club == self._club)
            return str(db.execute(asked).scalar_one())

    # ------------------------------------------------------------ joining

    def store_request(self, key: bytes, name: str, digits: str, kind: str | None = BOX) -> str:
        """Stores the request of a box or club to join, in place of an earlier one, and returns the
        identity of the box or club."""
        box = identity_of(key)
        mine = joinings.c.club == self._club, joinings.c.box == box
        with self._database.writing() as db:
            db.execute(delete(joinings).where(*mine))
            db.execute(
                insert(joinings).values(
                    club=self._club, box=box, key=key, name=name[:LONGEST_NAME],
                    digits=digits, asked_at=self._clock(), kind=kind,
                )
            )  # fmt: skip
        return box

    def drop_request(self, box: str) -> None:
        """Deletes a box's request to join."""
        with self._database.writing() as db:
            mine = joinings.c.club == self._club, joinings.c.box == box
            db.execute(delete(joinings).where(*mine))

    def open_requests(self) -> list[Joining]:
        """The open requests to join, the oldest first."""
        asked = select(joinings).where(*self._recent_requests()).order_by(joinings.c.asked_at)
        with self._database.reading() as db:
            found = list(db.execute(asked))
        return [Joining(one.box, one.name, one.digits, one.asked_at, one.kind) for one in found]

    def accept(self, digits: str, instead_of: str = "", kind: str = BOX) -> Member:
        """Accepts the box or club that shows these digits as a member. `instead_of`: the box that
        it replaces, whose name and games it gets. Raises EntryError if no box, or more than one,
        shows the digits, if it asks to join as another `kind`, or if there is no box
        `instead_of`."""
        before = self.find_by_name(instead_of) if instead_of else None
        if before is not None and (CLUB in (kind, before.kind) or before.state == AWAY):
            raise EntryError("a box can only take the place of a box that was not thrown out")
        now = self._clock()
        with self._database.writing() as db:
            asked = select(joinings).where(*self._recent_requests(), joinings.c.digits == digits)
            found = list(db.execute(asked))
            if not found:
                raise EntryError("no box that asks to join shows {digits}", digits=digits)
            if len(found) > 1:
                raise EntryError("two boxes show {digits}: let one join again", digits=digits)
            (one,) = found
            if one.kind not in (None, kind):
                raise _wrong_request_kind_error(one.name, one.kind)
            mine = boxes.c.club == self._club, boxes.c.box == one.box
            if before is not None and before.box == one.box:
                raise EntryError("{name} can't replace itself", name=before.name)
            name = one.name if before is None else before.name
            number = before.number if before is not None else None
            if before is None and kind == BOX:
                number = self._free_number_in(db, name)
            told = {"name": name, "state": MEMBER, "joined_at": now, "kind": kind, "number": number}
            if before is not None:
                its = boxes.c.club == self._club, boxes.c.box == before.box
                db.execute(update(boxes).where(*its).values(state=LEFT, number=None))
            known = db.execute(select(boxes.c.key, boxes.c.kind, boxes.c.name).where(*mine)).first()
            if known is not None and before is None and name == DEFAULT_NAME:
                told["name"] = name = (
                    known.name
                )  # the folder was recovered with nothing but the key
            if known is None:
                values = {"club": self._club, "box": one.box, "key": bytes(one.key), **told}
                db.execute(insert(boxes).values(values))
            elif bytes(known.key) != bytes(one.key):
                raise EntryError("another box has that identity: let it join with a new key")
            elif known.kind != kind and _has_pushed(db, self._club, one.box):
                raise _wrong_member_kind_error(one.name, known.kind)
            else:
                db.execute(update(boxes).where(*mine).values(told))
            db.execute(
                delete(joinings).where(joinings.c.club == self._club, joinings.c.box == one.box)
            )
        return Member(self._club, one.box, bytes(one.key), name, MEMBER, now, None, kind, number)

    def add_opened_table(self, key: bytes, name: str) -> None:
        """Adds a table that the hub itself opened to the members. This needs no digits, as nobody
        can intercept that connection."""
        now = self._clock()
        with self._database.writing() as db:
            db.execute(
                insert(boxes).values(
                    club=self._club, box=identity_of(key), key=key, name=name, state=MEMBER,
                    joined_at=now, number=self._free_number_in(db, name),
                )
            )  # fmt: skip

    def _free_number_in(self, db: Connection, name: str) -> int | None:
        """The number in a box's name, if there is exactly one, it is allowed for a table, and no
        other member has it; otherwise None."""
        found = re.findall(r"[0-9]+", name)
        if len(found) != 1 or not 0 < int(found[0]) <= HIGHEST_NUMBER:
            return None
        number = int(found[0])
        return None if self._other_members(db, "", boxes.c.number == number) else number

    def _other_members(self, db: Connection, box: str, *where: Any) -> list[Any]:
        mine = boxes.c.club == self._club, boxes.c.state == MEMBER, boxes.c.box != box
        return list(db.execute(select(boxes).where(*mine, *where)))

    def set_name(self, box: str, name: str, number: int | None) -> Member:
        """Sets a box's name and the number of its table (None: no number), and returns the member.
        Raises EntryError if there is no such member, the name or the number can't be used, or
        another member has it."""
        name = composed(" ".join(name.split()))
        if not name or not is_visible_text(name) or len(name) > LONGEST_NAME:
            raise EntryError("a box's name has 1 to {most} letters", most=LONGEST_NAME)
        if number is not None and not 0 < number <= HIGHEST_NUMBER:
            raise EntryError("a table's number is 1 to {most}", most=HIGHEST_NUMBER)
        mine = (
            *(boxes.c.club == self._club, boxes.c.box == box),
            *(boxes.c.state == MEMBER, boxes.c.kind == BOX),
        )
        with self._database.writing() as db:
            others = self._other_members(db, box)
            if any(look_alike(one.name, name) for one in others):
                raise EntryError("another box is called {name}", name=name)
            if number is not None and (has := [one for one in others if one.number == number]):
                raise EntryError(
                    "{name} is table {number}: give it another number first",
                    name=has[0].name, number=number,
                )  # fmt: skip
            db.execute(update(boxes).where(*mine).values(name=name, number=number))
            found = db.execute(select(boxes).where(*mine)).first()
            if found is None:
                raise EntryError("there is no box {box} in this club", box=box)
            return member_of(found)

    def decline(self, digits: str) -> None:
        """Declines the requests to join that show these digits."""
        mine = joinings.c.club == self._club, joinings.c.digits == digits
        with self._database.writing() as db:
            db.execute(delete(joinings).where(*mine))

    def _recent_requests(self) -> Sequence[Any]:
        since = self._clock() - JOIN_WITHIN_S
        return joinings.c.club == self._club, joinings.c.asked_at >= since

    # ------------------------------------------------------------ members

    def box(self, key: bytes) -> Member | str | None:
        """The box with that public key; “waiting” if it is no member but asks to join; None if it
        is unknown."""
        mine = boxes.c.club == self._club, boxes.c.box == identity_of(key)
        with self._database.reading() as db:
            found = db.execute(select(boxes).where(*mine)).first()
            if found is not None and bytes(found.key) == key and found.state == MEMBER:
                return member_of(found)
            asked = select(joinings.c.key).where(
                *self._recent_requests(), joinings.c.box == identity_of(key)
            )
            if (waits := db.execute(asked).scalar()) is not None and bytes(waits) == key:
                return "waiting"
        return member_of(found) if found is not None and bytes(found.key) == key else None

    def all(self) -> list[Member]:
        """All boxes, even those that have left, ordered by name."""
        mine = boxes.c.club == self._club, boxes.c.state != OWN
        asked = select(boxes).where(*mine).order_by(boxes.c.name, boxes.c.box)
        with self._database.reading() as db:
            return [member_of(one) for one in db.execute(asked)]

    def find_by_name(self, word: str) -> Member:
        """The box whose name or identity is `word`, or whose identity begins with it. Raises
        EntryError if there is none, or more than one."""
        members = self.all()
        found = [one for one in members if word in (one.box, one.name)]
        found = found or [one for one in members if word and one.box.startswith(word)]
        if not found:
            known = ", ".join(f"{one.name} ({one.box})" for one in members) or "none"
            raise EntryError(
                "there is no box {word}; the boxes are: {known}", word=word, known=known
            )
        if len(found) > 1:
            told = " or ".join(one.box for one in found)
            raise EntryError("two boxes are called {word}: use {told}", word=word, told=told)
        return found[0]

    def leave(self, box: str) -> None:
        """Ends the membership of a box or club that has left or that the organiser retires.
        Everything that it has sealed stays on every page. Raises EntryError if there is no such
        box."""
        self._set(box, LEFT)

    def expel(self, box: str) -> None:
        """Expels a box or club for the organiser. Rows that it has sealed itself stay; rows that it
        pushed for other boxes are kept but no longer shown. Raises EntryError if there is no such
        box."""
        self._set(box, AWAY)

    def _set(self, box: str, state: str) -> None:
        mine = boxes.c.club == self._club, boxes.c.box == box
        with self._database.writing() as db:
            gone = update(boxes).where(*mine).values(state=state, number=None)
            if not db.execute(gone).rowcount:
                raise EntryError("there is no box {box} in this club", box=box)


def distinct_name(members: Sequence[Member], member: Member) -> str:
    """The name of a box, with its mark if another box has the same name."""
    same = any(one.name == member.name and one.box != member.box for one in members)
    return f"{member.name} ({identity_mark(member.box)})" if same else member.name


def member_of(found: Any) -> Member:
    """A box from its row in the database."""
    return Member(
        found.club, found.box, bytes(found.key), found.name, found.state,
        found.joined_at, found.heard_at, found.kind, found.number,
    )  # fmt: skip


def _wrong_request_kind_error(name: str, kind: str) -> EntryError:
    """The error for accepting a request to join as the wrong kind of member."""
    if kind == CLUB:
        return EntryError(
            "{name} asks to join as a club: accept it as one, or decline it", name=name
        )
    return EntryError("{name} asks to join as a box: accept it as one, or decline it", name=name)


def _wrong_member_kind_error(name: str, kind: str) -> EntryError:
    """The error for accepting a box that has pushed before as a club, or a club as a box."""
    if kind == CLUB:
        return EntryError(
            "{name} has pushed tables as a club: a box joins with a key of its own", name=name
        )
    return EntryError(
        "{name} has pushed rows as a box: a club joins with a key of its own", name=name
    )


def _has_pushed(db: Connection, club: str, box: str) -> bool:
    """Whether rows have come from that member, as a box or as a club."""
    as_box = (chains.c.club == club) & (chains.c.box == box)
    asked = select(chains.c.chain).where(as_box | (chains.c.club == box))
    return db.execute(asked).first() is not None


def boxes_shown(db: Connection, club: str) -> list[Member]:
    """The boxes whose tables are shown: the club's own and, at a federation, all boxes of its clubs
    that have sealed anything, each with the name of its club before its own. If a key occurs in
    several clubs, only one box with it is returned: the hub's own or, if it has none, that of the
    club with the newest seal."""
    of_clubs, own = dict[str, Member](), dict[str, Member]()
    asked = select(boxes).where(boxes.c.club == club, boxes.c.state != OWN)
    for one in map(member_of, db.execute(asked)):
        (of_clubs if one.kind == CLUB else own)[one.box] = one
    names = {one.club: one.name for one in db.execute(select(clubs))}
    newest = func.max(chains.c.grown_at)
    sealed = (
        select(boxes)
        .join(chains, (chains.c.club == boxes.c.club) & (chains.c.box == boxes.c.box))
        .where(boxes.c.club != club, boxes.c.state != OWN, chains.c.seal != NO_SEAL)
        .group_by(*boxes.c)
        .order_by(newest, boxes.c.club)
    )
    found: dict[str, Member] = {}
    for one in map(member_of, db.execute(sealed)):
        through = of_clubs.get(one.club)
        if through is not None and through.state != AWAY:
            name = names[one.club]
            found[one.box] = replace(one, name=f"{name}: {one.name}", of=name)
    return [*(found | own).values()]


def clubs_shown(db: Connection, club: str) -> list[str]:
    """The identities of the clubs whose tables are shown: the hub's own and, at a federation, those
    of its clubs that were not expelled."""
    member = boxes.c.club == club, boxes.c.kind == CLUB, boxes.c.state != AWAY
    asked = select(clubs.c.club).join(boxes, boxes.c.box == clubs.c.club).where(*member)
    return [club, *db.execute(asked.order_by(clubs.c.club)).scalars()]


# ---------------------------------------------------------------- requests to join
# Requests to join a hub's club, with the addresses from which they came, so that strangers never
# lock out a box.
#
# At the limit a new request is not refused, but replaces the oldest one from its own address, or
# from the address with the most requests. So only clients that send many requests lose one.


@dataclass(slots=True)
class JoinRequests:
    """The requests to join this hub, and their limits."""

    members: Members
    spending: Spending
    _addresses: dict[str, str] = field(default_factory=dict)
    """The address from which each box's request came; requests from before the hub's start have
    none."""

    def may_request_joining(self, address: str) -> bool:
        """Whether that address may make one more request now. Requests from this machine's own
        address are not limited, as a proxy that doesn't name its visitors uses it."""
        return is_loopback(address) or self.spending.spend(JOIN_REQUESTS, address)

    def store(
        self, key: bytes, name: str, digits: str, address: str, kind: str | None = BOX
    ) -> None:
        """Stores the request of a box or club to join. Only the committer may call this. Raises
        UnavailableError."""
        box = self.members.store_request(key, name, digits, kind)
        self._addresses[box] = address
        waiting = self.members.open_requests()
        self._addresses = {one.box: self._address_of(one) for one in waiting}
        others = [one for one in waiting if one.box != box]
        if sum(self._address_of(one) == address for one in waiting) > WAITING_OF_ADDRESS.most:
            self.spending.note(WAITING_OF_ADDRESS, address)
            self._drop_oldest(others, address)
        elif len(waiting) > WAITING.most:
            (busiest, _), *_ = Counter(map(self._address_of, others)).most_common(1)
            self.spending.note(WAITING, busiest)
            self._drop_oldest(others, busiest)

    def _address_of(self, one: Joining) -> str:
        return self._addresses.get(one.box, "")

    def _drop_oldest(self, waiting: list[Joining], address: str) -> None:
        oldest = next(one for one in waiting if self._address_of(one) == address)
        self.members.drop_request(oldest.box)
