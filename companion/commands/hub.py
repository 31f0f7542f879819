"""`companion hub …` for the organiser: runs a hub, changes and checks its data, and connects it
with a federation. The commands of a box are in club.py.

Each action imports its modules when it runs, so that other commands don't wait for them.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.arguments import (
    Parser,
    add_command,
    add_json_option,
    expanded_path,
    parse_port,
    player_name,
    whole_number,
)
from companion.commands.club import (
    add_fetch,
    add_join,
    add_leave,
    add_push,
    report_missing_libraries,
)
from companion.commands.terminal import PROBLEM, SUCCESS, fail, print_error, print_json, print_lines
from companion.core.clock import MAX_MONTHS
from companion.core.errors import EntryError, SetupError
from companion.core.seats import display_name

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.club.hub.database import Database
    from companion.club.hub.folder import HubFolder
    from companion.club.hub.members import Members
    from companion.club.hub.people import ClubPeople
    from companion.club.hub.store import HubStore
    from companion.commands.arguments import CommandAction, Commands


parse_months = whole_number(0, MAX_MONTHS, f"is no number of months, 0 to {MAX_MONTHS}")
BY_ORGANISER = "organiser"
"""The author in rows about people that these commands write."""


def add_hub(commands: "Commands") -> None:
    parser = commands.add_parser(
        "hub",
        help="many tables, one club: run its hub, join it, push to it",
        description="Many tables, one club (docs/hub.md).",
    )
    parser.set_defaults(group=parser)
    parts = parser.add_subparsers(title="commands", metavar="COMMAND")
    for add in (
        _add_run, add_join, _add_accept, _add_call, add_push, add_fetch, add_leave,
        _add_member_commands, _add_verify, _add_copy_commands, _add_federation,
        _add_people_commands,
    ):  # fmt: skip
        add(parts)


def _add_hub_command(parts: "Commands", name: str, meaning: str, action: "CommandAction") -> Parser:
    """Adds a sub-command that needs the hub's libraries."""
    return add_command(parts, name, meaning, report_missing_libraries("hub", action))


def _add_box(command: Parser) -> None:
    command.add_argument("box", metavar="BOX", help="its name, or its identity")


def _add_data(command: Parser) -> None:
    command.add_argument(
        "--data", metavar="DIR", type=expanded_path, required=True, help="the hub's folder"
    )


@contextmanager
def _open_database(folder: "HubFolder") -> "Iterator[Database]":
    """Opens the database of a hub for a `with` block, migrated to this version. The hub may be
    running meanwhile. Raises SetupError."""
    from companion.club.hub.database import UnavailableError
    from companion.club.hub.members import Members

    database = folder.open_database()
    try:
        database.migrate()
        Members(database, folder.keys.identity, time.time).begin(folder.keys, folder.name)
        yield database
    except UnavailableError as error:
        raise SetupError(str(error)) from error
    finally:
        database.close()


def _change_hub(data: Path, action: "Callable[[HubFolder, Members, HubStore], str]") -> int:
    """Calls `action` with the data of a hub, which may be running; prints what was done, or why it
    failed. Returns the exit status."""
    from companion.club.hub.folder import HubFolder
    from companion.club.hub.members import Members
    from companion.club.hub.store import HubStore

    folder = HubFolder.open(data)
    with _open_database(folder) as database:
        store = HubStore(database, folder.keys)
        try:
            done = action(folder, Members(database, store.club, time.time), store)
        except EntryError as error:
            print_error(f"companion hub: {error}")
            return PROBLEM
    print_lines([done])
    return SUCCESS


# ---------------------------------------------------------------- running the hub


