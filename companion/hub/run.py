"""`companion hub run`: a club's hub, until it is told to stop."""

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Final

from aiohttp import web

from companion.core.errors import SetupError
from companion.hub.backup import check_backup, keep_backing_up
from companion.hub.database import AwayError
from companion.hub.event_api import EventApi
from companion.hub.folder import HubFolder
from companion.hub.members import Members
from companion.hub.server import Hub
from companion.presentation.game import PresentedGames
from companion.web.address import EVERYWHERE, listen, network_address, place
from companion.web.codes import open_codes

PORT: Final = 8070
AddPages = Callable[[web.Application, Hub], None]


def run_hub(
    folder: HubFolder,
    games: PresentedGames,
    port: int,
    tell: Callable[[str], None],
    add_pages: AddPages,
    *,
    backup: Path | None = None,
) -> None:
    """Serves on that port until SIGTERM or SIGINT. `tell` takes lines for who started it; `backup`:
    a folder to which the hub is copied every minute. Raises SetupError."""
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
        app = hub.app(add_pages)
        EventApi(hub).add_to(app)
        runner = web.AppRunner(app, access_log=None)
        make = await hub.prepare(runner)
        server = await asyncio.get_running_loop().create_server(make, sock=listening)
        where = place(network_address(), listening.getsockname()[1])
        tell(f"The hub of {folder.name} is at {where}/")
        for role, word in (("Organiser", codes.words.keep), ("Judge", codes.words.play),
                           ("Viewer", codes.words.watch)):  # fmt: skip
            tell(f"{role}: {where}/#{word}")
        copying = backup and asyncio.create_task(
            keep_backing_up(folder, database, backup, hub.remark)
        )
        await end.wait()
        if copying:
            copying.cancel()
        server.close()
        await runner.cleanup()

    try:
        asyncio.run(serve())
    finally:
        database.close()
