"""`companion hub run`: a club's hub, until it is told to stop."""

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path

from aiohttp import web

from companion.club.finding import keep_announced
from companion.club.line import PORT as PORT  # noqa: PLC0414  # for who starts it
from companion.core.errors import SetupError
from companion.hub.backup import check_backup, keep_backing_up
from companion.hub.database import AwayError
from companion.hub.federating import keep_federating
from companion.hub.folder import HubFolder
from companion.hub.members import Members
from companion.hub.opened import TablesOfHub
from companion.hub.server import Hub
from companion.presentation.game import PresentedGames
from companion.web.address import EVERYWHERE, listen, network_address, place
from companion.web.codes import open_codes

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
) -> None:
    """Serves on that port until SIGTERM or SIGINT. `tell` takes lines for who started it; `backup`:
    a folder to which the hub is copied every minute; `announces`: boxes find it in the network;
    `address`: where they reach it, if not at this machine's own. Raises SetupError."""
    if backup is not None:
        check_backup(folder, backup)
    database = folder.open_database()
    try:
        database.bring_up_to_date()
        Members(database, folder.keys.identity, lambda: 0.0).begin(folder.keys, folder.name)
        listening = listen(EVERYWHERE, port)
    except AwayError as error:
        raise SetupError(str(error)) from error
    except OSError as error:
        raise SetupError(
            f"the hub can't listen on port {port} ({error.strerror}): try --port {port + 1}"
        ) from error
    codes = open_codes(folder.path / "hub.codes", tell)

    async def serve() -> None:
        end = asyncio.Event()
        for one in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(one, end.set)
        hub = Hub(folder, database, codes, games)
        hub.opened = TablesOfHub(folder, hub.members, listening.getsockname()[1])
        hub.address = address or f"{network_address()}:{listening.getsockname()[1]}"
        runner = web.AppRunner(hub.app(add_pages), access_log=None)
        make = await hub.prepare(runner)
        server = await asyncio.get_running_loop().create_server(make, sock=listening)
        where = place(network_address(), listening.getsockname()[1])
        tell(f"The hub of {folder.name} is at {where}/")
        words = codes.words
        tell(f"Organiser: {where}/organiser#{words.keep}")
        tell(f"Judge: {where}/#{words.play}")
        tell(f"Viewer: {where}/#{words.watch}")
        beside = [keep_federating(folder, database, hub.committer, hub.remark)]
        if backup is not None:
            beside.append(keep_backing_up(folder, database, backup, hub.remark))
        if announces:
            beside.append(_announce(folder, listening.getsockname()[1], tell))
        tasks = [asyncio.create_task(one) for one in beside]
        await end.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        server.close()
        await runner.cleanup()

    try:
        asyncio.run(serve())
    finally:
        database.close()


async def _announce(folder: HubFolder, port: int, tell: Callable[[str], None]) -> None:
    """Says in the network that the hub is there."""
    try:
        await keep_announced(folder.name, folder.keys.identity, port, network_address)
    except ImportError:
        tell("Boxes don't find it by themselves (python3-zeroconf is missing): type its address.")