def _add_run(parts: "Commands") -> None:
    command = _add_hub_command(parts, "run", "run a club's hub", run)
    _add_data(command)
    command.add_argument("--database", metavar="URL", help="PostgreSQL in place of SQLite in DIR")
    command.add_argument("--port", metavar="N", type=parse_port, help="where it listens (8070)")
    command.add_argument("--name", metavar="NAME", help="what the club is called")
    explained = "copy the hub there every minute, a stick say"
    command.add_argument("--backup", metavar="FOLDER", type=expanded_path, help=explained)
    explained = "where boxes reach it, as https://club.example, if not at this machine's address"
    command.add_argument("--address", metavar="ADDRESS", help=explained)
    explained = "speak HTTPS, too, with this certificate and its key, in PEM"
    command.add_argument("--certificate", metavar="FILE", type=expanded_path, help=explained)
    explained = "if the key has its own file"
    command.add_argument("--key", metavar="FILE", type=expanded_path, help=explained)
    explained = "where it listens for HTTPS (8470)"
    command.add_argument("--encrypted-port", metavar="N", type=parse_port, help=explained)
    explained = "show the names in games for so many months (0: for ever); kept for later"
    command.add_argument("--keep-names", metavar="MONTHS", type=parse_months, help=explained)
    explained = "don't say in the network that it is there"
    command.add_argument("--quiet", action="store_true", help=explained)


def run(args: argparse.Namespace, games: "Catalog") -> int:
    """Runs the hub until it is stopped. If no file is given for the key, the certificate's file has
    to contain it."""
    from companion.club.hub.folder import HubFolder
    from companion.club.hub.pages import add_pages
    from companion.club.hub.run import ENCRYPTED_PORT, PORT, run_hub

    encrypted_port = args.encrypted_port
    if args.certificate is None and (args.key is not None or encrypted_port is not None):
        raise SetupError("--key and --encrypted-port need --certificate FILE")
    folder = HubFolder.open(
        args.data,
        make=True,
        database=args.database,
        name=args.name,
        keep_names_months=args.keep_names,
    )
    past = (sys.executable, "-m", "companion.app.past", "club", str(args.data.absolute()))
    run_hub(
        folder,
        games,
        PORT if args.port is None else args.port,
        _print_at_once,
        lambda app, hub: add_pages(app, hub, games, past),
        backup=args.backup,
        announces=not args.quiet,
        address=args.address,
        certificate=(args.certificate, args.key or args.certificate) if args.certificate else None,
        encrypted_port=ENCRYPTED_PORT if encrypted_port is None else encrypted_port,
    )
    return SUCCESS


def _print_at_once(line: str) -> None:
    print_lines([line])
    sys.stdout.flush()


# ---------------------------------------------------------------- members


def _add_accept(parts: "Commands") -> None:
    meaning = "take a box into the club, or a club into the federation"
    command = _add_hub_command(parts, "accept", meaning, accept)
    command.add_argument("digits", metavar="DIGITS", help="the six that the box shows")
    explained = "it is a club: it may push the tables of its own boxes"
    command.add_argument("--club", action="store_true", help=explained)
    explained = "it takes the place of that box, which lost its games: they go back to it"
    command.add_argument("--as", dest="instead_of", metavar="BOX", default="", help=explained)
    _add_data(command)


def accept(args: argparse.Namespace, _games: "Catalog") -> int:
    """Accepts the box that shows these digits into the club, or a club into this federation."""
    from companion.club.box.protocol import BOX, CLUB

    def action(folder: "HubFolder", members: "Members", _store: "HubStore") -> str:
        member = members.accept(args.digits, args.instead_of, CLUB if args.club else BOX)
        so = ", as a club" if args.club else ""
        return f"{member.name} is a member of {folder.name}{so}."

    return _change_hub(args.data, action)


def _add_call(parts: "Commands") -> None:
    meaning = "give a box a name, and its table the number by which it gets the seats of events"
    command = _add_hub_command(parts, "call", meaning, call)
    _add_box(command)
    command.add_argument("name", metavar="NAME", help="what the box is called from now on")
    explained = "of its table, 1 to 999; without it the table has none"
    command.add_argument("--number", metavar="NUMBER", type=int, help=explained)
    _add_data(command)


def call(args: argparse.Namespace, _games: "Catalog") -> int:
    """Gives a box another name, and sets or removes its table's number. The box is notified when it
    next connects."""

    def action(_folder: "HubFolder", members: "Members", _store: "HubStore") -> str:
        member = members.set_name(members.find_by_name(args.box).box, args.name, args.number)
        table = "no number" if member.number is None else f"number {member.number}"
        return f"The box is called {member.name} now; its table has {table}."

    return _change_hub(args.data, action)


