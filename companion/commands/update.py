"""`companion update`: installs a new version on a flashed card, at first on trial."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app import SERVICE_RECORD
from companion.commands.arguments import add_command
from companion.commands.terminal import PROBLEM, SUCCESS, fail, print_error, print_lines
from companion.core.words import phrase

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands

UPDATE_HELP = """
On a flashed card alone, as root. The update is written beside the system that runs, checked, and
started once: where the table is open and well for a minute it stays, else the old one is back.
Never during a game; the record is copied first, and what is set on the card stays. Exit status 0:
it is tried now; 1: it is not taken, and nothing has changed; 2: it can't be read, or was asked
wrongly."""


def add_update(commands: "Commands") -> None:
    def do(args: argparse.Namespace, games: "Catalog") -> int:
        if args.bring:
            return copy_from_stick(args.bring, games)
        return update(
            args.what,
            games,
            back=args.back,
            previous=args.previous,
            shown_at_table=args.shown_at_table,
        )

    command = add_command(commands, "update", "take a new version onto a flashed card", do)
    command.epilog = UPDATE_HELP
    command.add_argument(
        "what", metavar="FILE|ADDRESS", nargs="?", help="else the address of the configuration"
    )
    command.add_argument("--back", action="store_true", help="an older version may be taken, too")
    command.add_argument(
        "--previous", action="store_true", help="go back to the version before the last update"
    )
    command.add_argument("--bring", metavar="FILE", type=Path, help=argparse.SUPPRESS)
    command.add_argument(
        "--told", action="store_true", dest="shown_at_table", help="say it at the table, too"
    )


def update(
    what: str | None, games: "Catalog", *, back: bool, previous: bool, shown_at_table: bool
) -> int:
    """Installs an update, or prints the reason in one line; returns the exit status.
    `shown_at_table`: whether the table shows the line as well."""
    from companion.app.config import load_config
    from companion.app.notice_socket import send_notice
    from companion.app.updates.file import UpdateError
    from companion.app.updates.install import install_from, install_previous, reason_for, this_box

    def tell(line: str) -> None:
        print_lines([line])
        if shown_at_table:
            send_notice(SERVICE_RECORD, line)

    if os.geteuid() != 0:
        return fail("A card's systems are root's: sudo companion update")
    try:
        box = this_box(SERVICE_RECORD, games.rules)
        if previous:
            install_previous(box, tell)
            return SUCCESS
        install_from(what or load_config().update.address, box, tell, back=back)
    except (UpdateError, OSError) as error:
        why = reason_for(error)
        if shown_at_table:
            send_notice(SERVICE_RECORD, why)
        if not isinstance(error, UpdateError):
            return fail(why)
        print_error(str(error))
        return PROBLEM
    return SUCCESS


def copy_from_stick(path: Path, games: "Catalog") -> int:
    """Copies an update from a stick to the folder that the privileged update service watches.
    Doesn't copy a version that is already running or that failed to start before. Returns the exit
    status."""
    import shutil

    from companion.app.notice_socket import send_notice
    from companion.app.updates.file import UpdateError
    from companion.app.updates.install import PARTIAL, folder_of, should_install, this_box
    from companion.core.regular_file import check_room

    try:
        if not should_install(path, this_box(SERVICE_RECORD, games.rules)):
            return SUCCESS
        folder = folder_of(SERVICE_RECORD)
        folder.mkdir(exist_ok=True)
        for half in folder.glob(f"*{PARTIAL}"):  # the power went while it was copied
            half.unlink(missing_ok=True)
        check_room(path.stat().st_size, folder)
        half = folder / f"{path.name}{PARTIAL}"
        try:
            shutil.copyfile(path, half)
            half.rename(folder / path.name)
        finally:
            half.unlink(missing_ok=True)
    except UpdateError as error:
        send_notice(SERVICE_RECORD, error.why)
        return fail(str(error))
    except OSError as error:
        why = error.strerror or str(error)
        line = phrase("The update on the stick can't be taken: {why}", why=why)
        send_notice(SERVICE_RECORD, line)
        return fail(line)
    return SUCCESS
