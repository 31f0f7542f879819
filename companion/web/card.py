"""The page of a flashed card, `/card`: shows which Wi-Fi the box is in, joins another one, and
accepts a new version.

Only root may do either, and the table's service is not root. So the page requests a network on the
socket of the box's Wi-Fi service, and puts a new version into the folder that the update unit
watches (companion/card). Only pages that may play can use it.
"""

import asyncio
import json
import os
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from errno import ENOSPC
from pathlib import Path
from typing import Any

from aiohttp import web

from companion.core.budgets import UPDATE
from companion.core.errors import EntryError
from companion.core.json_text import read_json
from companion.core.regular_file import check_room, room_in
from companion.core.typed_address import check_typed
from companion.core.values import Json, dataclass
from companion.core.words import capital, sentence_in
from companion.presentation.language import Language
from companion.web.access import AccessRules
from companion.web.connection_limits import Visit
from companion.web.files import STATIC, page_text, words_in

WIFI = Path("/run/companion-card/wifi.socket")
LONGEST = 4096
ADDRESS = re.compile(r"(https?://[^/?#@\\]+)/[!-~]{0,500}")
"""The form of an address from which an update may be loaded; the part before the path must be an
address that may be typed on a phone (core/typed_address.py)."""
ANSWER_WITHIN_S = 5.0


@dataclass(frozen=True, slots=True)
class CardPaths:
    """The paths that the page of a flashed card needs: the folder for updates, and the socket of
    the box's Wi-Fi service."""

    incoming: Path
    wifi: Path


class CardPage:
    """The page's routes. All methods belong to the server's event loop."""

    def __init__(
        self,
        rules: AccessRules,
        paths: CardPaths,
        request_language: Callable[[web.Request], Language],
    ) -> None:
        """`request_language`: returns the language of the page for a request."""
        self._rules, self._paths, self._request_language = rules, paths, request_language

    def add_to(self, app: web.Application) -> None:
        """Adds the routes of the page and its requests. Removes incomplete uploads of updates from
        before a power failure, but not updates that are being copied from a stick."""
        for part in self._paths.incoming.glob("*.part"):
            part.unlink(missing_ok=True)
        app.router.add_get("/card", self._send)
        app.router.add_post("/card/wifi", self._answer_wifi)
        app.router.add_post("/card/update", self._take_update)
        app.router.add_post("/card/update-address", self._take_update_address)

    async def _send(self, request: web.Request) -> web.Response:
        text = page_text(STATIC / "card" / "card.html", words_in(self._request_language(request)))
        return web.Response(text=text, content_type="text/html")

    def _refuse_strangers(self, request: web.Request) -> None:
        if not self._rules.allows_action(request.headers, request.host):
            raise web.HTTPForbidden

    async def _answer_wifi(self, request: web.Request) -> web.Response:
        self._refuse_strangers(request)
        with suppress(OSError, ValueError, TimeoutError):
            answer = await self._request_wifi(await _read_object(request))
            for name in ("why", "fault"):
                if sentence := sentence_in(answer.get(name)):
                    answer[name] = self._request_language(request).translate(capital(sentence))
            return web.json_response(answer)
        return web.json_response({"networks": [], "none": True})

    async def _request_wifi(self, request: Mapping[str, Any]) -> Json:
        """Sends a request to the box's Wi-Fi service and returns its answer. Raises OSError,
        ValueError, TimeoutError."""
        async with asyncio.timeout(ANSWER_WITHIN_S):
            reader, writer = await asyncio.open_unix_connection(str(self._paths.wifi))
            try:
                writer.write(json.dumps(request).encode() + b"\n")
                answer: Json = json.loads(await reader.readline())
            finally:
                writer.close()
        return answer

    async def _take_update(self, request: web.Request) -> web.Response:
        self._refuse_strangers(request)
        size = request.content_length or 0
        if not 0 < size <= UPDATE.most or size > self._free_bytes():
            return web.json_response({"fault": "room"})
        visit = request.protocol
        assert isinstance(visit, Visit)
        visit.keep_open()  # an upload may take minutes
        part = self._paths.incoming / f"{secrets.token_hex(8)}.part"
        try:
            with part.open("xb") as file:
                async for data in request.content.iter_any():
                    check_room(len(data), self._paths.incoming)  # for other uploads meanwhile
                    await asyncio.to_thread(file.write, data)  # a slow card delays no other page
                await asyncio.to_thread(os.fsync, file.fileno())
            part.rename(part.with_suffix(".update"))
        except OSError as error:
            if error.errno != ENOSPC:
                raise
            return web.json_response({"fault": "room"})
        finally:
            part.unlink(missing_ok=True)
        return web.json_response({"taken": True})

    async def _take_update_address(self, request: web.Request) -> web.Response:
        self._refuse_strangers(request)
        try:
            address = str((await _read_object(request))["address"]).strip()
        except (ValueError, LookupError):
            address = ""
        if not _is_address_of_update(address):
            return web.json_response({"fault": "address"})
        self._paths.incoming.mkdir(parents=True, exist_ok=True)
        part = self._paths.incoming / f"{secrets.token_hex(8)}.part"
        part.write_text(address, encoding="ascii")
        part.rename(part.with_suffix(".address"))
        return web.json_response({"taken": True})

    def _free_bytes(self) -> int:
        self._paths.incoming.mkdir(parents=True, exist_ok=True)
        return room_in(self._paths.incoming)


async def _read_object(request: web.Request) -> Json:
    """Returns the JSON object in the first LONGEST bytes of a request. Raises ValueError."""
    match read_json(await request.content.read(LONGEST)):
        case dict(found):
            return found
    raise ValueError("not an object")


def _is_address_of_update(address: str) -> bool:
    """Whether a phone may make the box load an update from this address: a file's address without a
    query, and not on this machine."""
    match = ADDRESS.fullmatch(address)
    if match is None or not address.isascii() or {"?", "#", "@"} & {*address}:
        return False
    try:
        check_typed(match[1])
    except EntryError:
        return False
    return True