def _add_member_commands(parts: "Commands") -> None:
    command = _add_hub_command(parts, "choose", "say which chain of a box goes on", choose)
    _add_box(command)
    command.add_argument("chain", metavar="CHAIN", type=int, help="its number, as verify says it")
    _add_data(command)
    for word, meaning, action in (
        ("retire", "end a membership, as if the box had left; its results stay", retire),
        ("throw-out", "throw a member out, with what it pushed for other boxes", expel),
    ):
        command = _add_hub_command(parts, word, meaning, action)
        _add_box(command)
        _add_data(command)


def choose(args: argparse.Namespace, _games: "Catalog") -> int:
    """Chooses which of its chains a box continues, if its rows have forked."""

    def action(_folder: "HubFolder", members: "Members", store: "HubStore") -> str:
        member = members.find_by_name(args.box)
        store.choose_chain(store.club, member.box, args.chain)
        return f"Chain {args.chain} of {member.name} goes on; the others are put aside."

    return _change_hub(args.data, action)


def retire(args: argparse.Namespace, _games: "Catalog") -> int:
    """Ends the membership of a box or club, as if it had left; its results stay."""

    def action(folder: "HubFolder", members: "Members", _store: "HubStore") -> str:
        member = members.find_by_name(args.box)
        members.leave(member.box)
        return f"{member.name} is no member of {folder.name} any more; its results stay."

    return _change_hub(args.data, action)


def expel(args: argparse.Namespace, _games: "Catalog") -> int:
    """Expels a box or club. Rows that it passed on for other boxes disappear from all pages."""

    def action(folder: "HubFolder", members: "Members", _store: "HubStore") -> str:
        member = members.find_by_name(args.box)
        members.expel(member.box)
        return (
            f"{member.name} was thrown out of {folder.name}. The results that it has sealed itself "
            "stay; everything else that came through it disappears from all pages."
        )

    return _change_hub(args.data, action)


# ---------------------------------------------------------------- people


def _add_people_commands(parts: "Commands") -> None:
    meaning = "say that a person of this club is one of another club of the federation, too"
    command = _add_hub_command(parts, "same-person", meaning, same_person)
    command.add_argument("name", metavar="NAME", type=player_name)
    command.add_argument("club", metavar="CLUB", help="the other club's name or identity")
    command.add_argument("other", metavar="OTHER", type=player_name, help="the name there")
    command.add_argument("--take-back", action="store_true", help="say that they are two people")
    _add_data(command)
    command = _add_hub_command(
        parts, "rename", "say that a name counts as another one at all tables", rename
    )
    command.add_argument("name", metavar="NAME", type=player_name)
    command.add_argument("to", metavar="TO", type=player_name)
    _add_data(command)
    for word, meaning, action in (
        ("hide", "show a name nowhere any more", hide),
        ("forget", "take a name out of what is the hub's own", forget),
    ):
        command = _add_hub_command(parts, word, meaning, action)
        command.add_argument("name", metavar="NAME", type=player_name)
        _add_data(command)
    _add_data(
        _add_hub_command(parts, "take-back", "take back what was said of people last", take_back)
    )


def same_person(args: argparse.Namespace, _games: "Catalog") -> int:
    """Declares for this club that NAME is the same person as OTHER in another club of the
    federation, or takes that back. It takes effect once the other club declares it as well."""

    def action(_folder: "HubFolder", _members: "Members", store: "HubStore") -> str:
        from companion.club.hub.people import SamePerson, add_same_person

        name, club, other = args.name, args.club, args.other
        add_same_person(store, SamePerson(name, club, other), same=not args.take_back)
        if args.take_back:
            return f"{display_name(name)} and {display_name(other)} of {club} are two people."
        return (
            f"{display_name(name)} and {display_name(other)} of {club} are one person at the "
            "federation, once that club says so, too."
        )

    return _change_hub(args.data, action)


def rename(args: argparse.Namespace, _games: "Catalog") -> int:
    """Makes one name count as another name at all tables."""
    from companion.record.rows import PlayerRenamed

    return _change_people(
        args.data, lambda people: people.add(PlayerRenamed(args.name, args.to), BY_ORGANISER)
    )


