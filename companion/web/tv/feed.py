"""Fetches what a TV shows from the table's page on the same machine, as a browser would. It tries
again and again while the page isn't there."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, Protocol
from urllib.parse import urlsplit

import aiohttp

from companion.core.values import Json
from companion.web.address import HTTP, network_address, place
from companion.web.own_names import other_name
from companion.web.qr import rows_of
from companion.web.tv.picture import WayIn

RETRY_S: Final = 2.0
LOOK_S: Final = 5.0
"""Seconds between two looks at whether the address or the word has changed."""
HEARTBEAT_S: Final = 20.0


class Viewing(Protocol):
    """A receiver that shows what the page says."""

    def wants(self) -> list[str]:
        """The drawings that the receiver needs, by the names with which a page asks for them."""

    def tell(self, message: Json) -> None:
        """Receives the newest moment."""

    def see(self, data: bytes) -> None:
        """Receives a picture of the box's display."""

    def invite(self, where: str, word: str, other: str) -> None:
        """Receives the address at which phones find the table, and the word that lets them in; both
        are empty if phones can't come in. `other`: the box's name in the network if it isn't its
        own, as another machine has that."""

    def speak(self, words: Mapping[str, str]) -> None:
        """Receives the words of the table's language, by their keys."""

    def time(self, left_s: int | None) -> None:
        """Receives how many seconds the round of the club's event still has; None: no clock
        runs."""

    def lose(self) -> None:
        """Is called when the page can't be reached."""


class PageFeed:
    """Hands what the table's page says to the `listener`. `page`: its address, such as
    http://127.0.0.1:8080; `secret`: the machine's, which lets its programs in."""

    def __init__(self, page: str, secret: str, listener: Viewing) -> None:
        self._page, self._listener = page.rstrip("/"), listener
        self._shown = {"Authorization": f"Bearer {secret}"}
        self._version = ""
        """The version of the page from which the words were fetched last."""

    async def run(self) -> None:
        """Listens to the page until it is cancelled; if the connection breaks, tries again after
        RETRY_S."""
        timeout = aiohttp.ClientTimeout(total=10)
        async with aiohttp.ClientSession(timeout=timeout) as session:
            watching = asyncio.ensure_future(self._watch_address(session))
            try:
                while True:
                    with suppress(aiohttp.ClientError, OSError, ValueError, TimeoutError):
                        await self._listen(session)
                    self._listener.lose()
                    await asyncio.sleep(RETRY_S)
            finally:
                watching.cancel()
                await asyncio.gather(watching, return_exceptions=True)

    async def _listen(self, session: aiohttp.ClientSession) -> None:
        word = await self._word(session)
        async with session.ws_connect(
            f"{self._page}/live", heartbeat=HEARTBEAT_S, origin=self._page
        ) as page:
            wants = self._listener.wants()
            await page.send_json({"n": 0, "hello": word, "follows": True, "wants": wants})
            async for message in page:
                if message.type is aiohttp.WSMsgType.BINARY:
                    self._listener.see(message.data)
                elif message.type is aiohttp.WSMsgType.TEXT:
                    said = json.loads(message.data)
                    if "moment" in said:
                        if said.get("version") != self._version:
                            await self._learn_words(session, said.get("version"))
                        self._listener.tell(said)
                    if "club" in said:
                        self._listener.time((said["club"] or {}).get("left_s"))

    async def _learn_words(self, session: aiohttp.ClientSession, version: object) -> None:
        """Fetches the page's words, which change with its language, and hands them on. Raises
        aiohttp.ClientError or ValueError."""
        async with session.get(f"{self._page}/catalog.js") as answer:
            answer.raise_for_status()
            text = await answer.text()
        self._listener.speak(json.loads(text.removeprefix("export default ").rstrip("; \n")))
        self._version = str(version)

    async def _word(self, session: aiohttp.ClientSession) -> str:
        """The word that lets phones in. Raises aiohttp.ClientError."""
        async with session.get(f"{self._page}/token", headers=self._shown) as answer:
            answer.raise_for_status()
            return str((await answer.json())["token"])

    async def _watch_address(self, session: aiohttp.ClientSession) -> None:
        """Hands on the address at which phones find the table, their word and the box's other name,
        whenever these have changed; empty texts if phones can't reach it."""
        known: tuple[str, str, str] | None = None
        while True:
            now = "", "", ""
            with suppress(aiohttp.ClientError, OSError, ValueError, TimeoutError):
                now = await self._way_in(session)
            if now != known:
                known = now
                self._listener.invite(*now)
            await asyncio.sleep(LOOK_S)

    async def _way_in(self, session: aiohttp.ClientSession) -> tuple[str, str, str]:
        address = network_address()
        where = place(address, urlsplit(self._page).port or HTTP)
        async with session.get(f"{where}/icon.svg") as answer:
            answer.raise_for_status()
        other = await asyncio.to_thread(other_name, address)
        return where, await self._word(session), other


def invitation(where: str, word: str, other: str, says: str) -> WayIn:
    """How phones come in at the address `where`, or by the `other` name if there is one, with this
    `word`, with the text `says`; an empty WayIn if there is no address."""
    shown = f"{where}  {other}" if other else where
    return WayIn(shown, rows_of(where, word), says) if where else WayIn()
