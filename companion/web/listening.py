"""Where the page's server listens: on this machine alone, or open to the network."""

import asyncio
import socket
from collections.abc import Callable

from companion.web.address import EVERYWHERE, listen


class Listening:
    """Belongs to the server's event loop; begins with a socket that listens already."""

    def __init__(self, at: socket.socket) -> None:
        self._at = at
        self._host, self.port = at.getsockname()[:2]
        self._make: Callable[[], asyncio.Protocol] | None = None
        self._server: asyncio.Server | None = None
        self._serving: asyncio.Task[None] | None = None

    async def serve(self, make: Callable[[], asyncio.Protocol]) -> None:
        """Lets visitors in; `make` makes a visit of each connection. Raises OSError."""
        self._make = make
        await self._serve()

    def open_to_all(self) -> None:
        """Listens everywhere from now on, on the same port; who is connected stays. Raises OSError:
        it goes on as before."""
        self.close()
        try:
            self._at = listen(EVERYWHERE, self.port)
        except OSError:
            self._at = listen(self._host, self.port)
            raise
        finally:
            self._serving = asyncio.get_running_loop().create_task(self._serve())

    def close(self) -> None:
        """Nobody comes any more."""
        if self._server:
            self._server.close()

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        assert self._make is not None, "it serves already"
        self._server = await loop.create_server(self._make, sock=self._at)
