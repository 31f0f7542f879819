"""The club's other hubs on the same PostgreSQL: their addresses, and how they wake this one.

A wake-up only says that there is something new: a batch is in the database before it, and a hub
that misses one reads the same a second later. A hub on SQLite has no others.
"""

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from typing import Final

from sqlalchemy import Connection, delete, insert, select, text, update

from companion.club.hub.database import Database
from companion.club.hub.schema import hubs
from companion.core.clock import Clock
from companion.core.values import Json

CHANNEL: Final = "companion"
TRY_AGAIN_S: Final = 2.0
"""Seconds until a lost connection is made anew."""
KNOWN_FOR_S: Final = 86_400.0
"""Seconds for which boxes are still told of a hub that is gone, as it may come back."""
LONGEST: Final = 7_000
"""The most characters of a message to a box by way of another hub; PostgreSQL takes 8,000 bytes."""
MOST: Final = 16


@cache
def this_process() -> str:
    """A word by which a hub knows the notifications that it sent itself."""
    return secrets.token_hex(4)


def wake_others(db: Connection, club: str) -> None:
    """Tells the other hubs, once the transaction commits, that there is something new in that
    club."""
    _notify(db, {"club": club})


def say_by_others(database: Database, club: str, box: str, message: Json) -> None:
    """Has another hub send a message to a box that is connected there; does nothing if there are no
    other hubs, or if the message is longer than LONGEST. Raises AwayError."""
    told = {"club": club, "box": box, "say": message}
    if database.is_shared and len(json.dumps(told)) <= LONGEST:
        with database.writing() as db:
            _notify(db, told)


def _notify(db: Connection, told: Json) -> None:
    if db.dialect.name == "postgresql":
        payload = json.dumps({"from": this_process(), **told})
        db.execute(
            text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": payload}
        )


async def keep_listening(
    database: Database,
    club: str,
    woken: Callable[[], None],
    say: Callable[[str, Json], Awaitable[object]],
) -> None:
    """Listens to the club's other hubs until it is cancelled. `woken` is called whenever there is
    something new, and whenever the connection is made anew; `say` sends a message to a box, if it
    is connected here."""
    if not database.is_shared:
        return
    import psycopg

    while True:
        with suppress(psycopg.Error, OSError):
            connection = await psycopg.AsyncConnection.connect(database.address, autocommit=True)
            async with connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                woken()
                async for notified in connection.notifies():
                    told = json.loads(notified.payload)
                    if told.get("club") != club or told.get("from") == this_process():
                        continue
                    if "box" in told:
                        await say(told["box"], told["say"])
                    else:
                        woken()
        await asyncio.sleep(TRY_AGAIN_S)


# ---------------------------------------------------------------- where they are


def note_hub(database: Database, club: str, address: str, clock: Clock) -> list[str]:
    """Notes that this hub is there, and gives the addresses of all of the club's hubs, the newest
    seen first. Raises AwayError."""
    now, mine = clock(), (hubs.c.club == club, hubs.c.address == address)
    with database.writing() as db:
        if not db.execute(update(hubs).where(*mine).values(seen_at=now)).rowcount:
            db.execute(insert(hubs).values(club=club, address=address, seen_at=now))
        db.execute(delete(hubs).where(hubs.c.club == club, hubs.c.seen_at < now - KNOWN_FOR_S))
        known = select(hubs.c.address).where(hubs.c.club == club)
        return [*db.execute(known.order_by(hubs.c.seen_at.desc()).limit(MOST)).scalars()]
