"""The hub's figures for monitoring, as Prometheus reads them."""

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from sqlalchemy import func, select

from companion.core.values import Json
from companion.hub.chains import LIVE, NOT_YET
from companion.hub.database import Database
from companion.hub.members import JOIN_WITHIN_S
from companion.hub.schema import boxes, chains, clubs, joinings
from companion.hub.store import MEMBER


class Metrics:
    """Figures for Prometheus."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.batches = Counter(
            "companion_hub_batches", "Batches that were committed", registry=self._registry
        )
        self._gauges = {
            name: Gauge(f"companion_hub_{name}", meaning, registry=self._registry)
            for name, meaning in (
                ("clubs", "Clubs that push on to this hub, a federation's"),
                ("boxes", "Boxes that are members"),
                ("joining", "Boxes that ask to join"),
                ("forks", "Boxes of which the organiser has to choose a chain"),
                ("rows", "Rows that are kept"),
                ("connected", "Boxes that are connected to this hub"),
            )
        }

    def text(self, found: Json, connected: int) -> bytes:
        """The figures that health has `found`, with the number of boxes `connected` to this hub, in
        the form that Prometheus reads."""
        for name, number in {**found, "connected": connected}.items():
            self._gauges[name].set(number)
        return generate_latest(self._registry)


def health(database: Database, club: str, now: float) -> Json:
    """How many boxes, rows, forks and joinings the hub has, and how many other clubs, if it is a
    federation's. A club's box counts once it has sealed something. Raises AwayError."""
    sealed = chains.c.club == boxes.c.club, chains.c.box == boxes.c.box, chains.c.seal != NOT_YET
    known = (boxes.c.club == club) | select(chains.c.chain).where(*sealed).exists()
    mine = boxes.c.box.not_in(select(clubs.c.club)) & known
    since = joinings.c.asked_at >= now - JOIN_WITHIN_S
    live = chains.c.club == club, chains.c.state == LIVE
    other = select(func.count()).select_from(clubs).where(clubs.c.club != club)
    with database.reading() as db:
        members = select(func.count()).select_from(boxes).where(mine, boxes.c.state == MEMBER)
        asking = select(func.count()).select_from(joinings).where(joinings.c.club == club, since)
        forked = select(chains.c.box).where(*live).group_by(chains.c.box)
        # The head of a chain says how many rows it has, so that a million needs no counting.
        newest = func.coalesce(chains.c.came_seq, chains.c.seq)
        held = select(func.sum(newest - chains.c.first + 1))
        return {
            "clubs": int(db.execute(other).scalar_one()),
            "boxes": int(db.execute(members).scalar_one()),
            "joining": int(db.execute(asking).scalar_one()),
            "forks": len(db.execute(forked.having(func.count() > 1)).all()),
            "rows": int(db.execute(held).scalar() or 0),
        }
