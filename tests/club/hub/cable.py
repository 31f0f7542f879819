"""A network cable that can be pulled out between boxes and the hub."""

import asyncio
import threading
from contextlib import suppress


class Cable:
    """A network cable between some boxes and the hub: a proxy in a thread of its own."""

    def __init__(self, port: int) -> None:
        self._to, self.pulled = port, False
        self._loop = asyncio.new_event_loop()
        self._carried: set[asyncio.StreamWriter] = set()
        ready = threading.Event()
        self.port = 0

        async def serve() -> None:
            server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
            await server.serve_forever()

        def run() -> None:
            with suppress(asyncio.CancelledError):
                self._loop.run_until_complete(serve())

        threading.Thread(target=run, daemon=True).start()
        ready.wait()

    def pull(self, *, out: bool) -> None:
        """Pulls the cable `out`, or plugs it in again."""
        self.pulled = out
        if out:
            self._loop.call_soon_threadsafe(self._cut)

    def _cut(self) -> None:
        for end in [*self._carried]:
            end.transport.abort()

    async def _carry(self, box: asyncio.StreamReader, to_box: asyncio.StreamWriter) -> None:
        if self.pulled:
            to_box.transport.abort()
            return
        try:
            hub, to_hub = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:  # nobody is there
            to_box.transport.abort()
            return
        ends = {to_box, to_hub}
        self._carried |= ends

        async def pump(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
            with suppress(OSError):
                while chunk := await source.read(1 << 16):
                    to.write(chunk)
                    await to.drain()
            for end in ends:
                end.transport.abort()

        await asyncio.gather(pump(box, to_hub), pump(hub, to_box))
        self._carried -= ends
