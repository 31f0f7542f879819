"""What the organiser's commands `companion hub …` do, at the hub and between it and its
federation."""

import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.catalog import Catalog
from companion.commands.terminal import FOUND, WELL, cant, complain, print_json, say
from companion.core.errors import EntryError, SetupError
from companion.core.seats import shown
from companion.record.rows import Hidden, Renamed
from companion.record.store.database import StoreError

if TYPE_CHECKING:
    from companion.club.hub.database import Database
    from companion.club.hub.folder import HubFolder
    from companion.club.hub.members import Members
    from companion.club.hub.people import ClubPeople
    from companion.club.hub.store import HubStore


BY = "organiser"
"""The author of what these commands say of people."""
NEEDED = "pip install 'table-companion[{extra}]'"


def with_libraries(extra: str, do: Callable[[], int]) -> int:
    """Runs `do` and gives its exit status. If a library is missing or something can't be done, says
    so in one line on stderr and gives CANT."""
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
    games: Catalog,
    data: Path,
    *,
    database: str | None,
    port: int | None,
    name: str | None,
    backup_to: Path | None,
    announces: bool,
    address: str | None,
    certificate: Path | None,
    key: Path | None,
    encrypted_port: int | None,
    keep_names_months: int | None,
) -> int:
    """Runs the hub until it is told to stop. Every minute it is copied to `backup_to`. Boxes find
    it in the network if it `announces` itself, and reach it at `address`. With a `certificate` it
    speaks HTTPS, too; without `key` that file has the key as well. It shows names in games for so
    many months."""
    from companion.club.box.line import PORT
    from companion.club.hub.folder import HubFolder
    from companion.club.hub.pages import add_pages
    from companion.club.hub.run import ENCRYPTED_PORT, run_hub

    if certificate is None and (key is not None or encrypted_port is not None):
        raise SetupError("--key and --encrypted-port need --certificate FILE")
    folder = HubFolder.open(
        data, make=True, database=database, name=name, keep_names_months=keep_names_months
    )
    past = (sys.executable, "-m", "companion.app.club_past", str(data.absolute()))
    run_hub(
        folder,
        games,
        PORT if port is None else port,
        _tell,
        lambda app, hub: add_pages(app, hub, games, past),
        backup=backup_to,
        announces=announces,
        address=address,
        certificate=(certificate, key or certificate) if certificate else None,
        encrypted_port=ENCRYPTED_PORT if encrypted_port is None else encrypted_port,
    )
    return WELL


def _tell(line: str) -> None:
    say([line])
    sys.stdout.flush()


@contextmanager
def opened(folder: "HubFolder") -> "Iterator[Database]":
    """A context with the database of a hub, brought up to date. The hub may be running meanwhile.
    Raises SetupError."""
    from companion.club.hub.database import AwayError
    from companion.club.hub.members import Members

    database = folder.open_database()
    try:
        database.bring_up_to_date()
        Members(database, folder.keys.identity, time.time).begin(folder.keys, folder.name)
        yield database
    except AwayError as error:
        raise SetupError(str(error)) from error
    finally:
        database.close()


def accept(data: Path, digits: str, instead_of: str, *, as_club: bool) -> int:
    """Takes the box that shows these digits into the club, in the place of the box `instead_of`
    (empty: of none); `as_club`: takes a club into this federation."""
    from companion.club.box.session import BOX, CLUB

    def do(folder: "HubFolder", members: "Members", _store: "HubStore") -> str:
        member = members.accept(digits, instead_of, CLUB if as_club else BOX)
        so = ", as a club" if as_club else ""
        return f"{member.name} is a member of {folder.name}{so}."

    return _as_organiser(data, do)


def call(data: Path, word: str, name: str, number: int | None) -> int:
    """Gives the box with this name or identity another name, and its table a number (None: none).
    The box hears it when it next connects."""

    def do(_folder: "HubFolder", members: "Members", _store: "HubStore") -> str:
        member = members.call(members.named(word).box, name, number)
        table = "no number" if member.number is None else f"number {member.number}"
        return f"The box is called {member.name} now; its table has {table}."

    return _as_organiser(data, do)


def retire(data: Path, word: str) -> int:
    """Ends the membership of the box, or club, with this name or identity, as if it had left; its
    results stay."""

    def do(folder: "HubFolder", members: "Members", _store: "HubStore") -> str:
        member = members.named(word)
        members.leave(member.box)
        return f"{member.name} is no member of {folder.name} any more; its results stay."

    return _as_organiser(data, do)


