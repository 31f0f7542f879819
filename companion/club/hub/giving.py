"""Gives rows back to a box that lost them: its own, or those of the box whose place it took.

Every member may get any box's rows: they show it no more than the club's pages do.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, select

from companion.club.box.keys import Head
from companion.club.box.session import BATCH_TEXT, PushedRow
from companion.club.hub.chains import PUSHED, Chain, chains_of, pushed_of, rows_where, shown_chain
from companion.club.hub.database import Database
from companion.club.hub.schema import boxes, rows
from companion.club.hub.store import LEFT, RECORD_BEGINS


def rows_after(database: Database, club: str, box: str, place: Head, most: int) -> list[PushedRow]:
    """The rows that follow the row `place`: at most `most`, private ones without their content.
    Empty if nobody in the club has that row. If `place` is the beginning of a record, these are the
    rows of this box or, if it has none, of a box with the same name that has left the club."""
    with database.reading() as db:
        whose = _boxes_at(db, club, box, place)
        for one in whose:
            of_box = chains_of(db, club, one)
            course = _course(db, of_box, place)
            if course is None:
                continue
            following = (
                select(*PUSHED)
                .where(rows_where(course, of_box), rows.c.seq > place.seq)
                .order_by(rows.c.seq)
                .limit(most)
            )
            return as_many_as_fit(pushed_of(found) for found in db.execute(following))
    return []


def _boxes_at(db: Connection, club: str, box: str, place: Head) -> Sequence[str]:
    """The boxes whose rows may come after `place`, this one first. At the beginning of a record the
    others are boxes of its name that have left; else, all boxes that have that row."""
    if place == RECORD_BEGINS:
        mine = boxes.c.club == club
        name = select(boxes.c.name).where(mine, boxes.c.box == box).scalar_subquery()
        left = select(boxes.c.box).where(mine, boxes.c.name == name, boxes.c.state == LEFT)
        before = db.execute(left.order_by(boxes.c.joined_at.desc())).scalars()
    else:
        known = select(rows.c.box).where(
            rows.c.club == club, rows.c.seq == place.seq, rows.c.hash == place.hash
        )
        before = db.execute(known.distinct()).scalars()
    return [box, *(one for one in before if one != box)]


def _course(db: Connection, of_box: dict[int, Chain], place: Head) -> Chain | None:
    """The chain of a box that goes on from `place`: the one that is shown, if it has that row, else
    another that has it; None: no chain has it."""
    shown = shown_chain(of_box.values())
    if shown is None or place == RECORD_BEGINS:
        return shown
    for chain in (shown, *of_box.values()):
        here = rows.c.seq == place.seq, rows.c.hash == place.hash
        if db.execute(select(rows.c.seq).where(rows_where(chain, of_box), *here)).first():
            return chain
    return None


def as_many_as_fit(found: Iterable[PushedRow]) -> list[PushedRow]:
    """As many of the rows as fit into a message, but at least one, if there is any."""
    taken, size = list[PushedRow](), 0
    for row in found:
        size += len(row.row or "") + len(row.source or "") + 300
        if taken and size > BATCH_TEXT:
            break
        taken.append(row)
    return taken
