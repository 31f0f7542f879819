"""What `companion hub federate` and `companion hub restore` do: a club and its federation."""

import asyncio
import sys
from pathlib import Path

from companion.commands.terminal import WELL, cant, complain, say
from companion.core.errors import SetupError


def federate(data: Path, address: str) -> int:
    """Asks the federation's hub at `address` to take this club; prints the six digits, and on
    stderr what comes next."""
    from companion.club.line import ClubError
    from companion.commands.hub import opened
    from companion.hub.federation import ask_to_federate
    from companion.hub.folder import HubFolder

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
    from companion.commands.hub import opened
    from companion.hub.federation import leave_federation
    from companion.hub.folder import HubFolder

    folder = HubFolder.open(data)
    with opened(folder) as database:
        name = asyncio.run(leave_federation(folder, database))
    if name is None:
        return cant(f"{folder.name} is in no federation")
    say([f"{folder.name} has left {name}."])
    return WELL


def restore(data: Path) -> int:
    """Takes back the rows that the federation has of this club, into a hub that has lost them."""
    from companion.club.line import ClubError
    from companion.commands.hub import opened
    from companion.hub.federation import restore as take_back
    from companion.hub.folder import HubFolder

    folder = HubFolder.open(data)
    with opened(folder) as database:
        try:
            rows = asyncio.run(take_back(folder, database))
        except ClubError as error:
            raise SetupError(str(error)) from error
    say([f"{rows} rows came back from the federation."])
    return WELL