def throw_out(data: Path, word: str) -> int:
    """Throws the box, or club, with this name or identity out; what came through it for other boxes
    disappears from all pages."""

    def do(folder: "HubFolder", members: "Members", _store: "HubStore") -> str:
        member = members.named(word)
        members.throw_out(member.box)
        return (
            f"{member.name} was thrown out of {folder.name}. The results that it has sealed itself "
            "stay; everything else that came through it disappears from all pages."
        )

    return _as_organiser(data, do)


def choose(data: Path, word: str, chain: int) -> int:
    """Chooses the chain of a box that goes on, if it has rows of two courses of play."""

    def do(_folder: "HubFolder", members: "Members", store: "HubStore") -> str:
        member = members.named(word)
        store.choose(store.club, member.box, chain)
        return f"Chain {chain} of {member.name} goes on; the others are put aside."

    return _as_organiser(data, do)


def rename(data: Path, name: str, to: str) -> int:
    """Lets one name count as another at all tables."""
    return _of_people(data, lambda people: people.say(Renamed(name, to), BY))


def hide(data: Path, name: str) -> int:
    """Hides a name from now on."""
    return _of_people(data, lambda people: people.say(Hidden(name), BY))


def same_person(data: Path, name: str, club: str, other: str, *, same: bool) -> int:
    """Says for this club that `name` is the person whom another club of the federation has as
    `other`, or takes that back. It counts once the other club says it, too."""

    def do(_folder: "HubFolder", _members: "Members", store: "HubStore") -> str:
        from companion.club.hub.people import SamePerson, say_same

        say_same(store, SamePerson(name, club, other), same=same)
        if not same:
            return f"{shown(name)} and {shown(other)} of {club} are two people."
        return (
            f"{shown(name)} and {shown(other)} of {club} are one person at the federation, "
            "once that club says so, too."
        )

    return _as_organiser(data, do)


def take_back(data: Path) -> int:
    """Takes back the newest renaming or hiding."""
    return _of_people(data, lambda people: people.take_back(BY))


def _of_people(data: Path, do: "Callable[[ClubPeople], object]") -> int:
    from companion.club.hub.people import ClubPeople

    def done(_folder: "HubFolder", _members: "Members", store: "HubStore") -> str:
        people = ClubPeople(store)
        do(people)
        told = [
            f"{shown(one.name)} counts as {shown(one.to)}."
            if isinstance(one, Renamed)
            else f"{shown(one.name)} is not shown."
            for one in people.changes()
        ]
        return "\n".join(told or ["Every name counts as it stands."])

    return _as_organiser(data, done)


def forget(data: Path, name: str) -> int:
    """Takes a name out of the hub's own rows, and says where else it is still found."""
    from companion.club.hub.forgetting import forget_person

    def do(folder: "HubFolder", _members: "Members", store: "HubStore") -> str:
        found = forget_person(store, name)
        rows = "1 row" if found.rows == 1 else f"{found.rows} rows"
        lines = [f"{rows} of the hub's own had that name; {rows} have another now."]
        if found.rows:
            lines.append("Its chain was written anew, here and at the federation.")
            lines.append(
                "Copies of the hub that were made before still have the name: remove them."
            )
        lines += [
            f"{box} has games with that name: companion forget {name} there; it pushes them anew."
            for box in found.boxes
        ]
        if (folder.path / "tables").is_dir():
            lines.append(f"Records of tables opened here are in {folder.path / 'tables'}.")
        return "\n".join(lines)

    return _as_organiser(data, do)


def _as_organiser(data: Path, do: "Callable[[HubFolder, Members, HubStore], str]") -> int:
    """Calls `do` for a hub, which may be running; prints what was done, or why it can't be."""
    from companion.club.hub.folder import HubFolder
    from companion.club.hub.members import Members
    from companion.club.hub.store import HubStore

    folder = HubFolder.open(data)
    with opened(folder) as database:
        store = HubStore(database, folder.keys)
        try:
            done = do(folder, Members(database, store.club, time.time), store)
        except EntryError as error:
            complain(f"companion hub: {error}")
            return FOUND
    say([done])
    return WELL


