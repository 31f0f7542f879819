"""What the commands `companion hub …` of a box do, for a record that no table has open."""

import asyncio
import sqlite3
import sys
import time
from contextlib import suppress
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.catalog import Catalog
from companion.commands.terminal import CANT, FOUND, WELL, cant, complain, say
from companion.record.store.chain import ChainLink
from companion.record.store.database import take_lock, writer_of
from companion.record.store.reader import Reader

if TYPE_CHECKING:
    from companion.club.box.membership import Membership

TRIES = 4
"""How often a push or a request to join is tried while nothing gets through."""
PAUSE_S = 0.5


def join(games: Catalog, address: str, record: Path, name: str | None, *, older: bool) -> int:
    """Asks to join the club whose hub is at `address`; prints the six digits, and on stderr what
    comes next. `older`: older games go to the club, too."""
    from companion.club.box.joining import ask_to_join
    from companion.club.box.line import ClubError

    if not record.exists():
        return cant(f"there is no record {record}: start the table once")
    if (pid := writer_of(record)) is not None:
        return cant(f"{record} is open at a table (pid {pid}): stop that, or join from its menu")
    with suppress(OSError), take_lock(record):
        pass
    for tries in range(TRIES, 0, -1):
        try:
            membership, digits = asyncio.run(
                ask_to_join(record, games.rules, address, name, older=older)
            )
        except ClubError as error:
            if error.code != "away" or tries == 1:
                return cant(f"companion hub join: {error}")
            time.sleep(PAUSE_S)
        else:
            break
    say([digits])
    sys.stdout.flush()
    complain(
        f"Compare these digits with those at the hub of {membership.club_name}. If they are the "
        f"same, its organiser accepts them: companion hub accept {digits} --data DIR. If not, "
        f"somebody stands between: companion hub leave --record {record}"
    )
    return WELL


def push(games: Catalog, record: Path, *, once: bool) -> int:
    """Pushes the rows that the hub doesn't have: `once`, or whenever there are more."""
    from companion.club.box.line import ClubError, ClubLine
    from companion.club.box.membership import Membership
    from companion.club.box.push import RecordPush

    membership = Membership.load(record)
    if membership is None or not membership.is_joined:
        return cant(f"{record} has joined no club: companion hub join ADDRESS --record {record}")
    if not once:
        return _push_on(games, record, membership)
    pushing, rows = RecordPush(record, membership, games.rules), 0

    hubs = cycle(membership.addresses)

    async def go() -> int:
        nonlocal rows
        async with ClubLine.open(membership.at(next(hubs))) as line:
            done = await pushing.push(line)
        rows += done.rows
        return done.head.seq

    tries = TRIES
    while True:
        before = pushing.acknowledged
        try:
            last = asyncio.run(go())
        except ClubError as error:
            # A network that loses things is no reason to give up as long as something gets through.
            tries = TRIES if pushing.acknowledged != before else tries - 1
            if error.code == "aside":
                replace(membership, aside=True).save(record)
            if error.code != "away" or not tries:
                complain(f"companion hub push: {error}")
                return FOUND if error.passes else CANT
            time.sleep(PAUSE_S)
            continue
        say([f"{membership.club_name} has all {last} rows; {rows} were new."])
        return WELL


def _push_on(games: Catalog, record: Path, membership: "Membership") -> int:
    """Pushes rows until somebody stops it, or the club refuses."""
    from companion.club.box.push import ClubPusher, ClubState

    def changed(state: ClubState) -> None:
        say([state.why or f"{membership.club_name} has all rows."])
        sys.stdout.flush()

    pusher = ClubPusher(record, membership, games.rules, changed=changed)
    asyncio.run(pusher.run())
    return FOUND


def leave(games: Catalog, record: Path) -> int:
    """Leaves the club: tells the hub, if it can be reached, and pushes nothing from now on."""
    from companion.club.box.joining import leave as leave_club
    from companion.club.box.membership import Membership

    membership = Membership.load(record)
    if membership is None or not membership.is_joined:
        return cant(f"{record} has joined no club")
    not_said = asyncio.run(leave_club(record, games.rules, membership))
    so = f" The hub was not told: {not_said}." if not_said else ""
    say([f"This box has left {membership.club_name}.{so}"])
    return WELL


def fetch(games: Catalog, record: Path) -> int:
    """Brings back the rows that the club has and the record has lost. No table may have the record
    open."""
    from companion.club.box.giving import bring_back, place_in, rows_from
    from companion.club.box.line import ClubError, ClubLine
    from companion.club.box.membership import Membership

    membership = Membership.load(record)
    if membership is None or not membership.is_joined:
        return cant(f"{record} has joined no club")
    if (pid := writer_of(record)) is not None:
        return cant(f"{record} is open at a table (pid {pid}): stop that first")
    with Reader.open(record, games.rules) as reader:
        place, fresh = place_in(reader), not reader.newest_game()

    async def go() -> list[ChainLink]:
        async with ClubLine.open(membership) as line:
            return await rows_from(line, place)

    try:
        links = asyncio.run(go())
        if links:
            bring_back(record, games.rules, links)
    except ClubError as error:
        return cant(f"companion hub fetch: {error}")
    except (OSError, sqlite3.Error) as error:
        return cant(f"companion hub fetch: {record} can't be written: {error}")
    if fresh and links:
        replace(membership, joined=((0, None),)).save(record)
    rows = "1 row" if len(links) == 1 else f"{len(links)} rows"
    say([f"{rows} came back from {membership.club_name}."])
    return WELL
