"""The club and its boxes: which ask to join, which are members, which have left or were sent
away."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, select, update

from companion.club.keys import KeyPair, identity_of
from companion.core.clock import Clock
from companion.core.errors import EntryError, SetupError
from companion.hub.database import Database
from companion.hub.schema import boxes, clubs, joinings
from companion.hub.store import AWAY, LEFT, MEMBER, OWN

JOIN_WITHIN_S: Final = 600.0
"""Seconds for which the six digits of a joining can be accepted."""
LONGEST_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class Member:
    """A box of the club. `state`: member, left, away (sent away), or own (the hub itself). Times
    are by the hub's clock, in seconds since 1970; `heard_at` is None if it was never heard."""

    club: str
    box: str
    key: bytes
    name: str
    state: str
    joined_at: float
    heard_at: float | None


@dataclass(frozen=True, slots=True)
class Joining:
    """A box, or a club at a federation, that asks to join, with the six digits on both displays."""

    box: str
    name: str
    digits: str
    asked_at: float


class Members:
    """The boxes of the hub's own club. Every method raises AwayError if the database does not
    answer. Only the committer, or a command, may call the methods that change something."""

    def __init__(self, database: Database, club: str, clock: Clock) -> None:
        self._database, self._club, self._clock = database, club, clock

    def begin(self, keys: KeyPair, name: str) -> None:
        """Enters the club in a new database. Raises SetupError if the database is another
        club's."""
        with self._database.writing() as db:
            found = [bytes(key) for key in db.execute(select(clubs.c.key)).scalars()]
            if not found:
                db.execute(insert(clubs).values(club=self._club, key=keys.public, name=name))
            elif keys.public not in found:
                raise SetupError(
                    "this database is another club's: copy club.key from the folder of its hub"
                )

    def name(self) -> str:
        """What the club is called."""
        with self._database.reading() as db:
            asked = select(clubs.c.name).where(clubs.c.club == self._club)
            return str(db.execute(asked).scalar_one())

    # ------------------------------------------------------------ joining

    def ask(self, key: bytes, name: str, digits: str) -> None:
        """Notes that a box asks to join; an earlier request of the same box is dropped."""
        box = identity_of(key)
        mine = joinings.c.club == self._club, joinings.c.box == box
        with self._database.writing() as db:
            db.execute(delete(joinings).where(*mine))
            db.execute(
                insert(joinings).values(
                    club=self._club, box=box, key=key, name=name[:LONGEST_NAME],
                    digits=digits, asked_at=self._clock(),
                )
            )  # fmt: skip

    def waiting(self) -> list[Joining]:
        """The boxes that ask to join now, the longest waiting first."""
        asked = select(joinings).where(*self._recent()).order_by(joinings.c.asked_at)
        with self._database.reading() as db:
            found = list(db.execute(asked))
        return [Joining(one.box, one.name, one.digits, one.asked_at) for one in found]

    def accept(self, digits: str, instead_of: str = "") -> Member:
        """Makes the box that shows these digits a member. `instead_of`: the box whose place and
        name it takes, and whose games it gets back. Raises EntryError if no box shows the digits,
        or two do, or if `instead_of` names none."""
        before = self.named(instead_of) if instead_of else None
        now = self._clock()
        with self._database.writing() as db:
            asked = select(joinings).where(*self._recent(), joinings.c.digits == digits)
            found = list(db.execute(asked))
            if not found:
                raise EntryError("no box that asks to join shows {digits}", digits=digits)
            if len(found) > 1:
                raise EntryError("two boxes show {digits}: let one join again", digits=digits)
            (one,) = found
            mine = boxes.c.club == self._club, boxes.c.box == one.box
            if before is not None and before.box == one.box:
                raise EntryError("{name} can't take its own place", name=before.name)
            name = one.name if before is None else before.name
            told = {"name": name, "state": MEMBER, "joined_at": now}
            if before is not None:
                its = boxes.c.club == self._club, boxes.c.box == before.box
                db.execute(update(boxes).where(*its).values(state=LEFT))
            key = db.execute(select(boxes.c.key).where(*mine)).scalar()
            if key is None:
                values = {"club": self._club, "box": one.box, "key": bytes(one.key), **told}
                db.execute(insert(boxes).values(values))
            elif bytes(key) != bytes(one.key):
                raise EntryError("another box has that identity: let it join with a new key")
            else:
                db.execute(update(boxes).where(*mine).values(told))
            db.execute(
                delete(joinings).where(joinings.c.club == self._club, joinings.c.box == one.box)
            )
        return Member(self._club, one.box, bytes(one.key), name, MEMBER, now, None)

    def enrol(self, key: bytes, name: str) -> None:
        """Makes a table that the hub has opened a member, without digits, as nobody can stand
        between the two."""
        now = self._clock()
        with self._database.writing() as db:
            db.execute(
                insert(boxes).values(
                    club=self._club, box=identity_of(key), key=key, name=name, state=MEMBER,
                    joined_at=now,
                )
            )  # fmt: skip

    def decline(self, digits: str) -> None:
        """Declines the boxes that ask to join and show these digits."""
        mine = joinings.c.club == self._club, joinings.c.digits == digits
        with self._database.writing() as db:
            db.execute(delete(joinings).where(*mine))

    def _recent(self) -> Sequence[Any]:
        since = self._clock() - JOIN_WITHIN_S
        return joinings.c.club == self._club, joinings.c.asked_at >= since

    # ------------------------------------------------------------ members

    def box(self, key: bytes) -> Member | str | None:
        """The box with that public key; “waiting” if it is no member but asks to join; None: it is
        unknown."""
        mine = boxes.c.club == self._club, boxes.c.box == identity_of(key)
        with self._database.reading() as db:
            found = db.execute(select(boxes).where(*mine)).first()
            if found is not None and bytes(found.key) == key and found.state == MEMBER:
                return member_of(found)
            asked = select(joinings.c.key).where(
                *self._recent(), joinings.c.box == identity_of(key)
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

    def named(self, word: str) -> Member:
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
            raise EntryError("two boxes are called {word}: say {told}", word=word, told=told)
        return found[0]

    def leave(self, box: str) -> None:
        """Notes that the box has left; the rows that it pushed stay."""
        self._set(box, LEFT)

    def send_away(self, box: str) -> None:
        """Sends a box away, as the organiser says; the rows that it pushed stay. Raises EntryError
        if there is no such box."""
        self._set(box, AWAY)

    def _set(self, box: str, state: str) -> None:
        mine = boxes.c.club == self._club, boxes.c.box == box
        with self._database.writing() as db:
            if not db.execute(update(boxes).where(*mine).values(state=state)).rowcount:
                raise EntryError("there is no box {box} in this club", box=box)


def member_of(found: Any) -> Member:
    """A box from its row in the database."""
    return Member(
        found.club, found.box, bytes(found.key), found.name, found.state,
        found.joined_at, found.heard_at,
    )  # fmt: skip


def boxes_shown(db: Connection, club: str) -> list[Member]:
    """The boxes whose tables are shown: the club's own and, if it is a federation, those of its
    clubs, with the club's name before their own. A box that two clubs know counts for the one that
    it joined last."""
    names = {one.club: one.name for one in db.execute(select(clubs))}
    found: dict[str, Member] = {}
    asked = select(boxes).where(boxes.c.state != OWN).order_by(boxes.c.joined_at, boxes.c.club)
    for one in map(member_of, db.execute(asked)):
        if one.club == club and one.box not in names:
            found[one.box] = one
        elif one.club != club:
            name = f"{names[one.club]}: {one.name}"
            found[one.box] = replace(one, name=name)
    return [*found.values()]