def hide(args: argparse.Namespace, _games: "Catalog") -> int:
    """Hides a name from now on."""
    from companion.record.rows import PlayerHidden

    return _change_people(
        args.data, lambda people: people.add(PlayerHidden(args.name), BY_ORGANISER)
    )


def take_back(args: argparse.Namespace, _games: "Catalog") -> int:
    """Takes back the newest renaming or hiding."""
    return _change_people(args.data, lambda people: people.take_back(BY_ORGANISER))


def _change_people(data: Path, change: "Callable[[ClubPeople], object]") -> int:
    """Makes a change, and prints all renamed and hidden names; returns the exit status."""
    from companion.club.hub.people import ClubPeople
    from companion.record.rows import PlayerRenamed

    def action(_folder: "HubFolder", _members: "Members", store: "HubStore") -> str:
        people = ClubPeople(store)
        change(people)
        lines = [
            f"{display_name(one.name)} counts as {display_name(one.to)}."
            if isinstance(one, PlayerRenamed)
            else f"{display_name(one.name)} is not shown."
            for one in people.changes()
        ]
        return "\n".join(lines or ["Every name counts as it stands."])

    return _change_hub(data, action)


def forget(args: argparse.Namespace, _games: "Catalog") -> int:
    """Removes a name from the hub's own rows, and prints where else the name still occurs."""
    from companion.club.hub.people import forget_person

    def action(folder: "HubFolder", _members: "Members", store: "HubStore") -> str:
        found = forget_person(store, args.name)
        rows = "1 row" if found.rows == 1 else f"{found.rows} rows"
        lines = [f"{rows} of the hub's own had that name; {rows} have another now."]
        if found.rows:
            lines.append("Its chain was written anew, here and at the federation.")
            lines.append(
                "Copies of the hub that were made before still have the name: remove them."
            )
        lines += [
            f"{box} has games with that name: companion forget {args.name} there; "
            "it pushes them anew."
            for box in found.boxes
        ]
        if (folder.path / "tables").is_dir():
            lines.append(f"Records of tables opened here are in {folder.path / 'tables'}.")
        return "\n".join(lines)

    return _change_hub(args.data, action)


# ---------------------------------------------------------------- checking and copying


def _add_verify(parts: "Commands") -> None:
    command = _add_hub_command(parts, "verify", "check all that a hub keeps", verify)
    of = command.add_mutually_exclusive_group(required=True)
    of.add_argument("--data", metavar="DIR", type=expanded_path, help="the hub's folder")
    of.add_argument("--database", metavar="URL", help="its PostgreSQL")
    add_json_option(command)


def verify(args: argparse.Namespace, _games: "Catalog") -> int:
    """Checks everything that a hub has stored."""
    from companion.club.hub.database import Database, UnavailableError
    from companion.club.hub.folder import HubFolder
    from companion.club.hub.verify import verify as check

    own = ""
    if args.database:
        found = Database.from_address(args.database)
    elif args.data is not None:
        folder = HubFolder.open(args.data)
        found, own = folder.open_database(), folder.keys.identity
    else:
        raise SetupError("name the hub: --data DIR, or --database URL")
    try:
        report = check(found, own)
    except UnavailableError as error:
        raise SetupError(str(error)) from error
    finally:
        found.close()
    if args.json:
        print_json(report)
        return SUCCESS if report["well"] else PROBLEM
    for one in report["chains"]:
        whole = "whole" if one["whole"] else "NOT WHOLE"
        rows = f"{one['rows']} rows, {one['private']} of them private"
        print_lines([f"{one['name']} ({one['box']}), chain {one['chain']}: {rows}: {whole}"])
        print_lines(f"  {line}" for line in (*one["declared"], *one["faults"], *one["not_shown"]))
    for fork in report["forks"]:
        numbers = " or ".join(map(str, fork["chains"]))
        command_line = f"companion hub choose {fork['box']} CHAIN"
        print_lines(
            [f"Box {fork['box']} has rows of two courses: choose chain {numbers} ({command_line})."]
        )
    verdict = "well" if report["well"] else "look above"
    print_lines([f"{report['boxes']} boxes, {report['rows']} rows: {verdict}."])
    return SUCCESS if report["well"] else PROBLEM


