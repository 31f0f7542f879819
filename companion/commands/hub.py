"""companion hub …: what each of its commands does."""

import asyncio
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.catalog import Catalog
from companion.commands.terminal import CANT, FOUND, WELL, cant, complain, print_json, say
from companion.core.errors import EntryError, SetupError
from companion.record.store.faults import StoreError
from companion.record.store.lock import take_lock, writer_of
from companion.record.store.reader import Reader

if TYPE_CHECKING:
    from companion.club.membership import Membership
    from companion.hub.database import Database
    from companion.hub.folder import HubFolder

TRIES = 4
"""How often a push or a joining is tried without anything's getting through."""
PAUSE_S = 0.5
NEEDED = "pip install 'table-companion[{extra}]'"


def with_libraries(extra: str, do: Callable[[], int]) -> int:
    """The status of `do`, or one line that says what is not installed or can't be done."""
    try:
        return do()
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("companion"):
            raise
        return cant(f"companion hub needs {error.name}: {NEEDED.format(extra=extra)}")
    except (SetupError, EntryError, StoreError) as error:
        return cant(f"companion hub: {error}")


# ---------------------------------------------------------------- the hub's side


def run(
    games: Catalog, data: Path, database: str | None, port: int | None, name: str | None
) -> int:
    """Runs the hub until it is told to stop."""
    from companion.hub.folder import HubFolder
    from companion.hub.run import PORT, run_hub

    folder = HubFolder.open(data, make=True, database=database, name=name)
    run_hub(folder, games, PORT if port is None else port, _tell, lambda _app, _hub: None)
    return WELL


def _tell(line: str) -> None:
    say([line])
    sys.stdout.flush()


@contextmanager
def _opened(folder: "HubFolder") -> "Iterator[Database]":
    """The database of a hub, which may be running."""
    from companion.hub.database import AwayError

    database = folder.open_database()
    try:
        yield database
    except AwayError as error:
        raise SetupError(str(error)) from error
    finally:
        database.close()


def accept(data: Path, digits: str) -> int:
    """Takes the box that shows these digits into the club."""
    from companion.hub.folder import HubFolder
    from companion.hub.members import Members

    folder = HubFolder.open(data)
    with _opened(folder) as database:
        try:
            member = Members(database, folder.keys.identity, time.time).accept(digits)
        except EntryError as error:
            complain(f"companion hub: {error}")
            return FOUND
    say([f"{member.name} is a member of {folder.name}."])
    return WELL


def verify(data: Path | None, database: str | None, *, as_json: bool) -> int:
    """Checks all that a hub keeps."""
    from companion.hub.database import AwayError, Database
    from companion.hub.folder import HubFolder
    from companion.hub.verify import verify as check

    opened = Database.at(database) if database else _database_in(data, HubFolder.open)
    try:
        report = check(opened)
    except AwayError as error:
        raise SetupError(str(error)) from error
    finally:
        opened.close()
    if as_json:
        print_json(report)
        return WELL if report["well"] else FOUND
    for one in report["chains"]:
        whole = "whole" if one["whole"] else "NOT WHOLE"
        rows = f"{one['rows']} rows, {one['private']} of them private"
        say([f"{one['name']} ({one['box']}), chain {one['chain']}: {rows}: {whole}"])
        say(f"  {line}" for line in (*one["declared"], *one["faults"]))
    for fork in report["forks"]:
        numbers = " or ".join(map(str, fork["chains"]))
        say([f"Box {fork['box']} has rows of two courses: choose chain {numbers}."])
    verdict = "well" if report["well"] else "look above"
    say([f"{report['boxes']} boxes, {report['rows']} rows: {verdict}."])
    return WELL if report["well"] else FOUND


def _database_in(data: Path | None, open_folder: "Callable[[Path], HubFolder]") -> "Database":
    if data is None:
        raise SetupError("name the hub: --data DIR, or --database URL")
    return open_folder(data).open_database()


# ---------------------------------------------------------------- the box's side