def verify(data: Path | None, database: str | None, *, as_json: bool) -> int:
    """Checks all that a hub keeps."""
    from companion.club.hub.database import AwayError, Database
    from companion.club.hub.folder import HubFolder
    from companion.club.hub.verify import verify as check

    own = ""
    if database:
        found = Database.at(database)
    elif data is not None:
        folder = HubFolder.open(data)
        found, own = folder.open_database(), folder.keys.identity
    else:
        raise SetupError("name the hub: --data DIR, or --database URL")
    try:
        report = check(found, own)
    except AwayError as error:
        raise SetupError(str(error)) from error
    finally:
        found.close()
    if as_json:
        print_json(report)
        return WELL if report["well"] else FOUND
    for one in report["chains"]:
        whole = "whole" if one["whole"] else "NOT WHOLE"
        rows = f"{one['rows']} rows, {one['private']} of them private"
        say([f"{one['name']} ({one['box']}), chain {one['chain']}: {rows}: {whole}"])
        say(f"  {line}" for line in (*one["declared"], *one["faults"], *one["not_shown"]))
    for fork in report["forks"]:
        numbers = " or ".join(map(str, fork["chains"]))
        command_line = f"companion hub choose {fork['box']} CHAIN"
        say(
            [f"Box {fork['box']} has rows of two courses: choose chain {numbers} ({command_line})."]
        )
    verdict = "well" if report["well"] else "look above"
    say([f"{report['boxes']} boxes, {report['rows']} rows: {verdict}."])
    return WELL if report["well"] else FOUND


# ---------------------------------------------------------------- to take elsewhere


def export(data: Path) -> int:
    """Prints every row that the hub keeps, one JSON object a line."""
    import json

    from sqlalchemy import select

    from companion.club.hub.chains import PUSHED, pushed_of
    from companion.club.hub.folder import HubFolder
    from companion.club.hub.schema import rows

    key = rows.c.club, rows.c.box, rows.c.chain
    with opened(HubFolder.open(data)) as database, database.reading() as db:
        asked = select(*key, *PUSHED).order_by(*key, rows.c.seq)
        for club, box, chain, *found in db.execute(asked.execution_options(yield_per=1000)):
            row_json = {"club": club, "box": box, "chain": chain, "row": pushed_of(found).json}
            print(json.dumps(row_json))
    return WELL


def backup(data: Path, to: Path) -> int:
    """Copies the hub into another folder; the hub may be running meanwhile."""
    from companion.club.hub.backup import back_up
    from companion.club.hub.folder import HubFolder

    folder = HubFolder.open(data)
    with opened(folder) as database:
        back_up(folder, database, to)
    say([f"{folder.name} is copied to {to}."])
    return WELL


def federate(data: Path, address: str) -> int:
    """Asks the federation's hub at `address` to take this club; prints the six digits, and on
    stderr what comes next."""
    from companion.club.box.line import ClubError
    from companion.club.hub.federation import ask_to_federate
    from companion.club.hub.folder import HubFolder

    folder = HubFolder.open(data)
    with opened(folder) as database:
        try:
            name, digits = asyncio.run(ask_to_federate(folder, database, address))
        except ClubError as error:
            return cant(f"companion hub federate: {error}")
    say([digits])
    sys.stdout.flush()
    complain(
        f"Compare these digits with those at the hub of {name}. If they are the same, its "
        f"organiser accepts them: companion hub accept {digits} --club --data DIR (without --club "
        "at a hub of 0.3). If not, somebody stands between: companion hub federate --leave --data "
        f"{data}"
    )
    return WELL


def leave(data: Path) -> int:
    """Leaves the federation; rows that it has stay there."""
    from companion.club.hub.federation import leave_federation
    from companion.club.hub.folder import HubFolder

    folder = HubFolder.open(data)
    with opened(folder) as database:
        name = asyncio.run(leave_federation(folder, database))
    if name is None:
        return cant(f"{folder.name} is in no federation")
    say([f"{folder.name} has left {name}."])
    return WELL


def restore(data: Path) -> int:
    """Takes back the rows that the federation has of this club, into a hub that has lost them."""
    from companion.club.box.line import ClubError
    from companion.club.hub.federation import restore as take_back
    from companion.club.hub.folder import HubFolder

    folder = HubFolder.open(data)
    with opened(folder) as database:
        try:
            rows = asyncio.run(take_back(folder, database))
        except ClubError as error:
            raise SetupError(str(error)) from error
    say([f"{rows} rows came back from the federation."])
    return WELL