def _add_copy_commands(parts: "Commands") -> None:
    _add_data(_add_hub_command(parts, "export", "print every row as JSON", export))
    command = _add_hub_command(parts, "backup", "copy a hub to another folder", backup)
    _add_data(command)
    command.add_argument("to", metavar="FOLDER", type=expanded_path, help="where to")


def export(args: argparse.Namespace, _games: "Catalog") -> int:
    """Prints every row of the hub, one JSON object per line."""
    import json

    from sqlalchemy import select

    from companion.club.hub.chains import PUSHED_COLUMNS, pushed_row_from
    from companion.club.hub.database import rows
    from companion.club.hub.folder import HubFolder

    key = rows.c.club, rows.c.box, rows.c.chain
    with _open_database(HubFolder.open(args.data)) as database, database.reading() as db:
        query = select(*key, *PUSHED_COLUMNS).order_by(*key, rows.c.seq)
        for club, box, chain, *found in db.execute(query.execution_options(yield_per=1000)):
            row_json = {
                "club": club,
                "box": box,
                "chain": chain,
                "row": pushed_row_from(found).json,
            }
            print(json.dumps(row_json))
    return SUCCESS


def backup(args: argparse.Namespace, _games: "Catalog") -> int:
    """Copies the hub into another folder; the hub may be running meanwhile."""
    from companion.club.hub.folder import HubFolder, back_up

    folder = HubFolder.open(args.data)
    with _open_database(folder) as database:
        back_up(folder, database, args.to)
    print_lines([f"{folder.name} is copied to {args.to}."])
    return SUCCESS


# ---------------------------------------------------------------- the federation


def _add_federation(parts: "Commands") -> None:
    meaning = "push this club's tables on to a federation's hub; prints six digits"
    command = _add_hub_command(parts, "federate", meaning, federate)
    command.add_argument("address", metavar="ADDRESS", nargs="?", help="of the federation's hub")
    command.add_argument("--leave", action="store_true", help="leave the federation")
    _add_data(command)
    meaning = "take back from the federation what this hub has lost"
    _add_data(_add_hub_command(parts, "restore", meaning, restore))


def federate(args: argparse.Namespace, _games: "Catalog") -> int:
    """Asks the federation's hub to accept this club; prints the six digits that identify the
    request, and on stderr the next step. With --leave, leaves the federation, which keeps the
    club's rows."""
    import asyncio

    from companion.club.box.hub_connection import ClubError
    from companion.club.hub.federation import ask_to_federate, leave_federation
    from companion.club.hub.folder import HubFolder

    if not args.leave and args.address is None:
        return fail("companion hub federate: name the address of the federation's hub")
    folder = HubFolder.open(args.data)
    with _open_database(folder) as database:
        if args.leave:
            left = asyncio.run(leave_federation(folder, database))
            if left is None:
                return fail(f"{folder.name} is in no federation")
            print_lines([f"{folder.name} has left {left}."])
            return SUCCESS
        try:
            name, digits = asyncio.run(ask_to_federate(folder, database, args.address))
        except ClubError as error:
            return fail(f"companion hub federate: {error}")
    _print_at_once(digits)
    print_error(
        f"Compare these digits with those at the hub of {name}. If they are the same, its "
        f"organiser accepts them: companion hub accept {digits} --club --data DIR (without --club "
        "at a hub of 0.3). If not, somebody stands between: companion hub federate --leave --data "
        f"{args.data}"
    )
    return SUCCESS


def restore(args: argparse.Namespace, _games: "Catalog") -> int:
    """Restores this club's rows from the federation, into a hub that has lost them."""
    import asyncio

    from companion.club.box.hub_connection import ClubError
    from companion.club.hub.federation import restore as restore_rows
    from companion.club.hub.folder import HubFolder

    folder = HubFolder.open(args.data)
    with _open_database(folder) as database:
        try:
            rows = asyncio.run(restore_rows(folder, database))
        except ClubError as error:
            raise SetupError(str(error)) from error
    print_lines([f"{rows} rows came back from the federation."])
    return SUCCESS