def join(games: Catalog, address: str, record: Path, name: str | None, *, older: bool) -> int:
    """Asks to join the club at that address; prints the six digits. On stderr what comes next."""
    from companion.club.keys import KeyPair
    from companion.club.line import ClubError
    from companion.club.line import join as ask
    from companion.club.membership import Membership

    if not record.exists():
        return cant(f"there is no record {record}: start the table once")
    if (pid := writer_of(record)) is not None:
        return cant(f"{record} is open at a table (pid {pid}): stop that, or join from its menu")
    with suppress(OSError), take_lock(record):
        pass
    with Reader.open(record, games.rules) as reader:
        last = 0 if older else reader.last_row()
    before = Membership.load(record)
    keys = before.keys if before else KeyPair.fresh()
    called = name or (before.name if before else socket.gethostname())
    for tries in range(TRIES, 0, -1):
        try:
            club, digits = asyncio.run(ask(address, keys, called))
        except ClubError as error:
            if error.code != "away" or tries == 1:
                return cant(f"companion hub join: {error}")
            time.sleep(PAUSE_S)
        else:
            break
    stretches = before.left(last).joined if before and before.club == club.key else ()
    joined = (*stretches, (last, None))
    Membership(keys, club.key, club.name, address, called, joined).save(record)
    say([digits])
    sys.stdout.flush()
    complain(
        f"Compare these digits with those at the hub of {club.name}. If they are the same, its "
        f"organiser accepts them: companion hub accept {digits} --data DIR. If not, somebody "
        f"stands between: companion hub leave --record {record}"
    )
    return WELL


def push(games: Catalog, record: Path, *, once: bool) -> int:
    """Pushes what the hub doesn't have: once, or whenever there is more."""
    from companion.club.line import ClubError, ClubLine
    from companion.club.membership import Membership
    from companion.club.push import RecordPush

    membership = Membership.load(record)
    if membership is None or not membership.is_joined:
        return cant(f"{record} has joined no club: companion hub join ADDRESS --record {record}")
    if not once:
        return _push_on(games, record, membership)
    pushing, rows = RecordPush(record, membership, games.rules), 0

    async def go() -> int:
        nonlocal rows
        async with ClubLine.open(membership) as line:
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
            if error.code != "away" or not tries:
                complain(f"companion hub push: {error}")
                return FOUND if error.passes else CANT
            time.sleep(PAUSE_S)
            continue
        say([f"{membership.club_name} has all {last} rows; {rows} were new."])
        return WELL


def _push_on(games: Catalog, record: Path, membership: "Membership") -> int:
    """Pushes until somebody stops it, or the club refuses."""
    from companion.club.pusher import ClubPusher, ClubState

    def changed(state: ClubState) -> None:
        _tell(state.why or f"{membership.club_name} has all rows.")

    pusher = ClubPusher(record, membership, games.rules, changed=changed)
    asyncio.run(pusher.run())
    return FOUND


def leave(games: Catalog, record: Path) -> int:
    """Leaves the club: tells the hub so if it can be reached, and pushes nothing from now on."""
    from companion.club.line import ClubError, ClubLine
    from companion.club.membership import Membership

    membership = Membership.load(record)
    if membership is None or not membership.is_joined:
        return cant(f"{record} has joined no club")
    with Reader.open(record, games.rules) as reader:
        last = reader.last_row()

    async def go() -> None:
        async with ClubLine.open(membership) as line:
            await line.ask({"leave": True}, "left")

    told = ""
    try:
        asyncio.run(go())
    except ClubError as error:
        told = f" The hub was not told: {error}."
    membership.left(last).save(record)
    say([f"This box has left {membership.club_name}.{told}"])
    return WELL


# ---------------------------------------------------------------- to take elsewhere


def export(data: Path) -> int:
    """Prints every row that the hub keeps, one JSON object a line."""
    import json

    from sqlalchemy import select

    from companion.hub.chains import PUSHED, pushed_of
    from companion.hub.folder import HubFolder
    from companion.hub.schema import rows

    key = rows.c.club, rows.c.box, rows.c.chain
    with _opened(HubFolder.open(data)) as database, database.reading() as db:
        asked = select(*key, *PUSHED).order_by(*key, rows.c.seq)
        for club, box, chain, *found in db.execute(asked.execution_options(yield_per=1000)):
            told = {"club": club, "box": box, "chain": chain, "row": pushed_of(found).json}
            print(json.dumps(told))
    return WELL


def backup(data: Path, to: Path) -> int:
    """Copies the hub into another folder, whether it runs or not."""
    from companion.hub.backup import back_up
    from companion.hub.folder import HubFolder

    folder = HubFolder.open(data)
    with _opened(folder) as database:
        back_up(folder, database, to)
    say([f"{folder.name} is copied to {to}."])
    return WELL
