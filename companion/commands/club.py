"""`companion hub join`, `push`, `fetch` and `leave`: the commands with which a box deals with its
club. No table may have the record open."""

import argparse
import sys
import time
from contextlib import suppress
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.arguments import Parser, add_command, default_record_path, expanded_path
from companion.commands.terminal import FAILURE, PROBLEM, SUCCESS, fail, print_error, print_lines
from companion.core.errors import EntryError, SetupError

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.club.box.membership import Membership
    from companion.commands.arguments import CommandAction, Commands
    from companion.record.store.database import ChainLink

INSTALL_COMMAND = "pip install 'table-companion[{extra}]'"
TRIES = 4
"""The number of attempts at a push or a request to join while the hub can't be reached."""
PAUSE_S = 0.5


def report_missing_libraries(extra: str, action: "CommandAction") -> "CommandAction":
    """Returns `action`, wrapped so that if a library is missing or the action fails, it prints one
    line on stderr and returns FAILURE. `extra`: the extra of our package that installs the
    library."""

    def run_reporting(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.record.store.database import StoreError

        try:
            return action(args, games)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("companion"):
                raise
            return fail(f"companion hub needs {error.name}: {INSTALL_COMMAND.format(extra=extra)}")
        except (SetupError, EntryError, StoreError) as error:
            return fail(f"companion hub: {error}")

    return run_reporting


def _add_record_option(command: Parser) -> None:
    command.add_argument("--record", metavar="FILE", type=expanded_path, help="the box's record")


def _record_path(args: argparse.Namespace) -> Path:
    return args.record or default_record_path()


def add_join(parts: "Commands") -> None:
    meaning = "ask to join a club; prints six digits"
    command = add_command(parts, "join", meaning, report_missing_libraries("club", join))
    command.add_argument("address", metavar="ADDRESS", help="of the hub, as 192.168.1.20:8070")
    _add_record_option(command)
    command.add_argument("--name", metavar="NAME", help="what this box is called")
    command.add_argument("--older", action="store_true", help="older games go to the club, too")


def join(args: argparse.Namespace, games: "Catalog") -> int:
    """Asks a club's hub to accept this box; prints the six digits that identify the request, and on
    stderr the next step."""
    import asyncio

    from companion.club.box.hub_connection import ClubError, ask_to_join
    from companion.record.store.database import take_lock, writer_of

    record = _record_path(args)
    if not record.exists():
        return fail(f"there is no record {record}: start the table once")
    if (pid := writer_of(record)) is not None:
        return fail(f"{record} is open at a table (pid {pid}): stop that, or join from its menu")
    with suppress(OSError), take_lock(record):
        pass
    for tries in range(TRIES, 0, -1):
        try:
            membership, digits = asyncio.run(
                ask_to_join(record, games.rules, args.address, args.name, older=args.older)
            )
        except ClubError as error:
            if error.code != "away" or tries == 1:
                return fail(f"companion hub join: {error}")
            time.sleep(PAUSE_S)
        else:
            break
    print_lines([digits])
    sys.stdout.flush()
    print_error(
        f"Compare these digits with those at the hub of {membership.club_name}. If they are the "
        f"same, its organiser accepts them: companion hub accept {digits} --data DIR. If not, "
        f"somebody stands between: companion hub leave --record {record}"
    )
    return SUCCESS


def add_push(parts: "Commands") -> None:
    meaning = "push what the hub doesn't have, as a running table does"
    command = add_command(parts, "push", meaning, report_missing_libraries("club", push))
    _add_record_option(command)
    command.add_argument("--once", action="store_true", help="end when the hub has all")


def push(args: argparse.Namespace, games: "Catalog") -> int:
    """Pushes the rows that the hub lacks: either once, or continuously as rows are added."""
    import asyncio

    from companion.club.box.hub_connection import ClubError, HubConnection
    from companion.club.box.membership import Membership
    from companion.club.box.push import RecordPush

    record = _record_path(args)
    membership = Membership.load(record)
    if membership is None or not membership.is_joined:
        return fail(f"{record} has joined no club: companion hub join ADDRESS --record {record}")
    if not args.once:
        return _push_until_stopped(games, record, membership)
    pushing, rows = RecordPush(record, membership, games.rules), 0

    hubs = cycle(membership.addresses)

    async def push_once() -> int:
        nonlocal rows
        async with HubConnection.open(membership.at_address(next(hubs))) as line:
            done = await pushing.push(line)
        rows += done.rows
        return done.head.seq

    tries = TRIES
    while True:
        before = pushing.acknowledged
        try:
            last = asyncio.run(push_once())
        except ClubError as error:
            # A network that loses data is no reason to give up as long as something gets through.
            tries = TRIES if pushing.acknowledged != before else tries - 1
            if error.code == "aside":
                replace(membership, aside=True).save(record)
            if error.code != "away" or not tries:
                print_error(f"companion hub push: {error}")
                return PROBLEM if error.is_temporary else FAILURE
            time.sleep(PAUSE_S)
            continue
        print_lines([f"{membership.club_name} has all {last} rows; {rows} were new."])
        return SUCCESS


def _push_until_stopped(games: "Catalog", record: Path, membership: "Membership") -> int:
    """Pushes rows until the program is stopped or the club refuses; returns the exit status."""
    import asyncio

    from companion.club.box.push import ClubPusher, ClubState

    def print_state(state: ClubState) -> None:
        print_lines([state.why or f"{membership.club_name} has all rows."])
        sys.stdout.flush()

    pusher = ClubPusher(record, membership, games.rules, on_state=print_state)
    asyncio.run(pusher.run())
    return PROBLEM


def add_leave(parts: "Commands") -> None:
    _add_record_option(
        add_command(parts, "leave", "leave the club", report_missing_libraries("club", leave))
    )


def leave(args: argparse.Namespace, games: "Catalog") -> int:
    """Leaves the club: notifies the hub, if it can be reached, and stops pushing."""
    import asyncio

    from companion.club.box.hub_connection import leave as leave_club
    from companion.club.box.membership import Membership

    record = _record_path(args)
    membership = Membership.load(record)
    if membership is None or not membership.is_joined:
        return fail(f"{record} has joined no club")
    leave_error = asyncio.run(leave_club(record, games.rules, membership))
    so = f" The hub was not told: {leave_error}." if leave_error else ""
    print_lines([f"This box has left {membership.club_name}.{so}"])
    return SUCCESS


def add_fetch(parts: "Commands") -> None:
    meaning = "bring rows back that the club has and the record lost"
    _add_record_option(
        add_command(parts, "fetch", meaning, report_missing_libraries("club", fetch))
    )


def fetch(args: argparse.Namespace, games: "Catalog") -> int:
    """Restores the rows that the record has lost from the club, which still has them. No table may
    have the record open."""
    import asyncio
    import sqlite3

    from companion.club.box.hub_connection import ClubError, HubConnection
    from companion.club.box.membership import Membership
    from companion.club.box.restore import request_rows, restore_point, restore_rows
    from companion.record.store.database import writer_of
    from companion.record.store.reader import Reader

    record = _record_path(args)
    membership = Membership.load(record)
    if membership is None or not membership.is_joined:
        return fail(f"{record} has joined no club")
    if (pid := writer_of(record)) is not None:
        return fail(f"{record} is open at a table (pid {pid}): stop that first")
    with Reader.open(record, games.rules) as reader:
        place, fresh = restore_point(reader), not reader.newest_game()

    async def fetch_rows() -> "list[ChainLink]":
        async with HubConnection.open(membership) as line:
            return await request_rows(line, place)

    try:
        links = asyncio.run(fetch_rows())
        if links:
            restore_rows(record, games.rules, links)
    except ClubError as error:
        return fail(f"companion hub fetch: {error}")
    except (OSError, sqlite3.Error) as error:
        return fail(f"companion hub fetch: {record} can't be written: {error}")
    if fresh and links:
        replace(membership, joined=((0, None),)).save(record)
    rows = "1 row" if len(links) == 1 else f"{len(links)} rows"
    print_lines([f"{rows} came back from {membership.club_name}."])
    return SUCCESS
