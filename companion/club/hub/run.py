"""`companion hub run`: a club's hub, until it is stopped."""

import asyncio
import gc
import signal
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from socket import socket
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import web

from companion.club.box.discovery import keep_announcing
from companion.club.box.hub_connection import PORT as PORT  # noqa: PLC0414  # for who starts it
from companion.club.hub.database import UnavailableError
from companion.club.hub.federation import keep_pushing_to_federation
from companion.club.hub.folder import HubFolder, check_backup, keep_backing_up
from companion.club.hub.members import Members
from companion.club.hub.opened_tables import OpenedTables
from companion.club.hub.server import Hub
from companion.core.errors import SetupError
from companion.core.typed_address import EVERYWHERE, with_port
from companion.presentation.game import PresentedGames
from companion.web.access import load_codes
from companion.web.address import Listening, listen, network_address, page_url
from companion.web.certificates import Certificate
from companion.web.connection_limits import end_serving
from companion.web.own_names import parse_prefix

GC_THRESHOLDS: Final = 700, 10, 1_000
"""The thresholds of Python's garbage collector (gc.set_threshold). A full collection goes through
all tables' games, finds next to nothing, and blocks every answer for 0.2 s; so it runs a hundred
times less often than by default."""
ENCRYPTED_PORT: Final = 8470
AddPages = Callable[[web.Application, Hub], None]


def run_hub(
    folder: HubFolder,
    games: PresentedGames,
    port: int,
    tell: Callable[[str], None],
    add_pages: AddPages,
    *,
    backup: Path | None = None,
    announces: bool = True,
    address: str | None = None,
    certificate: tuple[Path, Path] | None = None,
    encrypted_port: int,
) -> None:
    """Runs the hub on `port` until SIGTERM or SIGINT. `tell` is called with lines for the person
    who started the hub; `add_pages` adds its pages. `backup`: a folder to which the hub is copied
    every minute. `announces`: whether boxes can find it on the local network. `address`: where
    boxes reach it, if not at this machine's own address. `certificate`: the files of a certificate
    and its key, in PEM, with which the hub also serves HTTPS on `encrypted_port`. Raises
    SetupError."""
    gc.set_threshold(*GC_THRESHOLDS)
    prefix = _parse_prefix(address)
    used = Certificate(*certificate, tell) if certificate else None
    if backup is not None:
        check_backup(folder, backup)
    database = folder.open_database()
    try:
        database.migrate()
        members = Members(database, folder.keys.identity, lambda: 0.0)
        if (name := members.begin(folder.keys, folder.name)) != folder.name:
            folder = HubFolder.open(folder.path, name=name)
        listening = [Listening(_listen(port, "--port"))]
        if used:
            listening.append(Listening(_listen(encrypted_port, "--encrypted-port"), used.context))
    except UnavailableError as error:
        raise SetupError(str(error)) from error
    port = listening[0].port
    hub = Hub(folder, database, load_codes(folder.path / "hub.codes", tell), games)
    hub.opened_tables = OpenedTables(folder, hub.members, port)
    hub.address = address or with_port(network_address(), port)
    hub.prefix = prefix
    background = [keep_pushing_to_federation(folder, database, hub.committer, hub.remark)]
    if backup is not None:
        background.append(keep_backing_up(folder, database, backup, hub.remark))
    if announces:
        background.append(_announce(folder, port, tell))
    try:
        asyncio.run(_serve(hub, listening, add_pages, background, tell))
    finally:
        database.close()


def _listen(port: int, option: str) -> socket:
    try:
        return listen(EVERYWHERE, port)
    except OSError as error:
        raise SetupError(
            f"the hub can't listen on port {port} ({error.strerror}): try {option} {port + 1}"
        ) from error


def _parse_prefix(address: str | None) -> str:
    """The path that all of the hub's addresses begin with. Raises SetupError."""
    path = urlsplit(address).path if address and "://" in address else ""
    try:
        return parse_prefix(path) if path.strip("/") else ""
    except ValueError as error:
        raise SetupError(f"--address: {error}") from error


async def _serve(
    hub: Hub,
    listening: Sequence[Listening],
    add_pages: AddPages,
    background: Sequence[Coroutine[Any, Any, None]],
    tell: Callable[[str], None],
) -> None:
    """Serves until a signal ends it, and runs the coroutines of `background` meanwhile."""
    end, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end.set)
    runner = web.AppRunner(hub.app(add_pages), access_log=None)
    make = await hub.prepare(runner)
    for one in listening:
        await one.serve(make)
    where, words = page_url(network_address(), listening[0].port), hub.codes.current
    tell(f"The hub of {hub.name} is at {where}/")
    tell(f"Organiser: {where}/organiser#{words.keep}")
    tell(f"Judge: {where}/#{words.play}")
    tell(f"Viewer: {where}/#{words.watch}")
    for secure in listening[1:]:
        tell(f"Encrypted, it is at https://{with_port(network_address(), secure.port)}/")
    tasks = [asyncio.create_task(one) for one in background]
    await end.wait()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for one in listening:
        one.close()
    await end_serving(runner)


async def _announce(folder: HubFolder, port: int, tell: Callable[[str], None]) -> None:
    """Announces the hub on the local network until it is cancelled."""
    try:
        await keep_announcing(folder.name, folder.keys.identity, port, network_address)
    except ImportError:
        tell("Boxes don't find it by themselves (python3-zeroconf is missing): type its address.")
