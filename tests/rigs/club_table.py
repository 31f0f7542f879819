"""A table that a hub runs, and the phone that keys for it."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import aiohttp

from companion.core.values import Json
from tests.club.hub.club_site import ClubSite
from tests.web.live import Phone

AT_ONCE = 9
"""Entries that a phone keys at once."""
PATIENCE_S = 120.0


async def until(seen: Any, what: str) -> None:
    """Waits until `seen()` holds. Raises AssertionError after PATIENCE_S."""
    for _ in range(int(PATIENCE_S / 0.05)):
        if seen():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"never came: {what}")


class Table:
    """A table that the hub itself runs, with the phone that keys for it."""

    def __init__(self, site: ClubSite, number: int) -> None:
        self.name, self.number = f"Table {number}", number
        self._place = site.hub.data / "tables" / str(number)
        self.phone: Phone

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{json.loads((self._place / 'table.json').read_text())['port']}"

    async def come(self, stack: Any) -> None:
        """Lets the phone come in by the table's code, to key for all seats."""
        word = json.loads((self._place / "record.codes").read_text())["play"]
        self._session = await stack(aiohttp.ClientSession(self.url))
        self._word = word
        await self.awake()

    async def awake(self) -> None:
        """Lets the phone come in again, as after sleep: the table drops a phone that is silent for
        long."""
        before = self.phone.proposed if hasattr(self, "phone") else 0
        role = {"name": "scorekeeper", "device": f"d{self.number}"}
        self.phone = await Phone.come(self, self._session, f"t{self.number}", role, self._word)  # type: ignore[arg-type]
        self.phone.proposed = before

    async def seen(self, what: Any) -> None:
        """Waits until the phone's messages fulfil `what`; fails after PATIENCE_S."""
        await asyncio.wait_for(self.phone.until(what), PATIENCE_S)

    async def begin(self, place: str) -> None:
        """Taps Begin once the table has been given the seats of `place`."""
        await self.awake()

        def given() -> bool:
            found = (self.phone.club or {}).get("given")
            return bool(found and found["place"] == place)

        await self.seen(given)
        await self.phone.say(club={"wish": "begin", "address": place})
        await self.seen(lambda: not (self.phone.club or {}).get("given"))
        await self.seen(lambda: not self.moment["finished"] and self.moment["seats"])

    @property
    def moment(self) -> Json:
        found: Json = self.phone.stands["moment"]
        return found

    @property
    def seats(self) -> list[str]:
        return [seat["shown"] for seat in self.moment["seats"]]

    async def key(self, entries: Sequence[object]) -> None:
        """Keys these entries, AT_ONCE at a time, each time on the newest state of the record."""
        for at in range(0, len(entries), AT_ONCE):
            before = self.tip
            while self.tip == before:
                try:
                    await self._propose("\n".join(map(str, entries[at : at + AT_ONCE])))
                except (aiohttp.ClientError, TypeError):  # the table has dropped the phone
                    await self.awake()

    async def _propose(self, text: str) -> None:
        tip = self.tip
        answer = await self.phone.keys(text)
        assert answer["counted"], answer
        await self.seen(lambda: self.tip != tip)

    @property
    def tip(self) -> str:
        return str(self.phone.stands["keys"]["tip"])
